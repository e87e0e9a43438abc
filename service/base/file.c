/* Files, directories and zstd. A file is written to a temporary file in the same directory, synced,
 * and renamed over the old one. So a reader, or a power cut, finds the old bytes or the new ones.
 * Not for growing files, and not a lock: of two writers the later rename wins. */
#include "service/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "service/base/xalloc.h"

enum {
    READ_CHUNK = 64 << 10,
    PACK_LEVEL = 1, /* higher levels take twice the time on records of a few KiB and save 5 % */
    WINDOW_LOG_MIN = 23, /* the window of zstd -19: 8 MiB */
    WINDOW_LOG_MAX = 27, /* the default limit of zstd: 128 MiB */
};

static enum lore_status
sys_fail(struct lore_err *err, const char *path, const char *doing)
{
    int why = errno;
    enum lore_status status = why == ENOENT ? LORE_NOTFOUND : LORE_IO;

    return lore_fail(err, status, "%s: %s%s", path, doing, strerror(why));
}

static enum lore_status
read_all(int fd, const char *path, struct lore_buf *out, struct lore_err *err)
{
    char *to;
    ssize_t n;

    for (;;) {
        size_t max = lore_buf_max(out), room = max > out->len ? max - out->len : 0;
        size_t want = room < READ_CHUNK ? room : READ_CHUNK;
        char probe;

        to = lore_buf_reserve(out, want);
        /* at the ceiling one more byte tells "just fits" from "too big" */
        n = want > 0 && to ? read(fd, to, want) : read(fd, &probe, 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return sys_fail(err, path, "");
        out->over = out->over || (n > 0 && want == 0);
        if (n == 0 || out->over)
            return lore_buf_status(out, path, err);
        out->len += (size_t)n;
        out->data[out->len] = '\0';
    }
}

enum lore_status
lore_file_read(const char *path, struct lore_buf *out, struct lore_err *err)
{
    size_t before = out->len;
    enum lore_status status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return sys_fail(err, path, "");
    status = read_all(fd, path, out, err);
    close(fd);
    if (status != LORE_OK && out->data) {
        out->len = before;
        out->data[before] = '\0';
    }
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

static bool
sync_dir(const char *path)
{
    char dir[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t n = !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);
    bool ok;
    int fd;

    snprintf(dir, sizeof dir, "%.*s", n > 0 ? (int)n : 1, n > 0 ? path : ".");
    fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ok = fsync(fd) == 0;
    close(fd);
    return ok;
}

enum lore_status
lore_file_write(const char *path, const void *p, size_t n, int mode, struct lore_err *err)
{
    char temp[PATH_MAX];
    enum lore_status status;
    bool ok;
    int fd;

    if ((size_t)snprintf(temp, sizeof temp, "%s.XXXXXX", path) >= sizeof temp) {
        errno = ENAMETOOLONG;
        return sys_fail(err, path, "");
    }
    fd = mkostemp(temp, O_CLOEXEC);
    if (fd < 0)
        return sys_fail(err, path, "");
    ok = fchmod(fd, (mode_t)mode) == 0 && write_all(fd, p, n) && fsync(fd) == 0;
    if (close(fd) != 0)
        ok = false;
    if (!ok || rename(temp, path) != 0) {
        status = sys_fail(err, path, "");
        unlink(temp);
        return status;
    }
    return sync_dir(path) ? LORE_OK : sys_fail(err, path, "syncing its directory: ");
}

static bool
make_dir(const char *path, int mode)
{
    struct stat sb;

    if (mkdir(path, (mode_t)mode) == 0) /* a parent may be closed to reading */
        return sync_dir(path) || errno == EACCES;
    if (errno != EEXIST || stat(path, &sb) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(sb.st_mode);
}

enum lore_status
lore_mkdirs(const char *path, int mode, struct lore_err *err)
{
    char part[PATH_MAX];
    size_t n = strlen(path), i;

    if (n == 0)
        return lore_fail(err, LORE_INVALID, "an empty name is no directory");
    if (n >= sizeof part) {
        errno = ENAMETOOLONG;
        return sys_fail(err, path, "");
    }
    memcpy(part, path, n + 1);
    for (i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        part[i] = '\0';
        if (!make_dir(part, mode))
            return sys_fail(err, part, "");
        part[i] = path[i];
    }
    return LORE_OK;
}

static pthread_key_t packer_key;
static pthread_once_t packer_once = PTHREAD_ONCE_INIT;

static void
free_packer(void *z)
{
    (void)ZSTD_freeCCtx(z);
}

static void
make_packer_key(void)
{
    if (pthread_key_create(&packer_key, free_packer) != 0)
        lore_nomem("zstd", 0);
}

/* The thread's own context: making one takes longer than packing a few KiB. */
static ZSTD_CCtx *
packer(void)
{
    ZSTD_CCtx *z;

    (void)pthread_once(&packer_once, make_packer_key);
    z = pthread_getspecific(packer_key);
    if (!z && (z = ZSTD_createCCtx()))
        (void)pthread_setspecific(packer_key, z);
    if (!z)
        lore_nomem("zstd", 128 << 10);
    return z;
}

enum lore_status
lore_zstd_pack(const void *p, size_t n, struct lore_buf *out, struct lore_err *err)
{
    size_t bound = ZSTD_compressBound(n), size;
    char *packed;

    if (ZSTD_isError(bound))
        return lore_fail(err, LORE_TOOBIG, "zstd: %zu bytes are more than it can pack", n);
    packed = lore_xrealloc(NULL, bound);
    size = ZSTD_compressCCtx(packer(), packed, bound, p, n, PACK_LEVEL);
    if (ZSTD_isError(size)) {
        lore_xfree(packed);
        return lore_fail(err, LORE_IO, "zstd: %s", ZSTD_getErrorName(size));
    }
    lore_buf_add(out, packed, size);
    lore_xfree(packed);
    return lore_buf_status(out, "packed bytes", err);
}

/* The largest window to accept: the ceiling of OUT, within the usual range of zstd. */
static int
window_log(const struct lore_buf *out)
{
    size_t max = lore_buf_max(out);
    int log = WINDOW_LOG_MIN;

    while (log < WINDOW_LOG_MAX && ((size_t)1 << log) < max)
        log++;
    return log;
}

static enum lore_status
unpack_stream(ZSTD_DStream *z, const void *p, size_t n, struct lore_buf *out, struct lore_err *err)
{
    ZSTD_inBuffer in = {p, n, 0};
    size_t left = 1, chunk = ZSTD_DStreamOutSize();
    char *piece = lore_xrealloc(NULL, chunk);
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && (in.pos < n || left > 0)) {
        ZSTD_outBuffer to = {piece, chunk, 0};
        size_t from = in.pos;

        left = ZSTD_decompressStream(z, &to, &in);
        if (ZSTD_isError(left)) {
            status = lore_fail_at(
                err, LORE_INVALID, "invalid_zstd", "", "zstd: %s", ZSTD_getErrorName(left));
        } else if (to.pos == 0 && in.pos == from) {
            if (left > 0)
                status =
                    lore_fail_at(err, LORE_INVALID, "invalid_zstd", "", "zstd: bytes are missing");
            break;
        } else {
            lore_buf_add(out, piece, to.pos);
            status = lore_buf_status(out, "unpacked bytes", err);
        }
    }
    lore_xfree(piece);
    return status;
}

size_t
lore_zstd_size(const void *p, size_t n)
{
    unsigned long long size = ZSTD_getFrameContentSize(p, n);

    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || (size_t)size != size)
        return n;
    return (size_t)size;
}

enum lore_status
lore_zstd_unpack(const void *p, size_t n, struct lore_buf *out, struct lore_err *err)
{
    size_t before = out->len;
    enum lore_status status;
    ZSTD_DStream *z = ZSTD_createDStream();

    if (!z)
        lore_nomem("zstd", 128 << 10);
    (void)ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, window_log(out));
    status = unpack_stream(z, p, n, out, err);
    ZSTD_freeDStream(z);
    if (status != LORE_OK && out->data) {
        out->len = before;
        out->data[before] = '\0';
    }
    return status;
}
