/* Experiments by facets. Lists, totals and counts share one condition over the narrow rows of
 * drv_experiment; the full rows are read only for the page shown. */
#include <stdlib.h>
#include <string.h>

#include "db/experiment_list.h"
#include "db/experiment_row.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/query.h"
#include "db/search.h"
#include "db/sorted.h"
#include "service/base/intern.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

#define CHIPS 64 /* products of one ISA; no vendor has more */

/* Experiments with an error type, in one of their runs or in a pitfall inside `rest`; no other
 * member of a record is called pitfalls. The search reads JSON, so it is limited to the newest
 * experiments. */
#define FAILED                                                                                     \
    "(SELECT r.experiment FROM fact_experiment_run r JOIN fact_run u ON u.id = r.run"              \
    " WHERE u.error_type = $20 AND r.experiment > (SELECT max(seq) - 20000 FROM fact_experiment)"  \
    " UNION SELECT seq FROM fact_experiment WHERE (rest LIKE $21 OR rest LIKE $22)"                \
    " AND seq > (SELECT max(seq) - 20000 FROM fact_experiment))"

/* A check failed, timed or not, and not because the version ended in another error. */
#define WRONG                                                                                      \
    "x.correctness = 'fail' AND NOT EXISTS (SELECT 1 FROM fact_experiment_run r"                   \
    " JOIN fact_run u ON u.id = r.run WHERE r.experiment = x.seq AND r.side = 1"                   \
    " AND u.error_type <> 'accuracy')"

/* Conditions on columns of the narrow row; $10: a JSON list of chips. */
#define BY_COLUMNS                                                                                 \
    "(($2 IS NULL OR x.operator = $2)"                                                             \
    " AND ($3 IS NULL OR x.operator IN (SELECT name FROM cat_operator WHERE family = $3))"         \
    " AND ($4 IS NULL OR x.language = $4)"                                                         \
    " AND ($5 IS NULL OR " LORE_COUNTS_AS(                                                         \
        "x") " = $5 OR ($5 = 'wrong_result' AND " WRONG                                            \
             ")) AND ($6 IS NULL OR x.correctness = $6)"                                           \
             " AND ($7 IS NULL OR x.process = $7) AND ($8 IS NULL OR x.evidence = $8)"             \
             " AND ($9 IS NULL OR '+' || x.labels || '+' LIKE $9)"                                 \
             " AND ($10 IS NULL OR x.chip IN (SELECT value FROM json_each($10)))"                  \
             " AND ($11 < 0 OR x.disagrees = $11) AND ($12 = -1 OR x.masked = $12"                 \
             " OR ($12 = -2 AND x.masked < 2)))"

/* Conditions on other tables. */
#define BY_OTHERS                                                                                  \
    "(($14 IS NULL OR x.seq IN (SELECT experiment FROM fact_experiment_technique"                  \
    " WHERE technique = $14))"                                                                     \
    " AND ($15 IS NULL OR x.seq IN (SELECT seq FROM fact_experiment WHERE kernel = $15))"          \
    " AND ($16 IS NULL OR x.seq IN (SELECT seq FROM fact_experiment WHERE from_version = $16"      \
    " OR to_version = $16))"                                                                       \
    " AND ($17 IS NULL OR x.seq IN (SELECT seq FROM fact_experiment WHERE workload = $17))"        \
    " AND ($18 IS NULL OR x.seq IN (SELECT experiment FROM fact_experiment_campaign"               \
    " WHERE campaign = $18))"                                                                      \
    " AND ($19 IS NULL OR x.seq IN (SELECT m.seq FROM fact_kernel k JOIN fact_experiment m"        \
    " ON m.kernel = k.id WHERE k.project = $19))"                                                  \
    " AND ($20 IS NULL OR x.seq IN " FAILED "))"

/* A NULL parameter restricts nothing. $1 and $13 are 0 when no parameter of their group restricts,
 * so that an unfiltered scan evaluates two conditions per row instead of seventeen. $23: search
 * text, $24: its floor. */
