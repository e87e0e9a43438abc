/* `warplore run [options] -- app args`: starts the program with a capture library in its
 * environment and records its kernels. Standard output, exit status and signals are those of the
 * program; our messages go to standard error. Our failures do not change the exit status, except
 * with --strict after a successful program. Steps: options -> devices -> program, with clocks ->
 * counters -> check -> record. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/commands/run_cmd.h"
#include "collectors/run/app_replay.h"
#include "collectors/run/group_measure.h"
#include "collectors/run/rocprofv3.h"
#include "collectors/run/trace_read.h"
#include "collectors/upload/upload.h"
#include "service/base/text.h"

enum { WATCH_MS = 50, WATCHED_MAX = 16, NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

const struct lore_opt lore_run_opts[] = {
    LORE_OPTS_MEASURED,
    LORE_OPT_SOURCE,
    LORE_OPT_LABEL,
    {"summary", 0, "TEXT", false, "Summary of the version, in one sentence"},
    {"parent", 0, "VERSION", false,
        "The parent version: champion, v4, KERNEL:v4, its id or its file"},
    {"new-experiment", 0, NULL, false,
        "Record a new experiment even if this change was measured before"},
    {"version-kind", 0, "WORD", false, "baseline, candidate, branch, ablation, revert, library"},
    {"param", 0, "NAME=VALUE", true, "A parameter of the version: tile=128"},
    {"build", 0, "NAME=VALUE", true, "A build setting: flags=-O3"},
    LORE_OPT_TECHNIQUES,
    LORE_OPT_HYPOTHESIS_FILE,
    {"ablates", 0, "TECHNIQUE", false, "The technique this version leaves out"},
    {"role", 0, "WORD", false, "candidate, baseline, reference, ablation, branch"},
    LORE_OPT_KERNEL_REGEX,
    LORE_OPT_WARMUP,
    LORE_OPT_ITERATIONS,
    {"max-samples", 0, "N", false,
        "Maximum durations stored per kernel; of more, a random sample (4096)"},
    {"check", 0, "COMMAND", false,
        "Command that checks the result after the program; exit 0 is a pass"},
    {"check-limit", 0, "SECONDS", false, "Time limit of the correctness command (default 600)"},
    {"metrics", 0, "NAMES", false,
        "Hardware counters to collect in a second run: none, basic, full, or names"},
    {"metrics-launches", 0, "N", false,
        "Launches counted per kernel and launch shape (default 3); the median is kept"},
    {"metrics-skip", 0, "N", false, "First launches per kernel and launch shape to skip"},
    {"replay", 0, "WORD", false, "What each counter pass repeats: kernel (default) or app"},
    {"cache-control", 0, "WORD", false,
        "Before each counter pass: all (default) cleans the L2 cache, none leaves it as it is"},
    {"list-metrics", 0, NULL, false, "List the names that --metrics takes, and exit"},
    {"isa", 0, NULL, false,
        "Keep the machine code of loaded modules in the timed run; with --metrics it is kept in "
        "the "
        "counting one"},
    LORE_OPT_CAPTURE,
    LORE_OPT_ADVICE,
    LORE_OPTS_KEPT,
    {"config", 0, "FILE", false, "Options from FILE (default: warplore.yaml)"},
    {"quiet", 'q', NULL, false, "Print only errors of the recording"},
    LORE_OPT_VERBOSE,
    LORE_OPT_STRICT,
    {NULL, 0, NULL, false, NULL},
};

/* --- before the program --- */

static enum lore_status
unknown_backend(struct lore_run_job *j, const char *name, struct lore_err *err)
{
    const char *all = "";

    for (const struct lore_backend *b = lore_backends; b->name; b++)
        all = lore_format(j->cli->arena, "%s%s%s", all, *all ? ", " : "", b->name);
    enum lore_status status =
        lore_fail_at(err, LORE_INVALID, "usage", "capture", "--capture: %s: unknown", name);
    lore_err_hint(err, "one of %s", all);
    return status;
}

/* Run PROFILER without a capture library: a process can have only one profiler. */
static void
run_unwatched(struct lore_run_job *j, const char *profiler)
{
    struct lore_err err = {0};

    (void)lore_fail(
        &err, LORE_INVALID, "%s is a profiler, and a process can have only one", profiler);
    lore_err_hint(&err, "run the program under warplore run or under %s, not under both", profiler);
    lore_run_error_line(j, &err, "the program runs unwatched");
    j->c.no_device = lore_strdup(j->cli->arena, err.msg);
    j->c.host = NULL;
}

/* Finds the backend and the devices. Without a device the program runs unwatched, and a message
 * says why. */
