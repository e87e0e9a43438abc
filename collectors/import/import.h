/* Importers: other systems' files become submissions. Each format is one row of the table in
 * importers.c. An importer never drops a fact. Members without a field go to `extra`, and the exact
 * bytes of every file are stored as artifacts. The report names every conversion, doubt and
 * refusal. Ids are derived from content, so importing again stores nothing.
 *
 * The files below the given paths form a tree. A unit is what one importer reads at once: a file,
 * or a directory with everything below it. Directories are offered to the importers first, from the
 * top down. A file that no importer reads is listed in the report as skipped. Units of one format
 * share documents until one is full. */
#ifndef LORE_IMPORT_IMPORT_H
#define LORE_IMPORT_IMPORT_H

#include <stdbool.h>

#include "collectors/import/bytes.h"
#include "service/base/json.h"
#include "service/wire/record.h"

#define LORE_IMPORT_KINDS 17 /* equals LORE_K_COUNT of wire.h; pack.c asserts it */
/* Largest stored file, compressed or not; its base64 text just fits the artifact limit. */
#define LORE_IMPORT_MAX (3u << 20)
/* Longest file whose text and JSON are in memory; a longer one is read through a feed (feed.h). A
 * JSON tree has up to ten times its size. A longer file whose importer has read it is not stored,
 * because the records hold all of its data; the report gives its hash. */
#define LORE_IMPORT_WHOLE (8u << 20)
#define LORE_IMPORT_LINES 20000u     /* most lines of one list of the report */
#define LORE_IMPORT_HEAD (64u << 10) /* bytes of a longer file that importers recognise it by */

/* The lists of the report, in the order in which it shows them. */
enum lore_import_list {
    LORE_IL_LABELS,    /* bottleneck labels converted */
    LORE_IL_NAMES,     /* operators, techniques, chips, languages resolved */
    LORE_IL_CONFLICTS, /* records that contradict each other */
    LORE_IL_DOUBTS,    /* records that may mislead */
    LORE_IL_EXTRA,     /* members without a field, kept in extra */
    LORE_IL_ERRORS,    /* records refused, with their line */
    LORE_IL_COUNT
};
const char *lore_import_list_name(enum lore_import_list list);  /* "conflicts" */
const char *lore_import_list_title(enum lore_import_list list); /* "Conflicts" */

/* One file of a tree. lore_tree_file, lore_tree_next and lore_import_open load it; until then its
 * text is empty. Text is NUL-terminated and may hold any bytes. */
struct lore_import_file {
    const char *path;       /* below the tree's root, with '/': "v0/hypothesis.txt" */
    struct lore_bytes from; /* its bytes, compressed where `packed` */
    bool packed;            /* a compressed file; all that follows is about its unpacked text */
    bool loaded;
    bool whole;       /* text and root hold all of it; else only a feed reads it (feed.h, rows.h) */
    const char *text; /* its text when `whole`, else "" */
    size_t len;
    const char *head; /* its first bytes: all when `whole`, else LORE_IMPORT_HEAD, cut between
                         characters */
    size_t head_len;
    bool
        utf8; /* valid UTF-8 without NUL, so it can be stored as text; of a longer file: its head */
    const char *problem;  /* why a file cannot be read or unpacked, or, once lore_import_json was
                             called, why one that looks like JSON does not parse; NULL: no problem */
    const char *left_out; /* why it is not imported: it looks like a credential; NULL: it may be */
    bool taken;           /* part of a unit that an importer reads */
    bool read; /* an importer opened it. An unread file of a directory unit is also offered to the
                  importers of single files */
    /* private to tree.c */
    struct lore_arena memory; /* of a file that can be loaded again */
    struct lore_tree_state *state;
    const struct lore_json *root;
    bool own, parsed;
};
/* The JSON of F, parsed by the first call; NULL: it is not JSON or not `whole`, or F is NULL. */
const struct lore_json *lore_import_json(const struct lore_import_file *f);
/* Whether WORD is in the first LORE_IMPORT_HEAD bytes of F; false when F is NULL. */
bool lore_import_has(const struct lore_import_file *f, const char *word);
struct lore_import_tree {
    const char *project, *project_from; /* of a folder (project.h); NULL: a single file */
    const char *name;                   /* last part of the path given */
    const char *above; /* absolute path of the folder that `files` are in; NULL: not on the disk */
    struct lore_import_file *files; /* sorted by path */
    size_t n, cap;
    struct lore_import_file *outer; /* licence files found above the path given */
    size_t n_outer, cap_outer;
    struct lore_texts skipped;     /* "PATH: why", for what is not among the files */
    uint64_t bytes;                /* of all files, packed where they are */
    struct lore_tree_state *state; /* private to tree.c */
};
/* The file NAME in DIR ("" is the root), NULL when there is none. */
struct lore_import_file *
lore_tree_file(const struct lore_import_tree *t, const char *dir, const char *name);
/* The next file below DIR after AFTER (NULL: the first), at any depth; NULL at the end. */
struct lore_import_file *lore_tree_next(
    const struct lore_import_tree *t, const char *dir, const struct lore_import_file *after);
/* The same without loading it, for those that need only its path. */
struct lore_import_file *lore_tree_next_path(
    const struct lore_import_tree *t, const char *dir, const struct lore_import_file *after);

/* Load F; false when it is left out. */
bool lore_tree_open(const struct lore_import_tree *t, struct lore_import_file *f);