#define CONDITION " ($1 = 0 OR " BY_COLUMNS ") AND ($13 = 0 OR " BY_OTHERS ")"
#define MATCHED                                                                                    \
    " AND ($23 IS NULL OR x.seq IN (SELECT e.seq FROM drv_search JOIN fact_experiment e"           \
    " ON e.id = drv_search.ref WHERE drv_search MATCH $23 AND drv_search.rowid >= $24"             \
    " AND drv_search.kind = 'experiment'))"

/* The rows scanned: all, or those of one kernel by its index, however old they are. */
#define OF_ALL " FROM drv_experiment x WHERE" CONDITION MATCHED
#define OF_KERNEL                                                                                  \
    " FROM fact_experiment e CROSS JOIN drv_experiment x ON x.seq = e.seq WHERE" CONDITION MATCHED \
    " AND e.kernel = $15"

/* The full-text query of a filter and the row where its ranking starts. */
struct words {
    const char *query;
    int64_t floor;
    bool nothing; /* a text without a word matches nothing */
};

static enum lore_status
words_of(struct lore_db *db, const struct lore_experiment_filter *f, struct lore_arena *a,
    struct words *w, struct lore_err *err)
{
    *w = (struct words){0};
    if (!f->text || *f->text == '\0')
        return LORE_OK;
    w->query = lore_search_query(f->text, a);
    w->nothing = !w->query;
    return w->nothing ? LORE_OK : lore_search_floor(db, w->query, &w->floor, err);
}

static void
bind_chips(struct lore_stmt *q, const struct lore_experiment_filter *f, struct lore_arena *a)
{
    const char *const *chips = f->n_chips > 0 ? f->chips : &f->chip;
    size_t n = f->n_chips > 0 ? f->n_chips : 1;
    LORE_BUF list = {0};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &list, false);
    lore_w_arr(&w);
    for (size_t i = 0; i < n; i++)
        lore_w_str(&w, chips[i]);
    lore_w_arr_end(&w);
    lore_bind_text(q, 10,
        chips[0] && lore_jsonw_end(&w, NULL) == LORE_OK ? lore_strndup(a, list.data, list.len)
                                                        : NULL);
}

/* Match the type in the first pitfall or in a later one; the type is a pitfall's first member. */
static void
bind_pitfalls(struct lore_stmt *q, const char *type, struct lore_arena *a)
{
    if (!type) {
        lore_bind_text(q, 21, NULL);
        lore_bind_text(q, 22, NULL);
        return;
    }
    lore_bind_text(q, 21, lore_format(a, "%%\"pitfalls\":[{\"type\":\"%s\"%%", type));
    lore_bind_text(q, 22, lore_format(a, "%%\"pitfalls\":[{%%},{\"type\":\"%s\"%%", type));
}

static bool
by_columns(const struct lore_experiment_filter *f)
{
    return f->op || f->family || f->language || f->effect || f->correctness || f->process ||
           f->evidence || f->label || f->chip || f->n_chips > 0 || f->disagrees >= 0 ||
           f->masked != -1;
}

static bool
by_others(const struct lore_experiment_filter *f)
{
    return f->technique || f->kernel || f->version || f->workload || f->campaign || f->project ||
           f->error_type;
}

