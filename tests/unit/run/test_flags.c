// uses: run
/* Flags over synthetic samples: how often steady noise raises one (the promised rates), and that
 * drifts and modes that are there are found. Numbers come from a fixed seed, so every count here is
 * the same everywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "collectors/run/flags.h"
#include "service/stats/random.h"
#include "service/wire/wire.h"

enum { TRIALS = 1000 };

static struct lore_arena arena;
static uint64_t seed;

static double
uniform(void)
{
    return ((double)(lore_random_next(&seed) >> 11) + 0.5) / 9007199254740992.0;
}

static double
normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* One sample of a kernel of 100 us: SHAPE of its noise, SIGMA in ns. */
static double
noise(char shape)
{
    switch (shape) {
    case 'n':
        return normal();
    case 'u':
        return 2 * uniform() - 1;
    case 'e':
        return -log(uniform());
    default:
        return exp(normal()); /* a long tail */
    }
}

static void
fill(int64_t *v, size_t n, char shape, double sigma, double tick)
{
    for (size_t i = 0; i < n; i++)
        v[i] = (int64_t)(tick * floor((100000 + sigma * noise(shape)) / tick));
}

static struct lore_flags
flags(const int64_t *v, size_t n)
{
    struct lore_flags f;

    lore_arena_reset(&arena);
    lore_flags_of(v, n, 1, &arena, &f);
    return f;
}

static int
free_arena(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static void
steady_noise_is_called_drift_at_most_once_in_a_hundred(void **state)
{
    static const char shapes[] = "nuel";
    static const size_t sizes[] = {12, 31, 60, 400};
    int64_t v[400];

    (void)state;
    for (const char *s = shapes; *s; s++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            int alarms = 0;
            seed = 7 + k;
            for (int t = 0; t < TRIALS; t++) {
                fill(v, sizes[k], *s, 2000, 32);
                alarms += flags(v, sizes[k]).drift;
            }
            /* 1 % of 1000, and three standard deviations of that count */
            if (alarms > 20)
                fail_msg("noise %c, n %zu: %d alarms in %d", *s, sizes[k], alarms, TRIALS);
        }
    }
}

static void
neighbours_that_resemble_each_other_are_called_drift_at_most_five_times_in_a_hundred(void **state)
{
    static const size_t sizes[] = {12, 31, 60, 400};
    int64_t v[400];

    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int alarms = 0;
        seed = 17 + k;
        for (int t = 0; t < TRIALS; t++) {
            double last = 0;
            for (size_t i = 0; i < sizes[k]; i++) {
                last = 0.6 * last + 0.8 * normal();
                v[i] = (int64_t)(100000 + 2000 * last);
            }
            alarms += flags(v, sizes[k]).drift;
        }
        if (alarms > 50)
            fail_msg("n %zu: %d alarms in %d", sizes[k], alarms, TRIALS);
    }
}

static void
steady_noise_is_called_bimodal_at_most_once_in_a_hundred(void **state)
{
    static const char shapes[] = "nuel";
    static const size_t sizes[] = {30, 60, 400};
    int64_t v[400];

    (void)state;
    for (const char *s = shapes; *s; s++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            int alarms = 0;
            seed = 11 + k;
            for (int t = 0; t < TRIALS; t++) {
                fill(v, sizes[k], *s, 2000, 32);
                alarms += flags(v, sizes[k]).bimodal;
            }
            if (alarms > 20)
                fail_msg("noise %c, n %zu: %d alarms in %d", *s, sizes[k], alarms, TRIALS);
        }
    }
}

static void
a_ramp_and_a_step_are_found(void **state)
{
    int64_t v[300];

    (void)state;
    seed = 3;
    for (int down = 0; down < 2; down++) {
        fill(v, 300, 'n', 500, 32);
        for (int i = 0; i < 300; i++)
            v[i] += (down ? -1 : 1) * i * 10; /* 3 % over the run */
        struct lore_flags f = flags(v, 300);
        assert_true(f.drift);
        assert_true(down ? f.drift_pct < -1.5 : f.drift_pct > 1.5);
    }
    fill(v, 300, 'n', 500, 32);
    for (int i = 150; i < 300; i++)
        v[i] += 5000;
    assert_true(flags(v, 300).drift);
}

