/* Start a program as the user would have, with a capture library in its environment, and wait. The
 * program gets our standard input, output and error, our terminal and our process group, and
 * nothing else changes. INT, TERM, HUP and QUIT that a process sent to us are passed on; signals
 * from the terminal reach the program directly. Any exit status is returned in *out and is no
 * error. */
#ifndef LORE_RUN_LAUNCH_H
#define LORE_RUN_LAUNCH_H

#include "collectors/run/launch_env.h"

struct lore_launch {
    char *const *argv; /* ended by NULL */
    struct lore_capture_env capture;
    bool quiet; /* standard input, output and error are /dev/null */
    void (*tick)(void *ctx, int64_t elapsed_us); /* about five times a second; may be NULL */
    void *ctx;
};
struct lore_launch_result {
    bool started;    /* false: the error of lore_launch_run says why */
    int exit_status; /* as a shell gives it: 0..255, 128 + signal when killed */
    int signal;      /* 0: not killed */
    int64_t wall_us, user_us, system_us;
    int64_t started_at_us;     /* wall clock */
    const char *other_library; /* the user's own injection library: nothing was watched */
};
/* LORE_NOTFOUND "app_not_found", LORE_INVALID "app_not_executable", LORE_IO. *out is always set. */
enum lore_status lore_launch_run(
    const struct lore_launch *l, struct lore_launch_result *out, struct lore_err *err) LORE_MUST;

#endif