static void
bind(struct lore_stmt *q, const struct lore_experiment_filter *f, const struct words *w,
    struct lore_arena *a)
{
    lore_bind_text(q, 2, f->op);
    lore_bind_text(q, 3, f->family);
    lore_bind_text(q, 4, f->language);
    lore_bind_text(q, 14, f->technique);
    lore_bind_text(q, 5, f->effect);
    lore_bind_text(q, 6, f->correctness);
    lore_bind_text(q, 7, f->process);
    lore_bind_text(q, 8, f->evidence);
    lore_bind_text(q, 15, f->kernel);
    lore_bind_text(q, 16, f->version);
    lore_bind_text(q, 17, f->workload);
    lore_bind_text(q, 9, f->label != NULL ? lore_format(a, "%%+%s+%%", f->label) : NULL);
    bind_chips(q, f, a);
    lore_bind_i64(q, 11, f->disagrees);
    lore_bind_i64(q, 12, f->masked);
    lore_bind_text(q, 18, f->campaign);
    lore_bind_text(q, 19, f->project);
    lore_bind_text(q, 20, f->error_type);
    bind_pitfalls(q, f->error_type, a);
    lore_bind_text(q, 23, w->query);
    lore_bind_i64(q, 24, w->floor);
    lore_bind_i64(q, 1, by_columns(f));
    lore_bind_i64(q, 13, by_others(f));
}

static enum lore_status
too_many_chips(struct lore_err *err)
{
    return lore_fail_at(
        err, LORE_INVALID, "too_long", "chip", "chip: at most %d chips at once", CHIPS);
}

/* Read the whole row of an experiment of which the search has found the seq. */
static enum lore_status
read_row(struct lore_stmt *of, struct lore_arena *a, void *row, struct lore_err *err)
{
    LORE_STMT q = lore_sql(of->db, LORE_EXPERIMENT_SELECT " WHERE e.seq = $1");
    struct lore_experiment_row *out = row;
    enum lore_status status;

    lore_bind_i64(&q, 1, out->seq);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "experiment %lld: no row", (long long)out->seq);
    status = lore_row_read(&q, &lore_experiment_rows, a, out, err);
    if (status == LORE_OK)
        status = lore_done(&q, err);
    return status == LORE_OK ? lore_experiment_uses(of->db, out->seq, a, &out->e, err) : status;
}

/* The columns by which a list is sorted or restricted; read_row then reads them all. */
#define FOUND                                                                                      \
    "SELECT x.seq, x.operator, x.language, x.chip, x.effect, x.correctness, x.process, x.speedup," \
    " x.evidence, (SELECT e.title FROM fact_experiment e WHERE e.seq = x.seq),"                    \
    " (SELECT k.name FROM fact_experiment e JOIN fact_kernel k ON k.id = e.kernel"                 \
    " WHERE e.seq = x.seq), (SELECT e.author FROM fact_experiment e WHERE e.seq = x.seq),"         \
    " (SELECT e.happened_us FROM fact_experiment e WHERE e.seq = x.seq),"                          \
    " (SELECT d.received_us FROM fact_experiment e JOIN fact_document d ON d.seq = e.document"     \
    " WHERE e.seq = x.seq), (SELECT d.id FROM fact_experiment e JOIN fact_document d"              \
    " ON d.seq = e.document WHERE e.seq = x.seq)"
#define ROW struct lore_experiment_row
static const struct lore_row_member found_members[] = {AT(seq), AT(op), AT(language), AT(e.chip),
    AT(outcome.effect), AT(outcome.correctness), AT(outcome.process), AT(outcome.speedup),
    AT_ENUM(e.evidence, lore_evidence_of), AT(e.title), AT(kernel_name), AT(e.author),
    AT(happened_us), AT(received_us), AT(document)};
const struct lore_row_shape lore_found_rows = {LORE_MEMBERS(found_members), LORE_LISTED,
    .author = offsetof(ROW, e.author), .happened = offsetof(ROW, happened_us), .more = read_row};

static bool
restricted(const struct lore_page *page)
{
    return page->author || page->since_us != 0 || page->until_us != 0;
}

bool
lore_experiments_ranked(const struct lore_experiment_filter *f)
{
    return f->text && *f->text && !f->page.sort.given && !restricted(&f->page);
}

static struct lore_stmt
listed(struct lore_db *db, const struct lore_experiment_filter *f, bool count)
{
    return lore_sorted_prepare(db,
        f->kernel ? FOUND OF_KERNEL LORE_PAGE("e") : FOUND OF_ALL LORE_PAGE("x"), &lore_found_rows,
        &f->page, count);
}

