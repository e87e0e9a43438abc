/* Selects methods (ranked techniques) for the next iteration of optimising a kernel, by the rules
 * of an earlier workflow (docs/algorithms.md). Pure functions; the registry is borrowed.
 * methods_check.h validates a submitted choice.
 *
 * For each axis with a budget, methods are scanned by priority (1 first; of equals in registry
 * order). A method is skipped if it was already selected, cannot run on the architecture, lacks a
 * feature, meets its skip condition, or is not triggered. Budget 1 takes the first method that
 * passes; budget 2 takes the two with the strongest triggers. Coupled methods are never taken
 * together. */
#ifndef LORE_DERIVE_METHODS_H
#define LORE_DERIVE_METHODS_H

#include "service/base/arena.h"
#include "service/derive/method_registry.h"

struct lore_method_state {
    struct lore_method_ids selected, ineffective, implementation_failed;
    struct lore_method_ids skip; /* methods whose skip condition the caller found true */
    int64_t sm;                  /* e.g. 90; 0: unknown, and only methods without min_arch pass */
    struct lore_method_ids features;
    bool features_known; /* false: features are not checked */
    unsigned budget[LORE_AXIS_COUNT];
    struct lore_metrics metrics; /* of the profile */
};

/* The trigger strength, linear from 0 (good) to 1 (bad). Unset, which differs from 0, if the method
 * has no trigger or no thresholds, its direction contradicts them, or the profile lacks the
 * metric. */
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
    const char *note; /* static: details beyond the skip reason; "" for none */
};
struct lore_method_selection {
    struct lore_method_scan *v; /* the scanned methods, by axis and priority */
    size_t n, n_taken;
};
/* Lists live in ARENA. Takes fewer methods than the budget if fewer pass. */
void lore_methods_select(const struct lore_method_registry *registry,
    const struct lore_method_state *state, struct lore_arena *arena,
    struct lore_method_selection *out);

#endif
