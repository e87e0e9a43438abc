/* Shortest times (limit.h). To call an honest run impossible does more harm than to miss a false
 * one. So floor_ns uses the fastest units, the operations that every algorithm needs, and only the
 * bytes that the last cache cannot hold. */
#include "service/derive/limit.h"

static double
seconds(struct lore_f64 amount, double rate)
{
    return amount.set && amount.v > 0 && rate > 0 ? amount.v / rate : 0;
}

struct lore_limit
lore_limit_of(const struct lore_work *work, const struct lore_peaks *peaks)
{
    struct lore_f64 sure = {work->flops.set, work->flops.v * work->sure};
    struct lore_f64 uncached = {work->bytes.set && peaks->cache > 0, work->bytes.v - peaks->cache};
    double compute = seconds(work->flops, peaks->flops),
           memory = seconds(work->bytes, peaks->bytes);
    double least = seconds(sure, peaks->any_flops), moved = seconds(uncached, peaks->bytes);
    struct lore_limit l = {.memory = memory > compute, .floor_memory = moved > least};
    bool in_cache = l.memory && peaks->cache >= work->bytes.v;

    l.peak_ns = in_cache ? 0 : 1e9 * (l.memory ? memory : compute);
    l.floor_ns = 1e9 * (l.floor_memory ? moved : least) / LORE_LIMIT_MARGIN;
    return l;
}
