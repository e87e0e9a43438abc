/* The part of `recommend` about versions (recommend_start.c). */
#ifndef LORE_CLIENT_COMMANDS_RECOMMEND_START_H
#define LORE_CLIENT_COMMANDS_RECOMMEND_START_H

#include "collectors/client/screen/screen.h"

/* How much is known and the lineage: what there is of it, as it stands. */
void lore_command_print_level(struct lore_cli *cli, const struct lore_json *root);
/* Where to start or what to measure next, and changes to make: what there is of it, into S.
 * VERSION: one was asked about. */
void lore_take_start(
    struct lore_cli *cli, struct lore_screen *s, const struct lore_json *root, bool version);

#endif
