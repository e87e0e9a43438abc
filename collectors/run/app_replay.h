/* Counts a program's kernels: in one run when the kernels can be replayed, else in one run per
 * pass, since the chip counts only a few metrics at a time. */
#ifndef LORE_RUN_APP_REPLAY_H
#define LORE_RUN_APP_REPLAY_H

#include "collectors/run/launch.h"
#include "collectors/run/trace.h"

enum { LORE_REPLAY_MOST_PASSES = 64 };

/* Run L (with `counters` set) in its folder and read what was counted into *out. APP: the whole
 * program is run per pass, and what the passes counted is put together; metrics relative to elapsed
 * time are not counted then, which a state of *out says. Else one run. *launched is the last
 * execution, zero when nothing was left to count. A program that ends differently while it is
 * counted is no error here. */
enum lore_status lore_app_replay(const struct lore_launch *l, bool app, struct lore_arena *arena,
    struct lore_trace *out, struct lore_launched *launched, struct lore_err *err) LORE_MUST;
/* Put groups of equal kernel and launch shape together, whatever process they are of: the metrics
 * of all, and the mean where several counted the same. */
void lore_trace_join(struct lore_trace *t, struct lore_arena *arena);

#endif
