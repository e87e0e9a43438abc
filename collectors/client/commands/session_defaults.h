/* What a command line leaves out, from the open session of the working directory. */
#ifndef LORE_CLIENT_COMMANDS_SESSION_DEFAULTS_H
#define LORE_CLIENT_COMMANDS_SESSION_DEFAULTS_H

#include "collectors/client/cli.h"

/* Whether WORD is a label without its kernel: v8, champion, last, first. */
bool lore_session_label(const char *word);
/* Complete ARGS of the command C: the kernel of `history`, kernel, chip and shape of `recommend`,
 * `rope_kv:v8` for the v8 of `show`. Does nothing when no session is open, and leaves the session
 * aside when ARGS name a kernel, an operator, a run or a version themselves. */
void lore_session_defaults(
    struct lore_cli *cli, const struct lore_cli_command *c, struct lore_args *args);

#endif
