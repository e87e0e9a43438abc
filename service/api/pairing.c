/* Samples taken in turns are pairs: drift hits both of a pair, so their difference says more than
 * two medians do. Shown beside the outcome, which it does not change; nor does it make a result
 * `confirmed`, which says that somebody measured it again. */
#include "service/api/pairing.h"

#include <string.h>

#include "service/api/present.h"
#include "service/base/fnv.h"
#include "service/base/text.h"
#include "service/derive/paired.h"

static bool
taken_in_turns(const struct lore_kvs *method)
{
    for (size_t i = 0; i < method->n; i++) {
        const char *v = method->v[i].value;
        size_t len = v != NULL ? strlen(v) : 0;
        char order[40];

        if (!lore_streq(method->v[i].key, "order") || len < 2 || len >= sizeof order + 2 ||
            v[0] != '"')
            continue;
        memcpy(order, v + 1, len - 2);
        order[len - 2] = '\0';
        return lore_paired_order(order);
    }
    return false;
}

void
lore_pairing_add(
    struct lore_pairing *p, int after, const struct lore_run_row *run, struct lore_arena *arena)
{
    struct lore_pairing_side *s = &p->side[after];

    s->runs++;
    s->in_turns = !run->retracted && taken_in_turns(&run->r.method);
    if (s->runs > 1 || !s->in_turns)
        return;
    s->of = run->r.n_samples;
    s->n = s->of < LORE_PAIRING_MAX ? s->of : LORE_PAIRING_MAX;
    s->samples_ns = lore_alloc_array(arena, s->n + 1, sizeof *s->samples_ns);
    if (s->n > 0)
        memcpy(s->samples_ns, run->r.samples_ns, s->n * sizeof *s->samples_ns);
    s->workload = lore_strdup(arena, run->workload.id);
    s->environment = lore_strdup(arena, run->r.environment);
}

static bool
pairs(const struct lore_pairing *p)
{
    const struct lore_pairing_side *a = &p->side[0], *b = &p->side[1];

    return a->runs == 1 && b->runs == 1 && a->in_turns && b->in_turns && a->of == b->of &&
           lore_streq(a->workload, b->workload) && lore_streq(a->environment, b->environment);
}

void
lore_present_paired(struct lore_jsonw *w, const struct lore_pairing *p, const char *experiment,
    struct lore_arena *arena)
{
    struct lore_paired out = {0};
    struct lore_err ignored; /* no samples, or a time of 0: nothing to compare */
    struct lore_f64 usual = {0};
    uint64_t seed = lore_fnv_text(LORE_FNV, experiment); /* the same interval every time */

    lore_w_key(w, "paired");
    if (!pairs(p) || lore_paired_compare(p->side[0].samples_ns, p->side[1].samples_ns, p->side[0].n,
                         usual, seed, arena, &out, &ignored) != LORE_OK) {
        lore_w_null(w);
        return;
    }
    lore_w_obj(w);
    lore_w_kstr(w, "verdict", lore_paired_verdict_name(out.verdict));
    lore_w_kf64(w, "median_improvement_pct", out.median_pct);
    lore_w_kf64(w, "low", out.low_pct);
    lore_w_kf64(w, "high", out.high_pct);
    lore_w_ki64(w, "n", (int64_t)out.n);
    lore_w_kf64(w, "min_effect_pct", out.min_effect_pct);
    lore_w_kstr(w, "method", LORE_PAIRED_METHOD);
    lore_w_obj_end(w);
}
