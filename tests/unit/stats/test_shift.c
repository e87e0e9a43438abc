// uses: stats m
/* Two samples' shift: the distribution of U against counting every order and against published
 * tables, and the interval against every way to deal ten values. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/stats/shift.h"
#include "service/stats/walsh.h"
#include "tests/unit/compare_sim.h"
#include "tests/unit/near.h"

static struct lore_arena arena;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

/* Pairs with x below y when bit i of ORDER says that the i-th smallest of N values is an x. */
static size_t
u_of(unsigned order, size_t n)
{
    size_t x = 0, u = 0;

    for (size_t i = 0; i < n; i++) {
        if (order >> i & 1)
            x++;
        else
            u += x;
    }
    return u;
}

static void
ranks_equal_those_of_counting_every_order(void **state)
{
    static const double tails[] = {0.001, 0.005, 0.025, 0.05, 0.25};
    (void)state;

    for (size_t n = 1; n <= 5; n++) {
        for (size_t m = 1; m <= 6; m++) {
            double seen[32] = {0}, orders = 0;
            for (unsigned o = 0; o < 1u << (n + m); o++) {
                if ((size_t)__builtin_popcount(o) != n)
                    continue;
                seen[u_of(o, n + m)]++;
                orders++;
            }
            for (size_t t = 0; t < 5; t++) {
                double below = 0;
                size_t k = 0;
                while (k <= n * m && below + seen[k] <= tails[t] * orders + 1e-9)
                    below += seen[k++];
                assert_int_equal(lore_shift_rank(n, m, tails[t] + 1e-12, &arena), k);
            }
        }
    }
}

static void
ranks_are_the_published_critical_values(void **state)
{
    (void)state;
    /* two-sided 5 % tables of Mann and Whitney's U: reject at 2, 23, 75 and 127 or less */
    assert_int_equal(lore_shift_rank(5, 5, 0.025, &arena), 2 + 1);
    assert_int_equal(lore_shift_rank(10, 10, 0.025, &arena), 23 + 1);
    assert_int_equal(lore_shift_rank(16, 16, 0.025, &arena), 75 + 1);
    assert_int_equal(lore_shift_rank(20, 20, 0.025, &arena), 127 + 1);
}

static void
counting_and_the_normal_approximation_meet(void **state)
{
    static const double tails[] = {0.0005, 0.005, 0.025};
    (void)state;

    for (size_t t = 0; t < 3; t++) {
        /* what the approximation says at the last size that is counted */
        double sd = sqrt(20 * 20 * 41 / 12.0), z = lore_walsh_normal_quantile(tails[t]);
        double near = floor(200 + z * sd + 0.5);
        size_t exact = lore_shift_rank(20, 20, tails[t], &arena);
        assert_true(near <= (double)exact); /* wider, if anything */
        assert_true(near >= (double)exact - 5);
        assert_in_range(lore_shift_rank(21, 20, tails[t], &arena), exact, exact + 10);
    }
}

static void
of_all_ways_to_deal_ten_values_at_most_alpha_show_a_shift(void **state)
{
    double v[10];
    uint64_t seed = 5;
    (void)state;

    for (size_t set = 0; set < 20; set++) {
        size_t shown = 0, ways = 0;
        for (size_t i = 0; i < 10; i++) /* every other set has ties */
            v[i] = set % 2 ? floor(3 * sim_uniform(&seed)) : exp(sim_normal(&seed));
        for (unsigned o = 0; o < 1024; o++) {
            double x[10], y[10];
            size_t n = 0, m = 0;
            struct lore_shift s;
            if (__builtin_popcount(o) != 5)
                continue;
            for (size_t i = 0; i < 10; i++) {
                if (o >> i & 1)
                    x[n++] = v[i];
                else
                    y[m++] = v[i];
            }
            lore_shift_interval(
                (struct lore_shift_side){x, n}, (struct lore_shift_side){y, m}, 0.05, &arena, &s);
            assert_true(s.bounded && s.low <= s.middle && s.middle <= s.high);
            shown += s.low > 0 || s.high < 0;
            ways++;
        }
        assert_int_equal(ways, 252);
        assert_true(shown <= 252 / 20);
        if (set % 2 == 0)
            assert_true(shown >= 6); /* and the test is not empty */
    }
}

static void
the_ends_are_differences_counted_from_outside(void **state)
{
    static const double x[] = {10, 20, 40, 80, 160}, y[] = {1, 2, 4, 7, 11};
    double d[25];
    struct lore_shift s;
    (void)state;

    for (size_t i = 0; i < 25; i++)
        d[i] = x[i / 5] - y[i % 5];
    qsort(d, 25, sizeof *d, lore_select_by_f64);
    lore_shift_interval(
        (struct lore_shift_side){x, 5}, (struct lore_shift_side){y, 5}, 0.05, &arena, &s);
    assert_near(s.low, d[2], 0);
    assert_near(s.high, d[22], 0);
    assert_near(s.middle, d[12], 0);
}

static void
too_few_values_bound_nothing(void **state)
{
    static const double x[] = {1, 2, 3, 4};
    struct lore_shift s;
    (void)state;

    lore_shift_interval((struct lore_shift_side){x, 4}, (struct lore_shift_side){x, 4}, 0.01,
        &arena, &s); /* 2 of 70 orders are 2.9 % */
    assert_false(s.bounded);
    assert_near(s.middle, 0, 0);
    lore_shift_interval(
        (struct lore_shift_side){x, 4}, (struct lore_shift_side){x, 4}, 0.05, &arena, &s);
    assert_true(s.bounded);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(ranks_equal_those_of_counting_every_order, clean),
        cmocka_unit_test_teardown(ranks_are_the_published_critical_values, clean),
        cmocka_unit_test_teardown(counting_and_the_normal_approximation_meet, clean),
        cmocka_unit_test_teardown(of_all_ways_to_deal_ten_values_at_most_alpha_show_a_shift, clean),
        cmocka_unit_test_teardown(the_ends_are_differences_counted_from_outside, clean),
        cmocka_unit_test_teardown(too_few_values_bound_nothing, clean),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
