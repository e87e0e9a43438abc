// uses: derive m
/* The paired comparison: its verdicts, that it repeats, and what its interval covers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/derive/paired.h"
#include "service/stats/random.h"
#include "tests/unit/near.h"

static struct lore_arena arena;
static struct lore_err err;
static struct lore_paired out;
static const struct lore_f64 usual;

static void
samples_in_turns_have_several_names(void **state)
{
    (void)state;
    assert_true(lore_paired_order("versions in turns"));
    assert_true(lore_paired_order("abba"));
    assert_true(lore_paired_order("Interleaved"));
    assert_true(lore_paired_order("paired"));
    assert_false(lore_paired_order("one after the other"));
    assert_false(lore_paired_order(""));
    assert_false(lore_paired_order(NULL));
}

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

/* N pairs around 1 ms that drift by 20 %; B saves PCT +- NOISE percent. */
static void
make(int64_t *a, int64_t *b, size_t n, double pct, double noise, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        double drift = 1 + 0.2 * (double)i / (double)n;
        double u = (double)lore_random_below(&seed, 2001) / 1000 - 1;
        a[i] = (int64_t)(1e6 * drift);
        b[i] = (int64_t)(1e6 * drift * (1 - (pct + noise * u) / 100));
    }
}

static enum lore_paired_verdict
verdict(double pct, double noise, size_t n)
{
    static int64_t a[LORE_PAIRED_MAX], b[LORE_PAIRED_MAX];

    make(a, b, n, pct, noise, 3);
    assert_int_equal(lore_paired_compare((struct lore_paired_samples){a, b, n}, usual,
                         LORE_PAIRED_SEED, &arena, &out, &err),
        LORE_OK);
    return out.verdict;
}

static void
a_small_gain_is_confirmed_through_drift(void **state)
{
    (void)state;
    assert_int_equal(verdict(3, 1, 40), LORE_PAIRED_WIN);
    assert_near(out.median_pct, 3, 0.5);
    assert_true(out.low_pct < out.median_pct && out.median_pct < out.high_pct);
    assert_true(out.low_pct >= 0.5);
    assert_near(out.min_effect_pct, 0.5, 0);
}

static void
a_loss_is_confirmed_in_the_same_way(void **state)
{
    (void)state;
    assert_int_equal(verdict(-3, 1, 40), LORE_PAIRED_LOSS);
    assert_true(out.high_pct <= -0.5);
}

static void
what_noise_or_the_least_effect_hides_is_inconclusive(void **state)
{
    (void)state;
    assert_int_equal(verdict(1, 30, 40), LORE_PAIRED_INCONCLUSIVE);
    assert_int_equal(verdict(0.3, 0.01, 40), LORE_PAIRED_INCONCLUSIVE); /* sure, and too small */
    assert_true(out.low_pct > 0);
    assert_int_equal(verdict(0, 1, 40), LORE_PAIRED_INCONCLUSIVE);
}

static void
four_pairs_confirm_nothing(void **state)
{
    (void)state;
    assert_int_equal(verdict(50, 1, 4), LORE_PAIRED_INCONCLUSIVE);
    assert_int_equal(verdict(50, 1, 5), LORE_PAIRED_WIN);
}

static void
no_least_effect_still_needs_a_difference(void **state)
{
    int64_t a[10], b[10];

    (void)state;
    for (size_t i = 0; i < 10; i++)
        a[i] = b[i] = 1000;
    assert_int_equal(lore_paired_compare((struct lore_paired_samples){a, b, 10},
                         (struct lore_f64){true, 0}, 1, &arena, &out, &err),
        LORE_OK);
    assert_int_equal(out.verdict, LORE_PAIRED_INCONCLUSIVE);
}

static void
the_same_seed_gives_the_same_interval(void **state)
{
    int64_t a[31], b[31];
    struct lore_paired again;

    (void)state;
    make(a, b, 31, 2, 5, 9);
    assert_int_equal(
        lore_paired_compare((struct lore_paired_samples){a, b, 31}, usual, 7, &arena, &out, &err),
        LORE_OK);
    assert_int_equal(
        lore_paired_compare((struct lore_paired_samples){a, b, 31}, usual, 7, &arena, &again, &err),
        LORE_OK);
    assert_true(out.n == again.n && out.verdict == again.verdict);
    assert_true(out.median_pct == again.median_pct && out.low_pct == again.low_pct &&
                out.high_pct == again.high_pct && out.min_effect_pct == again.min_effect_pct);
}

static void
the_median_of_an_even_number_is_between_the_middle_ones(void **state)
{
    int64_t a[] = {100, 100, 100, 100}, b[] = {90, 80, 70, 60};

    (void)state;
    assert_int_equal(
        lore_paired_compare((struct lore_paired_samples){a, b, 4}, usual, 1, &arena, &out, &err),
        LORE_OK);
    assert_near(out.median_pct, 25, 1e-12);
    assert_true(out.low_pct >= 10 && out.high_pct <= 40);
}

static void
the_interval_covers_the_truth_about_as_often_as_it_says(void **state)
{
    int64_t a[30], b[30];
    int covered = 0;

    (void)state;
    for (uint64_t trial = 0; trial < 100; trial++) {
        make(a, b, 30, 2, 3, 1000 + trial);
        assert_int_equal(lore_paired_compare((struct lore_paired_samples){a, b, 30}, usual, trial,
                             &arena, &out, &err),
            LORE_OK);
        covered += out.low_pct <= 2 && 2 <= out.high_pct;
        lore_arena_reset(&arena);
    }
    assert_in_range(covered, 87, 100);
}

static void
bad_pairs_are_named(void **state)
{
    int64_t a[] = {1, 0}, b[] = {1, 1};
    static int64_t many[LORE_PAIRED_MAX + 1];

    (void)state;
    assert_int_equal(
        lore_paired_compare((struct lore_paired_samples){a, b, 2}, usual, 1, &arena, &out, &err),
        LORE_INVALID);
    assert_non_null(strstr(err.msg, "pairs[1]"));
    assert_int_equal(
        lore_paired_compare((struct lore_paired_samples){a, b, 0}, usual, 1, &arena, &out, &err),
        LORE_INVALID);
    assert_int_equal(lore_paired_compare((struct lore_paired_samples){a, b, 1},
                         (struct lore_f64){true, -1}, 1, &arena, &out, &err),
        LORE_INVALID);
    assert_int_equal(
        lore_paired_compare((struct lore_paired_samples){many, many, LORE_PAIRED_MAX + 1}, usual, 1,
            &arena, &out, &err),
        LORE_TOOBIG);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_in_turns_have_several_names),
        cmocka_unit_test(a_small_gain_is_confirmed_through_drift),
        cmocka_unit_test(a_loss_is_confirmed_in_the_same_way),
        cmocka_unit_test(what_noise_or_the_least_effect_hides_is_inconclusive),
        cmocka_unit_test(four_pairs_confirm_nothing),
        cmocka_unit_test(no_least_effect_still_needs_a_difference),
        cmocka_unit_test(the_same_seed_gives_the_same_interval),
        cmocka_unit_test(the_median_of_an_even_number_is_between_the_middle_ones),
        cmocka_unit_test(the_interval_covers_the_truth_about_as_often_as_it_says),
        cmocka_unit_test(bad_pairs_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, clean);
}
