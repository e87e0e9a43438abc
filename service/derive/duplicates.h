/* Past experiments that match a plan, so that the author can be warned. Nothing is rejected. Pure
 * functions. */
#ifndef LORE_DERIVE_DUPLICATES_H
#define LORE_DERIVE_DUPLICATES_H

#include "service/derive/outcome.h"

/* All text is borrowed; NULL: not recorded. kernel, workload and chip are compared as text, so pass
 * canonical names or ids. */
struct lore_duplicate_plan {
    const char *kernel, *workload, *chip;
    const char *const *techniques; /* slugs, any order */
    size_t n_techniques;
    const char *from_version; /* the version that the plan changes */
};
struct lore_duplicate_past {
    const char *experiment; /* ULID */
    struct lore_duplicate_plan plan;
    enum lore_effect effect;
    enum lore_check correctness;
    bool process_broken, masked;
    struct lore_f64 speedup;
    int64_t seq; /* recency */
};
enum lore_duplicate_kind {
    LORE_DUP_SAME_STATE,  /* the same change from the same version */
    LORE_DUP_OTHER_STATE, /* the same change from another version */
    LORE_DUP_STATE_UNKNOWN
};
const char *lore_duplicate_name(enum lore_duplicate_kind k); /* "same_state", … */
struct lore_duplicate {
    const struct lore_duplicate_past *past;
    enum lore_duplicate_kind kind;
};
struct lore_duplicates {
    struct lore_duplicate *v; /* the same state first, then unknown, then other; newest first */
    size_t n;
    size_t n_masked; /* matching experiments that are masked, and so not listed */
};
/* Find the rows with the same kernel, workload, chip and set of techniques as PLAN. A NULL field of
 * the plan matches only NULL. LORE_INVALID: the plan has no kernel or no techniques. Lists live in
 * ARENA; rows are borrowed. */
enum lore_status lore_duplicates_find(const struct lore_duplicate_plan *plan,
    const struct lore_duplicate_past *rows, size_t n, struct lore_arena *arena,
    struct lore_duplicates *out, struct lore_err *err) LORE_MUST;

#endif
