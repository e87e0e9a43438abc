/* Shared by the files of the leaderboard importer. leaderboard_md.c reads tables and folders,
 * leaderboard_notes.c reads the notes of one operator. */
#ifndef LORE_IMPORT_LEADERBOARD_LEADERBOARD_MD_H
#define LORE_IMPORT_LEADERBOARD_LEADERBOARD_MD_H

#include "collectors/import/import.h"
#include "collectors/import/markdown.h"

#define LORE_LEADERBOARD_SYSTEM "kernel-forge"

/* One version. Its source file is baseline.cu or has a name such as v2_warp_level_reduce.cu. */
struct lore_leaderboard_version {
    struct lore_import_file *file; /* NULL: only a table names the version */
    int64_t n;                     /* 0: the baseline */
    const char *tag, *id;
};
/* A row of the table, and its folder. */
struct lore_leaderboard_entry {
    const char *name; /* the operator as written */
    const char *op, *kernel, *chip, *dir;
    enum lore_language language;
    struct lore_import_file *notes;
    /* cells of the row; "": absent */
    const char *impl, *bottleneck, *speedup, *typical, *status, *details;
    const char *file; /* file of the row; NULL: no row */
    size_t line;
    const char *raw; /* the row's cells as JSON */
    struct lore_leaderboard_version *versions;
    size_t n_versions, cap_versions;
    int64_t best;         /* number N of a status "VN"; -1: none */
    int64_t attempts;     /* failed attempts that the details state; -1: none */
    const char *campaign; /* id of the campaign of failed attempts; NULL: none */
    bool used;            /* an experiment already contains the row */
};
/* The id of version N of E. A missing version is added without a file. NULL for N < 0. */
const char *
lore_leaderboard_version_id(struct lore_import *in, struct lore_leaderboard_entry *e, int64_t n);
/* Add an experiment of E with the common fields set. KEY makes its id unique among the experiments
 * of E. The pointer is valid until the next call. */
struct lore_experiment *lore_leaderboard_experiment(
    struct lore_import *in, const struct lore_leaderboard_entry *e, const char *key);
/* Add the claims and notes of E's row to X. */
void lore_leaderboard_claim_row(
    struct lore_import *in, struct lore_leaderboard_entry *e, struct lore_experiment *x);
/* Parse a range such as "3–9×"; false when TEXT is not a range. */
bool lore_leaderboard_range(const char *text, double *low, double *high);
/* Read notes.md of E: the note itself, the version history and the failed attempts. */
void lore_leaderboard_notes(struct lore_import *in, struct lore_leaderboard_entry *e);

#endif
