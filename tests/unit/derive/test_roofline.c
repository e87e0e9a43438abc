// uses: derive m
/* Rooflines and targets: the numbers, and what happens to them when an input is unknown. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/derive/roofline.h"
#include "tests/unit/near.h"

static struct lore_arena arena;
static struct lore_roofline r;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

#define INPUT(n, v)                                                                                \
    {                                                                                              \
        .known = true, .value = (v), .name = (n)                                                   \
    }
#define UNKNOWN(n)                                                                                 \
    {                                                                                              \
        .name = (n)                                                                                \
    }

/* A 128x128x4096 bf16 tile on a chip of 100 units, 1000 TFLOP/s and 4 TB/s. */
static struct lore_tile_in
tile(void)
{
    return (struct lore_tile_in){.tile_flops = INPUT("tile_flops", 2.0 * 128 * 128 * 4096),
        .tile_bytes = INPUT("tile_bytes", 2.0 * (128 * 4096 + 128 * 4096 + 128 * 128)),
        .grid_blocks = INPUT("grid_blocks", 250),
        .units = INPUT("units", 100),
        .peak_flops = INPUT("peak_flops", 1e15),
        .peak_bw = INPUT("peak_bw", 4e12),
        .ceiling_bw = UNKNOWN("ceiling_bw"),
        .time = INPUT("time", 1e-3)};
}

static void
names(const struct lore_result *x, const char *expected)
{
    char text[200] = "";

    assert_false(x->known);
    assert_near(x->value, 0, 0);
    for (size_t i = 0; i < x->n_unknown; i++) {
        strncat(text, i > 0 ? " " : "", sizeof text - strlen(text) - 1);
        strncat(text, x->unknown_inputs[i], sizeof text - strlen(text) - 1);
    }
    assert_string_equal(text, expected);
}

static void
a_memory_bound_tile_is_measured_against_bandwidth(void **state)
{
    struct lore_tile_in in = tile();
    double bytes = 2.0 * (128 * 4096 + 128 * 4096 + 128 * 128);
    (void)state;

    lore_roofline_tile(&in, LORE_TILE_PER_UNIT, &arena, &r);
    assert_near(r.ai.value, 2.0 * 128 * 128 * 4096 / bytes, 1e-12);
    assert_near(r.ridge.value, 250, 1e-12);
    assert_int_equal(r.bound, LORE_BOUND_MEMORY);
    assert_near(r.waves.value, 3, 0);
    assert_near(r.unit_util.value, 1, 0);
    assert_near(r.tile_time_min.value, bytes * 100 / 4e12, 1e-15);
    assert_near(r.time_min.value, 3 * bytes * 100 / 4e12, 1e-15);
    assert_near(r.actual_bw.value, 250 * bytes / 1e-3, 1);
    assert_near(r.utilisation.value, 250 * bytes / 1e-3 / 4e12, 1e-12);
    assert_ptr_equal(r.limit, &in.peak_bw);
    assert_false(r.done);
}

static void
a_measured_ceiling_is_preferred_and_named(void **state)
{
    struct lore_tile_in in = tile();
    (void)state;

    in.ceiling_bw = (struct lore_input)INPUT("ceiling_bw", 3.5e12);
    in.time.value = 1.55e-4;
    lore_roofline_tile(&in, LORE_TILE_PER_UNIT, &arena, &r);
    assert_ptr_equal(r.limit, &in.ceiling_bw);
    assert_true(r.utilisation.value > 0.9);
    assert_true(r.done);
    assert_near(r.ridge.value, 250, 1e-12); /* the ridge stays the specs' */
    in.ceiling_bw.known = false;
    lore_roofline_tile(&in, LORE_TILE_PER_UNIT, &arena, &r);
    assert_true(r.utilisation.value < 0.9);
    assert_false(r.done);
}

static void
at_the_ridge_a_tile_is_compute_bound(void **state)
{
    struct lore_tile_in in = tile();
    (void)state;

    in.tile_bytes.value = in.tile_flops.value / 250;
    in.grid_blocks.value = 50;
    lore_roofline_tile(&in, LORE_TILE_PER_UNIT, &arena, &r);
    assert_int_equal(r.bound, LORE_BOUND_COMPUTE);
    assert_near(r.waves.value, 1, 0);
    assert_near(r.unit_util.value, 0.5, 0);
    assert_near(r.best_flops.value, 0.5e15, 1); /* half the units idle */
    assert_ptr_equal(r.limit, &in.peak_flops);
    assert_near(r.utilisation.value, 50 * in.tile_flops.value / 1e-3 / 1e15, 1e-12);
}

static void
compatibility_gives_each_tile_the_whole_chip(void **state)
{
    struct lore_tile_in in = tile();
    (void)state;

    in.tile_bytes.value = in.tile_flops.value / 1000;
    lore_roofline_tile(&in, LORE_TILE_COMPAT, &arena, &r);
    assert_near(r.tile_time_min.value, in.tile_flops.value / 1e15, 1e-20);
    assert_near(r.best_flops.value, 1e15 * 250 / 3, 1e6); /* 83 times the chip's peak */
    lore_roofline_tile(&in, LORE_TILE_PER_UNIT, &arena, &r);
    assert_true(r.best_flops.value <= 1e15);
}

