/* The bottleneck that metrics show, for experiments that state none. Pure functions.
 *
 * These rule sets run in order, and the first one that finds a label decides:
 *   speed-of-light@2   one side of the machine is near its limit
 *   sync@1             waits at barriers, which speed-of-light cannot detect
 * The other sets are not used. A roofline gap is unused capacity, not a limit, and most kernels
 * show some counter patterns. Findings of low confidence are ignored, and so are labels that the
 * same metrics contradict (contradict.h). A result without a label is valid: no single side is near
 * its limit, or metrics are missing (`answered` is false). */
#ifndef LORE_DERIVE_BOTTLENECK_H
#define LORE_DERIVE_BOTTLENECK_H

#include "service/derive/diagnose.h"

struct lore_shown_bottleneck {
    uint32_t labels;      /* bits of enum lore_label; 0: none */
    const char *rule_set; /* static; the set that found them; NULL: none */
    bool answered;        /* some set gave a verdict, even "mixed": do not try other metrics */
};
void lore_bottleneck_from_metrics(const struct lore_metrics *metrics, struct lore_arena *scratch,
    struct lore_shown_bottleneck *out);

#endif
