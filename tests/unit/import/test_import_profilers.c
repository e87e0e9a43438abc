// uses: import m
/* What the files of each profiler become, in two layouts per format, and what their reports say.
 * The numbers of real files are checked where they stand beside the checkout. */
#include <stdio.h>
#include <unistd.h>

#include "collectors/import/profilers/launches.h"
#include "collectors/import/profilers/launches_private.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/wire.h"
#include "tests/unit/import_intake.h"
#include "tests/unit/near.h"

#define REAL SOURCE_DIR "/../shared/data/"

static struct lore_program_profile
profile_of(struct taken *t, const char *format, const char *path, struct lore_submission *doc)
{
    take(t, path);
    *doc = decoded(t, format_named(t, format));
    assert_int_equal(doc->n_profiles, 1);
    return doc->profiles[0];
}

static const struct lore_metric *
metric_in(const struct lore_profile_shape *s, const char *name)
{
    for (size_t i = 0; i < s->metrics.n; i++)
        if (strcmp(s->metrics.v[i].name, name) == 0)
            return &s->metrics.v[i];
    fail_msg("no metric %s", name);
    return NULL;
}

static void
has_metric(const struct lore_profile_shape *s, const char *name, double value, const char *unit)
{
    const struct lore_metric *m = metric_in(s, name);

    assert_near(m->value, value, 1e-6 * (value > 1 ? value : 1));
    assert_string_equal(m->unit ? m->unit : "", unit);
}

static void
has_fact(const struct lore_kvs *list, const char *key, const char *json)
{
    const char *v = lore_kvs_get(list, key);

    if (!v || strcmp(v, json) != 0)
        fail_msg("%s is %s, not %s", key, v ? v : "absent", json);
}

/* ---- Nsight Compute ---- */

static void
ncu_raw_page_becomes_kernels_with_metrics_in_base_units(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc;
    struct lore_program_profile p = profile_of(t, "ncu", FIXTURES "ncu/raw_2025.csv", &doc);

    assert_string_equal(p.program, "bench");
    assert_string_equal(p.chip, "h100-sxm");
    assert_int_equal(p.launches.v, 3);
    assert_int_equal(p.n_lines, 2);
    assert_string_equal(p.lines[0].kernel, "scale_rows(float *, const float *, int)");
    assert_int_equal(p.lines[0].total_ns.v, 18432 + 18816);
    const struct lore_profile_shape *s = &p.lines[0].shapes[0];
    assert_int_equal(s->launches.v, 2);
    assert_int_equal(s->n_samples, 0); /* replayed: no time to compare */
    has_fact(&s->launch, "grid", "\"4096x1x1\"");
    has_fact(&s->launch, "block", "\"256x1x1\"");
    has_fact(&s->launch, "registers_per_thread", "40");
    has_fact(&s->launch, "launch__func_cache_config", "\"CachePreferNone\"");
    has_metric(s, "dram__bytes_read.sum", 33580000, "byte");
    has_metric(s, "gpu__time_duration.sum", 18624, "ns");
    assert_near(metric_in(s, "gpu__time_duration.sum")->min.v, 18432, 1e-6);
    assert_int_equal(metric_in(s, "gpu__time_duration.sum")->n.v, 2);
    assert_int_equal(metric_in(s, "flop_count_hp.sum")->missing, LORE_MISS_COUNTER_UNSUPPORTED);
    has_metric(&p.lines[1].shapes[0], "launch__shared_mem_per_block_dynamic", 16384, "byte/block");
    has_fact(&doc.environments[0].soft, "device__attribute_multiprocessor_count", "132");
}

static void
ncu_chatter_is_named_with_its_line(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "ncu/raw_2025.csv");
    const struct lore_intake_format *f = format_named(t, "ncu");
    assert_int_equal(noted(f, LORE_IL_EXTRA, "line 1: before the header"), 1);
    assert_int_equal(noted(f, LORE_IL_EXTRA, "line 7: not a row of the table: ==WARNING=="), 1);
    assert_int_equal(noted(f, LORE_IL_EXTRA, "line 10: not a row"), 1);
}

