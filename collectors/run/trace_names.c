/* Makes kernel names readable. The demangler is in the system's C++ library, which is opened if
 * present, because this C program must not require it. Without it, or when it fails, a name is
 * shown as it is.
 *
 * A mangled name can refer back to its own parts, and each part to two earlier ones. So a name can
 * expand exponentially, and the library has no limit. Names with many back-references are demangled
 * in a child process that may take TIME_MS. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/run/trace.h"
#include "service/base/buf.h"
#include "service/base/text.h"

/* REFERENCES back-references expand a name at most 3 ** (REFERENCES / 3) times. After GIVE_UP
 * timeouts no more such names are demangled. */
enum { DEMANGLE_MAX = 32 << 10, READABLE_MAX = 256 << 10, REFERENCES = 24, TIME_MS = 200 };
enum { GIVE_UP = 4 };

typedef char *(*demangler)(const char *, char *, size_t *, int *);

static demangler
find_demangler(void)
{
    static demangler found;
    static bool looked;

    if (!looked) {
        void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
        looked = true;
        if (library)
            *(void **)&found = dlsym(library, "__cxa_demangle");
    }
    return found;
}

/* Whether SYMBOL may have more than REFERENCES back-references ("S_", "S0_", "T_" …). Other letters
 * S and T can only raise the count. */
static bool
refers_often(const char *symbol)
{
    size_t n = 0;

    for (const char *p = strpbrk(symbol, "ST"); p && n <= REFERENCES; p = strpbrk(p + 1, "ST"))
        n++;
    return n > REFERENCES;
}

/* In the child process: write the demangled name to FD. */
static _Noreturn void
demangle_into(int fd, const char *symbol)
{
    struct itimerval time = {.it_value = {.tv_usec = TIME_MS * 1000}};
    sigset_t none;
    int status = -1;

    sigemptyset(&none);
    (void)signal(SIGALRM, SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)setitimer(ITIMER_REAL, &time, NULL);
    const char *text = find_demangler()(symbol, NULL, NULL, &status);
    size_t n = status == 0 && text ? strlen(text) : 0;
    while (n > 0 && n <= READABLE_MAX) {
        ssize_t put = write(fd, text, n);
        if (put <= 0)
            break;
        text += put;
        n -= (size_t)put;
    }
    _exit(n == 0 ? 0 : 1);
}

/* Demangle in a child process into OUT, which stays empty on failure or timeout. */
static void
demangle_in_child(const char *symbol, struct lore_buf *out)
{
    static int too_long;
    int ends[2], status = -1;
    char part[4096];
    ssize_t got;

    if (too_long == GIVE_UP || pipe2(ends, O_CLOEXEC) != 0)
        return;
    pid_t child = fork();
    if (child == 0)
        demangle_into(ends[1], symbol);
    close(ends[1]);
    while (
        child > 0 && ((got = read(ends[0], part, sizeof part)) > 0 || (got < 0 && errno == EINTR)))
        lore_buf_add(out, part, got > 0 ? (size_t)got : 0);
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    too_long += child > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        lore_buf_reset(out);
}

static void
demangle_here(const char *symbol, struct lore_buf *out)
{
    int status = -1;
    char *text = find_demangler()(symbol, NULL, NULL, &status);

    if (status == 0 && text)
        lore_buf_puts(out, text);
    free(text);
}

const char *
lore_trace_readable(struct lore_arena *arena, const char *symbol)
{
    struct lore_buf text = {.max = READABLE_MAX};
    const char *out = symbol;

    if (!lore_starts(symbol, "_Z") || strlen(symbol) > DEMANGLE_MAX || !find_demangler())
        return symbol;
    if (refers_often(symbol))
        demangle_in_child(symbol, &text);
    else
        demangle_here(symbol, &text);
    if (text.len > 0 && lore_buf_status(&text, "a name", NULL) == LORE_OK &&
        lore_utf8_valid(text.data, text.len))
        out = lore_strndup(arena, text.data, text.len);
    lore_buf_free(&text);
    return out;
}
