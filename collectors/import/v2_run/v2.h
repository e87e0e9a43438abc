/* Shared by the files of the v2-run importer. v2_run.c reads a run directory, v2_iter.c one
 * iteration; each other file maps one kind of input file. */
#ifndef LORE_IMPORT_V2_RUN_V2_H
#define LORE_IMPORT_V2_RUN_V2_H

#include "collectors/import/take.h"

#define LORE_V2_SYSTEM "kernelflow-v2"

struct lore_v2_iter {
    int64_t n;
    const char *dir;                 /* path in the tree */
    const struct lore_json *history; /* its entry in state.json; NULL */
    const char *input, *input_run; /* version and run before the change; input_run NULL: unknown */
    const char *champion; /* version of the fastest valid branch; NULL: no branch was valid */
    const char *champion_run;
    const char *experiment;  /* id of its experiment */
    int64_t champion_branch; /* -1: not recorded */
    double champion_ms;      /* 0: not recorded */
    bool failed;             /* validation failed */
};
struct lore_v2 {
    struct lore_import *in;
    const struct lore_json *state;
    struct lore_take take; /* which members of state.json were read */
    const char *key; /* hash of the JSON, Markdown and source files of the run directory; part of
                        every id */
    const char *label, *op, *kernel, *chip, *environment, *campaign, *baseline;
    enum lore_language language;
    struct lore_workload workload;
    struct lore_f64 noise_pct;
    const char *best, *best_run; /* best version so far and its run; best_run NULL: not measured */
    struct lore_f64 best_ms;
};

/* Make file NAME in DIR the current file and return its JSON object. NULL: the file is absent, or
 * was refused because it is not an object. */
const struct lore_json *lore_v2_file(struct lore_v2 *co, const char *dir, const char *name);
/* An id for WHAT, unique to this run directory. */
const char *lore_v2_id(const struct lore_v2 *co, const char *what);
/* Add a version WHAT with the source files in DIR (may be NULL) named STEM.*; STEM NULL: all of
 * them. parent.version may be NULL. Return the id. */
const char *lore_v2_version(struct lore_v2 *co, const char *what, enum lore_version_kind kind,
    const char *dir, const char *stem, struct lore_parent parent);
/* Add a run of VERSION with only id, chip, environment, workload and provenance set. The pointer is
 * valid until the next run is added. */
struct lore_run *
lore_v2_add_run(struct lore_v2 *co, const char *what, const char *version, enum lore_run_role role);

/* v2_env.c: set environment and chip from env.json, else from state.json. */
void lore_v2_environment(struct lore_v2 *co);
/* v2_bench.c: add the run of VERSION, and a run of the reference, from bench.json in DIR. Return
 * the id of the run; NULL: no bench.json. *MS gets the mean time of the kernel. */
const char *lore_v2_bench(struct lore_v2 *co, const char *dir, const char *version,
    enum lore_run_role role, struct lore_f64 *ms);
/* Read member "error" of OBJECT: a text or {code, stage, message}. */
void lore_v2_failure(struct lore_take *t, const struct lore_json *object, struct lore_failure *out);
/* v2_profile.c: read ncu_top.json and roofline.json of IT. Add a run of the profiled version and
 * set OUT, the bottleneck of the experiment. *EXTRA gets the members of the roofline that have no
 * field. */
void lore_v2_profile(struct lore_v2 *co, const struct lore_v2_iter *it, struct lore_diagnosis *out,
    const char **extra);
/* v2_methods.c: read methods.json into the techniques of X and a hypothesis. */
void lore_v2_methods(
    struct lore_v2 *co, struct lore_v2_iter *it, struct lore_experiment *x, const char **extra);
/* v2_branches.c: read branch_results.json; set champion, champion_branch and champion_ms of IT. */
void lore_v2_branches(struct lore_v2 *co, struct lore_v2_iter *it, const char **extra);
void lore_v2_frontier(struct lore_v2 *co);
/* The folder of a kernel below folder WHERE of IT: the one named in the recorded PATH (may be
 * NULL), else the first of NAMES that exists. A NULL ends NAMES. NULL: none. */
const char *lore_v2_folder(const struct lore_v2 *co, const struct lore_v2_iter *it,
    const char *where, const char *path, const char *const *names);
/* v2_evidence.c: read attribution.json and sass_check.json. */
void lore_v2_attribution(struct lore_v2 *co, const struct lore_v2_iter *it, const char **extra);
void lore_v2_sass(struct lore_v2 *co, const struct lore_v2_iter *it, const char **extra);
/* v2_iter.c: add all records of one iteration. */
void lore_v2_iteration(struct lore_v2 *co, struct lore_v2_iter *it);

#endif
