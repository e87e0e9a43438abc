// uses: run
/* Starting a program and waiting for it: its status whatever it is, why it could not be started,
 * signals sent to us alone, the environment it sees; the folder of a run; the table of backends. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <utime.h>

#include <cmocka.h>

#include "collectors/capture/capture_env.h"
#include "collectors/run/app_replay.h"
#include "collectors/run/launch.h"
#include "collectors/run/rundir.h"
#include "collectors/run/trace_read.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "tests/unit/capture_bytes.h"
#include "tests/unit/scratch.h"

static struct lore_launch_result
run_shell(const char *script)
{
    char *argv[] = {"sh", "-c", (char *)script, NULL};
    struct lore_launch l = {.argv = argv};
    struct lore_launch_result out;
    struct lore_err err = {0};

    assert_int_equal(lore_launch_run(&l, &out, &err), LORE_OK);
    assert_true(out.started);
    return out;
}

/* What the shell SCRIPT writes with L's backend and settings. */
static char *
output_of(struct lore_launch *l, const char *script, struct lore_arena *arena)
{
    struct lore_buf text = {0};
    struct lore_launch_result out;
    struct lore_err err = {0};
    char dir[64];

    assert_int_equal(scratch_make(dir), 0);
    const char *path = lore_format(arena, "%s/out", dir);
    char *argv[] = {"sh", "-c", lore_format(arena, "(%s) > %s", script, path), NULL};
    l->argv = argv;
    assert_int_equal(lore_launch_run(l, &out, &err), LORE_OK);
    assert_int_equal(out.exit_status, 0);
    assert_int_equal(lore_file_read(path, &text, &err), LORE_OK);
    char *copy = lore_strndup(arena, text.data, text.len);
    lore_buf_free(&text);
    scratch_drop(dir);
    return copy;
}

/* In a child: a parent that wants no status of its children, a pipe nobody reads. 0 when all is as
 * it should be. */
static int
with_odd_dispositions(void)
{
    /* not a shell, which may set SIGCHLD itself */
    char *argv[] = {
        "awk", "/^SigIgn:/ { exit $2 ~ /[13579bdf]....$/ ? 7 : 8 }", "/proc/self/status", NULL};
    struct lore_launch l = {.argv = argv};
    struct lore_launch_result out;
    struct lore_err err = {0};
    int ends[2];

    alarm(20); /* waiting must end */
    signal(SIGCHLD, SIG_IGN);
    signal(SIGPIPE, SIG_DFL);
    if (pipe(ends) != 0 || lore_launch_run(&l, &out, &err) != LORE_OK)
        return 1;
    if (out.exit_status != 7) /* SIGCHLD is ignored in the program, as it was without us */
        return 2;
    close(ends[0]);
    return write(ends[1], "x", 1) == -1 && errno == EPIPE ? 0 : 3;
}

