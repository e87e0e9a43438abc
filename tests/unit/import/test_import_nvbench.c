// uses: import
/* The nvbench importer on files of two versions. */
#include "service/wire/wire.h"
#include "tests/unit/import_intake.h"

static struct lore_submission
read_file(struct taken *t, const char *path)
{
    take(t, path);
    return decoded(t, format_named(t, "nvbench"));
}

static double
metric(const struct lore_run *r, const char *name)
{
    for (size_t i = 0; i < r->metrics.n; i++)
        if (lore_streq(r->metrics.v[i].name, name))
            return r->metrics.v[i].value;
    fail_msg("no metric %s", name);
    return 0;
}

static void
a_state_is_a_run_with_its_axes_and_summaries(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_file(t, FIXTURES "nvbench/copy.json");
    const struct lore_run *r = &doc.runs[0];

    assert_int_equal(doc.n_runs, 1);
    assert_string_equal(doc.versions[0].label, "copy_sweep");
    assert_string_equal(r->chip, "h100-sxm");
    assert_string_equal(lore_kvs_get(&r->workload.dims, "Elements"), "1024");
    assert_true(r->summary.mean_ns.v == 6250);
    assert_true(metric(r, "nv/cold/sample_size") == 4321);
    assert_true(metric(r, "nv/cold/bw/global/bytes_per_second") == 1310720000.5);
    assert_string_equal(lore_kvs_get(&r->method, "nv/cold/time/gpu/stdev/relative"), "\"inf\"");
}

static void
a_state_that_measured_nothing_is_named(void **state)
{
    struct taken *t = *state;

    (void)read_file(t, FIXTURES "nvbench/copy.json");
    const struct lore_intake_format *f = format_named(t, "nvbench");
    assert_int_equal(noted(f, LORE_IL_EXTRA, "Elements=2^40: not enough memory"), 1);
    assert_int_equal(noted(f, LORE_IL_ERRORS, "Elements=2^11: no nv/cold"), 1);
    assert_int_equal(f->in.refused, 1);
}

static void
each_state_has_the_device_it_names(void **state)
{
    struct lore_submission doc = read_file(*state, FIXTURES "nvbench/types_old.json");

    assert_int_equal(doc.n_runs, 2);
    assert_int_equal(doc.n_versions, 1);
    assert_int_equal(doc.n_environments, 2);
    assert_string_equal(doc.runs[0].chip, "a4000");
    assert_string_equal(doc.runs[1].chip, "a100");
    assert_string_equal(lore_kvs_get(&doc.runs[0].workload.dims, "T"), "\"F32\"");
    assert_true(doc.runs[1].summary.mean_ns.v == 250000);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        INTAKE(a_state_is_a_run_with_its_axes_and_summaries),
        INTAKE(a_state_that_measured_nothing_is_named),
        INTAKE(each_state_has_the_device_it_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
