// uses: import
/* The miopen importer on a small find database in the real format: what a line, a solver and a
 * timing become, and the traps M1 to M8 of docs/import.md, each in a test that carries its number.
 * The counts of a public database are checked where the folder of real data stands beside the
 * checkout. */
#include <unistd.h>

#include "collectors/import/tuning/miopen.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/wire.h"
#include "tests/unit/import_intake.h"

#define DATABASE FIXTURES "miopen/gfx942130.HIP.fdb.txt"
#define REAL SOURCE_DIR "/../shared/data/miopen/"
#define FORWARD "64-57-40-3x5-128-29-20-8-1x2-2x2-1x1-0-NCHW-FP16-F"
#define BACKWARD "128-29-20-3x5-64-57-40-8-1x2-2x2-1x1-0-NCHW-FP16-B"

static struct lore_submission
read_database(struct taken *t)
{
    take(t, DATABASE);
    return decoded(t, format_named(t, "miopen"));
}

/* The run of problem KEY with the solver of LABEL; the N-th of them. */
static const struct lore_run *
run_of(const struct lore_submission *doc, const char *key, const char *label, size_t nth)
{
    const char *version = NULL;

    for (size_t i = 0; i < doc->n_versions; i++) {
        for (size_t k = 0; k < doc->n_runs; k++) {
            const struct lore_run *r = &doc->runs[k];
            version = doc->versions[i].id;
            if (strcmp(doc->versions[i].label, label) == 0 && strcmp(r->version, version) == 0 &&
                lore_streq(r->provenance.external_id, key) && nth-- == 0)
                return r;
        }
    }
    fail_msg("no run of %s by %s", key, label);
    return NULL;
}

static const char *
dim(const struct lore_run *r, const char *name)
{
    const char *v = lore_kvs_get(&r->workload.dims, name);
    return v ? v : "";
}

static size_t
titled(const struct lore_submission *doc, const char *title)
{
    size_t n = 0;

    for (size_t i = 0; i < doc->n_experiments; i++)
        n += strcmp(doc->experiments[i].title, title) == 0;
    return n;
}

static enum lore_status
line(struct lore_arena *arena, const char *text, struct lore_miopen_problem *out,
    struct lore_err *err)
{
    return lore_miopen_line(arena, text, strlen(text), out, err);
}

static void
a_solver_is_a_version_and_a_timing_a_run(void **state)
{
    struct lore_submission doc = read_database(*state);
    const struct lore_run *r = run_of(&doc, FORWARD, "GemmFwdRest", 0);

    assert_int_equal(doc.n_kernels, 2); /* two and three axes */
    assert_string_equal(doc.kernels[0].op, "conv2d");
    assert_string_equal(doc.kernels[0].name, "miopen");
    assert_string_equal(doc.kernels[1].op, "conv3d");
    assert_int_equal(doc.n_runs, 13);
    assert_string_equal(r->chip, "mi300x");
    assert_int_equal(r->evidence, LORE_EV_IMPORTED);
    assert_int_equal(r->n_samples, 0);
    assert_string_equal(r->workload.dtype, "f16");
    assert_string_equal(r->workload.layout, "NCHW");
    assert_string_equal(dim(r, "N"), "8");
    assert_string_equal(dim(r, "R"), "3");
    assert_string_equal(dim(r, "S"), "5");
    assert_string_equal(dim(r, "pad_w"), "2");
    assert_string_equal(dim(r, "stride_h"), "2");
    assert_string_equal(dim(r, "groups"), "1");
    assert_string_equal(dim(r, "direction"), "\"forward\"");
    assert_string_equal(lore_kvs_get(&doc.environments[0].hard, "compute_units"), "304");
}

