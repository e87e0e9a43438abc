/* Compresses with zlib, block by block, and stops at the ceiling: most long files do not fit. */
#include "collectors/import/gzip.h"

#include "collectors/import/feed.h"

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

static enum lore_status
deflate_feed(z_stream *z, struct lore_feed *feed, struct lore_buf *out, struct lore_err *err)
{
    enum lore_status status = LORE_OK;
    const char *piece = NULL;
    int code = Z_OK;
    size_t n = 1;

    while (status == LORE_OK && n > 0 && code == Z_OK && !out->over) {
        status = feed->next(feed, &piece, &n, err);
        if (status != LORE_OK)
            return status;
        z->next_in = (const Bytef *)piece;
        z->avail_in = (uInt)n;
        code = deflate_block(z, n > 0 ? Z_NO_FLUSH : Z_FINISH, out);
        if (code == Z_BUF_ERROR) /* no output yet */
            code = Z_OK;
    }
    if (out->over)
        return lore_fail(
            err, LORE_TOOBIG, "longer than %zu MiB when compressed", lore_buf_max(out) >> 20);
    return code == Z_STREAM_END ? LORE_OK
                                : lore_fail(err, LORE_IO, "zlib: compression failed (%d)", code);
}

enum lore_status
lore_gzip(const struct lore_bytes *from, struct lore_buf *out, struct lore_err *err)
{
    struct lore_feed feed = {0};
    z_stream z = {0};

    enum lore_status status = lore_feed_bytes(from, false, &feed, err);
    if (status != LORE_OK)
        return status;
    if (deflateInit2(
            &z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_ONLY, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK)
        status = deflate_feed(&z, &feed, out, err);
    else
        status = lore_fail(err, LORE_IO, "zlib: no memory");
    (void)deflateEnd(&z);
    lore_feed_close(&feed);
    return status;
}
