/* The lessons that may apply to a question, found by their scope. Their text, most of an insight,
 * is read only for the lessons shown. */
#include "db/lesson.h"

#include "db/cache.h"
#include "db/internal.h"
#include "db/lesson_cache.h"

/* "|a|b|", in which SQL searches for a technique; a slug contains no bar. */
static const char *
between_bars(struct lore_arena *a, const char *const *names, size_t n)
{
    const char *out = "|";

    for (size_t i = 0; i < n; i++)
        out = lore_format(a, "%s%s|", out, names[i]);
    return out;
}

#define ROW struct lore_lesson
static const struct lore_row_member members[] = {AT(id), AT(kind), AT(title), AT(op), AT(family),
    AT(language), AT(chip), AT(technique), AT(labels), AT(arch), AT(vendor)};
static const struct lore_row_shape shape = {LORE_MEMBERS(members)};

static enum lore_status
ask_database(struct lore_db *db, const struct lore_lesson_scope *of, struct lore_arena *a,
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

    lore_bind_text(&q, 1, of->op);
    lore_bind_text(&q, 2, of->family);
    lore_bind_text(&q, 3, between_bars(a, of->techniques, of->n_techniques));
    lore_bind_i64(&q, 4, LORE_LESSONS_MAX);
    return lore_db_collect(&q, &shape, a, out, n, err);
}

enum lore_status
lore_db_list_lessons(struct lore_db *db, const struct lore_lesson_scope *of, struct lore_arena *a,
    struct lore_lesson **out, size_t *n, struct lore_err *err)
{
    enum lore_status status = lore_lesson_cache_list(db, of, a, out, n, err);

    return status == LORE_NOTFOUND ? ask_database(db, of, a, out, n, err) : status;
}

enum lore_status
lore_db_get_lesson_words(struct lore_db *db, const char *id, struct lore_arena *a, const char **out,
    struct lore_err *err)
{
    LORE_STMT q = {0};
    enum lore_status status;

    if (lore_cache_get(db, 'i', id, a, out, 1))
        return LORE_OK;
    q = lore_sql(db, "SELECT i.body FROM fact_insight i WHERE i.id = $1");
    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "insight %s: no such insight", id);
    *out = lore_col_text(&q, 0, a);
    status = lore_done(&q, err);
    if (status == LORE_OK)
        lore_cache_put(db, 'i', id, out, 1);
    return status;
}
