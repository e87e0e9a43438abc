/* JSON for files that other systems' tools read, laid out as those tools lay it out. */
#ifndef LORE_CLIENT_REPORT_PRETTY_H
#define LORE_CLIENT_REPORT_PRETTY_H

#include "service/base/buf.h"
#include "service/base/json.h"

/* Write V from the current column. INDENT is the number of blanks before the line that V begins on;
 * the lines of its children get two more. */
void lore_pretty(struct lore_buf *out, const struct lore_json *v, int indent);
/* A member or element M on a line of its own, after a comma unless FIRST. */
void lore_pretty_member(struct lore_buf *out, const struct lore_json *m, bool first, int indent);

#endif
