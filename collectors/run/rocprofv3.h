/* Counters by AMD's own command, where our tool library cannot count: for example with a version of
 * rocprofiler-sdk that has changed its interface. */
#ifndef LORE_RUN_ROCPROFV3_H
#define LORE_RUN_ROCPROFV3_H

#include "collectors/run/launch.h"
#include "collectors/run/trace.h"

/* Whether the counter run T was refused as a whole. */
bool lore_rocprofv3_is_needed(const struct lore_trace *t);
/* Run L under rocprofv3 once for each of its counters, and add the values to OUT for the groups of
 * TIMED that were launched the same way; a state of *OUT says so. LORE_NOTFOUND: no rocprofv3. */
enum lore_status lore_rocprofv3_count(const struct lore_launch *l, const struct lore_trace *timed,
    struct lore_arena *arena, struct lore_trace *out, struct lore_err *err) LORE_MUST;

#endif
