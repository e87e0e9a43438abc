/* Turns paths into documents: loads trees, finds the units, calls their importers, and packs the
 * records into documents that are small enough to send. One intake is one import; all its paths
 * share one report. */
#ifndef LORE_IMPORT_INTAKE_H
#define LORE_IMPORT_INTAKE_H

#include "collectors/import/import.h"
#include "service/wire/wire.h"

/* Maximum bytes of a document. Only a document with a single longer record or file exceeds it. It
 * is small because the writer stores one document at a time while other clients wait. */
#define LORE_INTAKE_DOCUMENT (768u << 10)

struct lore_intake_document {
    const struct lore_submission *doc;
    const char *body; /* the document as JSON text */
    size_t len;
};
struct lore_intake_format {
    const struct lore_importer *importer;
    struct lore_import in;         /* its lists and counts cover all units */
    size_t files;                  /* files stored as artifacts, and export files */
    size_t units, refused_units;   /* nothing of a refused unit is stored */
    size_t records[LORE_K_COUNT];  /* distinct records, by kind */
    size_t repeated[LORE_K_COUNT]; /* identical records found again in another unit */
    struct lore_submission *open;  /* the document being filled; NULL: none */
    size_t open_bytes;
    struct lore_intake_document *documents; /* complete documents, in sending order */
    size_t n, cap;
    struct lore_err first; /* the error of the first refused unit */
};
struct lore_intake {
    struct lore_arena *arena;
    const struct lore_importer *forced; /* --format; NULL */
    const char *licence;                /* --licence; NULL */
    const char *redistribution;         /* "forbidden" with --no-redistribution; NULL */
    const char *project;                /* --project; "": none; NULL: that of the folder */
    const char *chip;                   /* --chip: used when a file names no chip; NULL */
    const struct lore_map *map;         /* --map; NULL */
    const char *commit;                 /* --commit: used when a file names no commit; NULL */
    /* formats that read at least one unit, in order of appearance */
    struct lore_intake_format **formats;
    size_t n_formats, cap_formats;
    struct lore_texts skipped; /* "PATH: why" */
    /* ids and hashes of packed records and artifacts; private to pack.c */
    struct lore_index *packed_keys;
};
/* Set ARENA; the other members may be set afterwards. */
void lore_intake_begin(struct lore_intake *k, struct lore_arena *arena);
/* Read T, which must outlive K: complete documents are added to the formats. LORE_INVALID when
 * nothing in T is recognised; the code is unknown_format, except for a single file with a problem.
 * Refused units are in the lists. */
enum lore_status
lore_intake_tree(struct lore_intake *k, struct lore_import_tree *t, struct lore_err *err) LORE_MUST;
/* The same for PATH on the disk. */
enum lore_status
lore_intake_path(struct lore_intake *k, const char *path, struct lore_err *err) LORE_MUST;
/* pack.c: move the records of f->in.doc, with the N files as artifacts, into the open document.
 * Closes it first when it would get too long. */
enum lore_status lore_pack_unit(struct lore_intake *k, struct lore_intake_format *f,
    const struct lore_import_file *const *files, size_t n, struct lore_err *err) LORE_MUST;
/* pack.c: the documents of f->in.raw, as they are. */
void lore_pack_raw(struct lore_intake *k, struct lore_intake_format *f);
/* pack.c: complete the open document. */
enum lore_status lore_pack_close(
    struct lore_intake *k, struct lore_intake_format *f, struct lore_err *err) LORE_MUST;

#endif
