/* Which methods the next iteration of the branch-and-ablate workflow takes. Pure; the registry
 * comes in as arrays, borrowed throughout. methods_check.h judges a submitted choice.
 *
 * Per axis with a budget, methods are scanned by priority (1 first; ties in registry order), and
 * skipped when already selected, not possible on the architecture, without a needed feature, under
 * their skip condition, or not triggered. Budget 1 takes the first that passes, budget 2 the two
 * strongest triggers among all that pass. Methods of a coupled pair are never taken together. */
#ifndef LORE_DERIVE_METHODS_H
#define LORE_DERIVE_METHODS_H

#include "service/base/arena.h"
#include "service/derive/method_registry.h"

struct lore_method_state {
    struct lore_method_ids selected, ineffective, implementation_failed;
    struct lore_method_ids skip; /* methods whose skip condition holds, as somebody judged it */
    int64_t sm; /* 90; 0: unknown, so that only methods for any architecture pass */
    struct lore_method_ids features;
    bool features_known; /* false: features are not checked */
    unsigned budget[LORE_AXIS_COUNT];
    struct lore_metrics metrics; /* of the profile */
};

/* 0..1, linear from good to bad. Unset (not evaluated, which is not 0): no trigger, no thresholds,
 * a direction that contradicts them, or no such metric in the profile. */
struct lore_f64
lore_method_trigger(const struct lore_method_row *method, const struct lore_metrics *metrics);

enum lore_skip {
    LORE_SKIP_NONE,
    LORE_SKIP_ALREADY_SELECTED,
    LORE_SKIP_ARCH_INCOMPATIBLE,
    LORE_SKIP_FEATURE_UNAVAILABLE,
    LORE_SKIP_CONDITION,
    LORE_SKIP_NO_TRIGGER,
    LORE_SKIP_COUNT
};
const char *lore_skip_name(enum lore_skip s);    /* "already_selected" …; "" for none */
enum lore_skip lore_skip_find(const char *name); /* LORE_SKIP_COUNT: not a reason */

struct lore_method_scan {
    const struct lore_method_row *method;
    enum lore_skip skip; /* NONE: passed */
    struct lore_f64 strength;
    bool taken;
    const char *note; /* static: what the reason alone does not say; "" for none */
};
struct lore_method_selection {
    struct lore_method_scan *v; /* what was scanned, by axis and priority */
    size_t n, n_taken;
};
/* Lists live in ARENA. Fewer are taken than the budget says when fewer pass. */
void lore_methods_select(const struct lore_method_registry *registry,
    const struct lore_method_state *state, struct lore_arena *arena,
    struct lore_method_selection *out);

#endif