/* CROSS JOIN fixes the join order: the search first, in rank order, then its rows. */
static struct lore_stmt
best_first(struct lore_db *db)
{
    return lore_sql(db,
        FOUND " FROM drv_search CROSS JOIN fact_experiment e"
              " ON e.id = drv_search.ref CROSS JOIN drv_experiment x ON x.seq = e.seq"
              " WHERE" CONDITION " AND drv_search MATCH $23 AND drv_search.rowid >= $24"
              " AND drv_search.kind = 'experiment'"
              " ORDER BY drv_search.rank LIMIT $limit OFFSET $before");
}

enum lore_status
lore_db_list_experiments(struct lore_db *db, const struct lore_experiment_filter *f,
    struct lore_arena *a, struct lore_experiment_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = {0};
    struct lore_page page;
    struct words w;
    bool ranked;
    enum lore_status status =
        f->n_chips > CHIPS ? too_many_chips(err) : words_of(db, f, a, &w, err);

    if (status != LORE_OK)
        return status;
    ranked = lore_experiments_ranked(f);
    q = ranked ? best_first(db) : listed(db, f, false);
    bind(&q, f, &w, a);
    page = f->page;
    page.before = ranked ? (int64_t)f->offset : page.before;
    lore_list_bind_page(&q, &page);
    if (w.nothing) {
        *out = NULL;
        *n = 0;
        return LORE_OK;
    }
    return lore_db_collect(&q, &lore_found_rows, a, out, n, err);
}

/* Experiments are never deleted, so the newest one's seq is their number. Counting a million rows
 * takes a tenth of a second. */
static enum lore_status
count_all(struct lore_db *db, int64_t *total, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT coalesce(max(seq), 0) FROM drv_experiment");

    if (lore_row(&q))
        *total = lore_col_i64(&q, 0);
    return lore_done(&q, err);
}

enum lore_status
lore_count_total(struct lore_db *db, const struct lore_experiment_filter *f, int64_t *total,
    struct lore_err *err)
{
    bool all = !restricted(&f->page);

    if (all && !by_columns(f) && !by_others(f) && !f->text)
        return count_all(db, total, err);
    LORE_STMT q = !all        ? listed(db, f, true)
                  : f->kernel ? lore_sql(db, "SELECT count(*)" OF_KERNEL)
                              : lore_sql(db, "SELECT count(*)" OF_ALL);
    LORE_SCRATCH a = {0};
    struct words w;
    enum lore_status status =
        f->n_chips > CHIPS ? too_many_chips(err) : words_of(db, f, &a, &w, err);

    if (status == LORE_OK && w.nothing)
        *total = 0;
    if (status == LORE_OK && !w.nothing) {
        bind(&q, f, &w, &a);
        lore_list_bind_page(&q, &f->page);
        if (lore_row(&q))
            *total = lore_col_i64(&q, 0);
        status = lore_done(&q, err);
    }
    lore_stmt_close(&q); /* before its borrowed strings are freed */
    return status;
}

/* ---- counts per facet ----
 * One scan of the narrow rows counts all facets; a GROUP BY per facet would sort all rows each
 * time. A value is tested when it is first met, so a row costs a few look-ups. A row counts
 * in every facet when all its values pass, and in one facet when only that facet's value fails. */

struct value {
    int64_t n;
    int64_t last; /* the last experiment counted, so that none counts a technique twice */
    bool passes;  /* it passes the restriction of its own facet */
};
struct tally {
    struct lore_intern names; /* ids are indexes into v */
    struct value *v;
    size_t n, cap;
};
struct pass {
    const struct lore_experiment_filter *f;
    struct lore_arena *arena;
    struct tally of[LORE_FACET_COUNT];
    int64_t total;
    uint32_t *uses; /* techniques of the present experiment */
    size_t n_uses, cap_uses;
};

