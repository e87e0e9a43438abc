/* One case of the version-directories importer: a directory with v0, v1 … and the reports beside
 * them. Every step reads the case and adds to it. fm_keep.h has the small helpers, fm_read.h the
 * steps in their order, and fm.c calls them. */
#ifndef LORE_IMPORT_VERSION_DIRECTORIES_FM_CASE_H
#define LORE_IMPORT_VERSION_DIRECTORIES_FM_CASE_H

#include "collectors/import/hypothesis_txt.h"
#include "collectors/import/import.h"
#include "collectors/import/markdown.h"
#include "service/wire/wire.h"

#define LORE_FM_SYSTEM "fmh66/kernel-opt-skill"

/* Text that no field took, for `extra` and the report. */
struct lore_fm_left {
    const char *file, *section, *text;
    size_t line;
};
struct lore_fm_rest {
    struct lore_fm_left *v;
    size_t n, cap;
};
struct lore_fm_version {
    const char *dir, *label; /* "gemm/v3", "v3" */
    long long ordinal;
    struct lore_import_file *correctness, *summary, *details, *hypothesis, *kbs, *source;
    int parent;       /* index; -1: none */
    const char *said; /* where the parent is named; NULL: inferred from the layout */
    int reported;     /* parent as the final report has it; -1 */
    int claim;        /* index of the hypothesis it came from; -1: none */
    const char *id;   /* of its record */
    struct lore_texts runs;
    struct lore_run check, profile;
    bool has_check, has_profile;
    size_t stable, unstable; /* metrics, as the profiler judged them */
    struct lore_fm_rest check_rest, profile_rest;
    const char *compute_khz, *memory_khz, *host; /* of ncu_details.md; NULL */
    const char *bottleneck;                      /* as the final report says */
};
struct lore_fm_claim {
    size_t dir;   /* index of the version whose directory holds it */
    int from, to; /* indexes; -1: no such directory */
    long long target;
    bool from_said, to_said;
    struct lore_hypothesis_txt t;
    const char *id;
};
struct lore_fm_case {
    struct lore_import *in;
    const char *name, *op, *kernel, *chip, *date; /* date: NULL unknown */
    int64_t ms;                                   /* of date; 0 */
    enum lore_language language;
    struct lore_fm_version *versions; /* by number */
    size_t n, cap;
    struct lore_fm_claim *claims;
    size_t n_claims, cap_claims;
    struct lore_environment env; /* of env_check.md, without id */
    struct lore_fm_rest env_rest;
    struct lore_md report;                /* final_report.md */
    struct lore_import_file *report_file; /* NULL: none */
    struct lore_fm_rest report_rest;
    struct lore_texts directions; /* what the report says is left to try */
    int best;                     /* index; -1 */
};

#endif
