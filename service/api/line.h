/* The techniques of a version's line (service/derive/line.h), for versions, compare and frontier.
 */
#ifndef LORE_API_LINE_H
#define LORE_API_LINE_H

#include "service/api/object.h"
#include "service/derive/line.h"

/* A technique as answers show it. */
struct lore_line_row {
    const char *name, *version, *label, *experiment;
    const char *out_version, *out_label, *out_experiment; /* out_version NULL: it is in */
    unsigned known;                                       /* bits of service/derive/line.h */
};
struct lore_line_rows {
    struct lore_line_row *v;
    size_t n;
};
extern const struct lore_object lore_line_technique_object;

/* The line of V over its stored ancestors, across kernels. */
enum lore_status lore_line_load(struct lore_db *db, const struct lore_version *v,
    struct lore_arena *arena, struct lore_line *out, struct lore_err *err) LORE_MUST;
/* The same for the version with the id VERSION. */
enum lore_status lore_line_load_id(struct lore_db *db, const char *version,
    struct lore_arena *arena, struct lore_line *out, struct lore_err *err) LORE_MUST;
struct lore_line_rows lore_line_rows(const struct lore_line *line, struct lore_arena *arena);

#endif
