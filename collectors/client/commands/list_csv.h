/* Experiments as CSV. */
#ifndef LORE_CLIENT_COMMANDS_LIST_CSV_H
#define LORE_CLIENT_COMMANDS_LIST_CSV_H

#include "collectors/client/cli.h"

/* GET PATH, a list of experiments, as CSV (RFC 4180) on standard output: every page of it, or the
 * one that PATH asks for when PAGE. Rows whose source forbids that they are passed on are left out,
 * and standard error says how many. The exit code. */
int lore_list_csv(struct lore_cli *cli, const char *path, bool page);

#endif
