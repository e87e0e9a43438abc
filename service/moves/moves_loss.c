/* How well one chip stands for another.
 *
 * The loss of a pair is the mean squared error of one chip's moves predicted from the other's, as a
 * share of the mean square of the moves: 0 the same, 1 nothing carried over. It is one part for the
 * chips plus one for the workloads, where they differ; the logarithm of a part is a linear function
 * of what the two differ in, and its weights are learned (moves_fit.c). */
#include "service/moves/moves_loss.h"

#include <math.h>
#include <string.h>

#include "service/base/text.h"
#include "service/moves/moves_numbers.h"

static bool
differ(const char *a, const char *b)
{
    return !a || !b || !lore_streq(a, b);
}

static double
ratio(double a, double b)
{
    return a > 0 && b > 0 ? fabs(log(a / b)) : 0.5;
}

static bool
same_workload(const struct lore_moves_chip *a, const struct lore_moves_chip *b)
{
    return lore_streq(a->workload ? a->workload : "", b->workload ? b->workload : "");
}

void
lore_moves_work_facts(double a, double b, double *facts)
{
    facts[MOVES_CHIP_FACTS] = 1;
    facts[MOVES_CHIP_FACTS + 1] = a > 0 && b > 0 ? fmin(8, fabs(a - b)) : 1;
}

void
lore_moves_pair_facts(
    const struct lore_moves_chip *a, const struct lore_moves_chip *b, double *facts)
{
    memset(facts, 0, MOVES_FACTS * sizeof *facts);
    if (!lore_streq(a->name, b->name)) {
        facts[0] = 1;
        facts[1] = differ(a->vendor, b->vendor);
        facts[2] = differ(a->arch, b->arch);
        facts[3] = differ(a->isa, b->isa);
        facts[4] = ratio(a->units, b->units);
        facts[5] = ratio(a->bandwidth_gbs * b->units, b->bandwidth_gbs * a->units);
    }
    if (!same_workload(a, b))
        lore_moves_work_facts(a->size, b->size, facts);
}

double
lore_moves_chip_loss(const double *fact, const double *weights)
{
    double sum = 0;

    for (size_t i = 0; i < MOVES_CHIP_FACTS; i++)
        sum += fact[i] * weights[i];
    return fact[0] > 0 ? exp(sum) : 0;
}

double
lore_moves_work_loss(const double *fact, const double *weights)
{
    double sum = 0;

    for (size_t i = MOVES_CHIP_FACTS; i < MOVES_FACTS; i++)
        sum += fact[i] * weights[i];
    return fact[MOVES_CHIP_FACTS] > 0 ? exp(sum) : 0;
}

double
lore_moves_pair_loss(const double *fact, const double *weights, double rough)
{
    return lore_moves_sum_loss(
        lore_moves_chip_loss(fact, weights), lore_moves_work_loss(fact, weights), rough);
}

enum lore_moves_reach
lore_moves_reach(const struct lore_moves_chip *a, const struct lore_moves_chip *b)
{
    if (lore_streq(a->name, b->name))
        return same_workload(a, b) ? LORE_MOVES_SAME_CHIP : LORE_MOVES_OTHER_WORKLOAD;
    if (!differ(a->isa, b->isa))
        return LORE_MOVES_SAME_ISA;
    if (!differ(a->arch, b->arch))
        return LORE_MOVES_SAME_ARCH;
    return differ(a->vendor, b->vendor) ? LORE_MOVES_OTHER_VENDOR : LORE_MOVES_SAME_VENDOR;
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
