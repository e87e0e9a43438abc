/* The rules for labels of new tokens and agents. Readers see a label as the actor of the records
 * and events of its token or agent. It grants no permission. */
#ifndef LORE_AUTH_LABELS_H
#define LORE_AUTH_LABELS_H

#include "service/base/status.h"

#define LORE_LABEL_MAX 100 /* bytes */

/* LORE_INVALID at "label" for a LABEL that is too long or could mislead readers: one with a control
 * or invisible character, with a space at either end, or with the name of another kind of actor. */
enum lore_status lore_label_check(const char *label, struct lore_err *err) LORE_MUST;
/* The same for a caller of ROLE: only an admin may be called `admin`. */
enum lore_status
lore_label_check_role(const char *label, const char *role, struct lore_err *err) LORE_MUST;

#endif
