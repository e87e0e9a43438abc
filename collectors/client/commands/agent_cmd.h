/* The parts of `warplore agent` (cmd_agent.c). Each returns an exit code. */
#ifndef LORE_CLIENT_COMMANDS_AGENT_CMD_H
#define LORE_CLIENT_COMMANDS_AGENT_CMD_H

#include "collectors/client/cli.h"

int lore_agent_status(struct lore_cli *cli, const char *state);
int lore_agent_verify(struct lore_cli *cli, const char *state);

#endif
