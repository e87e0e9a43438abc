/* Signatures that somebody else wrote: the patterns of an imported technique definition, run on a
 * listing beside the built-in ones (check.h). The text is not trusted: see lore_isa_pattern_refused
 * for what is not even tried. */
#ifndef LORE_ISA_FOREIGN_H
#define LORE_ISA_FOREIGN_H

#include "collectors/isa/check.h"

enum {
    LORE_ISA_FOREIGN_PATTERNS = 64, /* of one signature */
    LORE_ISA_FOREIGN_BYTES = 200,   /* of one pattern */
    LORE_ISA_FOREIGN_FORMS = 65536  /* different instructions of the kernel */
};
struct lore_isa_foreign {
    const char *technique;
    enum lore_isa_target target; /* NONE: a machine code that is not read here */
    bool all;                    /* every pattern, else any */
    int64_t min_count;           /* below 1: 1 */
    const char *const *patterns; /* POSIX extended expressions on forms, case ignored */
    size_t n;
};
/* Why PATTERN is not run, static; NULL: it may be. Back-references (matching them takes time
 * without bound), repeat counts (compiling them takes memory without bound), what is no POSIX
 * expression, and more than LORE_ISA_FOREIGN_BYTES. */
const char *lore_isa_pattern_refused(const char *pattern);
/* As lore_isa_ask: never fails, and what cannot be answered is UNAVAILABLE or INCONCLUSIVE. No
 * patterns: NOT_APPLICABLE, never verified. A signature with one pattern that is refused is
 * INCONCLUSIVE as a whole. */
void lore_isa_ask_foreign(const struct lore_isa_question *q, const struct lore_isa_foreign *s,
    struct lore_arena *arena, struct lore_isa_check *out);

#endif