static void
ncu_numbers_of_another_locale_are_the_same_numbers(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc;
    struct lore_program_profile p = profile_of(t, "ncu", FIXTURES "ncu/raw_german.csv", &doc);

    assert_int_equal(p.lines[0].total_ns.v, 18432 + 18816);
    has_metric(&p.lines[0].shapes[0], "smsp__inst_executed.sum", 1310720, "inst");
}

static void
ncu_details_have_the_metrics_behind_their_labels_and_the_advice(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc;
    struct lore_program_profile p = profile_of(t, "ncu", FIXTURES "ncu/details_2022.csv", &doc);
    const struct lore_profile_shape *s = &p.lines[0].shapes[0];

    assert_string_equal(p.chip, "sm_80"); /* no product is named */
    assert_int_equal(p.launches.v, 1);
    assert_int_equal(p.total_ns.v, 19100);
    has_metric(s, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 61.83, "%");
    has_metric(s, "dram__bytes.sum.per_second", 912.34e9, "byte/s");
    has_metric(s, "dram__cycles_elapsed.avg.per_second", 1.51e9, "hz");
    has_metric(s, "sm__warps_active.avg.pct_of_peak_sustained_active", 15.18, "%");
    has_metric(s, "Queue Depth", 3, "");
    assert_non_null(strstr(p.extra, "\"speedup_pct\":38.17"));
    assert_non_null(strstr(p.extra, "The difference between \\\"theoretical\\\""));
    assert_non_null(strstr(p.extra, "\"section\":\"SpeedOfLight\""));
}

static void
ncu_header_of_2020_has_no_grid_and_no_capability(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc;
    struct lore_program_profile p = profile_of(t, "ncu", FIXTURES "ncu/details_2020.csv", &doc);

    assert_null(p.chip);
    assert_null(lore_kvs_get(&p.lines[0].shapes[0].launch, "grid"));
    has_metric(&p.lines[0].shapes[0], "dram__bytes_read.sum", 4096500, "byte");
    assert_int_equal(p.total_ns.v, 12500);
    assert_int_equal(noted(format_named(t, "ncu"), LORE_IL_DOUBTS, "name it with --chip"), 1);
}

/* ---- Nsight Systems ---- */

static void
nsys_export_becomes_a_profile_of_the_program(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc;
    struct lore_program_profile p =
        profile_of(t, "profiler-sqlite", FIXTURES "nsys/2025.sqlite", &doc);
    const struct lore_profile_shape *s = &p.lines[1].shapes[0];

    assert_string_equal(p.program, "train.py");
    assert_string_equal(p.chip, "h100-sxm");
    assert_string_equal(p.measured_at, "2025-02-03T04:05:06Z");
    assert_int_equal(p.launches.v, 7);
    assert_string_equal(p.lines[0].kernel, "tile_sum<32>(float *)");
    assert_string_equal(p.lines[0].symbol, "_Z8tile_sumILi32EEvPf");
    assert_int_equal(p.lines[0].total_ns.v, 4000 + 4100 + 3900);
    assert_int_equal(s->launches.v, 4);
    assert_int_equal(s->first_ns.v, 2500);
    assert_int_equal(s->n_samples, 3);
    assert_int_equal(s->samples_ns[0], 2400);
    has_fact(&s->launch, "grid", "\"4096x1x1\"");
    has_fact(&p.lines[0].shapes[0].launch, "dynamic_shared_bytes", "8192");
    assert_near(p.idle_pct.v, 100.0 * 6 * 500 / (21770 + 6 * 500), 1e-9);
    assert_int_equal(p.n_copies, 3);
    assert_string_equal(p.copies[0].kind, "host_to_device");
    assert_int_equal(p.copies[0].bytes.v, 131072);
    assert_string_equal(p.copies[2].kind, "fill");
    has_fact(&doc.environments[0].soft, "cuda", "\"12.6\"");
    assert_non_null(strstr(p.extra, "{\"name\":\"cudaLaunchKernel\",\"calls\":2,\"total_ns\":59}"));
    assert_non_null(strstr(p.extra, "\"warm up\""));
    assert_int_equal(noted(format_named(t, "profiler-sqlite"), LORE_IL_EXTRA, "ThreadNames 2"), 1);
}

