/* Records hardware numbers with their sources: the document, the line and the quote. Shared by
 * several importers. */
#ifndef LORE_IMPORT_WIKI_SPEC_MD_H
#define LORE_IMPORT_WIKI_SPEC_MD_H

#include "collectors/import/import.h"
#include "collectors/import/markdown.h"

/* A number in a table cell: "16 MB (4 MB per XCD)", "~148", "Up to 228 KB (configurable)", "512 × 4
 * SIMD = 2048 32-bit VGPRs". */
struct lore_spec_md_value {
    double v;
    const char *unit;                  /* "" when none is printed */
    const char *rest;                  /* text after the number, trimmed */
    bool approximate, up_to, computed; /* computed: the result of a computation in the cell */
};

/* The id of FILE as a source document; the record is added when it is new. MD is the parsed file;
 * its title becomes the title of the document. NULL: FILE is empty, not UTF-8, or has too long a
 * name. */
const char *lore_spec_md_document(
    struct lore_import *in, const struct lore_import_file *file, const struct lore_md *md);
/* Line LINE (from 1) of TEXT, trimmed; "" past the end. */
const char *lore_spec_md_line(struct lore_arena *arena, const char *text, size_t line);
/* The source of a number: importer, chip, and line of a document. */
struct lore_spec_citation {
    const char *system, *chip, *document;
    size_t line;
};
/* Add a spec with a value. Its id is derived from place, metric and value, so a repeated statement
 * gives one record. The pointer is valid until the next call. */
struct lore_spec *lore_spec_md_add(struct lore_import *in, const struct lore_spec_citation *place,
    const char *metric, const struct lore_spec_md_value *value, const char *unit);

/* Parse TEXT. False when it has no number or is a range ("80–141 GB"). */
bool
lore_spec_value_parse(struct lore_arena *arena, const char *text, struct lore_spec_md_value *out);

#endif
