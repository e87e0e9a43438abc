/* The numbers of chips that ship with the service: chips.json, a submission whose specs cite public
 * documents line by line. They are ordinary records, so curators may select, reject and retract
 * them. A correction is a document of its own; this one never changes its records. */
#ifndef LORE_INGEST_SHIPPED_H
#define LORE_INGEST_SHIPPED_H

#include "service/base/status.h"

struct lore_db;
struct lore_ingest_parts;                    /* ingest.h: indexes and journal; both may be NULL */
extern const char *const lore_shipped_chips; /* chips.json; embed.cmake makes it */
/* Store it, unless DB, the writing connection, has it already. */
enum lore_status lore_shipped_store(
    struct lore_db *db, const struct lore_ingest_parts *parts, struct lore_err *err) LORE_MUST;

#endif
