// uses: derive
// The bottleneck that an experiment without one gets from metrics: which rule set decides, and what
// is not taken from it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/derive/bottleneck.h"

#define MEMORY "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
#define SM "sm__throughput.avg.pct_of_peak_sustained_elapsed"
#define BARRIER "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"
#define ACHIEVED "sm__warps_active.avg.pct_of_peak_sustained_active"
#define TENSOR "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"
#define BIT(l) (UINT32_C(1) << LORE_L_##l)

static struct lore_arena arena;

static int
close_arena(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static struct lore_shown_bottleneck
shown(const struct lore_metric *v, size_t n)
{
    struct lore_metric *copy = lore_memdup(&arena, v, n * sizeof *v);
    struct lore_metrics metrics = {.v = copy, .n = n, .cap = n};
    struct lore_shown_bottleneck out;

    lore_bottleneck_from_metrics(&metrics, &arena, &out);
    return out;
}

#define M(metric, number)                                                                          \
    (struct lore_metric)                                                                           \
    {                                                                                              \
        .name = metric, .value = number                                                            \
    }
#define SHOWN(...)                                                                                 \
    shown((const struct lore_metric[]){__VA_ARGS__},                                               \
        sizeof((const struct lore_metric[]){__VA_ARGS__}) / sizeof(struct lore_metric))

static void
the_side_that_is_near_its_limit_is_named_with_its_rule_set(void **state)
{
    struct lore_shown_bottleneck b = SHOWN(M(MEMORY, 82.5), M(SM, 28), M(BARRIER, 5));

    (void)state;
    assert_int_equal(b.labels, BIT(MEMORY)); /* and not sync, which the next set would add */
    assert_string_equal(b.rule_set, "speed-of-light@2");
    assert_int_equal(SHOWN(M(MEMORY, 43), M(SM, 74)).labels, BIT(COMPUTE));
    assert_int_equal(SHOWN(M(MEMORY, 2.4), M(SM, 0.2)).labels, BIT(LATENCY));
}

/* The numbers of tests/fixtures/h200/070-gemm_bf16_v7.json: its warps wait at barriers by design.
 */
static void
a_full_matrix_pipe_is_the_limit_whatever_memory_and_barriers_say(void **state)
{
    struct lore_shown_bottleneck b =
        SHOWN(M(MEMORY, 67.73), M(SM, 80.19), M(BARRIER, 6.76), M(TENSOR, 85.05));

    (void)state;
    assert_int_equal(b.labels, BIT(COMPUTE));
    assert_string_equal(b.rule_set, "speed-of-light@2");
    assert_int_equal(SHOWN(M(MEMORY, 95), M(TENSOR, 84)).labels, BIT(COMPUTE));
    assert_int_equal(
        SHOWN(M(MEMORY, 67.73), M(SM, 80.19), M(BARRIER, 6.76), M(TENSOR, 50)).labels, BIT(SYNC));
}

static void
what_the_first_set_has_no_verdict_for_is_asked_of_the_next(void **state)
{
    struct lore_shown_bottleneck b = SHOWN(M(MEMORY, 50), M(SM, 46), M(BARRIER, 5));

    (void)state;
    assert_int_equal(b.labels, BIT(SYNC));
    assert_string_equal(b.rule_set, "sync@1");
}

static void
mixed_is_an_answer_without_a_label(void **state)
{
    struct lore_shown_bottleneck b = SHOWN(M(MEMORY, 69), M(SM, 69), M(BARRIER, 0.1));

    (void)state;
    assert_int_equal(b.labels, 0);
    assert_null(b.rule_set);
    assert_true(b.answered);
}

static void
absent_metrics_answer_nothing(void **state)
{
    (void)state;
    assert_false(SHOWN(M(MEMORY, 82)).answered); /* of the other side nothing is known */
    assert_false(SHOWN(M("launch__registers_per_thread", 32)).answered);
    struct lore_metric absent[] = {M(MEMORY, 82), {.name = SM, .missing = LORE_MISS_NOT_COLLECTED}};
    assert_false(shown(absent, 2).answered);
}

static void
a_finding_of_low_confidence_is_no_label(void **state)
{
    struct lore_shown_bottleneck b = SHOWN(M(MEMORY, 82.5), M(SM, 28), M(ACHIEVED, 40),
        M("sm__maximum_warps_per_active_cycle_pct", 100)); /* no resource says why */

    (void)state;
    assert_int_equal(b.labels, BIT(MEMORY));
    b = SHOWN(M(MEMORY, 82.5), M(SM, 28), M(ACHIEVED, 40),
        M("sm__maximum_warps_per_active_cycle_pct", 100), M("launch__occupancy_limit_registers", 4),
        M("launch__occupancy_limit_warps", 8));
    assert_int_equal(b.labels, BIT(MEMORY) | BIT(OCCUPANCY));
}

static void
what_other_metrics_exclude_is_no_label(void **state)
{
    struct lore_shown_bottleneck b = SHOWN(M(ACHIEVED, 81), M(MEMORY, 50), M(SM, 50),
        M("sm__maximum_warps_per_active_cycle_pct", 125), M("launch__waves_per_multiprocessor", 3),
        M("launch__occupancy_limit_registers", 4), M("launch__occupancy_limit_warps", 8));

    (void)state;
    assert_int_equal(b.labels, 0); /* the theory is wrong: 81 % of the warps were active */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_side_that_is_near_its_limit_is_named_with_its_rule_set),
        cmocka_unit_test(a_full_matrix_pipe_is_the_limit_whatever_memory_and_barriers_say),
        cmocka_unit_test(what_the_first_set_has_no_verdict_for_is_asked_of_the_next),
        cmocka_unit_test(mixed_is_an_answer_without_a_label),
        cmocka_unit_test(absent_metrics_answer_nothing),
        cmocka_unit_test(a_finding_of_low_confidence_is_no_label),
        cmocka_unit_test(what_other_metrics_exclude_is_no_label),
    };

    return cmocka_run_group_tests(tests, NULL, close_arena);
}