static void
an_experiment_goes_from_the_fastest_matrix_multiplication_to_each_other_solver(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_database(t);

    /* the line that stands twice has another time for one of its two switches */
    assert_int_equal(titled(&doc, "GemmFwdRest → ConvBinWinogradRxSf3x2"), 2);
    assert_int_equal(titled(&doc, "GemmFwdRest → GemmFwdOther"), 1);
    assert_int_equal(titled(&doc, "GemmBwdRest → ConvBinWinogradRxSf3x2"), 1);
    assert_int_equal(titled(&doc, "GemmWrwUniversal → ConvDirectNaiveConvWrw"), 1);
    assert_int_equal(titled(&doc, "GemmFwdRest → ConvDirectNaiveConvFwd"), 1);
    assert_int_equal(doc.n_experiments, 6);
    const struct lore_experiment *x = &doc.experiments[0];
    assert_string_equal(x->techniques[0].name, "miopen.convbinwinogradrxsf3x2");
    assert_string_equal(
        lore_kvs_get(&x->techniques[0].params, "solver"), "\"ConvBinWinogradRxSf3x2\"");
    assert_string_equal(x->runs_before.v[0], run_of(&doc, FORWARD, "GemmFwdRest", 0)->id);
    assert_string_equal(x->chip, "mi300x");
}

static void
a_technique_is_the_solver_without_its_direction(void **state)
{
    static const char *const names[][2] = {{"ConvDirectNaiveConvFwd", "miopen.convdirectnaiveconv"},
        {"ConvDirectNaiveConvBwd", "miopen.convdirectnaiveconv"},
        {"ConvAsmImplicitGemmGTCDynamicWrwXdlopsNHWC",
            "miopen.convasmimplicitgemmgtcdynamicxdlopsnhwc"},
        {"GemmFwd1x1_0_1", "miopen.gemm1x1_0_1"}, {"Fwd", "miopen.fwd"}};
    struct taken *t = *state;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(lore_miopen_technique(&t->arena, names[i][0]), names[i][1]);
}

static void
the_older_layout_names_the_algorithm_first(void **state)
{
    static const char line[] =
        "1-1-1-4x4-512-4-4-128-0x0-1x1-1x1-0-NCHW-FP32-B=miopenConvolutionBwdDataAlgoWinograd:"
        "ConvBinWinogradRxSf2x3g1,0.5,8,miopenConvolutionBwdDataAlgoWinograd,<unused>;"
        "miopenConvolutionBwdDataAlgoGEMM:GemmBwdRest,2.25,32,rocBlas,<unused>";
    struct taken *t = *state;
    struct lore_miopen_problem p;

    assert_int_equal(lore_miopen_line(&t->arena, line, strlen(line), &p, NULL), LORE_OK);
    assert_int_equal(p.n, 2);
    assert_string_equal(p.timings[0].solver, "ConvBinWinogradRxSf2x3g1");
    assert_true(p.timings[0].ms == 0.5);
    assert_string_equal(p.timings[1].algorithm, "miopenConvolutionBwdDataAlgoGEMM");
    assert_ptr_equal(lore_miopen_base(&p), &p.timings[1]);
}

static void
a_timing_that_cannot_be_read_costs_itself(void **state)
{
    struct taken *t = *state;
    struct lore_miopen_problem p;

    assert_int_equal(
        line(&t->arena, FORWARD "=A:0.0,0,a;B:1,0,b;B:2,0,b;C:3,-1,c;no;D:4", &p, NULL), LORE_OK);
    assert_int_equal(p.n, 2);
    assert_string_equal(p.timings[0].solver, "B");
    assert_string_equal(p.timings[1].solver, "D");
    assert_int_equal(p.faults.n, 4);
    assert_string_equal(p.faults.v[0], "A: \"0.0\" is not a time");
    assert_string_equal(p.faults.v[1], "B is listed twice");
}

