/* Folders "warplore-run-XXXXXX". A lock on the file `lock` marks a folder in use; the kernel
 * releases it however the process ends. */
#include "collectors/run/rundir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "service/base/text.h"

#define PREFIX "warplore-run-"
enum { YOUNG_S = 60, DEEPEST = 4 };

static const char *
base(void)
{
    const char *tmp = getenv("TMPDIR");
    return tmp && *tmp == '/' ? tmp : "/tmp";
}

/* Everything in NAME of DIR, then NAME; links are removed, not followed. */
static void
remove_tree(int dir, const char *name, int depth)
{
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *e;

    while (d && (e = readdir(d))) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        if (unlinkat(dirfd(d), e->d_name, 0) != 0 && depth > 0)
            remove_tree(dirfd(d), e->d_name, depth - 1);
    }
    if (d)
        closedir(d);
    else if (fd >= 0)
        close(fd);
    (void)unlinkat(dir, name, AT_REMOVEDIR);
}

/* Whether NAME is a folder of ours whose run is dead. */
static bool
is_dead(int dir, const char *name)
{
    struct stat sb;
    bool dead = false;

    /* a young one may have no lock yet */
    if (fstatat(dir, name, &sb, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(sb.st_mode) ||
        sb.st_uid != geteuid() || time(NULL) - sb.st_mtime < YOUNG_S)
        return false;
    int sub = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int lock = sub >= 0 ? openat(sub, "lock", O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (lock >= 0)
        dead = flock(lock, LOCK_EX | LOCK_NB) == 0;
    else
        dead = sub >= 0 && errno == ENOENT;
    if (lock >= 0)
        close(lock);
    if (sub >= 0)
        close(sub);
    return dead;
}

static void
remove_dead_runs(void)
{
    DIR *d = opendir(base());
    struct dirent *e;

    while (d && (e = readdir(d))) {
        if (lore_starts(e->d_name, PREFIX) && is_dead(dirfd(d), e->d_name))
            remove_tree(dirfd(d), e->d_name, DEEPEST);
    }
    if (d)
        closedir(d);
}

enum lore_status
lore_rundir_make(struct lore_arena *arena, struct lore_rundir *out, struct lore_err *err)
{
    char *path = lore_format(arena, "%s/" PREFIX "XXXXXX", base());

    remove_dead_runs();
    if (!mkdtemp(path))
        return lore_fail(err, LORE_IO, "%s: %s", base(), strerror(errno));
    int lock =
        open(lore_format(arena, "%s/lock", path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) != 0) {
        enum lore_status status = lore_fail(err, LORE_IO, "%s/lock: %s", path, strerror(errno));
        if (lock >= 0)
            close(lock);
        remove_tree(AT_FDCWD, path, DEEPEST);
        return status;
    }
    out->path = path;
    out->lock = lock;
    return LORE_OK;
}

enum lore_status
lore_rundir_sub(const struct lore_rundir *d, const char *name, struct lore_arena *arena,
    const char **path, struct lore_err *err)
{
    const char *sub = lore_format(arena, "%s/%s", d->path, name);

    if (mkdir(sub, 0700) != 0 && errno != EEXIST)
        return lore_fail(err, LORE_IO, "%s: %s", sub, strerror(errno));
    *path = sub;
    return LORE_OK;
}

void
lore_rundir_remove(struct lore_rundir *d)
{
    if (!d->path)
        return;
    remove_tree(AT_FDCWD, d->path, DEEPEST);
    close(d->lock);
    *d = (struct lore_rundir){0};
}

void
lore_rundir_size(const char *path, uint64_t *bytes, unsigned *files)
{
    DIR *d = opendir(path);
    struct dirent *e;
    struct stat sb;

    *bytes = 0;
    *files = 0;
    while (d && (e = readdir(d))) {
        const char *end = strrchr(e->d_name, '.');
        if (!end || strcmp(end, ".capture") != 0 ||
            fstatat(dirfd(d), e->d_name, &sb, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(sb.st_mode))
            continue;
        *bytes += (uint64_t)sb.st_size;
        ++*files;
    }
    if (d)
        closedir(d);
}

bool
lore_rundir_full(const struct lore_rundir *d)
{
    struct statvfs fs;

    if (!d->path || statvfs(d->path, &fs) != 0)
        return false;
    return fs.f_bavail == 0 || (fs.f_files > 0 && fs.f_favail == 0);
}
