/* Makes the records of a session: a campaign, and for each attempt a version, a run and an
 * experiment that starts from the version kept before it. The first own version is the baseline and
 * has no experiment. A library is a version of the library's kernel, with a reference run.
 *
 * Ids derive from the attempt, its place in the session and the version it starts from, so a log
 * that has grown adds records and changes none. */
#include <string.h>

#include "collectors/import/agent_logs/agent_logs.h"
#include "collectors/import/prose.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"
#include "service/wire/build.h"

/* One attempt while its records are made. */
struct mapped {
    const struct lore_agent_attempt *a;
    const struct lore_agent_decision *decision; /* NULL: unknown */
    size_t number;
    bool library, timed, experiment;
    const char *error; /* type of the run's error; NULL: it ran */
    const char *key;   /* of its ids */
    const char *version, *run;
};
/* The version that the next attempt starts from. */
struct head {
    const char *version, *run; /* NULL: none */
    double tflops;
};

/* ---- one attempt ---- */

/* Whether the first attempt was a library. */
static bool
is_library(const struct lore_agent_attempt *a)
{
    static const char *const names[] = {"cublas", "cudnn", "rocblas", "hipblaslt", "torch"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(a->kernel, names[i]) ||
            (lore_streqi(a->bottleneck, "baseline") && strcasestr(a->idea, names[i])))
            return true;
    return false;
}

/* What the text of a failed attempt says happened, the most specific phrase first. Agents use a few
 * labels for all failures: COMPILE_FAIL also for a kernel that ran and failed its verification. */
static const char *
failure_said(const char *text, bool timed)
{
    static const struct {
        const char *phrase, *error;
    } said[] = {{"verification fail", "accuracy"}, {"verification_fail", "accuracy"},
        {"verify fail", "accuracy"}, {"wrong result", "accuracy"}, {"produces wrong", "accuracy"},
        {"wrong output", "accuracy"}, {"incorrect result", "accuracy"},
        {"incorrect output", "accuracy"}, {"broke correctness", "accuracy"},
        {"breaks correctness", "accuracy"}, {"illegal mem", "runtime"}, {"cuda error", "runtime"},
        {"cudaerror", "runtime"}, {"cuda failure", "runtime"}, {"runtime error", "runtime"},
        {"invalid argument", "runtime"}, {"inf tflops", "runtime"}, {"crashe", "runtime"},
        {"segfault", "runtime"}, {" hung", "timeout"}, {"deadlock", "timeout"},
        {"timed out", "timeout"}, {"times out", "timeout"}, {"timeout", "timeout"}};

    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (strcasestr(text, said[i].phrase) && (!timed || lore_streq(said[i].error, "accuracy")))
            return said[i].error;
    return NULL;
}

/* Set how M failed: what its idea or notes say, else its label. An attempt with a speed failed only
 * if it was not kept and its text says that the result is wrong and not that this was mended. */
static void
find_failure(struct mapped *m)
{
    const struct lore_agent_attempt *a = m->a;
    bool speed = a->tflops.set && a->tflops.v > 0;
    const char *said = NULL;

    m->error = m->decision ? m->decision->error : NULL;
    speed = speed && !m->error;
    if (!m->decision || (!m->decision->kept && !m->decision->reference))
        said = failure_said(a->idea, speed);
    if (!said && !speed && m->error)
        said = failure_said(a->notes, false);
    if (said && speed && (strcasestr(a->idea, "fixed") || strcasestr(a->idea, "passe")))
        said = NULL;
    m->error = said ? said : m->error;
    m->timed = a->tflops.set && a->tflops.v > 0 && !m->error;
}

static struct mapped
map_of(struct lore_agent_session *s, const struct lore_agent_attempt *a, size_t number,
    const struct head *head)
{
    struct mapped m = {.a = a, .number = number};

    m.decision = lore_agent_decision_find(a->decision);
    if (!m.decision)
        lore_import_note(
            s->in, LORE_IL_DOUBTS, "decision \"%s\" is not known; kept as it is", a->decision);
    m.library = (m.decision && m.decision->reference) || (!head->version && is_library(a));
    find_failure(&m);
    m.experiment = !m.library && (head->version || !m.timed);
    m.key = lore_format(s->in->arena, "%s|%zu|%s|%s", s->campaign, number,
        head->version ? head->version : "", a->source);
    return m;
}

static const char *
id_of(const struct lore_agent_session *s, const struct mapped *m, const char *kind)
{
    return lore_build_id(s->in->arena, m->a->ms, "agent-logs-%s|%s", kind, m->key);
}

static const char *
when(const struct mapped *m)
{
    return m->a->ms > 0 ? m->a->when : NULL;
}

static struct lore_provenance
provenance_of(struct lore_agent_session *s, const struct lore_agent_attempt *a)
{
    struct lore_provenance p = {.system = LORE_AGENT_SYSTEM};

    p.path = a->row ? LORE_AGENT_TABLE : LORE_AGENT_IDEAS;
    p.external_id = lore_format(s->in->arena, "%s line %zu", p.path, a->row ? a->row : a->line);
    return p;
}

