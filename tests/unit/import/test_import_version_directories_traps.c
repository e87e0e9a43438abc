// uses: import
/* The traps that real version directories hold, each on a small case: T5 to T17 and T20 of the list
 * of traps, one or more tests per number. */
#include "tests/unit/fm_case.h"

static void
t5_a_campaign_expects_as_many_experiments_as_are_named(void **state)
{
    struct fixture *f = *state; /* its report has a column v4 without a directory */

    assert_int_equal(f->doc->n_experiments, 3);
    assert_int_equal(f->doc->campaigns[0].expected_records.v, 4);
    assert_true(listed(f, LORE_IL_DOUBTS, "4 steps are named, 3 have a directory"));
}

static void
t5_a_missing_directory_is_counted(void **state)
{
    struct fixture *f = *state;

    add(f, "v0/correctness.md", CHECK_TEXT);
    add(f, "v3/correctness.md", CHECK_TEXT);
    read_tree(f);
    assert_int_equal(f->doc->n_experiments, 1);
    assert_int_equal(f->doc->campaigns[0].expected_records.v, 3);
}

static void
t6_another_shape_checked_than_timed_is_listed(void **state)
{
    struct fixture *f = *state;

    assert_true(listed(f, LORE_IL_DOUBTS, "v3: checked on M=64 N=256, timed on M=2048 N=8192"));
    assert_string_equal(lore_kvs_get(&run(f, "v3", "correctness_check")->workload.dims, "M"), "64");
    assert_string_equal(lore_kvs_get(&run(f, "v3", "ncu")->workload.dims, "M"), "2048");
    assert_false(listed(f, LORE_IL_DOUBTS, "v1: checked on"));
}

static void
t7_a_loosened_tolerance_is_listed(void **state)
{
    struct fixture *f = *state;

    assert_true(listed(f, LORE_IL_DOUBTS, "v2: tolerance loosened, atol 0.5 instead of 0.0001"));
    assert_false(listed(f, LORE_IL_DOUBTS, "v2: tolerance loosened, rtol"));
}

static void
t8_a_check_without_any_difference_is_doubted(void **state)
{
    struct fixture *f = *state;

    assert_true(listed(f, LORE_IL_DOUBTS, "v0: every difference is exactly zero"));
    assert_false(listed(f, LORE_IL_DOUBTS, "v1: every difference is exactly zero"));
}

static void
t9_the_solutions_profile_is_not_stored_as_the_references(void **state)
{
    struct fixture *f = *state;
    const struct lore_run *own = run(f, "v3", "benchmark"), *ref = run(f, "ref.py", "benchmark");

    assert_int_equal(own->metrics.n, 4);
    assert_int_equal(ref->metrics.n, 0);
    assert_true(ref->summary.mean_ns.v == 61500);
    assert_true(listed(f, LORE_IL_DOUBTS, "hardware metrics of Reference are those of the"));
    assert_non_null(
        strstr(ref->extra, "(% peak) = 90.7312 for Reference")); /* kept, as what it is */
}

static void
t9_another_profile_is_stored(void **state)
{
    struct fixture *f = *state;

    add(f, "v0/correctness.md", CHECK_TEXT);
    add(f, "benchmark.md",
        "# B\n| Field | Value |\n|---|---|\n| Solution | v0.cu |\n## Timing\n"
        "| Metric | Solution | cuBLAS |\n|---|---|---|\n| Execution Time (ms) | 1.5 | 1.25 |\n"
        "## Hardware Metrics (nsight-python)\n| Metric | Solution | cuBLAS |\n|---|---|---|\n"
        "| SM Throughput (% peak) | 50.0 | 80.0 |\n");
    read_tree(f);
    assert_int_equal(run(f, "cuBLAS", "benchmark")->metrics.n, 1);
    assert_false(listed(f, LORE_IL_DOUBTS, "hardware metrics of"));
}

static void
t10_bars_in_the_header_do_not_shift_columns(void **state)
{
    struct fixture *f = *state;
    const struct lore_tensor *y = &run(f, "v1", "correctness_check")->correctness.tensors[1];

    assert_true(y->max_abs.v == 1.1921e-07);
    assert_true(y->mean_abs.v == 3.0268e-09);
    assert_true(y->mean_rel.v == 1.4901e-08);
    assert_string_equal(y->pass, "yes");
}

