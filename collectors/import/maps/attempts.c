/* Rows that are experiments in order. Each starts from the version that it names, else from what
 * the row compares with, else from the last version of its place that was kept. The first version
 * of a place that starts from nothing is the baseline and has no experiment.
 *
 * Ids derive from the row and from the version that it starts from, so a file that has grown adds
 * records and changes none. */
#include <string.h>

#include "collectors/import/maps/job.h"
#include "collectors/import/prose.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"
#include "service/wire/build.h"

struct attempt {
    const char *from, *from_run; /* NULL: none */
    const char *version, *author;
    const char *key; /* of its ids */
    struct lore_run *run;
    double ns, rate;
    bool failed;
};

static double
time_of(const struct lore_run *r)
{
    const struct lore_summary *s = &r->summary;
    double sum = 0;

    for (size_t i = 0; i < r->n_samples; i++)
        sum += (double)r->samples_ns[i];
    return r->n_samples > 0   ? sum / (double)r->n_samples
           : s->median_ns.set ? s->median_ns.v
           : s->mean_ns.set   ? s->mean_ns.v
           : s->min_ns.set    ? s->min_ns.v
                              : 0;
}

/* ---- what the row compares with ---- */

const char *
lore_map_before(struct lore_map_job *j, struct lore_map_place *p, const char **run)
{
    struct lore_submission *doc = j->in->doc;
    struct lore_arena *arena = j->in->arena;
    struct lore_version v = {.kind = LORE_V_BASELINE, .label = "baseline"};
    struct lore_run r = {.role = LORE_ROLE_BASELINE, .evidence = LORE_EV_IMPORTED};
    const char *source = NULL, *file = "baseline";
    bool named = lore_map_has(j, LORE_MF_BEFORE_VERSION, LORE_TAKE_NAME - 4, &v.label);
    bool sourced = lore_map_has(j, LORE_MF_BEFORE_SOURCE, 1u << 20, &source);
    bool timed = lore_map_time(&j->r, j->map->fields[LORE_MF_BEFORE_TIME], &r.summary.mean_ns);

    *run = NULL;
    if (!named && !sourced && !timed)
        return NULL;
    v.kernel = lore_build_kernel(arena, doc, p->op, p->language, p->name);
    if (sourced) {
        (void)lore_map_has(j, LORE_MF_BEFORE_FILE, LORE_TAKE_NAME, &file);
        *LORE_PUSH(arena, v.sources, v.n_sources, v.cap_sources) =
            (struct lore_source){file, source};
    }
    v.provenance.system = r.provenance.system = j->map->name;
    v.id = lore_build_id(
        arena, 0, "map-before|%s|%s|%s|%s", j->map->name, v.kernel, v.label, source ? source : "");
    size_t *seen = lore_index_at(j->kept, &j->seen, v.id);
    if ((*seen)++ == 0)
        *LORE_PUSH(arena, doc->versions, doc->n_versions, doc->cap_versions) = v;
    if (!timed)
        return v.id;
    r.summary.set = true;
    r.version = v.id;
    r.workload = p->workload;
    r.chip = p->chip;
    r.tool = j->map->name;
    r.id = *run =
        lore_build_id(arena, 0, "map-before-run|%s|%s|%.17g", v.id, p->key, r.summary.mean_ns.v);
    seen = lore_index_at(j->kept, &j->seen, r.id);
    if ((*seen)++ == 0)
        *LORE_PUSH(arena, doc->runs, doc->n_runs, doc->cap_runs) = r;
    return v.id;
}

/* Set what the attempt starts from. */
static void
find_start(struct lore_map_job *j, struct lore_map_place *p, struct attempt *a)
{
    const char *label = NULL;

    a->from = p->head;
    a->from_run = p->head_run;
    if (lore_map_has(j, LORE_MF_PARENT, LORE_TAKE_LINE, &label)) {
        size_t *at = lore_index_at(j->kept, &p->labels, label);
        if (*at > 0) {
            a->from = p->versions[*at - 1].version;
            a->from_run = p->versions[*at - 1].run;
            return;
        }
        lore_import_note(j->in, LORE_IL_DOUBTS,
            "%s line %zu: parent \"%.80s\" is no earlier row; the last kept version is used",
            j->in->at->path, j->r.line, label);
    }
    const char *run = NULL, *before = lore_map_before(j, p, &run);
    if (before) {
        a->from = before;
        a->from_run = run;
    }
}

