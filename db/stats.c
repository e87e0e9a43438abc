/* The catalogue in use, and the row counts of the fact tables. */
#include <stdio.h>
#include <sys/stat.h>

#include "db/internal.h"
#include "db/kinds.h"
#include "db/query.h"
#include "service/catalogue/catalogue.h"

#define ROW struct lore_count
static const struct lore_row_member count_members[] = {AT(name), AT(n)};
const struct lore_row_shape lore_count_rows = {LORE_MEMBERS(count_members)};
#undef ROW

static enum lore_status
add_aliases(struct lore_stmt *of, struct lore_arena *a, void *row, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(of->db, "SELECT alias FROM cat_operator_alias WHERE operator = $1 ORDER BY alias");
    struct lore_operator_row *out = row;
    struct lore_texts t = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, out->name);
    status = lore_db_texts(&q, a, &t, err);
    out->aliases = lore_join(&t, ',', a);
    return status;
}

#define ROW struct lore_operator_row
static const struct lore_row_member operator_members[] = {
    AT(name), AT(family), AT(summary), AT(known), AT(kernels), AT(experiments)};
static const struct lore_row_shape operator_rows = {
    LORE_MEMBERS(operator_members), .more = add_aliases};
#undef ROW

enum lore_status
lore_db_list_operators(struct lore_db *db, struct lore_arena *a, struct lore_operator_row **out,
    size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT o.name, o.family, o.summary, o.known,"
        " (SELECT count(*) FROM fact_kernel k WHERE k.operator = o.name), coalesce(x.n, 0)"
        " FROM cat_operator o LEFT JOIN (SELECT operator, count(*) AS n FROM drv_experiment"
        " WHERE masked = 0 GROUP BY operator) x ON x.operator = o.name ORDER BY o.name");

    return lore_db_collect(&q, &operator_rows, a, out, n, err);
}

#define ROW struct lore_technique_row
static const struct lore_row_member technique_members[] = {AT(slug), AT(title), AT(axis), AT(layer),
    AT(summary), AT(known), AT(experiments), AT(wins), AT(losses)};
static const struct lore_row_shape technique_rows = {LORE_MEMBERS(technique_members)};
#undef ROW

enum lore_status
lore_db_list_techniques(struct lore_db *db, struct lore_arena *a, struct lore_technique_row **out,
    size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT t.slug, t.title, t.axis, t.layer, t.summary, t.known, coalesce(u.n, 0),"
        " coalesce(u.wins, 0), coalesce(u.losses, 0) FROM cat_technique t LEFT JOIN"
        " (SELECT f.technique, count(*) AS n,"
        " sum(" LORE_COUNTS_AS("x") " = 'win') AS wins,"
                                    " sum(" LORE_COUNTS_AS(
                                        "x") " = 'loss') AS losses"
                                             " FROM fact_experiment_technique f JOIN "
                                             "drv_experiment x ON x.seq = f.experiment"
                                             " AND x.masked = 0 GROUP BY f.technique) u ON "
                                             "u.technique = t.slug ORDER BY t.slug");

    return lore_db_collect(&q, &technique_rows, a, out, n, err);
}

enum lore_status
lore_db_technique_used(struct lore_db *db, const char *slug, bool *used, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT 1 FROM cat_technique WHERE slug = $1");

    lore_bind_text(&q, 1, slug);
    *used = lore_row(&q);
    return lore_done(&q, err);
}

#define ROW struct lore_chip_row
static const struct lore_row_member chip_members[] = {AT(name), AT(runs), AT(experiments)};
static const struct lore_row_shape chip_rows = {LORE_MEMBERS(chip_members)};

enum lore_status
lore_db_list_chips(struct lore_db *db, struct lore_arena *a, struct lore_chip_row **out, size_t *n,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT c.name, coalesce(r.n, 0), coalesce(x.n, 0) FROM cat_chip c"
        " LEFT JOIN (SELECT chip, count(*) AS n FROM fact_run GROUP BY chip) r ON r.chip = c.name"
        " LEFT JOIN (SELECT chip, count(*) AS n FROM drv_experiment WHERE masked = 0 GROUP BY "
        "chip) x"
        " ON x.chip = c.name WHERE r.n > 0 OR x.n > 0 ORDER BY c.name");

    return lore_db_collect(&q, &chip_rows, a, out, n, err);
}

static int64_t
file_bytes(const char *path, const char *suffix)
{
    char name[4096 + 8];
    struct stat st;

    snprintf(name, sizeof name, "%s%s", path, suffix);
    return stat(name, &st) == 0 ? st.st_size : 0;
}

#define IS_COPY LORE_IS_COPY("c.record")

/* How many experiments and runs are copies. */
static enum lore_status
count_copies(struct lore_db *db, struct lore_arena *a, struct lore_count **out, size_t *n,
    struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT 'experiment_copies', count(*) FROM drv_copy c JOIN fact_experiment e"
                     " ON e.id = c.record WHERE" IS_COPY
                     " UNION ALL SELECT 'run_copies', count(*) FROM drv_copy c JOIN fact_run r"
                     " ON r.id = c.record WHERE" IS_COPY);

    return lore_db_collect(&q, &lore_count_rows, a, out, n, err);
}

enum lore_status
lore_db_stats(struct lore_db *db, struct lore_arena *a, struct lore_count **out, size_t *n,
    struct lore_err *err)
{
    LORE_STMT q = lore_kinds_open(db, LORE_SQL_COUNTS);
    struct lore_count *rows = NULL, *copies = NULL;
    size_t count = 0, n_copies = 0, cap;
    enum lore_status status = lore_db_collect(&q, &lore_count_rows, a, &rows, &count, err);

    if (status == LORE_OK)
        status = count_copies(db, a, &copies, &n_copies, err);

    if (status != LORE_OK)
        return status;
    cap = count;
    for (size_t i = 0; i < n_copies; i++)
        *LORE_PUSH(a, rows, count, cap) = copies[i];
    *LORE_PUSH(a, rows, count, cap) =
        (struct lore_count){"database_bytes", file_bytes(db->path, "")};
    *LORE_PUSH(a, rows, count, cap) =
        (struct lore_count){"wal_bytes", file_bytes(db->path, "-wal")};
    *out = rows;
    *n = count;
    return LORE_OK;
}

enum lore_status
lore_db_get_holdings(struct lore_db *db, struct lore_holdings *out, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT EXISTS (SELECT 1 FROM fact_experiment),"
                     " EXISTS (SELECT 1 FROM fact_run), EXISTS (SELECT 1 FROM fact_sweep)");

    if (lore_row(&q))
        *out = (struct lore_holdings){
            lore_col_i64(&q, 0) != 0, lore_col_i64(&q, 1) != 0, lore_col_i64(&q, 2) != 0};
    return lore_done(&q, err);
}
