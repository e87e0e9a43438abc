/* What a new token or agent may be called. A label is shown to readers as the actor of what its
 * token or agent did; it decides nothing. */
#ifndef LORE_AUTH_LABELS_H
#define LORE_AUTH_LABELS_H

#include "service/base/status.h"

#define LORE_LABEL_MAX 100 /* bytes */

/* LORE_INVALID at "label" unless LABEL shows as it is (no control or invisible character, no space
 * at either end), is short enough, and passes neither for an actor of the service itself nor for
 * another kind of actor. */
enum lore_status lore_label_check(const char *label, struct lore_err *err) LORE_MUST;

#endif
