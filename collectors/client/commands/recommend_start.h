/* The part of `recommend` about versions (recommend_start.c). */
#ifndef LORE_CLIENT_COMMANDS_RECOMMEND_START_H
#define LORE_CLIENT_COMMANDS_RECOMMEND_START_H

#include "collectors/client/screen/screen.h"

/* Print the kind of evidence when it is indirect or weak, and the lineage of the version asked
 * about. */
void lore_command_print_level(struct lore_cli *cli, const struct lore_json *root);
/* Add to S the versions to start from, the versions to measure next and the changes to make, as far
 * as the answer has them. VERSION: the user named a version. */
void lore_recommend_add_start(
    struct lore_cli *cli, struct lore_screen *s, const struct lore_json *root, bool version);

#endif
