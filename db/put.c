/* Store a record of any kind by its row in the table of kinds: resolve names, insert the row, then
 * write the rows that depend on it. When the insert adds no row, further queries find the reason.
 */
#include "db/put.h"

#include <stdio.h>
#include <string.h>

#include "db/internal.h"
#include "db/kinds.h"
#include "db/rest.h"
#include "db/search.h"

/* One insert of a record and what came of it. */
struct insert {
    const struct lore_db_kind *kind;
    const char *id;
    const unsigned char *digest;
    enum lore_put state;
    int64_t seq;       /* when stored */
    bool no_reference; /* a foreign key refused the row */
};

static enum lore_status
begin_recent_ids(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q = lore_kinds_open(db, LORE_SQL_GREATEST);

    lore_recent_ids_begin(&db->ids, lore_row(&q) ? lore_col_text(&q, 0, NULL) : NULL);
    return lore_done(&q, err);
}

/* Check that no record of another kind has this id; the row of IN is stored already. Decisions, the
 * board and withheld.c know a record by its id alone. */
static enum lore_status
check_alone(struct lore_db *db, const struct insert *in, struct lore_err *err)
{
    enum lore_status status = db->ids.sets ? LORE_OK : begin_recent_ids(db, err);

    if (status != LORE_OK || lore_recent_ids_add(&db->ids, in->id))
        return status;
    LORE_STMT q = lore_kinds_open(db, LORE_SQL_TWICE);
    lore_bind_text(&q, 1, in->id);
    if (lore_row(&q) && lore_row(&q))
        return lore_fail_at(err, LORE_CONFLICT, "conflict", "id",
            "id: %s is stored as a record of another kind", in->id);
    return lore_done(&q, err);
}

/* The id is taken: the same record again, or another one. */
static enum lore_status
compare_digest(struct lore_db *db, struct insert *in, struct lore_err *err)
{
    LORE_STMT q = lore_kind_open(db, in->kind, LORE_SQL_DIGEST);
    const void *digest;
    size_t len;

    lore_bind_text(&q, 1, in->id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "%s %s: its id is taken, but no row has it",
            in->kind->noun, in->id);
    digest = lore_col_blob(&q, 0, &len, NULL);
    if (len != 32 || memcmp(digest, in->digest, 32) != 0)
        return lore_fail_at(err, LORE_CONFLICT, "conflict", "id",
            "id: %s %s is stored with other content", in->kind->noun, in->id);
    in->state = LORE_PUT_DUPLICATE;
    return lore_done(&q, err);
}

static enum lore_status
run_insert(struct lore_stmt *q, struct insert *in, struct lore_err *err)
{
    struct lore_db *db = q->db;
    enum lore_status status;

    lore_row(q);
    in->no_reference = q->rc == SQLITE_CONSTRAINT_FOREIGNKEY;
    if (in->no_reference) {
        lore_stmt_close(q);
        return LORE_OK;
    }
    if (q->rc != SQLITE_OK)
        return lore_done(q, err);
    if (sqlite3_changes(db->handle) == 0) {
        lore_stmt_close(q);
        return compare_digest(db, in, err);
    }
    in->state = LORE_PUT_STORED;
    in->seq = sqlite3_last_insert_rowid(db->handle);
    status = lore_done(q, err);
    return status == LORE_OK ? check_alone(db, in, err) : status;
}

static void
bind_column(struct lore_stmt *q, int n, const struct lore_column *c, const void *record,
    const struct lore_made *made)
{
    const void *at = (const char *)record + c->at;

    switch (c->type) {
    case LORE_COLUMN_TEXT:
        lore_bind_text(q, n, *(const char *const *)at);
        break;
    case LORE_COLUMN_I64:
        lore_bind_opt_i64(q, n, *(const struct lore_i64 *)at);
        break;
    case LORE_COLUMN_F64:
        lore_bind_opt_f64(q, n, *(const struct lore_f64 *)at);
        break;
    case LORE_COLUMN_COUNT:
        lore_bind_i64(q, n, (int64_t) * (const size_t *)at);
        break;
    case LORE_COLUMN_TIME:
        lore_bind_time(q, n, *(const char *const *)at);
        break;
    case LORE_COLUMN_MADE_TEXT:
        lore_bind_text(q, n, made->text[c->at]);
        break;
    case LORE_COLUMN_MADE_BLOB:
        lore_bind_blob(
            q, n, made->blob[c->at].n > 0 ? made->blob[c->at].p : NULL, made->blob[c->at].n);
        break;
    case LORE_COLUMN_MADE_I64:
        lore_bind_i64(q, n, made->number);
        break;
    }
}

static enum lore_status
put_row(const struct lore_put_ctx *c, const void *record, const struct lore_made *made,
    struct insert *in, struct lore_err *err)
{
    const struct lore_db_kind *k = in->kind;
    const char *rest = made->rest;
    int n = 1;

