/* How much faster a run can become: its work at the peak rates of its chip against its time
 * (roofline.c). */
#ifndef LORE_API_HEADROOM_H
#define LORE_API_HEADROOM_H

#include "db/store.h"
#include "service/api/hardware.h"

struct lore_headroom {
    bool known;               /* false: work, peak rate or time is unknown */
    double fraction, at_most; /* of the limit, 0 to 1; the largest possible speedup */
    const char *bound;        /* "memory", "compute", "ridge" */
    const char *limit;        /* the peak that limits it: "hbm_bandwidth" */
    const char *rule;         /* how the work was counted; NULL: measured bytes, or a counter */
    const char *counter;      /* without a peak rate: the run's own counter that is near its peak,
                                 which limits it while it does the same work; NULL: none */
};
/* RUN is on the chip of H. Texts of OUT are in ARENA. Work or peaks that are not known are no
 * error. */
void lore_headroom_of_run(struct lore_db *db, const struct lore_run_row *run,
    const struct lore_hardware *h, struct lore_arena *arena, struct lore_headroom *out);

#endif
