/* The export, the dump, and the records that may not be passed on. */
#ifndef LORE_DB_EXPORT_H
#define LORE_DB_EXPORT_H

#include "db/read.h"
#include "service/base/arena.h"

/* One line of the export: a stored submission, oldest first. A withheld one has no text. */
struct lore_export_row {
    int64_t seq, received_us;
    const char *id, *actor, *text; /* text: the exact bytes, UTF-8; NULL: withheld */
};
/* A part of the export: the lines after the seq AFTER, within limits of lines and of bytes of text.
 * It has at least one line when any is left. */
struct lore_export_part {
    int64_t after;
    size_t lines, bytes;
};
enum lore_status lore_db_list_export(struct lore_db *db, const struct lore_export_part *part,
    struct lore_arena *a, struct lore_export_row **out, size_t *n, struct lore_err *err) LORE_MUST;
/* Whether any record may not be passed on. */
enum lore_status
lore_db_has_withheld(struct lore_db *db, bool *out, struct lore_err *err) LORE_MUST;
/* Whether one of these records belongs to a document that may not be passed on. */
enum lore_status lore_db_any_withheld(struct lore_db *db, const char *const *ids, size_t n,
    bool *out, struct lore_err *err) LORE_MUST;
/* Write every fact as canonical text, sorted by kind and id, without the fields that the service
 * adds (order of arrival, times, actors). Two databases with equal dumps hold the same facts. */
enum lore_status lore_db_dump(struct lore_db *db, bool (*line)(void *ctx, const char *text),
    void *ctx, struct lore_err *err) LORE_MUST;

#endif
