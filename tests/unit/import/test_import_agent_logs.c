// uses: import
/* The agent-logs importer on two sessions: a table whose rows differ in their columns, with ideas
 * in full beside it; and ideas without a table, of an operator whose work is not known. */
#include "tests/unit/import_unit.h"

#include "collectors/import/agent_logs/agent_logs.h"
#include "service/catalogue/catalogue.h"

#define FOLDER SOURCE_DIR "/tests/fixtures/import/agent-logs"
#define TABLE_SESSION "cuda/logs/gemm_f16fp32_512x256x128/model-a"
#define IDEA_SESSION "other/logs/rope_bf16_B2_S1024_D64/model-b"

static struct unit unit;

static int
teardown(void **state)
{
    (void)state;
    lore_arena_free(&unit.arena);
    return 0;
}

static const struct lore_version *
version(const char *label)
{
    for (size_t i = 0; i < unit.doc.n_versions; i++)
        if (lore_streq(unit.doc.versions[i].label, label))
            return &unit.doc.versions[i];
    fail_msg("no version %s", label);
    return NULL;
}

static const struct lore_run *
run_of(const char *label)
{
    const char *id = version(label)->id;

    for (size_t i = 0; i < unit.doc.n_runs; i++)
        if (lore_streq(unit.doc.runs[i].version, id))
            return &unit.doc.runs[i];
    fail_msg("no run of %s", label);
    return NULL;
}

static const struct lore_experiment *
experiment(const char *label)
{
    const char *id = version(label)->id;

    for (size_t i = 0; i < unit.doc.n_experiments; i++)
        if (lore_streq(unit.doc.experiments[i].to_version, id))
            return &unit.doc.experiments[i];
    fail_msg("no experiment made %s", label);
    return NULL;
}

static void
names_of_tasks_give_operator_types_and_dims(void **state)
{
    struct lore_arena arena = {0};
    struct lore_agent_task t = lore_agent_task_read(&arena, "blockscale_gemm_e4m3fp32_512x256x64");

    (void)state;
    assert_string_equal(t.op, "gemm_quant");
    assert_string_equal(t.dtype, "e4m3");
    assert_string_equal(t.accumulate, "fp32");
    assert_string_equal(lore_kvs_get(&t.dims, "N"), "256");
    assert_true(t.flops == 2.0 * 512 * 256 * 64);
    t = lore_agent_task_read(&arena, "softmax_4096x1024_f32_v2");
    assert_string_equal(t.op, "softmax");
    assert_string_equal(lore_kvs_get(&t.dims, "d1"), "1024");
    assert_true(t.flops == 0);
    t = lore_agent_task_read(&arena, "batched_gemm_8x64x32x16_bf16");
    assert_string_equal(lore_kvs_get(&t.dims, "B"), "8");
    assert_string_equal(lore_kvs_get(&t.dims, "K"), "16");
    assert_null(lore_agent_task_read(&arena, "opus-4").op);
    assert_null(lore_agent_task_read(&arena, "claude_4x_max").op);
    lore_arena_free(&arena);
}

static void
an_attempt_starts_from_the_version_kept_before_it(void **state)
{
    (void)state;
    unit_read(&unit, "agent-logs", FOLDER, TABLE_SESSION);
    assert_int_equal(unit.in.records, 10);
    assert_int_equal(unit.in.refused, 0);
    assert_int_equal(unit.doc.n_versions, 10);
    assert_int_equal(version("iter000_cublas")->kind, LORE_V_LIBRARY);
    assert_int_equal(run_of("iter000_cublas")->role, LORE_ROLE_REFERENCE);
    assert_int_equal(version("iter001_plain")->kind, LORE_V_BASELINE);
    assert_int_equal(version("iter001_plain")->n_parents, 0);
    const char *kept = version("iter002_vec")->id;
    assert_string_equal(experiment("iter002_vec")->from_version, version("iter001_plain")->id);
    assert_string_equal(experiment("iter003_tile")->from_version, kept);
    assert_string_equal(experiment("iter004_two")->from_version, kept);
    assert_string_equal(experiment("iter009_best")->from_version, kept);
    assert_string_equal(experiment("iter009_best")->runs_before.v[0], run_of("iter002_vec")->id);
    assert_int_equal(unit.doc.n_experiments, 8); /* none of the library and the baseline */
}