/* TEXT as JSON, unless a record TAKES it. */
static const char *
left(struct lore_arena *arena, const char *text, bool takes)
{
    return *text && !takes ? lore_build_json_text(arena, text) : NULL;
}

/* What no field takes. The first version and a library are no experiment, so what only experiments
 * and hypotheses hold is kept here. */
static const char *
extra_of(struct lore_agent_session *s, const struct mapped *m)
{
    const struct lore_agent_attempt *a = m->a;
    struct lore_arena *arena = s->in->arena;
    const char *columns = "";

    for (size_t i = 0; i < a->columns.n; i++) {
        columns = lore_format(arena, "%s%s%s:%s", columns, *columns ? "," : "",
            lore_build_json_text(arena, a->columns.v[i].key), a->columns.v[i].value);
        lore_import_note(s->in, LORE_IL_EXTRA, "%s: %s: no such field; kept in extra",
            LORE_AGENT_TABLE, a->columns.v[i].key);
    }
    struct lore_named parts[] = {
        {"iter", *a->iter ? lore_build_json_text(arena, a->iter) : NULL},
        {"row", *columns ? lore_format(arena, "{%s}", columns) : NULL},
        {"decision", left(arena, a->decision, m->experiment || m->error)},
        {"expected_gain", left(arena, a->expected, m->experiment && *a->idea)},
        {"notes", left(arena, a->notes, m->experiment)},
        {"bottleneck", left(arena, a->bottleneck, m->experiment || !m->library)},
        {"idea", lore_take_rest(&s->take, a->node, LORE_AGENT_IDEAS)},
    };
    const char *all = lore_take_extra(arena, parts, sizeof parts / sizeof *parts);
    return all ? lore_format(arena, "{\"agent-logs\":%s}", all) : NULL;
}

/* "cublas" of "iter000_cublas". */
static const char *
library_of(const char *label)
{
    size_t n = lore_starts(label, "iter") ? 4 + strspn(label + 4, "0123456789") : 0;

    return n > 0 && label[n] == '_' && label[n + 1] != '\0' ? label + n + 1 : label;
}

static void
add_version(struct lore_agent_session *s, struct mapped *m, const struct head *head)
{
    struct lore_submission *doc = s->in->doc;
    struct lore_arena *arena = s->in->arena;
    const struct lore_agent_attempt *a = m->a;
    struct lore_version *v = LORE_PUSH(arena, doc->versions, doc->n_versions, doc->cap_versions);

    v->id = m->version = id_of(s, m, "version");
    v->kernel = s->kernel;
    v->kind = head->version || !m->timed ? LORE_V_CANDIDATE : LORE_V_BASELINE;
    v->label = *a->kernel ? a->kernel : *a->iter ? a->iter : "";
    v->label = *v->label ? lore_prose_cut(arena, v->label, LORE_TAKE_NAME - 4)
                         : lore_format(arena, "attempt %zu", m->number);
    if (m->library) {
        v->kind = LORE_V_LIBRARY;
        v->kernel =
            lore_build_kernel(arena, doc, s->task.op, LORE_LANG_LIBRARY, library_of(v->label));
    }
    v->ordinal = (struct lore_i64){true, (int64_t)m->number};
    v->summary = *a->idea ? a->idea : NULL;
    v->created_at = when(m);
    if (head->version && !m->library) {
        struct lore_parent *e = LORE_PUSH(arena, v->parents, v->n_parents, v->cap_parents);
        *e = (struct lore_parent){head->version, LORE_E_DERIVED_FROM};
    }
    v->provenance = provenance_of(s, a);
    v->extra = extra_of(s, m);
}

static void
set_result(struct lore_agent_session *s, const struct mapped *m, struct lore_run *r)
{
    const struct lore_agent_attempt *a = m->a;

    if (a->tflops.set)
        lore_build_metric(s->in->arena, &r->metrics, "tflops", "TFLOPS", a->tflops.v);
    if (m->timed && s->task.flops > 0) {
        r->summary.set = true;
        r->summary.mean_ns = (struct lore_f64){true, s->task.flops / (a->tflops.v * 1e3)};
    }
    if (m->error) {
        r->error.set = true;
        r->error.type = m->error;
        r->error.code = a->decision;
    }
}

static void
add_run(struct lore_agent_session *s, struct mapped *m, const struct head *head)
{
    struct lore_submission *doc = s->in->doc;
    struct lore_run *r = LORE_PUSH(s->in->arena, doc->runs, doc->n_runs, doc->cap_runs);
    bool first = !head->version && m->timed;

    r->id = m->run = id_of(s, m, "run");
    r->version = m->version;
    r->role = m->library ? LORE_ROLE_REFERENCE : first ? LORE_ROLE_BASELINE : LORE_ROLE_CANDIDATE;
    r->evidence = LORE_EV_IMPORTED;
    r->chip = s->chip;
    r->workload = (struct lore_workload){
        .op = s->task.op, .dims = s->task.dims, .dtype = s->task.dtype, .set = s->task.dims.n > 0};
    r->measured_at = when(m);
    set_result(s, m, r);
    if (first && *m->a->bottleneck) { /* there is no experiment that could hold it */
        struct lore_diagnosis *d =
            LORE_PUSH(s->in->arena, r->diagnoses, r->n_diagnoses, r->cap_diagnoses);
        (void)lore_build_labels(s->in->arena, d, m->a->bottleneck);
    }
    r->provenance = provenance_of(s, m->a);
}

