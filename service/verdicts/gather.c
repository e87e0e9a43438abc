/* Read the facts for verdicts: samples and summaries of both sides, stated numbers, checks
 * (gather.h). gather_process.c reads the facts that only process rules use.
 *
 * An experiment with stated numbers costs three SQL statements if it has neither runs nor a
 * hypothesis. */
#include "service/verdicts/gather.h"

#include <string.h>

#include "db/knowledge.h"
#include "db/metrics.h"
#include "service/base/text.h"

/* Sums over the runs of one side. */
struct side {
    int64_t *samples;
    size_t n, cap;
    struct lore_side_run *runs; /* runs with samples */
    size_t n_runs, cap_runs;
    bool in_turns;         /* the samples of the last run alternate with those of another version */
    struct lore_f64 floor; /* the largest noise floor of its runs */
    const char *workload, *environment; /* of the last run with samples */
    double medians[64]; /* sorted; of runs without samples; further runs are ignored */
    size_t n_medians;
    size_t n_profiles; /* runs whose metrics were read */
    bool failed;
};

/* Maximum number of profiles that are read per side. Further profiles would add little. */
enum { MAX_PROFILES = 4 };

static int64_t *
grow_samples(struct lore_arena *a, const struct side *s)
{
    int64_t *all = lore_alloc_array(a, s->cap, sizeof *all);

    memcpy(all, s->samples, s->n * sizeof *all);
    return all;
}

static void
add_samples(struct side *s, const int64_t *samples, size_t more, struct lore_arena *a)
{
    if (more == 0)
        return;
    if (s->cap - s->n <
        more) { /* double the capacity, so that many runs do not copy all samples each time */
        s->cap = 2 * s->cap > s->n + more ? 2 * s->cap : s->n + more;
        s->samples =
            s->n == 0 ? lore_alloc_array(a, s->cap, sizeof *s->samples) : grow_samples(a, s);
    }
    memcpy(s->samples + s->n, samples, more * sizeof *s->samples);
    s->n += more;
}

/* Keeps the list sorted. */
static void
add_median(struct side *s, double ns)
{
    size_t i = s->n_medians;

    if (i == sizeof s->medians / sizeof *s->medians)
        return;
    for (; i > 0 && s->medians[i - 1] > ns; i--)
        s->medians[i] = s->medians[i - 1];
    s->medians[i] = ns;
    s->n_medians++;
}

static double
median_of(const struct side *s)
{
    size_t n = s->n_medians;

    if (n == 0)
        return 0;
    return n % 2 == 1 ? s->medians[n / 2] : (s->medians[n / 2 - 1] + s->medians[n / 2]) / 2;
}

void
lore_gather_check(struct lore_outcome_in *out, enum lore_check check)
{
    size_t room = sizeof out->correctness / sizeof *out->correctness;

    if (out->n_correctness < room)
        out->correctness[out->n_correctness++] = check;
    else if (check == LORE_C_FAIL || check == LORE_C_TIMEOUT)
        out->correctness[room - 1] = check;
}

/* Add RUN, which has N samples and was timed by METHOD, to side S. */
static void
add_sampled_run(struct side *s, const struct lore_process_run *run, size_t n,
    const struct lore_gathered_method *method, struct lore_arena *a)
{
    *LORE_PUSH(a, s->runs, s->n_runs, s->cap_runs) = (struct lore_side_run){n, run->measured_us};
    s->in_turns = method->in_turns;
    s->workload = run->workload;
    s->environment = run->environment;
    if (method->floor.set && (!s->floor.set || method->floor.v > s->floor.v))
        s->floor = method->floor;
}

static bool
in_turns(const struct side *a, const struct side *b)
{
    return a->n_runs == 1 && b->n_runs == 1 && a->in_turns && b->in_turns && a->n == b->n &&
           lore_streq(a->workload, b->workload) && lore_streq(a->environment, b->environment);
}

/* Context of add_run. */
struct run_reader {
    struct lore_db *db;
    struct lore_arena *arena;
    struct lore_gathered *g;
    struct side *sides;
};

static enum lore_status
add_metrics(struct run_reader *r, const struct lore_fact_run *stored, struct lore_err *err)
{
    struct lore_metrics *own = &r->g->runs[r->g->n_runs - 1].metrics;
    struct lore_metrics *all = &r->g->measured[stored->after].metrics;
    enum lore_status status =
        lore_metrics_borrow(r->db, stored->metrics, stored->metrics_bytes, r->arena, own, err);

    if (all->n == 0) { /* most sides have one run; a second one copies its metrics, too */
        *all = *own;
        return status;
    }
    for (size_t i = 0; status == LORE_OK && i < own->n; i++)
        *LORE_PUSH(r->arena, all->v, all->n, all->cap) = own->v[i];
    return status;
}

