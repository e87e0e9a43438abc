/* The options of `warplore run` and its observations: the input for making records. */
#ifndef LORE_RUN_COLLECTED_H
#define LORE_RUN_COLLECTED_H

#include "collectors/run/launch.h"
#include "collectors/run/trace.h"

/* Description of the measurement: the options of `warplore run`, or the same names in warplore.yaml
 * beside the kernel. NULL and 0: not given. */
struct lore_run_options {
    const char *op, *family, *kernel, *project, *dtype, *layout, *label, *summary;
    struct lore_kvs dims;
    enum lore_language language;
    struct lore_texts version_files; /* paths; the first names the version */
    const char *parent;              /* version id, or path of a version file of the parent */
    enum lore_version_kind kind;
    struct lore_kvs params, build;
    struct lore_texts techniques; /* "name{param=v}" */
    const char *hypothesis;       /* path: text or YAML, see docs/collect.md */
    const char *kernel_regex;     /* on readable names and symbols; NULL: all */
    int64_t warmup, iterations;   /* iterations to skip; iterations, 0: from launch counts */
    const char *ablates;          /* technique that this version leaves out of its parent */
    enum lore_run_role role;
    const char *correctness; /* command: exit 0 pass, else fail; its output is kept */
    const char *campaign, *author, *licence;
    const char *advice; /* id of the answer of `recommend` that this version follows */
    size_t samples;     /* cap; 0: LORE_TRACE_SAMPLES */
    bool show_host, no_isa, no_command;
    bool isa;            /* keep loaded machine code in the timed execution, too */
    bool new_experiment; /* also when the same change was measured here before */
};
struct lore_observations { /* all facts of one `warplore run` */
    struct lore_run_options what;
    struct lore_trace trace;    /* durations */
    struct lore_trace counters; /* second run; no groups when not asked */
    const char *counters_asked; /* NULL: not asked */
    struct lore_launch_result app, counter_app;
    const struct lore_backend *backend;
    const struct lore_host *host; /* NULL: no device found, `no_device` says why */
    const char *no_device;
    const struct lore_clocks *clocks; /* of the devices of `host` that could be watched */
    size_t n_clocks;
    char *const *argv;
    const char *folder; /* of the first run's captures, with its code objects; NULL: gone */
    struct lore_correctness correctness;
    const char *state_dir; /* ledger of versions and runs of this user */
    const char *again;   /* set by lore_collect: the experiment that this run measures once more */
    const char *service; /* address of the service; the ledger yields only its runs */
};

#endif