static void
neither_an_ignored_sigchld_nor_a_closed_pipe_costs_the_programs_status(void **state)
{
    int status;
    pid_t pid = fork();

    (void)state;
    if (pid == 0)
        _exit(with_odd_dispositions());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void
the_status_of_the_program_comes_back_whatever_it_is(void **state)
{
    (void)state;
    assert_int_equal(run_shell("exit 0").exit_status, 0);
    assert_int_equal(run_shell("exit 127").exit_status, 127);
    assert_int_equal(run_shell("exit 255").exit_status, 255);
    struct lore_launch_result killed = run_shell("kill -KILL $$");
    assert_int_equal(killed.signal, SIGKILL);
    assert_int_equal(killed.exit_status, 128 + SIGKILL);
    struct lore_launch_result slow = run_shell("sleep 0.05");
    assert_true(slow.wall_us >= 50000 && slow.started_at_us > 0);
}

static void
a_program_that_cannot_be_started_says_why(void **state)
{
    char dir[64], path[96];
    char *argv[] = {"no-such-program-anywhere", NULL};
    struct lore_launch l = {.argv = argv};
    struct lore_launch_result out;
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(lore_launch_run(&l, &out, &err), LORE_NOTFOUND);
    assert_string_equal(err.code, "app_not_found");
    assert_non_null(strstr(err.msg, "no-such-program-anywhere: not found"));
    assert_false(out.started);
    assert_int_equal(scratch_make(dir), 0);
    snprintf(path, sizeof path, "%s/plain", dir);
    close(open(path, O_WRONLY | O_CREAT, 0600));
    argv[0] = path;
    assert_int_equal(lore_launch_run(&l, &out, &err), LORE_INVALID);
    assert_string_equal(err.code, "app_not_executable");
    argv[0] = dir;
    assert_int_equal(lore_launch_run(&l, &out, &err), LORE_INVALID);
    scratch_drop(dir);
}

static void
count_tick(void *ctx, int64_t elapsed_us)
{
    assert_true(elapsed_us > 0);
    ++*(int *)ctx;
}

static void
the_caller_hears_about_five_times_a_second(void **state)
{
    char *argv[] = {"sh", "-c", "sleep 0.7", NULL};
    int ticks = 0;
    struct lore_launch l = {.argv = argv, .tick = count_tick, .ctx = &ticks};
    struct lore_launch_result out;
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(lore_launch_run(&l, &out, &err), LORE_OK);
    assert_true(ticks >= 1 && ticks <= 4);
}

static void
a_quiet_program_reads_nothing_and_is_not_heard(void **state)
{
    char *argv[] = {"sh", "-c", "read x && exit 3; echo loud; exit 4", NULL};
    struct lore_launch l = {.argv = argv, .quiet = true};
    struct lore_launch_result out;
    struct lore_err err = {0};
    int ends[2], kept = dup(STDOUT_FILENO);
    char c;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    fflush(stdout);
    dup2(ends[1], STDOUT_FILENO);
    enum lore_status status = lore_launch_run(&l, &out, &err);
    dup2(kept, STDOUT_FILENO);
    close(ends[1]);
    close(kept);
    assert_int_equal(status, LORE_OK);
    assert_int_equal(out.exit_status, 4);
    assert_int_equal(read(ends[0], &c, 1), 0);
    close(ends[0]);
}

/* Runs SCRIPT in a process of its own, which is sent SIG once the script has made FILE. */
static int
status_after(int sig, const char *file, const char *script)
{
    int status;
    pid_t pid = fork();

    if (pid == 0)
        _exit(run_shell(script).exit_status);
    while (access(file, F_OK) != 0)
        usleep(1000);
    assert_int_equal(kill(pid, sig), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status)); /* the signal was for the program, not for us */
    return WEXITSTATUS(status);
}

static void
signals_sent_to_us_alone_reach_the_program(void **state)
{
    static const int signals[] = {SIGTERM, SIGHUP, SIGQUIT, SIGINT};
    struct lore_arena arena = {0};
    char dir[64];

    (void)state;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        assert_int_equal(scratch_make(dir), 0);
        const char *file = lore_format(&arena, "%s/ready", dir);
        const char *script = lore_format(&arena,
            "trap 'exit 40' TERM; trap 'exit 41' HUP; trap 'exit 42' QUIT; trap 'exit 43' INT; "
            ": > %s; while :; do sleep 0.01; done",
            file);
        assert_int_equal(status_after(signals[i], file, script), 40 + (int)i);
        scratch_drop(dir);
    }
    lore_arena_free(&arena);
}

static void
ignored_signals_stay_ignored_in_the_program(void **state)
{
    (void)state;
    signal(SIGHUP, SIG_IGN);
    /* a signal that is ignored on entry cannot be trapped by a shell: it survives its own HUP */
    assert_int_equal(run_shell("kill -HUP $$; exit 5").exit_status, 5);
    signal(SIGHUP, SIG_DFL);
    assert_int_equal(run_shell("kill -HUP $$; exit 5").signal, SIGHUP);
}

static void
nothing_is_watched_without_a_backend(void **state)
{
    struct lore_arena arena = {0};
    struct lore_launch l = {0};

    (void)state;
    setenv(LORE_ENV_CAPTURE, "/outer", 1);
    setenv("KEPT", "as it is", 1);
    assert_string_equal(
        output_of(&l, "echo \"${WARPLORE_CAPTURE-none} $KEPT\"", &arena), "none as it is\n");
    unsetenv(LORE_ENV_CAPTURE);
    lore_arena_free(&arena);
}

/* A library that every program may load: an empty list entry would do the same. */
static const struct lore_backend *
make_backend(struct lore_arena *arena, const char *variable, const char **file)
{
    struct lore_backend *b = lore_alloc(arena, sizeof *b);
    char own[4096];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);

    assert_true(n > 0);
    own[n] = '\0';
    /* the test's own file stands for the library: it exists beside the program */
    b->name = "test";
    b->library = lore_strdup(arena, strrchr(own, '/') + 1);
    b->variable = variable;
    b->traits = strcmp(variable, "LD_PRELOAD") == 0 ? LORE_BACKEND_LIST : 0;
    *file = lore_strdup(arena, own);
    return b;
}

