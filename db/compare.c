/* Two databases, row by row. The tables, their columns and the order of their rows are read from
 * the schema, so that a new table or column is compared without a word here. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "db/internal.h"
#include "db/verify.h"
#include "service/base/text.h"

/* Tables whose rows no document says, or whose bytes depend on how they came about. The full-text
 * index is compared by its words. */
static const char *const left_out[] = {"fact_event", "fact_agent", "fact_agent_revoked",
    "fact_receipt", "fact_receipt_line", "drv_model", "drv_advice_outcome", "drv_advice_trial",
    "drv_search_data", "drv_search_idx", "drv_search_docsize"};

/* Which rows of a table are compared; NULL: all. */
static const struct {
    const char *table, *where;
} parts[] = {
    {"drv_outcome", "superseded_us IS NULL"},
    {"fact_mask", "curation IS NOT NULL"}, /* the others are older than decisions by documents */
};

/* Columns whose values two databases with the same facts need not share. */
static const struct {
    const char *table, *column; /* NULL: of any table */
} loose[] = {
    {NULL, "zstd"}, /* depends on the library; the unpacked bytes are hashed elsewhere */
    {"drv_outcome", "seq"},
    {"drv_outcome", "decided_us"},
};

struct comparing {
    struct lore_db *db, *copy;
    struct lore_arena *a;
    int64_t rows;
};

static bool
is_left_out(const char *table)
{
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (lore_streq(table, left_out[i]))
            return true;
    return false;
}

static bool
is_loose(const char *table, const char *column)
{
    for (size_t i = 0; i < sizeof loose / sizeof *loose; i++)
        if ((!loose[i].table || lore_streq(table, loose[i].table)) &&
            lore_streq(column, loose[i].column))
            return true;
    return false;
}

/* SELECT all compared columns of TABLE, by its key; without a key, by all columns. */
static enum lore_status
select_of(struct comparing *c, const char *table, const char **out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->copy, "SELECT name, pk FROM pragma_table_info($1) ORDER BY cid");
    LORE_BUF columns = {0}, keys = {0};

    lore_bind_text(&q, 1, table);
    while (lore_row(&q)) {
        const char *name = lore_col_text(&q, 0, NULL);

        if (is_loose(table, name))
            continue;
        lore_buf_printf(&columns, "%s\"%s\"", columns.len > 0 ? ", " : "", name);
        if (lore_col_i64(&q, 1) > 0)
            lore_buf_printf(&keys, "%s\"%s\"", keys.len > 0 ? ", " : "", name);
    }
    *out = lore_format(c->a, "SELECT %s FROM \"%s\" WHERE 1", columns.data, table);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (lore_streq(table, parts[i].table))
            *out = lore_format(c->a, "%s AND %s", *out, parts[i].where);
    *out = lore_format(c->a, "%s ORDER BY %s", *out, keys.len > 0 ? keys.data : columns.data);
    return lore_done(&q, err);
}

/* Whether column I of the present rows is the same: type and bytes. */
static bool
is_same(struct lore_stmt *x, struct lore_stmt *y, int i)
{
    int type = sqlite3_column_type(x->s, i);

    if (type != sqlite3_column_type(y->s, i))
        return false;
    if (type == SQLITE_INTEGER)
        return sqlite3_column_int64(x->s, i) == sqlite3_column_int64(y->s, i);
    if (type == SQLITE_FLOAT) {
        double v = sqlite3_column_double(x->s, i), w = sqlite3_column_double(y->s, i);
        return memcmp(&v, &w, sizeof v) == 0;
    }
    const void *p = sqlite3_column_blob(x->s, i), *r = sqlite3_column_blob(y->s, i);
    int n = sqlite3_column_bytes(x->s, i);
    return n == sqlite3_column_bytes(y->s, i) && (n == 0 || memcmp(p, r, (size_t)n) == 0);
}

static enum lore_status
row_differs(const char *table, struct lore_stmt *x, const char *what, struct lore_err *err)
{
    const char *name = sqlite3_column_name(x->s, 0), *first = lore_col_text(x, 0, NULL);

    return lore_fail_at(err, LORE_CORRUPT, "row_damaged", "", "%s, the row with %s %.60s: %s",
        table, name ? name : "?", first ? first : "NULL", what);
}

