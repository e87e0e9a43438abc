/* What a program that was compiled with a newer glibc needs to run with 2.28, in place of functions
 * that came later. Linked into `warplore-portable` only; stubs.sh leaves the later ones out, so
 * what is missing here does not link. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Functions since 2.33, inline before. The kernel's struct stat is glibc's, and a file descriptor
 * with an empty name is fstat. */
int
fstatat(int fd, const char *restrict path, struct stat *restrict out, int flags)
{
    return (int)syscall(SYS_newfstatat, fd, path, out, flags);
}

int
stat(const char *restrict path, struct stat *restrict out)
{
    return fstatat(AT_FDCWD, path, out, 0);
}

int
lstat(const char *restrict path, struct stat *restrict out)
{
    return fstatat(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}

int
fstat(int fd, struct stat *out)
{
    return (int)syscall(SYS_fstat, fd, out);
}

/* The same by the names that SQLite's library was compiled with. On 64-bit hosts struct stat64 is
 * struct stat. */
_Static_assert(sizeof(struct stat64) == sizeof(struct stat), "a 64-bit host");

int
stat64(const char *restrict path, struct stat64 *restrict out)
{
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, out, 0);
}

int
lstat64(const char *restrict path, struct stat64 *restrict out)
{
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}

int
fstat64(int fd, struct stat64 *out)
{
    return (int)syscall(SYS_fstat, fd, out);
}

/* Since 2.32, and then it replaces this table, which no header declares any more. */
extern const char *const sys_sigabbrev[NSIG];

const char *
sigabbrev_np(int sig)
{
    return sig > 0 && sig < NSIG ? sys_sigabbrev[sig] : NULL;
}

/* From 2.34 on, the start-up object leaves the program's constructors to the C library; an older
 * one expects the program to call them. They note that they were called, or main does it. */
typedef void constructor(int argc, char **argv, char **environment);
extern constructor *__init_array_start[], *__init_array_end[];
int __real_main(int argc, char **argv, char **environment);
int __wrap_main(int argc, char **argv, char **environment);

static bool constructed;

__attribute__((constructor)) static void
note(void)
{
    constructed = true;
}

int
__wrap_main(int argc, char **argv, char **environment)
{
    bool due = !constructed;

    for (constructor **f = __init_array_start; due && f < __init_array_end; f++)
        (*f)(argc, argv, environment);
    return __real_main(argc, argv, environment);
}
