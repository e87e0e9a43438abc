/* What a file that no importer reads looks like, and which importers came near. */
#ifndef LORE_IMPORT_LOOKS_H
#define LORE_IMPORT_LOOKS_H

#include "collectors/import/import.h"

/* "CSV with columns a, b, c", "JSON with members x, y", "JSON lines with members …", "an SQLite
 * database", "an ELF file", "text", in ARENA. F is loaded. */
const char *lore_looks_like(struct lore_arena *arena, const struct lore_import_file *f);

#endif