static enum lore_status
find_devices(struct lore_run_job *j, struct lore_err *err)
{
    const char *name = lore_args_get(j->args, "capture"), *why = NULL, *path;
    struct lore_observations *c = &j->c;

    if (name && !lore_backend_find(name))
        return unknown_backend(j, name, err);
    c->backend = lore_backend_probe(name, j->cli->arena, &j->host, &why);
    if (!c->backend) {
        c->no_device = why;
        return LORE_OK;
    }
    c->host = &j->host;
    struct lore_err missing = {0};
    if (lore_backend_ready(c->backend, j->cli->arena, &path, &missing) != LORE_OK) {
        lore_run_error_line(j, &missing, "the program runs unwatched");
        c->no_device = lore_strdup(j->cli->arena, missing.msg);
        c->backend = NULL;
        c->host = NULL;
    }
    if (c->host && lore_launch_profiler(c->argv[0]))
        run_unwatched(j, lore_launch_profiler(c->argv[0]));
    return LORE_OK;
}

static enum lore_status
read_options(struct lore_run_job *j, struct lore_err *err)
{
    const char *replay = lore_args_get(j->args, "replay");
    enum lore_status status = LORE_OK;

    j->quiet = lore_args_has(j->args, "quiet");
    j->verbose = lore_args_has(j->args, "verbose");
    j->strict = lore_args_has(j->args, "strict");
    j->no_upload = lore_args_has(j->args, "no-upload");
    j->out = lore_args_get(j->args, "out");
    j->terminal = isatty(STDERR_FILENO) == 1;
    j->app_replay = lore_streq(replay, "app");
    if (replay && !j->app_replay && !lore_streq(replay, "kernel"))
        return lore_fail_at(
            err, LORE_INVALID, "usage", "replay", "--replay: %s: expected kernel or app", replay);
    j->cache = lore_args_get(j->args, "cache-control");
    if (j->cache && !lore_choice("all|none", j->cache))
        return lore_fail_at(err, LORE_INVALID, "usage", "cache-control",
            "--cache-control: %s: expected all or none", j->cache);
    status = lore_run_what(j, err);
    if (status == LORE_OK)
        status = lore_collect_check(&j->c.what, j->cli->arena, err);
    return status;
}

/* --- the program --- */

/* One thread for each visible device: which device the program uses is known only afterwards. */
static struct lore_watch **
watch_all(const struct lore_run_job *j, size_t n)
{
    struct lore_watch **all = lore_alloc_array(j->cli->arena, n + 1, sizeof(struct lore_watch *));

    for (size_t i = 0; i < n; i++)
        all[i] = lore_watch_start(&j->c.host->devices[i], WATCH_MS);
    return all;
}

static void
stop_watching(struct lore_run_job *j, struct lore_watch **all, size_t n)
{
    struct lore_clocks *clocks = lore_alloc_array(j->cli->arena, n + 1, sizeof *clocks);

    for (size_t i = 0; i < n; i++) {
        clocks[i].device = &j->c.host->devices[i];
        clocks[i].v = lore_watch_stop(all[i], j->cli->arena, &clocks[i].n);
    }
    j->c.clocks = clocks;
    j->c.n_clocks = n;
}

/* NVTX passes the ranges to one tool; the user's keeps its place. */
static void
tell_other_ranges(struct lore_run_job *j)
{
    const char *variable = j->c.backend ? j->c.backend->ranges : NULL;
    const char *other = variable ? getenv(variable) : NULL;

    if (other && *other && !strstr(other, j->c.backend->library))
        lore_run_message(
            j, "%s is set to %s: that tool gets the ranges, and none is recorded", variable, other);
}

static enum lore_status
run_program(struct lore_run_job *j, struct lore_err *err)
{
    size_t visible = j->c.host ? j->c.host->n_devices : 0;
    size_t n = visible < WATCHED_MAX ? visible : WATCHED_MAX;
    struct lore_launch l = {.argv = j->c.argv,
        .capture.dir = j->dir.path,
        .capture.backend = j->c.backend,
        .capture.code = j->c.what.isa ? j->dir.path : NULL,
        .tick = j->c.backend && j->terminal && !j->quiet ? lore_run_progress : NULL,
        .ctx = j};
    struct lore_watch **watches = watch_all(j, n);

    enum lore_status status = lore_launch_run(&l, &j->c.app, err);
    stop_watching(j, watches, n);
    lore_run_progress_end(j);
    tell_other_ranges(j);
    if (j->c.app.other_library)
        lore_run_message(j,
            "%s is set to %s: that profiler's library is used, and nothing is captured",
            j->c.backend->variable, j->c.app.other_library);
    return status;
}

