/* Environment variables by which `warplore run` configures the capture library in the watched
 * program. A shape is a kernel with its launch shape (LORE_CAP_SHAPE in capture.h). */
#ifndef LORE_CAPTURE_CAPTURE_ENV_H
#define LORE_CAPTURE_CAPTURE_ENV_H

#define LORE_ENV_CAPTURE "WARPLORE_CAPTURE"   /* the run's directory; unset: do nothing at all */
#define LORE_ENV_COUNTERS "WARPLORE_COUNTERS" /* comma-separated metrics; unset: durations */
#define LORE_ENV_COUNTERS_KERNELS "WARPLORE_COUNTERS_KERNELS" /* POSIX regex on symbols */
#define LORE_ENV_COUNTERS_LAUNCHES                                                                 \
    "WARPLORE_COUNTERS_LAUNCHES"                        /* per shape; LORE_COUNT_LAUNCHES          \
                                                         */
#define LORE_ENV_COUNTERS_SKIP "WARPLORE_COUNTERS_SKIP" /* first launches per shape to skip */
#define LORE_ENV_COUNTERS_CACHE                                                                    \
    "WARPLORE_COUNTERS_CACHE"             /* "all" (default): clean the L2; "none" */
#define LORE_ENV_REPLAY "WARPLORE_REPLAY" /* "kernel" (default) or "app:PASS", PASS from 0 */
#define LORE_ENV_CUPTI "WARPLORE_CUPTI"   /* path of libcupti, if the program has loaded none */
#define LORE_ENV_CODE "WARPLORE_CODE"     /* the folder for loaded machine code; unset: keep none */

/* Launches counted per shape unless told otherwise. The first counted launch of a process has extra
 * DRAM writes; the median of three launches has none. */
#define LORE_COUNT_LAUNCHES 3

#endif
