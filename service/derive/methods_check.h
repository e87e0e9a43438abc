/* The rules for a submitted choice of methods, all errors at once. Pure. */
#ifndef LORE_DERIVE_METHODS_CHECK_H
#define LORE_DERIVE_METHODS_CHECK_H

#include "service/derive/methods.h"

struct lore_method_skipped {
    const char *id, *reason;
};
struct lore_method_submitted {
    const char *id, *axis;
    struct lore_i64 priority;
    const struct lore_method_skipped *skipped_higher;
    size_t n_skipped;
};
struct lore_method_choice {
    const struct lore_method_submitted *v;
    size_t n;
    bool allow_ineffective;
};
/* code: count | axis_count | axis_cap | duplicate | unknown_method | axis | priority |
 * arch_incompatible | feature_unavailable | already_selected | ineffective |
 * implementation_failed | unjustified_skip | skip_reason | coupled_pair. */
struct lore_method_error {
    const char *code;   /* static */
    const char *method; /* NULL: the choice as a whole */
    const char *message;
};
struct lore_method_errors {
    struct lore_method_error *v;
    size_t n, cap;
};
/* Check all of these. The number of methods is the sum of the budgets; each axis has as many as its
 * budget and at most LORE_AXIS_CAP. Each id is in the registry with its axis and priority. Its
 * min_arch is at most sm, and its features are available, if these are known. It was not selected
 * before and is not implementation_failed. It is not ineffective, unless allow_ineffective is set;
 * an ineffective method may then also have been selected before. Every method of higher priority on
 * the axis is submitted too or skipped for a known reason. No pair is coupled. *OUT is empty if the
 * choice is valid. */
void lore_methods_validate(const struct lore_method_registry *registry,
    const struct lore_method_state *state, const struct lore_method_choice *choice,
    struct lore_arena *arena, struct lore_method_errors *out);

#endif
