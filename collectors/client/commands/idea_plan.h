/* Query whether a plan failed before. `check-idea` prints the whole answer; `run` warns before it
 * starts; `record` and `try` say it of an attempt that is new. */
#ifndef LORE_CLIENT_COMMANDS_IDEA_PLAN_H
#define LORE_CLIENT_COMMANDS_IDEA_PLAN_H

#include "collectors/client/cli.h"

/* Query parameters; NULL: not known. The service needs a text or techniques, and a kernel, an
 * operator or a version. */
struct lore_idea_plan {
    const char *text;       /* in words */
    const char *techniques; /* "name{param=value},name" */
    const char *params;     /* "tile=64,stages=3" of the text or the first technique */
    const char *kernel, *op, *chip, *workload, *dims, *dtype;
    const char *from; /* the version that it starts from */
};
void lore_idea_query(struct lore_cli *cli, const struct lore_idea_plan *plan, struct lore_query *q);
/* The values of a repeated option as one list, "a,b". NULL: not given. */
const char *
lore_idea_option(struct lore_cli *cli, const struct lore_args *args, const char *option);
/* An attempt of an answer by a name that a command takes as one word, "softmax_cuda:v3",
 * else its id. */
const char *lore_idea_cite(struct lore_cli *cli, const struct lore_json *attempt);
/* The warning in ROOT, an answer: it failed here, or won here already. NULL: none. */
const char *lore_idea_warning(struct lore_cli *cli, const struct lore_json *root);
/* One GET for the warning; NULL also when the service does not answer. */
const char *lore_idea_warn(struct lore_cli *cli, const struct lore_idea_plan *plan);

#endif
