/* Verdicts across experiments (judged.h). The cursor of a page holds experiment and expectation, so
 * that a page may end inside an experiment. */
#include "db/judged.h"

#include "db/internal.h"

enum { POSITIONS = 4096 /* more expectations than a hypothesis may have */ };

enum lore_status
lore_db_list_judged(struct lore_db *db, const char *author, const char *verdict,
    struct lore_page page, struct lore_arena *a, struct lore_judged_row **out, size_t *n,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT e.seq, j.position, e.id, j.metric, j.verdict, j.why, j.before, j.after, h.id,"
        " coalesce(h.author, d.author) FROM fact_experiment e"
        " JOIN drv_judgement j ON j.experiment = e.seq"
        " JOIN fact_hypothesis h ON h.id = e.hypothesis JOIN fact_document d ON d.seq = h.document"
        " WHERE ($1 IS NULL OR coalesce(h.author, d.author) = $1)"
        " AND ($2 IS NULL OR j.verdict = $2)"
        " AND ($3 = 0 OR e.seq < $3 OR (e.seq = $3 AND j.position < $4))"
        " ORDER BY e.seq DESC, j.position DESC LIMIT $5");
    struct lore_judged_row *rows = NULL;
    size_t count = 0, cap = 0;

    lore_bind_text(&q, 1, author);
    lore_bind_text(&q, 2, verdict);
    lore_bind_i64(&q, 3, page.before / POSITIONS);
    lore_bind_i64(&q, 4, page.before % POSITIONS);
    lore_bind_i64(&q, 5, (int64_t)page.limit);
    while (lore_row(&q)) {
        struct lore_judged_row *r = LORE_PUSH(a, rows, count, cap);

        r->j.position = lore_col_i64(&q, 1);
        r->cursor = lore_col_i64(&q, 0) * POSITIONS + r->j.position;
        r->j.experiment = lore_col_text(&q, 2, a);
        r->j.metric = lore_col_text(&q, 3, a);
        r->j.verdict = lore_col_text(&q, 4, a);
        r->j.why = lore_col_text(&q, 5, a);
        r->j.before = lore_col_opt_f64(&q, 6);
        r->j.after = lore_col_opt_f64(&q, 7);
        r->hypothesis = lore_col_text(&q, 8, a);
        r->author = lore_col_text(&q, 9, a);
    }
    return lore_db_rows(&q, rows, count, out, n, err);
}

enum lore_status
lore_count_technique_verdicts(struct lore_db *db, const char *technique, struct lore_arena *a,
    struct lore_count **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT verdict, count(*) FROM drv_technique_verdict"
                               " WHERE technique = $1 GROUP BY verdict ORDER BY verdict");
    struct lore_count *rows = NULL;
    size_t count = 0, cap = 0;

    lore_bind_text(&q, 1, technique);
    while (lore_row(&q)) {
        struct lore_count *c = LORE_PUSH(a, rows, count, cap);

        c->name = lore_col_text(&q, 0, a);
        c->n = lore_col_i64(&q, 1);
    }
    return lore_db_rows(&q, rows, count, out, n, err);
}