static void
a_drift_too_small_to_matter_is_not_a_flag(void **state)
{
    int64_t v[300];

    (void)state;
    for (int i = 0; i < 300; i++)
        v[i] = 1000000 + i; /* certain, and 0.02 % */
    struct lore_flags f = flags(v, 300);
    assert_true(f.drift_known && !f.drift);
    assert_true(f.drift_p < 1e-6);
}

static void
two_modes_are_found_with_their_places_and_shares(void **state)
{
    int64_t v[200];

    (void)state;
    seed = 5;
    fill(v, 200, 'n', 300, 32);
    for (int i = 0; i < 200; i += 4)
        v[i] += 10000;
    struct lore_flags f = flags(v, 200);
    assert_true(f.bimodal);
    assert_true(fabs(f.low_ns - 100000) < 500 && fabs(f.high_ns - 110000) < 500);
    assert_true(fabs(f.high_share - 0.25) < 0.02);
    /* exact values, no noise at all */
    for (int i = 0; i < 200; i++)
        v[i] = i % 2 ? 10016 : 12032;
    assert_true(flags(v, 200).bimodal);
}

static void
neighbouring_ticks_of_the_timer_are_not_modes(void **state)
{
    int64_t v[200];

    (void)state;
    for (int i = 0; i < 200; i++)
        v[i] = i % 2 ? 3200 : 3232;
    assert_false(flags(v, 200).bimodal);
}

static void
few_samples_are_not_tested_and_equal_ones_raise_nothing(void **state)
{
    int64_t v[64];

    (void)state;
    for (int i = 0; i < 64; i++)
        v[i] = 100000;
    struct lore_flags f = flags(v, 11);
    assert_false(f.drift_known || f.modes_known);
    f = flags(v, 64);
    assert_true(f.drift_known && f.modes_known);
    assert_false(f.drift || f.bimodal || f.short_launch);
    assert_true(f.iqr_pct < 1e-9 && f.mad_pct < 1e-9);
    assert_int_equal(flags(v, 0).n, 0);
    assert_true(flags(v, 1).median_ns > 99999);
}

static void
a_short_launch_is_judged_by_the_launch_and_not_by_the_iteration(void **state)
{
    int64_t v[20];
    struct lore_flags f;

    (void)state;
    for (int i = 0; i < 20; i++)
        v[i] = 120000;
    lore_flags_of(v, 20, 1, &arena, &f);
    assert_false(f.short_launch);
    lore_flags_of(v, 20, 4, &arena, &f);
    assert_true(f.short_launch);
}

static void
the_words_name_flags_and_methods(void **state)
{
    int64_t v[200];
    struct lore_kvs method = {0};

    (void)state;
    seed = 5;
    fill(v, 200, 'n', 300, 32);
    for (int i = 0; i < 200; i++)
        v[i] += i * 50;
    struct lore_flags f = flags(v, 200);
    lore_flags_put(&arena, &f, &method);
    assert_string_equal(lore_kvs_get(&method, "flags"), "\"drift\"");
    assert_non_null(strstr(lore_kvs_get(&method, "drift"), "rose by 6."));
    assert_non_null(strstr(lore_kvs_get(&method, "drift_test"), "Mann-Kendall"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_noise_is_called_drift_at_most_once_in_a_hundred),
        cmocka_unit_test(
            neighbours_that_resemble_each_other_are_called_drift_at_most_five_times_in_a_hundred),
        cmocka_unit_test(steady_noise_is_called_bimodal_at_most_once_in_a_hundred),
        cmocka_unit_test(a_ramp_and_a_step_are_found),
        cmocka_unit_test(a_drift_too_small_to_matter_is_not_a_flag),
        cmocka_unit_test(two_modes_are_found_with_their_places_and_shares),
        cmocka_unit_test(neighbouring_ticks_of_the_timer_are_not_modes),
        cmocka_unit_test(few_samples_are_not_tested_and_equal_ones_raise_nothing),
        cmocka_unit_test(a_short_launch_is_judged_by_the_launch_and_not_by_the_iteration),
        cmocka_unit_test(the_words_name_flags_and_methods),
    };

    return cmocka_run_group_tests(tests, NULL, free_arena);
}
