/* Shared by the two files of the hardware-wiki importer. All functions need a checked record in
 * lore_import_json(in->at). */
#ifndef LORE_IMPORT_WIKI_HARDWARE_WIKI_H
#define LORE_IMPORT_WIKI_HARDWARE_WIKI_H

#include "collectors/import/import.h"

/* An id for WHAT ("document", "insight") of the record, derived from its content. */
const char *lore_hardware_id(struct lore_import *in, const char *what);
struct lore_provenance lore_hardware_provenance(struct lore_import *in);
/* "hardware_wiki/records/spec-sheet/amd/cdna3/mi300x.json" */
const char *lore_hardware_path(struct lore_import *in);
/* hardware_specs.c: add the source document and its spec values. */
void lore_hardware_map_sheet(struct lore_import *in);

#endif
