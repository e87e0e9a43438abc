/* The records of an attempt: its version and run, the version before when it is new, the hypothesis
 * and the experiment. */
#include <math.h>
#include <string.h>

#include "service/api/attempt.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"
#include "service/wire/build.h"

struct building {
    struct lore_arena *arena;
    const struct lore_attempt *a;
    const struct lore_attempt_place *p;
    const struct lore_attempt_ids *ids;
    struct lore_submission *doc;
};

static enum lore_check
check_of(const struct lore_attempt *a)
{
    const struct lore_attempt_error *e = lore_attempt_error_find(a->error);

    if (a->correctness != LORE_C_NONE)
        return a->correctness;
    if (e)
        return e->check;
    return a->checked_against ? LORE_C_PASS : LORE_C_NONE;
}

/* Whether the attempt makes an experiment. The first time of a kernel makes none: it is the
 * baseline, also with a hypothesis or a bottleneck. */
static bool
compares(const struct lore_attempt_place *p)
{
    const struct lore_attempt *a = p->a;
    bool story =
        a->n_techniques > 0 || a->lesson || a->outcome || a->error || a->metrics_before.n > 0;

    return !p->repeats && (p->parent || p->new_before || p->after_ns <= 0 || story);
}

static struct lore_version *
add_version(struct building *b, const char *id, int64_t number, const char *label)
{
    struct lore_submission *doc = b->doc;
    struct lore_version *v = LORE_PUSH(b->arena, doc->versions, doc->n_versions, doc->cap_versions);

    v->id = id;
    v->kernel = b->p->kernel_id;
    v->kind = number == 0 ? LORE_V_BASELINE : LORE_V_CANDIDATE;
    v->ordinal = (struct lore_i64){true, number};
    v->label = label ? label : lore_format(b->arena, "v%lld", (long long)number);
    return v;
}

static struct lore_run *
add_run(struct building *b, const char *id, const char *version, enum lore_run_role role)
{
    struct lore_submission *doc = b->doc;
    struct lore_run *r = LORE_PUSH(b->arena, doc->runs, doc->n_runs, doc->cap_runs);

    r->id = id;
    r->version = version;
    r->role = role;
    r->workload = b->p->workload;
    r->chip = b->p->chip;
    r->measured_at = b->a->date;
    r->evidence = b->a->evidence;
    return r;
}

static void
set_time(struct lore_run *r, double ns, int64_t *samples, size_t n)
{
    r->samples_ns = samples;
    r->n_samples = n;
    if (n == 0 && ns > 0) {
        r->summary.set = true;
        r->summary.median_ns = (struct lore_f64){true, ns};
    }
}

static void
add_before(struct building *b)
{
    const struct lore_attempt_place *p = b->p;
    struct lore_version *v = add_version(b, b->ids->before, p->next, p->before_label);

    v->sources = b->a->parent_sources;
    v->n_sources = b->a->n_parent_sources;
    if (p->before_ns <= 0)
        return;
    struct lore_run *r = add_run(b, b->ids->before_run, v->id, LORE_ROLE_BASELINE);
    r->metrics = b->a->metrics_before;
    set_time(r, p->before_ns, p->before, p->n_before);
}

/* The time before as a further run of the parent, unless it repeats the stored time. */
static bool
add_parent_run(struct building *b)
{
    const struct lore_attempt_place *p = b->p;

    if (!p->parent || p->before_ns <= 0 ||
        (p->n_before == 0 && fabs(p->parent->time_ns / p->before_ns - 1) <= LORE_STATED_NOISE))
        return false;
    set_time(add_run(b, b->ids->before_run, p->parent->version->v.id, LORE_ROLE_BASELINE),
        p->before_ns, p->before, p->n_before);
    return true;
}

static const char *
parent_id(const struct building *b)
{
    return b->p->new_before ? b->ids->before : b->p->parent ? b->p->parent->version->v.id : NULL;
}

static void
set_check(struct building *b, struct lore_run *r)
{
    const struct lore_attempt *a = b->a;
    const struct lore_attempt_error *e = lore_attempt_error_find(a->error);

    r->correctness.status = check_of(a);
    r->correctness.set = r->correctness.status != LORE_C_NONE;
    if (r->correctness.set) {
        r->correctness.reference = a->checked_against;
        r->correctness.rtol = r->correctness.atol = a->tolerance;
    }
    if (!e)
        return;
    if (r->correctness.set)
        r->correctness.message = a->log;
    if (b->p->after_ns > 0) /* a wrong result that was timed */
        return;
    r->error = (struct lore_failure){.set = true, .type = e->type, .message = a->log};
}

