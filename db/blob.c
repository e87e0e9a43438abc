/* Content-addressed storage: bytes are compressed and stored once per hash, for all submissions. */
#include <string.h>

#include "db/blob.h"
#include "db/internal.h"
#include "db/read.h"
#include "service/base/file.h"
#include "service/base/hash.h"

#define BLOB_MAX (64u << 20) /* plain bytes of one blob: eight times the largest document */

/* PACKED: of bytes that stand elsewhere empty. */
static enum lore_status
add(struct lore_db *db, const struct lore_blob *of, size_t n, const char *media_type,
    const struct lore_buf *packed, struct lore_err *err)
{
    LORE_STMT q = lore_sql(
        db, "INSERT INTO fact_blob (hash, bytes, media_type, zstd) VALUES ($1, $2, $3, $4)");

    lore_bind_text(&q, 1, of->hash);
    lore_bind_i64(&q, 2, (int64_t)n);
    lore_bind_text(&q, 3, media_type);
    lore_bind_blob(&q, 4, packed->len > 0 ? packed->data : "", packed->len);
    return lore_done(&q, err);
}

/* Fill OUT; is_new: bytes with this hash are not stored. */
static enum lore_status
look_up(struct lore_db *db, const void *p, size_t n, struct lore_blob *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT 1 FROM fact_blob WHERE hash = $1");

    lore_hash_hex(p, n, out->hash);
    lore_bind_text(&q, 1, out->hash);
    out->is_new = !lore_row(&q);
    return lore_done(&q, err);
}

enum lore_status
lore_blob_put(struct lore_db *db, const void *p, size_t n, const char *media_type,
    struct lore_blob *out, struct lore_err *err)
{
    LORE_BUF packed = {0};
    enum lore_status status = look_up(db, p, n, out, err);

    if (status != LORE_OK || !out->is_new)
        return status;
    status = lore_zstd_pack(p, n, &packed, err);
    return status == LORE_OK ? add(db, out, n, media_type, &packed, err) : status;
}

enum lore_status
lore_blob_note(struct lore_db *db, const void *p, size_t n, const char *media_type,
    struct lore_blob *out, struct lore_err *err)
{
    enum lore_status status = look_up(db, p, n, out, err);

    return status == LORE_OK && out->is_new
               ? add(db, out, n, media_type, &(struct lore_buf){0}, err)
               : status;
}

enum lore_status
lore_db_get_blob(struct lore_db *db, const char *hash, struct lore_buf *out,
    const char **media_type, struct lore_arena *a, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT media_type, zstd, bytes FROM fact_blob WHERE hash = $1");
    enum lore_status status;
    const void *packed;
    char found[LORE_HASH_HEX];
    size_t len, before = out->len;

    lore_bind_text(&q, 1, hash);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "blob %s: no such blob", hash);
    if (out->max == 0)
        out->max = BLOB_MAX;
    packed = lore_col_blob(&q, 1, &len, NULL);
    status =
        len > 0 ? lore_zstd_unpack(packed, len, out, err) : lore_artifact_read(db, hash, out, err);
    if (status == LORE_OK)
        lore_hash_hex(out->data ? out->data + before : "", out->len - before, found);
    if (status == LORE_OK &&
        (out->len - before != (size_t)lore_col_i64(&q, 2) || strcmp(found, hash) != 0))
        status = lore_fail(err, LORE_CORRUPT, "blob %s: its stored bytes are others", hash);
    if (status != LORE_OK)
        return status;
    if (media_type != NULL)
        *media_type = lore_col_text(&q, 0, a);
    return lore_done(&q, err);
}
