/* Lessons that could bear on a question, found by what they are on. Their words, which are most of
 * an insight, are read only of those that are shown. */
#include "lesson.h"

#include "internal.h"

/* "|a|b|": SQL looks a technique up in it; a slug has no bar. */
static const char *
between_bars(struct lore_arena *a, const char *const *names, size_t n)
{
    const char *out = "|";

    for (size_t i = 0; i < n; i++)
        out = lore_format(a, "%s%s|", out, names[i]);
    return out;
}

enum lore_status
lore_list_lessons(struct lore_db *db, const char *op, const char *family,
    const char *const *techniques, size_t n_techniques, struct lore_arena *a,
    struct lore_lesson **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT i.id, i.kind, i.title, i.operator, i.family, i.language, i.chip, i.technique,"
        " i.labels, CASE WHEN i.chip IS NULL THEN json_extract(i.rest, '$.arch') END,"
        " CASE WHEN i.chip IS NULL THEN json_extract(i.rest, '$.vendor') END"
        " FROM fact_insight i WHERE (i.operator = $1 OR i.family = $2 OR i.technique IN"
        " (SELECT slug FROM cat_technique WHERE instr($3, '|' || slug || '|') > 0))"
        " AND" LORE_NOT_RETRACTED(
            "i") " ORDER BY i.operator IS $1 DESC, instr($3, '|' || i.technique || '|') > 0 DESC,"
                 " i.seq DESC LIMIT $4");
    struct lore_lesson *rows = NULL;
    size_t count = 0, cap = 0;

    lore_bind_text(&q, 1, op);
    lore_bind_text(&q, 2, family);
    lore_bind_text(&q, 3, between_bars(a, techniques, n_techniques));
    lore_bind_i64(&q, 4, LORE_LESSONS_MAX);
    while (lore_row(&q)) {
        struct lore_lesson *r = LORE_PUSH(a, rows, count, cap);
        const char **columns[] = {&r->id, &r->kind, &r->title, &r->op, &r->family, &r->language,
            &r->chip, &r->technique, &r->labels, &r->arch, &r->vendor};

        for (int i = 0; i < (int)(sizeof columns / sizeof *columns); i++)
            *columns[i] = lore_col_text(&q, i, a);
    }
    enum lore_status status = lore_done(&q, err);
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}