static void
an_injection_library_of_the_user_is_left_alone_and_named(void **state)
{
    struct lore_arena arena = {0};
    struct lore_launch l = {.capture.dir = "/captures",
        .capture.counters = "a,b",
        .capture.cache = "none",
        .capture.counter_launches = 3};
    struct lore_launch_result out;
    struct lore_err err = {0};
    const char *file = NULL;

    (void)state;
    l.capture.backend = make_backend(&arena, "CUDA_INJECTION64_PATH", &file);
    const char *show = "echo \"$CUDA_INJECTION64_PATH ${WARPLORE_CAPTURE-none} "
                       "${WARPLORE_COUNTERS-none} ${WARPLORE_COUNTERS_LAUNCHES-none} "
                       "${WARPLORE_COUNTERS_CACHE-unset}\"";
    assert_string_equal(
        output_of(&l, show, &arena), lore_format(&arena, "%s /captures a,b 3 none\n", file));
    setenv("CUDA_INJECTION64_PATH", "/opt/nsys/libToolsInjection64.so", 1);
    assert_string_equal(
        output_of(&l, show, &arena), "/opt/nsys/libToolsInjection64.so none none none unset\n");
    char *argv[] = {"true", NULL};
    l.argv = argv;
    assert_int_equal(lore_launch_run(&l, &out, &err), LORE_OK);
    assert_string_equal(out.other_library, "/opt/nsys/libToolsInjection64.so");
    unsetenv("CUDA_INJECTION64_PATH");
    lore_arena_free(&arena);
}

static void
a_profiler_is_started_as_it_would_be_without_us(void **state)
{
    struct lore_arena arena = {0};
    struct lore_launch l = {.capture.dir = "/captures", .capture.counters = "a,b"};
    struct lore_launch_result out;
    struct lore_err err = {0};
    const char *file = NULL;
    char dir[64];

    (void)state;
    assert_int_equal(scratch_make(dir), 0);
    char *ncu = lore_format(&arena, "%s/ncu", dir);
    const char *script = "#!/bin/sh\n[ \"${CUDA_INJECTION64_PATH-none}\" = \"$1\" ] && "
                         "[ \"${WARPLORE_CAPTURE-none}${WARPLORE_COUNTERS-none}\" = nonenone ]\n";
    assert_int_equal(lore_file_write(ncu, script, strlen(script), 0700, &err), LORE_OK);
    char *argv[] = {ncu, "none", NULL};
    l.argv = argv;
    l.capture.backend = make_backend(&arena, "CUDA_INJECTION64_PATH", &file);
    assert_int_equal(lore_launch_run(&l, &out, &err), LORE_OK);
    assert_int_equal(out.exit_status, 0);
    setenv("CUDA_INJECTION64_PATH", file, 1); /* an outer run's */
    assert_int_equal(lore_launch_run(&l, &out, &err), LORE_OK);
    assert_int_equal(out.exit_status, 0);
    setenv("CUDA_INJECTION64_PATH", "/opt/own.so", 1);
    argv[1] = "/opt/own.so";
    assert_int_equal(lore_launch_run(&l, &out, &err), LORE_OK);
    assert_int_equal(out.exit_status, 0);
    unsetenv("CUDA_INJECTION64_PATH");
    assert_string_equal(lore_launch_profiler("/usr/local/cuda/bin/nsys"), "nsys");
    assert_null(lore_launch_profiler("./ncu_like"));
    scratch_drop(dir);
    lore_arena_free(&arena);
}

