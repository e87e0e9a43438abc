/* Gains in a brief. A typical range that its author states stays a range: its middle, which counts
 * in the odds, was never measured. */
#include <math.h>
#include <string.h>

#include "db/query.h"
#include "service/api/brief_say.h"
#include "service/base/duration.h"
#include "service/base/text.h"

#define APART 0.02 /* the gain over the parent and over the best before are different numbers */

static const char *
range_of(struct saying *s, const struct lore_claim *c)
{
    bool range = c->speedup_low.set && c->speedup_high.set;

    return range ? lore_format(s->arena, "typically %.3g to %.3gx as stated", c->speedup_low.v,
                       c->speedup_high.v)
                 : NULL;
}

const char *
lore_brief_gain(struct saying *s, const struct lore_experiment_row *e)
{
    const struct lore_f64 gain = e->outcome.gain.set ? e->outcome.gain : e->outcome.speedup;
    const char *range = range_of(s, &e->e.claim);

    if (!gain.set || range)
        return gain.set ? range : NULL;
    const struct lore_f64 own = e->outcome.speedup;
    bool apart = own.set && fabs(gain.v / own.v - 1) > APART;
    return lore_format(s->arena, "%s%s", lore_factor_text(s->arena, gain.v),
        apart ? " over the best before it" : "");
}

const char *
lore_brief_range(struct saying *s, const char *experiment)
{
    struct lore_experiment_row *e = lore_alloc(s->arena, sizeof *e);
    struct lore_err ignored;

    if (lore_db_get_experiment(s->f->req->db, experiment, s->arena, e, &ignored) != LORE_OK)
        return NULL;
    return range_of(s, &e->e.claim);
}

/* Whether a gain that A cites is only stated: claimed, or the middle of a range. */
static bool
is_stated(struct saying *s, const struct lore_advice *a)
{
    for (size_t i = 0; i < a->n_cited; i++)
        if (a->cited[i].effect == LORE_X_WIN && (a->cited[i].evidence == LORE_EV_CLAIMED ||
                                                    lore_brief_range(s, a->cited[i].experiment)))
            return true;
    return false;
}

const char *
lore_brief_why(struct saying *s, const struct lore_advice *a, const char *range, double middle)
{
    const char *number = lore_format(s->arena, "; %.2fx.", middle);
    const char *at = a->why && range ? strstr(a->why, number) : NULL;
    const char *median = a->why ? strstr(a->why, "; median ") : NULL;
    const char *end = median ? strstr(median, "x.") : NULL;

    if (end && is_stated(s, a))
        return lore_format(s->arena, "%.*s%s", (int)(median - a->why), a->why, end + 1);
    if (!at)
        return a->why ? a->why : "";
    return lore_format(
        s->arena, "%.*s; %s.%s", (int)(at - a->why), a->why, range, at + strlen(number));
}