static void
an_unknown_peak_leaves_no_number_that_needs_it(void **state)
{
    struct lore_tile_in in = tile();
    (void)state;

    in.peak_flops = (struct lore_input)UNKNOWN("peak_flops.bf16.matrix.dense");
    lore_roofline_tile(&in, LORE_TILE_PER_UNIT, &arena, &r);
    assert_true(r.ai.known);
    assert_true(r.waves.known);
    assert_true(r.actual_flops.known);
    assert_int_equal(r.bound, LORE_BOUND_UNKNOWN);
    names(&r.ridge, "peak_flops.bf16.matrix.dense");
    names(&r.tile_time_min, "peak_flops.bf16.matrix.dense");
    names(&r.time_min, "peak_flops.bf16.matrix.dense");
    names(&r.best_flops, "peak_flops.bf16.matrix.dense");
    names(&r.utilisation, "peak_flops.bf16.matrix.dense");
    assert_null(r.limit);
    assert_false(r.done);
}

static void
every_unknown_input_is_named_once(void **state)
{
    struct lore_tile_in in = tile();
    (void)state;

    in.units = (struct lore_input)UNKNOWN("units");
    in.peak_bw = (struct lore_input)UNKNOWN("memory_bandwidth");
    in.time = (struct lore_input)UNKNOWN("time");
    lore_roofline_tile(&in, LORE_TILE_PER_UNIT, &arena, &r);
    names(&r.waves, "units");
    names(&r.unit_util, "units");
    names(&r.tile_time_min, "memory_bandwidth units");
    names(&r.time_min, "units memory_bandwidth");
    names(&r.actual_bw, "time");
    names(&r.utilisation, "memory_bandwidth time");
}

static void
inputs_that_make_no_sense_count_as_unknown(void **state)
{
    const struct lore_input zero = INPUT("peak_flops", 0), nan = INPUT("memory_bandwidth", NAN);
    const struct lore_input anonymous = {.known = true, .value = -1};
    struct lore_result x = lore_roofline_ridge(&zero, &nan, &arena);
    (void)state;

    names(&x, "peak_flops memory_bandwidth");
    x = lore_roofline_ridge(&anonymous, &nan, &arena);
    names(&x, "an unnamed input memory_bandwidth");
}

static void
an_algorithm_takes_the_longer_of_both_sides(void **state)
{
    struct lore_algo_in in = {.flops = INPUT("flops", 2e12),
        .bytes = INPUT("bytes", 1e9),
        .peak_flops = INPUT("peak_flops", 1e15),
        .peak_bw = INPUT("peak_bw", 4e12),
        .ceiling_bw = UNKNOWN("ceiling_bw"),
        .time = INPUT("time", 2.1e-3)};
    (void)state;

    lore_roofline_algorithm(&in, &arena, &r);
    assert_int_equal(r.bound, LORE_BOUND_COMPUTE);
    assert_near(r.time_min.value, 2e-3, 1e-15);
    assert_near(r.best_flops.value, 1e15, 1);
    assert_near(r.utilisation.value, 2. / 2.1, 1e-12);
    assert_true(r.done);
    assert_false(r.waves.known);
    assert_int_equal(r.waves.n_unknown, 0);

    in.flops.value = 0; /* a copy */
    in.time.value = 5e-4;
    lore_roofline_algorithm(&in, &arena, &r);
    assert_int_equal(r.bound, LORE_BOUND_MEMORY);
    assert_near(r.time_min.value, 2.5e-4, 1e-15);
    assert_near(r.utilisation.value, 0.5, 1e-12);
    assert_true(r.actual_flops.known);
    in.bytes = (struct lore_input)UNKNOWN("bytes");
    lore_roofline_algorithm(&in, &arena, &r);
    names(&r.ai, "bytes");
    names(&r.time_min, "bytes");
    names(&r.utilisation, "bytes");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_memory_bound_tile_is_measured_against_bandwidth, clean),
        cmocka_unit_test_teardown(a_measured_ceiling_is_preferred_and_named, clean),
        cmocka_unit_test_teardown(at_the_ridge_a_tile_is_compute_bound, clean),
        cmocka_unit_test_teardown(compatibility_gives_each_tile_the_whole_chip, clean),
        cmocka_unit_test_teardown(an_unknown_peak_leaves_no_number_that_needs_it, clean),
        cmocka_unit_test_teardown(every_unknown_input_is_named_once, clean),
        cmocka_unit_test_teardown(inputs_that_make_no_sense_count_as_unknown, clean),
        cmocka_unit_test_teardown(an_algorithm_takes_the_longer_of_both_sides, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
