/* Unpacks gzip with zlib from memory to a buffer with a ceiling. One kilobyte can unpack to a
 * megabyte, so the limit applies to the output. A file may hold several members. Other bytes after
 * the last member are an error: they suggest a file that was truncated and then continued. */
#include "collectors/import/gzip.h"

#include <stdint.h>

#define ZLIB_CONST /* input is read only */
#include <zlib.h>

enum {
    BLOCK = 64 << 10,
    GZIP_ONLY = 16 + MAX_WBITS, /* tells zlib to use the header and checksum of gzip */
    MEMORY = 8                  /* zlib's default */
};

bool
lore_gzip_is(const char *bytes, size_t n)
{
    return n >= 3 && (unsigned char)bytes[0] == 0x1f && (unsigned char)bytes[1] == 0x8b &&
           bytes[2] == Z_DEFLATED;
}

static enum lore_status
unpack_block(z_stream *z, struct lore_buf *out, int *code, struct lore_err *err)
{
    unsigned char block[BLOCK / 8];

    z->next_out = block;
    z->avail_out = sizeof block;
    *code = inflate(z, Z_NO_FLUSH);
    lore_buf_add(out, block, sizeof block - z->avail_out);
    if (out->over)
        return lore_fail(
            err, LORE_TOOBIG, "longer than %zu MiB when unpacked", lore_buf_max(out) >> 20);
    if (*code == Z_OK || *code == Z_STREAM_END)
        return LORE_OK;
    if (*code == Z_BUF_ERROR)
        return lore_fail(err, LORE_INVALID, "gzip: the file is truncated");
    return lore_fail(err, LORE_INVALID, "gzip: %s", z->msg ? z->msg : "not readable");
}

enum lore_status
lore_gzip_unpack(const char *bytes, size_t n, struct lore_buf *out, struct lore_err *err)
{
    z_stream z = {0};
    enum lore_status status = LORE_OK;
    int code = Z_OK;

    if (n > UINT32_MAX)
        return lore_fail(err, LORE_TOOBIG, "gzip: longer than 4 GiB");
    if (inflateInit2(&z, GZIP_ONLY) != Z_OK)
        return lore_fail(err, LORE_IO, "zlib: no memory");
    z.next_in = (const Bytef *)bytes;
    z.avail_in = (uInt)n;
    while (status == LORE_OK) {
        status = unpack_block(&z, out, &code, err);
        if (status != LORE_OK || code != Z_STREAM_END)
            continue;
        if (z.avail_in == 0)
            break;
        if (inflateReset(&z) != Z_OK)
            status = lore_fail(err, LORE_IO, "zlib: cannot unpack the next gzip member");
    }
    (void)inflateEnd(&z);
    return status;
}

enum lore_status
lore_gzip(const char *bytes, size_t n, struct lore_buf *out, struct lore_err *err)
{
    unsigned char block[BLOCK / 8];
    z_stream z = {0};
    int code = Z_OK;

    if (n > UINT32_MAX)
        return lore_fail(err, LORE_TOOBIG, "gzip: longer than 4 GiB");
    if (deflateInit2(
            &z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_ONLY, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return lore_fail(err, LORE_IO, "zlib: no memory");
    z.next_in = (const Bytef *)bytes;
    z.avail_in = (uInt)n;
    while (code == Z_OK && !out->over) {
        z.next_out = block;
        z.avail_out = sizeof block;
        code = deflate(&z, Z_FINISH);
        lore_buf_add(out, block, sizeof block - z.avail_out);
    }
    (void)deflateEnd(&z);
    if (out->over)
        return lore_fail(
            err, LORE_TOOBIG, "longer than %zu MiB when compressed", lore_buf_max(out) >> 20);
    return code == Z_STREAM_END ? LORE_OK
                                : lore_fail(err, LORE_IO, "zlib: compression failed (%d)", code);
}
