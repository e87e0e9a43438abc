/* Selection of methods, shared by `triggers` and `methods` (cmd_methods.c). */
#ifndef LORE_CLIENT_COMMANDS_CMD_METHODS_H
#define LORE_CLIENT_COMMANDS_CMD_METHODS_H

#include "collectors/client/screen/rows.h"

/* Add the selection options to Q. */
void lore_cmd_choice_query(struct lore_query *q, const struct lore_args *args);
/* The `selection` of an answer: budget, what was chosen, what was skipped and why. */
void lore_cmd_print_selection(struct lore_cli *cli, const struct lore_json *selection);

#endif
