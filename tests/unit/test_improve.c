// uses: derive
/* The improvement rule at its edges, and the choice among branches. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/derive/improve.h"
#include "service/derive/technique_verdict.h"

static const struct lore_f64 none;

static struct lore_f64
f64(double v)
{
    return (struct lore_f64){true, v};
}

static void
only_more_than_the_noise_is_an_improvement(void **state)
{
    (void)state;
    assert_true(lore_improved(true, f64(0.979), f64(1), 2));
    assert_false(lore_improved(true, f64(0.98), f64(1), 2)); /* exactly the noise */
    assert_false(lore_improved(true, f64(1), f64(1), 0));
    assert_true(lore_improved(true, f64(0.9999), f64(1), 0));
    assert_false(lore_improved(true, f64(1.5), f64(1), 2));
}

static void
the_first_validated_measurement_improves(void **state)
{
    (void)state;
    assert_true(lore_improved(true, f64(123), none, 2));
    assert_false(lore_improved(false, f64(123), none, 2));
}

static void
what_failed_validation_or_was_not_measured_never_improves(void **state)
{
    (void)state;
    assert_false(lore_improved(false, f64(0.1), f64(1), 2));
    assert_false(lore_improved(true, none, f64(1), 2));
    assert_false(lore_improved(true, none, none, 2));
    assert_false(lore_improved(true, f64(0), f64(1), 2));
    assert_false(lore_improved(true, f64(NAN), none, 2));
}

static void
the_status_is_one_of_three(void **state)
{
    (void)state;
    assert_string_equal(lore_improved_status(true, f64(0.5), f64(1), 2), "improved");
    assert_string_equal(lore_improved_status(true, f64(0.99), f64(1), 2), "regressed");
    assert_string_equal(lore_improved_status(false, f64(0.5), f64(1), 2), "failed_validation");
}

static void
the_champion_is_the_fastest_branch_that_passed(void **state)
{
    struct lore_improve_branch branches[] = {{"b1", true, {true, 3}}, {"b2", false, {true, 1}},
        {"b3", true, {true, 2}}, {"b4", true, {false, 0}}, {"b5", true, {true, 2}}};
    struct lore_arena arena = {0};
    struct lore_champion out;

    (void)state;
    lore_improve_champion(branches, 5, &arena, &out);
    assert_true(out.found);
    assert_int_equal(out.champion, 2);
    assert_int_equal(out.n_valid, 3);
    assert_int_equal(out.n_frontier, 2);
    assert_int_equal(out.frontier[0], 4);
    assert_int_equal(out.frontier[1], 0);
    branches[0].passed = branches[2].passed = branches[4].passed = false;
    lore_improve_champion(branches, 5, &arena, &out);
    assert_false(out.found);
    lore_improve_champion(NULL, 0, &arena, &out);
    assert_false(out.found);
    lore_arena_free(&arena);
}

static void
a_faster_kernel_stays_champion_when_its_signature_is_missing(void **state)
{
    struct lore_technique_facts facts = {.effect = LORE_X_WIN,
        .correctness = LORE_C_PASS,
        .n_techniques = 1,
        .isa = LORE_SIG_MISSING};

    (void)state;
    assert_int_equal(lore_technique_judge(&facts, NULL), LORE_TV_IMPLEMENTATION_FAILED);
    assert_true(lore_improved(true, f64(0.5), f64(1), 2));
}

static void
an_iteration_is_tried_again_three_times_and_then_failed(void **state)
{
    (void)state;
    assert_int_equal(lore_improve_retry(true, 0), LORE_RETRY_DONE);
    assert_int_equal(lore_improve_retry(true, 3), LORE_RETRY_DONE);
    assert_int_equal(lore_improve_retry(true, 9), LORE_RETRY_DONE);
    for (int64_t retries = -1; retries < 3; retries++)
        assert_int_equal(lore_improve_retry(false, retries), LORE_RETRY_AGAIN);
    assert_int_equal(lore_improve_retry(false, 3), LORE_RETRY_FAILED);
    assert_int_equal(lore_improve_retry(false, INT64_MAX), LORE_RETRY_FAILED);
    assert_string_equal(lore_retry_name(LORE_RETRY_FAILED), "failed");
    assert_string_equal(lore_retry_name((enum lore_retry)7), "unknown");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_more_than_the_noise_is_an_improvement),
        cmocka_unit_test(the_first_validated_measurement_improves),
        cmocka_unit_test(what_failed_validation_or_was_not_measured_never_improves),
        cmocka_unit_test(the_status_is_one_of_three),
        cmocka_unit_test(the_champion_is_the_fastest_branch_that_passed),
        cmocka_unit_test(a_faster_kernel_stays_champion_when_its_signature_is_missing),
        cmocka_unit_test(an_iteration_is_tried_again_three_times_and_then_failed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