static void
a_file_in_the_older_layout_keeps_all_but_its_bad_values(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "miopen-older/gfx900_56.OpenCL.fdb.txt");
    const struct lore_intake_format *f = format_named(t, "miopen");
    struct lore_submission doc = decoded(t, f);
    assert_int_equal(doc.n_runs, 5);
    assert_int_equal(doc.n_experiments, 2);
    assert_string_equal(doc.runs[0].chip, "gfx900");
    assert_int_equal(noted(f, LORE_IL_ERRORS, "line 1: fft: \"0.0\" is not a time; the other"), 1);
    assert_int_equal(noted(f, LORE_IL_ERRORS, "line 4: GemmFwdRest: \"-1\" is not a time"), 1);
    assert_int_equal(f->in.refused, 1);
    const struct lore_run *r =
        run_of(&doc, "128-29-20-3x5-64-57-40-8-1x2-2x2-1x1-0-NCHW-FP32-B", "GemmBwdRest", 0);
    assert_string_equal(r->extra, "{\"kernel_cache\":\"MIOpenGEMM,0_1_3136_36_3136_3136_36_4\"}");
    r = run_of(
        &doc, "128-29-20-3x5-64-57-40-8-1x2-2x2-1x1-0-NCHW-FP32-B", "ConvBinWinogradRxSf2x3", 0);
    assert_null(r->extra);
}

static void
a_performance_database_gives_versions_without_runs(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "miopen-older/gfx906_60.cd.pdb.txt");
    const struct lore_intake_format *f = format_named(t, "miopen-perf");
    struct lore_submission doc = decoded(t, f);
    assert_int_equal(doc.n_versions, 3);
    assert_int_equal(doc.n_runs, 0);
    assert_string_equal(doc.versions[0].label, "ConvAsm3x3U 12,2,1");
    assert_string_equal(lore_kvs_get(&doc.versions[0].params, "perf_config"), "\"12,2,1\"");
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "4 tuned solvers of 3 problems"), 1);
    assert_int_equal(noted(f, LORE_IL_ERRORS, "line 4: expected problem="), 1);
    assert_int_equal(noted(f, LORE_IL_ERRORS, "line 5: \"ConvAsm3x3U\": expected solver"), 1);
}

/* M9: files of three axes with two numbers of padding. */
static void
m9_a_padding_that_is_missing_follows_from_the_extents(void **state)
{
    static const struct {
        const char *key;
        const char *pad; /* NULL: refused */
    } cases[] = {{"16-12-12-4-1x1x1-24-6-6-2-4-0x0-2x2x2-1x1x1-0-NCHW-FP32-F", "0"},
        {"24-6-6-2-1x1x1-16-12-12-4-4-0x0-2x2x2-1x1x1-0-NCHW-FP32-B", "0"},
        {"16-8-8-8-3x3x3-24-8-8-8-4-1x1-1x1x1-1x1x1-0-NCHW-FP32-F", "1"},
        {"16-8-8-8-3x3x3-24-4-8-8-4-1x1-1x1x1-1x1x1-0-NCHW-FP32-F", NULL},
        {"16-8-8-8-3x3x3-24-999999999999-8-8-4-1x1-999999999x1x1-1x1x1-0-NCHW-FP32-F", NULL}};
    struct taken *t = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_miopen_problem p;
        enum lore_status status = lore_miopen_key(&t->arena, cases[i].key, &p, NULL);
        assert_int_equal(status, cases[i].pad ? LORE_OK : LORE_INVALID);
        if (cases[i].pad)
            assert_string_equal(lore_kvs_get(&p.dims, "pad_d"), cases[i].pad);
    }
}

static void
m1_times_are_milliseconds(void **state)
{
    struct lore_submission doc = read_database(*state);

    assert_true(run_of(&doc, BACKWARD, "GemmBwdRest", 0)->summary.mean_ns.v == 15800);
}

