/* The improvement rule and the choice among branches. A time that is not a positive number is no
 * measurement; a comparison with one is false, never true by accident. */
#include "service/derive/improve.h"

#include <math.h>
#include <stdlib.h>

static bool
measured(struct lore_f64 time)
{
    return time.set && isfinite(time.v) && time.v > 0;
}

bool
lore_improved(bool validated, struct lore_f64 new_time, struct lore_f64 best_time, double noise_pct)
{
    if (!validated || !measured(new_time))
        return false;
    return !measured(best_time) || new_time.v < best_time.v * (1 - noise_pct / 100);
}

const char *
lore_improved_status(
    bool validated, struct lore_f64 new_time, struct lore_f64 best_time, double noise_pct)
{
    if (!validated)
        return "failed_validation";
    return lore_improved(validated, new_time, best_time, noise_pct) ? "improved" : "regressed";
}

const char *
lore_retry_name(enum lore_retry r)
{
    static const char *const names[] = {
        [LORE_RETRY_DONE] = "done", [LORE_RETRY_AGAIN] = "again", [LORE_RETRY_FAILED] = "failed"};

    return (unsigned)r < sizeof names / sizeof *names ? names[r] : "unknown";
}

enum lore_retry
lore_improve_retry(bool passed, int64_t retries)
{
    if (passed)
        return LORE_RETRY_DONE;
    return retries < LORE_RETRIES ? LORE_RETRY_AGAIN : LORE_RETRY_FAILED;
}

struct timed {
    double time;
    size_t branch;
};

static int
by_time(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->branch > y->branch) - (x->branch < y->branch);
}

void
lore_improve_champion(const struct lore_improve_branch *branches, size_t n,
    struct lore_arena *arena, struct lore_champion *out)
{
    struct timed *valid = lore_alloc_array(arena, n, sizeof *valid);
    size_t n_valid = 0;

    for (size_t i = 0; i < n; i++) {
        if (branches[i].passed && measured(branches[i].time))
            valid[n_valid++] = (struct timed){branches[i].time.v, i};
    }
    *out = (struct lore_champion){.found = n_valid > 0, .n_valid = n_valid};
    if (n_valid == 0)
        return;
    qsort(valid, n_valid, sizeof *valid, by_time);
    out->champion = valid[0].branch;
    out->n_frontier = n_valid - 1;
    out->frontier = lore_alloc_array(arena, n_valid, sizeof *out->frontier);
    for (size_t i = 1; i < n_valid; i++)
        out->frontier[i - 1] = valid[i].branch;
}
