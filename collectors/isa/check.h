/* Is a claimed technique in the code? A signature says which instruction forms a technique leaves
 * behind; the check looks for them in a listing. It fails closed: without a listing, without the
 * kernel, without a signature nothing is ever verified. */
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
/* Patterns are POSIX extended expressions on forms (isa.h), case ignored. A hint proves nothing by
 * itself, many kernels have it: hints alone make a check inconclusive. */
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
/* TECHNIQUE by any name of the catalogue. NULL: none for this target. */
const struct lore_isa_signature *
lore_isa_signature(const char *technique, enum lore_isa_target target);

enum lore_isa_verdict {
    LORE_ISA_UNAVAILABLE,    /* nothing to look at; the zero value on purpose */
    LORE_ISA_VERIFIED,       /* the signature is there */
    LORE_ISA_MISSING,        /* it is not */
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
    const char *symbol, *isa; /* what was looked at; NULL: nothing */
    unsigned version;         /* of the signature; 0: none */
    struct lore_isa_found *found;
    size_t n_found, n_missing; /* patterns checked; patterns without a match */
    const char *why;           /* one sentence, never NULL */
};
/* What to look at. LISTING NULL: no disassembly could be made, WHY_NONE says why (may be NULL). */
struct lore_isa_question {
    const struct lore_isa_listing *listing, *before; /* before: the version it came from, or NULL */
    const char *technique;
    const char *symbol, *isa; /* as in lore_isa_select */
    const char *why_none;
};
/* Never fails: what cannot be answered is UNAVAILABLE or INCONCLUSIVE, with the reason. */
void lore_isa_ask(
    const struct lore_isa_question *q, struct lore_arena *arena, struct lore_isa_check *out);
/* The same with a signature of the caller's (trusted text: expressions can be slow). */
void lore_isa_ask_signature(const struct lore_isa_question *q, const struct lore_isa_signature *s,
    struct lore_arena *arena, struct lore_isa_check *out);

#endif
