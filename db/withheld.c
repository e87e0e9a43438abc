/* Withheld submissions: those with a record whose source forbids redistribution, and those that
 * refer to a record of a withheld one, because no other service could store them. Facts do not
 * change; the export leaves these submissions out.
 *
 * When nothing is withheld, references are not searched. */
#include <string.h>

#include "db/export.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/put.h"
#include "db/standing.h"
#include "db/withheld.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/base/ulid.h"

/* Whether a record of DOC forbids redistribution. */
static bool
forbids(const struct lore_submission *doc)
{
    for (int kind = 0; kind < LORE_K_COUNT; kind++) {
        size_t n, size;
        const char *record = lore_wire_list(doc, (enum lore_kind)kind, &n, &size);

        for (size_t i = 0; i < n; i++, record += size) {
            const struct lore_provenance *p = lore_wire_provenance((enum lore_kind)kind, record);
            if (p && lore_streq(p->redistribution, "forbidden"))
                return true;
        }
    }
    return false;
}

static enum lore_status
know_any_withheld(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q = {0};

    if (db->withheld != 0)
        return LORE_OK;
    q = lore_sql(db, "SELECT 1 FROM drv_withheld LIMIT 1");
    db->withheld = lore_row(&q) ? 1 : -1;
    return lore_done(&q, err);
}

/* Write the string NODE as an id, in upper case; false: it is no id. */
static bool
as_id(const struct lore_json *node, char id[LORE_ULID_SIZE])
{
    if (node->type != LORE_J_STRING || node->len != LORE_ULID_SIZE - 1 ||
        !lore_ulid_valid(node->str))
        return false;
    for (size_t i = 0; i < LORE_ULID_SIZE; i++)
        id[i] =
            node->str[i] >= 'a' && node->str[i] <= 'z' ? (char)(node->str[i] - 32) : node->str[i];
    return true;
}

/* Is the id of a withheld record anywhere in NODE? The parser bounds the depth. */
static enum lore_status
refers(struct lore_db *db, const struct lore_json *node, bool *found, struct lore_err *err)
{
    enum lore_status status = LORE_OK;
    char id[LORE_ULID_SIZE];

    if (as_id(node, id)) {
        LORE_STMT q = lore_sql(db, "SELECT 1 FROM drv_withheld_record WHERE record = $1");

        lore_bind_text(&q, 1, id);
        *found = lore_row(&q);
        return lore_done(&q, err);
    }
    for (const struct lore_json *m = node->child; m != NULL && status == LORE_OK && !*found;
         m = m->next)
        status = refers(db, m, found, err);
    return status;
}

/* Whether document DOC brought record ID. A record from an earlier document keeps its state. */
static enum lore_status
brought(struct lore_db *db, const char *id, const char *doc, bool *out, struct lore_err *err)
{
    LORE_SCRATCH scratch = {0};
    struct lore_found found = {0};
    enum lore_status status = lore_db_find_record(db, id, &scratch, &found, err);

    if (status == LORE_OK)
        *out = strcmp(found.document, doc) == 0;
    return status == LORE_NOTFOUND ? LORE_OK : status;
}

static enum lore_status
withhold_record(
    struct lore_db *db, const char *doc, const struct lore_json *record, struct lore_err *err)
{
    LORE_STMT q = lore_sql(
        db, "INSERT INTO drv_withheld_record (record) VALUES ($1) ON CONFLICT (record) DO NOTHING");
    const struct lore_json *node = lore_json_get(record, "id");
    char id[LORE_ULID_SIZE];
    bool own = false;
    enum lore_status status;

    if (!node || !as_id(node, id)) /* an artifact */
        return LORE_OK;
    status = brought(db, id, doc, &own, err);
    if (status != LORE_OK || !own)
        return status;
    lore_bind_text(&q, 1, id);
    return lore_done(&q, err);
}

static enum lore_status
withhold(struct lore_db *db, int64_t document, const char *doc, const struct lore_json *root,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO drv_withheld (document) VALUES ($1)");
    enum lore_status status;

    lore_bind_i64(&q, 1, document);
    status = lore_done(&q, err);
    for (const struct lore_json *list = root->child; list != NULL; list = list->next)
        for (const struct lore_json *r = list->type == LORE_J_ARRAY ? list->child : NULL;
             r != NULL && status == LORE_OK; r = r->next)
            status = withhold_record(db, doc, r, err);
    if (status == LORE_OK)
        db->withheld = 1;
    return status;
}

enum lore_status
lore_put_withheld(struct lore_db *db, int64_t document, const struct lore_submission *doc,
    const struct lore_json *root, struct lore_err *err)
{
    bool withheld = forbids(doc);
    enum lore_status status = know_any_withheld(db, err);

    if (status == LORE_OK && !withheld && db->withheld > 0)
        status = refers(db, root, &withheld, err);
    return status == LORE_OK && withheld ? withhold(db, document, doc->id, root, err) : status;
}

/* ---- all again ---- */

/* The first document that may forbid anything; 0: none does. */
static enum lore_status
first_of(struct lore_db *db, int64_t *first, struct lore_err *err)
{
    static const char forbidden[] = "%\"redistribution\":\"forbidden\"%";
    LORE_STMT q = lore_kinds_open(db, LORE_SQL_WITHHELD);

    lore_bind_text(&q, 1, forbidden);
    if (lore_row(&q))
        *first = lore_col_i64(&q, 0);
    return lore_done(&q, err);
}

static enum lore_status
derive_document(struct lore_stmt *q, struct lore_arena *a, struct lore_err *err)
{
    struct lore_submission doc = {0};
    LORE_BUF text = {0};
    struct lore_json *root = NULL;
    size_t len;
    const void *packed = lore_col_blob(q, 1, &len, NULL);
    enum lore_status status = lore_zstd_unpack(packed, len, &text, err);

    if (status == LORE_OK)
        status = lore_json_parse(text.data, text.len, &lore_wire_limits, a, &root, err);
    if (status == LORE_OK)
        status = lore_wire_decode(root, a, &doc, err);
    if (status == LORE_OK)
        status = lore_put_withheld(q->db, lore_col_i64(q, 0), &doc, root, err);
    return status;
}

enum lore_status
lore_withheld_all(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT seq, zstd FROM fact_document WHERE seq >= $1 ORDER BY seq");
    LORE_SCRATCH arena = {0};
    int64_t first = 0;
    enum lore_status status =
        lore_db_exec(db, "DELETE FROM drv_withheld; DELETE FROM drv_withheld_record", err);

    db->withheld = 0;
    if (status == LORE_OK)
        status = first_of(db, &first, err);
    if (status != LORE_OK || first == 0)
        return status;
    lore_bind_i64(&q, 1, first);
    while (status == LORE_OK && lore_row(&q)) {
        status = derive_document(&q, &arena, err);
        lore_arena_reset(&arena);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_db_has_withheld(struct lore_db *db, bool *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT 1 FROM drv_withheld_record LIMIT 1");

    *out = lore_row(&q);
    return lore_done(&q, err);
}

enum lore_status
lore_db_any_withheld(
    struct lore_db *db, const char *const *ids, size_t n, bool *out, struct lore_err *err)
{
    bool found = false;

    for (size_t i = 0; i < n && !found; i++) {
        LORE_STMT q = lore_sql(db, "SELECT 1 FROM drv_withheld_record WHERE record = $1");
        lore_bind_text(&q, 1, ids[i]);
        found = lore_row(&q);
        enum lore_status status = lore_done(&q, err);
        if (status != LORE_OK)
            return status;
    }
    *out = found;
    return LORE_OK;
}