static void
remember(struct lore_map_job *j, struct lore_map_place *p, const struct attempt *a)
{
    const char *label = NULL;

    if (!lore_map_has(j, LORE_MF_VERSION, LORE_TAKE_LINE, &label))
        return;
    *LORE_PUSH(j->kept, p->versions, p->n_versions, p->cap_versions) =
        (struct lore_map_made){lore_strdup(j->kept, a->version), lore_strdup(j->kept, a->run->id)};
    *lore_index_at(j->kept, &p->labels, label) = p->n_versions;
}

/* ---- the experiment ---- */

static const char *
add_hypothesis(struct lore_map_job *j, const struct lore_map_place *p, const struct attempt *a)
{
    struct lore_submission *doc = j->in->doc;
    struct lore_arena *arena = j->in->arena;
    const char *idea = NULL, *expected = NULL;

    if (!lore_map_has(j, LORE_MF_IDEA, LORE_TAKE_TEXT, &idea))
        return NULL;
    struct lore_hypothesis *h =
        LORE_PUSH(arena, doc->hypotheses, doc->n_hypotheses, doc->cap_hypotheses);
    h->id = lore_build_id(arena, 0, "map-hypothesis|%s", a->key);
    h->claim = idea;
    h->from_version = a->from;
    h->to_version = a->version;
    h->campaign = p->campaign;
    h->author = a->author;
    if (lore_map_has(j, LORE_MF_EXPECTED, LORE_TAKE_LINE, &expected)) {
        struct lore_expectation *e = LORE_PUSH(arena, h->expected, h->n_expected, h->cap_expected);
        e->metric = "time";
        e->raw = expected;
    }
    return h->id;
}

/* Techniques: a stated one, else those that the idea names. A sentence is no technique. */
static void
set_words(struct lore_map_job *j, struct lore_experiment *x)
{
    struct lore_arena *arena = j->in->arena;
    const char *technique = NULL, *text = NULL;
    struct lore_words found;

    bool has_text = lore_map_has(j, LORE_MF_TITLE, LORE_TAKE_LINE, &text) ||
                    lore_map_has(j, LORE_MF_IDEA, LORE_TAKE_TEXT, &text);
    if (lore_map_has(j, LORE_MF_TECHNIQUE, LORE_TAKE_LINE, &technique)) {
        lore_build_words(arena, x, technique);
    } else if (has_text) {
        const char *cut = lore_prose_cut(arena, text, LORE_TAKE_LINE - 4);
        lore_words_resolve(cut, arena, &found);
        if (found.n > 0)
            lore_build_words(arena, x, cut);
    }
    if (has_text) {
        x->title = lore_prose_cut(arena, text, LORE_TAKE_NAME - 4);
        x->title = lore_strndup(arena, x->title, strcspn(x->title, "\r\n"));
    } else if (x->n_techniques == 0) {
        (void)lore_map_has(j, LORE_MF_VERSION, LORE_TAKE_NAME - 4, &x->title);
    }
}

static enum lore_base
base_of(const char *name)
{
    for (int b = LORE_BASE_NONE + 1; name && b < LORE_BASE_COUNT; b++)
        if (lore_streq(lore_base_name((enum lore_base)b), name))
            return (enum lore_base)b;
    return LORE_BASE_NONE;
}

static void
set_claim(struct lore_map_job *j, const struct lore_map_place *p, const struct attempt *a,
    struct lore_claim *c)
{
    const struct lore_map_value *v = j->map->fields[LORE_MF_SPEEDUP];
    const char *unit;

    c->speedup.set = lore_map_number(&j->r, v, &c->speedup.v, &unit) && c->speedup.v > 0;
    if (c->speedup.set) {
        c->base = base_of(v->base);
        c->base_name = v->base_name;
    } else if (a->rate > 0 && p->head_rate > 0 && a->ns <= 0 && a->from == p->head) {
        c->speedup = (struct lore_f64){true, a->rate / p->head_rate};
        c->base = LORE_BASE_PARENT;
    }
    (void)lore_map_has(j, LORE_MF_OUTCOME, LORE_TAKE_NAME, &c->outcome);
    c->set = c->speedup.set || c->outcome;
}

static void
add_experiment(
    struct lore_map_job *j, struct lore_map_place *p, const struct attempt *a, bool kept, bool said)
{
    struct lore_submission *doc = j->in->doc;
    struct lore_arena *arena = j->in->arena;
    struct lore_experiment *x =
        LORE_PUSH(arena, doc->experiments, doc->n_experiments, doc->cap_experiments);
    const char *bottleneck = NULL;