/* Mean values of a kernel of 10 us would be off by a factor of five, so there are none. */
static void
a_program_that_is_run_per_pass_is_not_asked_for_what_elapsed_time_spoils(void **state)
{
    struct lore_arena arena = {0};
    struct lore_trace out = {0};
    struct lore_launch_result launched;
    struct lore_err err = {0};
    const char *file = NULL;
    char dir[64];

    (void)state;
    assert_int_equal(scratch_make(dir), 0);
    const char *test = "[ \"$WARPLORE_COUNTERS\" = sm__cycles_active.sum,dram__bytes.sum ]";
    char *argv[] = {"sh", "-c", (char *)test, NULL};
    struct lore_launch l = {.argv = argv,
        .capture.dir = dir,
        .capture.counters =
            "gpu__time_duration.sum,sm__cycles_active.sum,dram__bytes.sum.per_second,"
            "dram__bytes.sum,sm__throughput.avg.pct_of_peak_sustained_elapsed"};
    l.capture.backend = make_backend(&arena, "CUDA_INJECTION64_PATH", &file);
    assert_int_equal(lore_app_replay(&l, true, &arena, &out, &launched, &err), LORE_OK);
    assert_true(launched.started);
    assert_int_equal(launched.exit_status, 0);
    assert_int_equal(out.n_states, 1);
    assert_int_equal(out.states[0].code, LORE_CAP_COUNTER_PARTIAL);
    assert_true(lore_starts(out.states[0].text, "3 metrics relative to elapsed time are left out"));
    assert_int_equal(lore_app_replay(&l, false, &arena, &out, &launched, &err), LORE_OK);
    assert_int_equal(launched.exit_status, 1); /* replayed kernels have a time of their own */
    assert_int_equal(out.n_states, 0);
    l.capture.counters = "sm__cycles_elapsed.max";
    assert_int_equal(lore_app_replay(&l, true, &arena, &out, &launched, &err), LORE_OK);
    assert_false(launched.started); /* nothing to run it for */
    scratch_drop(dir);
    lore_arena_free(&arena);
}

/* The dynamic linker cannot load what stands for the library here, says so, and goes on. */
static void
a_preload_list_of_the_user_stays_behind_ours(void **state)
{
    struct lore_arena arena = {0};
    struct lore_launch l = {.capture.dir = "/captures"};
    const char *file = NULL, *show = "echo \"$LD_PRELOAD\"";
    char *kept = getenv("LD_PRELOAD") ? strdup(getenv("LD_PRELOAD")) : NULL;

    (void)state;
    unsetenv("LD_PRELOAD");
    l.capture.backend = make_backend(&arena, "LD_PRELOAD", &file);
    assert_string_equal(output_of(&l, show, &arena), lore_format(&arena, "%s\n", file));
    setenv("LD_PRELOAD", "libm.so.6", 1);
    assert_string_equal(output_of(&l, show, &arena), lore_format(&arena, "%s:libm.so.6\n", file));
    setenv("LD_PRELOAD", lore_format(&arena, "%s:libm.so.6", file), 1); /* an outer run's */
    assert_string_equal(output_of(&l, show, &arena), lore_format(&arena, "%s:libm.so.6\n", file));
    if (kept)
        setenv("LD_PRELOAD", kept, 1);
    else
        unsetenv("LD_PRELOAD");
    free(kept);
    lore_arena_free(&arena);
}

static void
backends_have_names_help_and_a_library(void **state)
{
    struct lore_arena arena = {0};
    struct lore_backend missing = {.name = "x", .library = "libnowhere.so"};
    struct lore_err err = {0};
    const char *path;

    (void)state;
    for (const struct lore_backend *b = lore_backends; b->name; b++) {
        assert_ptr_equal(lore_backend_find(b->name), b);
        assert_true(b->help && b->library && b->variable && b->probe && b->vendor);
    }
    assert_null(lore_backend_find("abacus"));
    assert_int_equal(lore_backend_library(&missing, &arena, &path, &err), LORE_NOTFOUND);
    assert_non_null(strstr(err.msg, "libnowhere.so"));
    lore_arena_free(&arena);
}

/* --- the folder --- */

