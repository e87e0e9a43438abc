/* What the process itself is: its user, its limits, its memory. */
#ifndef LORE_SERVICE_PROCESS_H
#define LORE_SERVICE_PROCESS_H

#include "service/config.h"

/* As root, become the owner of DATA for good, so that no file there ends up as root's. Without
 * root, without DATA, or where root owns it: nothing. */
enum lore_status lore_process_drop(const char *data, struct lore_err *err) LORE_MUST;
/* Before serving: LORE_INVALID when still root without as_root, or when this configuration needs
 * more open files than the hard limit of the system allows. The soft limit is raised. */
enum lore_status lore_process_prepare(const struct lore_config *c, struct lore_err *err) LORE_MUST;

#endif
