/* SQL shared by several statements. For the files of this folder. */
#ifndef LORE_DB_SHARED_SQL_H
#define LORE_DB_SHARED_SQL_H

#include "db/knowledge.h"
#include "db/row_shape.h"

/* The columns with which every row of knowledge.h starts, and their members. */
#define LORE_KNOWN(table)                                                                          \
    "SELECT t.rest, t.seq, d.received_us, d.id, d.actor FROM " table                               \
    " t JOIN fact_document d ON d.seq = t.document"
#define LORE_KNOWN_MEMBERS AT(rest), AT(seq), AT(received_us), AT(document), AT(actor)
/* The end of a list: the page of table T, newest first. */
/* Whether COLUMN is a chip that $chip covers (lore_chip_covers); also without $chip. */
#define LORE_CHIP_COVERED(column)                                                                  \
    "($chip IS NULL OR " column " IN (SELECT c.name FROM cat_chip c WHERE c.name = $chip"          \
    " OR c.isa = $chip OR substr(c.name, 1, length($chip) + 1) = $chip || '-'))"
#define LORE_PAGE_START " AND ($before = 0 OR "
#define LORE_PAGE(t) LORE_PAGE_START t ".seq < $before) ORDER BY " t ".seq DESC LIMIT $limit"
/* The stated time of run R, like lore_run_time_ns (service/derive/outcome.h). */
#define LORE_STATED_NS(r)                                                                          \
    "coalesce(" r ".stated_median_ns, " r ".stated_mean_ns, " r ".stated_min_ns)"
/* What experiment X (drv_experiment) counts as: its effect, but a win with a wrong result is none.
 */
#define LORE_COUNTS_AS(x)                                                                          \
    "CASE WHEN " x ".effect = 'win' AND " x                                                        \
    ".correctness IN ('fail', 'timeout') THEN 'wrong_result' ELSE " x ".effect END"
/* Condition: record T counts: it is neither retracted nor beyond what its chip can do. For a
 * curation it means: in force. */
#define LORE_ASIDE(c) "(" c ".retraction IS NOT NULL OR " c ".beyond IS NOT NULL)"
#define LORE_NOT_RETRACTED(t)                                                                      \
    " NOT EXISTS (SELECT 1 FROM drv_curated z WHERE z.record = " t ".id AND " LORE_ASIDE("z") ")"
/* Condition: neither run R nor its version is retracted. NOT IN (…) would build a table per row. */
#define LORE_RUN_COUNTS(r)                                                                         \
    LORE_NOT_RETRACTED(r)                                                                          \
    " AND NOT EXISTS (SELECT 1 FROM drv_curated y WHERE y.record = " r                             \
    ".version AND y.retraction IS NOT NULL)"
/* The record T (fact_run or fact_experiment) and version V were brought by different people. */
#define LORE_OF_OTHERS(t, v)                                                                       \
    " EXISTS (SELECT 1 FROM fact_version ov JOIN fact_document vd ON vd.seq = ov.document"         \
    " LEFT JOIN fact_document_owner vo ON vo.document = vd.seq"                                    \
    " JOIN fact_document td ON td.seq = " t ".document"                                            \
    " LEFT JOIN fact_document_owner tw ON tw.document = td.seq WHERE ov.id = " v                   \
    " AND CASE WHEN vo.owner IS NOT NULL AND tw.owner IS NOT NULL THEN vo.owner <> tw.owner"       \
    " ELSE vd.actor <> td.actor END)"
/* In drv_experiment.masked: hidden as a copy. */
#define LORE_MASKED_COPY 2
/* Condition: the record with id ID is a copy, and its original is not retracted. A join would cost
 * each stored pair ten times the steps. */
#define LORE_IS_COPY(id)                                                                           \
    " EXISTS (SELECT 1 FROM drv_copy p WHERE p.record = " id                                       \
    " AND NOT EXISTS (SELECT 1 FROM drv_curated z WHERE z.record IN (p.original, p.version)"       \
    " AND z.retraction IS NOT NULL))"
/* Columns: the id of the original of run R or experiment E, and its project; NULL: no copy. */
#define LORE_RUN_COPY                                                                              \
    "(SELECT p.original FROM drv_copy p WHERE p.record = r.id), (SELECT pk.project"                \
    " FROM drv_copy p JOIN fact_version pv ON pv.id = p.version"                                   \
    " JOIN fact_kernel pk ON pk.id = pv.kernel WHERE p.record = r.id)"
#define LORE_EXPERIMENT_COPY                                                                       \
    "(SELECT p.original FROM drv_copy p WHERE p.record = e.id), (SELECT pk.project"                \
    " FROM drv_copy p JOIN fact_experiment pe ON pe.id = p.original"                               \
    " JOIN fact_kernel pk ON pk.id = pe.kernel WHERE p.record = e.id)"
/* The seq of the last curation in force with one of the named actions on record T. */
#define LORE_LAST_CURATION(t, actions)                                                             \
    "(SELECT c.seq FROM fact_curation_subject s JOIN fact_curation c ON c.seq = s.curation"        \
    " WHERE s.subject = " t ".id AND c.action IN (" actions                                        \
    ") AND" LORE_NOT_RETRACTED("c") " ORDER BY c.seq DESC LIMIT 1)"

#endif
