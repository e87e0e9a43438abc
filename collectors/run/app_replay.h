/* Reads the hardware counters of a program's kernels. Each pass counts only a few metrics. When the
 * kernels can be replayed, one run makes all passes; otherwise each pass is a run. */
#ifndef LORE_RUN_APP_REPLAY_H
#define LORE_RUN_APP_REPLAY_H

#include "collectors/run/launch.h"
#include "collectors/run/trace.h"

enum { LORE_REPLAY_MOST_PASSES = 64 };

/* Run L (with `counters` set) and read the counter values into *out. With APP the whole program
 * runs once per pass and the results are merged; metrics relative to elapsed time are left out, and
 * a state of *out says so. *launched is the last execution; it is zero when no metric was left to
 * count. A different exit status while counting is no error here. */
enum lore_status lore_app_replay(const struct lore_launch *l, bool app, struct lore_arena *arena,
    struct lore_trace *out, struct lore_launch_result *launched, struct lore_err *err) LORE_MUST;
/* Merge the groups of equal kernel and launch shape across processes. A metric that several groups
 * counted becomes their mean. */
void lore_trace_join(struct lore_trace *t, struct lore_arena *arena);

#endif
