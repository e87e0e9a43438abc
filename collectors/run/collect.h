/* From a trace to records: which launches are the measurement, what version and workload they
 * measure, statistics at the source, and one submission that holds it all. */
#ifndef LORE_RUN_COLLECT_H
#define LORE_RUN_COLLECT_H

#include "collectors/run/launch.h"
#include "collectors/run/trace.h"
#include "service/base/buf.h"

/* What the user says is being measured: options of `warplore run`, or warplore.yaml beside the
 * kernel (same names). NULL and 0: not said. */
struct lore_what {
    const char *op, *family, *kernel, *dtype, *layout, *label, *summary;
    struct lore_kvs dims;
    enum lore_language language;
    struct lore_texts version_files; /* paths; the first names the version */
    const char *parent;              /* version id, or path of a version file of the parent */
    enum lore_version_kind kind;
    struct lore_kvs params, build;
    struct lore_texts techniques; /* "name{param=v}" */
    const char *hypothesis;       /* path: text or YAML, see docs/collect.md */
    const char *kernel_regex;     /* on readable names and symbols; NULL: all */
    int64_t warmup, iterations;   /* iterations left out; 0: found from launch counts */
    const char *ablates;          /* technique that this version leaves out of its parent */
    enum lore_run_role role;
    const char *correctness; /* command: exit 0 pass, else fail; its output is kept */
    const char *campaign, *author, *licence;
    const char *advice; /* id of the answer of `recommend` that it follows */
    size_t samples;     /* cap; 0: LORE_TRACE_SAMPLES */
    bool show_host, no_isa, no_command;
    bool new_experiment; /* another try, also when the same change was measured here before */
};
struct lore_collected { /* everything one `warplore run` knows */
    struct lore_what what;
    struct lore_trace trace;    /* durations */
    struct lore_trace counters; /* second run; no groups when not asked */
    const char *counters_asked; /* NULL: not asked */
    struct lore_launched app, counter_app;
    const struct lore_backend *backend;
    const struct lore_host *host; /* NULL: no device found, `no_device` says why */
    const char *no_device;
    const struct lore_clocks *clocks; /* of the devices of `host` that could be watched */
    size_t n_clocks;
    char *const *argv;
    struct lore_correctness correctness;
    const char *state_dir; /* ledger of versions and runs of this user */
    const char *again;   /* set by lore_collect: the experiment that this run measures once more */
    const char *service; /* address of the service that stores it; runs of another are not known */
};
/* The submission: kernel, version, environment, run(s), and, when there is a parent, hypothesis and
 * experiment; verifications when the host can disassemble. Ids of kernels, versions and
 * environments are derived from content, ids of runs are new. Text lives in ARENA. Errors name the
 * option. *out has no runs when there is nothing to store: the program did well, nothing was seen
 * of it, and no operator says what it was; lore_collect_story says why. */
enum lore_status lore_collect(struct lore_collected *c, struct lore_arena *arena,
    struct lore_submission *out, struct lore_err *err) LORE_MUST;
/* Before the program is started: whether lore_collect will be able to use WHAT. Files readable,
 * expressions compile, names known, the hypothesis says a change. Errors name the option. */
enum lore_status lore_collect_check(
    const struct lore_what *what, struct lore_arena *arena, struct lore_err *err) LORE_MUST;
/* Once DOC is safely spooled: note its runs in the ledger, so that later runs find their parent's.
 * Failing costs later comparisons, not this record. */
enum lore_status lore_collect_remember(const struct lore_collected *c,
    const struct lore_submission *doc, struct lore_arena *arena, struct lore_err *err) LORE_MUST;
/* What the user reads at the end: kernels, medians, flags, losses; lines for a terminal. */
void lore_collect_story(const struct lore_collected *c, const struct lore_submission *doc,
    struct lore_arena *arena, struct lore_buf *out);
/* "correctness: fail: exit status 1; row 17 differs", and that --kernel-regex matches nothing, with
 * kernels that were seen. */
const char *lore_collect_check_text(const struct lore_correctness *c, struct lore_arena *arena);
const char *lore_collect_unmatched(const struct lore_collected *c, struct lore_arena *arena);
/* Read warplore.yaml (TEXT of file NAME) into *what where the options said nothing. Keys are the
 * options' names, with '_' or '-'; relative paths are relative to NAME's folder. */
enum lore_status lore_what_yaml(const char *text, size_t n, const char *name,
    struct lore_arena *arena, struct lore_what *what, struct lore_err *err) LORE_MUST;

#endif
