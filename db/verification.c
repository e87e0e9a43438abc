/* Verifications: whether the compiled code of a version shows a technique. One that comes after the
 * experiments with that version may change what is said about their techniques. */
#include "db/catalogue_inner.h"
#include "db/effects.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/knowledge.h"
#include "db/rest.h"

LORE_KIND_BEFORE(verification)
{
    const struct lore_verification *r = record;

    return lore_name_technique(c->db, r->technique, c->arena, &made->text[0], err);
}

enum lore_status
lore_verification_bears(
    const struct lore_put_ctx *c, const char *verification, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db,
        "SELECT e.id FROM fact_verification v JOIN fact_experiment_technique t"
        " ON t.technique = v.technique JOIN fact_experiment e ON e.seq = t.experiment"
        " AND e.to_version = v.version WHERE v.id = $1 ORDER BY e.seq");
    enum lore_status status = LORE_OK;

    if (!c->effects)
        return LORE_OK;
    lore_bind_text(&q, 1, verification);
    while (status == LORE_OK && lore_row(&q))
        status = lore_db_note_judged(c, lore_col_text(&q, 0, c->arena), err);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

LORE_KIND_AFTER(verification)
{
    const struct lore_verification *r = record;

    (void)made, (void)seq;
    return lore_verification_bears(c, r->id, err);
}

static enum lore_status
columns(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_verification_row *out = row;
    struct lore_submission doc = {0};
    enum lore_status status;

    LORE_KNOWN_COLUMNS(q, a, out);
    status = lore_rest_read(LORE_K_VERIFICATION, "", out->rest, a, &doc, err);
    if (status == LORE_OK)
        out->r = doc.verifications[0];
    return status;
}
static const struct lore_row_shape shape = {
    sizeof(struct lore_verification_row), columns, "verification"};

enum lore_status
lore_db_get_verification(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_verification_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, LORE_KNOWN("fact_verification") " WHERE t.id = $1");

    return lore_db_one(&q, &shape, id, a, out, err);
}

enum lore_status
lore_db_list_verifications(struct lore_db *db, const char *version, const char *technique,
    struct lore_page page, struct lore_arena *a, struct lore_verification_row **out, size_t *n,
    struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, LORE_KNOWN("fact_verification") " WHERE ($1 IS NULL OR t.version = $1)"
                                                     " AND ($2 IS NULL OR t.technique = $2)"
                                                     " AND ($3 = 0 OR t.seq < $3)"
                                                     " ORDER BY t.seq DESC LIMIT $4");

    lore_bind_text(&q, 1, version);
    lore_bind_text(&q, 2, technique);
    lore_bind_i64(&q, 3, page.before);
    lore_bind_i64(&q, 4, (int64_t)page.limit);
    return lore_db_collect(&q, &shape, a, out, n, err);
}
