/* What the two files of the leaderboard importer share: leaderboard_md.c reads tables and folders,
 * leaderboard_notes.c the notes of one operator. */
#ifndef LORE_IMPORT_LEADERBOARD_LEADERBOARD_MD_H
#define LORE_IMPORT_LEADERBOARD_LEADERBOARD_MD_H

#include "collectors/import/import.h"
#include "collectors/import/markdown.h"

#define LORE_LB_SYSTEM "kernel-forge"

/* One source file: baseline.cu, v2_warp_level_reduce.cu. */
struct lore_lb_version {
    struct lore_import_file *file; /* NULL: only named by a table */
    int64_t n;                     /* 0: the baseline */
    const char *tag, *id;
};
/* A row of the table, and its folder. */
struct lore_lb_entry {
    const char *name; /* the operator as written */
    const char *op, *kernel, *chip, *dir;
    enum lore_language language;
    struct lore_import_file *notes;
    const char *impl, *bottleneck, *speedup, *typical, *status, *details; /* cells; "" absent */
    const char *file; /* of the row; NULL: no row */
    size_t line;
    const char *raw; /* the row's cells as JSON */
    struct lore_lb_version *versions;
    size_t n_versions, cap_versions;
    int64_t best;         /* N of the status, -1 */
    int64_t attempts;     /* told by details, -1 */
    const char *campaign; /* id, when attempts are told; NULL */
    bool used;            /* its row went into an experiment */
};
/* The id of version N of E, made where no file has it; NULL for N < 0. */
const char *lore_lb_version_id(struct lore_import *in, struct lore_lb_entry *e, int64_t n);
/* A new experiment of E with what all have. KEY tells it from the others of E. */
struct lore_experiment *
lore_leaderboard_experiment(struct lore_import *in, const struct lore_lb_entry *e, const char *key);
/* Add what the row says to X. */
void lore_leaderboard_claim_row(
    struct lore_import *in, struct lore_lb_entry *e, struct lore_experiment *x);
/* "3–9×": false when it is no range. */
bool lore_leaderboard_range(const char *text, double *low, double *high);
/* notes.md of E: note, history, failed attempts. */
void lore_leaderboard_notes(struct lore_import *in, struct lore_lb_entry *e);

#endif
