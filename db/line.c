/* The line of a version (line.h): one recursive query of its ancestors for each list. */
#include "db/line.h"

#include "db/columns.h"
#include "db/internal.h"

/* A version without parents comes from what its experiments started from. A baseline has none. The
 * order of the joins and the + make SQLite look for a version's experiments by their to_version: a
 * kernel may have thousands. */
#define MADE_FROM                                                                                  \
    " up CROSS JOIN fact_version m ON m.id = up.id AND m.kind <> 'baseline'"                       \
    " CROSS JOIN fact_experiment e ON +e.kernel = m.kernel AND e.to_version = m.id"                \
    " WHERE e.from_version IS NOT NULL AND coalesce(e.base, '') <> 'library'"                      \
    " AND NOT EXISTS (SELECT 1 FROM fact_lineage x WHERE x.child = up.id)"                         \
    " AND" LORE_NOT_RETRACTED("e")
/* UNION drops versions that were found already, so a cycle ends. */
#define UP                                                                                         \
    "WITH RECURSIVE up(id) AS (SELECT $1 UNION SELECT l.parent FROM up JOIN fact_lineage l"        \
    " ON l.child = up.id UNION SELECT e.from_version FROM" MADE_FROM " LIMIT 501) "

#define GAINED " coalesce((SELECT d.speedup > 1 FROM drv_experiment d WHERE d.seq = e.seq), 0)"
#define MADE_UP                                                                                    \
    " WHERE e.kernel IN (SELECT v.kernel FROM up JOIN fact_version v ON v.id = up.id)"             \
    " AND e.to_version IN (SELECT id FROM up) AND coalesce(e.base, '') <> 'library'"               \
    " AND" LORE_NOT_RETRACTED("e")
/* What an experiment kept or took out has no row of its own. */
#define UNCHANGED                                                                                  \
    " UNION ALL SELECT e.to_version, json_extract(k.value, '$.name'),"                             \
    " json_extract(k.value, '$.raw'), e.id, e.seq, k.key,"                                         \
    " json_extract(k.value, '$.status') <> 'kept', json_extract(k.value, '$.status') = 'kept',"    \
    " 0, 0 FROM fact_experiment e JOIN json_each(e.rest, '$.techniques') k" MADE_UP                \
    " AND instr(e.rest, '\"status\"') > 0"                                                         \
    " AND json_extract(k.value, '$.status') IN ('kept', 'not_applied')"

/* The best configuration of a search has the settings that its sweep found to gain, by more than
 * reruns of an unchanged kernel differ. */
#define SEARCHED                                                                                   \
    " UNION ALL SELECT up.id, w.technique, NULL, s.id, s.seq, 0, 0, 0, 1, 0 FROM up JOIN "         \
    "fact_version v"                                                                               \
    " ON v.id = up.id JOIN fact_sweep s ON s.kernel = v.kernel"                                    \
    " AND json_extract(s.rest, '$.best[0].version') = up.id"                                       \
    " JOIN drv_sweep_witness w ON w.sweep = s.seq WHERE w.speedup > 1.05 AND" LORE_NOT_RETRACTED(  \
        "s")

#define ROW struct lore_line_version_row
static const struct lore_row_member version_members[] = {AT(id), AT(kernel), AT(label),
    AT_ENUM(kind, lore_version_kind_of), AT(shown.source), AT(shown.lacks), AT(shown.moot),
    AT(shown.params), AT(shown.words)};
static const struct lore_row_shape version_rows = {LORE_MEMBERS(version_members)};
#undef ROW

#define ROW struct lore_line_edge_row
static const struct lore_row_member edge_members[] = {
    AT(child), AT(parent), AT_ENUM(kind, lore_edge_kind_of)};
static const struct lore_row_shape edge_rows = {LORE_MEMBERS(edge_members)};
#undef ROW

#define ROW struct lore_line_use_row
static const struct lore_row_member use_members[] = {AT(version), AT(technique), AT(raw),
    AT(experiment), AT(not_applied), AT(verified), AT(kept), AT(gained)};
static const struct lore_row_shape use_rows = {LORE_MEMBERS(use_members)};
#undef ROW

static enum lore_status
read_uses(struct lore_db *db, const char *version, struct lore_arena *a,
    struct lore_line_facts *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, UP
        "SELECT x.version, x.technique, x.raw, x.experiment, x.not_applied, x.verified, x.kept,"
        " x.gained FROM (SELECT e.to_version AS version, t.technique, t.raw,"
        " e.id AS experiment, e.seq AS seq, t.position AS position,"
        " 0 AS not_applied, 0 AS kept," GAINED
        " AS gained, coalesce((SELECT d.isa = 'verified' FROM drv_technique_verdict d"
        " WHERE d.experiment = e.seq AND d.position = t.position), 0) AS verified"
        " FROM fact_experiment e JOIN fact_experiment_technique t ON t.experiment = e.seq" MADE_UP
        " UNION ALL SELECT t.ablated_version, t.technique, NULL, NULL, 0, 0, 0, 0, 0, 0"
        " FROM fact_attribution t WHERE t.ablated_version IN (SELECT id FROM up)"
        " AND" LORE_NOT_RETRACTED("t") UNCHANGED SEARCHED ") x ORDER BY x.seq, x.position");

    lore_bind_text(&q, 1, version);
    return lore_db_collect(&q, &use_rows, a, &out->uses, &out->n_uses, err);
}

enum lore_status
lore_db_list_left_out(struct lore_db *db, const char *kernel, struct lore_arena *a,
    struct lore_line_use_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT t.ablated_version, t.technique, NULL, NULL, 0, 0, 0, 0 FROM fact_attribution t"
        " JOIN fact_version v ON v.id = t.ablated_version WHERE v.kernel = $1"
        " AND" LORE_NOT_RETRACTED("t") " ORDER BY t.seq");

    lore_bind_text(&q, 1, kernel);
    return lore_db_collect(&q, &use_rows, a, out, n, err);
}

enum lore_status
lore_db_get_line(struct lore_db *db, const char *version, struct lore_arena *a,
    struct lore_line_facts *out, struct lore_err *err)
{
    LORE_STMT versions =
        lore_sql(db, UP "SELECT v.id, v.kernel, coalesce(v.label, v.tag, 'v' || v.ordinal), v.kind,"
                        " h.source, h.lacks,"
                        " CASE v.id WHEN $1 THEN h.moot END,"
                        " h.params, h.words FROM up JOIN fact_version v ON v.id = up.id"
                        " LEFT JOIN drv_version_shown h ON h.version = v.seq ORDER BY v.seq");
    LORE_STMT edges = lore_sql(db,
        UP "SELECT l.child AS child, l.parent AS parent, l.kind AS kind, l.position AS position"
           " FROM up JOIN fact_lineage l ON l.child = up.id UNION ALL"
           " SELECT e.to_version, e.from_version,"
           " CASE WHEN coalesce(e.base, '') <> 'previous' THEN 'derived_from' END, e.seq "
           "FROM" MADE_FROM " ORDER BY child, position");
    enum lore_status status;

    *out = (struct lore_line_facts){0};
    lore_bind_text(&versions, 1, version);
    status = lore_db_collect(&versions, &version_rows, a, &out->versions, &out->n_versions, err);
    if (status != LORE_OK)
        return status;
    lore_bind_text(&edges, 1, version);
    status = lore_db_collect(&edges, &edge_rows, a, &out->edges, &out->n_edges, err);
    return status == LORE_OK ? read_uses(db, version, a, out, err) : status;
}
