/* The insights that cite an experiment (citing.h). There is no index of the ids that a lesson
 * names, so the stored JSON is searched for the id as a complete string. An id in quotes inside a
 * text is escaped there and does not match. The value of another member does match, so each hit is
 * decoded and compared. */
#include "db/citing.h"

#include "db/internal.h"
#include "db/rest.h"
#include "service/base/text.h"

static enum lore_status
cites(
    const char *rest, const char *experiment, struct lore_arena *a, bool *out, struct lore_err *err)
{
    struct lore_submission doc = {0};
    enum lore_status status = lore_rest_read(LORE_K_INSIGHT, "", rest, a, &doc, err);

    *out = false;
    if (status != LORE_OK)
        return status;
    for (size_t i = 0; i < doc.insights[0].experiments.n; i++)
        *out |= lore_streq(doc.insights[0].experiments.v[i], experiment);
    return LORE_OK;
}

enum lore_status
lore_db_list_citing(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_insight_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT seq, id, kind, title, rest FROM fact_insight WHERE instr(rest, $1) > 0"
                     " AND seq > (SELECT max(seq) - 20000 FROM fact_insight) ORDER BY seq DESC");
    struct lore_insight_row *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status = LORE_OK;

    lore_bind_text(&q, 1, lore_format(a, "\"%s\"", experiment));
    while (status == LORE_OK && count < LORE_CITING_MAX && lore_row(&q)) {
        struct lore_insight_row row = {.seq = lore_col_i64(&q, 0)};
        bool it = false;

        row.i.id = lore_col_text(&q, 1, a);
        row.i.kind = lore_col_text(&q, 2, a);
        row.i.title = lore_col_text(&q, 3, a);
        status = cites(lore_col_text(&q, 4, a), experiment, a, &it, err);
        if (it)
            *LORE_PUSH(a, rows, count, cap) = row;
    }
    return status == LORE_OK ? lore_db_rows(&q, rows, count, out, n, err) : status;
}
