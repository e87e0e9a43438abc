/* Unpacks bzip2 with libbz2, from memory to a buffer with a ceiling, because a few bytes unpack to
 * gigabytes. A file may hold several streams; parallel compressors write them. Other bytes after
 * the last stream are an error: they suggest a file that was truncated and then continued. */
#include "collectors/import/bzip2.h"

#include <stdint.h>
#include <string.h>

#include <bzlib.h>

bool
lore_bzip2_is(const char *bytes, size_t n)
{
    return n >= 4 && memcmp(bytes, "BZh", 3) == 0 && bytes[3] >= '1' && bytes[3] <= '9';
}

static enum lore_status
unpack_block(bz_stream *z, struct lore_buf *out, int *code, struct lore_err *err)
{
    char block[8192];
    unsigned before = z->avail_in;

    z->next_out = block;
    z->avail_out = sizeof block;
    *code = BZ2_bzDecompress(z);
    lore_buf_add(out, block, sizeof block - z->avail_out);
    if (out->over)
        return lore_fail(
            err, LORE_TOOBIG, "longer than %zu MiB when unpacked", lore_buf_max(out) >> 20);
    if (*code == BZ_STREAM_END)
        return LORE_OK;
    if (*code != BZ_OK)
        return lore_fail(err, LORE_INVALID, "bzip2: the file is damaged (%d)", *code);
    /* without progress on input or output, the stream is truncated */
    if (z->avail_in == before && z->avail_out == sizeof block)
        return lore_fail(err, LORE_INVALID, "bzip2: the file is truncated");
    return LORE_OK;
}

/* Unpack one stream and advance *bytes past it. */
static enum lore_status
one_stream(const char **bytes, unsigned *n, struct lore_buf *out, struct lore_err *err)
{
    bz_stream z = {.avail_in = *n};
    enum lore_status status = LORE_OK;
    int code = BZ_OK;

    if (BZ2_bzDecompressInit(&z, 0, 0) != BZ_OK)
        return lore_fail(err, LORE_IO, "bzip2: no memory");
    z.next_in = (char *)(uintptr_t)*bytes; /* not written to */
    while (status == LORE_OK && code != BZ_STREAM_END)
        status = unpack_block(&z, out, &code, err);
    *bytes += *n - z.avail_in;
    *n = z.avail_in;
    (void)BZ2_bzDecompressEnd(&z);
    return status;
}

enum lore_status
lore_bzip2_unpack(const char *bytes, size_t n, struct lore_buf *out, struct lore_err *err)
{
    unsigned n_left = (unsigned)n;
    enum lore_status status = LORE_OK;

    if (n > UINT32_MAX)
        return lore_fail(err, LORE_TOOBIG, "bzip2: longer than 4 GiB");
    if (n == 0)
        return lore_fail(err, LORE_INVALID, "bzip2: the file is empty");
    while (status == LORE_OK && n_left > 0)
        status = one_stream(&bytes, &n_left, out, err);
    return status;
}
