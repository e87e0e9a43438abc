/* Who leads, and by how much (gain.h). */
#include "service/derive/gain.h"

#include <math.h>

bool
lore_gain_may_lead(const struct lore_gain_standing *s)
{
    return !s->library && s->kind != LORE_V_LIBRARY && s->kind != LORE_V_ABLATION && !s->failed &&
           !s->passed_elsewhere_only && !s->hidden;
}

bool
lore_gain_may_be_first(const struct lore_gain_standing *s)
{
    return !s->library && s->kind != LORE_V_LIBRARY && !s->failed && !s->hidden;
}

bool
lore_gain_leads(const struct lore_gain_time *a, const struct lore_gain_time *b)
{
    if (a->measured != b->measured)
        return a->measured;
    if (a->checked != b->checked)
        return a->checked;
    if ((a->ns > 0) != (b->ns > 0))
        return a->ns > 0;
    if (a->by_speedup && a->speedup != b->speedup)
        return a->speedup > b->speedup;
    if (!a->by_speedup && a->in_method != b->in_method)
        return a->in_method;
    if (a->ns != b->ns)
        return a->ns < b->ns;
    return a->seq < b->seq;
}

double
lore_gain_over_best(double speedup, double share)
{
    if (share <= 0 || share >= LORE_LOSS_BELOW || speedup <= 1)
        return speedup;
    return fmax(1, speedup * share);
}

double
lore_gain(double base_ns, double ns)
{
    return base_ns > 0 && ns > 0 ? base_ns / ns : 0;
}
