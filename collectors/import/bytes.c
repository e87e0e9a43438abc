/* Reads with pread, so that several readers may share one open file. */
#include "collectors/import/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum lore_status
lore_bytes_open(struct lore_bytes *b, struct lore_err *err)
{
    if (!b->disk)
        return LORE_OK;
    int fd = open(b->disk, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return lore_fail(
            err, errno == ENOENT ? LORE_NOTFOUND : LORE_IO, "%s: %s", b->disk, strerror(errno));
    b->disk = NULL;
    b->fd = fd;
    return LORE_OK;
}

static enum lore_status
read_file(int fd, off_t at, char *out, size_t n, size_t *got)
{
    while (*got < n) {
        ssize_t k = pread(fd, out + *got, n - *got, at + (off_t)*got);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return LORE_IO;
        if (k == 0)
            break;
        *got += (size_t)k;
    }
    return LORE_OK;
}

enum lore_status
lore_bytes_read(
    const struct lore_bytes *b, uint64_t at, char *out, size_t n, size_t *got, struct lore_err *err)
{
    uint64_t left = at < b->size ? b->size - at : 0;
    struct lore_bytes file = *b;

    *got = 0;
    if (left < n)
        n = (size_t)left;
    if (b->memory && n > 0)
        memcpy(out, b->memory + at, n);
    if (b->memory || n == 0) {
        *got = n;
        return LORE_OK;
    }
    enum lore_status status = lore_bytes_open(&file, err);
    if (status != LORE_OK)
        return status;
    if (read_file(file.fd, (off_t)(b->offset + at), out, n, got) != LORE_OK)
        status = lore_fail(
            err, LORE_IO, "%s: %s", b->disk ? b->disk : "temporary file", strerror(errno));
    if (b->disk)
        (void)close(file.fd);
    return status;
}