static bool
passes(const struct lore_experiment_filter *f, enum lore_facet facet, const char *value)
{
    const char *const *chips = f->n_chips > 0 ? f->chips : &f->chip;
    size_t n = f->n_chips > 0 ? f->n_chips : f->chip != NULL;
    const char *wanted = NULL;
    bool found = n == 0;

    switch (facet) {
    case LORE_FACET_CHIP:
        for (size_t i = 0; i < n; i++)
            found = found || lore_streq(chips[i], value);
        return found;
    case LORE_FACET_LABEL:
        return !f->label ||
               (lore_labels_parse(value, NULL) & lore_labels_parse(f->label, NULL)) != 0;
    case LORE_FACET_OPERATOR:
        wanted = f->op;
        break;
    case LORE_FACET_LANGUAGE:
        wanted = f->language;
        break;
    case LORE_FACET_TECHNIQUE:
        wanted = f->technique;
        break;
    case LORE_FACET_EFFECT:
        wanted = f->effect;
        break;
    case LORE_FACET_EVIDENCE:
        wanted = f->evidence;
        break;
    case LORE_FACET_COUNT:
        break;
    }
    return !wanted || lore_streq(wanted, value);
}

/* The index of TEXT in its tally. An absent value has one, too, so that it can fail a restriction.
 */
static uint32_t
index_of(struct pass *p, enum lore_facet facet, const char *text)
{
    struct tally *t = &p->of[facet];
    uint32_t id = lore_intern(&t->names, text != NULL ? text : "");

    if (id == t->n)
        *LORE_PUSH(p->arena, t->v, t->n, t->cap) =
            (struct value){.passes = passes(p->f, facet, lore_intern_text(&t->names, id))};
    return id;
}

/* Read the techniques of experiment SEQ from Q, which is sorted by experiment. Returns whether they
 * pass the technique filter. */
static bool
uses_pass(struct pass *p, struct lore_stmt *q, bool *more, int64_t seq)
{
    bool any = !p->f->technique;

    p->n_uses = 0;
    for (; *more && lore_col_i64(q, 0) <= seq; *more = lore_row(q)) {
        uint32_t id;

        if (lore_col_i64(q, 0) < seq)
            continue;
        id = index_of(p, LORE_FACET_TECHNIQUE, lore_col_text(q, 1, NULL));
        *LORE_PUSH(p->arena, p->uses, p->n_uses, p->cap_uses) = id;
        any = any || p->of[LORE_FACET_TECHNIQUE].v[id].passes;
    }
    return any;
}

/* The number of facets with a column. The query selects them after seq, in the enum's order. */
enum { COLUMNS = LORE_FACET_TECHNIQUE };
_Static_assert(COLUMNS == LORE_FACET_COUNT - 1, "the technique is the last facet");

static void
count_row(struct pass *p, struct lore_stmt *row, struct lore_stmt *uses, bool *more_uses)
{
    int64_t seq = lore_col_i64(row, 0);
    int failed = 0, which = LORE_FACET_COUNT;
    uint32_t id[COLUMNS];

    for (int i = 0; i < COLUMNS; i++) {
        id[i] = index_of(p, (enum lore_facet)i, lore_col_text(row, i + 1, NULL));
        if (!p->of[i].v[id[i]].passes) {
            failed++;
            which = i;
        }
    }
    if (!uses_pass(p, uses, more_uses, seq)) {
        failed++;
        which = LORE_FACET_TECHNIQUE;
    }
    p->total += failed == 0;
    for (int i = 0; i < COLUMNS; i++)
        p->of[i].v[id[i]].n += failed == 0 || (failed == 1 && which == i);
    if (failed > 1 || (failed == 1 && which != LORE_FACET_TECHNIQUE))
        return;
    for (size_t i = 0; i < p->n_uses; i++) {
        struct value *v = &p->of[LORE_FACET_TECHNIQUE].v[p->uses[i]];

        v->n += v->last != seq;
        v->last = seq;
    }
}