static void
m2_going_backward_input_and_output_change_places(void **state)
{
    struct lore_submission doc = read_database(*state);
    const struct lore_run *f = run_of(&doc, FORWARD, "GemmFwdRest", 0),
                          *b = run_of(&doc, BACKWARD, "GemmBwdRest", 0);
    const char *const same[] = {"N", "C", "H", "W", "K", "R", "S", "pad_h", "stride_w"};

    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_string_equal(dim(f, same[i]), dim(b, same[i]));
    assert_string_equal(dim(b, "C"), "64");
    assert_string_equal(dim(b, "H"), "57");
    assert_string_equal(dim(b, "direction"), "\"backward_data\"");
    struct lore_miopen_problem p, q;
    struct taken *t = *state;
    assert_int_equal(line(&t->arena, FORWARD "=GemmFwdRest:1,0,a", &p, NULL), LORE_OK);
    assert_int_equal(line(&t->arena, BACKWARD "=GemmBwdRest:1,0,a", &q, NULL), LORE_OK);
    assert_string_equal(p.shape, q.shape);
}

static void
m3_the_outputs_extents_are_dims_only_where_they_do_not_follow(void **state)
{
    struct taken *t = *state;
    struct lore_miopen_problem p;

    assert_int_equal(line(&t->arena, FORWARD "=GemmFwdRest:1,0,a", &p, NULL), LORE_OK);
    assert_null(lore_kvs_get(&p.dims, "out_H"));
    assert_int_equal(
        line(&t->arena, "64-57-40-3x5-128-30-20-8-1x2-2x2-1x1-0-NCHW-FP16-F=G:1,0,a", &p, NULL),
        LORE_OK);
    assert_string_equal(lore_kvs_get(&p.dims, "out_H"), "30");
}

static void
m4_a_workspace_stands_beside_the_run(void **state)
{
    struct lore_submission doc = read_database(*state);
    const struct lore_run *r = run_of(&doc, FORWARD, "GemmFwdRest", 0);

    assert_string_equal(lore_kvs_get(&r->launch, "workspace_bytes"), "1048576");
    assert_string_equal(lore_kvs_get(&r->launch, "algorithm"), "\"miopenConvolutionFwdAlgoGEMM\"");
    for (size_t i = 0; i < doc.n_runs; i++) {
        if (doc.runs[i].extra)
            assert_string_equal(doc.runs[i].extra, "{\"kernel_cache\":\"kernel_cache_name\"}");
    }
}

static void
m5_equal_times_are_listed_and_no_win(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_database(t);

    assert_int_equal(noted(format_named(t, "miopen"), LORE_IL_DOUBTS, "1 timings equal"), 1);
    assert_true(run_of(&doc, BACKWARD, "GemmBwdRest", 0)->summary.mean_ns.v ==
                run_of(&doc, BACKWARD, "ConvBinWinogradRxSf3x2", 0)->summary.mean_ns.v);
}

static void
m6_a_problem_without_matrix_multiplication_has_runs_and_no_experiments(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_database(t);
    const struct lore_run *r = run_of(&doc,
        "32-14-14-3x3-32-14-14-16-1x1-1x1-1x1-0-NCHW-FP32-F_g32", "ConvBinWinogradRxSf2x3g1", 0);

    assert_string_equal(dim(r, "groups"), "32");
    assert_int_equal(titled(&doc, "ConvDirectNaiveConvFwd → ConvBinWinogradRxSf2x3g1"), 0);
    assert_int_equal(noted(format_named(t, "miopen"), LORE_IL_DOUBTS, "1 problems list no"), 1);
}

