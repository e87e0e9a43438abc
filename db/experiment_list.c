/* Experiments by facets: one condition for lists, totals and counts, over the narrow rows of
 * drv_experiment; the full rows are read only for the page that is shown. */
#include "catalogue.h"
#include "internal.h"
#include "text.h"

#define CHIPS 16 /* products of one ISA: more than any vendor has */

/* $13 … $28: chips. $31: search text, $32: its floor. A NULL parameter restricts nothing. */
#define CONDITION                                                                                  \
    " ($1 IS NULL OR x.operator = $1)"                                                             \
    " AND ($2 IS NULL OR x.operator IN (SELECT name FROM cat_operator WHERE family = $2))"         \
    " AND ($3 IS NULL OR x.language = $3)"                                                         \
    " AND ($4 IS NULL OR x.seq IN (SELECT experiment FROM fact_experiment_technique"               \
    " WHERE technique = $4))"                                                                      \
    " AND ($5 IS NULL OR x.effect = $5) AND ($6 IS NULL OR x.correctness = $6)"                    \
    " AND ($7 IS NULL OR x.process = $7) AND ($8 IS NULL OR x.evidence = $8)"                      \
    " AND ($9 IS NULL OR x.seq IN (SELECT seq FROM fact_experiment WHERE kernel = $9))"            \
    " AND ($10 IS NULL OR x.seq IN (SELECT seq FROM fact_experiment WHERE from_version = $10"      \
    " OR to_version = $10))"                                                                       \
    " AND ($11 IS NULL OR x.seq IN (SELECT seq FROM fact_experiment WHERE workload = $11))"        \
    " AND ($12 IS NULL OR '+' || x.labels || '+' LIKE $12)"                                        \
    " AND ($13 IS NULL OR x.chip IN ($13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,"  \
    " $25, $26, $27, $28))"                                                                        \
    " AND ($29 < 0 OR x.disagrees = $29) AND ($30 < 0 OR x.masked = $30)"
#define MATCHED                                                                                    \
    " AND ($31 IS NULL OR x.seq IN (SELECT e.seq FROM drv_search JOIN fact_experiment e"           \
    " ON e.id = drv_search.ref WHERE drv_search MATCH $31 AND drv_search.rowid >= $32"             \
    " AND drv_search.kind = 'experiment'))"

/* The text of a filter as a query, and where its ranking starts. */
struct words {
    const char *query;
    int64_t floor;
    bool nothing; /* a text without a word in it matches nothing */
};

static enum lore_status
words_of(struct lore_db *db, const struct lore_experiment_filter *f, struct lore_arena *a,
    struct words *w, struct lore_err *err)
{
    *w = (struct words){0};
    if (f->text == NULL || *f->text == '\0')
        return LORE_OK;
    w->query = lore_search_query(f->text, a);
    w->nothing = w->query == NULL;
    return w->nothing ? LORE_OK : lore_search_floor(db, w->query, &w->floor, err);
}

static void
bind_chips(struct lore_stmt *q, const struct lore_experiment_filter *f)
{
    const char *const *chips = f->n_chips > 0 ? f->chips : &f->chip;
    size_t n = f->n_chips > 0 ? f->n_chips : 1;

    for (size_t i = 0; i < CHIPS; i++)
        lore_bind_text(q, 13 + (int)i, i < n ? chips[i] : NULL);
}

static void
bind(struct lore_stmt *q, const struct lore_experiment_filter *f, const struct words *w,
    struct lore_arena *a)
{
    lore_bind_text(q, 1, f->op);
    lore_bind_text(q, 2, f->family);
    lore_bind_text(q, 3, f->language);
    lore_bind_text(q, 4, f->technique);
    lore_bind_text(q, 5, f->effect);
    lore_bind_text(q, 6, f->correctness);
    lore_bind_text(q, 7, f->process);
    lore_bind_text(q, 8, f->evidence);
    lore_bind_text(q, 9, f->kernel);
    lore_bind_text(q, 10, f->version);
    lore_bind_text(q, 11, f->workload);
    lore_bind_text(q, 12, f->label != NULL ? lore_format(a, "%%+%s+%%", f->label) : NULL);
    bind_chips(q, f);
    lore_bind_i64(q, 29, f->disagrees);
    lore_bind_i64(q, 30, f->masked);
    lore_bind_text(q, 31, w->query);
    lore_bind_i64(q, 32, w->floor);
}

