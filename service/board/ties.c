/* Which times cannot be told apart. The interval of a time is the 95 % interval of its median where
 * samples are stored, wider where they drift (level.h), else the 10th to 90th percentile that was
 * stated with it; without either no tie is claimed, and the smaller number is the faster one.
 * Overlap is not transitive, so nothing is grouped: every time is compared with the best, and a
 * rank counts those that are clearly faster. */
#include "contest.h"

struct interval
interval_of(const struct entry *e)
{
    if (e->time_ns <= 0)
        return (struct interval){0};
    if (e->median_low_ns > 0 && e->median_high_ns > 0)
        return (struct interval){e->median_low_ns, e->median_high_ns, "median"};
    if (e->n_samples == 0 && e->low_ns > 0 && e->high_ns > 0)
        return (struct interval){e->low_ns, e->high_ns, "p10..p90"};
    return (struct interval){0};
}

bool
ties(const struct entry *a, const struct entry *b)
{
    struct interval x = interval_of(a), y = interval_of(b);

    return x.of != NULL && y.of != NULL && comparable(a, b) && x.low <= y.high && y.low <= x.high;
}

bool
ahead(const struct lore_board_index *ix, const struct entry *a, const struct entry *b)
{
    if (class_of(a) != class_of(b))
        return class_of(a) < class_of(b);
    if (is_checked(ix, a) != is_checked(ix, b))
        return is_checked(ix, a);
    return comparable(a, b) && a->time_ns < b->time_ns && !ties(a, b);
}