static void
speeds_become_times_and_decisions_failures(void **state)
{
    (void)state;
    unit_read(&unit, "agent-logs", FOLDER, TABLE_SESSION);
    const struct lore_run *r = run_of("iter002_vec");
    assert_true(r->summary.mean_ns.v == 2.0 * 512 * 256 * 128 / 20e3);
    assert_string_equal(r->chip, "h100-pcie");
    assert_string_equal(r->workload.dtype, "f16");
    assert_int_equal(r->evidence, LORE_EV_IMPORTED);
    assert_string_equal(run_of("iter003_tile")->error.type, "compilation");
    assert_string_equal(run_of("iter005_stages")->error.type, "timeout");
    r = run_of("iter006_wrong");
    assert_string_equal(r->error.type, "accuracy");
    assert_false(r->summary.set); /* a wrong result is no time, but its number is kept */
    assert_true(r->metrics.v[0].value == 55.5);
    assert_string_equal(experiment("iter005_stages")->claim.outcome, "failure");
    assert_string_equal(experiment("iter002_vec")->decision, "adopt");
    assert_string_equal(experiment("iter004_two")->decision, "revert");
    assert_null(experiment("iter007_new")->decision);
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "\"SHELVED\" is not known"));
}

static void
ideas_are_whole_and_name_techniques(void **state)
{
    (void)state;
    unit_read(&unit, "agent-logs", FOLDER, TABLE_SESSION);
    const struct lore_experiment *x = experiment("iter002_vec");
    assert_int_equal(x->n_techniques, 1);
    assert_string_equal(x->techniques[0].name, "memory.vectorized_access");
    assert_non_null(strstr(x->title, "16 bytes at once"));
    assert_string_equal(x->happened_at, "2026-01-05T10:20:00Z");
    assert_string_equal(x->author, "model-a");
    x = experiment("iter004_two"); /* its line has a number in place of the iteration */
    assert_non_null(strstr(x->notes, "the copies conflict"));
    assert_non_null(strstr(x->notes, "no swizzle, unroll 2"));
    assert_int_equal(experiment("iter006_wrong")->n_techniques, 0); /* a sentence is no technique */
    assert_true(unit_listed(&unit, LORE_IL_CONFLICTS, "decision is SHELVED"));
    assert_non_null(strstr(experiment("iter007_new")->notes, "timestamp: yesterday"));
}

static void
an_attempt_that_only_the_log_has_stands_in_its_place(void **state)
{
    (void)state;
    unit_read(&unit, "agent-logs", FOLDER, TABLE_SESSION);
    const struct lore_version *v = version("attempt 7"); /* before the row of the next line */
    assert_string_equal(v->summary, "a wider epilogue");
    assert_true(version("iter006_wrong")->ordinal.v == 6);
    assert_true(v->ordinal.v == 7);
    assert_true(run_of("attempt 7")->metrics.v[0].value == 18.5);
}

static void
without_known_work_there_are_speedups(void **state)
{
    (void)state;
    unit_read(&unit, "agent-logs", FOLDER, IDEA_SESSION);
    assert_int_equal(unit.in.refused, 1);
    assert_true(unit_listed(&unit, LORE_IL_ERRORS, "idea-log.jsonl line 4"));
    assert_int_equal(unit.doc.n_versions, 3);
    const struct lore_experiment *x = &unit.doc.experiments[0];
    assert_true(x->claim.speedup.v == 1.5);
    assert_false(unit.doc.runs[1].summary.set);
    assert_string_equal(lore_kvs_get(&x->workload.dims, "S"), "1024");
    assert_null(x->chip);
    assert_true(unit.doc.experiments[1].claim.speedup.v == 1);
}

/* Reads the first N rows of a table. */
static void
read_rows(size_t n)
{
    static const char *const rows[] = {"iter\tkernel\ttflops\tdecision\tbottleneck\tidea_summary\n",
        "i0\ta\t10\tKEEP\tmemory_bound\tplain\n", "short row\n",
        "i1\tb\t11\tKEEP\tmemory_bound\tfloat4 loads\n", "i2\tc\t9\tDISCARD\t-\tfloat4 loads\n"};
    const char *text = "";

    memset(&unit, 0, sizeof unit);
    for (size_t i = 0; i < n; i++)
        text = lore_format(&unit.arena, "%s%s", text, rows[i]);
    unit.tree.name = "gemm_f16_64x64x64";
    (void)lore_tree_add(&unit.arena, &unit.tree, "results.tsv", text, strlen(text));
    unit_read_tree(&unit, "agent-logs", "");
}