static enum lore_status
too_many_chips(struct lore_err *err)
{
    return lore_fail_at(
        err, LORE_INVALID, "too_long", "chip", "chip: at most %d chips at once", CHIPS);
}

static enum lore_status
read_row(struct lore_db *db, int64_t seq, struct lore_arena *a, struct lore_experiment_row *out,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, LORE_EXPERIMENT_SELECT " WHERE e.seq = $1");
    enum lore_status status;
    int col;

    lore_bind_i64(&q, 1, seq);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "experiment %lld: no row", (long long)seq);
    lore_experiment_columns(&q, &col, a, out);
    status = lore_done(&q, err);
    return status == LORE_OK ? lore_experiment_uses(db, seq, a, &out->e, err) : status;
}

static struct lore_stmt
newest_first(struct lore_db *db)
{
    return lore_sql(db, "SELECT x.seq FROM drv_experiment x WHERE" CONDITION MATCHED
                        " AND ($33 = 0 OR x.seq < $33) ORDER BY x.seq DESC LIMIT $34");
}

/* CROSS JOIN fixes the order: search first, in its own order, then the rows it names. */
static struct lore_stmt
best_first(struct lore_db *db)
{
    return lore_sql(db, "SELECT x.seq FROM drv_search CROSS JOIN fact_experiment e"
                        " ON e.id = drv_search.ref CROSS JOIN drv_experiment x ON x.seq = e.seq"
                        " WHERE" CONDITION " AND drv_search MATCH $31 AND drv_search.rowid >= $32"
                        " AND drv_search.kind = 'experiment'"
                        " ORDER BY drv_search.rank LIMIT $33 OFFSET $34");
}

enum lore_status
lore_list_experiments(struct lore_db *db, const struct lore_experiment_filter *f,
    struct lore_arena *a, struct lore_experiment_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = {0};
    struct lore_experiment_row *rows = NULL;
    size_t count = 0, cap = 0;
    struct words w;
    enum lore_status status =
        f->n_chips > CHIPS ? too_many_chips(err) : words_of(db, f, a, &w, err);

    if (status != LORE_OK)
        return status;
    q = w.query != NULL ? best_first(db) : newest_first(db);
    bind(&q, f, &w, a);
    lore_bind_i64(&q, 33, w.query != NULL ? (int64_t)f->limit : f->before);
    lore_bind_i64(&q, 34, (int64_t)(w.query != NULL ? f->offset : f->limit));
    while (!w.nothing && lore_row(&q)) {
        status = read_row(db, lore_col_i64(&q, 0), a, LORE_PUSH(a, rows, count, cap), err);
        if (status != LORE_OK)
            return status;
    }
    status = w.nothing ? LORE_OK : lore_done(&q, err);
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}

enum lore_status
lore_count_total(struct lore_db *db, const struct lore_experiment_filter *f, int64_t *total,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT count(*) FROM drv_experiment x WHERE" CONDITION MATCHED);
    struct lore_arena a = {0};
    struct words w;
    enum lore_status status =
        f->n_chips > CHIPS ? too_many_chips(err) : words_of(db, f, &a, &w, err);

    if (status == LORE_OK && w.nothing)
        *total = 0;
    if (status == LORE_OK && !w.nothing) {
        bind(&q, f, &w, &a);
        if (lore_row(&q))
            *total = lore_col_i64(&q, 0);
        status = lore_done(&q, err);
    }
    lore_stmt_close(&q); /* before the texts it borrowed */
    lore_arena_free(&a);
    return status;
}

/* Names and counts of one column. */
#define COUNT_BY(column)                                                                           \
    "SELECT " column ", count(*) FROM drv_experiment x WHERE" CONDITION MATCHED " AND " column     \
    " IS NOT NULL GROUP BY " column " ORDER BY 2 DESC, 1"