static enum lore_status
count_rows(struct lore_db *db, const struct words *w, struct pass *p, struct lore_err *err)
{
    LORE_STMT row =
        lore_sql(db, "SELECT x.seq, x.operator, x.chip, x.language, " LORE_COUNTS_AS(
                         "x") ", x.evidence, x.labels"
                              " FROM drv_experiment x WHERE" CONDITION MATCHED " ORDER BY x.seq");
    LORE_STMT uses = lore_sql(
        db, "SELECT experiment, technique FROM fact_experiment_technique ORDER BY experiment");
    struct lore_experiment_filter rest = *p->f; /* the filters that are not facets */
    bool more = lore_row(&uses);
    enum lore_status status;

    rest.op = rest.language = rest.technique = rest.effect = rest.evidence = NULL;
    rest.label = rest.chip = NULL;
    rest.n_chips = 0;
    bind(&row, &rest, w, p->arena);
    while (lore_row(&row))
        count_row(p, &row, &uses, &more);
    status = lore_done(&row, err);
    return status == LORE_OK ? lore_done(&uses, err) : status;
}

static int
most_first(const void *a, const void *b)
{
    const struct lore_count *x = a, *y = b;

    return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->name, y->name);
}

/* Turn the counts of label sets into counts of single labels. */
static void
count_labels(const struct tally *t, int64_t total[LORE_L_COUNT])
{
    for (size_t i = 0; i < t->n; i++) {
        uint32_t bits = lore_labels_parse(lore_intern_text(&t->names, (uint32_t)i), NULL);

        for (int l = 0; l < LORE_L_COUNT; l++)
            total[l] += bits >> l & 1 ? t->v[i].n : 0;
    }
}

static void
counts_of(
    const struct tally *t, enum lore_facet facet, struct lore_arena *a, struct lore_counts *out)
{
    int64_t labels[LORE_L_COUNT] = {0};
    size_t cap = 0;

    if (facet == LORE_FACET_LABEL)
        count_labels(t, labels);
    for (int l = 0; l < LORE_L_COUNT; l++)
        if (labels[l] > 0)
            *LORE_PUSH(a, out->v, out->n, cap) =
                (struct lore_count){lore_label_name((enum lore_label)l), labels[l]};
    for (size_t i = 0; i < t->n && facet != LORE_FACET_LABEL; i++) {
        const char *name = lore_intern_text(&t->names, (uint32_t)i);

        if (t->v[i].n > 0 && *name != '\0')
            *LORE_PUSH(a, out->v, out->n, cap) =
                (struct lore_count){lore_strdup(a, name), t->v[i].n};
    }
    if (out->n > 1)
        qsort(out->v, out->n, sizeof *out->v, most_first);
}

static void
forget_names(struct pass *p)
{
    for (int i = 0; i < LORE_FACET_COUNT; i++)
        lore_intern_free(&p->of[i].names);
}

enum lore_status
lore_count_facets(struct lore_db *db, const struct lore_experiment_filter *f, struct lore_arena *a,
    struct lore_facets *out, struct lore_err *err)
{
    LORE_SCRATCH own = {0};
    __attribute__((cleanup(forget_names))) struct pass p = {.f = f, .arena = &own};
    struct lore_facets all = {0};
    struct words w;
    enum lore_status status =
        f->n_chips > CHIPS ? too_many_chips(err) : words_of(db, f, &own, &w, err);

    if (status == LORE_OK && !w.nothing)
        status = count_rows(db, &w, &p, err);
    all.total = p.total;
    for (int i = 0; i < LORE_FACET_COUNT; i++)
        counts_of(&p.of[i], (enum lore_facet)i, a, &all.of[i]);
    if (status == LORE_OK)
        *out = all;
    return status;
}
