// uses: import
/* The ktt importer on small files in both layouts of KTT's JSON: what a result, its counters and
 * its status become. */
#include <stdio.h>

#include "service/wire/sweep.h"
#include "service/wire/wire.h"
#include "tests/unit/import_intake.h"
#include "tests/unit/import_read.h"
#include "tests/unit/import_sweep.h"

static struct lore_submission
read_file(struct taken *t, const char *path)
{
    take(t, path);
    return decoded(t, format_named(t, "ktt"));
}

static void
a_result_is_a_configuration_with_what_the_compiler_and_the_profiler_say(void **state)
{
    struct lore_submission doc = read_file(*state, FIXTURES "ktt/blur_3060ti.json");
    const struct lore_sweep_data *d = sweep_data(&doc, 0);

    assert_int_equal(d->n, 4);
    assert_int_equal(d->n_parameters, 3);
    assert_string_equal(doc.sweeps[0].chip, "rtx3060ti");
    assert_string_equal(doc.sweeps[0].searched_at, "2025-02-03T14:05:06Z");
    assert_string_equal(doc.kernels[0].name, "blur");
    assert_int_equal(doc.kernels[0].language, LORE_LANG_CUDA);
    assert_true(d->time_ns[0] == 412500);
    assert_string_equal(sweep_value(d, "PADDED", 0), "false");
    assert_string_equal(
        sweep_value(d, "dram__throughput.avg.pct_of_peak_sustained_elapsed", 1), "88.75");
    assert_string_equal(sweep_value(d, "RegistersCount", 1), "52");
    assert_string_equal(sweep_value(d, "LocalSize.X", 1), "64");
    assert_string_equal(sweep_value(d, "KernelFunction", 1), "\"blurRows\"");
    assert_string_equal(sweep_value(d, "ValidationOverhead", 3), "13.25");
}

static void
the_best_configuration_has_its_counters_as_metrics(void **state)
{
    struct lore_submission doc = read_file(*state, FIXTURES "ktt/blur_3060ti.json");

    assert_int_equal(doc.n_versions, 1);
    assert_string_equal(doc.versions[0].label, "BLOCK_SIZE_X=64 PADDED=true VECTOR_SIZE=4");
    assert_int_equal(doc.n_runs, 1);
    assert_int_equal(doc.runs[0].metrics.n, 2); /* and not what the compiler says */
    assert_string_equal(
        doc.runs[0].metrics.v[0].name, "dram__throughput.avg.pct_of_peak_sustained_elapsed");
    assert_true(doc.runs[0].metrics.v[0].value == 88.75);
    assert_true(doc.runs[0].summary.mean_ns.v == 205750);
}

static void
a_status_other_than_ok_is_a_failure(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_file(t, FIXTURES "ktt/blur_3060ti.json");
    const struct lore_sweep_data *d = sweep_data(&doc, 0);

    assert_string_equal(sweep_why(d, 2)->said, "DeviceLimitsExceeded");
    assert_string_equal(sweep_why(d, 2)->type, "compilation");
    assert_string_equal(sweep_why(d, 3)->said, "ValidationFailed");
    assert_string_equal(sweep_why(d, 3)->type, "accuracy");
    assert_int_equal(format_named(t, "ktt")->in.refused, 1);
    assert_int_equal(noted(format_named(t, "ktt"), LORE_IL_ERRORS,
                         "Results[4]: Configuration[0]: expected Name and Value"),
        1);
}

static void
the_functions_of_a_kernel_have_names_of_their_own(void **state)
{
    struct lore_submission doc = read_file(*state, FIXTURES "ktt/scan_parts_A4000.json");
    const struct lore_sweep_data *d = sweep_data(&doc, 0);

    assert_int_equal(d->n, 2);
    assert_string_equal(sweep_value(d, "scanBlocks.Duration", 0), "20000.25");
    assert_string_equal(sweep_value(d, "addSums.LocalSize.X", 0), "128");
    assert_string_equal(sweep_value(d, "RATIO", 0), "0.25");
    assert_true(d->time_ns[0] == 31000500);
    assert_int_equal(doc.n_runs, 0); /* no workload and no counters */
    assert_string_equal(sweep_why(d, 1)->type, "compilation");
}

static void
the_unit_of_time_is_that_of_the_file(void **state)
{
    static const struct {
        const char *unit;
        double ns; /* 0: refused */
    } cases[] = {{"Nanoseconds", 5}, {"Milliseconds", 5e6}, {"Seconds", 5e9}, {"Fortnights", 0}};
    struct taken *t = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        struct lore_import in;
        const struct lore_importer *used = lore_importer_find("ktt");
        struct lore_err err = {0};
        (void)snprintf(text, sizeof text,
            "{\"Metadata\": {\"KttVersion\": \"2.1\", \"TimeUnit\": \"%s\"}, \"Results\": "
            "[{\"Status\": \"Ok\", \"TotalDuration\": 5, \"Configuration\": [{\"Name\": \"a\", "
            "\"Value\": 1}]}]}",
            cases[i].unit);
        enum lore_status status =
            import_read(used, "k.json", text, strlen(text), &t->arena, &in, &used, &err);
        assert_int_equal(status, cases[i].ns > 0 ? LORE_OK : LORE_INVALID);
        struct lore_sweep_data d;
        if (status != LORE_OK)
            continue;
        assert_int_equal(
            lore_sweep_read(&in.doc->sweeps[0].configurations, &t->arena, &d, NULL), LORE_OK);
        assert_true(d.time_ns[0] == cases[i].ns);
    }
}

static void
the_csv_of_older_versions_is_read_by_its_columns(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "ktt/vector_add_2080ti.csv");
    struct lore_submission doc = decoded(t, format_named(t, "ktt-csv"));
    const struct lore_sweep_data *d = sweep_data(&doc, 0);
    assert_int_equal(d->n, 3);
    assert_int_equal(d->n_parameters, 2);
    assert_string_equal(doc.sweeps[0].chip, "rtx2080ti");
    assert_true(d->time_ns[1] == 37250);
    assert_string_equal(sweep_value(d, "mode", 0), "\"plain\"");
    assert_string_equal(sweep_value(d, "Registers count", 1), "14");
    assert_string_equal(sweep_why(d, 2)->said, "ValidationFailed");
    assert_int_equal(doc.n_runs, 1);
    assert_int_equal(doc.runs[0].metrics.n, 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        INTAKE(a_result_is_a_configuration_with_what_the_compiler_and_the_profiler_say),
        INTAKE(the_best_configuration_has_its_counters_as_metrics),
        INTAKE(a_status_other_than_ok_is_a_failure),
        INTAKE(the_functions_of_a_kernel_have_names_of_their_own),
        INTAKE(the_unit_of_time_is_that_of_the_file),
        INTAKE(the_csv_of_older_versions_is_read_by_its_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