static enum lore_status
add_profile(struct run_reader *r, const struct lore_fact_run *stored, struct lore_err *err)
{
    struct lore_gathered *g = r->g;
    struct lore_gathered_profile *profile =
        LORE_PUSH(r->arena, g->profiles, g->n_profiles, g->cap_profiles);

    *profile = (struct lore_gathered_profile){g->n_runs - 1, *stored};
    profile->stored.samples = NULL; /* borrowed from the row */
    profile->stored.rest = NULL;
    return add_metrics(r, stored, err);
}

/* Add one run of the experiment. Its time is its samples, else its stated time. */
static enum lore_status
add_run(void *ctx, const struct lore_fact_run *stored, struct lore_err *err)
{
    struct run_reader *r = ctx;
    struct lore_gathered *g = r->g;
    struct side *s = &r->sides[stored->after];
    struct lore_process_run *run = LORE_PUSH(r->arena, g->runs, g->n_runs, g->cap_runs);
    struct lore_gathered_method method;
    enum lore_status status;

    add_samples(s, stored->samples, stored->n_samples, r->arena);
    if (stored->n_samples == 0 && stored->stated_ns.set)
        add_median(s, stored->stated_ns.v);
    *run = (struct lore_process_run){.side = stored->after ? LORE_P_AFTER : LORE_P_BEFORE,
        .timed = stored->n_samples > 0 || stored->stated_ns.set,
        .correctness = stored->correctness,
        .environment = stored->environment,
        .workload = stored->workload,
        .version = stored->version,
        .measured_us = stored->measured_us,
        .dtype = stored->dtype,
        .tool = stored->tool,
        .chip = stored->chip};
    if (stored->after && stored->checked)
        lore_gather_check(&g->in, run->correctness);
    s->failed = s->failed || stored->failed;
    if (stored->after && (g->first_after == 0 || stored->seq < g->first_after)) {
        g->first_after = stored->seq;
        g->first_after_document = stored->document;
    }
    status = lore_gather_run(stored->rest, r->arena, run, &method, err);
    if (stored->n_samples > 0)
        add_sampled_run(s, run, stored->n_samples, &method, r->arena);
    if (status != LORE_OK || stored->metrics_bytes == 0 || s->n_profiles++ >= MAX_PROFILES)
        return status;
    return add_profile(r, stored, err);
}

/* Set *same if the verifications ID and OTHER search for the same signature. */
static enum lore_status
same_signature(
    struct lore_db *db, const char *id, const char *other, bool *same, struct lore_err *err)
{
    LORE_SCRATCH scratch = {0};
    struct lore_verification_row mine, theirs;
    enum lore_status status = lore_db_get_verification(db, id, &scratch, &mine, err);

    if (status == LORE_OK)
        status = lore_db_get_verification(db, other, &scratch, &theirs, err);
    if (status == LORE_OK)
        *same = lore_streq(mine.r.signature, theirs.r.signature);
    return status;
}

struct verification { /* the last verification that found or missed the signature of a technique */
    const char *id;   /* NULL: none */
    enum lore_signature_state state;
    bool contradicted; /* by an earlier verification of the same signature */
};

/* Context of add_use. */
struct use_reader {
    struct lore_db *db;
    struct lore_arena *arena;
    struct lore_gathered *g;
    struct verification last; /* of the current technique */
    uint64_t not_applied;     /* bit i: the technique at position i */
};

/* The last verification counts, unless it could not run (no tool, no file) and an earlier one did.
 * The code of a version never changes: if one verification finds a signature and another misses it,
 * the result is inconclusive. */
static enum lore_status
add_verification(struct use_reader *r, const struct lore_fact_use *row,
    struct lore_gathered_technique *use, struct lore_err *err)
{
    enum lore_signature_state state = lore_signature_state_find(row->status);
    struct verification *last = &r->last;
    enum lore_status status = LORE_OK;
    bool same = false;

    if ((state == LORE_SIG_UNAVAILABLE || state == LORE_SIG_NOT_CHECKED) &&
        use->isa != LORE_SIG_NOT_CHECKED)
        return LORE_OK;
    use->isa = state != LORE_SIG_COUNT ? state : LORE_SIG_INCONCLUSIVE;
    if (state != LORE_SIG_VERIFIED && state != LORE_SIG_MISSING)
        return LORE_OK;
    if (last->id && (last->state != state || last->contradicted))
        status = same_signature(r->db, row->verification, last->id, &same, err);
    if (same)
        use->isa = LORE_SIG_INCONCLUSIVE;
    *last = (struct verification){row->verification, state, same};
    return status;
}

static enum lore_status
add_use(struct use_reader *r, const struct lore_fact_use *row, struct lore_err *err)
{
    struct lore_gathered *g = r->g;
    struct lore_gathered_technique *use = g->n_uses > 0 ? &g->uses[g->n_uses - 1] : NULL;

    if (row->position < 64 && r->not_applied >> row->position & 1)
        return LORE_OK;
    if (!use || use->position != row->position) {
        use = LORE_PUSH(r->arena, g->uses, g->n_uses, g->cap_uses);
        *use =
            (struct lore_gathered_technique){row->position, row->technique, LORE_SIG_NOT_CHECKED};
        r->last = (struct verification){0};
    }
    return row->status ? add_verification(r, row, use, err) : LORE_OK;
}

