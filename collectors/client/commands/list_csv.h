/* Experiments as CSV. */
#ifndef LORE_CLIENT_COMMANDS_LIST_CSV_H
#define LORE_CLIENT_COMMANDS_LIST_CSV_H

#include "collectors/client/cli.h"

/* GET PATH, a list of experiments, as CSV (RFC 4180) on standard output: all pages, or with PAGE
 * the single page of PATH. Withheld rows are left out and counted on standard error. Returns the
 * exit code. */
int lore_list_csv(struct lore_cli *cli, const char *path, bool page);

#endif
