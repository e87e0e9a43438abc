/* Verifications: whether the compiled code of a version shows a technique. One that comes after the
 * experiments with that version may change what is said about their techniques. */
#include "db/catalogue_inner.h"
#include "db/effects.h"
#include "db/internal.h"
#include "db/put_inner.h"
#include "db/rest.h"

static enum lore_status
put_row(const struct lore_put_ctx *c, const struct lore_verification *r, struct lore_insert *in,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db,
        "INSERT INTO fact_verification (id, digest, document, version, technique, status, rest)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING");
    LORE_STMT digests = lore_sql(c->db, "SELECT digest FROM fact_verification WHERE id = $1");
    const char *slug, *rest = NULL;
    enum lore_status status;

    status = lore_name_technique(c->db, r->technique, c->arena, &slug, err);
    if (status == LORE_OK)
        status = lore_rest_write(LORE_K_VERIFICATION, r, c->arena, &rest, err);
    if (status != LORE_OK)
        return status;
    lore_bind_text(&q, 1, r->id);
    lore_bind_blob(&q, 2, in->digest, 32);
    lore_bind_i64(&q, 3, c->document);
    lore_bind_text(&q, 4, r->version);
    lore_bind_text(&q, 5, slug);
    lore_bind_text(&q, 6, r->status);
    lore_bind_text(&q, 7, rest);
    return lore_insert_run(&q, &digests, in, err);
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

    if (c->effects == NULL)
        return LORE_OK;
    lore_bind_text(&q, 1, verification);
    while (status == LORE_OK && lore_row(&q))
        status = lore_note_judged(c, lore_col_text(&q, 0, c->arena), err);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_put_verification(const struct lore_put_ctx *c, const struct lore_verification *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err)
{
    struct lore_insert in = {.noun = "verification", .id = r->id, .digest = digest};
    enum lore_status status = put_row(c, r, &in, err);

    if (status == LORE_OK && in.no_reference) {
        status = lore_reference(c->db, LORE_REF_VERSION, "version", r->version, err);
        return status == LORE_OK ? lore_reference_lost(&in, err) : status;
    }
    if (status == LORE_OK && in.state == LORE_PUT_STORED)
        status = lore_verification_bears(c, r->id, err);
    if (status == LORE_OK)
        *out = in.state;
    return status;
}

static enum lore_status
columns(struct lore_stmt *q, struct lore_arena *a, struct lore_verification_row *out,
    struct lore_err *err)
{
    struct lore_submission doc = {0};
    enum lore_status status;

    LORE_KNOWN_COLUMNS(q, a, out);
    status = lore_rest_read(LORE_K_VERIFICATION, "", out->rest, a, &doc, err);
    if (status == LORE_OK)
        out->r = doc.verifications[0];
    return status;
}

enum lore_status
lore_get_verification(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_verification_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, LORE_KNOWN("fact_verification") " WHERE t.id = $1");
    struct lore_verification_row row = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "verification %s: no such verification", id);
    status = columns(&q, a, &row, err);
    if (status == LORE_OK)
        *out = row;
    return status;
}

enum lore_status
lore_list_verifications(struct lore_db *db, const char *version, const char *technique,
    struct lore_page page, struct lore_arena *a, struct lore_verification_row **out, size_t *n,
    struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, LORE_KNOWN("fact_verification") " WHERE ($1 IS NULL OR t.version = $1)"
                                                     " AND ($2 IS NULL OR t.technique = $2)"
                                                     " AND ($3 = 0 OR t.seq < $3)"
                                                     " ORDER BY t.seq DESC LIMIT $4");
    struct lore_verification_row *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status = LORE_OK;

    lore_bind_text(&q, 1, version);
    lore_bind_text(&q, 2, technique);
    lore_bind_i64(&q, 3, page.before);
    lore_bind_i64(&q, 4, (int64_t)page.limit);
    while (status == LORE_OK && lore_row(&q))
        status = columns(&q, a, LORE_PUSH(a, rows, count, cap), err);
    if (status == LORE_OK)
        status = lore_done(&q, err);
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}
