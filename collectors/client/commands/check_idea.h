/* Query whether an idea failed before in a kernel's lineage. `check-idea` sends it; `run` sends it
 * before it starts the program. */
#ifndef LORE_CLIENT_COMMANDS_CHECK_IDEA_H
#define LORE_CLIENT_COMMANDS_CHECK_IDEA_H

#include "collectors/client/cli.h"

/* Query parameters; NULL: not known. */
struct lore_checked_idea {
    const char *kernel;     /* id */
    const char *techniques; /* "name{param=value},name" */
    const char *text, *chip, *workload, *from;
};
void lore_check_idea_query(const struct lore_checked_idea *idea, struct lore_query *q);
/* TEXT, or as much of it as fits the request, in ARENA. */
const char *lore_check_idea_text(struct lore_arena *arena, const char *text);

#endif
