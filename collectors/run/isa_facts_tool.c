/* Runs a disassembler as a child in its own process group, so that its own children end with it. It
 * is spawned, not forked, because the client may have threads. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/host/child.h"
#include "collectors/run/isa_facts.h"
#include "collectors/run/shield.h"
#include "service/base/buf.h"
#include "service/base/clock.h"

static const char *
in_folder(struct lore_arena *arena, const char *folder, size_t n, const char *name)
{
    const char *path = lore_format(arena, "%.*s/%s", (int)n, folder, name);

    return n > 0 && folder[0] == '/' && access(path, X_OK) == 0 ? path : NULL;
}

static const char *
in_path(struct lore_arena *arena, const char *name)
{
    const char *path = getenv("PATH"), *found = NULL;

    for (const char *p = path; p && *p && !found; p += strspn(p, ":")) {
        size_t n = strcspn(p, ":");
        found = in_folder(arena, p, n, name);
        p += n;
    }
    return found;
}

static const char *
in_toolkits(struct lore_arena *arena, const char *name)
{
    static const struct {
        const char *variable, *rest; /* NULL: REST alone */
    } places[] = {{"CUDA_HOME", "/bin"}, {NULL, "/usr/local/cuda/bin"}, {"ROCM_PATH", "/llvm/bin"},
        {NULL, "/opt/rocm/llvm/bin"}};
    const char *found = NULL;

    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
        const char *root = places[i].variable ? getenv(places[i].variable) : "";
        const char *folder = lore_format(arena, "%s%s", root ? root : "", places[i].rest);
        if (root && (*root || !places[i].variable))
            found = in_folder(arena, folder, strlen(folder), name);
    }
    return found;
}

const char *
lore_isa_tool_find(struct lore_arena *arena, const char *name)
{
    const char *found = in_path(arena, name);

    return found ? found : in_toolkits(arena, name);
}

const char *
lore_isa_tool_of_toolkit(struct lore_arena *arena, const char *name)
{
    const char *found = in_toolkits(arena, name);

    return found ? found : in_path(arena, name);
}

/* Start a child that writes its output to pipe_fds[1]; -1 with *error set. */
static pid_t
start(const char *path, char *const *argv, const int pipe_fds[2], int *error)
{
    extern char **environ;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t plain;
    pid_t pid = -1;

    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attr);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, pipe_fds[1], 1);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    sigemptyset(&plain);
    sigaddset(&plain, SIGPIPE);
    sigaddset(&plain, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attr, &plain);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    *error = posix_spawn(&pid, path, &files, &attr, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attr);
    return *error == 0 ? pid : -1;
}

enum lore_status
lore_isa_tool_run(
    const char *path, char *const *argv, int seconds, struct lore_buf *out, struct lore_err *err)
{
    int64_t deadline = lore_ticks_us() + (int64_t)seconds * 1000000;
    int pipe_fds[2], error = 0, status = 0;

    if (pipe2(pipe_fds, O_CLOEXEC) != 0)
        return lore_fail(err, LORE_IO, "%s: %s", argv[0], strerror(errno));
    lore_shield_set(); /* if SIGCHLD were ignored, the kernel would discard the child's status */
    pid_t pid = start(path, argv, pipe_fds, &error);
    close(pipe_fds[1]);
    if (pid < 0) {
        close(pipe_fds[0]);
        return lore_fail(err, LORE_IO, "%s: %s", argv[0], strerror(error));
    }
    const char *wrong = lore_host_read(pipe_fds[0], deadline, out);
    close(pipe_fds[0]);
    if (wrong)
        kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (wrong)
        return lore_fail(err, LORE_IO, "%s %s", argv[0], wrong);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return lore_fail(err, LORE_IO, "%s ended with %s %d", argv[0],
            WIFEXITED(status) ? "status" : "signal",
            WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return LORE_OK;
}
