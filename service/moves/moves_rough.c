/* How rough an operator is: what the moves of one place leave untold of each other.
 *
 * A sample of a cell's moves is told from moves of the same change in the wide neighbourhood, each
 * without itself; the share of the variance that this misses is the cell's roughness. Where effects
 * follow the parameters smoothly it is small, and then other chips tell more as well: what is lost
 * between two places is in proportion. It needs no result of the place asked about. */
#include "service/moves/moves_rough.h"

#include <math.h>

#include "service/moves/moves_cells.h"
#include "service/moves/moves_math.h"
#include "service/moves/moves_states.h"

enum {
    SAMPLE = 200,
    MANY = 192,  /* of a large bucket's moves so many are an average */
    UNKNOWN = 20 /* comparisons' worth of an operator like others */
};
#define PRIOR 0.5 /* of an operator of which nothing is known */
#define FAR 4.0   /* squared distance in octaves, as for the wide kernel */
#define LEAST 0.5 /* less than half a move around tells nothing */

/* Entry I of B from the others. */
static void
tell(const struct moves_op *op, const struct moves_bucket *b, size_t i, struct moves_seen *out)
{
    size_t every = b->n / MANY + 1;
    double w = 0, sum = 0, mine = lore_moves_soft((double)b->entry[i].y);

    for (size_t k = every / 2; k < b->n; k += every) {
        double d = lore_moves_distance(op, b->entry[i].state, b->entry[k].state, FAR);
        if (k == i || isinf(b->entry[k].y) || d > FAR)
            continue;
        double near = pow(1 + d, -3);
        w += near;
        sum += near * lore_moves_soft((double)b->entry[k].y);
    }
    if (w < LEAST)
        return;
    out->sum += (mine - sum / w) * (mine - sum / w);
    out->n += 1;
}

void
lore_moves_roughen(struct lore_moves *m, struct moves_cell *c)
{
    struct moves_op *op = &m->op[c->op];
    size_t every = c->n_moves / SAMPLE + 1, k = 0;
    struct moves_seen now = {0};

    for (size_t i = 0; i < c->n_buckets; i++)
        for (size_t e = 0; e < c->bucket[i].n; e++)
            if (k++ % every == 0 && !isinf(c->bucket[i].entry[e].y))
                tell(op, &c->bucket[i], e, &now);
    now.sum /= fmax(c->n_ran > 0 ? c->soft_squares / c->n_ran : 0, 1e-5);
    op->rough.sum += now.sum - c->rough.sum;
    op->rough.n += now.n - c->rough.n;
    c->rough = now;
}

double
lore_moves_rough(const struct moves_op *op, const struct moves_cell *except)
{
    double sum = op->rough.sum - (except ? except->rough.sum : 0),
           n = op->rough.n - (except ? except->rough.n : 0);

    return (sum / PRIOR + UNKNOWN) / (n + UNKNOWN);
}
