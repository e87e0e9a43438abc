/* The environment of a watched program. */
#ifndef LORE_RUN_LAUNCH_ENV_H
#define LORE_RUN_LAUNCH_ENV_H

#include "collectors/run/backends.h"

struct lore_capture_env {                   /* settings of the capture library */
    const struct lore_backend *backend;     /* NULL: nothing is watched */
    const char *dir;                        /* the run's directory for capture files */
    const char *counters;                   /* comma-separated names; NULL: durations only */
    const char *kernels, *replay, *cache;   /* see capture_env.h; NULL: default */
    const char *code;                       /* folder for loaded machine code; NULL: none */
    int64_t counter_launches, counter_skip; /* 0: default */
};
/* The name of the tool when PROGRAM is a profiler, else NULL. A profiler is started without our
 * capture library, because the two exclude each other. */
const char *lore_launch_profiler(const char *program);
/* The environment for PROGRAM: ours, with the variable that loads the backend's library and those
 * of capture_env.h. The user's preload list is kept after ours. The user's injection library is
 * kept instead of ours, because a process can have only one; then *other names it. The array lives
 * in ARENA; unchanged entries point into our environment. */
enum lore_status
lore_launch_env(const struct lore_capture_env *c, const char *program, struct lore_arena *arena,
    char *const **out, const char **other, struct lore_err *err) LORE_MUST;

#endif