/* The statement of FACET; its own restriction is taken out of *f. */
static bool
facet_query(
    struct lore_db *db, const char *facet, struct lore_experiment_filter *f, struct lore_stmt *q)
{
    if (lore_streq(facet, "operator")) {
        *q = lore_sql(db, COUNT_BY("x.operator"));
        f->op = NULL;
    } else if (lore_streq(facet, "language")) {
        *q = lore_sql(db, COUNT_BY("x.language"));
        f->language = NULL;
    } else if (lore_streq(facet, "chip")) {
        *q = lore_sql(db, COUNT_BY("x.chip"));
        f->chip = NULL;
        f->n_chips = 0;
    } else if (lore_streq(facet, "effect")) {
        *q = lore_sql(db, COUNT_BY("x.effect"));
        f->effect = NULL;
    } else if (lore_streq(facet, "evidence")) {
        *q = lore_sql(db, COUNT_BY("x.evidence"));
        f->evidence = NULL;
    } else if (lore_streq(facet, "label")) {
        *q = lore_sql(db, COUNT_BY("x.labels"));
        f->label = NULL;
    } else if (lore_streq(facet, "technique")) {
        *q = lore_sql(db,
            "SELECT t.technique, count(*) FROM drv_experiment x"
            " JOIN fact_experiment_technique t ON t.experiment = x.seq WHERE" CONDITION MATCHED
            " GROUP BY t.technique ORDER BY 2 DESC, 1");
        f->technique = NULL;
    } else {
        return false;
    }
    return true;
}

/* Sets of labels come in; every label of a set counts. */
static enum lore_status
count_labels(struct lore_stmt *q, struct lore_arena *a, struct lore_count **out, size_t *n,
    struct lore_err *err)
{
    struct lore_count *rows = lore_alloc_array(a, LORE_L_COUNT, sizeof *rows);
    int64_t total[LORE_L_COUNT] = {0};
    size_t count = 0;
    enum lore_status status;

    while (lore_row(q)) {
        uint32_t bits = lore_labels_parse(lore_col_text(q, 0, NULL), NULL);

        for (int l = 0; l < LORE_L_COUNT; l++)
            if (bits >> l & 1)
                total[l] += lore_col_i64(q, 1);
    }
    status = lore_done(q, err);
    for (;;) { /* most frequent first; a dozen of them */
        int best = 0;

        for (int l = 1; l < LORE_L_COUNT; l++)
            if (total[l] > total[best])
                best = l;
        if (total[best] == 0)
            break;
        rows[count++] = (struct lore_count){lore_label_name((enum lore_label)best), total[best]};
        total[best] = 0;
    }
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}

static enum lore_status
count_names(struct lore_stmt *q, struct lore_arena *a, struct lore_count **out, size_t *n,
    struct lore_err *err)
{
    struct lore_count *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status;

    while (lore_row(q)) {
        struct lore_count *r = LORE_PUSH(a, rows, count, cap);

        r->name = lore_col_text(q, 0, a);
        r->n = lore_col_i64(q, 1);
    }
    status = lore_done(q, err);
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}

enum lore_status
lore_count_experiments(struct lore_db *db, const struct lore_experiment_filter *f,
    const char *facet, struct lore_arena *a, struct lore_count **out, size_t *n,
    struct lore_err *err)
{
    LORE_STMT q = {0};
    struct lore_experiment_filter other = *f;
    struct words w;
    enum lore_status status;

    if (!facet_query(db, facet, &other, &q))
        return lore_fail_at(
            err, LORE_INVALID, "invalid_value", "facet", "facet: there is no facet %s", facet);
    status = other.n_chips > CHIPS ? too_many_chips(err) : words_of(db, &other, a, &w, err);
    if (status != LORE_OK)
        return status;
    if (w.nothing) {
        *out = NULL;
        *n = 0;
        return LORE_OK;
    }
    bind(&q, &other, &w, a);
    return lore_streq(facet, "label") ? count_labels(&q, a, out, n, err)
                                      : count_names(&q, a, out, n, err);
}
