/* Shared by the files of the workspace importer. workspace_find.c finds the files,
 * workspace_readme.c reads the task, workspace_version.c the record of one version, and the others
 * its lists, runs, reports and specs. */
#ifndef LORE_IMPORT_WORKSPACE_WORKSPACE_H
#define LORE_IMPORT_WORKSPACE_WORKSPACE_H

#include "collectors/import/markdown.h"
#include "collectors/import/take.h"
#include "service/base/jsonw.h"

#define LORE_WORKSPACE_SYSTEM "gpu-kernel-optimizer"

struct lore_workspace_version {
    int64_t n;
    const char *label;             /* "v3" */
    struct lore_import_file *file; /* memory/v3.json; NULL: a row of memory.md */
    struct lore_import_file *plan, *report;
    struct lore_md plan_md, report_md;
    const struct lore_md_row *row;        /* row of the legacy log memory.md; NULL */
    const char *id, *experiment, *parent; /* ids */
    struct lore_texts runs;               /* ids of its runs */
    struct lore_texts shapes; /* parallel to runs: the shape of each; "": the shape of the task */
    struct lore_f64 latency_ns;
    bool failed; /* its quality gate or correctness check failed; later versions do not derive from
                    it */
};
struct lore_workspace {
    struct lore_import *in;
    struct lore_md readme;
    struct lore_import_file *readme_file;
    struct lore_kvs config;      /* every field of README.md, by slug */
    struct lore_target *targets; /* stop conditions, and metrics that the task wants to watch */
    size_t n_targets, cap_targets;
    struct lore_texts isa_targets;   /* lines with metrics to watch, as written */
    struct lore_texts unsourced;     /* spec lines whose number has no verified source */
    struct lore_texts unknown_specs; /* "metric: UNKNOWN …" as written */
    const char *name, *op, *kernel, *chip, *goal, *campaign, *baseline;
    /* identifies the list of shapes, because the record has only their names */
    const char *shape_set;
    const char *context; /* hash of the task in README.md; part of ids */
    enum lore_language language;
    struct lore_workload workload;
    struct lore_f64 rel_err_limit;
    struct lore_workspace_version *versions;
    size_t n_versions, cap_versions;
};

/* The text of the field SLUG of README.md; NULL: none. */
const char *lore_workspace_field(const struct lore_workspace *at, const char *slug);
/* The text below the heading SECTION (any case) of MD without tables; NULL: none. */
const char *
lore_workspace_section(struct lore_arena *arena, const struct lore_md *md, const char *section);
struct lore_workspace_version *lore_workspace_version_find(struct lore_workspace *at, int64_t n);

/* workspace_readme.c: read the task. */
void lore_workspace_readme(struct lore_workspace *at);
/* workspace_specs.c: read the spec lines of README.md. */
void lore_workspace_specs(struct lore_workspace *at);
/* workspace_version.c: add the records of one version. */
void lore_workspace_map(struct lore_workspace *at, struct lore_workspace_version *v);
/* workspace_performance.c: add the runs of V from "performance" and "correctness" of its record
 * ROOT. */
void lore_workspace_runs(struct lore_workspace *at, struct lore_workspace_version *v,
    struct lore_take *t, const struct lore_json *root, struct lore_experiment *x);
/* workspace_lists.c: read the lists of a version's record. */
void lore_workspace_lists(struct lore_workspace *at, struct lore_take *t,
    const struct lore_json *root, struct lore_experiment *x);
void lore_workspace_experience(struct lore_workspace *at, const struct lore_workspace_version *v,
    struct lore_take *t, const struct lore_json *root);
void lore_workspace_directions(struct lore_workspace *at, const struct lore_workspace_version *v,
    struct lore_take *t, const struct lore_json *root);
/* workspace_reports.c: add plan and report of V to X and H; add the reports of the workspace as
 * notes; read memory.md. */
void lore_workspace_plan(struct lore_workspace *at, const struct lore_workspace_version *v,
    struct lore_experiment *x, struct lore_hypothesis *h);
void lore_workspace_report(
    struct lore_workspace *at, const struct lore_workspace_version *v, struct lore_experiment *x);
void lore_workspace_notes(struct lore_workspace *at);
void lore_workspace_read_memory_md(struct lore_workspace *at);
void lore_workspace_map_row(struct lore_workspace *at, struct lore_workspace_version *v);
/* The rows of the thread trace (ATT) files of V as JSON; NULL: none. */
const char *lore_workspace_att(struct lore_workspace *at, const struct lore_workspace_version *v);

#endif
