/* Writes JSON members as readable Markdown, for the bodies of insights. Every value is written,
 * except null and empty ones. */
#ifndef LORE_IMPORT_PROSE_H
#define LORE_IMPORT_PROSE_H

#include "service/base/buf.h"
#include "service/base/json.h"

/* Append NODE under TITLE: text as a paragraph, lists as bullets, objects as nested bullets with
 * their keys. Return false and write nothing for null, "", [], {} and containers that hold only
 * these. */
bool lore_prose_add(struct lore_buf *out, const char *title, const struct lore_json *node);
/* "root_cause" -> "Root cause". */
const char *lore_prose_title(struct lore_arena *arena, const char *key);
/* TEXT, cut at a character boundary to at most MOST bytes; "…" marks the cut. */
const char *lore_prose_cut(struct lore_arena *arena, const char *text, size_t most);

#endif
