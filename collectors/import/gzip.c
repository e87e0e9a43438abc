/* Compresses with zlib, block by block, and stops at the ceiling: most long files do not fit. */
#include "collectors/import/gzip.h"

#include "collectors/import/stream.h"

#define ZLIB_CONST /* input is read only */
#include <zlib.h>

enum {
    BLOCK = 64 << 10,
    GZIP_ONLY = 16 + MAX_WBITS, /* tells zlib to write the header and checksum of gzip */
    MEMORY = 8                  /* zlib's default */
};

/* Compress the input of Z, and the end of the file with FLUSH. */
static int
deflate_block(z_stream *z, int flush, struct lore_buf *out)
{
    unsigned char block[BLOCK / 8];
    int code = Z_OK;

    do {
        z->next_out = block;
        z->avail_out = sizeof block;
        code = deflate(z, flush);
        lore_buf_add(out, block, sizeof block - z->avail_out);
    } while (code == Z_OK && z->avail_out == 0 && !out->over);
    return code;
}

enum lore_status
lore_gzip(const struct lore_bytes *from, struct lore_buf *out, struct lore_err *err)
{
    struct lore_stream s = {0};
    z_stream z = {0};
    int code = Z_OK;

    enum lore_status status = lore_stream_open(&s, from, false, err);
    if (status != LORE_OK)
        return status;
    if (deflateInit2(
            &z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_ONLY, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) {
        lore_stream_close(&s);
        return lore_fail(err, LORE_IO, "zlib: no memory");
    }
    while (code == Z_OK && !out->over && s.err.status == LORE_OK) {
        if (s.n == 0)
            (void)lore_stream_more(&s);
        size_t n = s.n < BLOCK ? s.n : BLOCK;
        z.next_in = (const Bytef *)s.at;
        z.avail_in = (uInt)n;
        code = deflate_block(&z, s.ended && n == s.n ? Z_FINISH : Z_NO_FLUSH, out);
        lore_stream_skip(&s, n);
        if (code == Z_BUF_ERROR) /* no input and nothing to write: the next block follows */
            code = Z_OK;
    }
    (void)deflateEnd(&z);
    if (s.err.status != LORE_OK)
        status = lore_fail(err, s.err.status, "%s", s.err.msg);
    else if (out->over)
        status = lore_fail(
            err, LORE_TOOBIG, "longer than %zu MiB when compressed", lore_buf_max(out) >> 20);
    else if (code != Z_STREAM_END)
        status = lore_fail(err, LORE_IO, "zlib: compression failed (%d)", code);
    lore_stream_close(&s);
    return status;
}