static void
m7_the_chip_is_in_the_files_name(void **state)
{
    static const struct {
        const char *file, *chip;
        int units;
    } names[] = {{"gfx942130.HIP.fdb.txt.bz2", "mi300x", 304},
        {"gfx94250.HIP.fdb.txt", "mi308x", 80}, {"gfx90a6e.HIP.fdb.txt", "mi250x", 110},
        {"gfx906_60.OpenCL.fdb.txt", "mi50", 60}, {"gfx908.HIP.fdb.txt", "gfx908", 0},
        {"gfx1030_36.HIP.fdb.txt", "gfx1030", 36}, {"gfx942aa.HIP.fdb.txt", "gfx942", 170}};
    struct taken *t = *state;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int units = -1;
        const char *chip = lore_miopen_chip(&t->arena, names[i].file, &units);
        assert_string_equal(chip ? chip : "none", names[i].chip);
        assert_int_equal(units, names[i].units);
    }
    assert_null(lore_miopen_chip(&t->arena, "find.fdb.txt", NULL));
    assert_null(lore_miopen_chip(&t->arena, "gfx942zz.fdb.txt", NULL));
    t->k.arena = NULL;
    lore_intake_begin(&t->k, &t->arena);
    t->k.chip = "mi325x"; /* --chip */
    struct lore_submission doc = read_database(t);
    assert_string_equal(doc.runs[0].chip, "mi325x");
}

static void
m8_a_problem_that_stands_twice_keeps_both_times_and_says_so(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_database(t);

    assert_true(run_of(&doc, FORWARD, "ConvBinWinogradRxSf3x2", 0)->summary.mean_ns.v == 125000);
    assert_true(run_of(&doc, FORWARD, "ConvBinWinogradRxSf3x2", 1)->summary.mean_ns.v == 200000);
    assert_int_equal(noted(format_named(t, "miopen"), LORE_IL_CONFLICTS, "1 lines repeat"), 1);
}

static void
other_layouts_and_three_axes_are_read(void **state)
{
    struct lore_submission doc = read_database(*state);
    const struct lore_run *mixed = run_of(
        &doc, "16-16-16-1x1-24-16-16-4-0x0-1x1-1x1-0-NHWC-NCHW-NHWC-FP32-F", "GemmFwd1x1_0_1", 0);
    const struct lore_run *deep =
        run_of(&doc, "8-10-12-14-3x3x3-16-8-10-12-2-0x0x0-1x1x1-1x1x1-0-NCDHW-FP32-F",
            "ConvDirectNaiveConvFwd", 0);

    assert_string_equal(mixed->workload.layout, "NHWC,NCHW,NHWC");
    assert_string_equal(deep->workload.op, "conv3d");
    assert_string_equal(dim(deep, "D"), "10");
    assert_string_equal(dim(deep, "W"), "14");
    assert_string_equal(dim(deep, "T"), "3");
}

static void
a_database_is_known_by_its_name_or_its_first_line(void **state)
{
    static const struct {
        const char *name, *text;
        bool ours;
    } files[] = {{"a.fdb.txt", "nothing\n", true},
        {"b", FORWARD "=G:1,0,miopenConvolutionFwdAlgoGEMM\n", true},
        {"c", FORWARD "=G:1,0,gemm\n", false},
        {"d", "{\"seq\":1,\"text\":\"" FORWARD "=G:1,0,miopenConvolutionFwdAlgoGEMM\"}\n", false},
        {"e", "a=b\nG:1,0,miopenConvolutionFwdAlgoGEMM\n", false}};
    struct taken *t = *state;
    struct lore_import_tree tree = {.name = "t"};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        (void)lore_tree_add(&t->arena, &tree, files[i].name, files[i].text, strlen(files[i].text));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_int_equal(lore_importer_find("miopen")->detect(&tree, files[i].name), files[i].ours);
}