/* Whether a use with status SAID changed the kernel. */
static bool
is_change(const struct lore_json *said)
{
    return !said || !said->str || lore_streq(said->str, "applied");
}

/* Collect the techniques that REST marks as not applied, blocked or kept. They are ignored, because
 * they changed nothing. */
static enum lore_status
not_applied(const char *rest, uint64_t *out, struct lore_err *err)
{
    LORE_SCRATCH scratch = {0};
    struct lore_json *root = NULL;
    const struct lore_json *uses;
    enum lore_status status;
    uint64_t bit = 1;

    *out = 0;
    if (!rest || !strstr(rest, "\"status\""))
        return LORE_OK;
    status = lore_json_parse(rest, strlen(rest), NULL, &scratch, &root, err);
    uses = status == LORE_OK ? lore_json_get(root, "techniques") : NULL;
    for (const struct lore_json *u = uses != NULL ? uses->child : NULL; u != NULL;
         u = u->next, bit <<= 1)
        if (!is_change(lore_json_get(u, "status")))
            *out |= bit;
    return status;
}

static enum lore_status
add_techniques(
    struct lore_db *db, struct lore_gathered *g, struct lore_arena *a, struct lore_err *err)
{
    struct use_reader reader = {.db = db, .arena = a, .g = g};
    struct lore_fact_use *rows = NULL;
    size_t n = 0;
    const char **slugs;
    enum lore_status status = not_applied(g->x.rest, &reader.not_applied, err);

    if (status == LORE_OK)
        status = lore_fact_uses(db, &g->x, a, &rows, &n, err);
    for (size_t i = 0; status == LORE_OK && i < n; i++)
        status = add_use(&reader, &rows[i], err);
    slugs = lore_alloc_array(a, g->n_uses + 1, sizeof *slugs);
    for (size_t i = 0; i < g->n_uses; i++)
        slugs[i] = g->uses[i].technique;
    g->in.process.one_sentence = g->n_uses > 1;
    for (size_t i = 0; i < n; i++)
        if (!rows[i].raw || !lore_streq(rows[i].raw, rows[0].raw))
            g->in.process.one_sentence = false;
    g->in.process.techniques = slugs;
    g->in.process.n_techniques = g->n_uses;
    return status;
}

/* Append stated metrics after those of the runs, so that a lookup by name finds a measured value
 * first. */
static void
close_side(const struct side *s, const struct lore_metrics *stated, struct lore_f64 claimed,
    struct lore_arena *a, struct lore_side *side, struct lore_side_measurements *out)
{
    struct lore_metrics *all = &out->metrics;

    *side = (struct lore_side){s->samples, s->n, median_of(s), s->failed, s->runs, s->n_runs};
    for (size_t i = 0; i < stated->n; i++)
        *LORE_PUSH(a, all->v, all->n, all->cap) = stated->v[i];
    out->duration_ns = lore_noise_median(side, a);
    if (!out->duration_ns.set && claimed.set && claimed.v > 0)
        out->duration_ns = claimed;
}

static void
take_statement(struct lore_gathered *g)
{
    g->in.claim = g->x.claim;
    g->in.violations = g->x.violations.v;
    g->in.n_violations = g->x.violations.n;
    g->in.process.labels = g->x.labels;
}

enum lore_status
lore_gather(struct lore_db *db, const char *experiment, bool rules, struct lore_arena *a,
    struct lore_gathered *out, struct lore_err *err)
{
    struct lore_gathered g = {0};
    struct side sides[2] = {0};
    struct run_reader reader = {db, a, &g, sides};
    struct lore_outcome_in *in = &g.in;
    enum lore_status status = lore_fact_experiment(db, experiment, a, &g.x, err);

    if (status != LORE_OK)
        return status;
    take_statement(&g);
    status = add_techniques(db, &g, a, err);
    if (status == LORE_OK)
        status = lore_fact_runs(db, g.x.seq, a, add_run, &reader, err);
    if (status != LORE_OK)
        return status;
    close_side(
        &sides[0], &g.x.stated[0], in->claim.latency_before_ns, a, &in->before, &g.measured[0]);
    close_side(
        &sides[1], &g.x.stated[1], in->claim.latency_after_ns, a, &in->after, &g.measured[1]);
    in->in_turns = in_turns(&sides[0], &sides[1]);
    in->floor = sides[1].floor.set && (!sides[0].floor.set || sides[1].floor.v > sides[0].floor.v)
                    ? sides[1].floor
                    : sides[0].floor;
    status = lore_fact_share(db, &g.x, &in->share, err);
    if (status == LORE_OK && rules)
        status = lore_gather_process(db, &g, a, err);
    if (status == LORE_OK)
        *out = g;
    return status;
}
