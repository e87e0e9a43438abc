/* Which techniques a version's own source shows. Pure; results live in the arena.
 *
 * One lexer per family of languages (source_lex.c: C-like with inline assembly, Python-like,
 * assembly) feeds one table of features (source_table.c). Comments, strings, branches that are
 * never taken, unused macros and functions do not count. The answer is precise rather than
 * complete: a technique that it misses may be there; one that it lists is. */
#ifndef LORE_CATALOGUE_SOURCE_H
#define LORE_CATALOGUE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/arena.h"

enum { LORE_SOURCE_MAX_BYTES = 1 << 18 }; /* of all files together; the rest is not read */
struct lore_source_file {
    const char *file, *text; /* file: its ending says the family, else the text does */
};
struct lore_source_shown {
    const char **has;   /* slugs, static, sorted by the table's order */
    const char **moot;  /* slugs of which the source has no use, in it or not */
    const char **lacks; /* slugs that it certainly does not have */
    size_t n_has, n_moot, n_lacks;
    bool kernel; /* a kernel was found; without one there is nothing to say */
};
/* The techniques in the N files of one version. Time is linear in their bytes. */
void lore_source_read(const struct lore_source_file *files, size_t n, struct lore_arena *arena,
    struct lore_source_shown *out);
/* All slugs that the table can show, in its order; for tests. Returns their number. */
size_t lore_source_scope(const char **out, size_t cap);

#endif
