/* Rows of a list as CSV or as JSON lines. */
#ifndef LORE_CLIENT_COMMANDS_LIST_CSV_H
#define LORE_CLIENT_COMMANDS_LIST_CSV_H

#include "collectors/client/cli.h"

struct lore_listing {
    const char *path; /* address of the list, with a query */
    bool page;        /* the single page of PATH, else all pages */
    bool lines;       /* JSON lines, each a row as the service gave it; else CSV (RFC 4180) */
    bool experiments; /* CSV with the columns of experiments */
};
/* Write the list to standard output. Withheld rows are left out and counted on standard error; a
 * text that a spreadsheet would take for a formula gets a quote before it. Returns the exit code.
 */
int lore_list_out(struct lore_cli *cli, const struct lore_listing *l);

#endif
