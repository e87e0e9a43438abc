/* Duplicates have the same techniques, kernel, workload and chip. The warning is stronger if they
 * also start from the same version, because the same change may act differently on another
 * version. */
#include "service/derive/duplicates.h"

#include <stdlib.h>

#include "service/base/text.h"
#include "service/derive/techset.h"

const char *
lore_duplicate_name(enum lore_duplicate_kind k)
{
    static const char *const names[] = {"same_state", "other_state", "state_unknown"};

    return k <= LORE_DUP_STATE_UNKNOWN ? names[k] : "state_unknown";
}

static enum lore_duplicate_kind
compare_state(const char *a, const char *b)
{
    if (!a || !b)
        return LORE_DUP_STATE_UNKNOWN;
    return lore_streq(a, b) ? LORE_DUP_SAME_STATE : LORE_DUP_OTHER_STATE;
}

static int
by_strength(const void *a, const void *b)
{
    static const int rank[] = {
        [LORE_DUP_SAME_STATE] = 0, [LORE_DUP_STATE_UNKNOWN] = 1, [LORE_DUP_OTHER_STATE] = 2};
    const struct lore_duplicate *x = a, *y = b;

    if (x->kind != y->kind)
        return rank[x->kind] - rank[y->kind];
    if (x->past->seq != y->past->seq)
        return x->past->seq < y->past->seq ? 1 : -1;
    return (x->past > y->past) - (x->past < y->past);
}

static bool
same_kernel_and_place(const struct lore_duplicate_plan *a, const struct lore_duplicate_plan *b)
{
    return lore_streq(a->kernel, b->kernel) && lore_streq(a->workload, b->workload) &&
           lore_streq(a->chip, b->chip);
}

enum lore_status
lore_duplicates_find(const struct lore_duplicate_plan *plan, const struct lore_duplicate_past *rows,
    size_t n, struct lore_arena *arena, struct lore_duplicates *out, struct lore_err *err)
{
    const char *key = lore_techset_key(arena, plan->techniques, plan->n_techniques);
    struct lore_duplicates found = {0};
    size_t cap = 0;

    if (!plan->kernel)
        return lore_fail(err, LORE_INVALID, "kernel: missing");
    if (!*key)
        return lore_fail(err, LORE_INVALID, "techniques: at least one is needed");
    for (size_t i = 0; i < n; i++) {
        const struct lore_duplicate_plan *past = &rows[i].plan;
        if (!same_kernel_and_place(plan, past) ||
            !lore_streq(key, lore_techset_key(arena, past->techniques, past->n_techniques)))
            continue;
        if (rows[i].masked) {
            found.n_masked++;
            continue;
        }
        struct lore_duplicate *d = LORE_PUSH(arena, found.v, found.n, cap);
        *d = (struct lore_duplicate){
            &rows[i], compare_state(plan->from_version, past->from_version)};
    }
    if (found.n > 0)
        qsort(found.v, found.n, sizeof *found.v, by_strength);
    *out = found;
    return LORE_OK;
}
