/* Query whether a plan has been tried. `duplicates` prints the answer; `record` prints a
 * warning. */
#ifndef LORE_CLIENT_COMMANDS_DUPLICATES_ASK_H
#define LORE_CLIENT_COMMANDS_DUPLICATES_ASK_H

#include "collectors/client/cli.h"

/* Query parameters; NULL: not known. */
struct lore_plan {
    const char *kernel, *op; /* one of them: a kernel, or all of an operator */
    const char *techniques;  /* "a,b" */
    const char *chip, *workload, *from;
};
void lore_duplicates_query(const struct lore_plan *plan, struct lore_query *q);
/* One GET; prints past experiments like PLAN to cli->err. Errors are not printed. */
void lore_duplicates_warn(struct lore_cli *cli, const struct lore_plan *plan);

#endif
