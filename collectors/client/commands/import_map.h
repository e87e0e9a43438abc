/* The maps of `warplore import`: --map, the maps that the user has saved, and --suggest. */
#ifndef LORE_CLIENT_COMMANDS_IMPORT_MAP_H
#define LORE_CLIENT_COMMANDS_IMPORT_MAP_H

#include "collectors/client/cli.h"
#include "collectors/import/intake.h"

/* Set the map that --map names, else add those that the user has saved. An exit code. */
int lore_import_set_map(struct lore_cli *cli, struct lore_intake *k, const struct lore_args *args);
/* Propose a map for the file of the command line. CHIP: NULL: not given. An exit code. */
int lore_import_suggest(struct lore_cli *cli, const struct lore_args *args, const char *chip);
/* The folder of the maps that the user has saved; NULL: there is no place for settings. */
const char *lore_import_maps_folder(struct lore_cli *cli);

#endif
