/* The parts of `warplore doctor`. */
#ifndef LORE_CLIENT_COMMANDS_DOCTOR_H
#define LORE_CLIENT_COMMANDS_DOCTOR_H

#include "collectors/client/cli.h"
#include "service/base/jsonw.h"

struct lore_doctor {
    struct lore_cli *cli;
    struct lore_jsonw w;
    bool json; /* --json prints the checks as one document, without the service's own answers */
    bool host_failed; /* a check of this GPU host failed */
};
/* Print one check: a line, or an object with --json. */
void lore_doctor_check(struct lore_doctor *d, bool good, const char *what, const char *detail);
/* doctor_host.c: GPUs, capture library, counters, spool, agent. A machine without a GPU passes;
 * a failed check on a machine with a GPU sets d->host_failed. */
void lore_doctor_host(struct lore_doctor *d);

#endif
