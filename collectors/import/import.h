/* Importers: other systems' files become submissions. Each format is one file and one row of the
 * table in import.c. An importer never drops a fact: what no field takes goes to `extra`, the exact
 * bytes travel as an artifact, and the report names what was converted, doubted or refused. Ids
 * are derived from content, so importing again stores nothing. */
#ifndef LORE_IMPORT_H
#define LORE_IMPORT_H

#include <stdbool.h>

#include "json.h"
#include "record.h"

/* 4 KiB of slack under the wire's limit for one text, so that the artifact fits. */
#define LORE_IMPORT_MAX ((1u << 20) - 4096)

/* What the report lists, in the order shown. */
enum lore_import_list {
    LORE_IL_LABELS,    /* bottleneck labels converted */
    LORE_IL_NAMES,     /* operators, techniques, chips, languages resolved */
    LORE_IL_CONFLICTS, /* records that contradict each other */
    LORE_IL_TRAPS,     /* records that may mislead */
    LORE_IL_EXTRA,     /* what no field took */
    LORE_IL_ERRORS,    /* records refused, with their line */
    LORE_IL_COUNT
};
const char *lore_import_list_name(enum lore_import_list list);  /* "conflicts" */
const char *lore_import_list_title(enum lore_import_list list); /* "Conflicts" */

struct lore_import {
    struct lore_arena *arena;
    const char *file; /* name without folders */
    const char *text; /* the file, NUL-terminated */
    const struct lore_json *root;
    struct lore_submission *doc; /* filled */
    size_t records;              /* entries seen in the file */
    size_t refused;              /* of them, not mapped; each is in LORE_IL_ERRORS */
    struct lore_texts lists[LORE_IL_COUNT];
};

struct lore_importer {
    const char *name;                             /* "kernelflow" */
    const char *help;                             /* one sentence */
    bool (*detect)(const struct lore_json *root); /* does this look like ours? */
    enum lore_status (*read)(struct lore_import *in, struct lore_err *err);
};
/* Ended by a NULL name. */
extern const struct lore_importer lore_importers[];
const struct lore_importer *lore_importer_find(const char *name);

/* Read TEXT (LEN bytes, the file FILE) with IMPORTER (NULL: the one that detects it) into *out.
 * out->doc is a complete document when it holds a record; *used is the importer. */
enum lore_status lore_import_read(const struct lore_importer *importer, const char *file,
    const char *text, size_t len, struct lore_arena *arena, struct lore_import *out,
    const struct lore_importer **used, struct lore_err *err) LORE_MUST;
/* Add a line to a list, once. */
void lore_import_note(struct lore_import *in, enum lore_import_list list, const char *fmt, ...)
    LORE_PRINTF(3, 4);
/* Refuse the record at NODE: counts it and lists "line 12: MESSAGE". */
void lore_import_refuse(struct lore_import *in, const struct lore_json *node, const char *fmt, ...)
    LORE_PRINTF(3, 4);
/* Note the members of NODE that are not among KNOWN (space-separated). */
void
lore_import_unknown_keys(struct lore_import *in, const struct lore_json *node, const char *known);
/* The line, from 1, where NODE begins in TEXT (the text it was parsed from). */
size_t lore_json_line(const char *text, const struct lore_json *node);

/* One pair per format: kernelflow.c, experiences.c. */
bool lore_kernelflow_detect(const struct lore_json *root);
enum lore_status lore_kernelflow_read(struct lore_import *in, struct lore_err *err) LORE_MUST;
bool lore_experiences_detect(const struct lore_json *root);
enum lore_status lore_experiences_read(struct lore_import *in, struct lore_err *err) LORE_MUST;

#endif
