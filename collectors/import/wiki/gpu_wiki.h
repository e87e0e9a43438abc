/* Shared by the importers of both kinds of wiki records. gpu_wiki.c reads lessons, gpu_wiki_scope.c
 * their scope. gpu_wiki_index.c compares an index with the records. hardware_wiki.c and
 * hardware_specs.c read facts about chips. */
#ifndef LORE_IMPORT_WIKI_GPU_WIKI_H
#define LORE_IMPORT_WIKI_GPU_WIKI_H

#include "collectors/import/import.h"

struct lore_wiki_record {
    const struct lore_json *node, *retrieval, *scope, *payload;
    const char *id, *type;
    struct lore_texts doubts; /* misleading parts, for the record's extra */
    bool skip_when;           /* `when` repeats the description, so the body omits it */
};
/* Fill X's scope: operator, family, vendor, arch, chip, language, labels, symptom, technique.
 * Doubts go to R and to the report. */
void lore_wiki_scope(struct lore_import *in, struct lore_wiki_record *r, struct lore_insight *x);
/* Add WHAT to the record's doubts, and LINE to the traps of the report. */
void lore_wiki_doubt(
    struct lore_import *in, struct lore_wiki_record *r, const char *what, const char *line);
/* The file is an index: compare it with the records of the tree. */
void lore_wiki_check_index(struct lore_import *in);
/* {"SYSTEM": NODE, "doubts": […]} as JSON text. PAYLOAD (may be NULL) is the member of NODE that
 * the body of the insight already contains. Of PAYLOAD, only empty members and the member OMITTED
 * (may be NULL) are written. */
const char *lore_wiki_extra(struct lore_import *in, const char *system,
    const struct lore_json *node, const struct lore_json *payload, const struct lore_json *omitted,
    const struct lore_texts *doubts);
/* Text member KEY of NODE; NULL when it is absent, empty or not a text. */
const char *lore_wiki_text(const struct lore_json *node, const char *key);

#endif
