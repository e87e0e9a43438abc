/* Storing a record that has an id: insert it, and only when that did nothing or was refused ask
 * why. One statement in the common case.
 *
 * Not for rows without an id of their own (links, sources): their key cannot be taken. */
#include <stdio.h>
#include <string.h>

#include "db/internal.h"
#include "db/put_inner.h"

/* An id names one record, of whatever kind: decisions, the board and what is withheld know records
 * by their ids alone, so a second record under one id would be taken for the first. The row of IN
 * is there already. */
static enum lore_status
check_alone(struct lore_db *db, const struct lore_insert *in, struct lore_err *err)
{
#define HAS(table) "SELECT 1 FROM " table " WHERE id = $1"
#define OR " UNION ALL "
    // clang-format off
    LORE_STMT q = lore_sql(db, HAS("fact_kernel") OR HAS("fact_version") OR HAS("fact_environment")
        OR HAS("fact_run") OR HAS("fact_hypothesis") OR HAS("fact_experiment")
        OR HAS("fact_attribution") OR HAS("fact_insight") OR HAS("fact_source_document")
        OR HAS("fact_spec") OR HAS("fact_technique") OR HAS("fact_verification")
        OR HAS("fact_campaign") OR HAS("fact_direction") OR HAS("fact_curation"));
    // clang-format on
#undef OR
#undef HAS

    lore_bind_text(&q, 1, in->id);
    if (lore_row(&q) && lore_row(&q))
        return lore_fail_at(err, LORE_CONFLICT, "conflict", "id",
            "id: %s is stored as a record of another kind", in->id);
    return lore_done(&q, err);
}

enum lore_status
lore_insert_run(
    struct lore_stmt *q, struct lore_stmt *digests, struct lore_insert *in, struct lore_err *err)
{
    struct lore_db *db = q->db;
    const void *digest;
    size_t len;

    lore_row(q);
    in->no_reference = q->rc == SQLITE_CONSTRAINT_FOREIGNKEY;
    if (in->no_reference) {
        lore_stmt_close(q);
        return LORE_OK;
    }
    if (q->rc != SQLITE_OK)
        return lore_done(q, err);
    if (sqlite3_changes(db->handle) > 0) {
        in->state = LORE_PUT_STORED;
        in->seq = sqlite3_last_insert_rowid(db->handle);
        enum lore_status status = lore_done(q, err);
        return status == LORE_OK ? check_alone(db, in, err) : status;
    }
    lore_stmt_close(q);
    lore_bind_text(digests, 1, in->id);
    if (!lore_row(digests))
        return lore_end(
            digests, err, LORE_CORRUPT, "%s %s: neither stored nor there", in->noun, in->id);
    digest = lore_col_blob(digests, 0, &len, NULL);
    if (len != 32 || memcmp(digest, in->digest, 32) != 0)
        return lore_fail_at(err, LORE_CONFLICT, "conflict", "id",
            "id: %s %s is stored with other content", in->noun, in->id);
    in->state = LORE_PUT_DUPLICATE;
    return lore_done(digests, err);
}

static struct lore_stmt
reference_query(struct lore_db *db, enum lore_ref kind)
{
    switch (kind) {
    case LORE_REF_KERNEL:
        return lore_sql(db, "SELECT 1 FROM fact_kernel WHERE id = $1");
    case LORE_REF_VERSION:
        return lore_sql(db, "SELECT 1 FROM fact_version WHERE id = $1");
    case LORE_REF_ENVIRONMENT:
        return lore_sql(db, "SELECT 1 FROM fact_environment WHERE id = $1");
    case LORE_REF_RUN:
        return lore_sql(db, "SELECT 1 FROM fact_run WHERE id = $1");
    case LORE_REF_HYPOTHESIS:
        return lore_sql(db, "SELECT 1 FROM fact_hypothesis WHERE id = $1");
    case LORE_REF_EXPERIMENT:
        return lore_sql(db, "SELECT 1 FROM fact_experiment WHERE id = $1");
    case LORE_REF_SOURCE_DOCUMENT:
        return lore_sql(db, "SELECT 1 FROM fact_source_document WHERE id = $1");
    case LORE_REF_SPEC:
        return lore_sql(db, "SELECT 1 FROM fact_spec WHERE id = $1");
    case LORE_REF_CAMPAIGN:
        return lore_sql(db, "SELECT 1 FROM fact_campaign WHERE id = $1");
    case LORE_REF_CHIP:
        break;
    }
    return lore_sql(db, "SELECT 1 FROM cat_chip WHERE name = $1");
}

enum lore_status
lore_reference(
    struct lore_db *db, enum lore_ref kind, const char *path, const char *id, struct lore_err *err)
{
    static const char *const nouns[] = {"kernel", "version", "environment", "run", "hypothesis",
        "experiment", "chip", "source document", "spec", "campaign"};
    LORE_STMT q = {0};

    if (id == NULL)
        return LORE_OK;
    q = reference_query(db, kind);
    lore_bind_text(&q, 1, id);
    if (lore_row(&q) || q.rc != SQLITE_OK)
        return lore_done(&q, err);
    return lore_fail_at(err, LORE_INVALID, "unknown_reference", path, "%s: there is no %s %s", path,
        nouns[kind], id);
}

enum lore_status
lore_reference_targets(
    struct lore_db *db, const struct lore_target *targets, size_t n, struct lore_err *err)
{
    enum lore_status status = LORE_OK;
    char path[40];

    for (size_t i = 0; i < n && status == LORE_OK; i++) {
        snprintf(path, sizeof path, "targets[%zu].spec", i);
        status = lore_reference(db, LORE_REF_SPEC, path, targets[i].spec, err);
    }
    return status;
}

enum lore_status
lore_reference_lost(const struct lore_insert *in, struct lore_err *err)
{
    return lore_fail(err, LORE_IO, "%s %s: a reference is missing", in->noun, in->id);
}
