/* Start a program as the user would have, with a capture library in its environment, and wait. The
 * program gets our standard input, output and error, our terminal and our process group, and
 * nothing else changes. INT, TERM, HUP and QUIT that a process sent to us are passed on; what the
 * terminal sends reaches the program by itself. Its exit status comes back whatever it is. */
#ifndef LORE_RUN_LAUNCH_H
#define LORE_RUN_LAUNCH_H

#include "collectors/run/backends.h"

struct lore_launch {
    char *const *argv;                      /* ended by NULL */
    const char *dir;                        /* the run's directory for capture files */
    const struct lore_backend *backend;     /* NULL: nothing is watched */
    const char *counters;                   /* comma-separated names; NULL: durations only */
    const char *kernels, *replay;           /* see capture_env.h; NULL: default */
    int64_t counter_launches, counter_skip; /* 0: default */
    bool quiet; /* counter pass: output to /dev/null, input from /dev/null */
    void (*tick)(void *ctx, int64_t elapsed_us); /* about five times a second; may be NULL */
    void *ctx;
};
struct lore_launched {
    bool started;    /* false: `error` says why (not found, not executable, no memory) */
    int exit_status; /* as a shell gives it: 0..255, 128 + signal when killed */
    int signal;      /* 0: not killed */
    int64_t wall_us, user_us, system_us;
    int64_t started_at_us;     /* wall clock */
    const char *other_library; /* the user's own injection library, left alone: we did not watch */
};
/* The name of the tool when PROGRAM is one that profiles others, NULL else. Such a one is started
 * without a capture library: it and ours exclude each other. */
const char *lore_launch_profiler(const char *program);
/* LORE_NOTFOUND "app_not_found", LORE_INVALID "app_not_executable", LORE_IO. *out is always set. */
enum lore_status lore_launch_run(
    const struct lore_launch *l, struct lore_launched *out, struct lore_err *err) LORE_MUST;

#endif
