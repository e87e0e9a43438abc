/* How good is the advice, measured where the truth is known? One function per suite; each reads its
 * data, prints its tables to e->text and adds its figures, those of docs/notes/evaluation.md with
 * the goal they must reach. Pure but for the files read; `./dev eval` runs them. */
#ifndef LORE_TESTS_EVAL_EVAL_H
#define LORE_TESTS_EVAL_EVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"
#include "service/base/buf.h"

enum lore_eval_goal { LORE_GOAL_NONE, LORE_GOAL_AT_LEAST, LORE_GOAL_AT_MOST };
struct lore_eval_figure {                        /* texts live as long as the arena or forever */
    const char *suite, *part, *method, *measure; /* words; all; resolver; recall */
    double value;                                /* NAN: could not be measured */
    enum lore_eval_goal sense;
    double goal;
};
struct lore_eval {
    const char *data;   /* folder with tuning/ and agent-logs/ */
    const char *labels; /* file of labelled texts */
    bool quick;         /* part of the work: figures are noisy, goals are not judged */
    bool details;       /* also cell by cell */
    struct lore_buf *text;
    struct lore_arena *arena;
    struct lore_eval_figure *figure;
    size_t n_figures, cap_figures;
};
void lore_eval_add(struct lore_eval *e, struct lore_eval_figure figure);
/* Whether a figure has a goal and misses it; a figure that could not be measured misses it. */
bool lore_eval_misses(const struct lore_eval_figure *f);

/* Suites. LORE_NOTFOUND: the data are not there. */
enum lore_status lore_eval_words(struct lore_eval *e, struct lore_err *err) LORE_MUST;
enum lore_status lore_eval_aa(struct lore_eval *e, struct lore_err *err) LORE_MUST;

struct lore_eval_suite {
    const char *name, *help;
    enum lore_status (*run)(struct lore_eval *e, struct lore_err *err);
};
extern const struct lore_eval_suite lore_eval_suites[]; /* ends with a NULL name */

#endif
