/* The service names fields of its documents and addresses of its API. The command names options
 * and commands. Both names of a field stand in one table. */
#ifndef LORE_CLIENT_ASK_FIELDS_H
#define LORE_CLIENT_ASK_FIELDS_H

#include "collectors/client/cli.h"

/* The field that OPTION is sent as: "checked_against" for "checked-against", "parent" for "from".
 */
const char *lore_field_of(struct lore_arena *arena, const char *option);
/* TEXT, a message of the service about PATH (may be NULL), with the options of the command that
 * runs and with commands instead of fields, JSON and addresses. */
const char *lore_fields_say(struct lore_cli *cli, const char *path, const char *text);

#endif
