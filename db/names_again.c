/* Names of techniques resolved again.
 *
 * A record keeps the name as it was written; the slug beside it is what the catalogue made of it at
 * the time. When a technique record says that its `slug` means a known technique, the slugs of
 * earlier records follow in the same transaction, and the experiments are judged again. When the
 * catalogue itself learned another name, they follow at the next start; verdicts and lists are
 * derived again afterwards. */
#include "db/catalogue_inner.h"
#include "db/effects.h"
#include "db/files.h"
#include "db/internal.h"
#include "db/rebuild.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"

/* Names that the catalogue does not know and records use. */
#define UNKNOWN                                                                                    \
    "SELECT c.slug FROM cat_technique c WHERE c.known = 0"                                         \
    " AND (EXISTS (SELECT 1 FROM fact_experiment_technique WHERE technique = c.slug)"              \
    "  OR EXISTS (SELECT 1 FROM fact_attribution WHERE technique = c.slug)"                        \
    "  OR EXISTS (SELECT 1 FROM fact_verification WHERE technique = c.slug))"                      \
    " ORDER BY c.slug"

enum lore_status
lore_name_meaning(struct lore_db *db, const char *name, const char **out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT technique FROM fact_technique WHERE slug = $1"
                               " AND technique <> slug ORDER BY seq DESC LIMIT 1");

    lore_bind_text(&q, 1, name);
    const struct lore_technique *said =
        lore_row(&q) ? lore_technique_find(lore_col_text(&q, 0, NULL)) : NULL;
    *out = said ? said->slug : lore_words_name(name);
    return lore_done(&q, err);
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

/* Note the experiments whose verdicts on techniques read NAME. */
static enum lore_status
note_users(const struct lore_put_ctx *c, const char *name, struct lore_err *err)
{
    struct lore_effects *e = c->effects;
    LORE_STMT q = lore_sql(c->db,
        "SELECT e.id, 1 FROM fact_experiment_technique t JOIN fact_experiment e"
        " ON e.seq = t.experiment WHERE t.technique = $1"
        " UNION SELECT a.experiment, 0 FROM fact_attribution a WHERE a.technique = $1"
        " UNION SELECT e.id, 0 FROM fact_verification v JOIN fact_experiment e"
        " ON e.to_version = v.version WHERE v.technique = $1");
    enum lore_status status = LORE_OK;

    lore_bind_text(&q, 1, name);
    while (e && status == LORE_OK && lore_row(&q)) {
        const char *id = lore_col_text(&q, 0, c->arena);
        status = lore_db_note_judged(c, id, err);
        if (lore_col_i64(&q, 1))
            *LORE_PUSH(c->arena, e->left, e->n_left, e->cap_left) = (struct lore_left){id, name};
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_name_explained(const struct lore_put_ctx *c, const char *name, struct lore_err *err)
{
    const char *meant = NULL;
    enum lore_status status = lore_name_meaning(c->db, name, &meant, err);

    if (status != LORE_OK || !meant || lore_streq(name, meant))
        return status;
    lore_name_cache_add(&c->db->names, 't', name, 0, meant, NULL);
    status = note_users(c, name, err);
    return status == LORE_OK ? rename_technique(c->db, name, meant, err) : status;
}

enum lore_status
lore_names_again(struct lore_db *db, bool apply, int64_t *n, struct lore_err *err)
{
    LORE_SCRATCH arena = {0};
    struct lore_texts names = {0};
    struct lore_stmt q = lore_sql(db, UNKNOWN);
    int64_t found = 0;

    while (lore_row(&q))
        *LORE_PUSH(&arena, names.v, names.n, names.cap) = lore_col_text(&q, 0, &arena);
    enum lore_status status = lore_done(&q, err);
    for (size_t i = 0; i < names.n && status == LORE_OK; i++) {
        const char *to = NULL;
        status = lore_name_meaning(db, names.v[i], &to, err);
        if (status == LORE_OK && to && apply)
            status = rename_technique(db, names.v[i], to, err);
        found += to != NULL;
    }
    if (status == LORE_OK)
        *n = found;
    return status;
}
