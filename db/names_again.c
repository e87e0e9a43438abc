/* Names of techniques resolved again.
 *
 * A record keeps the name as it was written; the slug beside it is what the catalogue made of it at
 * the time. When the catalogue learns another name, or a technique record says that its `slug`
 * means a known technique, the slugs of earlier records follow here. Callers derive verdicts and
 * lists again afterwards. */
#include "db/files.h"
#include "db/internal.h"
#include "db/rebuild.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"

/* Names that the catalogue does not know and records use, each with what the newest technique
 * record says it means. */
#define UNKNOWN                                                                                    \
    "SELECT c.slug, (SELECT t.technique FROM fact_technique t WHERE t.slug = c.slug"               \
    "  AND t.technique <> c.slug ORDER BY t.seq DESC LIMIT 1)"                                     \
    " FROM cat_technique c WHERE c.known = 0"                                                      \
    " AND (EXISTS (SELECT 1 FROM fact_experiment_technique WHERE technique = c.slug)"              \
    "  OR EXISTS (SELECT 1 FROM fact_attribution WHERE technique = c.slug)"                        \
    "  OR EXISTS (SELECT 1 FROM fact_verification WHERE technique = c.slug))"                      \
    " ORDER BY c.slug"

/* The known slug that NAME means; NULL: still none. SAID: what a record says it means, or NULL. */
static const char *
meaning(const char *name, const char *said)
{
    const struct lore_technique *known = lore_technique_find(said);

    return known ? known->slug : lore_words_name(name);
}

static enum lore_status
run(struct lore_stmt q, const char *from, const char *to, struct lore_err *err)
{
    lore_bind_text(&q, 1, to);
    lore_bind_text(&q, 2, from);
    return lore_done(&q, err);
}

static enum lore_status
rename_technique(struct lore_db *db, const char *from, const char *to, struct lore_err *err)
{
    enum lore_status status =
        run(lore_sql(db, "UPDATE fact_experiment_technique SET technique = $1,"
                         " raw = coalesce(raw, technique) WHERE technique = $2"),
            from, to, err);

    if (status == LORE_OK)
        status = run(lore_sql(db, "UPDATE fact_attribution SET technique = $1"
                                  " WHERE technique = $2"),
            from, to, err);
    if (status == LORE_OK)
        status = run(lore_sql(db, "UPDATE fact_verification SET technique = $1"
                                  " WHERE technique = $2"),
            from, to, err);
    if (status == LORE_OK)
        status = run(lore_sql(db, "UPDATE fact_insight SET technique = $1 WHERE technique = $2"),
            from, to, err);
    return status;
}

enum lore_status
lore_names_again(struct lore_db *db, bool apply, int64_t *n, struct lore_err *err)
{
    LORE_SCRATCH arena = {0};
    struct pair {
        const char *from, *to;
    } *v = NULL;
    size_t found = 0, cap = 0;
    struct lore_stmt q = lore_sql(db, UNKNOWN);

    while (lore_row(&q)) {
        const char *name = lore_col_text(&q, 0, &arena);
        const char *to = meaning(name, lore_col_text(&q, 1, &arena));
        if (to)
            *LORE_PUSH(&arena, v, found, cap) = (struct pair){name, to};
    }
    enum lore_status status = lore_done(&q, err);
    for (size_t i = 0; apply && i < found && status == LORE_OK; i++)
        status = rename_technique(db, v[i].from, v[i].to, err);
    if (status == LORE_OK)
        *n = (int64_t)found;
    return status;
}