static void
nsys_export_of_old_schema_lacks_columns_and_tables(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc;
    struct lore_program_profile p =
        profile_of(t, "profiler-sqlite", FIXTURES "nsys/2019.sqlite", &doc);

    assert_int_equal(p.launches.v, 3);
    assert_int_equal(p.total_ns.v, 90);
    assert_string_equal(p.lines[0].kernel, "scale_rows(float *, int)");
    assert_null(p.lines[0].symbol);
}

/* Environment variables of the profiled program often hold credentials. */
static void
databases_are_not_stored_and_their_variables_are_not_read(void **state)
{
    static const char *const files[] = {"nsys/2025.sqlite", "rocpd/schema3.db", "rocpd/schema2.db"};
    struct taken *t = *state;

    for (size_t i = 0; i < 3; i++)
        take(t, lore_format(&t->arena, FIXTURES "%s", files[i]));
    const struct lore_intake_format *f = format_named(t, "profiler-sqlite");
    for (size_t i = 0; i < f->n; i++) {
        assert_int_equal(f->documents[i].doc->n_artifacts, 0);
        assert_null(strstr(f->documents[i].body, "do-not-read-me"));
    }
    assert_int_equal(noted(f, LORE_IL_EXTRA, "schema2.db: "), 1);
}

/* ---- rocprofv3 ---- */

static void
is_saxpy(const struct lore_program_profile *p)
{
    const struct lore_profile_shape *s = &p->lines[0].shapes[0];

    assert_string_equal(p->program, "saxpy");
    assert_string_equal(p->chip, "mi300x");
    assert_int_equal(p->launches.v, 2);
    assert_int_equal(p->total_ns.v, 4200 + 4100);
    has_fact(&s->launch, "grid", "\"256x1x1\""); /* 65,536 work-items */
    has_metric(s, "SQ_WAVES", 1024, "");
    has_metric(s, "TCC_HIT", 1002.5, ""); /* 1000.5 of two instances, and 1004.5 */
    has_metric(s, "vgpr_count", 12, "");
    assert_int_equal(s->n_samples, 0); /* while counting */
    assert_int_equal(p->copies[0].bytes.v, 262144);
}

static void
rocpd_is_read_by_its_views_and_without_them(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "rocpd");
    struct lore_submission doc = decoded(t, format_named(t, "profiler-sqlite"));
    assert_int_equal(doc.n_profiles, 2);
    is_saxpy(&doc.profiles[0]);
    is_saxpy(&doc.profiles[1]);
}

static const struct lore_program_profile *
one_profile(struct taken *t, const char *path, struct lore_submission *doc)
{
    take(t, path);
    *doc = decoded(t, format_named(t, "rocprofv3"));
    assert_int_equal(doc->n_profiles, 1);
    return &doc->profiles[0];
}

