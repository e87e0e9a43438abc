/* The wiki's rank, with every component kept so that a reader can see where a score comes from. */
#include "service/derive/wiki_rank.h"

#include <math.h>

#include "service/base/text.h"

enum { FULL_CONFIDENCE = 8, HALF_LIFE_DAYS = 90 };
static const double feedback_weight = 0.35;

struct lore_f64
lore_wiki_prior(const char *type)
{
    static const struct {
        const char *type;
        double prior;
    } rows[] = {{"anti-strategy", 0.45}, {"technique-card", 0.55}, {"symptom-card", 0.55},
        {"doc", 0.40}, {"reference-kernel", 0.45}};

    for (size_t i = 0; type && i < sizeof rows / sizeof *rows; i++) {
        if (lore_streq(type, rows[i].type))
            return (struct lore_f64){true, rows[i].prior};
    }
    return (struct lore_f64){0};
}

void
lore_wiki_feedback(
    const char *type, size_t worked, size_t did_not, size_t *effective, size_t *ineffective)
{
    bool opposite = lore_streq(type, "anti-strategy");

    *effective = opposite ? did_not : worked;
    *ineffective = opposite ? worked : did_not;
}

void
lore_wiki_rank(const struct lore_wiki_rank_in *in, struct lore_wiki_rank *out)
{
    double n = (double)in->effective + (double)in->ineffective;
    double age = in->age_days.v > 0 ? in->age_days.v : 0;

    *out = (struct lore_wiki_rank){.unknown = "",
        .prior = in->prior.set ? in->prior : lore_wiki_prior(in->type),
        .usage_bonus = in->usage_bonus.set ? in->usage_bonus.v : 0};
    if (n > 0) {
        out->signed_feedback = ((double)in->effective - (double)in->ineffective) / n;
        out->confidence = fmin(1, n / FULL_CONFIDENCE);
        out->feedback_adjust = feedback_weight * out->signed_feedback * out->confidence;
    }
    if (in->age_days.set)
        out->recency = (struct lore_f64){true, 0.5 + 0.5 * pow(0.5, age / HALF_LIFE_DAYS)};
    if (!out->prior.set)
        out->unknown = "prior";
    else if (!out->recency.set)
        out->unknown = "age_days";
    if (*out->unknown)
        return;
    double sum = out->prior.v + out->feedback_adjust + out->usage_bonus;
    out->score = (struct lore_f64){true, fmax(0, fmin(1, sum)) * out->recency.v};
}
