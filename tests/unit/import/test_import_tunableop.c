// uses: import
/* The tunableop importer on files of two versions of PyTorch. */
#include "service/wire/wire.h"
#include "tests/unit/import_intake.h"

static struct lore_submission
read_file(struct taken *t, const char *path)
{
    take(t, path);
    return decoded(t, format_named(t, "tunableop"));
}

static void
the_fastest_solution_of_a_problem_is_a_version_with_a_run(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_file(t, FIXTURES "tunableop/tunableop_results0_mi300x.csv");
    const struct lore_run *r = &doc.runs[0];

    assert_int_equal(doc.n_runs, 3);
    assert_int_equal(doc.n_versions, 3);
    assert_int_equal(doc.n_sweeps, 0);
    assert_string_equal(doc.versions[0].label, "Gemm_Rocblas_1219");
    assert_string_equal(r->chip, "mi300x");
    assert_true(r->summary.mean_ns.v == 1262000);
    assert_string_equal(r->workload.dtype, "f32");
    assert_string_equal(r->workload.layout, "NT");
    assert_string_equal(lore_kvs_get(&r->workload.dims, "M"), "25088");
    assert_string_equal(lore_kvs_get(&r->workload.dims, "K"), "64");
    assert_string_equal(
        lore_kvs_get(&doc.environments[0].soft, "ROCBLAS_VERSION"), "\"4.0.0-72e57364\"");
    assert_int_equal(noted(format_named(t, "tunableop"), LORE_IL_DOUBTS, "for 1 problems no"), 1);
}

static void
a_batch_is_a_dimension_and_another_operator(void **state)
{
    struct lore_submission doc =
        read_file(*state, FIXTURES "tunableop/tunableop_results0_mi300x.csv");

    assert_string_equal(doc.runs[1].workload.op, "batched_gemm");
    assert_string_equal(doc.runs[1].workload.dtype, "f16");
    assert_string_equal(lore_kvs_get(&doc.runs[1].workload.dims, "B0"), "16");
}

static void
newer_files_say_more_of_a_problem(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_file(t, FIXTURES "tunableop/tunableop_new_h100.csv");
    const struct lore_workload *w = &doc.runs[0].workload;

    assert_int_equal(doc.n_runs, 1);
    assert_string_equal(w->op, "gemm_quant");
    assert_string_equal(lore_kvs_get(&w->dims, "ld2"), "1280");
    assert_string_equal(lore_kvs_get(&w->dims, "rw0"), "0");
    assert_non_null(strstr(doc.runs[0].extra, "tn_1280_1024_8192,fp8"));
    assert_int_equal(noted(format_named(t, "tunableop"), LORE_IL_ERRORS, "line 3: \"never\""), 1);
}

static void
a_problem_without_three_extents_is_refused(void **state)
{
    struct taken *t = *state;

    (void)read_file(t, FIXTURES "tunableop/tunableop_results0_mi300x.csv");
    assert_int_equal(noted(format_named(t, "tunableop"), LORE_IL_ERRORS,
                         "line 7: \"tn_4096_512\": expected m, n and k"),
        1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        INTAKE(the_fastest_solution_of_a_problem_is_a_version_with_a_run),
        INTAKE(a_batch_is_a_dimension_and_another_operator),
        INTAKE(newer_files_say_more_of_a_problem),
        INTAKE(a_problem_without_three_extents_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
