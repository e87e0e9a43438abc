/* Hardware numbers with their sources. One chip, metric and qualifier may have several. Curations
 * decide which one is in force. Without a decision: the oldest, if all accepted values agree. A
 * number that ships with the service counts where nobody else gives one. */
#include <string.h>

#include "db/cache.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/limit.h"
#include "db/put.h"
#include "db/quote.h"
#include "db/sorted.h"
#include "service/base/text.h"
#include "service/catalogue/units.h"

LORE_KIND_BEFORE(spec)
{
    const struct lore_spec *r = record;

    made->text[0] = r->unknown != LORE_MISS_NONE ? lore_missing_name(r->unknown) : NULL;
    return r->source_document ? lore_check_quote(c->db, r->source_document, r->line, r->quote, err)
                              : LORE_OK;
}

/* Each read compares all values of a metric, so their number is limited. Sources and devices state
 * far fewer. */
enum { MOST_VALUES = 1000 };

static enum lore_status
check_room(struct lore_db *db, const struct lore_spec *r, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT count(*) FROM fact_spec WHERE chip = $1 AND metric = $2");
    int64_t n = 0;
    enum lore_status status;

    lore_bind_text(&q, 1, r->chip);
    lore_bind_text(&q, 2, r->metric);
    if (lore_row(&q))
        n = lore_col_i64(&q, 0);
    status = lore_done(&q, err);
    if (status == LORE_OK && n > MOST_VALUES)
        return lore_fail_at(err, LORE_TOOBIG, "too_big", "metric",
            "metric: there are %d values of %s for %s already", MOST_VALUES, r->metric, r->chip);
    return status;
}

LORE_KIND_AFTER(spec)
{
    const struct lore_spec *r = record;

    (void)made, (void)seq;
    if (c->effects)
        c->effects->specs = true;
    lore_cache_invalidate(c->db, 'G', r->chip);
    return check_room(c->db, r, err);
}

#define SELECT                                                                                     \
    "SELECT t.rest, t.seq, d.received_us, d.id, d.actor, p.path FROM fact_spec t"                  \
    " JOIN fact_document d ON d.seq = t.document"                                                  \
    " LEFT JOIN fact_source_document p ON p.id = t.source_document"

#define ROW struct lore_spec_row
static const struct lore_row_member members[] = {LORE_KNOWN_MEMBERS, AT(path)};

/* The specs of one chip, metric and qualifier, of which at most one is in force. */
struct contest {
    int64_t selection;
    const char *selected; /* by a person */
    struct accepted {
        double value;
        const char *unit, *id;
    } * values; /* oldest first */
    size_t n, cap;
};

/* A measured limit is not the same quantity as a number from a source. It counts only when a person
 * selects it. */
static void
add_accepted(struct lore_stmt *q, struct lore_arena *a, struct contest *c)
{
    struct lore_f64 value = lore_col_opt_f64(q, 1);

    if (!value.set || lore_streq(lore_col_text(q, 3, NULL), "measured"))
        return;
    *LORE_PUSH(a, c->values, c->n, c->cap) =
        (struct accepted){value.v, lore_col_text(q, 2, a), lore_col_text(q, 0, a)};
}

/* Do all accepted values say the same? */
static bool
agree(const struct contest *c)
{
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = i + 1; j < c->n; j++)
            if (!lore_unit_agrees(
                    c->values[i].value, c->values[i].unit, c->values[j].value, c->values[j].unit))
                return false;
    return c->n > 0;
}

#define DECIDED                                                                                    \
    " LEFT JOIN fact_curation x ON x.seq = " LORE_LAST_CURATION(                                   \
        "t", "'select_spec', 'reject_spec'") " LEFT JOIN drv_curated m ON m.record = t.id"

/* A cache of winners: many specs of a list share chip, metric and qualifier. */
struct winner {
    const char *chip, *metric, *qualifier, *id; /* id NULL: none */
};
struct winners {
    struct winner *v;
    size_t n, cap;
};

/* Add the spec in the row of Q: id, value, unit, class; action and seq of its last decision; its
 * retraction; whether it ships with the service. Shipped ones come last. */
static void
count_in(struct lore_stmt *q, struct lore_arena *a, struct contest *c)
{
    const char *action = lore_col_text(q, 4, NULL);

    if (lore_streq(action, "reject_spec") || !lore_col_null(q, 6))
        return;
    if (lore_streq(action, "select_spec") && lore_col_i64(q, 5) > c->selection) {
        c->selection = lore_col_i64(q, 5);
        c->selected = lore_col_text(q, 0, a);
    }
    if (c->n == 0 || lore_col_i64(q, 7) == 0)
        add_accepted(q, a, c);
}

