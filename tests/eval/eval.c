/* The suites in the order in which they are run, and what a figure is held against. */
#include "tests/eval/eval.h"

#include <math.h>

const struct lore_eval_suite lore_eval_suites[] = {
    {"words", "techniques and parameters in labelled texts", lore_eval_words},
    {"aa", "ordered samples of one configuration against themselves", lore_eval_aa},
    {NULL, NULL, NULL},
};

void
lore_eval_add(struct lore_eval *e, struct lore_eval_figure figure)
{
    *LORE_PUSH(e->arena, e->figure, e->n_figures, e->cap_figures) = figure;
}

bool
lore_eval_misses(const struct lore_eval_figure *f)
{
    if (f->sense == LORE_GOAL_NONE)
        return false;
    return !(f->sense == LORE_GOAL_AT_LEAST ? f->value >= f->goal : f->value <= f->goal);
}