static void
a_run_s_folder_goes_with_it_and_a_dead_run_s_with_the_next(void **state)
{
    struct lore_arena arena = {0};
    struct lore_rundir a = {0}, b = {0};
    struct lore_err err = {0};
    struct utimbuf old = {1, 1};
    const char *sub = NULL;
    char tmp[64];
    uint64_t bytes;
    unsigned files;

    (void)state;
    assert_int_equal(scratch_make(tmp), 0);
    setenv("TMPDIR", tmp, 1);
    assert_int_equal(lore_rundir_make(&arena, &a, &err), LORE_OK);
    assert_int_equal(lore_rundir_sub(&a, "counters", &arena, &sub, &err), LORE_OK);
    assert_int_equal(
        lore_file_write(lore_format(&arena, "%s/1-2.capture", sub), "12345", 5, 0600, &err),
        LORE_OK);
    lore_rundir_size(sub, &bytes, &files);
    assert_true(bytes == 5 && files == 1);
    const char *dead = lore_format(&arena, "%s/warplore-run-dead", tmp);
    assert_int_equal(mkdir(dead, 0700), 0);
    close(open(lore_format(&arena, "%s/lock", dead), O_WRONLY | O_CREAT, 0600));
    const char *foreign = lore_format(&arena, "%s/something-else", tmp);
    assert_int_equal(mkdir(foreign, 0700), 0);
    utime(dead, &old);
    utime(a.path, &old); /* old too, but alive */
    utime(foreign, &old);
    const char *path = a.path;
    assert_int_equal(lore_rundir_make(&arena, &b, &err), LORE_OK);
    assert_int_not_equal(access(dead, F_OK), 0);
    assert_int_equal(access(foreign, F_OK), 0);
    assert_int_equal(access(path, F_OK), 0);
    lore_rundir_remove(&a);
    lore_rundir_remove(&a);
    lore_rundir_remove(&b);
    assert_int_not_equal(access(path, F_OK), 0);
    setenv("TMPDIR", "/proc/no-such", 1);
    assert_int_equal(lore_rundir_make(&arena, &b, &err), LORE_IO);
    assert_non_null(strstr(err.msg, "/proc/no-such"));
    unsetenv("TMPDIR");
    scratch_drop(tmp);
    lore_arena_free(&arena);
}

static void
passes_of_one_program_are_put_together(void **state)
{
    struct lore_arena arena = {0};
    struct lore_trace t = {0};

    (void)state;
    for (uint32_t pass = 0; pass < 3; pass++) {
        struct lore_buf b = {0};
        start_frame(&b, 100 + pass);
        name_frame(&b, 1, "kernel", 6);
        name_frame(&b, 2, "cycles", 6);
        name_frame(&b, 3, pass == 1 ? "bytes" : "stalls", pass == 1 ? 5 : 6);
        shape_frame(&b, 1, 1);
        shape_frame(&b, 2, 1);
        metric_frame(&b, 1, 2, 0, 0, 10.0 + pass);
        metric_frame(&b, 1, 3, 0, pass == 0 ? LORE_MISS_NOT_COLLECTED : 0, 7);
        lore_trace_add(&t, "x", b.data, b.len, 0, &arena);
        lore_buf_free(&b);
    }
    assert_int_equal(t.n_groups, 6);
    lore_trace_join(&t, &arena);
    assert_int_equal(t.n_groups, 2);
    const struct lore_trace_group *g = t.groups[0].metrics.n ? &t.groups[0] : &t.groups[1];
    assert_int_equal(g->metrics.n, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct lore_metric *m = &g->metrics.v[i];
        assert_int_equal(m->missing, LORE_MISS_NONE);
        if (lore_streq(m->name, "cycles")) {
            assert_true(m->value == 11.0 && m->n.v == 3 && m->min.v == 10.0 && m->max.v == 12.0);
            assert_true(m->std.v > 0.999999 && m->std.v < 1.000001);
        } else {
            assert_true(m->value == 7.0);
        }
    }
    lore_arena_free(&arena);
}

/* A shell gives background jobs INT and QUIT ignored; the tests are about signals that are not. */
static void
restore_signals(void)
{
    static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
}

int
main(void)
{
    restore_signals();
    const struct CMUnitTest tests[] = {
        /* first: dispositions are taken once per process */
        cmocka_unit_test(neither_an_ignored_sigchld_nor_a_closed_pipe_costs_the_programs_status),
        cmocka_unit_test(the_status_of_the_program_comes_back_whatever_it_is),
        cmocka_unit_test(a_program_that_cannot_be_started_says_why),
        cmocka_unit_test(the_caller_hears_about_five_times_a_second),
        cmocka_unit_test(a_quiet_program_reads_nothing_and_is_not_heard),
        cmocka_unit_test(signals_sent_to_us_alone_reach_the_program),
        cmocka_unit_test(ignored_signals_stay_ignored_in_the_program),
        cmocka_unit_test(nothing_is_watched_without_a_backend),
        cmocka_unit_test(an_injection_library_of_the_user_is_left_alone_and_named),
        cmocka_unit_test(a_profiler_is_started_as_it_would_be_without_us),
        cmocka_unit_test(a_program_that_is_run_per_pass_is_not_asked_for_what_elapsed_time_spoils),
        cmocka_unit_test(a_preload_list_of_the_user_stays_behind_ours),
        cmocka_unit_test(backends_have_names_help_and_a_library),
        cmocka_unit_test(a_run_s_folder_goes_with_it_and_a_dead_run_s_with_the_next),
        cmocka_unit_test(passes_of_one_program_are_put_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
