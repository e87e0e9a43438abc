/* Runs the rounds. If the time ends between two interim looks, a last look follows at the
 * significance level of the next planned look. This is valid, because the time limit does not
 * depend on which program is ahead, and no look is made twice. */
#include "collectors/run/abba.h"

#include <inttypes.h>
#include <string.h>

struct session {
    const struct lore_abba *a;
    struct lore_arena *arena;
    struct lore_abba_result *out;
    double min_effect;
    size_t run[2]; /* processes of each side so far, with the warm-up */
    struct lore_err *err;
};

const char *
lore_abba_end_name(enum lore_abba_end e)
{
    static const char *const names[] = {"decided", "rounds", "seconds"};

    return e <= LORE_ABBA_SECONDS ? names[e] : "?";
}

static enum lore_status
measure(struct session *s, unsigned side, struct lore_abba_process *p)
{
    memset(p, 0, sizeof *p);
    enum lore_status status = s->a->measure(s->a->ctx, side, s->run[side], p, s->err);

    s->run[side]++;
    s->out->seconds += (double)p->wall_us / 1e6;
    return status;
}

/* Check that an iteration means the same on both sides. */
static enum lore_status
check_counts(const struct session *s)
{
    uint64_t a = s->out->side[0].warm_up.iterations, b = s->out->side[1].warm_up.iterations;
    uint64_t more = a > b ? a : b, less = a > b ? b : a;

    if (s->a->every_launch || more - less <= more / 50)
        return LORE_OK;
    enum lore_status status = lore_fail_at(s->err, LORE_INVALID, "launch_counts_differ",
        "iterations",
        "A makes %" PRIu64 " iterations and B %" PRIu64 ": it is not clear what to compare", a, b);
    lore_err_hint(s->err, "--iterations N when both do their work N times; --per-launch to compare "
                          "single launches; --kernel-regex to choose kernels");
    return status;
}

static enum lore_status
warm_up(struct session *s)
{
    for (unsigned side = 0; side < 2; side++) {
        struct lore_abba_side *of = &s->out->side[side];
        enum lore_status status = measure(s, side, &of->warm_up);
        if (status != LORE_OK)
            return status;
        of->launches_min = UINT64_MAX;
    }
    return check_counts(s);
}

static enum lore_status
run_pair(struct session *s, size_t pair)
{
    for (unsigned k = 0; k < 2; k++) {
        struct lore_abba_process p;
        unsigned side = k ^ (unsigned)lore_compare_b_first(pair);
        struct lore_abba_side *of = &s->out->side[side];
        enum lore_status status = measure(s, side, &p);
        if (status != LORE_OK)
            return status;
        of->times_ns[pair] = p.time_ns;
        of->lost += p.lost;
        of->lossy += p.lost > 0;
        of->launches_min = p.launches < of->launches_min ? p.launches : of->launches_min;
        of->launches_max = p.launches > of->launches_max ? p.launches : of->launches_max;
    }
    s->out->pairs = pair + 1;
    return LORE_OK;
}

static enum lore_status
look(struct session *s)
{
    const struct lore_abba_side *v = s->out->side;

    return lore_compare_pairs((struct lore_pairs){v[0].times_ns, v[1].times_ns, s->out->pairs},
        s->a->plan.alpha, s->min_effect, s->arena, &s->out->c, s->err);
}

/* After a round: sets *done when no more processes are needed. */
static enum lore_status
after_round(struct session *s, bool *done)
{
    const struct lore_compare_plan *plan = &s->a->plan;
    size_t rounds = s->out->rounds, budget = plan->looks[plan->n_looks - 1];
    bool late = s->a->seconds > 0 && s->out->seconds >= s->a->seconds;
    bool due = s->a->to_the_end ? rounds == budget : lore_compare_due(plan, rounds);

    if (due || late) {
        enum lore_status status = look(s);
        if (status != LORE_OK)
            return status;
    }
    bool decided = s->out->c.verdict != LORE_COMPARE_INCONCLUSIVE && !s->a->to_the_end;
    s->out->end = decided            ? LORE_ABBA_DECIDED
                  : rounds == budget ? LORE_ABBA_ROUNDS
                                     : LORE_ABBA_SECONDS;
    *done = decided || late || rounds == budget;
    if (s->a->round)
        s->a->round(s->a->ctx, rounds, due || late ? &s->out->c : NULL);
    return LORE_OK;
}

enum lore_status
lore_abba_run(const struct lore_abba *a, struct lore_arena *arena, struct lore_abba_result *out,
    struct lore_err *err)
{
    struct session s = {
        .a = a, .arena = arena, .out = out, .min_effect = a->min_effect, .err = err};
    size_t most = a->plan.looks[a->plan.n_looks - 1] * LORE_COMPARE_ROUND;
    bool done = false;

    memset(out, 0, sizeof *out);
    for (unsigned side = 0; side < 2; side++)
        out->side[side].times_ns = lore_alloc_array(arena, most, sizeof *out->side[side].times_ns);
    enum lore_status status = warm_up(&s);
    if (status == LORE_OK && a->effect)
        s.min_effect = a->effect(a->ctx, out->side[0].warm_up.time_ns);
    for (size_t pair = 0; status == LORE_OK && !done; pair++) {
        status = run_pair(&s, pair);
        if (status != LORE_OK || pair % LORE_COMPARE_ROUND != LORE_COMPARE_ROUND - 1)
            continue;
        out->rounds++;
        status = after_round(&s, &done);
    }
    if (status != LORE_OK)
        return status;
    for (unsigned side = 0; side < 2; side++)
        out->side[side].median_ns = lore_trend_median(out->side[side].times_ns, out->pairs, arena);
    return LORE_OK;
}
