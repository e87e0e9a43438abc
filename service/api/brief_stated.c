/* The best version of a kernel that has no times, by the gains that its log states: rates over what
 * each version was made from multiply along its line. */
#include <string.h>

#include "service/api/brief.h"
#include "service/base/text.h"

/* The speed of each entry of a history over that of its first version; 0: not known. */
struct rates {
    const struct lore_history *h;
    double *v;
};

static double
rate_of(const struct rates *r, const char *version)
{
    for (size_t i = 0; version && i < r->h->line.n; i++) {
        size_t in = r->h->line.steps[i].in;

        if (lore_streq(r->h->entries[in].version->v.id, version))
            return r->v[in];
    }
    return 0;
}

/* What the experiment that made T states. */
static double
stated_rate(const struct rates *r, const struct lore_history_version *t)
{
    const struct lore_experiment_row *e = t->experiment;
    const char *correctness = e ? e->outcome.correctness : NULL;

    if (!e || e->masked || !e->outcome.speedup.set || lore_streq(correctness, "fail") ||
        lore_streq(correctness, "timeout"))
        return 0;
    if (e->e.claim.base == LORE_BASE_FIRST)
        return e->outcome.speedup.v;
    return e->e.claim.base == LORE_BASE_PARENT || e->e.claim.base == LORE_BASE_NONE
               ? e->outcome.speedup.v * rate_of(r, e->e.from_version)
               : 0;
}

struct lore_brief_stated
lore_brief_stated(const struct lore_history *h, struct lore_arena *arena)
{
    struct rates r = {h, lore_alloc_array(arena, h->line.n + 1, sizeof(double))};
    struct lore_brief_stated best = {.over_first = 1};

    memset(r.v, 0, (h->line.n + 1) * sizeof *r.v);
    for (size_t i = 0; h->line.baseline < h->line.n && i < h->line.n; i++) {
        size_t in = h->line.steps[i].in;
        const struct lore_history_version *t = &h->entries[in];

        r.v[in] = i == h->line.baseline ? 1 : stated_rate(&r, t);
        if (r.v[in] > best.over_first)
            best = (struct lore_brief_stated){
                t, h->entries[h->line.steps[h->line.baseline].in].version, r.v[in]};
    }
    return best;
}