static void
t11_both_headers_of_field_tables_are_read(void **state)
{
    struct fixture *f = *state; /* v0 has the empty header and no Backend row */

    assert_true(run(f, "v0", "correctness_check")->correctness.atol.v == 0.0001);
    assert_true(run(f, "v1", "correctness_check")->correctness.atol.v == 0.0001);
    assert_true(run(f, "v0", "ncu")->summary.mean_ns.v == 1.25e6);
}

static void
t12_three_digits_and_single_values_are_marked(void **state)
{
    struct fixture *f = *state;
    const struct lore_run *r = run(f, "v0", "ncu");

    assert_true(metric(r, "dram__bytes.sum.per_second")->precision_lost);
    assert_true(metric(r, "dram__bytes.sum.per_second")->value == 3.10e11);
    assert_false(metric(r, "launch__block_size")->precision_lost);
    assert_true(metric(r, "launch__block_size")->n.v == 1);
    assert_false(metric(r, "launch__block_size")->std.set);
    assert_string_equal(lore_kvs_get(&r->method, "metrics_unstable"), "41");
    assert_true(listed(f, LORE_IL_DOUBTS, "printed with three digits"));
}

static void
t13_stalls_are_warps_per_issue_and_efficiency_is_threads(void **state)
{
    struct fixture *f = *state;
    const struct lore_run *r = run(f, "v1", "ncu");

    assert_string_not_equal(
        metric(r, "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio")->unit, "%");
    assert_string_not_equal(
        metric(r, "smsp__thread_inst_executed_per_inst_executed.ratio")->unit, "%");
    assert_true(listed(f, LORE_IL_DOUBTS, "\"Stall: Barrier (%)\" is no percentage"));
    assert_true(listed(f, LORE_IL_DOUBTS, "v1/hypothesis.txt: stalls in percent"));
    assert_true(listed(f, LORE_IL_DOUBTS, "v3/hypothesis.txt: stalls in percent"));
    assert_false(listed(f, LORE_IL_DOUBTS, "v2/hypothesis.txt: stalls in percent"));
}

static void
t14_occupancy_above_a_hundred_is_accepted_and_listed(void **state)
{
    struct fixture *f = *state;
    const struct lore_run *r = run(f, "v1", "ncu");

    assert_true(metric(r, "sm__warps_active.avg.pct_of_peak_sustained_active")->value == 100.4171);
    assert_true(listed(f, LORE_IL_DOUBTS, "is 100.417 %"));
}

static void
t15_only_what_is_new_was_tried_and_several_are_several(void **state)
{
    struct fixture *f = *state;
    const struct lore_experiment *x = experiment(f, "v3"); /* made from v1 */
    size_t applied = 0;

    for (size_t i = 0; i < x->n_techniques; i++)
        applied += !x->techniques[i].status;
    assert_int_equal(applied, 2);
    assert_string_equal(x->techniques[0].raw, "Rows per block (2)"); /* (1) before */
    assert_string_equal(x->techniques[1].name, "compute.loop_unroll");
    assert_string_equal(x->techniques[2].name, "memory.vectorized_access");
    assert_string_equal(x->techniques[2].status, "not_applied");
    assert_int_equal(x->n_techniques, 3); /* coalescing is inherited */
    assert_true(listed(f, LORE_IL_DOUBTS, "v3: 2 strategies at once"));
}

static void
t16_the_parent_is_the_version_that_the_text_quotes(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(version(f, "v3")->parents[0].version, version(f, "v1")->id);
    assert_string_equal(experiment(f, "v3")->from_version, version(f, "v1")->id);
    assert_string_equal(version(f, "v3")->extra, "{\"lineage_from\":\"hypothesis.txt\"}");
    assert_string_equal(hypothesis(f, experiment(f, "v3")->hypothesis)->claim,
        "Two rows per block to halve the barriers");
    assert_true(listed(f, LORE_IL_CONFLICTS,
        "v3: its hypothesis starts from v1, the final "
        "report from v2"));
}

static void
t16_a_hypothesis_may_lie_with_the_version_before(void **state)
{
    struct fixture *f = *state; /* Source and Target say so */

    assert_string_equal(
        hypothesis(f, experiment(f, "v3")->hypothesis)->claim, "Eight warps per program");
    assert_string_equal(version(f, "v3")->parents[0].version, version(f, "v1")->id);
}

static void
t16_without_words_the_layout_decides_and_says_so(void **state)
{
    struct fixture *f = *state;

    add(f, "v0/correctness.md", CHECK_TEXT);
    add(f, "v0/hypothesis.txt", "Hypothesis: unroll\nRationale : it may help\n");
    add(f, "v1/correctness.md", CHECK_TEXT);
    read_tree(f);
    const struct lore_hypothesis *h = hypothesis(f, experiment(f, "v1")->hypothesis);
    assert_string_equal(h->extra, "{\"lineage_inferred\":\"source and target\"}");
    assert_string_equal(version(f, "v1")->extra, "{\"lineage_inferred\":true}");
    assert_true(listed(f, LORE_IL_DOUBTS, "v1: its parent is not stated; v0 assumed"));
}

