// uses: moves
/* Configurations of a sweep as trials: they are found by their parameters without a version, their
 * neighbours are moves, and a version with the same parameters is the same configuration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/moves/start.h"
#include "service/moves/trials.h"
#include "service/wire/sweep.h"

#define KERNEL "01J0000000000000000000KRN1"
#define SWEEP "01J0000000000000000000SWP1"
#define VERSION "01J0000000000000000000VRS1"

static struct lore_arena arena;

/* tile 1, 2, 4 and a text; the last of each text failed. */
static struct lore_sweep_data
data_of(void)
{
    static struct lore_sweep_column columns[] = {
        {"tile", NULL, "compute.thread_coarsening", "1 2 4 1 2 4"},
        {"order", NULL, NULL, "\"row\" \"row\" \"row\" \"col\" \"col\" \"col\""}};
    static struct lore_sweep_failed failed[] = {{"compilation", NULL, "2 5"}};
    const struct lore_configurations c = {.set = true,
        .count = {true, 6},
        .parameters = columns,
        .n_parameters = 2,
        .times_ns = "400 200 - 300 100 -",
        .failures = failed,
        .n_failures = 1};
    struct lore_sweep_data d;

    assert_int_equal(lore_sweep_read(&c, &arena, &d, NULL), LORE_OK);
    return d;
}

static void
count(void *ctx)
{
    ++*(int *)ctx;
}

static struct lore_trials *
told(int *pauses)
{
    struct lore_trials *t = lore_trials_new();
    struct lore_sweep_data d = data_of();
    const struct lore_trial_sweep s = {.seq = 1,
        .id = SWEEP,
        .op = "gemm",
        .kernel = KERNEL,
        .kernel_name = "tiled",
        .chip = "a100",
        .workload = "w",
        .size = 10,
        .evidence = LORE_EV_IMPORTED,
        .data = &d};

    lore_trials_sweep(t, &s, count, pauses);
    lore_trials_index(t);
    return t;
}

static void
the_technique_of_a_parameter_is_known(void **state)
{
    int pauses = 0;
    struct lore_trials *t = told(&pauses);

    (void)state;
    assert_string_equal(lore_trials_technique(t, "gemm", 0), "compute.thread_coarsening");
    assert_true(pauses > 0);
    lore_trials_free(t);
}

static void
a_start_elsewhere_names_the_sweep_until_a_version_has_the_parameters(void **state)
{
    int pauses = 0;
    struct lore_trials *t = told(&pauses);
    struct lore_start_place p = {.op = "gemm", .chip = lore_chip_find("a6000")};
    const struct lore_moves_setting settings[] = {{"tile", NULL, 2}, {"order", "col", 0}};
    const struct lore_trial_version v = {.id = VERSION,
        .op = "gemm",
        .kernel = KERNEL,
        .kernel_name = "tiled",
        .settings = settings,
        .n = 2};
    struct lore_start *start;

    (void)state;
    assert_true(lore_start_at(t, &p, &arena));
    assert_true(lore_start_versions(&p, 5, &arena, &start) > 0);
    assert_null(start[0].version);
    assert_string_equal(start[0].config.sweep, SWEEP);
    assert_int_equal(start[0].config.number.v, 4);
    lore_trials_version(t, &v);
    lore_trials_index(t);
    assert_true(lore_start_at(t, &p, &arena));
    assert_true(lore_start_versions(&p, 5, &arena, &start) > 0);
    assert_string_equal(start[0].version, VERSION);
    assert_null(start[0].config.sweep);
    lore_trials_free(t);
}

static void
what_failed_has_no_time_and_the_best_here_is_known(void **state)
{
    int pauses = 0;
    struct lore_trials *t = told(&pauses);
    struct lore_start_place p = {.op = "gemm", .chip = lore_chip_find("a100")};
    struct lore_next *next;
    const struct lore_start *best;

    (void)state;
    assert_true(lore_start_at(t, &p, &arena));
    assert_int_equal(p.measured, 6);
    assert_int_equal(lore_start_next(&p, 5, &arena, &next, &best), 0); /* all are measured */
    assert_non_null(best);
    assert_true(best->time_ns == 100);
    assert_int_equal(best->config.number.v, 4);
    lore_trials_free(t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_technique_of_a_parameter_is_known),
        cmocka_unit_test(a_start_elsewhere_names_the_sweep_until_a_version_has_the_parameters),
        cmocka_unit_test(what_failed_has_no_time_and_the_best_here_is_known),
    };
    int failed = cmocka_run_group_tests_name("trials sweep", tests, NULL, NULL);

    lore_arena_free(&arena);
    return failed;
}
