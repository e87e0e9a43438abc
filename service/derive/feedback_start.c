/* Sums the first decisive run of each proposal in one pass, then turns the sums into means. */
#include "service/derive/feedback_start.h"

#include <math.h>
#include <string.h>

static bool
same_proposal(const struct lore_start_result *a, const struct lore_start_result *b)
{
    return a->advice == b->advice && a->rank == b->rank && strcmp(a->list, b->list) == 0;
}

static bool
is_decisive(const struct lore_start_result *r)
{
    return !r->hidden && (r->failed || r->time_ns > 0);
}

static void
add(struct lore_start_sum *s, const struct lore_start_result *r)
{
    double measured = r->best.time_ns > 0 ? fmin(1, r->best.time_ns / r->time_ns) : 0;

    s->tried++;
    s->p_fail += r->p_fail;
    s->failed += r->failed;
    if (r->failed || r->best.versions < LORE_START_KNOWN)
        return;
    s->decided++;
    s->stated += r->value;
    s->came += measured;
    s->inside += r->low <= measured && measured <= r->high;
}

void
lore_start_sum(const struct lore_start_result *v, size_t n, struct lore_start_sum *out)
{
    struct lore_start_sum s = {0};
    bool counted = false;

    for (size_t i = 0; i < n; i++) {
        counted = counted && i > 0 && same_proposal(&v[i - 1], &v[i]);
        if (counted || !is_decisive(&v[i]))
            continue;
        add(&s, &v[i]);
        counted = true;
    }
    if (s.tried > 0)
        s.p_fail /= (double)s.tried;
    if (s.decided > 0) {
        s.stated /= (double)s.decided;
        s.came /= (double)s.decided;
    }
    *out = s;
}
