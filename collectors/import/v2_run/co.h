/* What the files of the v2-run importer share. co_run.c reads a run directory, co_iter.c one
 * iteration; the others map one kind of file each. */
#ifndef LORE_IMPORT_V2_RUN_CO_H
#define LORE_IMPORT_V2_RUN_CO_H

#include "collectors/import/take.h"

#define LORE_CO_SYSTEM "kernelflow-v2"

struct lore_co_iter {
    int64_t n;
    const char *dir;                 /* path in the tree */
    const struct lore_json *history; /* its entry in state.json; NULL */
    const char *input, *input_run;   /* version and run before the change; run NULL: not known */
    const char *champion;            /* version; NULL: no branch was valid */
    const char *champion_run;
    const char *experiment;  /* its id */
    int64_t champion_branch; /* -1: not recorded */
    double champion_ms;      /* 0: not recorded */
    bool failed;             /* validation failed */
};
struct lore_co {
    struct lore_import *in;
    const struct lore_json *state;
    struct lore_take take; /* of state.json */
    const char *key;       /* hash of everything read: part of every id */
    const char *label, *op, *kernel, *chip, *environment, *campaign, *baseline;
    enum lore_language language;
    struct lore_workload workload;
    struct lore_f64 noise_pct;
    const char *best, *best_run; /* version in force, its run; run NULL: not measured */
    struct lore_f64 best_ms;
};

/* The JSON object NAME below DIR, made the file being read; NULL: absent, or listed as refused. */
const struct lore_json *lore_co_file(struct lore_co *co, const char *dir, const char *name);
/* An id of this run directory. */
const char *lore_co_id(const struct lore_co *co, const char *what);
/* A version with the sources in DIR: files called STEM.*, or FILE (may be NULL) where it is given.
 * parent.version may be NULL. */
const char *lore_co_version(struct lore_co *co, const char *what, enum lore_version_kind kind,
    const char *dir, const char *stem, struct lore_parent parent);
/* A run of VERSION with nothing but its place filled in. Pointer dies at the next run. */
struct lore_run *
lore_co_add_run(struct lore_co *co, const char *what, const char *version, enum lore_run_role role);

/* co_env.c: environment and chip from env.json, else state.json. */
void lore_co_environment(struct lore_co *co);
/* co_bench.c: bench.json in DIR as the run of VERSION, and that of the reference; NULL: there is
 * none. *ms gets the kernel's mean. */
const char *lore_co_bench(struct lore_co *co, const char *dir, const char *version,
    enum lore_run_role role, struct lore_f64 *ms);
/* Member "error" of OBJECT, a text or {code, stage, message}. */
void lore_co_failure(struct lore_take *t, const struct lore_json *object, struct lore_failure *out);
/* co_profile.c: ncu_top.json and roofline.json of IT: a run of what was profiled, its diagnosis,
 * and the bottleneck of X. Text left over goes to *extra. */
void lore_co_profile(struct lore_co *co, const struct lore_co_iter *it, struct lore_diagnosis *out,
    const char **extra);
/* co_methods.c: methods.json as the techniques of X and as a hypothesis. */
void lore_co_methods(
    struct lore_co *co, struct lore_co_iter *it, struct lore_experiment *x, const char **extra);
/* co_branches.c: branch_results.json; sets champion, champion_branch, champion_ms. */
void lore_co_branches(struct lore_co *co, struct lore_co_iter *it, const char **extra);
void lore_co_frontier(struct lore_co *co);
/* The folder below WHERE that holds the kernel at PATH (as recorded; may be NULL), or has one of
 * NAMES (ended by NULL); NULL: none. */
const char *lore_co_folder(const struct lore_co *co, const struct lore_co_iter *it,
    const char *where, const char *path, const char *const *names);
/* co_evidence.c: attribution.json and sass_check.json. */
void lore_co_attribution(struct lore_co *co, const struct lore_co_iter *it, const char **extra);
void lore_co_sass(struct lore_co *co, const struct lore_co_iter *it, const char **extra);
/* co_iter.c: everything of one iteration. */
void lore_co_iteration(struct lore_co *co, struct lore_co_iter *it);

#endif
