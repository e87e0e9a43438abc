/* What to measure next (start.h): configurations that other places propose, and one-parameter
 * changes of the best one measured here, in one list by what each is expected to add to that best.
 * Every result that comes back weighs the sources of both again. */
#include <math.h>

#include "service/moves/moves_math.h"
#include "service/moves/start_versions.h"

/* ln speedup over BEST, which has a fraction HAVE of the optimum, that a start is expected to add.
 */
static double
hope_of(const struct lore_start *s, double have)
{
    double low = log(fmax(1e-6, s->fraction.low)), high = log(fmax(1e-6, s->fraction.high));
    double value = log(fmax(1e-6, s->fraction.value));

    return (1 - s->p_fail) * lore_moves_positive(value - log(have), (high - low) / 3.29);
}

static bool
is_listed(const struct lore_next *v, size_t n, uint32_t state)
{
    for (size_t i = 0; i < n; i++)
        if ((v[i].start ? v[i].start->state : v[i].move->state) == state)
            return true;
    return false;
}

size_t
lore_start_next(const struct lore_start_place *p, size_t limit, struct lore_arena *arena,
    struct lore_next **out, const struct lore_start **best)
{
    struct lore_start *starts = lore_alloc_array(arena, limit + 1, sizeof *starts), *own = NULL;
    size_t n_starts = lore_start_proposed(p, limit, arena, starts), n_moves = 0;
    uint32_t top = lore_start_best(p);
    struct lore_start_move *moves = NULL;
    struct lore_next *v = lore_alloc_array(arena, limit + 1, sizeof *v);
    size_t n = 0, s = 0, k = 0;

    if (top != LORE_MOVES_NONE) {
        own = lore_alloc(arena, sizeof *own);
        lore_start_here(p, top, arena, own);
        const struct lore_moves_asked asked = {top, own->version, true, limit};
        n_moves = lore_start_moves_of(p, &asked, arena, &moves);
    }
    while (n < limit && (s < n_starts || k < n_moves)) {
        double a = s < n_starts && own ? hope_of(&starts[s], fmax(0.01, own->fraction.value)) : 0;
        bool start = s < n_starts && (k == n_moves || a >= moves[k].expected);
        struct lore_next one = start ? (struct lore_next){.version = starts[s].version,
                                           .start = &starts[s],
                                           .expected = a}
                                     : (struct lore_next){.version = moves[k].to_version,
                                           .from = own->version,
                                           .move = &moves[k],
                                           .expected = moves[k].expected};
        uint32_t state = start ? starts[s].state : moves[k].state;
        s += start;
        k += !start;
        if (!is_listed(v, n, state))
            v[n++] = one;
    }
    *out = v;
    *best = own;
    return n;
}
