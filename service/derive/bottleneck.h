/* The bottleneck that metrics show, for experiments that say none. Pure.
 *
 * The sets are asked in this order, and the first that names a label decides:
 *   speed-of-light@1   which side of the machine is near its limit
 *   sync@1             waiting for one another, for which the first has no verdict
 * The other sets stay out: a gap is room and no limit, and counters' patterns are signs of trouble
 * that most kernels show. Of low confidence nothing is taken, nor what the same metrics contradict
 * (contradict.h). No label is an answer too: then nothing is near its limit alone. */
#ifndef LORE_DERIVE_BOTTLENECK_H
#define LORE_DERIVE_BOTTLENECK_H

#include "service/derive/diagnose.h"

struct lore_shown_bottleneck {
    uint32_t labels;      /* bits of enum lore_label; 0: none */
    const char *rule_set; /* static; that named them; NULL: none did */
    bool answered; /* a verdict was found, if only "mixed": other metrics need not be asked */
};
void lore_bottleneck_shown(const struct lore_metrics *metrics, struct lore_arena *scratch,
    struct lore_shown_bottleneck *out);

#endif
