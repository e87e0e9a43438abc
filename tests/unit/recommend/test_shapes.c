// uses: recommend base_abort m
/* Which workloads bear on one that is asked about, against distances worked out by hand and against
 * a comparison of every pair. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "service/recommend/shapes.h"
#include "tests/unit/near.h"

enum { GEMM = 7, CONV = 9 };

struct fixture {
    struct lore_arena arena;
    struct lore_shapes *shapes;
};

static int
setup(void **state)
{
    static struct fixture f;

    f = (struct fixture){.shapes = lore_shapes_new()};
    *state = &f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    lore_shapes_free(f->shapes);
    lore_arena_free(&f->arena);
    return 0;
}

/* "M=4096,N=64" as a shape. */
static struct lore_shape
shape(struct fixture *f, const char *dims, const char *dtype, const char *layout)
{
    struct lore_kvs *kvs = lore_alloc(&f->arena, sizeof *kvs);

    assert_int_equal(lore_dims_parse(dims, &f->arena, kvs, NULL), LORE_OK);
    return (struct lore_shape){kvs, dtype, layout};
}

static void
add(struct fixture *f, uint32_t op, uint32_t workload, const char *dims, const char *dtype)
{
    struct lore_shape s = shape(f, dims, dtype, NULL);

    lore_shapes_add(f->shapes, op, workload, &s);
}

/* How alike WORKLOAD is to DIMS; 0 when it is not returned. */
static double
alike(struct fixture *f, const char *dims, const char *dtype, uint32_t workload)
{
    struct lore_shape s = shape(f, dims, dtype, NULL);
    struct lore_shape_near *near;
    size_t n = lore_shapes_near(f->shapes, GEMM, &s, 1, &f->arena, &near);

    for (size_t i = 0; i < n; i++) {
        if (near[i].workload == workload)
            return near[i].alike;
    }
    return 0;
}

static void
the_same_dims_are_alike_by_one_and_an_octave_is_a_width(void **state)
{
    struct fixture *f = *state;

    add(f, GEMM, 1, "M=4096,N=4096", "f16");
    assert_near(alike(f, "M=4096,N=4096", "f16", 1), 1, 0);
    assert_near(alike(f, "N=4096,M=4096", "f16", 1), 1, 0);
    assert_near(alike(f, "M=8192,N=4096", "f16", 1), exp(-0.5), 1e-5);
    assert_near(alike(f, "M=2048,N=4096", "f16", 1), exp(-0.5), 1e-5);
    assert_near(alike(f, "M=8192,N=2048", "f16", 1), exp(-1), 1e-5);
    assert_near(alike(f, "M=65536,N=4096", "f16", 1), 0, 0); /* four octaves: too far */
}

static void
neighbouring_counts_do_not_fall_together(void **state)
{
    struct fixture *f = *state;
    const char *dims[] = {"p=-1", "p=0", "p=0.25", "p=0.5", "p=1", "p=2", "p=3"};

    for (uint32_t i = 0; i < 7; i++)
        add(f, GEMM, i, dims[i], NULL);
    for (uint32_t i = 0; i < 7; i++) {
        double nearer = 1;
        for (uint32_t k = i; k < 7; k++) {
            double next = alike(f, dims[i], NULL, k);
            assert_true(k == i ? next == 1 : next < nearer || nearer == 0);
            nearer = next;
        }
    }
    assert_in_range((uint64_t)(100 * alike(f, "p=0", NULL, 4)), 40, 60); /* 0 and 1: an octave */
}

static void
a_symbol_that_differs_costs_three_octaves_and_one_that_is_missing_one(void **state)
{
    struct fixture *f = *state;
    struct lore_shape_near *near;

    add(f, GEMM, 1, "M=64,mode=\"fwd\"", "f16");
    add(f, GEMM, 2, "M=64", "f16");
    struct lore_shape s = shape(f, "M=64,mode=\"bwd\"", "f16", NULL);
    assert_int_equal(lore_shapes_near(f->shapes, GEMM, &s, 3, &f->arena, &near), 2);
    assert_int_equal(near[0].workload, 2);
    assert_near(near[0].alike, exp(-1.0 / 18), 1e-6);
    assert_near(near[1].alike, exp(-9.0 / 18), 1e-6);
    s = shape(f, "M=64,mode=\"fwd\"", "bf16", NULL); /* a text that nobody recorded */
    assert_int_equal(lore_shapes_near(f->shapes, GEMM, &s, 3, &f->arena, &near), 2);
    assert_near(near[0].alike, exp(-9.0 / 18), 1e-6);
    assert_near(near[1].alike, exp(-10.0 / 18), 1e-6);
    s = shape(f, "M=64,seed=3", "f16", NULL); /* a dim that nobody recorded */
    assert_int_equal(lore_shapes_near(f->shapes, GEMM, &s, 3, &f->arena, &near), 2);
    assert_near(near[0].alike, exp(-1.0 / 18), 1e-6);
    s = shape(f, "M=\"64\"", "f16", NULL); /* a text in place of a number */
    assert_int_equal(lore_shapes_near(f->shapes, GEMM, &s, 3, &f->arena, &near), 2);
    assert_near(near[0].alike, exp(-9.0 / 18), 1e-6);
}

