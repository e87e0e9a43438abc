/* Judging claims. The movement is judged first (up, down or, within noise, same), then the range. A
 * metric needs a value on both sides. A claimed percentage is not compared with a value in another
 * unit. */
#include "service/derive/claims.h"

#include <math.h>

#include "service/base/text.h"
#include "service/derive/noise.h"

const char *
lore_claim_verdict_name(enum lore_claim_verdict v)
{
    static const char *const names[] = {"not_measured", "confirmed", "partial", "contradicted"};

    return v <= LORE_CLAIM_CONTRADICTED ? names[v] : "not_measured";
}

const char *
lore_watch_name(enum lore_watch_state s)
{
    static const char *const names[] = {"not_measured", "ok", "regressed", "moved"};

    return s <= LORE_WATCH_MOVED ? names[s] : "not_measured";
}

static double
noise_of(const struct lore_claim_measured *m, struct lore_f64 configured)
{
    double noise = configured.set ? configured.v : LORE_NOISE_DEFAULT_PCT;

    if (m->exact)
        return 0;
    return m->noise_pct.set ? fmax(noise, m->noise_pct.v) : noise;
}

/* The direction of the change, and *CHANGE in percent. NULL: a side was not measured. A change from
 * 0 has no percentage and always exceeds the noise. */
static const char *
movement(const struct lore_claim_measured *m, double noise, struct lore_f64 *change)
{
    double d = m->after.v - m->before.v;

    *change = (struct lore_f64){0};
    if (!m->before.set || !m->after.set)
        return NULL;
    if (m->before.v != 0)
        *change = (struct lore_f64){true, 100 * d / fabs(m->before.v)};
    if (d == 0 || (change->set && fabs(change->v) <= noise))
        return "same";
    return d > 0 ? "up" : "down";
}

enum fit { FIT_NO_RANGE, FIT_INSIDE, FIT_OUTSIDE, FIT_UNKNOWN };

static enum fit
fit_of(const struct lore_claim_judged *j)
{
    const struct lore_movement *c = &j->claimed;
    double value = j->measured.after.v, slack = 0;

    if (c->range == LORE_RANGE_NONE)
        return FIT_NO_RANGE;
    if (c->range == LORE_RANGE_LEVEL && c->percent && !lore_streq(j->measured.unit, "%"))
        return FIT_UNKNOWN;
    if (c->range == LORE_RANGE_CHANGE) {
        if (!j->change_pct.set)
            return FIT_UNKNOWN;
        value = fabs(j->change_pct.v);
        slack = j->noise_pct;
    } else if (c->low.set && c->high.set && c->low.v == c->high.v) {
        slack = fabs(value) * j->noise_pct / 100; /* "= 2.5" */
    }
    bool inside =
        (!c->low.set || value >= c->low.v - slack) && (!c->high.set || value <= c->high.v + slack);
    return inside ? FIT_INSIDE : FIT_OUTSIDE;
}

static enum lore_claim_verdict
judge(const struct lore_claim_judged *j)
{
    enum fit fit = fit_of(j);

    if (!j->moved)
        return LORE_CLAIM_NOT_MEASURED;
    if (!j->claimed.direction) { /* a level alone may still be judged */
        if (j->claimed.range != LORE_RANGE_LEVEL || fit == FIT_UNKNOWN)
            return LORE_CLAIM_NOT_MEASURED;
        return fit == FIT_INSIDE ? LORE_CLAIM_CONFIRMED : LORE_CLAIM_CONTRADICTED;
    }
    if (lore_streq(j->moved, j->claimed.direction)) {
        bool fits = fit == FIT_INSIDE || fit == FIT_NO_RANGE;
        return fits ? LORE_CLAIM_CONFIRMED : LORE_CLAIM_PARTIAL;
    }
    bool reached = j->claimed.range == LORE_RANGE_LEVEL && fit == FIT_INSIDE;
    return lore_streq(j->moved, "same") && reached ? LORE_CLAIM_PARTIAL : LORE_CLAIM_CONTRADICTED;
}

static const char *
value_text(struct lore_arena *arena, double v, const char *unit)
{
    return lore_format(arena, *unit ? "%.6g %s" : "%.6g", v, unit);
}

static const char *
claimed_text(const struct lore_claim_judged *j, struct lore_arena *arena)
{
    const struct lore_movement *c = &j->claimed;
    const char *way = c->direction ? c->direction : "no direction";
    const char *unit = c->range == LORE_RANGE_CHANGE || c->percent ? "%" : j->measured.unit;
    const char *by = c->range == LORE_RANGE_CHANGE ? "by " : "";

    if (c->range == LORE_RANGE_NONE)
        return way;
    if (c->low.set && c->high.set)
        return lore_format(
            arena, "%s, %s%.6g to %s", way, by, c->low.v, value_text(arena, c->high.v, unit));
    return lore_format(arena, "%s, %s%s %s", way, by, c->low.set ? "at least" : "at most",
        value_text(arena, c->low.set ? c->low.v : c->high.v, unit));
}