/* The version that the attempt made, and its run. Returns the id of the version. */
static const char *
add_after(struct building *b)
{
    const struct lore_attempt_place *p = b->p;
    const struct lore_attempt *a = b->a;
    const char *id = b->ids->version, *from = parent_id(b);

    if (p->made) {
        id = p->made->version->v.id;
    } else {
        struct lore_version *v = add_version(b, id, p->next + p->new_before, a->label);
        v->summary = a->change;
        v->params = a->params;
        v->sources = a->sources;
        v->n_sources = a->n_sources;
        if (from) {
            struct lore_parent *e = LORE_PUSH(b->arena, v->parents, v->n_parents, v->cap_parents);
            e->version = from;
            e->kind = LORE_E_DERIVED_FROM;
        }
        if (!from && p->after_ns > 0)
            v->kind = LORE_V_BASELINE;
    }
    if (p->after_ns > 0 || a->error || a->metrics.n > 0 || check_of(a) != LORE_C_NONE) {
        struct lore_run *r = add_run(b, b->ids->run, id,
            from || p->after_ns <= 0 ? LORE_ROLE_CANDIDATE : LORE_ROLE_BASELINE);
        set_time(r, p->after_ns, p->after, p->n_after);
        r->metrics = a->metrics;
        set_check(b, r);
        if (!compares(p) && a->bottleneck.labels.n > 0)
            *LORE_PUSH(b->arena, r->diagnoses, r->n_diagnoses, r->cap_diagnoses) = a->bottleneck;
    }
    return id;
}

/* The hypothesis about the change that made the version TO. Returns its id; NULL: there is none. */
static const char *
add_hypothesis(struct building *b, const char *from, const char *to)
{
    struct lore_submission *doc = b->doc;

    if (!b->a->hypothesis.claim)
        return NULL;
    struct lore_hypothesis *h =
        LORE_PUSH(b->arena, doc->hypotheses, doc->n_hypotheses, doc->cap_hypotheses);
    *h = b->a->hypothesis;
    h->id = b->ids->hypothesis;
    h->from_version = from;
    h->to_version = to;
    h->campaign = b->p->session;
    return h->id;
}

/* The notes, when they name a technique; they are no name themselves. */
static const char *
notes_with_words(const struct building *b)
{
    struct lore_words words;

    lore_words_resolve(b->a->notes, b->arena, &words);
    return words.n > 0 ? b->a->notes : NULL;
}

/* The techniques of the body, else the change as one. The parameters belong to the first. */
static void
add_techniques(struct building *b, struct lore_experiment *x)
{
    const struct lore_attempt *a = b->a;

    for (size_t i = 0; i < a->n_techniques; i++) {
        const struct lore_use *u = &a->techniques[i];
        if (u->params.n == 0 && u->raw && strchr(u->raw, '{')) /* "name{param=value}" */
            lore_build_technique(b->arena, x, u->raw);
        else
            *LORE_PUSH(b->arena, x->techniques, x->n_techniques, x->cap_techniques) = *u;
    }
    if (x->n_techniques == 0)
        lore_build_words(b->arena, x, a->change ? a->change : notes_with_words(b));
    if (x->n_techniques > 0 && x->techniques[0].params.n == 0)
        x->techniques[0].params = a->params;
}

static void
add_claim(struct building *b, struct lore_experiment *x)
{
    const struct lore_attempt_place *p = b->p;
    struct lore_claim *c = &x->claim;

    c->outcome = b->a->outcome;
    c->correctness = check_of(b->a);
    if (x->runs_before.n == 0 && p->parent && !p->parent->elsewhere && p->parent->time_ns > 0 &&
        p->after_ns > 0) { /* a parent that was timed by an experiment's statement alone */
        c->latency_before_ns = (struct lore_f64){true, p->parent->time_ns};
        c->latency_after_ns = (struct lore_f64){true, p->after_ns};
        c->base = LORE_BASE_PARENT;
    }
    c->set = c->outcome || c->correctness != LORE_C_NONE || c->latency_before_ns.set;
}

static bool
measured(const struct lore_attempt_place *p)
{
    return p->n_after > 0 && (p->n_before > 0 || (!p->new_before && p->before_ns <= 0));
}

