/* Environment variables by which `warplore run` configures the capture library in the watched
 * program. */
#ifndef LORE_CAPTURE_CAPTURE_ENV_H
#define LORE_CAPTURE_CAPTURE_ENV_H

#define LORE_ENV_CAPTURE "WARPLORE_CAPTURE"   /* the run's directory; unset: do nothing at all */
#define LORE_ENV_COUNTERS "WARPLORE_COUNTERS" /* comma-separated metrics; unset: durations */
#define LORE_ENV_COUNTERS_KERNELS "WARPLORE_COUNTERS_KERNELS"   /* POSIX extended, on names */
#define LORE_ENV_COUNTERS_LAUNCHES "WARPLORE_COUNTERS_LAUNCHES" /* per kernel; default 1 */
#define LORE_ENV_COUNTERS_SKIP "WARPLORE_COUNTERS_SKIP" /* first launches per kernel to skip */
#define LORE_ENV_REPLAY "WARPLORE_REPLAY" /* "kernel" (default) or "app:PASS", PASS from 0 */
#define LORE_ENV_CUPTI "WARPLORE_CUPTI"   /* path of libcupti, tried first */

#endif
