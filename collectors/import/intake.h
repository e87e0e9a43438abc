/* Turns paths into documents: loads trees, finds the units, calls their importers, and packs the
 * records into documents that are small enough to send. One intake is one import; formats of
 * several paths share a report. */
#ifndef LORE_IMPORT_INTAKE_H
#define LORE_IMPORT_INTAKE_H

#include "collectors/import/import.h"
#include "service/wire/wire.h"

/* The longest document: the writer stores one at a time, and other clients wait meanwhile. */
#define LORE_INTAKE_DOCUMENT (768u << 10)

struct lore_intake_document {
    const struct lore_submission *doc;
    const char *body; /* as JSON */
    size_t len;
};
struct lore_intake_format {
    const struct lore_importer *importer;
    struct lore_import in;         /* lists and counts over all units */
    size_t files;                  /* read by it, or kept with what was read */
    size_t units, refused_units;   /* refused: nothing of them is kept */
    size_t records[LORE_K_COUNT];  /* distinct ones, by kind */
    size_t repeated[LORE_K_COUNT]; /* found again, the same, in another unit */
    struct lore_submission *open;  /* being filled; NULL */
    size_t open_bytes;
    struct lore_intake_document *documents; /* complete, in the order to send them */
    size_t n, cap;
    struct lore_err first; /* of the first refused unit */
};
struct lore_intake {
    struct lore_arena *arena;
    const struct lore_importer *forced; /* --format; NULL */
    const char *licence,
        *redistribution;                 /* --licence, "forbidden" with --no-redistribution; NULL */
    const char *chip;                    /* --chip: where files name none; NULL */
    enum lore_import_pairs pairs;        /* --pairs */
    const char *commit;                  /* --commit: the commit of files that name none; NULL */
    struct lore_intake_format **formats; /* that took something, in order of appearance */
    size_t n_formats, cap_formats;
    struct lore_texts skipped; /* "PATH: why" */
    struct lore_index *seen;   /* records and artifacts by id; private */
};
/* Set ARENA; the other members may be set afterwards. */
void lore_intake_begin(struct lore_intake *k, struct lore_arena *arena);
/* Read T, which must outlive K: complete documents are added to the formats. LORE_INVALID, code
 * unknown_format, when nothing in it is recognised. Refused units are in the lists. */
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