static void
files_of_one_run_of_rocprofv3_are_one_profile(void **state)
{
    struct lore_submission doc;
    const struct lore_program_profile *p = one_profile(*state, FIXTURES "rocprofv3/2025", &doc);

    assert_string_equal(p->program, "312");
    assert_string_equal(p->chip, "mi300x"); /* of the agents' file */
    assert_int_equal(p->launches.v, 6);
    assert_string_equal(p->lines[0].kernel, "transpose<16>(float*, float const*)");
    has_fact(&p->lines[0].shapes[0].launch, "grid", "\"64x32x1\"");
    assert_int_equal(p->lines[1].n_shapes, 1); /* the counters have the product of the grid alone */
    assert_int_equal(p->lines[1].shapes[0].n_samples, 3); /* of the trace: nothing was counted */
    has_metric(&p->lines[1].shapes[0], "TCC_HIT_sum", 2050, "");
    assert_non_null(strstr(p->extra, "\"file\":\"312_hip_api_stats.csv\",\"Name\":\"hipMalloc\""));
    assert_non_null(strstr(
        p->extra, "\"HIP_RUNTIME_API\":[{\"name\":\"hipMalloc\",\"count\":2,\"total_ns\":800}"));
    assert_non_null(strstr(p->extra,
        "\"pc_samples of saxpy(float*, float const*, float, int)\":[{\"name\":\"s_waitcnt "
        "vmcnt(0); saxpy.cpp:12\",\"count\":2}"));
    assert_int_equal(p->copies[0].total_ns.v, 9000);
    assert_int_equal(doc.n_artifacts, 7); /* every file of the run is stored */
}

static void
counters_of_rocprofv3_alone_are_a_profile(void **state)
{
    struct lore_submission doc;
    const struct lore_program_profile *p =
        one_profile(*state, FIXTURES "rocprofv3/2025/312_counter_collection.csv", &doc);

    assert_int_equal(p->launches.v, 2);
    has_metric(&p->lines[0].shapes[0], "TCC_HIT_sum", 2050, "");
}

static void
statistics_of_rocprofv3_alone_are_kept_and_said_to_be_no_kernels(void **state)
{
    struct lore_submission doc;
    const struct lore_program_profile *p =
        one_profile(*state, FIXTURES "rocprofv3/2025/312_hip_api_stats.csv", &doc);

    assert_non_null(strstr(p->extra, "\"MaxNs\":80010"));
    assert_int_equal(
        noted(format_named(*state, "rocprofv3"), LORE_IL_DOUBTS, "names no kernel"), 1);
}

static void
samples_of_rocprofv3_alone_are_of_dispatches(void **state)
{
    struct lore_submission doc;
    const struct lore_program_profile *p =
        one_profile(*state, FIXTURES "rocprofv3/2025/312_pc_sampling_host_trap.csv", &doc);

    assert_non_null(strstr(p->extra, "\"pc_samples of dispatch 1\""));
}

static void
rocprofv3_layout_of_2024_has_other_columns(void **state)
{
    struct lore_submission doc;
    struct taken *t = *state;
    const struct lore_program_profile *p = one_profile(t, FIXTURES "rocprofv3/2024", &doc);

    has_metric(&p->lines[0].shapes[0], "lds_size", 2048, "");
    has_fact(&p->lines[0].shapes[0].launch, "grid", "\"100x1x1\"");
    has_metric(&p->lines[0].shapes[0], "SQ_INSTS_LDS", 15, "");
    assert_int_equal(noted(format_named(t, "rocprofv3"), LORE_IL_DOUBTS, "in one folder"), 1);
}

static void
counters_of_2024_alone_have_no_times(void **state)
{
    struct lore_submission doc;
    const struct lore_program_profile *p =
        one_profile(*state, FIXTURES "rocprofv3/2024/counter_collection.csv", &doc);

    has_metric(&p->lines[0].shapes[0], "SQ_INSTS_LDS", 15, "");
    has_fact(&p->lines[0].shapes[0].launch, "grid", "\"100\"");
    assert_int_equal(p->total_ns.v, 0);
}

/* ---- rocprof-compute ---- */