static void
add_experiment(struct building *b, const char *made, bool parent_run)
{
    const struct lore_attempt_place *p = b->p;
    const struct lore_attempt *a = b->a;
    struct lore_submission *doc = b->doc;
    struct lore_experiment *x =
        LORE_PUSH(b->arena, doc->experiments, doc->n_experiments, doc->cap_experiments);

    x->id = b->ids->experiment;
    x->kernel = p->kernel_id;
    x->from_version = parent_id(b);
    x->to_version = made;
    if ((p->new_before && p->before_ns > 0) || parent_run)
        lore_build_text(b->arena, &x->runs_before, b->ids->before_run);
    else if (p->parent && p->parent->run && !p->parent->elsewhere)
        lore_build_text(b->arena, &x->runs_before, p->parent->run);
    for (size_t i = 0; i < doc->n_runs; i++)
        if (lore_streq(doc->runs[i].id, b->ids->run))
            lore_build_text(b->arena, &x->runs_after, b->ids->run);
    x->title = a->title ? a->title : a->change;
    add_techniques(b, x);
    x->bottleneck = a->bottleneck;
    x->chip = p->chip;
    x->workload = p->workload;
    x->evidence = a->evidence != LORE_EV_NONE ? a->evidence
                  : measured(p)               ? LORE_EV_MEASURED
                                              : LORE_EV_CLAIMED;
    if (!p->new_before || p->before_ns <= 0)
        x->metrics_before = a->metrics_before;
    for (size_t i = 0; i < a->violations.n; i++)
        LORE_PUSH(b->arena, x->violations, x->n_violations, x->cap_violations)->rule =
            a->violations.v[i];
    x->notes = a->notes;
    x->lesson = a->lesson;
    x->happened_at = a->date;
    x->author = a->author;
    x->campaign = p->session;
    x->extra = a->advice ? lore_format(b->arena, "{\"advice\":\"%s\"}", a->advice) : NULL;
    add_claim(b, x);
    x->hypothesis = add_hypothesis(b, x->from_version, x->to_version);
    lore_build_title(b->arena, x, a->hypothesis.claim);
}

/* The run that gave the time of version ID, where times compare; NULL: none. */
static const char *
run_of(const struct lore_history *h, const char *id)
{
    for (size_t i = 0; i < h->line.n; i++)
        if (lore_streq(h->entries[i].version->v.id, id))
            return h->entries[i].elsewhere ? NULL : h->entries[i].run;
    return NULL;
}

/* The stated experiment again, with the run that measured it, in the place of the first. */
static void
add_measured(struct building *b)
{
    const struct lore_experiment_row *stated = b->p->stated;
    struct lore_submission *doc = b->doc;
    const char *before = run_of(&b->p->history, stated->e.from_version);
    struct lore_experiment *x =
        LORE_PUSH(b->arena, doc->experiments, doc->n_experiments, doc->cap_experiments);
    struct lore_curation *c =
        LORE_PUSH(b->arena, doc->curations, doc->n_curations, doc->cap_curations);

    *x = stated->e;
    x->id = b->ids->experiment;
    x->runs_after = (struct lore_texts){0};
    lore_build_text(b->arena, &x->runs_after, b->ids->run);
    if (before) {
        x->runs_before = (struct lore_texts){0};
        lore_build_text(b->arena, &x->runs_before, before);
    }
    x->claim.latency_before_ns = x->claim.latency_after_ns = (struct lore_f64){0};
    x->evidence = LORE_EV_MEASURED;
    x->campaign = b->p->session;
    c->id = b->ids->merge;
    c->action = "merge";
    lore_build_text(b->arena, &c->subjects, stated->e.id);
    lore_build_text(b->arena, &c->subjects, x->id);
    c->canonical = x->id;
    c->reason = "the same attempt, now measured";
}

void
lore_attempt_build(struct lore_req *req, const struct lore_attempt_place *p,
    const struct lore_attempt_ids *ids, struct lore_submission *out)
{
    struct building b = {req->arena, p->a, p, ids, out};
    char now[LORE_TIME_SIZE];

    lore_time_format(lore_now_us(), now);
    *out = (struct lore_submission){.format = LORE_WIRE_VERSION,
        .id = ids->document,
        .project = p->kernel.project,
        .stated_project = p->kernel.project,
        .created_at = lore_strdup(req->arena, now),
        .author.name = p->a->author ? p->a->author : req->actor};
    struct lore_artifact *body =
        LORE_PUSH(req->arena, out->artifacts, out->n_artifacts, out->cap_artifacts);
    body->name = "attempt.json";
    body->media_type = "application/json";
    body->text = lore_strndup(req->arena, req->body, req->body_len);
    if (!p->stored)
        (void)lore_build_kernel(req->arena, out, p->kernel.op, p->kernel.language, p->kernel.name);
    if (p->new_before)
        add_before(&b);
    const char *made = add_after(&b);
    bool parent_run = add_parent_run(&b);
    if (p->stated)
        add_measured(&b);
    else if (compares(p))
        add_experiment(&b, made, parent_run);
    else if (!p->repeats)
        (void)add_hypothesis(&b, NULL, made);
}