static void
lines_that_are_none_are_refused_with_their_number(void **state)
{
    struct taken *t = *state;
    struct lore_miopen_problem p;

    (void)read_database(t);
    const struct lore_intake_format *f = format_named(t, "miopen");
    assert_int_equal(f->in.records, 9);
    assert_int_equal(f->in.refused, 2);
    assert_int_equal(noted(f, LORE_IL_ERRORS, "line 8: \"X\": expected F, B or W"), 1);
    assert_int_equal(noted(f, LORE_IL_ERRORS, "line 9: GemmFwdRest: \"fast\" is not a time"), 1);
    const char *const bad[] = {"", "=", FORWARD, FORWARD "=", FORWARD "=G:1,-1,a",
        FORWARD "=G:0,0,a", FORWARD "=G", FORWARD "=G:-1,0,a;G:0.0,0,a", FORWARD "x=G:1,0,a",
        "1-2=G:1,0,a", "64-57-40-3x5-128-29-20-8-1x2-2x2-1x1-0-NCHW-F=G:1,0,a",
        "64-57-40-3x5-128-29-20-8-1x2-0x2-1x1-0-NCHW-FP16-F=G:1,0,a",
        "0-57-40-3x5-128-29-20-8-1x2-2x2-1x1-0-NCHW-FP16-F=G:1,0,a",
        "64-57-40-3x5-128-29-20-8-1x2-2x2-1x1-0-NCHW-NCHW-FP16-F=G:1,0,a",
        "64-57-40-3x5-128-29-20-8-1x2-2x2-1x1-0-NCHW-FP16-F_g0=G:1,0,a",
        "miopenConvolutionFwdAlgoGEMM:gemm,0.06,0"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (line(&t->arena, bad[i], &p, NULL) != LORE_INVALID)
            fail_msg("\"%s\" was read", bad[i]);
    }
    assert_int_equal(line(&t->arena, FORWARD "=G:1", &p, NULL), LORE_OK);
    assert_int_equal(p.timings[0].workspace_bytes, 0);
}

static void
a_public_database_has_9600_problems_and_37792_timings(void **state)
{
    struct taken *t = *state;
    size_t solvers = 0;

    if (access(REAL, F_OK) != 0)
        skip();
    take(t, REAL "gfx942130.HIP.fdb.txt.bz2");
    const struct lore_intake_format *f = format_named(t, "miopen");
    assert_int_equal(f->in.records, 9600);
    assert_int_equal(f->in.refused, 0);
    assert_int_equal(f->records[LORE_K_RUN], 37792);
    assert_int_equal(f->records[LORE_K_VERSION], 19);
    assert_int_equal(f->records[LORE_K_EXPERIMENT], 21781);
    for (size_t i = 0; i < f->in.lists[LORE_IL_NAMES].n; i++)
        solvers += strstr(f->in.lists[LORE_IL_NAMES].v[i], ": technique miopen.") != NULL;
    assert_int_equal(solvers, 19);
}

static int
setup(void **state)
{
    *state = test_calloc(1, sizeof(struct taken));
    return 0;
}

static int
teardown(void **state)
{
    struct taken *t = *state;

    lore_arena_free(&t->arena);
    test_free(t);
    return 0;
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_solver_is_a_version_and_a_timing_a_run),
        TEST(an_experiment_goes_from_the_fastest_matrix_multiplication_to_each_other_solver),
        TEST(a_technique_is_the_solver_without_its_direction),
        TEST(the_older_layout_names_the_algorithm_first),
        TEST(a_timing_that_cannot_be_read_costs_itself),
        TEST(a_file_in_the_older_layout_keeps_all_but_its_bad_values),
        TEST(a_performance_database_gives_versions_without_runs),
        TEST(m9_a_padding_that_is_missing_follows_from_the_extents),
        TEST(m1_times_are_milliseconds),
        TEST(m2_going_backward_input_and_output_change_places),
        TEST(m3_the_outputs_extents_are_dims_only_where_they_do_not_follow),
        TEST(m4_a_workspace_stands_beside_the_run),
        TEST(m5_equal_times_are_listed_and_no_win),
        TEST(m6_a_problem_without_matrix_multiplication_has_runs_and_no_experiments),
        TEST(m7_the_chip_is_in_the_files_name),
        TEST(m8_a_problem_that_stands_twice_keeps_both_times_and_says_so),
        TEST(other_layouts_and_three_axes_are_read),
        TEST(a_database_is_known_by_its_name_or_its_first_line),
        TEST(lines_that_are_none_are_refused_with_their_number),
        TEST(a_public_database_has_9600_problems_and_37792_timings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
