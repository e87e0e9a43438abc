// uses: run
/* Profiles of programs without an operator: lines, launch shapes, processes, time without a kernel,
 * and the run that an adopted line becomes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/run/adopt.h"
#include "collectors/run/trace_busy.h"
#include "tests/unit/collect_case.h"
#include "tests/unit/scratch.h"

static void
without_an_operator_a_program_has_one_profile(void **state)
{
    struct lore_observations c = case_collected();

    (void)state;
    for (int i = 0; i < 70; i++)
        case_group(&c.trace, lore_format(&arena, "k%d", i), 5, 100000 - i, 10);
    struct lore_submission *doc = case_collect(&c);
    assert_int_equal(doc->n_runs + doc->n_kernels + doc->n_versions, 0);
    assert_int_equal(doc->n_profiles, 1);
    const struct lore_program_profile *p = &doc->profiles[0];
    assert_int_equal(p->kernels.v, 70);
    assert_int_equal(p->n_lines, 70);
    assert_int_equal(p->launches.v, 350);
    assert_string_equal(p->lines[0].kernel, "k0(float *)");
    assert_string_equal(p->lines[0].symbol, "_Z2k0Pf");
    assert_int_equal(p->lines[0].total_ns.v, c.trace.groups[0].total_ns);
    const struct lore_profile_shape *s = &p->lines[0].shapes[0];
    assert_string_equal(lore_kvs_get(&s->launch, "grid"), "\"1024x1x1\"");
    assert_null(lore_kvs_get(&s->launch, "kernel")); /* the line names it */
    assert_int_equal(s->n_samples, 4);
    assert_int_equal(s->first_ns.v, 200000);
    assert_int_equal(s->max_ns.v, c.trace.groups[0].max_ns);
    assert_true(s->median_ns.v == 100030);
}

/* Ranks run the same kernels: their launches are one line, and what differs is kept. */
static void
processes_of_one_command_are_merged(void **state)
{
    struct lore_observations c = case_collected();
    struct lore_trace_process process[2] = {
        {.pid = 100, .launches = 30, .total_ns = 4000, .span_ns = 10000, .busy_ns = 4000},
        {.pid = 200, .launches = 10, .total_ns = 2000, .span_ns = 10000, .busy_ns = 1000}};

    (void)state;
    c.trace.processes = process;
    c.trace.n_processes = 2;
    case_group(&c.trace, "gemm", 20, 1000, 0);
    case_group(&c.trace, "gemm", 10, 3000, 0)->pid = 200;
    case_group(&c.trace, "fill", 10, 10, 0);
    const struct lore_program_profile *p = &case_collect(&c)->profiles[0];
    assert_int_equal(p->n_lines, 2);
    const struct lore_profile_line *line = &p->lines[0];
    assert_int_equal(line->launches.v, 30);
    assert_int_equal(line->processes.v, 2);
    assert_int_equal(line->process_min_ns.v, 21000); /* the first launch takes twice as long */
    assert_int_equal(line->process_max_ns.v, 33000);
    assert_true(line->median_ns.v == 1000);
    assert_int_equal(line->n_shapes, 1);
    assert_int_equal(line->shapes[0].samples_ns[0], 3000); /* of the process with the most time */
    assert_int_equal(line->shapes[0].n_samples, 9);
    assert_int_equal(p->lines[1].processes.v, 1);
    assert_int_equal(p->n_processes, 2);
    assert_true(p->idle_pct.v == 75);
}

/* An agent sends 8 MiB. */
static void
the_largest_profile_is_one_that_the_service_takes(void **state)
{
    struct lore_observations c = case_collected();

    (void)state;
    for (int i = 0; i < 1000; i++) {
        char *name = memset(lore_alloc(&arena, 70001), 'n', 70000);
        name[i % 400] = 'm';
        struct lore_trace_group *g = case_group(&c.trace, "k", 1001, 2000000000, 10);
        g->name = g->symbol = name;
        g->shape.grid[0] = (uint32_t)i;
    }
    struct lore_submission *doc = case_collect(&c);
    assert_int_equal(doc->profiles[0].kernels.v, 400);
    assert_int_equal(doc->profiles[0].n_lines, 300);
    assert_int_equal(doc->profiles[0].lines[0].shapes[0].n_samples, 400);
    struct lore_buf b = {.max = LORE_WIRE_SENT};
    assert_int_equal(lore_build_encode(doc, &b, NULL), LORE_OK);
    lore_buf_free(&b);
}

static void
launch_shapes_of_one_kernel_stand_below_its_line(void **state)
{
    struct lore_observations c = case_collected();

    (void)state;
    case_group(&c.trace, "k", 5, 90000, 10)->shape.grid[0] = 7;
    case_group(&c.trace, "k", 5, 100000, 10);
    const struct lore_program_profile *p = &case_collect(&c)->profiles[0];
    assert_int_equal(p->n_lines, 1);
    assert_int_equal(p->lines[0].n_shapes, 2);
    assert_string_equal(lore_kvs_get(&p->lines[0].shapes[1].launch, "grid"), "\"7x1x1\"");
}

