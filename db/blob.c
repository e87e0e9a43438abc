/* Content-addressed storage: bytes are compressed and stored once per hash, for all submissions. */
#include <string.h>

#include "db/blob.h"
#include "db/internal.h"
#include "db/read.h"
#include "service/base/file.h"
#include "service/base/hash.h"

#define BLOB_MAX (64u << 20) /* plain bytes of one blob: eight times the largest document */

enum lore_status
lore_blob_put(struct lore_db *db, const void *p, size_t n, const char *media_type,
    struct lore_blob *out, struct lore_err *err)
{
    LORE_STMT find = lore_sql(db, "SELECT 1 FROM fact_blob WHERE hash = $1");
    LORE_STMT add = lore_sql(
        db, "INSERT INTO fact_blob (hash, bytes, media_type, zstd) VALUES ($1, $2, $3, $4)");
    LORE_BUF packed = {0};
    enum lore_status status;

    lore_hash_hex(p, n, out->hash);
    out->is_new = false;
    lore_bind_text(&find, 1, out->hash);
    if (lore_row(&find) || find.rc != SQLITE_OK)
        return lore_done(&find, err);
    status = lore_zstd_pack(p, n, &packed, err);
    if (status == LORE_OK) {
        out->is_new = true;
        lore_bind_text(&add, 1, out->hash);
        lore_bind_i64(&add, 2, (int64_t)n);
        lore_bind_text(&add, 3, media_type);
        lore_bind_blob(&add, 4, packed.data, packed.len);
        status = lore_done(&add, err);
    }
    return status;
}

enum lore_status
lore_db_get_blob(struct lore_db *db, const char *hash, struct lore_buf *out,
    const char **media_type, struct lore_arena *a, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT media_type, zstd, bytes FROM fact_blob WHERE hash = $1");
    enum lore_status status;
    const void *packed;
    size_t len, before = out->len;

    lore_bind_text(&q, 1, hash);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "blob %s: no such blob", hash);
    if (out->max == 0)
        out->max = BLOB_MAX;
    packed = lore_col_blob(&q, 1, &len, NULL);
    status = lore_zstd_unpack(packed, len, out, err);
    if (status == LORE_OK && out->len - before != (size_t)lore_col_i64(&q, 2))
        status = lore_fail(err, LORE_CORRUPT, "blob %s: its stored size is wrong", hash);
    if (status != LORE_OK)
        return status;
    if (media_type != NULL)
        *media_type = lore_col_text(&q, 0, a);
    return lore_done(&q, err);
}
