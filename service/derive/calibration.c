/* Groups rows by author by sorting pointers to them. The same functions sum the groups and the
 * total. */
#include "service/derive/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"

static int
by_author(const void *a, const void *b)
{
    const struct lore_prediction *x = *(const struct lore_prediction *const *)a;
    const struct lore_prediction *y = *(const struct lore_prediction *const *)b;
    int order = lore_strorder(x->author, y->author);

    /* keep the order of an author's rows, so that floating-point sums are reproducible */
    return order ? order : (x > y) - (x < y);
}

static void
add(struct lore_calibration *c, const struct lore_prediction *row)
{
    double p = row->probability.v, happened = row->outcome == LORE_HAPPENED_YES;

    if (!row->probability.set) {
        c->without_probability++;
        return;
    }
    if (row->outcome == LORE_HAPPENED_UNKNOWN) {
        c->without_outcome++;
        return;
    }
    size_t bin = (size_t)(p * LORE_CALIBRATION_BINS);
    struct lore_calibration_bin *b = &c->bins[bin < LORE_CALIBRATION_BINS ? bin : bin - 1];
    b->n++;
    b->mean_probability += p;
    b->rate += happened;
    c->n++;
    c->brier.v += (p - happened) * (p - happened);
    c->base_rate.v += happened;
}

/* Turn the sums into means. */
static void
finish(struct lore_calibration *c)
{
    double n = (double)c->n;

    if (c->n == 0)
        return;
    c->brier = (struct lore_f64){true, c->brier.v / n};
    c->base_rate = (struct lore_f64){true, c->base_rate.v / n};
    c->reference = (struct lore_f64){true, c->base_rate.v * (1 - c->base_rate.v)};
    c->error.set = true;
    for (size_t i = 0; i < LORE_CALIBRATION_BINS; i++) {
        struct lore_calibration_bin *b = &c->bins[i];
        if (b->n == 0)
            continue;
        c->error.v += fabs(b->mean_probability - b->rate) / n;
        b->mean_probability /= (double)b->n;
        b->rate /= (double)b->n;
    }
}

enum lore_status
lore_calibration_of(const struct lore_prediction *rows, size_t n, struct lore_arena *arena,
    struct lore_calibrations *out, struct lore_err *err)
{
    const struct lore_prediction **order = lore_alloc_array(arena, n, sizeof *order);
    struct lore_calibration *authors = lore_alloc_array(arena, n, sizeof *authors);
    struct lore_calibrations all = {.authors = authors};

    for (size_t i = 0; i < n; i++) {
        const struct lore_f64 *p = &rows[i].probability;
        if (p->set && !(p->v >= 0 && p->v <= 1))
            return lore_fail(
                err, LORE_INVALID, "predictions[%zu].probability: must be within 0 to 1", i);
        order[i] = &rows[i];
        add(&all.total, &rows[i]);
    }
    qsort(order, n, sizeof *order, by_author);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || lore_strorder(order[i - 1]->author, order[i]->author) != 0)
            authors[all.n_authors++].author = order[i]->author;
        add(&authors[all.n_authors - 1], order[i]);
    }
    for (size_t i = 0; i < all.n_authors; i++)
        finish(&authors[i]);
    finish(&all.total);
    *out = all;
    return LORE_OK;
}
