/* Which places speak to a question, and how much is lost on the way from each (moves_loss.c says
 * how that is made up). An operator of a library has thousands of places: for each this takes a
 * look at its seat, and what is lost between two chips is worked out once for all their workloads.
 */
#include "service/moves/moves_sources.h"

#include <math.h>
#include <string.h>

#include "service/moves/moves_cells.h"
#include "service/moves/moves_loss.h"
#include "service/moves/moves_places.h"

void
lore_moves_ask(const struct lore_moves *m, uint32_t op, uint32_t target, struct moves_asked *out)
{
    memset(out, 0, sizeof *out);
    out->m = m;
    out->op = &m->op[op];
    out->own = lore_moves_cell_find(m, op, target);
    out->place = lore_moves_place(m, target);
    out->target = target;
    out->rough = 1;
    lore_moves_identify(m, target, &out->at);
}

static double
chip_loss(struct moves_asked *a, uint32_t who)
{
    size_t i = who % MOVES_KEPT;
    double fact[MOVES_FACTS];

    if (a->chip[i].who != who + 1) {
        lore_moves_pair_facts(a->place, &a->m->who[who], fact);
        a->chip[i].loss = lore_moves_chip_loss(fact, a->m->num.fact);
        a->chip[i].who = who + 1;
    }
    return a->chip[i].loss;
}

static double
work_loss(const struct moves_asked *a, const struct moves_place *there)
{
    double fact[MOVES_FACTS] = {0};

    if (there->work == a->at.work)
        return 0;
    lore_moves_work_facts(a->at.size, there->size, fact);
    return lore_moves_work_loss(fact, a->m->num.fact);
}

double
lore_moves_loss(struct moves_asked *a, size_t cell)
{
    const struct moves_seat *s = &a->op->seat[cell];
    double loss, df = a->m->num.fact_df;

    if (s->chip == a->target)
        return 0;
    loss = lore_moves_sum_loss(chip_loss(a, s->at.who), work_loss(a, &s->at), a->rough);
    if (!a->own || cell >= a->own->n_seen)
        return loss;
    const struct moves_seen *seen = &a->own->seen[cell];
    return (df * loss + seen->sum) / (df + seen->n);
}

size_t
lore_moves_sources(const struct lore_moves *m, uint32_t op, uint32_t target, double rough,
    struct moves_source *out)
{
    struct moves_asked a;
    size_t n = 0;

    lore_moves_ask(m, op, target, &a);
    a.rough = rough;
    for (size_t i = 0; i < a.op->n_cells; i++) {
        double loss = lore_moves_loss(&a, i);
        size_t at = n;
        if (n == MOVES_SOURCES && loss >= out[n - 1].loss)
            continue;
        n += n < MOVES_SOURCES;
        for (at = n - 1; at > 0 && out[at - 1].loss > loss; at--)
            out[at] = out[at - 1];
        out[at] = (struct moves_source){.cell = a.op->cell[i], .loss = loss};
    }
    for (size_t i = 0; i < n; i++)
        out[i].reach = lore_moves_reach(a.place, &m->chip[out[i].cell->chip]);
    return n;
}