static void
rocprof_compute_workload_by_columns_joins_its_passes(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc;
    struct lore_program_profile p =
        profile_of(t, "rocprof-compute", FIXTURES "rocprof-compute/rocm5", &doc);
    const struct lore_profile_shape *s = &p.lines[0].shapes[0];

    assert_string_equal(p.chip, "mi210");
    assert_string_equal(p.program, "triad");
    assert_string_equal(p.lines[0].kernel, "triad(double*, double*, double*, int)");
    assert_int_equal(p.launches.v, 2);
    assert_int_equal(s->n_samples, 1); /* the first launch stands apart */
    has_metric(s, "TCC_HIT[0]", 100.5, "");
    has_metric(s, "TCC_HIT_sum", 210.5, "");
    has_metric(s, "SQ_LEVEL_WAVES_ACCUM", 123456.5, "");
    has_metric(s, "GRBM_GUI_ACTIVE", 21000.5, "");
    has_metric(s, "GRBM_GUI_ACTIVE (SQ_LEVEL_WAVES.csv)", 21900.5, ""); /* of another pass */
    has_fact(&doc.environments[0].soft, "rocm", "\"5.7.1\"");
    assert_null(lore_kvs_get(&doc.environments[0].hard, "compute_partition")); /* NA */
    assert_int_equal(doc.n_specs, 1);
    assert_string_equal(doc.specs[0].metric, "hbm_bandwidth");
    assert_near(doc.specs[0].value.v, 1388.79, 1e-9);
    assert_non_null(strstr(p.extra, "\"FP32Flops\":20942.3"));
}

static void
rocprof_compute_workload_by_rows(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc;
    struct lore_program_profile p =
        profile_of(t, "rocprof-compute", FIXTURES "rocprof-compute/rocm7", &doc);
    const struct lore_profile_shape *s = &p.lines[0].shapes[0];

    assert_string_equal(p.chip, "mi300x");
    assert_int_equal(p.launches.v, 2); /* of three passes */
    has_metric(s, "SQ_WAVES", 513.5, "");
    has_metric(s, "TCC_HIT_sum", 901.5 + 801.5, "");
    has_fact(&doc.environments[0].hard, "memory_partition", "\"NPS1\"");
}

/* ---- Kineto ---- */

static void
kineto_trace_becomes_kernels_copies_and_calls(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc;
    struct lore_program_profile p = profile_of(t, "kineto", FIXTURES "kineto/object.json", &doc);
    const struct lore_profile_shape *s = &p.lines[0].shapes[0];

    assert_string_equal(p.chip, "a100-sxm-80gb");
    assert_int_equal(p.launches.v, 4);
    assert_string_equal(p.lines[0].kernel, "ampere_sgemm_128x64_tn");
    assert_int_equal(p.lines[0].total_ns.v, 12500 + 12750 + 13000);
    has_fact(&s->launch, "grid", "\"8x4x1\"");
    has_fact(&s->launch, "registers_per_thread", "122");
    has_metric(s, "est. achieved occupancy %", 13, "%");
    assert_int_equal(p.n_copies, 2);
    assert_string_equal(p.copies[1].kind, "fill");
    assert_true(p.idle_pct.set);
    assert_non_null(
        strstr(p.extra, "\"cpu_op\":[{\"name\":\"aten::addmm\",\"count\":4,\"total_ns\":33000}]"));
}

static void
kineto_trace_may_be_the_list_alone(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc;
    struct lore_program_profile p = profile_of(t, "kineto", FIXTURES "kineto/list.json", &doc);

    assert_null(p.chip);
    assert_int_equal(p.launches.v, 4);
}

/* ---- bombs ---- */

