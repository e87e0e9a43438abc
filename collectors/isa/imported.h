/* Checks the patterns of imported technique definitions on a listing, beside the built-in
 * signatures (check.h). The patterns are not trusted; lore_isa_pattern_refused decides which may
 * run. */
#ifndef LORE_ISA_IMPORTED_H
#define LORE_ISA_IMPORTED_H

#include "collectors/isa/check.h"

enum {
    LORE_ISA_IMPORTED_PATTERNS = 64, /* of one signature */
    LORE_ISA_IMPORTED_BYTES = 200,   /* of one pattern */
    LORE_ISA_IMPORTED_FORMS = 65536  /* different instructions of the kernel */
};
struct lore_isa_imported {
    const char *technique;
    enum lore_isa_target target; /* NONE: an instruction set that this program cannot read */
    bool all;                    /* every pattern, else any */
    int64_t min_count;           /* below 1: 1 */
    const char *const *patterns; /* POSIX extended expressions on forms, case ignored */
    size_t n;
};
/* The reason for refusing PATTERN (static text); NULL: it may run. Refused are back-references
 * (unbounded matching time), repeat counts (unbounded memory), invalid POSIX expressions, and
 * patterns above LORE_ISA_IMPORTED_BYTES. */
const char *lore_isa_pattern_refused(const char *pattern);
/* Check Q with the patterns of S; it never fails, like lore_isa_check_technique. Without patterns,
 * or for another instruction set, the verdict is NOT_APPLICABLE. One refused pattern makes the
 * whole check INCONCLUSIVE. */
void lore_isa_check_imported(const struct lore_isa_request *q, const struct lore_isa_imported *s,
    struct lore_arena *arena, struct lore_isa_check *out);

#endif
