/* The difference of two texts, line by line, as people read it: a unified diff with three lines of
 * context. Bounded: texts of more than LORE_DIFF_MAX_LINES lines are not compared, and beyond
 * LORE_DIFF_MAX_EDITS changed lines the rest is shown as removed and added whole. */
#ifndef LORE_BASE_DIFF_H
#define LORE_BASE_DIFF_H

#include <stdbool.h>

#include "service/base/arena.h"
#include "service/base/buf.h"

enum { LORE_DIFF_MAX_LINES = 20000, LORE_DIFF_MAX_EDITS = 2000 };

struct lore_diff {
    size_t added, removed; /* lines; all of them, also when the text was cut */
    bool cut;              /* OUT does not hold the whole difference */
    bool coarse;           /* not the shortest one: too many edits */
    const char *why;       /* static: why it was cut; NULL */
};
/* Hunks that turn A into B, appended to OUT as whole lines until its ceiling, without the two lines
 * that name the files; nothing when the texts are equal. Scratch memory is ARENA's: some 20 MB at
 * most. */
void lore_diff_unified(const struct lore_buf *a, const struct lore_buf *b, struct lore_arena *arena,
    struct lore_buf *out, struct lore_diff *result);

#endif
