/* A unified diff of two texts with three lines of context. Texts of more than LORE_DIFF_MAX_LINES
 * lines are not compared. With more than LORE_DIFF_MAX_EDITS changed lines, all lines between the
 * common beginning and end are shown as removed and added. */
#ifndef LORE_BASE_DIFF_H
#define LORE_BASE_DIFF_H

#include <stdbool.h>

#include "service/base/arena.h"
#include "service/base/buf.h"

enum { LORE_DIFF_MAX_LINES = 20000, LORE_DIFF_MAX_EDITS = 2000 };

struct lore_diff {
    size_t added, removed; /* number of lines, also of those that were cut off */
    bool cut;              /* OUT does not hold the whole difference */
    bool coarse;           /* not the shortest one: too many edits */
    const char *why;       /* the reason for `cut`, static text; else NULL */
};
/* Append to OUT the hunks that turn A into B, in whole lines up to its ceiling. The two lines that
 * name the files are left to the caller. Equal texts append nothing. The scratch memory comes from
 * ARENA, at most about 20 MB. */
void lore_diff_unified(const struct lore_buf *a, const struct lore_buf *b, struct lore_arena *arena,
    struct lore_buf *out, struct lore_diff *result);

#endif