static enum lore_status
work_out_winner(struct lore_db *db, const struct lore_spec *r, struct lore_arena *a,
    const char **winner, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT t.id, t.value, t.unit, t.evidence_class, x.action, x.seq,"
        " m.retraction, d.actor = '" LORE_ACTOR_SERVICE "' FROM fact_spec t"
        " JOIN fact_document d ON d.seq = t.document" DECIDED " WHERE t.chip = $1 AND t.metric = $2"
        " AND t.qualifier IS NOT DISTINCT FROM $3 ORDER BY 8, t.seq");
    LORE_SCRATCH scratch = {0};
    struct contest c = {0};
    const char *id;
    enum lore_status status;

    lore_bind_text(&q, 1, r->chip);
    lore_bind_text(&q, 2, r->metric);
    lore_bind_text(&q, 3, r->qualifier);
    while (lore_row(&q))
        count_in(&q, &scratch, &c);
    status = lore_done(&q, err);
    id = c.selected != NULL ? c.selected : agree(&c) ? c.values[0].id : NULL;
    *winner = id != NULL ? lore_strdup(a, id) : NULL;
    return status;
}

enum lore_status
lore_db_get_peak(struct lore_db *db, const char *chip, const char *metric, struct lore_arena *a,
    struct lore_peak_row *out, struct lore_err *err)
{
    const struct lore_spec of = {.chip = chip, .metric = metric};
    LORE_STMT q = lore_sql(db, "SELECT t.value, t.unit, p.path || ':' || t.line FROM fact_spec t"
                               " LEFT JOIN fact_source_document p ON p.id = t.source_document"
                               " WHERE t.id = $1");
    enum lore_status status = work_out_winner(db, &of, a, &out->id, err);

    lore_bind_text(&q, 1, out->id);
    if (status == LORE_OK && lore_row(&q)) {
        out->value = lore_col_f64(&q, 0);
        out->unit = lore_col_text(&q, 1, a);
        out->cite = lore_col_text(&q, 2, a);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

static enum lore_status
find_winner(struct lore_db *db, const struct lore_spec *r, struct lore_arena *a, struct winners *w,
    const char **winner, struct lore_err *err)
{
    enum lore_status status;

    for (size_t i = 0; i < w->n; i++)
        if (strcmp(w->v[i].chip, r->chip) == 0 && strcmp(w->v[i].metric, r->metric) == 0 &&
            lore_streq(w->v[i].qualifier, r->qualifier)) {
            *winner = w->v[i].id;
            return LORE_OK;
        }
    status = work_out_winner(db, r, a, winner, err);
    *LORE_PUSH(a, w->v, w->n, w->cap) = (struct winner){r->chip, r->metric, r->qualifier, *winner};
    return status;
}

/* The decision of columns AT …: id, reason, actor, time. */
static void
decided(struct lore_stmt *q, int at, struct lore_arena *a, struct lore_spec_row *row)
{
    row->decision = lore_col_text(q, at, a);
    row->why = lore_col_text(q, at + 1, a);
    row->decided_by = lore_col_text(q, at + 2, a);
    row->decided_us = lore_col_i64(q, at + 3);
}

static enum lore_status
decide(struct lore_db *db, struct lore_arena *a, struct winners *w, struct lore_spec_row *row,
    struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT x.action, x.id, x.reason, x.actor, x.at_us, y.id, y.reason, y.actor,"
                     " y.at_us FROM fact_spec t" DECIDED
                     " LEFT JOIN fact_curation y ON y.seq = m.retraction WHERE t.id = $1");
    const char *winner = NULL;
    enum lore_status status;

    lore_bind_text(&q, 1, row->r.id);
    if (lore_row(&q)) {
        row->rejected = lore_streq(lore_col_text(&q, 0, NULL), "reject_spec");
        row->retracted = !lore_col_null(&q, 5);
        decided(&q, row->retracted ? 5 : 1, a, row);
    }
    status = lore_done(&q, err);
    if (status == LORE_OK)
        status = find_winner(db, &row->r, a, w, &winner, err);
    row->selected = winner != NULL && strcmp(winner, row->r.id) == 0;
    if (!row->rejected && !row->retracted && !row->selected)
        row->decision = row->why = row->decided_by = NULL; /* a selection that was replaced */
    return status;
}

static enum lore_status
decide_alone(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct winners winners = {0};

    return decide(q->db, a, &winners, row, err);
}

const struct lore_row_shape lore_spec_rows = {LORE_MEMBERS(members), .noun = "spec",
    LORE_RECORD(LORE_K_SPEC, LORE_DECODE_LISTS, r), .whole = decide_alone,
    .get = LORE_LITERAL(SELECT " WHERE t.id = $1")};

enum lore_status
lore_db_list_specs(struct lore_db *db, const struct lore_list_filter *f, struct lore_arena *a,
    struct lore_spec_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sorted_open(db,
        SELECT " WHERE ($chip IS NULL OR t.chip = $chip)"
               " AND ($metric IS NULL OR t.metric = $metric)" LORE_PAGE("t"),
        &lore_spec_rows, f);
    struct lore_spec_row *rows = NULL;
    struct winners winners = {0};
    size_t count = 0;
    enum lore_status status;

    status = lore_db_collect(&q, &lore_spec_rows, a, &rows, &count, err);
    for (size_t i = 0; i < count && status == LORE_OK; i++)
        status = decide(db, a, &winners, &rows[i], err);
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}
