/* The adapter through which the report library sends its requests. */
#ifndef LORE_CLIENT_COMMANDS_FETCHING_H
#define LORE_CLIENT_COMMANDS_FETCHING_H

#include "collectors/client/ask/fetch.h"
#include "collectors/client/cli.h"

struct lore_fetching {
    struct lore_cli *cli;
    int code; /* exit code of an error that was already printed; 0: none */
    struct lore_fetch fetch;
};
/* Set up FETCHING; notes go to standard error. Do not move FETCHING afterwards: fetch.ctx points to
 * it. */
void lore_fetching_begin(struct lore_fetching *fetching, struct lore_cli *cli);
/* The exit code for STATUS; prints the error unless it was printed already. */
int lore_fetching_end(
    struct lore_fetching *fetching, enum lore_status status, const struct lore_err *err);
/* Put TEXT into the file PATH (NULL or "-": standard output); WHAT is for messages. Frees it. */
int lore_cli_put(struct lore_cli *cli, const char *path, struct lore_buf *text, const char *what);

#endif
