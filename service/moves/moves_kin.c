/* How alike two places are, as a sum of shares: something is the same everywhere, more on chips of
 * one vendor, of one architecture, of one ISA, and the rest is each chip's own. Another workload of
 * the same chip is alike as far as its size is. Nothing here looks at results. */
#include "service/moves/moves_kin.h"

#include <math.h>

#include "service/base/text.h"
#include "service/moves/moves_places.h"

#define LEAST_LOSS 0.02

static bool
same(const char *a, const char *b)
{
    return a && b && lore_streq(a, b);
}

static bool
same_work(const struct lore_moves_chip *a, const struct lore_moves_chip *b)
{
    return lore_streq(a->workload ? a->workload : "", b->workload ? b->workload : "");
}

/* Of two workloads; A and B: their sizes. */
static double
work_kin(const double *kin, bool the_same, double a, double b)
{
    if (the_same)
        return 1;
    return kin[KIN_WORK] * exp(-(a > 0 && b > 0 ? fabs(a - b) : 1) / kin[KIN_OCTAVES]);
}

static double
chip_kin(const double *kin, const struct lore_moves_chip *a, const struct lore_moves_chip *b)
{
    bool chip = lore_streq(a->name, b->name);
    double all = 0, shared = 0;
    const bool has[] = {[KIN_ANY] = true,
        [KIN_VENDOR] = chip || same(a->vendor, b->vendor),
        [KIN_ARCH] = chip || same(a->arch, b->arch),
        [KIN_ISA] = chip || same(a->isa, b->isa),
        [KIN_OWN] = chip};

    for (int i = 0; i <= KIN_OWN; i++) {
        all += kin[i];
        shared += has[i] ? kin[i] : 0;
    }
    return shared / all;
}

double
lore_moves_kin(const double *kin, const struct lore_moves_chip *a, const struct lore_moves_chip *b)
{
    return chip_kin(kin, a, b) * work_kin(kin, same_work(a, b), a->size, b->size);
}

double
lore_moves_loss(const struct lore_moves *m, uint32_t a, uint32_t b)
{
    const struct lore_moves_chip *x = lore_moves_place(m, a), *y = lore_moves_place(m, b);

    return LEAST_LOSS + 1 -
           (lore_moves_kin(m->num.kin, x, y) + lore_moves_kin(m->num.kin + KINS, x, y)) / 2;
}

struct moves_losses
lore_moves_losses(const struct lore_moves *m, uint32_t from)
{
    const struct lore_moves_chip *here = lore_moves_place(m, from);

    return (struct moves_losses){
        m, here, lore_moves_work_find(m, here->workload ? here->workload : ""), {{0}}};
}

double
lore_moves_loss_at(struct moves_losses *l, const struct moves_place *at)
{
    const double *kin = l->m->num.kin;
    struct moves_chip_kin *chip = &l->chip[at->who % MOVES_CHIPS_KEPT];
    bool the_same = at->work == l->work;
    double sum = 0;

    if (chip->who != at->who + 1)
        *chip = (struct moves_chip_kin){
            at->who + 1, {chip_kin(kin, l->here, &l->m->who[at->who]),
                             chip_kin(kin + KINS, l->here, &l->m->who[at->who])}};
    for (int i = 0; i < 2; i++)
        sum += chip->kin[i] * work_kin(kin + i * KINS, the_same, l->here->size, at->size);
    return LEAST_LOSS + 1 - sum / 2;
}

enum lore_moves_reach
lore_moves_reach(const struct lore_moves_chip *a, const struct lore_moves_chip *b)
{
    if (lore_streq(a->name, b->name))
        return same_work(a, b) ? LORE_MOVES_SAME_CHIP : LORE_MOVES_OTHER_WORKLOAD;
    if (same(a->isa, b->isa))
        return LORE_MOVES_SAME_ISA;
    if (same(a->arch, b->arch))
        return LORE_MOVES_SAME_ARCH;
    return same(a->vendor, b->vendor) ? LORE_MOVES_SAME_VENDOR : LORE_MOVES_OTHER_VENDOR;
}

const char *
lore_moves_reach_name(enum lore_moves_reach r)
{
    static const char *const names[] = {[LORE_MOVES_SAME_CHIP] = "same chip",
        [LORE_MOVES_OTHER_WORKLOAD] = "other workload",
        [LORE_MOVES_SAME_ISA] = "same ISA",
        [LORE_MOVES_SAME_ARCH] = "same architecture",
        [LORE_MOVES_SAME_VENDOR] = "same vendor",
        [LORE_MOVES_OTHER_VENDOR] = "other vendor",
        [LORE_MOVES_NO_EVIDENCE] = "none"};

    return names[r];
}
