/* SQL that several statements say alike. For the files of this folder. */
#ifndef LORE_DB_SHARED_SQL_H
#define LORE_DB_SHARED_SQL_H

#include "db/db.h"

/* The columns that every row of knowledge.h starts with, and laying them over ROW (a pointer). */
#define LORE_KNOWN(table)                                                                          \
    "SELECT t.rest, t.seq, d.received_us, d.id, d.actor FROM " table                               \
    " t JOIN fact_document d ON d.seq = t.document"
#define LORE_KNOWN_COLUMNS(q, a, row)                                                              \
    ((row)->rest = lore_col_text((q), 0, (a)), (row)->seq = lore_col_i64((q), 1),                  \
        (row)->received_us = lore_col_i64((q), 2), (row)->document = lore_col_text((q), 3, (a)),   \
        (row)->actor = lore_col_text((q), 4, (a)))
/* Conditions: record T is not retracted; curation C counts. */
#define LORE_NOT_RETRACTED(t)                                                                      \
    " NOT EXISTS (SELECT 1 FROM drv_curated z WHERE z.record = " t                                 \
    ".id AND z.retraction IS NOT NULL)"
/* Run R counts: neither it nor its version is retracted. Not IN (…): that makes a table per row. */
#define LORE_RUN_COUNTS(r)                                                                         \
    LORE_NOT_RETRACTED(r)                                                                          \
    " AND NOT EXISTS (SELECT 1 FROM drv_curated y WHERE y.record = " r                             \
    ".version AND y.retraction IS NOT NULL)"
/* The seq of the last curation of the named actions about record T that counts. */
#define LORE_LAST_CURATION(t, actions)                                                             \
    "(SELECT c.seq FROM fact_curation_subject s JOIN fact_curation c ON c.seq = s.curation"        \
    " WHERE s.subject = " t ".id AND c.action IN (" actions                                        \
    ") AND" LORE_NOT_RETRACTED("c") " ORDER BY c.seq DESC LIMIT 1)"

#endif
