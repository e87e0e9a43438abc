/* Hypotheses: claims made before the run. */
#include "db/internal.h"
#include "db/put_inner.h"
#include "db/rest.h"
#include "db/search.h"

static enum lore_status
put_row(const struct lore_put_ctx *c, const struct lore_hypothesis *r, struct lore_insert *in,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db,
        "INSERT INTO fact_hypothesis (id, digest, document, from_version, to_version, claim,"
        " author, claimed_us, rest) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
        " ON CONFLICT (id) DO NOTHING");
    LORE_STMT digests = lore_sql(c->db, "SELECT digest FROM fact_hypothesis WHERE id = $1");
    const char *rest = NULL;
    enum lore_status status = lore_rest_write(LORE_K_HYPOTHESIS, r, c->arena, &rest, err);

    if (status != LORE_OK)
        return status;
    lore_bind_text(&q, 1, r->id);
    lore_bind_blob(&q, 2, in->digest, 32);
    lore_bind_i64(&q, 3, c->document);
    lore_bind_text(&q, 4, r->from_version);
    lore_bind_text(&q, 5, r->to_version);
    lore_bind_text(&q, 6, r->claim);
    lore_bind_text(&q, 7, r->author);
    lore_bind_time(&q, 8, r->claimed_at);
    lore_bind_text(&q, 9, rest);
    return lore_insert_run(&q, &digests, in, err);
}

enum lore_status
lore_words_hypothesis(
    const struct lore_put_ctx *c, const struct lore_hypothesis *r, struct lore_err *err)
{
    const char *words[] = {
        r->change, r->rationale, r->risk, r->rollback, r->accept_if, r->reject_if, r->not_changed};
    struct lore_buf *b = &c->db->words;

    lore_buf_reset(b);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i] != NULL)
            lore_buf_printf(b, "%s\n", words[i]);
    return lore_search_put(c->db, "hypothesis", r->id, r->claim, b, err);
}

enum lore_status
lore_put_hypothesis(const struct lore_put_ctx *c, const struct lore_hypothesis *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err)
{
    struct lore_insert in = {.noun = "hypothesis", .id = r->id, .digest = digest};
    enum lore_status status;

    /* This one has no column, so no key guards it. */
    status = lore_reference(c->db, LORE_REF_CAMPAIGN, "campaign", r->campaign, err);
    if (status == LORE_OK)
        status = put_row(c, r, &in, err);
    if (status == LORE_OK && in.no_reference) {
        status = lore_reference(c->db, LORE_REF_VERSION, "from_version", r->from_version, err);
        return status == LORE_OK ? lore_reference_lost(&in, err) : status;
    }
    if (status == LORE_OK && in.state == LORE_PUT_STORED)
        status = lore_words_hypothesis(c, r, err);
    if (status == LORE_OK)
        *out = in.state;
    return status;
}

#define SELECT                                                                                     \
    "SELECT h.seq, d.received_us, h.claimed_us, h.id, h.from_version, h.to_version, h.claim,"      \
    " h.author, h.rest, d.id FROM fact_hypothesis h JOIN fact_document d ON d.seq = h.document"

static void
columns(struct lore_stmt *q, struct lore_arena *a, struct lore_hypothesis_row *out)
{
    int i = 0;

    out->seq = lore_col_i64(q, i++);
    out->received_us = lore_col_i64(q, i++);
    out->h.claimed_at = lore_col_time(q, i, a);
    out->claimed_us = lore_col_i64(q, i++);
    out->h.id = lore_col_text(q, i++, a);
    out->h.from_version = lore_col_text(q, i++, a);
    out->h.to_version = lore_col_text(q, i++, a);
    out->h.claim = lore_col_text(q, i++, a);
    out->h.author = lore_col_text(q, i++, a);
    out->rest = lore_col_text(q, i++, a);
    out->document = lore_col_text(q, i++, a);
}

enum lore_status
lore_get_hypothesis(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_hypothesis_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE h.id = $1");
    struct lore_submission doc = {0};
    struct lore_hypothesis_row row = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "hypothesis %s: no such hypothesis", id);
    columns(&q, a, &row);
    status = lore_rest_read(LORE_K_HYPOTHESIS, "", row.rest, a, &doc, err);
    if (status != LORE_OK)
        return status;
    row.h = doc.hypotheses[0];
    *out = row;
    return LORE_OK;
}

enum lore_status
lore_list_hypotheses(struct lore_db *db, const char *version, struct lore_page page,
    struct lore_arena *a, struct lore_hypothesis_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, SELECT " WHERE ($1 IS NULL OR h.from_version = $1 OR h.to_version = $1)"
                            " AND ($2 = 0 OR h.seq < $2) ORDER BY h.seq DESC LIMIT $3");
    struct lore_hypothesis_row *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status;

    lore_bind_text(&q, 1, version);
    lore_bind_i64(&q, 2, page.before);
    lore_bind_i64(&q, 3, (int64_t)page.limit);
    while (lore_row(&q))
        columns(&q, a, LORE_PUSH(a, rows, count, cap));
    status = lore_done(&q, err);
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}
