/* The state of one case: a directory with v0, v1 … and its reports. Every step of the importer
 * reads the case and adds to it. case_keep.h has the small helpers, case_read.h the steps, and
 * version_directories.c calls them in order. */
#ifndef LORE_IMPORT_VERSION_DIRECTORIES_CASE_H
#define LORE_IMPORT_VERSION_DIRECTORIES_CASE_H

#include "collectors/import/hypothesis_txt.h"
#include "collectors/import/import.h"
#include "collectors/import/markdown.h"
#include "service/wire/wire.h"

#define LORE_CASE_SYSTEM "fmh66/kernel-opt-skill"

/* Text without a field, for `extra` and the report. */
struct lore_case_unmapped {
    const char *file, *section, *text;
    size_t line;
};
struct lore_case_unmapped_list {
    struct lore_case_unmapped *v;
    size_t n, cap;
};
struct lore_case_version {
    const char *dir, *label; /* "gemm/v3", "v3" */
    long long ordinal;
    struct lore_import_file *correctness, *summary, *details, *hypothesis, *kbs, *source;
    int parent;                /* index; -1: none */
    const char *parent_source; /* file that names the parent; NULL: inferred from the layout */
    int reported;              /* parent according to the final report; -1: none */
    int claim;                 /* index of the hypothesis it came from; -1: none */
    const char *id;            /* id of its record */
    struct lore_texts runs;
    struct lore_run check, profile;
    bool has_check, has_profile;
    size_t stable, unstable; /* numbers of metrics that the profiler calls stable and unstable */
    struct lore_case_unmapped_list check_rest, profile_rest;
    const char *compute_khz, *memory_khz, *host; /* from ncu_details.md; NULL */
    const char *bottleneck;                      /* from the final report */
};
struct lore_case_hypothesis {
    size_t dir;   /* index of the version whose directory holds it */
    int from, to; /* indexes; -1: no such directory */
    long long target;
    bool from_stated, to_stated;
    struct lore_hypothesis_txt t;
    const char *id;
};
struct lore_case {
    struct lore_import *in;
    const char *name, *op, *kernel, *chip, *date; /* chip and date NULL: unknown */
    int64_t ms;                                   /* the date in ms since 1970; 0: unknown */
    enum lore_language language;
    struct lore_case_version *versions; /* by number */
    size_t n, cap;
    struct lore_case_hypothesis *claims;
    size_t n_claims, cap_claims;
    struct lore_environment env; /* of env_check.md, without id */
    struct lore_case_unmapped_list env_rest;
    struct lore_md report;                /* final_report.md */
    struct lore_import_file *report_file; /* NULL: none */
    struct lore_case_unmapped_list report_rest;
    struct lore_texts directions; /* remaining opportunities listed in the report */
    int best;                     /* index of the best version; -1: unknown */
};

#endif
