/* Choosing among measured ceilings (ceiling.h). Pure. */
#include "service/api/ceiling.h"

/* Rank of C by the size of its measurement, 0 is best: large enough, not recorded, too small. */
static int
class_of(const struct lore_ceiling *c, struct lore_f64 bytes)
{
    if (!bytes.set)
        return 0;
    if (!c->bytes.set)
        return 1;
    return c->bytes.v >= bytes.v ? 0 : 2;
}

static bool
better(const struct lore_ceiling *a, const struct lore_ceiling *b, struct lore_f64 bytes)
{
    int ca = class_of(a, bytes), cb = class_of(b, bytes);

    if (a->own != b->own)
        return a->own;
    if (ca != cb)
        return ca < cb;
    if (!bytes.set || ca == 1)
        return false; /* the newest, which comes first, stays */
    return ca == 0 ? a->bytes.v < b->bytes.v : a->bytes.v > b->bytes.v;
}

size_t
lore_ceiling_choose(const struct lore_ceiling *all, size_t n, struct lore_f64 bytes)
{
    size_t best = n;

    for (size_t i = 0; i < n; i++)
        if (best == n || better(&all[i], &all[best], bytes))
            best = i;
    return best;
}