/* A finished document, to be sent word for word. */
struct lore_import_raw {
    const char *id, *text;
    size_t len, records[LORE_IMPORT_KINDS]; /* by enum lore_kind */
};

struct lore_feed;
struct lore_map;
struct lore_import {
    struct lore_arena *arena;  /* of the records; emptied after the unit and by lore_import_flush */
    struct lore_arena *kept;   /* emptied after the unit; see lore_import_kept */
    struct lore_arena *report; /* of the lists; NULL: `arena` */
    struct lore_intake *intake; /* private to intake.c; NULL: lore_import_flush does nothing */
    const struct lore_import_tree *tree;
    const char *unit; /* path of the file or directory being read; "": the root */
    /* the file being read; refusals name it and the line. NULL until the importer of a directory
     * opens a file */
    const struct lore_import_file *at;
    const char *file;             /* name of `at` without folders */
    const char *text;             /* its text; "" for a long file */
    const struct lore_feed *feed; /* where its rows come from (feed.h); NULL: from the file */
    void (*tick)(struct lore_import *in, uint64_t raw); /* told of bytes that feeds read; NULL */
    size_t line; /* of the record of rows.h being read; 0: refusals look for the node in `text` */
    const char *licence, *redistribution; /* for provenance: from --licence, or from the nearest
                                             LICENSE file; NULL: not known */
    const char *chip;            /* --chip: used when a file names no chip; NULL: not given */
    const struct lore_map *map;  /* --map (maps/map.h): how to read the file; NULL: not given */
    struct lore_submission *doc; /* the importer appends its records here */
    const struct lore_import_file **with; /* other files that the importer of a single file read as
                                             part of the unit; stored with it */
    size_t n_with, cap_with;
    const char *not_kept; /* why the bytes of the unit's files must not be stored; NULL: they are */
    size_t records;       /* entries read */
    size_t refused;       /* entries that were refused; each is in LORE_IL_ERRORS */
    struct lore_import_raw *raw; /* complete documents of a Warplore export. They are sent instead
                                    of records, and the file is not stored as an artifact */
    size_t n_raw, cap_raw, withheld;
    bool flushed; /* records of the unit were packed before its end; private to intake.c */
    struct lore_texts lists[LORE_IL_COUNT];
    size_t *counts[LORE_IL_COUNT]; /* how often each line was noted; parallel to lists[].v */
    struct lore_index *index[LORE_IL_COUNT]; /* maps a line to its position; private to import.c */
};
/* Make FILE the current file, load it, and mark it as read. */
void lore_import_open(struct lore_import *in, struct lore_import_file *file);
/* The same for another file that belongs to the unit, which is a single file. */
void lore_import_open_with(struct lore_import *in, struct lore_import_file *file);
/* For importers of long files, after each record or group of records: now and then, pack the
 * records appended to in->doc and send complete documents. Then in->doc is empty, and so is
 * in->arena; what the importer needs longer is in lore_import_kept(in). An error ends the import.
 */
enum lore_status lore_import_flush(struct lore_import *in, struct lore_err *err) LORE_MUST;
struct lore_arena *lore_import_kept(struct lore_import *in);
/* The JSON of the file at PATH; NULL when the file does not exist or is not JSON. */
const struct lore_json *lore_tree_json(const struct lore_import_tree *t, const char *path);

/* For detect: UNIT is nearly of this format. The report of a file that nobody reads names the
 * importers with the highest SCORE (1 to 100, of what the format needs) and what is missing. */
void lore_import_near(const struct lore_import_tree *t, unsigned score, const char *fmt, ...)
    LORE_PRINTF(3, 4);

struct lore_importer {
    const char *name; /* "kernelflow" */
    const char *help; /* one sentence */
    bool directory;   /* its unit is a directory */
    bool project;     /* its kernels belong to the project of the folder. False for formats that
                         hold the experience of many projects */
    /* Return whether this importer reads UNIT (a path in T). It must be cheap: it may search the
     * text and the parsed JSON of T, but parses nothing itself. */
    bool (*detect)(const struct lore_import_tree *t, const char *unit);
    /* Append the unit's records to in->doc, which is empty before. An error refuses the whole unit.
     * The caller adds artifacts, author, document ids and the licence. A record that two units
     * contain is stored once. */
    enum lore_status (*read)(struct lore_import *in, struct lore_err *err);
};
/* A row with a NULL name ends the table; an earlier row has precedence. */
extern const struct lore_importer lore_importers[];
const struct lore_importer *lore_importer_find(const char *name);

/* Add a line to a list of the report; a line that is already there is counted. */
void lore_import_note(struct lore_import *in, enum lore_import_list list, const char *fmt, ...)
    LORE_PRINTF(3, 4);
/* Refuse the record at NODE of the current file: count it and list "FILE line 12: MEMBER:
 * MESSAGE", where MEMBER is the JSON path of NODE. */
void lore_import_refuse(struct lore_import *in, const struct lore_json *node, const char *fmt, ...)
    LORE_PRINTF(3, 4);
/* The same for a LINE (from 1; 0: the whole file) of a text file: "FILE line 12: MESSAGE". */
void lore_import_refuse_line(struct lore_import *in, size_t line, const char *fmt, ...)
    LORE_PRINTF(3, 4);
/* Note the members of NODE that are not among KNOWN (space-separated). */
void
lore_import_unknown_keys(struct lore_import *in, const struct lore_json *node, const char *known);
/* The line, from 1, where NODE begins in TEXT (the text it was parsed from). */
size_t lore_json_line(const char *text, const struct lore_json *node);

#endif