/* ---- the experiment ---- */

static const char *
add_hypothesis(struct lore_agent_session *s, const struct mapped *m, const struct head *head)
{
    struct lore_submission *doc = s->in->doc;
    struct lore_arena *arena = s->in->arena;

    if (!*m->a->idea)
        return NULL;
    struct lore_hypothesis *h =
        LORE_PUSH(arena, doc->hypotheses, doc->n_hypotheses, doc->cap_hypotheses);
    h->id = id_of(s, m, "hypothesis");
    h->claim = m->a->idea;
    h->from_version = head->version;
    h->to_version = m->version;
    h->campaign = s->campaign;
    h->author = s->author;
    if (*m->a->expected) {
        struct lore_expectation *e = LORE_PUSH(arena, h->expected, h->n_expected, h->cap_expected);
        e->metric = "tflops";
        e->raw = m->a->expected;
    }
    return h->id;
}

/* The techniques that the idea names. An idea without one has a title only: a sentence is no
 * technique. */
static void
set_words(
    struct lore_agent_session *s, const struct lore_agent_attempt *a, struct lore_experiment *x)
{
    const char *text =
        *a->idea ? lore_prose_cut(s->in->arena, a->idea, LORE_TAKE_LINE - 4) : a->kernel;
    struct lore_words found;

    lore_words_resolve(text, s->in->arena, &found);
    if (found.n > 0)
        lore_build_words(s->in->arena, x, text);
    x->title = *text ? lore_prose_cut(s->in->arena, text, LORE_TAKE_NAME - 4) : NULL;
    if (x->title)
        x->title = lore_strndup(s->in->arena, x->title, strcspn(x->title, "\r\n"));
}

static void
set_bottleneck(struct lore_agent_session *s, const char *text, struct lore_experiment *x)
{
    if (*text && !lore_build_labels(s->in->arena, &x->bottleneck, text))
        lore_import_note(s->in, LORE_IL_LABELS, "\"%s\": not understood; kept as text", text);
    else if (*text)
        lore_import_note(s->in, LORE_IL_LABELS, "\"%s\": %s", text,
            x->bottleneck.labels.n > 0
                ? lore_labels_text(s->in->arena, lore_labels_parse(text, NULL))
                : "no label");
}

static void
set_claim(const struct lore_agent_session *s, const struct mapped *m, const struct head *head,
    struct lore_claim *c)
{
    const struct lore_agent_attempt *a = m->a;
    bool failed = m->error;

    if (*a->decision)
        c->outcome = failed ? "failure" : a->decision;
    if (m->timed && head->tflops > 0 && !(s->task.flops > 0)) {
        c->speedup = (struct lore_f64){true, a->tflops.v / head->tflops};
        c->base = LORE_BASE_PARENT;
    }
    c->set = c->outcome || c->speedup.set;
}

static void
add_experiment(struct lore_agent_session *s, const struct mapped *m, const struct head *head)
{
    struct lore_submission *doc = s->in->doc;
    struct lore_experiment *x =
        LORE_PUSH(s->in->arena, doc->experiments, doc->n_experiments, doc->cap_experiments);

    x->id = id_of(s, m, "experiment");
    x->kernel = s->kernel;
    x->hypothesis = add_hypothesis(s, m, head);
    x->from_version = head->version;
    x->to_version = m->version;
    if (head->run)
        lore_build_text(s->in->arena, &x->runs_before, head->run);
    lore_build_text(s->in->arena, &x->runs_after, m->run);
    x->chip = s->chip;
    x->workload = doc->runs[doc->n_runs - 1].workload;
    x->evidence = LORE_EV_IMPORTED;
    set_words(s, m->a, x);
    set_bottleneck(s, m->a->bottleneck, x);
    set_claim(s, m, head, &x->claim);
    x->notes = *m->a->notes ? m->a->notes : NULL;
    x->happened_at = when(m);
    x->author = s->author;
    x->campaign = s->campaign;
    x->iteration = (struct lore_i64){true, (int64_t)m->number};
    if (m->decision)
        x->decision = m->decision->kept ? "adopt" : "revert";
    x->provenance = provenance_of(s, m->a);
}

void
lore_agent_map(struct lore_agent_session *s, const struct lore_agent_attempts *all)
{
    struct head head = {0};

    for (size_t i = 0; i < all->n; i++) {
        struct mapped m = map_of(s, &all->v[i], i, &head);
        add_version(s, &m, &head);
        add_run(s, &m, &head);
        if (m.library)
            continue;
        if (m.experiment)
            add_experiment(s, &m, &head);
        if (m.timed && (!head.version || (m.decision && m.decision->kept)))
            head = (struct head){m.version, m.run, m.a->tflops.v};
    }
}
