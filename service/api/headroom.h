/* How much faster a run can become: its work at the peak rates of its chip against its time
 * (roofline.c). */
#ifndef LORE_API_HEADROOM_H
#define LORE_API_HEADROOM_H

#include "db/store.h"

struct lore_headroom {
    bool known;               /* false: work, peak rate or time is unknown */
    double fraction, at_most; /* of the limit, 0 to 1; the largest possible speedup */
    const char *bound;        /* "memory", "compute", "ridge" */
    const char *limit;        /* the peak that limits it: "hbm_bandwidth" */
    const char *rule;         /* how the work was counted; NULL: measured bytes */
};
/* OUT is in ARENA. CHIP: the run's, NULL: not known. A run whose work is not known is no error.
 * What a run says does not change; the answer is kept until a number of the chip does. */
enum lore_status lore_headroom_of_run(struct lore_db *db, const char *run, const char *chip,
    struct lore_arena *arena, struct lore_headroom *out, struct lore_err *err) LORE_MUST;

#endif
