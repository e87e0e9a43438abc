// uses: import
/* The importers of Triton's autotuner: files of its cache, and what it prints. */
#include "service/wire/sweep.h"
#include "service/wire/wire.h"
#include "tests/unit/import_intake.h"
#include "tests/unit/import_read.h"
#include "tests/unit/import_sweep.h"

static struct lore_submission
read_file(struct taken *t, const char *path, const char *format)
{
    take(t, path);
    return decoded(t, format_named(t, format));
}

static void
a_cache_file_is_one_sweep_with_medians(void **state)
{
    struct lore_submission doc =
        read_file(*state, FIXTURES "triton/row_softmax.autotune.json", "triton-cache");
    const struct lore_sweep *s = &doc.sweeps[0];
    const struct lore_sweep_data *d = sweep_data(&doc, 0);

    assert_int_equal(d->n, 3);
    assert_string_equal(s->statistic, "median");
    assert_string_equal(doc.kernels[0].name, "row_softmax");
    assert_string_equal(doc.kernels[0].op, "softmax");
    assert_int_equal(doc.kernels[0].language, LORE_LANG_TRITON);
    assert_true(d->time_ns[1] == 21250);
    assert_string_equal(sweep_value(d, "p20", 1), "0.021125");
    assert_string_equal(sweep_value(d, "p80", 1), "0.02175");
    assert_string_equal(sweep_value(d, "num_warps", 1), "8");
    assert_int_equal(doc.n_runs, 1);
    assert_true(doc.runs[0].summary.median_ns.v == 21250);
    assert_string_equal(
        doc.versions[0].label, "BLOCK=2048 EVEN=true num_ctas=1 num_stages=3 num_warps=8");
}

static void
the_values_of_the_key_are_the_workload(void **state)
{
    struct lore_submission doc =
        read_file(*state, FIXTURES "triton/row_softmax.autotune.json", "triton-cache");
    const struct lore_workload *w = &doc.sweeps[0].workload;

    assert_string_equal(lore_kvs_get(&w->dims, "key0"), "4096");
    assert_string_equal(lore_kvs_get(&w->dims, "key1"), "1024");
    assert_string_equal(w->dtype, "f16");
}

static void
an_infinite_time_is_a_failure(void **state)
{
    struct lore_submission doc =
        read_file(*state, FIXTURES "triton/row_softmax.autotune.json", "triton-cache");
    const struct lore_sweep_data *d = sweep_data(&doc, 0);

    assert_string_equal(sweep_why(d, 2)->type, "compilation");
    assert_string_equal(sweep_why(d, 2)->said, "inf");
    assert_null(sweep_value(d, "p20", 2));
}

static void
a_word_inside_a_text_is_no_number(void **state)
{
    static const char text[] =
        "{\"key\": [\"Infinity \\\" NaN\", NaN], \"configs_timings\": [[{\"kwargs\": "
        "{\"MODE\": \"NaN\"}}, [0.5, -Infinity, NaN]]]}";
    struct taken *t = *state;
    struct lore_import in;
    const struct lore_importer *used = NULL;
    struct lore_err err = {0};

    if (import_read(NULL, "k.autotune.json", text, sizeof text - 1, &t->arena, &in, &used, &err) !=
        LORE_OK)
        fail_msg("%s", err.msg);
    assert_string_equal(used->name, "triton-cache");
    assert_int_equal(in.refused, 0);
    assert_string_equal(
        lore_kvs_get(&in.doc->sweeps[0].workload.dims, "key0"), "\"Infinity \\\" NaN\"");
    assert_string_equal(lore_kvs_get(&in.doc->versions[0].params, "MODE"), "\"NaN\"");
}

static void
older_files_have_one_time_and_types_that_differ(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc =
        read_file(t, FIXTURES "triton/grouped_matmul.autotune.json", "triton-cache");
    const struct lore_sweep_data *d = sweep_data(&doc, 0);

    assert_int_equal(d->n, 2);
    assert_true(d->time_ns[0] == 500000);
    assert_true(d->time_ns[1] == 250000);
    assert_string_equal(doc.sweeps[0].workload.dtype, "bf16,f32");
    assert_string_equal(lore_kvs_get(&doc.sweeps[0].workload.dims, "key1"), "3");
    assert_string_equal(sweep_value(d, "maxnreg", 0), "128");
    assert_null(sweep_value(d, "maxnreg", 1));
    assert_int_equal(noted(format_named(t, "triton-cache"), LORE_IL_ERRORS,
                         "line 5: configs_timings[2]: expected a time"),
        1);
}

static void
a_printed_best_configuration_is_a_sweep_without_a_time(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_file(t, FIXTURES "triton/autotune_mi300x.log", "triton-log");
    const struct lore_sweep *s = &doc.sweeps[1];
    const struct lore_sweep_data *d = sweep_data(&doc, 1);

    assert_int_equal(doc.n_sweeps, 3);
    assert_int_equal(doc.n_versions, 3);
    assert_int_equal(doc.n_runs, 0); /* the board would show a version without a time */
    assert_string_equal(
        doc.versions[1].label, "BLOCK=2048 EVEN=true num_ctas=1 num_stages=3 num_warps=8");
    assert_string_equal(s->best[0].version, doc.versions[1].id);
    assert_string_equal(s->chip, "mi300x");
    assert_int_equal(d->n, 1);
    assert_true(d->time_ns[0] == 0);
    assert_non_null(strstr(s->extra, "(4096, 1024, 'torch.float16')"));
    assert_non_null(strstr(s->extra, "\"finished_after\":\"1.75s\""));
    assert_int_equal(noted(format_named(t, "triton-log"), LORE_IL_ERRORS, "line 8"), 1);
}

static void
printed_benchmark_results_are_a_sweep(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_file(t, FIXTURES "triton/autotune_mi300x.log", "triton-log");
    const struct lore_sweep_data *d = sweep_data(&doc, 2);

    assert_int_equal(d->n, 2);
    assert_true(d->time_ns[1] == 7500);
    assert_string_equal(sweep_value(d, "p80", 0), "0.0135");
    assert_string_equal(sweep_value(d, "BLOCK", 1), "256");
    assert_int_equal(noted(format_named(t, "triton-log"), LORE_IL_ERRORS, "line 13: time"), 1);
}

/* What a log and a cache file call the same configuration is one version. */
static void
a_log_and_a_cache_file_share_their_versions(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "triton");
    assert_int_equal(format_named(t, "triton-cache")->in.refused, 1);
    assert_int_equal(format_named(t, "triton-cache")->repeated[LORE_K_VERSION], 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        INTAKE(a_cache_file_is_one_sweep_with_medians),
        INTAKE(the_values_of_the_key_are_the_workload),
        INTAKE(an_infinite_time_is_a_failure),
        INTAKE(a_word_inside_a_text_is_no_number),
        INTAKE(older_files_have_one_time_and_types_that_differ),
        INTAKE(a_printed_best_configuration_is_a_sweep_without_a_time),
        INTAKE(printed_benchmark_results_are_a_sweep),
        INTAKE(a_log_and_a_cache_file_share_their_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