static void
a_log_that_has_grown_changes_no_record(void **state)
{
    char ids[2][27], campaign[27];

    (void)state;
    read_rows(4);
    assert_int_equal(unit.in.refused, 1);
    assert_true(unit_listed(&unit, LORE_IL_ERRORS, "results.tsv line 3: 1 columns"));
    for (size_t i = 0; i < 2; i++)
        memcpy(ids[i], unit.doc.versions[i].id, sizeof ids[i]);
    memcpy(campaign, unit.doc.campaigns[0].id, sizeof campaign);
    lore_arena_free(&unit.arena);
    read_rows(5);
    assert_int_equal(unit.doc.n_versions, 3);
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(unit.doc.versions[i].id, ids[i]);
    assert_string_equal(unit.doc.campaigns[0].id, campaign);
}

/* Reads a table of a kept version and of one attempt with the given speed, label and idea. */
static const struct lore_run *
read_attempt(const char *tflops, const char *label, const char *idea)
{
    const char *text = lore_format(&unit.arena,
        "iter\tkernel\ttflops\tdecision\tbottleneck\tidea_summary\n"
        "i0\ta\t10\tKEEP\tmemory_bound\tplain\ni1\tb\t%s\t%s\tmemory_bound\t%s\n",
        tflops, label, idea);

    memset(&unit.doc, 0, sizeof unit.doc);
    memset(&unit.tree, 0, sizeof unit.tree);
    unit.tree.name = "gemm_f16_64x64x64";
    (void)lore_tree_add(&unit.arena, &unit.tree, "results.tsv", text, strlen(text));
    unit_read_tree(&unit, "agent-logs", "");
    return run_of("b");
}

static void
what_the_text_says_of_a_failure_counts_more_than_its_label(void **state)
{
    static const struct {
        const char *tflops, *label, *idea, *error; /* error NULL: it has a time */
    } cases[] = {{"0", "COMPILE_FAIL", "split-K - verification failed", "accuracy"},
        {"0", "COMPILE_FAIL", "launch bounds spill and give incorrect results", "accuracy"},
        {"0", "COMPILE_FAIL", "the layout mismatch breaks the copy", "compilation"},
        {"0", "COMPILE_FAIL", "64-wide swizzle, TMA invalid argument", "runtime"},
        {"0", "CRASH", "one warp more hung without output", "timeout"},
        {"0", "DISCARD", "192 rows - verification failed", "accuracy"},
        {"9", "DISCARD", "atomics - verification failed and slow", "accuracy"},
        {"9", "DISCARD", "it timed out on the other shape", NULL},
        {"9", "DISCARD", "the verification failure is fixed, but it is slower", NULL},
        {"11", "KEEP", "no wrong results since", NULL}};

    (void)state;
    memset(&unit, 0, sizeof unit);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct lore_run *r = read_attempt(cases[i].tflops, cases[i].label, cases[i].idea);
        assert_int_equal(r->summary.set, !cases[i].error);
        if (cases[i].error)
            assert_string_equal(r->error.type, cases[i].error);
        else
            assert_false(r->error.set);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_tasks_give_operator_types_and_dims),
        cmocka_unit_test_teardown(an_attempt_starts_from_the_version_kept_before_it, teardown),
        cmocka_unit_test_teardown(speeds_become_times_and_decisions_failures, teardown),
        cmocka_unit_test_teardown(ideas_are_whole_and_name_techniques, teardown),
        cmocka_unit_test_teardown(an_attempt_that_only_the_log_has_stands_in_its_place, teardown),
        cmocka_unit_test_teardown(without_known_work_there_are_speedups, teardown),
        cmocka_unit_test_teardown(a_log_that_has_grown_changes_no_record, teardown),
        cmocka_unit_test_teardown(
            what_the_text_says_of_a_failure_counts_more_than_its_label, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
