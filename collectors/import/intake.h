/* Turns paths into documents: loads trees, finds the units, calls their importers, and packs the
 * records into documents that are small enough to send. One intake is one import; all its paths
 * share one report. */
#ifndef LORE_IMPORT_INTAKE_H
#define LORE_IMPORT_INTAKE_H

#include "collectors/import/import.h"
#include "collectors/import/index.h"
#include "collectors/import/seen.h"
#include "service/wire/wire.h"

/* Maximum bytes of a document. Only a document with a single longer record or file exceeds it. It
 * is small because the writer stores one document at a time while other clients wait. */
#define LORE_INTAKE_DOCUMENT (768u << 10)

/* Bytes of records after which lore_import_flush packs them. */
#define LORE_INTAKE_BATCH ((size_t)2 << 20)

struct lore_intake_document {
    const struct lore_submission *doc; /* decoded from `body` when documents are kept, else NULL */
    const char *id, *body;             /* the document as JSON text */
    size_t len;
};
/* A campaign of the files, whose experiments may be incomplete. */
struct lore_intake_campaign {
    const char *id, *label;
    int64_t expected;
    size_t *read; /* experiments of it */
};
/* What was read of one unit. */
struct lore_intake_unit {
    const char *path; /* below the path that was given, which it begins with */
    const struct lore_importer *importer;
    size_t records, refused;
};
struct lore_intake_format {
    const struct lore_importer *importer;
    struct lore_import in;         /* its lists and counts cover all units */
    size_t files;                  /* files stored as artifacts, and export files */
    size_t units, refused_units;   /* nothing of a refused unit is stored */
    size_t records[LORE_K_COUNT];  /* distinct records, by kind */
    size_t repeated[LORE_K_COUNT]; /* identical records found again in another unit */
    struct lore_pack *open;        /* the document being filled; NULL: none. Private to pack.c */
    struct lore_index refused_ids; /* refused records of the unit; private to pack.c */
    struct lore_intake_document *documents; /* kept documents, in sending order */
    size_t n, cap;
    size_t sent; /* documents that were complete, kept or not */
    struct lore_intake_campaign *campaigns;
    size_t n_campaigns, cap_campaigns;
    struct lore_err first; /* the error of the first refused unit */
};
struct lore_intake;
/* Take D, a complete document of F, which is valid during the call. An error ends the import. */
typedef enum lore_status lore_intake_send(void *context, struct lore_intake_format *f,
    const struct lore_intake_document *d, struct lore_err *err);
struct lore_intake {
    struct lore_arena *arena;           /* of the report, and of kept documents */
    const struct lore_importer *forced; /* --format; NULL */
    const char *licence;                /* --licence; NULL */
    const char *redistribution;         /* "forbidden" with --no-redistribution; NULL */
    const char *project;                /* --project; "": none; NULL: that of the folder */
    const char *chip;                   /* --chip: used when a file names no chip; NULL */
    const struct lore_map *map;         /* --map; NULL */
    const char *commit;                 /* --commit: used when a file names no commit; NULL */
    lore_intake_send *send;             /* NULL: documents are kept in the formats */
    void (*tick)(void *context, const struct lore_intake *k); /* something was read; NULL */
    void *context;                                            /* of send and tick */
    struct lore_err stopped;    /* why `send` ended the import; status LORE_OK: it did not */
    uint64_t bytes, bytes_read; /* of the path being read: of all files, and read so far */
    size_t batch; /* bytes of records after which lore_import_flush packs them; 0: the default */
    /* formats that read at least one unit, in order of appearance */
    struct lore_intake_format **formats;
    size_t n_formats, cap_formats;
    struct lore_intake_unit *units; /* in the order of reading */
    size_t n_units, cap_units;
    struct lore_texts skipped;          /* "PATH: why" */
    struct lore_arena records, kept;    /* of the unit being read */
    struct lore_seen *seen;             /* private to pack.c */
    struct lore_index *campaign_counts; /* private to pack.c */
};
/* Set ARENA; the other members may be set afterwards. */
void lore_intake_begin(struct lore_intake *k, struct lore_arena *arena);
/* Read T: complete documents are sent, or kept in the formats. LORE_INVALID when nothing in T is
 * recognised; the code is unknown_format, except for a single file with a problem. Refused units
 * are in the lists. */
enum lore_status
lore_intake_tree(struct lore_intake *k, struct lore_import_tree *t, struct lore_err *err) LORE_MUST;
/* The same for PATH on the disk. */
enum lore_status
lore_intake_path(struct lore_intake *k, const char *path, struct lore_err *err) LORE_MUST;
/* pack.c: move the records of f->in.doc, with the N files as artifacts, into the open document.
 * Closes it first when it would get too long. */
enum lore_status lore_pack_unit(struct lore_intake *k, struct lore_intake_format *f,
    struct lore_import_file *const *files, size_t n, struct lore_err *err) LORE_MUST;
/* pack.c: send the documents of f->in.raw, as they are. */
enum lore_status
lore_pack_raw(struct lore_intake *k, struct lore_intake_format *f, struct lore_err *err) LORE_MUST;
/* keep.c: write FILE, of the unit in F, as an artifact with its exact bytes to OUT. KEPT->name
 * stays NULL when the file is not stored: it was before, or the report says why. */
struct lore_kept {
    const char *name;
    size_t content; /* length of the bytes as text or base64 */
};
enum lore_status lore_keep_file(struct lore_intake *k, struct lore_intake_format *f,
    const struct lore_import_file *file, struct lore_buf *out, struct lore_kept *kept,
    struct lore_err *err) LORE_MUST;
/* pack.c: complete the open document. */
enum lore_status lore_pack_close(
    struct lore_intake *k, struct lore_intake_format *f, struct lore_err *err) LORE_MUST;
void lore_pack_drop(struct lore_intake_format *f); /* free the open document unsent */

#endif
