/* Checks whether metrics contradict a declared bottleneck. A contradiction is only flagged; the
 * label stays as stated. A missing metric contradicts nothing. */
#ifndef LORE_DERIVE_CONTRADICT_H
#define LORE_DERIVE_CONTRADICT_H

#include "service/derive/diagnose.h"

struct lore_contradiction {
    enum lore_label label;
    const char *evidence; /* "memory was declared, but dram… = 2.19 < 40, sm… = 97.33 > 60" */
    const struct lore_test *tests;
    size_t n_tests;
};

/* One element per label of DECLARED (bits) that METRICS contradict, in enum order; *n may be 0.
 * `sync`, `launch`, `tail`, `atomics` and `cache` are never contradicted: no metric known here
 * excludes them. CTX may be NULL. */
const struct lore_contradiction *
lore_label_contradictions(uint32_t declared, const struct lore_metrics *metrics,
    const struct lore_diagnose_context *ctx, struct lore_arena *arena, size_t *n);

#endif