static void
count(struct lore_run_job *j)
{
    struct lore_launch l = {.argv = j->c.argv,
        .capture.backend = j->c.backend,
        .capture.counters = j->metrics,
        .capture.kernels = lore_measure_symbols(&j->c.trace, j->c.what.kernel_regex, j->cli->arena),
        .capture.cache = j->cache,
        .capture.code = j->c.what.no_isa ? NULL : j->dir.path,
        .capture.counter_launches = j->counter_launches,
        .capture.counter_skip = j->counter_skip,
        .quiet = true};
    struct lore_err err = {0};
    bool by_app = j->app_replay || (j->c.backend->traits & LORE_BACKEND_BY_APP);

    if (j->c.app.exit_status != 0) {
        lore_run_message(
            j, "no metrics were counted: the program ended with %d", j->c.app.exit_status);
        return;
    }
    j->c.counters_asked = j->metrics;
    if (lore_rundir_sub(&j->dir, "counters", j->cli->arena, &l.capture.dir, &err) != LORE_OK ||
        lore_app_replay(&l, by_app, j->cli->arena, &j->c.counters, &j->c.counter_app, &err) !=
            LORE_OK)
        lore_run_error_line(j, &err, "counters");
    else if (j->c.counter_app.exit_status != j->c.app.exit_status)
        lore_run_message(
            j, "in the counter run, the program ended with %d", j->c.counter_app.exit_status);
    /* without rocprofv3 the refusal itself is what the record says */
    if (lore_rocprofv3_is_needed(&j->c.counters) &&
        lore_rocprofv3_count(&l, &j->c.trace, j->cli->arena, &j->c.counters, &err) == LORE_IO)
        lore_run_error_line(j, &err, "counters");
}

static int
not_started(struct lore_run_job *j, enum lore_status status, const struct lore_err *err)
{
    (void)lore_cli_error(j->cli, LORE_EXIT_USAGE, err);
    return status == LORE_NOTFOUND ? NOT_FOUND : NOT_EXECUTABLE;
}

/* The steps after the program has ended: none of them changes its exit status. */
static void
after(struct lore_run_job *j)
{
    size_t samples = j->c.what.samples > 0 ? j->c.what.samples : LORE_TRACE_SAMPLES;
    struct lore_err err = {0};

    if (j->c.backend &&
        lore_trace_read(j->dir.path, samples, j->cli->arena, &j->c.trace, &err) != LORE_OK)
        lore_run_error_line(j, &err, "captures");
    if (j->c.backend && j->c.trace.n_groups == 0 && lore_rundir_full(&j->dir))
        j->c.no_device = lore_format(j->cli->arena,
            "the disk of %s is full, so captures were lost: set TMPDIR to another disk",
            j->dir.path);
    if (j->metrics && j->c.backend && j->c.host && !j->c.app.other_library)
        count(j);
    if (j->c.what.correctness && j->c.app.signal == 0)
        lore_run_check(j);
    lore_run_keep(j);
}

static int
exit_status(struct lore_run_job *j)
{
    j->cli->end_signal = j->c.app.signal;
    if (j->c.app.exit_status == 0 && j->trouble && j->strict)
        return LORE_EXIT_SERVICE;
    return j->c.app.exit_status;
}

int
lore_cmd_run(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_run_job *j = lore_alloc(cli->arena, sizeof *j);
    struct lore_err err = {0};

    j->cli = cli;
    j->args = args;
    if (lore_args_has(args, "list-metrics")) {
        return lore_run_metrics_list(cli);
    }
    if (args->words.n == 0)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "run: name the program: warplore run -- ./app");
    const char **argv = lore_alloc_array(cli->arena, args->words.n + 1, sizeof *argv);
    memcpy(argv, args->words.v, args->words.n * sizeof *argv);
    j->c.argv = (char *const *)argv;
    j->c.state_dir = lore_outbox_dir(cli->arena);
    j->c.service = cli->config.url;
    enum lore_status status = read_options(j, &err);
    if (status == LORE_OK)
        status = find_devices(j, &err);
    if (status == LORE_OK)
        status = lore_run_metrics(j, &err);
    if (status != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    lore_run_names(j);
    lore_run_idea(j);
    if (j->c.backend && lore_rundir_make(cli->arena, &j->dir, &err) != LORE_OK) {
        lore_run_error_line(j, &err, "the program runs unwatched");
        j->c.no_device = "no folder for captures";
        j->c.backend = NULL;
    }
    j->c.folder = j->dir.path;
    status = run_program(j, &err);
    int code = LORE_EXIT_OK;
    if (status != LORE_OK) {
        code = not_started(j, status, &err);
    } else {
        after(j);
        code = exit_status(j);
    }
    lore_rundir_remove(&j->dir);
    return code;
}