/* The same statement on both databases gives the same rows. */
static enum lore_status
compare_rows(struct comparing *c, const char *table, const char *sql, struct lore_err *err)
{
    LORE_STMT x = lore_sql_once(c->db, sql);
    LORE_STMT y = lore_sql_once(c->copy, sql);
    bool more = true;

    while (more) {
        bool in_db = lore_row(&x), in_copy = lore_row(&y);

        if (x.rc != SQLITE_OK || y.rc != SQLITE_OK)
            break;
        if (in_db && !in_copy)
            return row_differs(table, &x, "no document says so", err);
        if (in_copy && !in_db)
            return row_differs(table, &y, "a document says so, and the row is missing", err);
        more = in_db;
        c->rows += more;
        for (int i = 0; more && i < sqlite3_column_count(x.s); i++)
            if (!is_same(&x, &y, i)) {
                char what[120];

                snprintf(what, sizeof what, "%.60s is not what its document says",
                    sqlite3_column_name(x.s, i));
                return row_differs(table, &x, what, err);
            }
    }
    enum lore_status status = lore_done(&x, err);
    return status == LORE_OK ? lore_done(&y, err) : status;
}

static enum lore_status
compare_tables(struct comparing *c, const char *kind, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->copy, "SELECT name FROM sqlite_schema WHERE type = 'table'"
                                    " AND substr(name, 1, length($1)) = $1 ORDER BY rowid");
    enum lore_status status = LORE_OK;

    lore_bind_text(&q, 1, kind);
    while (status == LORE_OK && lore_row(&q)) {
        const char *table = lore_col_text(&q, 0, c->a), *sql = NULL;

        if (is_left_out(table))
            continue;
        status = select_of(c, table, &sql, err);
        if (status == LORE_OK)
            status = compare_rows(c, table, sql, err);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

/* The words of the full-text index with their places, and the sums that rank them. */
static enum lore_status
compare_words(struct comparing *c, struct lore_err *err)
{
    static const char make[] = "PRAGMA query_only = OFF; CREATE VIRTUAL TABLE temp.words USING"
                               " fts5vocab(main, drv_search, instance)";
    enum lore_status status = lore_db_exec(c->db, make, err);

    if (status == LORE_OK)
        status = lore_db_exec(c->copy, make, err);
    if (status == LORE_OK)
        status = compare_rows(c, "drv_search",
            "SELECT doc, term, col, offset FROM temp.words ORDER BY term, doc, col, offset", err);
    if (status == LORE_OK)
        status = compare_rows(
            c, "drv_search_data", "SELECT id, block FROM drv_search_data WHERE id = 1", err);
    return status == LORE_OK ? compare_rows(c, "drv_search_docsize",
                                   "SELECT id, sz FROM drv_search_docsize ORDER BY id", err)
                             : status;
}

enum lore_status
lore_db_compare_schema(struct lore_db *db, struct lore_db *copy, struct lore_err *err)
{
    struct comparing c = {.db = db, .copy = copy};

    return compare_rows(&c, "sqlite_schema",
        "SELECT name, type, tbl_name, sql FROM sqlite_schema ORDER BY name", err);
}

enum lore_status
lore_db_compare(
    struct lore_db *db, struct lore_db *copy, bool deep, int64_t *rows, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    struct comparing c = {.db = db, .copy = copy, .a = &a};
    enum lore_status status = compare_tables(&c, "fact_", err);

    if (status == LORE_OK && deep)
        status = compare_tables(&c, "cat_", err);
    if (status == LORE_OK && deep)
        status = compare_tables(&c, "drv_", err);
    if (status == LORE_OK && deep)
        status = compare_words(&c, err);
    *rows = c.rows;
    return status;
}

/* Indexes that only derived rows need. Half of the time of storing facts goes into them. */
static enum lore_status
drop_indexes(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT 'DROP INDEX ' || name FROM sqlite_schema WHERE type = 'index'"
                     " AND sql LIKE 'CREATE INDEX %' AND tbl_name IN ('fact_run',"
                     " 'fact_experiment', 'fact_experiment_run', 'fact_version',"
                     " 'fact_lineage', 'fact_workload')");
    LORE_SCRATCH a = {0};
    struct lore_texts drops = {0};
    enum lore_status status = lore_db_texts(&q, &a, &drops, err);

    for (size_t i = 0; status == LORE_OK && i < drops.n; i++)
        status = lore_db_exec(db, drops.v[i], err);
    return status;
}

enum lore_status
lore_db_make_scratch(struct lore_db *db, bool facts_only, struct lore_err *err)
{
    /* the database that it is compared with is checked for missing references */
    enum lore_status status = lore_db_exec(db,
        "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;"
        "PRAGMA cache_size=-262144; PRAGMA foreign_keys=OFF",
        err);

    db->facts_only = facts_only;
    return status == LORE_OK && facts_only ? drop_indexes(db, err) : status;
}

bool
lore_db_has_facts_only(const struct lore_db *db)
{
    return db->facts_only;
}
