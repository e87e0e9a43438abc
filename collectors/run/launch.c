/* fork and exec with a close-on-exec pipe: when exec fails, its errno comes back on the pipe, so
 * that a missing program is distinguished from one that exits with 127. The environment is made
 * before fork, because a thread that samples clocks may be running and the child may then call
 * nothing that takes a lock. */
#include "collectors/run/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/run/shield.h"
#include "service/base/clock.h"

enum { TICK_MS = 200, BLIND_MS = 10 };

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { N_PASSED = sizeof passed_on / sizeof *passed_on };

/* The process that the handler passes signals to; 0: none. */
static volatile sig_atomic_t child_pid;

static void
pass_on(int sig, siginfo_t *info, void *context)
{
    (void)context;
    /* the terminal's own signals (SI_KERNEL) went to the whole group already */
    if (child_pid > 0 && info->si_code <= 0)
        (void)kill((pid_t)child_pid, sig);
}

struct signals {
    struct sigaction old[N_PASSED];
    sigset_t mask;
};

static void
set_signals(struct signals *s)
{
    struct sigaction on = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigset_t block;

    sigemptyset(&block);
    sigemptyset(&on.sa_mask);
    for (size_t i = 0; i < N_PASSED; i++)
        sigaddset(&block, passed_on[i]);
    /* blocked until the child exists: a signal in between must not be lost */
    pthread_sigmask(SIG_BLOCK, &block, &s->mask);
    for (size_t i = 0; i < N_PASSED; i++) {
        sigaction(passed_on[i], NULL, &s->old[i]);
        if (s->old[i].sa_handler != SIG_IGN) /* nohup: the child ignores it too */
            sigaction(passed_on[i], &on, NULL);
    }
}

static void
reset_signals(const struct signals *s)
{
    for (size_t i = 0; i < N_PASSED; i++)
        sigaction(passed_on[i], &s->old[i], NULL);
    pthread_sigmask(SIG_SETMASK, &s->mask, NULL);
}

static _Noreturn void
in_child(
    const struct lore_launch *l, char *const *env, const struct signals *signals, int status_pipe)
{
    int wrong = 0;

    for (int fd = 0; l->quiet && fd < 3 && wrong == 0; fd++) {
        int null = open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY);
        if (null < 0 || (null != fd && (dup2(null, fd) < 0 || close(null) != 0)))
            wrong = errno;
    }
    reset_signals(signals);
    lore_shield_restore();
    if (wrong == 0) {
        execvpe(l->argv[0], l->argv, env);
        wrong = errno;
    }
    (void)!write(status_pipe, &wrong, sizeof wrong);
    _exit(127);
}

/* The errno of a failed exec; 0 when the program runs. */
static int
read_errno(int fd)
{
    int wrong = 0;
    ssize_t n;

    while ((n = read(fd, &wrong, sizeof wrong)) < 0 && errno == EINTR)
        continue;
    return n == (ssize_t)sizeof wrong ? wrong : 0;
}

static void
wait_for(pid_t pid, const struct lore_launch *l, int64_t start, int *status, struct rusage *usage)
{
    int fd = l->tick ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
    int64_t next = start + TICK_MS * 1000;

    while (wait4(pid, status, l->tick ? WNOHANG : 0, usage) != pid) {
        if (!l->tick)
            continue;
        if (fd >= 0) {
            struct pollfd p = {.fd = fd, .events = POLLIN};
            (void)poll(&p, 1, TICK_MS);
        } else { /* a kernel without pidfd_open */
            (void)poll(NULL, 0, BLIND_MS);
        }
        int64_t now = lore_ticks_us();
        if (now >= next) {
            l->tick(l->ctx, now - start);
            next = now + TICK_MS * 1000;
        }
    }
    if (fd >= 0)
        close(fd);
}

static enum lore_status
not_started(const struct lore_launch *l, int wrong, struct lore_err *err)
{
    const char *app = l->argv[0];

    if (wrong == ENOENT || wrong == ENOTDIR) {
        enum lore_status status =
            lore_fail_at(err, LORE_NOTFOUND, "app_not_found", "", "%.180s: not found", app);
        if (strchr(app, '/')) /* the file may exist while its interpreter does not */
            lore_err_hint(err, "if the file exists, the interpreter in its first line is missing");
        else
            lore_err_hint(err, "looked in PATH; for a file in this folder write ./%.180s", app);
        return status;
    }
    if (wrong == EACCES || wrong == ENOEXEC || wrong == EISDIR) {
        enum lore_status status = lore_fail_at(err, LORE_INVALID, "app_not_executable", "",
            "%.180s: not executable: %s", app, strerror(wrong));
        lore_err_hint(err, "chmod +x, or name the interpreter: python3 %.180s", app);
        return status;
    }
    return lore_fail_at(err, LORE_IO, "app_not_started", "", "%.180s: %s", app, strerror(wrong));
}

static void
keep_result(struct lore_launch_result *out, int status, const struct rusage *u)
{
    out->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    out->exit_status = out->signal ? 128 + out->signal : WEXITSTATUS(status);
    out->user_us = (int64_t)u->ru_utime.tv_sec * 1000000 + u->ru_utime.tv_usec;
    out->system_us = (int64_t)u->ru_stime.tv_sec * 1000000 + u->ru_stime.tv_usec;
}

static enum lore_status
run(const struct lore_launch *l, char *const *env, struct lore_launch_result *out,
    struct lore_err *err)
{
    struct rusage usage = {0};
    struct signals signals;
    int ends[2], status = 0, wrong;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return lore_fail(err, LORE_IO, "pipe: %s", strerror(errno));
    set_signals(&signals);
    out->started_at_us = lore_now_us();
    int64_t start = lore_ticks_us();
    pid_t pid = fork();
    if (pid == 0)
        in_child(l, env, &signals, ends[1]);
    wrong = pid < 0 ? errno : 0;
    close(ends[1]);
    child_pid = pid > 0 ? pid : 0;
    pthread_sigmask(SIG_SETMASK, &signals.mask, NULL);
    if (pid > 0) {
        wrong = read_errno(ends[0]);
        wait_for(pid, l, start, &status, &usage);
    }
    child_pid = 0;
    out->wall_us = lore_ticks_us() - start;
    reset_signals(&signals);
    close(ends[0]);
    if (wrong != 0)
        return not_started(l, wrong, err);
    out->started = true;
    keep_result(out, status, &usage);
    return LORE_OK;
}

enum lore_status
lore_launch_run(const struct lore_launch *l, struct lore_launch_result *out, struct lore_err *err)
{
    struct lore_arena arena = {0};
    char *const *env = NULL;

    memset(out, 0, sizeof *out);
    lore_shield_set();
    enum lore_status status =
        lore_launch_env(&l->capture, l->argv[0], &arena, &env, &out->other_library, err);
    if (status == LORE_OK)
        status = run(l, env, out, err);
    lore_arena_free(&arena);
    return status;
}
