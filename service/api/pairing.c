/* Samples taken in turns form pairs: drift affects both samples, so paired differences are more
 * precise than two medians. The comparison is shown beside the outcome. It changes neither the
 * outcome nor the evidence class. */
#include "service/api/pairing.h"

#include <string.h>

#include "service/api/objects.h"
#include "service/base/fnv.h"
#include "service/base/text.h"

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
    s->in_turns = lore_run_counts(run) && taken_in_turns(&run->r.method);
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

static void
write_method(struct lore_jsonw *w, const char *key, const void *row)
{
    (void)row;
    lore_w_kstr(w, key, LORE_PAIRED_METHOD);
}

#define ROW struct lore_paired
static const struct lore_object_member paired[] = {
    {"!verdict", NAMED(verdict, lore_paired_verdict_name)},
    {"!median_improvement_pct", AT(median_pct)},
    {"!low", AT(low_pct)},
    {"!high", AT(high_pct)},
    {"!n", AT(n), NULL, "pairs"},
    {"!min_effect_pct", AT(min_effect_pct)},
    {"!method", WRITTEN(write_method), "text"},
};
const struct lore_object lore_paired_object = LORE_OBJECT("Paired", paired);
#undef ROW

bool
lore_pairing_compare(const struct lore_pairing *p, const char *experiment, struct lore_arena *arena,
    struct lore_paired *out)
{
    struct lore_err ignored; /* no samples, or a time of 0: nothing to compare */
    struct lore_f64 usual = {0};
    uint64_t seed = lore_fnv_text(LORE_FNV, experiment); /* the same interval every time */

    return pairs(p) && lore_paired_compare((struct lore_paired_samples){p->side[0].samples_ns,
                                               p->side[1].samples_ns, p->side[0].n},
                           usual, seed, arena, out, &ignored) == LORE_OK;
}
