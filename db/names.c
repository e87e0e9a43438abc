/* Names of records (names.h). */
#include "db/names.h"

#include "db/internal.h"
#include "db/kinds.h"

enum { NAMES_MAX = 2000 };

enum lore_status
lore_db_list_ids(struct lore_db *db, const char *kind, const char *prefix, struct lore_arena *a,
    struct lore_ids *out, struct lore_err *err)
{
    LORE_STMT q = lore_kinds_open(db, LORE_SQL_BEGINS);
    struct lore_ids found = {.v = lore_alloc_array(a, LORE_IDS_MAX, sizeof *found.v)};

    lore_bind_text(&q, 1, prefix);
    lore_bind_text(
        &q, 2, lore_format(a, "%s~", prefix)); /* sorts behind every character of an id */
    lore_bind_text(&q, 3, kind);
    lore_bind_i64(&q, 4, LORE_IDS_MAX);
    while (found.n < LORE_IDS_MAX && lore_row(&q)) {
        struct lore_id_of *it = &found.v[found.n++];
        it->kind = lore_col_text(&q, 0, a);
        it->id = lore_col_text(&q, 1, a);
    }
    enum lore_status status = lore_done(&q, err);
    if (status == LORE_OK)
        *out = found;
    return status;
}

enum lore_status
lore_db_list_kernel_names(struct lore_db *db, struct lore_arena *a, const char *const **out,
    size_t *n, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT name FROM fact_kernel GROUP BY name ORDER BY max(seq) DESC LIMIT $1");
    const char **names = lore_alloc_array(a, NAMES_MAX, sizeof *names);
    size_t count = 0;

    lore_bind_i64(&q, 1, NAMES_MAX);
    for (; count < NAMES_MAX && lore_row(&q); count++)
        names[count] = lore_col_text(&q, 0, a);
    enum lore_status status = lore_done(&q, err);
    if (status == LORE_OK) {
        *out = names;
        *n = count;
    }
    return status;
}

enum lore_status
lore_db_get_kernel_chips(struct lore_db *db, const char *kernel, struct lore_arena *a,
    const char **out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT group_concat(chip) FROM (SELECT DISTINCT r.chip FROM fact_version v"
        " JOIN fact_run r ON r.version = v.id WHERE v.kernel = $1 AND r.chip IS NOT NULL"
        " ORDER BY 1 LIMIT 8)");
    const char *chips = NULL;

    lore_bind_text(&q, 1, kernel);
    if (lore_row(&q))
        chips = lore_col_text(&q, 0, a);
    enum lore_status status = lore_done(&q, err);
    if (status == LORE_OK)
        *out = chips;
    return status;
}
