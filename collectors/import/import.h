/* Importers: other systems' files become submissions. Each format is one row of the table in
 * importers.c. An importer never drops a fact: what no field takes goes to `extra`, the exact
 * bytes of every file travel as artifacts, and the report names what was converted, doubted or
 * refused. Ids are derived from content, so importing again stores nothing.
 *
 * PATHs become a tree of files. A unit is what one importer reads at once: a file, or a directory
 * with everything below it. Directories are offered to the importers first, from the top down; what
 * none takes is reported as skipped. Units of one format share documents until one is full. */
#ifndef LORE_IMPORT_IMPORT_H
#define LORE_IMPORT_IMPORT_H

#include <stdbool.h>

#include "service/base/json.h"
#include "service/wire/record.h"

#define LORE_IMPORT_KINDS 15 /* LORE_K_COUNT, which wire.h knows */
/* One file: in base64 it just fits an artifact. */
#define LORE_IMPORT_MAX (3u << 20)
/* The unpacked text of a packed file (name.gz), or of a long JSON file that is stored packed. */
#define LORE_IMPORT_UNPACKED (64u << 20)

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

/* One file of a tree. Text is NUL-terminated and may hold any bytes. */
struct lore_import_file {
    const char *path; /* below the tree's root, with '/': "v0/hypothesis.txt" */
    const char *text;
    size_t len;
    bool utf8;          /* valid UTF-8 without NUL: may be kept as text */
    const char *packed; /* gzip; stored instead of `text` when the file was compressed or is too
                           long to be stored as it is; NULL: store `text` */
    size_t packed_len;
    const struct lore_json *root; /* the parsed JSON; NULL: not JSON */
    const char *problem; /* why a file that looks like JSON does not parse; NULL: no problem */
    bool taken;          /* part of a unit that an importer reads */
    bool read; /* an importer opened it. Files of a directory that its importer did not open are
                  offered to the importers of single files too */
};
struct lore_import_tree {
    const char *name;               /* last part of the path given */
    struct lore_import_file *files; /* sorted by path */
    size_t n, cap;
    struct lore_import_file *outer; /* licence files found above the path given */
    size_t n_outer, cap_outer;
    struct lore_texts skipped; /* "PATH: why", for what was not loaded */
};
/* The file NAME in DIR ("" is the root), NULL when there is none. */
struct lore_import_file *
lore_tree_file(const struct lore_import_tree *t, const char *dir, const char *name);
/* The next file below DIR after AFTER (NULL: the first), at any depth; NULL at the end. */
struct lore_import_file *lore_tree_next(
    const struct lore_import_tree *t, const char *dir, const struct lore_import_file *after);

/* A finished document, to be sent word for word. */
struct lore_import_raw {
    const char *id, *text;
    size_t len, records[LORE_IMPORT_KINDS]; /* by enum lore_kind */
};

/* Which measurements of one parameter become experiments, where a file has measured many
 * configurations: of neighbouring values, none, of any two values. */
enum lore_import_pairs { LORE_PAIRS_ADJACENT, LORE_PAIRS_NONE, LORE_PAIRS_ALL, LORE_PAIRS_COUNT };
const char *lore_import_pairs_name(enum lore_import_pairs pairs); /* "adjacent" */

struct lore_import {
    struct lore_arena *arena;
    const struct lore_import_tree *tree;
    const char *unit;                  /* path of the file or directory being read; "": the root */
    const struct lore_import_file *at; /* the file: of the unit, or the one being read now; refusals
                                          and unknown keys name it and its lines. NULL at the start
                                          of a directory */
    const char *file;                  /* name of `at` without folders */
    const char *text;                  /* its text */
    const struct lore_json *root;      /* its JSON; NULL when it is none */
    const char *licence, *redistribution; /* for provenance: from --licence, or a LICENSE file near
                                             by; NULL when not known */
    const char *chip;                     /* --chip: where a file names none; NULL */
    enum lore_import_pairs pairs;         /* --pairs */
    struct lore_submission *doc;          /* filled */
    size_t records;                       /* entries seen */
    size_t refused;                       /* entries that were refused; each is in LORE_IL_ERRORS */
    struct lore_import_raw *raw; /* for files that hold whole documents: these are sent instead of
                                    records, and the file's bytes are not stored as an artifact */
    size_t n_raw, cap_raw, withheld;
    struct lore_texts lists[LORE_IL_COUNT];
    size_t *counts[LORE_IL_COUNT];           /* how often each line was noted; beside lists[].v */
    struct lore_index *index[LORE_IL_COUNT]; /* where each line is; private */
};
/* Make FILE the one being read. */
void lore_import_at(struct lore_import *in, struct lore_import_file *file);
/* The JSON of the file at PATH; NULL when there is no such file or it is none. */
const struct lore_json *lore_tree_json(const struct lore_import_tree *t, const char *path);

struct lore_importer {
    const char *name; /* "kernelflow" */
    const char *help; /* one sentence */
    bool directory;   /* its unit is a directory */
    /* Does this importer read UNIT (a path in T)? Must be cheap and must not parse JSON by
     * itself. */
    bool (*detect)(const struct lore_import_tree *t, const char *unit);
    /* Append the unit's records to in->doc, which holds nothing else. An error refuses the whole
     * unit. The caller adds artifacts, author, document ids and the licence. A record that two
     * units contain is stored once. */
    enum lore_status (*read)(struct lore_import *in, struct lore_err *err);
};
/* Ended by a NULL name; an earlier row has precedence. */
extern const struct lore_importer lore_importers[];
const struct lore_importer *lore_importer_find(const char *name);

/* Add a line to a list, or count it again. */
void lore_import_note(struct lore_import *in, enum lore_import_list list, const char *fmt, ...)
    LORE_PRINTF(3, 4);
/* Refuse the record at NODE of the current file: counts it and lists "FILE line 12: MESSAGE". */
void lore_import_refuse(struct lore_import *in, const struct lore_json *node, const char *fmt, ...)
    LORE_PRINTF(3, 4);
/* The same for a LINE (from 1; 0: the whole file) of a text file. */
void lore_import_refuse_line(struct lore_import *in, size_t line, const char *fmt, ...)
    LORE_PRINTF(3, 4);
/* Note the members of NODE that are not among KNOWN (space-separated). */
void
lore_import_unknown_keys(struct lore_import *in, const struct lore_json *node, const char *known);
/* The line, from 1, where NODE begins in TEXT (the text it was parsed from). */
size_t lore_json_line(const char *text, const struct lore_json *node);

#endif
