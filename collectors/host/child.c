/* fork without exec: the child shares our code, and so needs no program of its own. */
#include "collectors/host/child.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "service/base/clock.h"

enum { OPEN_S = 20, TEXT_MAX = 4096 };

static _Noreturn void
in_child(bool (*f)(int fd, void *ctx), void *ctx, int fd)
{
    int null = open("/dev/null", O_RDWR);

    for (int i = 0; null >= 0 && i < 3; i++)
        (void)dup2(null, i);
    _exit(f(fd, ctx) ? 0 : 1);
}

const char *
lore_host_read(int fd, int64_t deadline, struct lore_buf *out)
{
    char piece[16 << 10];

    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int64_t left = deadline - lore_ticks_us();
        if (left <= 0)
            return "took too long";
        int ready = poll(&p, 1, (int)(left / 1000) + 1);
        if (ready < 0 && errno != EINTR)
            return "could not be waited for";
        if (ready <= 0)
            continue;
        ssize_t n = read(fd, piece, sizeof piece);
        if (n == 0)
            return NULL;
        if (n < 0 && errno != EINTR)
            return "could not be read";
        if (n > 0)
            lore_buf_add(out, piece, (size_t)n);
        if (out->over)
            return "printed too much";
    }
}

enum lore_status
lore_host_child(bool (*f)(int fd, void *ctx), void *ctx, int seconds, struct lore_buf *out,
    struct lore_err *err)
{
    int64_t deadline = lore_ticks_us() + (int64_t)seconds * 1000000;
    int ends[2], status = 0;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return lore_fail(err, LORE_IO, "pipe: %s", strerror(errno));
    pid_t pid = fork();
    if (pid == 0)
        in_child(f, ctx, ends[1]);
    close(ends[1]);
    const char *wrong = pid > 0 ? lore_host_read(ends[0], deadline, out) : NULL;
    close(ends[0]);
    if (pid < 0)
        return lore_fail(err, LORE_IO, "fork: %s", strerror(errno));
    if (wrong)
        (void)kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (wrong)
        return lore_fail(err, LORE_IO, "it %s", wrong);
    if (WIFSIGNALED(status))
        return lore_fail(err, LORE_IO, "it ended with signal %d", WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? LORE_OK : lore_fail(err, LORE_IO, "it did not succeed");
}

static bool
open_library(int fd, void *path)
{
    if (dlopen(path, RTLD_NOW | RTLD_LOCAL))
        return true;
    (void)dprintf(fd, "%s", dlerror());
    return false;
}

enum lore_status
lore_host_opens(const char *path, struct lore_err *err)
{
    struct lore_buf why = {.max = TEXT_MAX};
    struct lore_err failed = {0};
    char copy[4096];

    (void)snprintf(copy, sizeof copy, "%s", path);
    enum lore_status status = lore_host_child(open_library, copy, OPEN_S, &why, &failed);
    if (status != LORE_OK || why.len > 0) /* where SIGCHLD is ignored there is no exit status */
        status = lore_fail_at(err, LORE_UNSUPPORTED, "library_does_not_open", "", "%.400s",
            why.len > 0 ? why.data : failed.msg);
    lore_buf_free(&why);
    return status;
}