static struct lore_submission *
adopt(const struct lore_run_options *what, const struct lore_adopted *of, enum lore_status wanted)
{
    struct lore_submission *doc = lore_alloc(&arena, sizeof *doc);
    struct lore_err err = {0};

    assert_int_equal(lore_adopt_run(what, of, &arena, doc, &err), wanted);
    return doc;
}

static void
an_adopted_line_is_a_run_of_what_the_user_names(void **state)
{
    struct lore_observations c = case_collected();
    struct lore_run_options what = {.op = "gemm", .dtype = "bf16", .language = LORE_LANG_CUDA};

    (void)state;
    case_host(&c);
    case_group(&c.trace, "k", 5, 100000, 10);
    case_group(&c.trace, "k", 5, 90000, 10)->shape.grid[0] = 7;
    const struct lore_program_profile *p = &case_collect(&c)->profiles[0];
    struct lore_adopted of = {p, 1, 2};
    lore_kvs_set(&arena, &what.dims, "M", "64");
    struct lore_submission *doc = adopt(&what, &of, LORE_OK);
    const struct lore_run *run = &doc->runs[0];
    assert_string_equal(doc->kernels[0].op, "gemm");
    assert_string_equal(
        doc->kernels[0].name, "k"); /* the kernel's name is part of what is compared */
    assert_string_equal(run->workload.dtype, "bf16");
    assert_string_equal(lore_kvs_get(&run->launch, "kernel"), "\"k(float *)\"");
    assert_string_equal(lore_kvs_get(&run->launch, "grid"), "\"7x1x1\"");
    assert_string_equal(run->chip, "h200");
    assert_string_equal(run->environment, p->environment);
    assert_int_equal(run->n_samples, 4);
    assert_int_equal(run->samples_ns[0], p->lines[0].shapes[1].samples_ns[0]);
    assert_non_null(lore_kvs_get(&run->method, "timer"));
    assert_string_equal(run->id, adopt(&what, &of, LORE_OK)->runs[0].id);
    lore_kvs_set(&arena, &what.dims, "M", "128");
    assert_string_not_equal(run->id, adopt(&what, &of, LORE_OK)->runs[0].id);
    of.shape = 3;
    (void)adopt(&what, &of, LORE_INVALID);
    of = (struct lore_adopted){p, 2, 1};
    (void)adopt(&what, &of, LORE_INVALID);
    of = (struct lore_adopted){p, 1, 1};
    what.op = NULL;
    (void)adopt(&what, &of, LORE_INVALID);
}

static void
kernels_get_short_names(void **state)
{
    static const char *const names[][2] = {{"k(float *)", "k"}, {"triton_poi_0", "triton_poi_0"},
        {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
         "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>)",
            "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, array<char*, 3ul>>"},
        {"void (anonymous namespace)::softmax<(int)4>(float const*)", "softmax<(int)4>"},
        {"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, 4>(int)",
            "kernel<int, 4>"},
        {"", ""}, {"void ", "void "}};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(lore_kernel_short_name(&arena, names[i][0]), names[i][1]);
}

static void
overlapping_and_late_launches_count_once(void **state)
{
    static const uint64_t launches[][2] = {
        {100, 200}, {300, 400}, {150, 250}, {200, 300}, {500, 510}, {450, 460}, {455, 505}};
    struct lore_trace_busy b = {0};

    (void)state;
    assert_int_equal(lore_trace_busy_ns(&b), 0);
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
        lore_trace_busy_add(&b, launches[i][0], launches[i][1]);
    assert_int_equal(lore_trace_busy_ns(&b), 300 + 60); /* 100 to 400, 450 to 510 */
    assert_int_equal(b.first_ns, 100);
    assert_int_equal(b.last_ns, 510);
}

static void
a_launch_before_the_window_counts_from_its_beginning(void **state)
{
    struct lore_trace_busy b = {0};

    (void)state;
    for (uint64_t i = 1; i <= 1000; i++)
        lore_trace_busy_add(&b, 100 * i, 100 * i + 10);
    assert_int_equal(lore_trace_busy_ns(&b), 10000);
    lore_trace_busy_add(&b, 0, 50); /* long ago: the window begins after it */
    assert_int_equal(lore_trace_busy_ns(&b), 10000);
    lore_trace_busy_add(&b, 0, 200000); /* over all that is still open */
    assert_true(lore_trace_busy_ns(&b) > 100000 && lore_trace_busy_ns(&b) < 200000);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_an_operator_a_program_has_one_profile),
        cmocka_unit_test(processes_of_one_command_are_merged),
        cmocka_unit_test(the_largest_profile_is_one_that_the_service_takes),
        cmocka_unit_test(launch_shapes_of_one_kernel_stand_below_its_line),
        cmocka_unit_test(an_adopted_line_is_a_run_of_what_the_user_names),
        cmocka_unit_test(kernels_get_short_names),
        cmocka_unit_test(overlapping_and_late_launches_count_once),
        cmocka_unit_test(a_launch_before_the_window_counts_from_its_beginning),
    };

    return cmocka_run_group_tests(tests, NULL, case_free);
}
