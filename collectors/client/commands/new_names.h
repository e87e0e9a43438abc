/* New names in a receipt (new_names.c). */
#ifndef LORE_CLIENT_COMMANDS_NEW_NAMES_H
#define LORE_CLIENT_COMMANDS_NEW_NAMES_H

#include "collectors/client/cli.h"
#include "service/base/json.h"

/* Print a line for each new name of RECEIPT: `new technique "floot4 lods"; did you mean …?`. */
void lore_new_names_print(struct lore_cli *cli, const struct lore_json *receipt);

#endif