static const char *
sentence(const struct lore_claim_judged *j, struct lore_arena *arena)
{
    const struct lore_claim_measured *m = &j->measured;
    const char *name = j->claimed.metric ? j->claimed.metric : "";
    const char *claimed = claimed_text(j, arena);

    if (!j->moved) {
        const char *why = !m->name        ? "was not measured"
                          : m->before.set ? "was not measured after the change"
                          : m->after.set  ? "was not measured before the change"
                                          : "was not measured";
        return lore_format(arena, "%s %s; claimed: %s.", name, why, claimed);
    }
    const char *change =
        j->change_pct.set ? lore_format(arena, " (%+.3g %%)", j->change_pct.v) : "";
    const char *how = lore_streq(j->moved, "same")
                          ? lore_format(arena, "stayed the same within %.3g %% noise", j->noise_pct)
                          : lore_format(arena, "went %s", j->moved);
    return lore_format(arena, "%s %s: %s before, %s after%s; claimed: %s.", name, how,
        value_text(arena, m->before.v, m->unit), value_text(arena, m->after.v, m->unit), change,
        claimed);
}

/* The claim of X. METRIC names the metric; NULL: take it from the raw text. */
static struct lore_movement
claim_of(const struct lore_expectation *x, const char *metric, struct lore_arena *arena)
{
    struct lore_movement m = {.metric = metric};

    if (x->raw)
        lore_claims_read(x->raw, metric, arena, &m);
    if (x->direction)
        m.direction = x->direction;
    if (x->low.set || x->high.set) {
        bool as_written = m.range == LORE_RANGE_LEVEL;
        m.range = LORE_RANGE_LEVEL;
        m.percent = as_written && m.percent;
        m.low = x->low;
        m.high = x->high;
    }
    return m;
}

void
lore_claims_judge(const struct lore_expectation *x, const struct lore_claim_side *before,
    const struct lore_claim_side *after, struct lore_f64 noise_pct, struct lore_arena *arena,
    struct lore_claim_judged *out)
{
    const char *metric = x->metric && *x->metric ? x->metric : NULL;

    *out = (struct lore_claim_judged){.claimed = claim_of(x, metric, arena)};
    lore_claim_measure(
        out->claimed.metric, out->claimed.percent, before, after, arena, &out->measured);
    if (!out->measured.name &&
        x->raw) { /* the field may contain more than the name of the metric */
        struct lore_movement read = claim_of(x, NULL, arena);
        struct lore_claim_measured found;
        lore_claim_measure(read.metric, read.percent, before, after, arena, &found);
        if (found.name) {
            out->claimed = read;
            out->measured = found;
        }
    }
    out->noise_pct = noise_of(&out->measured, noise_pct);
    out->moved = movement(&out->measured, out->noise_pct, &out->change_pct);
    out->verdict = judge(out);
    out->sentence = sentence(out, arena);
}

static enum lore_watch_state
watch_state(const struct lore_watched *w)
{
    const char *good = w->measured.good;

    if (!w->moved)
        return LORE_WATCH_NOT_MEASURED;
    if (lore_streq(w->moved, "same"))
        return LORE_WATCH_OK;
    if (lore_streq(good, "higher"))
        return lore_streq(w->moved, "up") ? LORE_WATCH_OK : LORE_WATCH_REGRESSED;
    if (lore_streq(good, "lower"))
        return lore_streq(w->moved, "down") ? LORE_WATCH_OK : LORE_WATCH_REGRESSED;
    return LORE_WATCH_MOVED;
}

struct lore_watched *
lore_claims_watch(const struct lore_texts *watch, const struct lore_claim_side *before,
    const struct lore_claim_side *after, struct lore_f64 noise_pct, struct lore_arena *arena)
{
    struct lore_watched *all = lore_alloc_array(arena, watch->n, sizeof *all);

    for (size_t i = 0; i < watch->n; i++) {
        struct lore_watched *w = &all[i];
        struct lore_movement m;
        w->words = watch->v[i];
        lore_claims_read(w->words ? w->words : "", NULL, arena, &m);
        lore_claim_measure(m.metric, m.percent, before, after, arena, &w->measured);
        w->moved = movement(&w->measured, noise_of(&w->measured, noise_pct), &w->change_pct);
        w->state = watch_state(w);
    }
    return all;
}

const char *
lore_claims_hypothesis_verdict(const struct lore_outcome *o)
{
    if (o->correctness == LORE_C_FAIL || o->correctness == LORE_C_TIMEOUT)
        return "invalid";
    switch (o->effect) {
    case LORE_X_WIN:
        return "improved";
    case LORE_X_NEUTRAL:
        return "neutral";
    case LORE_X_LOSS:
        return "regressed";
    case LORE_X_NOT_MEASURED:
    case LORE_X_INCONCLUSIVE:
    case LORE_X_COUNT:
        break;
    }
    return "untested";
}
