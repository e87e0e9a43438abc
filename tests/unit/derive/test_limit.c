// uses: derive
/* The shortest times of workloads: which rate binds, what the cache hides, and how sure the floor
 * is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/derive/limit.h"
#include "tests/unit/near.h"

/* An H200 in bf16. */
static const struct lore_peaks h200 = {989e12, 989e12, 4.8e12, 50e6};

static struct lore_work
work(double flops, double bytes)
{
    return (struct lore_work){{flops > 0, flops}, {bytes > 0, bytes}, 1, "a rule"};
}

static void
a_large_product_is_limited_by_operations(void **state)
{
    struct lore_work gemm = work(2 * 4096.0 * 4096 * 4096, 3 * 2 * 4096.0 * 4096);
    struct lore_limit l = lore_limit_of(&gemm, &h200);
    (void)state;

    assert_false(l.memory);
    assert_near(l.peak_ns, 138967.6, 0.1);
    assert_near(l.floor_ns, l.peak_ns / LORE_LIMIT_MARGIN, 1e-6);
}

static void
what_the_cache_can_hold_does_not_count_towards_the_floor(void **state)
{
    struct lore_work copy = work(0, 250e6), small = work(0, 40e6), with_few = work(1e6, 40e6);
    struct lore_peaks unknown_cache = h200;
    struct lore_limit l = lore_limit_of(&copy, &h200);
    (void)state;

    assert_true(l.memory && l.floor_memory);
    assert_near(l.peak_ns, 250e6 / 4.8e3, 1e-6);
    assert_near(l.floor_ns, 200e6 / 4.8e3 / LORE_LIMIT_MARGIN, 1e-6);
    l = lore_limit_of(&small, &h200);
    assert_near(l.peak_ns, 0, 0);
    assert_near(l.floor_ns, 0, 0);
    l = lore_limit_of(&with_few, &h200);
    assert_near(l.peak_ns, 0, 0); /* in the cache: no share of the memory's peak */
    assert_near(l.floor_ns, 1e6 / 989e3 / LORE_LIMIT_MARGIN, 1e-9);
    unknown_cache.cache = 0;
    l = lore_limit_of(&copy, &unknown_cache);
    assert_true(l.peak_ns > 0);
    assert_near(l.floor_ns, 0, 0);
}

static void
faster_units_and_skipped_halves_lower_the_floor_alone(void **state)
{
    struct lore_work w = work(1e12, 0), causal = w;
    struct lore_peaks f32 = {67e12, 494e12, 4.8e12, 50e6}, emulated = {67e12, 0, 4.8e12, 50e6};
    struct lore_limit l = lore_limit_of(&w, &f32);
    (void)state;

    assert_near(l.peak_ns, 1e12 / 67e3, 1e-3);
    assert_near(l.floor_ns, 1e12 / 494e3 / LORE_LIMIT_MARGIN, 1e-3);
    assert_near(lore_limit_of(&w, &emulated).floor_ns, 0, 0);
    causal.sure = 0.5;
    assert_near(lore_limit_of(&causal, &f32).floor_ns, l.floor_ns / 2, 1e-3);
    assert_near(lore_limit_of(&causal, &f32).peak_ns, l.peak_ns, 1e-3);
}

/* Whatever is known: the floor is below the peak by the margin at least, and what is unknown gives
 * no number. */
static void
the_floor_is_never_above_the_peak(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4096; i++) {
        struct lore_work w = work(i & 1 ? 1e9 * (1 + i % 7) : 0, i & 2 ? 1e7 * (1 + i % 13) : 0);
        struct lore_peaks p = {i & 4 ? 1e12 : 0, i & 4 ? 1e12 * (1 + i % 3) : 0,
            i & 8 ? 1e12 * (1 + i % 5) : 0, i & 16 ? 1e7 * (i % 9) : 0};
        struct lore_limit l = lore_limit_of(&w, &p);

        if (l.peak_ns > 0)
            assert_true(l.floor_ns * LORE_LIMIT_MARGIN <= l.peak_ns * (1 + 1e-12));
        if ((i & 5) != 5 && (i & 10) != 10) {
            assert_near(l.peak_ns, 0, 0);
            assert_near(l.floor_ns, 0, 0);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_product_is_limited_by_operations),
        cmocka_unit_test(what_the_cache_can_hold_does_not_count_towards_the_floor),
        cmocka_unit_test(faster_units_and_skipped_halves_lower_the_floor_alone),
        cmocka_unit_test(the_floor_is_never_above_the_peak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
