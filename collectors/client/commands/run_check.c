/* The correctness command: a shell runs it after the program, and its exit status is the result.
 * Its output is stored, up to KEPT_BYTES. It is not printed, because standard output belongs to the
 * program. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/client/commands/run_cmd.h"
#include "collectors/run/shield.h"
#include "service/base/clock.h"
#include "service/base/text.h"

enum { KEPT_BYTES = 16 << 10, DEFAULT_LIMIT_S = 600, NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

/* Ctrl-C stops the check; the run is still recorded. */
static volatile sig_atomic_t interrupted;

static void
on_interrupt(int sig)
{
    (void)sig;
    interrupted = 1;
}

static _Noreturn void
in_child(const char *command, int out)
{
    int in = open("/dev/null", O_RDONLY);

    signal(SIGINT, SIG_DFL);
    lore_shield_restore();
    setpgid(0, 0); /* so that the time limit ends its children too */
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* Read until the end or until DEADLINE; false when that passed. */
static bool
read_output(int fd, int64_t deadline, struct lore_buf *text)
{
    char part[4096];

    for (;;) {
        int64_t left = (deadline - lore_ticks_us()) / 1000;
        struct pollfd p = {.fd = fd, .events = POLLIN};
        if (left <= 0 || interrupted)
            return false;
        if (poll(&p, 1, left > 60000 ? 60000 : (int)left) <= 0)
            continue;
        ssize_t n = read(fd, part, sizeof part);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            return true;
        if (n > 0)
            lore_buf_add(text, part, (size_t)n); /* past the ceiling it is dropped */
    }
}

/* Wait for PID and return its wait status. After DEADLINE kill it with all its children. */
static int
wait_for(pid_t pid, bool in_time, int64_t deadline, bool *timeout)
{
    int status = 0;

    while (in_time && waitpid(pid, &status, WNOHANG) == 0) {
        if (lore_ticks_us() >= deadline || interrupted)
            in_time = false;
        else
            (void)poll(NULL, 0, 5);
    }
    *timeout = !in_time;
    if (!in_time) {
        (void)kill(-pid, SIGKILL);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    return status;
}

static const char *
message(struct lore_run_job *j, const struct lore_buf *text, const char *first)
{
    const char *output = text->data ? text->data : "";
    size_t n = lore_utf8_prefix(output, strlen(output));

    return lore_format(j->cli->arena, "%s%s%.*s%s", first, *first && n ? "\n" : "", (int)n, output,
        text->over ? "…" : "");
}

static void
judge(struct lore_run_job *j, int status, bool timeout, int64_t limit_s, struct lore_buf *text)
{
    struct lore_correctness *c = &j->c.correctness;
    const char *first = "";

    c->set = true;
    if (interrupted) {
        c->status = LORE_C_NOT_CHECKED;
        first = "interrupted";
    } else if (timeout) {
        c->status = LORE_C_TIMEOUT;
        c->timeout_s = (struct lore_f64){true, (double)limit_s};
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        c->status = LORE_C_PASS;
    } else if (WIFEXITED(status) &&
               (WEXITSTATUS(status) == NOT_FOUND || WEXITSTATUS(status) == NOT_EXECUTABLE)) {
        c->status = LORE_C_NOT_CHECKED; /* a fault of the check, not of the kernel */
        first = "the check could not be run";
        j->trouble = true;
    } else {
        c->status = LORE_C_FAIL;
        first = WIFSIGNALED(status)
                    ? lore_format(j->cli->arena, "killed by signal %d", WTERMSIG(status))
                    : lore_format(j->cli->arena, "exit status %d", WEXITSTATUS(status));
    }
    c->message = message(j, text, first);
}

void
lore_run_check(struct lore_run_job *j)
{
    const char *limit = lore_args_get(j->args, "check-limit");
    struct lore_buf text = {.max = KEPT_BYTES};
    long long limit_s = DEFAULT_LIMIT_S;
    bool timeout = false;
    int ends[2];

    if (limit && lore_parse_i64(limit, "check-limit", &limit_s, NULL) != LORE_OK)
        limit_s = DEFAULT_LIMIT_S;
    j->c.correctness = (struct lore_correctness){.set = true, .status = LORE_C_NOT_CHECKED};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    lore_shield_set();
    int64_t deadline = lore_ticks_us() + limit_s * 1000000;
    struct sigaction on = {.sa_handler = on_interrupt}, old;
    interrupted = 0;
    sigaction(SIGINT, &on, &old);
    pid_t pid = fork();
    if (pid == 0)
        in_child(j->c.what.correctness, ends[1]);
    close(ends[1]);
    if (pid > 0) {
        bool in_time = read_output(ends[0], deadline, &text);
        int status = wait_for(pid, in_time, deadline, &timeout);
        judge(j, status, timeout, limit_s, &text);
    }
    sigaction(SIGINT, &old, NULL);
    close(ends[0]);
    lore_buf_free(&text);
}
