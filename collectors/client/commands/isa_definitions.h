/* Checks a listing against the signatures of imported technique definitions, beside the built-in
 * signature (isa_definitions.c). */
#ifndef LORE_CLIENT_COMMANDS_ISA_DEFINITIONS_H
#define LORE_CLIENT_COMMANDS_ISA_DEFINITIONS_H

#include "collectors/client/cli.h"
#include "collectors/isa/imported.h"

struct lore_definition_check {
    const char *name; /* "co-methods: memory.smem_tiling"; from the service, not cleaned */
    struct lore_isa_check check;
};
struct lore_definition_checks {
    struct lore_definition_check *v;
    size_t n, cap;
};
/* One check per signature in the stored definitions of Q's technique, added to *out (in the CLI's
 * arena). Prints errors and returns the exit code. A technique without a stored definition adds no
 * check. */
int lore_command_definitions_check(
    struct lore_cli *cli, const struct lore_isa_request *q, struct lore_definition_checks *out);

#endif