/* Every launch has a kernel, a grid and a metric of its own. */
static void
launches_that_are_all_different_need_bounded_memory(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = {0};
    struct lore_import_file file = {.path = "bomb.csv"};
    struct lore_import in = {.arena = &t->arena, .doc = &doc, .at = &file, .file = "bomb.csv"};
    struct lore_launches *l = lore_launches_begin(&in);
    struct lore_program_profile p = {.tool = "test"};
    enum { LAUNCHES = 600000 };
    char name[400];

    memset(name, 'k', sizeof name);
    name[sizeof name - 1] = '\0';
    for (int i = 0; i < LAUNCHES; i++) {
        (void)snprintf(name, 32, "kernel%012d", i);
        name[strlen(name)] = '_';
        struct lore_launch_row x = {
            .kernel = name, .grid = {i + 1}, .dur_ns = 10, .start_ns = i, .id = i, .process = i};
        struct lore_launched *s = lore_launches_add(l, &x);
        (void)lore_launched_metric(l, s, name + 250, NULL, i);
    }
    assert_true(l->arena.used < (200u << 20));
    struct lore_err err = {0};
    if (lore_launches_finish(l, &p, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    assert_int_equal(doc.profiles[0].total_ns.v, 10 * doc.profiles[0].launches.v);
    assert_true(doc.profiles[0].n_lines <= 300);
    assert_true(in.lists[LORE_IL_EXTRA].n > 0);
    lore_launches_free(l);
}

/* ---- real files ---- */

static void
real_files_give_the_numbers_that_their_readme_states(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc;

    if (access(REAL "rocprof", R_OK) != 0)
        skip();
    take(t, REAL "rocprof/rocpd/vcopy_mi300x.db.gz");
    doc = decoded(t, format_named(t, "profiler-sqlite"));
    has_metric(&doc.profiles[0].lines[0].shapes[0], "SQ_WAVES", 16384, "");
    memset(&t->k, 0, sizeof t->k);
    take(t, REAL "rocprof/vcopy_MI300X_A1");
    doc = decoded(t, format_named(t, "rocprof-compute"));
    const struct lore_profile_shape *s = &doc.profiles[0].lines[0].shapes[0];
    has_metric(s, "SQ_WAVES", 16384, "");
    double hit = metric_in(s, "TCC_HIT_sum")->value, miss = metric_in(s, "TCC_MISS_sum")->value;
    assert_in_range((int)(100 * hit / (hit + miss)), 31, 35);
    memset(&t->k, 0, sizeof t->k);
    take(t, REAL "ncu/h200_raw.csv");
    doc = decoded(t, format_named(t, "ncu"));
    assert_int_equal(doc.profiles[0].n_lines, 3);
    memset(&t->k, 0, sizeof t->k);
    take(t, REAL "nsys/power_iteration.sqlite.gz");
    doc = decoded(t, format_named(t, "profiler-sqlite"));
    assert_int_equal(doc.profiles[0].launches.v, 3689);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, intake_setup, intake_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(ncu_raw_page_becomes_kernels_with_metrics_in_base_units),
        TEST(ncu_chatter_is_named_with_its_line),
        TEST(ncu_numbers_of_another_locale_are_the_same_numbers),
        TEST(ncu_details_have_the_metrics_behind_their_labels_and_the_advice),
        TEST(ncu_header_of_2020_has_no_grid_and_no_capability),
        TEST(nsys_export_becomes_a_profile_of_the_program),
        TEST(nsys_export_of_old_schema_lacks_columns_and_tables),
        TEST(databases_are_not_stored_and_their_variables_are_not_read),
        TEST(rocpd_is_read_by_its_views_and_without_them),
        TEST(files_of_one_run_of_rocprofv3_are_one_profile),
        TEST(counters_of_rocprofv3_alone_are_a_profile),
        TEST(statistics_of_rocprofv3_alone_are_kept_and_said_to_be_no_kernels),
        TEST(samples_of_rocprofv3_alone_are_of_dispatches),
        TEST(counters_of_2024_alone_have_no_times),
        TEST(rocprofv3_layout_of_2024_has_other_columns),
        TEST(rocprof_compute_workload_by_columns_joins_its_passes),
        TEST(rocprof_compute_workload_by_rows),
        TEST(kineto_trace_becomes_kernels_copies_and_calls),
        TEST(kineto_trace_may_be_the_list_alone),
        TEST(launches_that_are_all_different_need_bounded_memory),
        TEST(real_files_give_the_numbers_that_their_readme_states),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
