/* The catalogue as used, and how much of everything there is. */
#include <stdio.h>
#include <sys/stat.h>

#include "db/internal.h"
#include "db/kinds.h"
#include "db/query.h"
#include "service/catalogue/catalogue.h"

static enum lore_status
add_aliases(
    struct lore_db *db, struct lore_arena *a, struct lore_operator_row *row, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT alias FROM cat_operator_alias WHERE operator = $1 ORDER BY alias");
    struct lore_texts t = {0};

    lore_bind_text(&q, 1, row->name);
    while (lore_row(&q))
        *LORE_PUSH(a, t.v, t.n, t.cap) = lore_col_text(&q, 0, a);
    row->aliases = lore_join(&t, ',', a);
    return lore_done(&q, err);
}

enum lore_status
lore_db_list_operators(struct lore_db *db, struct lore_arena *a, struct lore_operator_row **out,
    size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT o.name, o.family, o.summary, o.known,"
        " (SELECT count(*) FROM fact_kernel k WHERE k.operator = o.name), coalesce(x.n, 0)"
        " FROM cat_operator o LEFT JOIN (SELECT operator, count(*) AS n FROM drv_experiment"
        " GROUP BY operator) x ON x.operator = o.name ORDER BY o.name");
    struct lore_operator_row *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status;

    while (lore_row(&q)) {
        struct lore_operator_row *r = LORE_PUSH(a, rows, count, cap);

        r->name = lore_col_text(&q, 0, a);
        r->family = lore_col_text(&q, 1, a);
        r->summary = lore_col_text(&q, 2, a);
        r->known = lore_col_i64(&q, 3) != 0;
        r->kernels = lore_col_i64(&q, 4);
        r->experiments = lore_col_i64(&q, 5);
        status = add_aliases(db, a, r, err);
        if (status != LORE_OK)
            return status;
    }
    return lore_db_rows(&q, rows, count, out, n, err);
}

enum lore_status
lore_db_list_techniques(struct lore_db *db, struct lore_arena *a, struct lore_technique_row **out,
    size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT t.slug, t.title, t.axis, t.layer, t.summary, t.known, coalesce(u.n, 0),"
        " coalesce(u.wins, 0), coalesce(u.losses, 0) FROM cat_technique t LEFT JOIN"
        " (SELECT f.technique, count(*) AS n,"
        " sum(CASE WHEN x.effect = 'win' THEN 1 ELSE 0 END) AS wins,"
        " sum(CASE WHEN x.effect = 'loss' THEN 1 ELSE 0 END) AS losses"
        " FROM fact_experiment_technique f JOIN drv_experiment x ON x.seq = f.experiment"
        " GROUP BY f.technique) u ON u.technique = t.slug ORDER BY t.slug");
    struct lore_technique_row *rows = NULL;
    size_t count = 0, cap = 0;

    while (lore_row(&q)) {
        struct lore_technique_row *r = LORE_PUSH(a, rows, count, cap);

        r->slug = lore_col_text(&q, 0, a);
        r->title = lore_col_text(&q, 1, a);
        r->axis = lore_col_text(&q, 2, a);
        r->layer = lore_col_text(&q, 3, a);
        r->summary = lore_col_text(&q, 4, a);
        r->known = lore_col_i64(&q, 5) != 0;
        r->experiments = lore_col_i64(&q, 6);
        r->wins = lore_col_i64(&q, 7);
        r->losses = lore_col_i64(&q, 8);
    }
    return lore_db_rows(&q, rows, count, out, n, err);
}

enum lore_status
lore_db_list_chips(struct lore_db *db, struct lore_arena *a, struct lore_chip_row **out, size_t *n,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT c.name, coalesce(r.n, 0), coalesce(x.n, 0) FROM cat_chip c"
        " LEFT JOIN (SELECT chip, count(*) AS n FROM fact_run GROUP BY chip) r ON r.chip = c.name"
        " LEFT JOIN (SELECT chip, count(*) AS n FROM drv_experiment GROUP BY chip) x"
        " ON x.chip = c.name WHERE r.n > 0 OR x.n > 0 ORDER BY c.name");
    struct lore_chip_row *rows = NULL;
    size_t count = 0, cap = 0;

    while (lore_row(&q)) {
        struct lore_chip_row *r = LORE_PUSH(a, rows, count, cap);

        r->name = lore_col_text(&q, 0, a);
        r->runs = lore_col_i64(&q, 1);
        r->experiments = lore_col_i64(&q, 2);
    }
    return lore_db_rows(&q, rows, count, out, n, err);
}

static int64_t
file_bytes(const char *path, const char *suffix)
{
    char name[4096 + 8];
    struct stat st;

    snprintf(name, sizeof name, "%s%s", path, suffix);
    return stat(name, &st) == 0 ? st.st_size : 0;
}

/* Every table of facts, by name. */
static enum lore_status
count_facts(struct lore_db *db, struct lore_arena *a, struct lore_count **out, size_t *n,
    size_t *cap, struct lore_err *err)
{
    LORE_STMT q = lore_kinds_open(db, LORE_SQL_COUNTS);

    while (lore_row(&q)) {
        struct lore_count *r = LORE_PUSH(a, *out, *n, *cap);

        r->name = lore_col_text(&q, 0, a);
        r->n = lore_col_i64(&q, 1);
    }
    return lore_done(&q, err);
}

enum lore_status
lore_db_stats(struct lore_db *db, struct lore_arena *a, struct lore_count **out, size_t *n,
    struct lore_err *err)
{
    struct lore_count *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status = count_facts(db, a, &rows, &count, &cap, err);

    if (status != LORE_OK)
        return status;
    *LORE_PUSH(a, rows, count, cap) =
        (struct lore_count){"database_bytes", file_bytes(db->path, "")};
    *LORE_PUSH(a, rows, count, cap) =
        (struct lore_count){"wal_bytes", file_bytes(db->path, "-wal")};
    *out = rows;
    *n = count;
    return LORE_OK;
}