static void
operators_are_apart_and_a_workload_is_added_once(void **state)
{
    struct fixture *f = *state;
    struct lore_shape s = shape(f, "M=64", NULL, NULL), nothing = {0};
    struct lore_shape_near *near;

    add(f, GEMM, 1, "M=64", NULL);
    add(f, GEMM, 1, "M=128", NULL);
    add(f, CONV, 2, "M=64", NULL);
    assert_int_equal(lore_shapes_near(f->shapes, GEMM, &s, 1, &f->arena, &near), 1);
    assert_int_equal(near[0].workload, 1);
    assert_near(near[0].alike, 1, 0);
    assert_int_equal(lore_shapes_near(f->shapes, 11, &s, 1, &f->arena, &near), 0);
    assert_int_equal(lore_shapes_near(f->shapes, GEMM, &nothing, 1, &f->arena, &near), 0);
}

static void
dims_past_the_last_place_do_not_separate(void **state)
{
    struct fixture *f = *state;
    const char *dims = "d0=1", *last;

    for (int i = 1; i < LORE_SHAPE_DIMS; i++)
        dims = lore_format(&f->arena, "%s,d%d=1", dims, i);
    last = lore_format(&f->arena, "%s,more=2", dims);
    add(f, GEMM, 1, dims, NULL);
    add(f, GEMM, 2, last, NULL);
    assert_near(alike(f, dims, NULL, 1), 1, 0);
    assert_near(alike(f, dims, NULL, 2), 1, 0);
}

static uint32_t
chance(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 12;
}

static double
octaves(uint32_t v)
{
    return asinh(v) / M_LN2;
}

/* Three dims of numbers, a symbol, and one that some have. */
static void
what_is_returned_is_what_a_comparison_of_every_pair_finds(void **state)
{
    enum { N = 1000 };
    static uint32_t at[N][5];
    struct fixture *f = *state;
    struct lore_shape_near *near;
    uint32_t seed = 5;

    for (uint32_t i = 0; i < N; i++) {
        for (int d = 0; d < 5; d++)
            at[i][d] = d < 3 ? 1u << (chance(&seed) % 8) : chance(&seed) % 2;
        add(f, GEMM, i,
            lore_format(&f->arena, "a=%u,b=%u,c=%u%s", at[i][0], at[i][1], at[i][2],
                at[i][4] ? ",e=5" : ""),
            at[i][3] ? "f16" : "f32");
    }
    struct lore_shape s = shape(f, "a=16,b=4,c=64", "f16", NULL);
    size_t n = lore_shapes_near(f->shapes, GEMM, &s, 1.5, &f->arena, &near), expected = 0,
           found = 0;
    for (uint32_t i = 0; i < N; i++) {
        double a = octaves(at[i][0]) - octaves(16), b = octaves(at[i][1]) - octaves(4);
        double c = octaves(at[i][2]) - octaves(64), d = at[i][3] ? 0 : 3, e = at[i][4];
        double k = exp(-(a * a + b * b + c * c + d * d + e * e) / (2 * 1.5 * 1.5));
        expected += k > 0.02;
        for (size_t j = 0; j < n; j++) {
            if (near[j].workload != i)
                continue;
            assert_near(near[j].alike, k, 1e-4);
            found++;
        }
    }
    assert_true(expected > 50);
    assert_int_equal(n, expected);
    assert_int_equal(found, expected);
    for (size_t j = 1; j < n; j++)
        assert_true(near[j].alike <= near[j - 1].alike);
}

static void
of_very_many_the_closest_are_returned(void **state)
{
    enum { N = 20000 };
    struct fixture *f = *state;
    struct lore_shape_near *near;
    uint32_t seed = 3;

    for (uint32_t i = 0; i < N; i++) {
        uint32_t m = 4096 + (i * 7919u + chance(&seed) % 2) % N;
        add(f, GEMM, i, lore_format(&f->arena, "M=%u", m), NULL);
    }
    struct lore_shape s = shape(f, "M=4096", NULL, NULL);
    size_t n = lore_shapes_near(f->shapes, GEMM, &s, 1, &f->arena, &near);
    assert_in_range(n, 1000, 4096);
    assert_near(near[0].alike, 1, 1e-6);
    double apart = octaves(4096 + (uint32_t)n) - octaves(4096); /* nearly one of each M */
    assert_near(near[n - 1].alike, exp(-apart * apart / 2), 0.01);
    assert_true(lore_shapes_bytes(f->shapes) / N < 40);
}

int
main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(the_same_dims_are_alike_by_one_and_an_octave_is_a_width),
        TEST(neighbouring_counts_do_not_fall_together),
        TEST(a_symbol_that_differs_costs_three_octaves_and_one_that_is_missing_one),
        TEST(operators_are_apart_and_a_workload_is_added_once),
        TEST(dims_past_the_last_place_do_not_separate),
        TEST(what_is_returned_is_what_a_comparison_of_every_pair_finds),
        TEST(of_very_many_the_closest_are_returned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
