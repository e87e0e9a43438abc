/* Compresses with zstd, piece by piece, and stops at the ceiling: most long files do not fit. */
#include "collectors/import/squeeze.h"

#include <zstd.h>

#include "collectors/import/feed.h"
#include "service/base/status.h"

enum { BLOCK = 8 << 10, LEVEL = 1 /* smaller than gzip -6 in a quarter of its time */ };

/* Compress the N bytes at PIECE; HOW says whether more follow. */
static enum lore_status
add_piece(ZSTD_CCtx *z, const char *piece, size_t n, ZSTD_EndDirective how, struct lore_buf *out,
    struct lore_err *err)
{
    ZSTD_inBuffer in = {piece, n, 0};
    char block[BLOCK];
    size_t left = 1;

    while (!out->over && (how == ZSTD_e_end ? left > 0 : in.pos < in.size)) {
        ZSTD_outBuffer to = {block, sizeof block, 0};
        left = ZSTD_compressStream2(z, &to, &in, how);
        if (ZSTD_isError(left))
            return lore_fail(err, LORE_IO, "zstd: %s", ZSTD_getErrorName(left));
        lore_buf_add(out, block, to.pos);
    }
    return lore_buf_status(out, "compressed file", err);
}

enum lore_status
lore_squeeze(const struct lore_bytes *from, struct lore_buf *out, struct lore_err *err)
{
    struct lore_feed feed = {0};
    ZSTD_CCtx *z = ZSTD_createCCtx();
    const char *piece = NULL;
    size_t n = 1;

    if (!z)
        lore_nomem("zstd", 0);
    (void)ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, LEVEL);
    enum lore_status status = lore_feed_bytes(from, false, &feed, err);
    while (status == LORE_OK && n > 0) {
        status = feed.next(&feed, &piece, &n, err);
        if (status == LORE_OK)
            status = add_piece(z, piece, n, n > 0 ? ZSTD_e_continue : ZSTD_e_end, out, err);
    }
    (void)ZSTD_freeCCtx(z);
    lore_feed_close(&feed);
    return status;
}
