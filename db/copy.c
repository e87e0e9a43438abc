/* A database is copied page by page from one read snapshot. SQLite starts such a copy again when
 * its source changes; a snapshot does not, so the copy ends beside any writer. The log cannot be
 * reset meanwhile, and grows by what is stored.
 *
 * A gentle copy has its bytes written out a few MiB at a time. One sync of a whole database would
 * hold up the sync of the writer's next commit, on most file systems. */
#include "db/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "db/files.h"
#include "db/internal.h"

#define STEP_PAGES 256     /* 1 MiB: about a millisecond */
#define SYNC_STEPS 8       /* steps between two syncs of a gentle copy */
#define PIECE (256u << 10) /* bytes of a file that are read at once */
#define PAUSE_NS 1000000   /* after each step of a gentle copy */

static enum lore_status
failed(const char *path, struct lore_err *err)
{
    int why = errno;

    return lore_fail(err,
        why == ENOENT   ? LORE_NOTFOUND
        : why == ENOSPC ? LORE_BUSY
                        : LORE_IO,
        "%s: %s", path, strerror(why));
}

static enum lore_status
create(const char *path, int *fd, struct lore_err *err)
{
    *fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    return *fd >= 0 ? LORE_OK : failed(path, err);
}

enum lore_status
lore_copy_sync(const char *path, struct lore_err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool done = fd >= 0 && fsync(fd) == 0;
    enum lore_status status = done ? LORE_OK : failed(path, err);

    if (fd >= 0)
        close(fd);
    return status;
}

static int
step_all(struct lore_db *db, sqlite3_backup *b, bool gently, int fd)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    int rc;

    for (int n = 1; (rc = sqlite3_backup_step(b, gently ? STEP_PAGES : -1)) == SQLITE_OK; n++) {
        if (n % SYNC_STEPS == 0)
            (void)fdatasync(fd);
        if (db->stop && atomic_load(db->stop))
            return SQLITE_INTERRUPT;
        nanosleep(&pause, NULL);
    }
    return rc;
}

/* The copy says of itself that it has a write-ahead log, as the source does. Without one it is a
 * single file, and can be read where nothing can be written. */
static enum lore_status
copy_pages(struct lore_db *db, struct lore_db *copy, bool gently, int fd, struct lore_err *err)
{
    enum lore_status status =
        lore_db_exec(copy, "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF", err);
    sqlite3_backup *b;
    int rc;

    if (status != LORE_OK)
        return status;
    b = sqlite3_backup_init(copy->handle, "main", db->handle, "main");
    rc = b != NULL ? step_all(db, b, gently, fd) : sqlite3_errcode(copy->handle);
    sqlite3_backup_finish(b);
    if (rc != SQLITE_DONE)
        return lore_db_fail(copy, rc, err);
    return lore_db_exec(copy, "PRAGMA journal_mode=DELETE", err);
}

enum lore_status
lore_copy_database(struct lore_db *db, const char *path, bool gently, struct lore_err *err)
{
    struct lore_db *copy = NULL;
    int fd;
    enum lore_status status = create(path, &fd, err);

    if (status != LORE_OK)
        return status;
    status = lore_db_open_file(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, &copy, err);
    if (status == LORE_OK)
        status = copy_pages(db, copy, gently, fd, err);
    lore_db_close(copy);
    if (status == LORE_OK && fsync(fd) != 0)
        status = failed(path, err);
    close(fd);
    return status;
}

static bool
write_all(int fd, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, p, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        p += done;
        n -= (size_t)done;
    }
    return true;
}

/* Copy from IN to OUT (-1: nowhere), and hash. PATH: for errors. */
static enum lore_status
copy_bytes(
    int in, int out, const char *path, struct lore_hasher *h, int64_t *bytes, struct lore_err *err)
{
    LORE_BUF piece = {0};
    char *p = lore_buf_reserve(&piece, PIECE);
    ssize_t n;

    for (*bytes = 0; (n = read(in, p, PIECE)) != 0; *bytes += n > 0 ? n : 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 || (out >= 0 && !write_all(out, p, (size_t)n)))
            return failed(path, err);
        lore_hash_add(h, p, (size_t)n);
    }
    return out < 0 || fsync(out) == 0 ? LORE_OK : failed(path, err);
}

enum lore_status
lore_copy_file(const char *from, const char *to, int64_t *bytes, char hash[LORE_HASH_HEX],
    struct lore_err *err)
{
    struct lore_hasher h;
    unsigned char sum[LORE_HASH_BYTES];
    int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), out = -1;
    enum lore_status status = LORE_OK;

    if (in < 0)
        return failed(from, err);
    if (to)
        status = create(to, &out, err);
    lore_hash_begin(&h);
    if (status == LORE_OK)
        status = copy_bytes(in, out, to ? to : from, &h, bytes, err);
    lore_hash_end(&h, sum);
    lore_hex(sum, sizeof sum, hash);
    close(in);
    if (out >= 0)
        close(out);
    return status;
}