    x->id = lore_build_id(arena, 0, "map-experiment|%s", a->key);
    x->kernel = lore_build_kernel(arena, doc, p->op, p->language, p->name);
    x->hypothesis = add_hypothesis(j, p, a);
    x->from_version = a->from;
    x->to_version = a->version;
    if (a->from_run)
        lore_build_text(arena, &x->runs_before, a->from_run);
    lore_build_text(arena, &x->runs_after, a->run->id);
    x->chip = p->chip;
    x->workload = p->workload;
    x->evidence = LORE_EV_IMPORTED;
    set_words(j, x);
    if (lore_map_has(j, LORE_MF_BOTTLENECK, LORE_TAKE_LINE, &bottleneck) &&
        !lore_build_labels(arena, &x->bottleneck, bottleneck))
        lore_import_note(j->in, LORE_IL_LABELS, "\"%s\": not understood; kept as text", bottleneck);
    set_claim(j, p, a, &x->claim);
    (void)lore_map_has(j, LORE_MF_NOTES, LORE_TAKE_TEXT, &x->notes);
    (void)lore_map_has(j, LORE_MF_LESSON, LORE_TAKE_TEXT, &x->lesson);
    x->happened_at = a->run->measured_at;
    x->author = a->author;
    x->campaign = p->campaign;
    x->iteration = (struct lore_i64){true, (int64_t)p->n};
    if (said)
        x->decision = kept ? "adopt" : "revert";
    x->provenance = a->run->provenance;
    x->extra = lore_map_rest(j);
}

static void
add_campaign(struct lore_map_job *j, struct lore_map_place *p, const char *author)
{
    struct lore_submission *doc = j->in->doc;
    struct lore_arena *arena = j->in->arena;

    if (!p->session || p->campaign)
        return;
    struct lore_campaign *c =
        LORE_PUSH(arena, doc->campaigns, doc->n_campaigns, doc->cap_campaigns);
    c->kernel = lore_build_kernel(arena, doc, p->op, p->language, p->name);
    c->id = p->campaign =
        lore_build_id(j->kept, 0, "map-campaign|%s|%s|%s", j->map->name, c->kernel, p->key);
    c->label = p->session;
    c->chip = p->chip;
    c->workload = p->workload;
    c->author = author;
    c->provenance.system = j->map->name;
}

static double
rate_of(const struct lore_run *r)
{
    for (size_t i = 0; i < r->metrics.n; i++)
        if (strcmp(r->metrics.v[i].name, "throughput") == 0)
            return r->metrics.v[i].value;
    return 0;
}

/* Whether later attempts start from A: as the row says, else when it is faster. */
static bool
is_kept(struct lore_map_job *j, const struct lore_map_place *p, const struct attempt *a, bool *said)
{
    const char *text = NULL;
    bool faster = a->ns > 0 ? p->head_ns <= 0 || a->ns < p->head_ns : a->rate > p->head_rate;

    *said = lore_map_has(j, LORE_MF_KEPT, LORE_TAKE_NAME, &text);
    if (*said)
        return lore_streqi(text, "yes") || lore_streqi(text, "true") || lore_streqi(text, "1");
    return !a->failed && faster;
}

void
lore_map_attempt(struct lore_map_job *j)
{
    struct lore_map_place *p = lore_map_place(j);
    struct attempt a = {.from = NULL};
    bool said, library;

    p->n++;
    (void)lore_map_has(j, LORE_MF_AUTHOR, LORE_TAKE_NAME, &a.author);
    add_campaign(j, p, a.author);
    find_start(j, p, &a);
    a.version = lore_map_version(j, p, a.from);
    a.key = lore_format(j->in->arena, "%s|%s|%s|%s", j->map->name, a.version, a.from ? a.from : "",
        lore_map_identity(j));
    a.run = lore_map_run(j, p, a.version, lore_build_id(j->in->arena, 0, "map-run|%s", a.key));
    a.failed = a.run->error.set || a.run->correctness.status == LORE_C_FAIL;
    a.ns = time_of(a.run);
    a.rate = rate_of(a.run);
    library = a.run->role == LORE_ROLE_REFERENCE;
    if (!a.from && !library && (a.ns > 0 || a.rate > 0))
        a.run->role = LORE_ROLE_BASELINE;
    remember(j, p, &a);
    bool kept = is_kept(j, p, &a, &said) && !library;
    if (a.from && !library)
        add_experiment(j, p, &a, kept, said);
    else if (a.failed && !library)
        add_experiment(j, p, &a, kept, said);
    else
        a.run->extra = lore_map_rest(j);
    if (library || a.failed || !(a.ns > 0 || a.rate > 0) || !(kept || !p->head))
        return;
    p->head = lore_strdup(j->kept, a.version);
    p->head_run = lore_strdup(j->kept, a.run->id);
    p->head_ns = a.ns;
    p->head_rate = a.rate;
}
