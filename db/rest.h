/* Records as JSON for the `rest` columns, and back (rest.c). For the files of this folder. */
#ifndef LORE_DB_REST_H
#define LORE_DB_REST_H

#include "service/base/arena.h"
#include "service/wire/wire.h"

/* Write the members of RECORD that are set as object text in ARENA; NULL when there are none. */
enum lore_status lore_rest_write(enum lore_kind kind, const void *record, struct lore_arena *a,
    const char **out, struct lore_err *err) LORE_MUST;
/* Decode REST, completed by HEAD (members with a trailing comma, or ""), into *doc, which then
 * holds one record. */
enum lore_status lore_rest_read(enum lore_kind kind, const char *head, const char *rest,
    struct lore_arena *a, struct lore_submission *doc, struct lore_err *err) LORE_MUST;
/* Read a flat JSON object as pairs; values are JSON scalar text. */
enum lore_status lore_rest_kvs(
    const char *object, struct lore_arena *a, struct lore_kvs *out, struct lore_err *err) LORE_MUST;
bool lore_rest_provenance(const struct lore_provenance *p); /* whether it is not empty */

#endif
