/* The part of `recommend` about versions (recommend_start.c). */
#ifndef LORE_CLI_RECOMMEND_START_H
#define LORE_CLI_RECOMMEND_START_H

#include "cli.h"

/* How much is known, the lineage, where to start or what to measure next, and changes to make:
 * what there is of it. */
void lore_print_start(struct lore_cli *cli, const struct lore_json *root);

#endif
