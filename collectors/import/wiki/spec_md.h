/* Hardware numbers with their sources, for the importers that meet them: a document, its lines, the
 * cited form. */
#ifndef LORE_IMPORT_WIKI_SPEC_MD_H
#define LORE_IMPORT_WIKI_SPEC_MD_H

#include "collectors/import/import.h"
#include "collectors/import/markdown.h"

/* A number as tables print it: "16 MB (4 MB per XCD)", "~148", "Up to 228 KB (configurable)", "512
 * × 4 SIMD = 2048 32-bit VGPRs". */
struct lore_spec_md_value {
    double v;
    const char *unit;                 /* "" when none is printed */
    const char *rest;                 /* what follows, trimmed */
    bool approximate, up_to, product; /* product: the last of a computation */
};

/* The id of FILE as a source document; its record is added when it is not there yet. MD is what the
 * file says (its title names the document). NULL: not text. */
const char *lore_spec_md_document(
    struct lore_import *in, const struct lore_import_file *file, const struct lore_md *md);
/* Line LINE (from 1) of TEXT without blanks at its ends; "" past the end. */
const char *lore_spec_md_line(struct lore_arena *arena, const char *text, size_t line);
/* Where a number was found: by which importer, about which chip, in which line of a document. */
struct lore_spec_place {
    const char *system, *chip, *document;
    size_t line;
};
/* Add a spec with a value. The id says place, metric and value, so the same statement twice is one
 * record. The pointer dies at the next spec. */
struct lore_spec *lore_spec_md_add(struct lore_import *in, const struct lore_spec_place *place,
    const char *metric, const struct lore_spec_md_value *value, const char *unit);

/* False without a number and for ranges ("80–141 GB"), which are two numbers. */
bool
lore_spec_value_parse(struct lore_arena *arena, const char *text, struct lore_spec_md_value *out);

#endif
