/* What the importers of the two sorts of wiki records share: gpu_wiki.c reads lessons,
 * gpu_wiki_scope.c finds where they apply, gpu_wiki_index.c checks an index against the records,
 * hardware_wiki.c and hardware_specs.c read what is known of chips. */
#ifndef LORE_IMPORT_WIKI_GPU_WIKI_H
#define LORE_IMPORT_WIKI_GPU_WIKI_H

#include "collectors/import/import.h"

struct lore_wiki_record {
    const struct lore_json *node, *retrieval, *scope, *payload;
    const char *id, *type;
    struct lore_texts doubts; /* what may mislead, for the record's extra */
    bool skip_when;           /* it repeats the description: not among the words */
};
/* Fill X's scope: operator, family, vendor, arch, chip, language, labels, symptom, technique.
 * Doubts go to R and to the report. */
void lore_wiki_scope(struct lore_import *in, struct lore_wiki_record *r, struct lore_insight *x);
/* Add WHAT to the record's doubts, and LINE to the traps of the report. */
void lore_wiki_doubt(
    struct lore_import *in, struct lore_wiki_record *r, const char *what, const char *line);
/* in->root is an index: compare it with the records of the tree. */
void lore_wiki_check_index(struct lore_import *in);
/* {"SYSTEM": NODE, "doubts": […]} as JSON text. WORDS (may be NULL) is an object member of NODE
 * whose content is in the words of the record: of it only what is empty, and its member BESIDE (may
 * be NULL), is written. */
const char *
lore_wiki_extra(struct lore_import *in, const char *system, const struct lore_json *node,
    const struct lore_json *words, const struct lore_json *beside, const struct lore_texts *doubts);
/* Text member of NODE, NULL when absent, empty or no text. */
const char *lore_wiki_text(const struct lore_json *node, const char *key);

#endif