    if (!made->has_rest) {
        enum lore_status status = lore_rest_write(k->kind, record, c->arena, &rest, err);
        if (status != LORE_OK)
            return status;
    }
    LORE_STMT q = lore_kind_open(c->db, k, LORE_SQL_INSERT);
    lore_bind_text(&q, n++, in->id);
    lore_bind_blob(&q, n++, in->digest, 32);
    lore_bind_i64(&q, n++, c->document);
    for (size_t i = 0; i < k->n_columns; i++)
        bind_column(&q, n++, &k->columns[i], record, made);
    lore_bind_text(&q, n, rest);
    return run_insert(&q, in, err);
}

/* ---- references ---- */

enum lore_status
lore_reference(
    struct lore_db *db, enum lore_kind to, const char *path, const char *id, struct lore_err *err)
{
    if (!id)
        return LORE_OK;
    LORE_STMT q = to == LORE_REF_CHIP ? lore_sql(db, "SELECT 1 FROM cat_chip WHERE name = $1")
                                      : lore_kind_open(db, lore_db_kind(to), LORE_SQL_DIGEST);
    lore_bind_text(&q, 1, id);
    if (lore_row(&q) || q.rc != SQLITE_OK)
        return lore_done(&q, err);
    return lore_fail_at(err, LORE_INVALID, "unknown_reference", path, "%s: there is no %s %s", path,
        to == LORE_REF_CHIP ? "chip" : lore_db_kind(to)->noun, id);
}

enum lore_status
lore_reference_targets(
    struct lore_db *db, const struct lore_target *targets, size_t n, struct lore_err *err)
{
    enum lore_status status = LORE_OK;
    char path[40];

    for (size_t i = 0; i < n && status == LORE_OK; i++) {
        snprintf(path, sizeof path, "targets[%zu].spec", i);
        status = lore_reference(db, LORE_K_SPEC, path, targets[i].spec, err);
    }
    return status;
}

/* Check the references that have a foreign key, or those that have none. */
static enum lore_status
check_references(const struct lore_put_ctx *c, const struct lore_db_kind *k, const void *record,
    const struct lore_made *made, bool has_key, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < k->n_refs && status == LORE_OK; i++) {
        const struct lore_record_ref *r = &k->refs[i];
        const char *id =
            r->made ? made->text[r->at] : *(const char *const *)((const char *)record + r->at);

        if (r->has_key == has_key)
            status = lore_reference(c->db, r->to, r->field, id, err);
    }
    return status;
}

/* ---- all together ---- */

enum lore_status
lore_kind_search(const struct lore_put_ctx *c, const struct lore_db_kind *k, const void *record,
    const struct lore_made *made, struct lore_err *err)
{
    struct lore_buf *b = &c->db->words;
    const char *title;

    if (!k->searched)
        return LORE_OK;
    if (k->search)
        return k->search(c, record, made, err);
    title = *(const char *const *)((const char *)record + k->title[0]);
    if (!title)
        title = *(const char *const *)((const char *)record + k->title[1]);
    lore_buf_reset(b);
    for (size_t i = 0; i < k->n_words; i++) {
        const char *word = *(const char *const *)((const char *)record + k->words[i]);
        if (word)
            lore_buf_printf(b, "%s\n", word);
    }
    return lore_search_put(c->db, k->searched, *(const char *const *)record, title, b, err);
}

static enum lore_status
put_dependents(const struct lore_put_ctx *c, const struct insert *in, const void *record,
    const struct lore_made *made, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    if (in->kind->after)
        status = in->kind->after(c, record, made, in->seq, err);
    return status == LORE_OK && !c->db->facts_only
               ? lore_kind_search(c, in->kind, record, made, err)
               : status;
}

enum lore_status
lore_put_by_kind(const struct lore_put_ctx *c, const struct lore_db_kind *k, const void *record,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err)
{
    struct insert in = {.kind = k, .id = *(const char *const *)record, .digest = digest};
    struct lore_made made = {.has_rest = false};
    enum lore_status status = LORE_OK;

    if (k->before)
        status = k->before(c, record, &made, err);
    if (status == LORE_OK)
        status = check_references(c, k, record, &made, false, err);
    if (status == LORE_OK)
        status = put_row(c, record, &made, &in, err);
    if (status == LORE_OK && in.no_reference) {
        status = check_references(c, k, record, &made, true, err);
        if (status == LORE_OK)
            status = lore_fail(err, LORE_IO, "%s %s: a reference is missing", k->noun, in.id);
    }
    if (status == LORE_OK && in.state == LORE_PUT_STORED)
        status = put_dependents(c, &in, record, &made, err);
    if (status == LORE_OK)
        *out = in.state;
    return status;
}

enum lore_status
lore_put_record(const struct lore_put_ctx *c, enum lore_kind kind, const void *record,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err)
{
    return lore_put_by_kind(c, lore_db_kind(kind), record, digest, out, err);
}

enum lore_kind
lore_put_order(size_t i)
{
    return lore_db_kinds[i].kind;
}
