/* Verdicts across experiments (judged.h). The cursor of a page holds experiment and expectation, so
 * that a page may end inside an experiment. */
#include "db/judged.h"

#include "db/internal.h"
#include "db/kinds.h"

#define POSITIONS "4096" /* more expectations than a hypothesis may have */

#define ROW struct lore_judged_row
static const struct lore_row_member members[] = {AT(cursor), AT(j.position), AT(j.experiment),
    AT(j.metric), AT(j.verdict), AT(j.why), AT(j.before), AT(j.after), AT(hypothesis), AT(author)};
static const struct lore_row_shape shape = {LORE_MEMBERS(members)};
#undef ROW

enum lore_status
lore_db_list_judged(struct lore_db *db, const struct lore_list_filter *f, struct lore_arena *a,
    struct lore_judged_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT e.seq * " POSITIONS " + j.position, j.position, e.id, j.metric, j.verdict, j.why,"
        " j.before, j.after, h.id, coalesce(h.author, d.author) FROM fact_experiment e"
        " JOIN drv_judgement j ON j.experiment = e.seq"
        " JOIN fact_hypothesis h ON h.id = e.hypothesis JOIN fact_document d ON d.seq = h.document"
        " WHERE ($author IS NULL OR coalesce(h.author, d.author) = $author)"
        " AND ($verdict IS NULL OR j.verdict = $verdict)"
        " AND ($before / " POSITIONS " = 0 OR e.seq < $before / " POSITIONS
        " OR (e.seq = $before / " POSITIONS " AND j.position < $before % " POSITIONS "))"
        " ORDER BY e.seq DESC, j.position DESC LIMIT $limit");

    lore_list_bind(&q, f);
    return lore_db_collect(&q, &shape, a, out, n, err);
}

enum lore_status
lore_count_technique_verdicts(struct lore_db *db, const char *technique, struct lore_arena *a,
    struct lore_count **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT verdict, count(*) FROM drv_technique_verdict"
                               " WHERE technique = $1 GROUP BY verdict ORDER BY verdict");

    lore_bind_text(&q, 1, technique);
    return lore_db_collect(&q, &lore_count_rows, a, out, n, err);
}
