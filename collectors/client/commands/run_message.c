/* Messages of `warplore run`. The progress line is printed while the program runs, which may use
 * the same terminal, so it is erased before any other output. Other messages wait in cli->err. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "collectors/capture/capture.h"
#include "collectors/client/commands/run_cmd.h"

void
lore_run_message(struct lore_run_job *j, const char *fmt, ...)
{
    char text[1024];
    va_list ap;

    if (j->quiet)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    for (char *p = text; *p;
         p++) { /* text from a service or a program must not control the terminal */
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            *p = ' ';
    }
    lore_run_progress_end(j);
    lore_buf_printf(&j->cli->err, "warplore: %s\n", text);
}

void
lore_run_error_line(struct lore_run_job *j, const struct lore_err *err, const char *what)
{
    lore_run_progress_end(j);
    /* also with --quiet: the user believes that this run is recorded */
    lore_buf_printf(&j->cli->err, "warplore: %s: %s\n", what, err->msg);
    if (err->hint[0])
        lore_buf_printf(&j->cli->err, "  hint: %s\n", err->hint);
    j->trouble = true;
}

void
lore_run_progress(void *job, int64_t elapsed_us)
{
    struct lore_run_job *j = job;
    int64_t s = elapsed_us / 1000000;
    uint64_t bytes;
    unsigned files;

    /* five calls a second: the first of each is enough */
    if (!j->terminal || j->quiet || s < 2 || elapsed_us % 1000000 >= 200000)
        return;
    lore_rundir_size(j->dir.path, &bytes, &files);
    fprintf(stderr, "\r\033[Kwarplore: %" PRId64 ":%02" PRId64 ", about %" PRIu64 " launches",
        s / 60, s % 60, bytes / sizeof(struct lore_cap_launch));
    fflush(stderr);
    j->progress_shown = true;
}

void
lore_run_progress_end(struct lore_run_job *j)
{
    if (!j->progress_shown)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    j->progress_shown = false;
}
