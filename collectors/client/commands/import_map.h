/* The maps of `warplore import`: --map. */
#ifndef LORE_CLIENT_COMMANDS_IMPORT_MAP_H
#define LORE_CLIENT_COMMANDS_IMPORT_MAP_H

#include "collectors/client/cli.h"
#include "collectors/import/intake.h"

/* Set the map that --map names. An exit code. */
int lore_import_set_map(struct lore_cli *cli, struct lore_intake *k, const struct lore_args *args);

#endif