static void
t16_layouts_mix_within_one_case(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 4; i++)
        add(f, lore_format(&f->arena, "v%d/correctness.md", i), CHECK_TEXT);
    add(f, "v0/hypothesis.txt", "Hypothesis: A\nRationale : v0 NCU shows waits\n");
    add(f, "v2/hypothesis.txt", "Hypothesis: B\nRationale : v0 NCU shows waits\n");
    add(f, "v3/hypothesis.txt", "Hypothesis: C\nRationale : v3 NCU shows waits\n");
    read_tree(f);
    assert_string_equal(hypothesis(f, experiment(f, "v1")->hypothesis)->claim, "A");
    assert_string_equal(hypothesis(f, experiment(f, "v2")->hypothesis)->claim, "B");
    assert_string_equal(experiment(f, "v2")->from_version, version(f, "v0")->id);
    assert_null(experiment(f, "v3")->hypothesis);
    assert_true(listed(f, LORE_IL_DOUBTS, "v3/hypothesis.txt: about v4, which has no directory"));
}

static void
t17_the_same_name_with_other_dims_is_another_workload(void **state)
{
    struct fixture *f = *state;
    struct lore_workload a, b;

    add(f, "one/gemm/v0/correctness.md", CHECK_TEXT);
    add(f, "two/gemm/v0/correctness.md",
        "| | |\n|---|---|\n| **Dims** | {'M': 128} |\n| **Result** | **ALL PASS** |\n");
    read_tree(f);
    assert_int_equal(f->doc->n_kernels, 1);
    assert_int_equal(f->doc->n_runs, 2);
    a = f->doc->runs[0].workload;
    b = f->doc->runs[1].workload;
    assert_string_not_equal(
        lore_workload_text(&f->arena, "gemm", &a), lore_workload_text(&f->arena, "gemm", &b));
}

static void
t20_hosts_are_hashed_and_paths_cut(void **state)
{
    struct fixture *f = *state;
    struct lore_buf b = {.max = 8u << 20};
    struct lore_submission records = *f->doc;
    struct lore_err err = {0};

    records.n_artifacts = 0; /* exact bytes, which are kept */
    if (lore_build_encode(&records, &b, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    assert_null(strstr(b.data, "0123beefcafe"));
    assert_null(strstr(b.data, "/home/kernels"));
    assert_null(strstr(b.data, "/usr/local"));
    assert_non_null(strstr(b.data, "host_hash"));
    assert_true(listed(f, LORE_IL_DOUBTS, "name is stored as a hash"));
    assert_true(listed(f, LORE_IL_DOUBTS, "absolute paths are cut"));
    lore_buf_free(&b);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WITH(gather, t5_a_campaign_expects_as_many_experiments_as_are_named),
        WITH(empty, t5_a_missing_directory_is_counted),
        WITH(rowmax, t6_another_shape_checked_than_timed_is_listed),
        WITH(rowmax, t7_a_loosened_tolerance_is_listed),
        WITH(rowmax, t8_a_check_without_any_difference_is_doubted),
        WITH(rowmax, t9_the_solutions_profile_is_not_stored_as_the_references),
        WITH(empty, t9_another_profile_is_stored),
        WITH(rowmax, t10_bars_in_the_header_do_not_shift_columns),
        WITH(rowmax, t11_both_headers_of_field_tables_are_read),
        WITH(rowmax, t12_three_digits_and_single_values_are_marked),
        WITH(rowmax, t13_stalls_are_warps_per_issue_and_efficiency_is_threads),
        WITH(rowmax, t14_occupancy_above_a_hundred_is_accepted_and_listed),
        WITH(rowmax, t15_only_what_is_new_was_tried_and_several_are_several),
        WITH(rowmax, t16_the_parent_is_the_version_that_the_text_quotes),
        WITH(gather, t16_a_hypothesis_may_lie_with_the_version_before),
        WITH(empty, t16_without_words_the_layout_decides_and_says_so),
        WITH(empty, t16_layouts_mix_within_one_case),
        WITH(empty, t17_the_same_name_with_other_dims_is_another_workload),
        WITH(rowmax, t20_hosts_are_hashed_and_paths_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
