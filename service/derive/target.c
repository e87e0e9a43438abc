/* Progress of a target (target.h). A stated result is never overruled; the computed one is used
 * only if none is stated. */
#include "service/derive/target.h"

#include <math.h>

#include "service/base/text.h"

struct lore_progress
lore_target_progress(const struct lore_target *t, struct lore_f64 current)
{
    bool up = lore_streq(t->direction, "up"), down = lore_streq(t->direction, "down");
    bool stated = t->met && !lore_streq(t->met, "unknown");
    struct lore_progress p = {.met = stated ? t->met : "unknown", .stated = stated};

    if (!t->value.set || !current.set || (!up && !down) || !isfinite(t->value.v) ||
        !isfinite(current.v))
        return p;
    bool met = up ? current.v >= t->value.v : current.v <= t->value.v;
    if (!stated)
        p.met = met ? "yes" : "no";
    else if (met != lore_streq(t->met, "yes"))
        return p;
    if (met)
        p.progress = (struct lore_f64){true, 1};
    else if (t->value.v > 0 && current.v > 0)
        p.progress = (struct lore_f64){true, up ? current.v / t->value.v : t->value.v / current.v};
    return p;
}
