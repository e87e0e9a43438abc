/* JSON members as Markdown that a person reads: used for the bodies of lessons, so that nothing of
 * a payload is lost in the words. */
#ifndef LORE_IMPORT_PROSE_H
#define LORE_IMPORT_PROSE_H

#include "service/base/buf.h"
#include "service/base/json.h"

/* Append NODE under TITLE: text as a paragraph, lists as bullets, objects as nested bullets with
 * their keys. False, and nothing is written, for null, "", [] and {} (also nested ones only). */
bool lore_prose_add(struct lore_buf *out, const char *title, const struct lore_json *node);
/* "root_cause" -> "Root cause". */
const char *lore_prose_title(struct lore_arena *arena, const char *key);
/* At most MOST bytes of TEXT, cut between characters with "…" when it is longer. */
const char *lore_prose_cut(struct lore_arena *arena, const char *text, size_t most);

#endif
