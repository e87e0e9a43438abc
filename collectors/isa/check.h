/* Checks whether machine code shows a claimed technique. A signature lists the instruction forms
 * that a technique produces; the check searches a listing for them. Without a listing, a kernel or
 * a signature the result is never "verified". */
#ifndef LORE_ISA_CHECK_H
#define LORE_ISA_CHECK_H

#include "collectors/isa/isa.h"

enum { LORE_ISA_PATTERNS = 6, LORE_ISA_SIGNATURES_VERSION = 1 };

enum lore_isa_need {
    LORE_ISA_ANY,      /* one of the patterns, MIN_COUNT instructions in all */
    LORE_ISA_ALL,      /* every pattern, MIN_COUNT instructions each */
    LORE_ISA_FEWER,    /* fewer than in the version before; without one, inconclusive */
    LORE_ISA_NO_SPILL, /* no register spilled; patterns are not used */
};
/* Patterns are POSIX extended expressions on forms (isa.h), case ignored. A hint occurs in many
 * kernels and proves nothing: hints alone make a check inconclusive. */
struct lore_isa_signature {
    const char *technique; /* slug of the catalogue */
    enum lore_isa_target target;
    enum lore_isa_need need;
    unsigned min_count;                      /* 0: 1 */
    const char *patterns[LORE_ISA_PATTERNS]; /* NULL ends; none: hints only */
    const char *absent[2];                   /* must not occur */
    const char *hints[LORE_ISA_PATTERNS];
    const char *note; /* what the patterns show and what they cannot, one sentence */
    unsigned version; /* raised with every change of the row */
};
/* Sorted by technique, then target. */
const struct lore_isa_signature *lore_isa_signatures(size_t *n);
/* Find the signature of TECHNIQUE (its slug or an alias). NULL: none for this target. */
const struct lore_isa_signature *
lore_isa_signature(const char *technique, enum lore_isa_target target);

enum lore_isa_verdict {
    LORE_ISA_UNAVAILABLE, /* there is no code to check; the zero value, so that an unset verdict is
                             not "verified" */
    LORE_ISA_VERIFIED,    /* the signature was found */
    LORE_ISA_MISSING,     /* the signature was not found */
    LORE_ISA_NOT_APPLICABLE, /* no signature for this technique and target */
    LORE_ISA_INCONCLUSIVE,   /* only hints, or nothing to compare with */
    LORE_ISA_VERDICT_COUNT
};
const char *lore_isa_verdict_name(enum lore_isa_verdict v); /* "not_applicable" */

struct lore_isa_found {
    const char *pattern;
    const char *kind; /* pattern | absent | hint */
    size_t count;     /* instructions that match */
    size_t before;    /* in the version before; 0 without one */
};
struct lore_isa_check {
    enum lore_isa_verdict verdict;
    const char *technique; /* canonical slug */
    enum lore_isa_target target;
    const char *symbol, *isa; /* the checked function; NULL: none */
    unsigned version;         /* of the signature; 0: none */
    struct lore_isa_found *found;
    size_t n_found, n_missing; /* patterns checked; patterns without a match */
    const char *why;           /* one sentence, never NULL */
};
/* The code and the technique to check. LISTING NULL: there is no disassembly, for the reason
 * WHY_NONE (may be NULL). */
struct lore_isa_request {
    const struct lore_isa_listing *listing, *before; /* before: of the parent version, or NULL */
    const char *technique;
    const char *symbol, *isa; /* as in lore_isa_select */
    const char *why_none;
};
/* Check Q. It never fails: if the check cannot be made, the verdict is UNAVAILABLE, NOT_APPLICABLE
 * or INCONCLUSIVE, with the reason. */
void lore_isa_check_technique(
    const struct lore_isa_request *q, struct lore_arena *arena, struct lore_isa_check *out);
/* Check Q with the caller's signature, whose text must be trusted: an expression can be slow. */
void lore_isa_check_signature(const struct lore_isa_request *q, const struct lore_isa_signature *s,
    struct lore_arena *arena, struct lore_isa_check *out);

#endif
