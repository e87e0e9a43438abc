// uses: recommend m
/* The median of many against sorting them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/recommend/middle.h"

enum { MOST = 300 };

static int
by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float
sorted_middle(const float *v, size_t n)
{
    float sorted[MOST];

    memcpy(sorted, v, n * sizeof *v);
    qsort(sorted, n, sizeof *sorted, by_value);
    return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2] + sorted[n / 2 - 1]) / 2;
}

/* Of every length, with KINDS different values. */
static void
compare(uint32_t kinds)
{
    uint64_t state = kinds;
    float v[MOST];

    for (size_t n = 1; n <= MOST; n++) {
        for (size_t i = 0; i < n; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            v[i] = (float)((state >> 33) % kinds) - (float)kinds / 2;
        }
        float expected = sorted_middle(v, n);
        assert_true(lore_middle(v, n) == expected);
    }
}

static void
it_is_what_sorting_finds(void **unused)
{
    (void)unused;
    compare(1000000);
}

static void
it_is_so_when_many_are_equal(void **unused)
{
    (void)unused;
    compare(1);
    compare(2);
    compare(7);
}

static void
an_order_there_was_makes_no_difference(void **unused)
{
    float up[MOST], down[MOST];
    (void)unused;

    for (int i = 0; i < MOST; i++) {
        up[i] = (float)i;
        down[i] = (float)(MOST - 1 - i);
    }
    assert_true(lore_middle(up, MOST) == 149.5f);
    assert_true(lore_middle(down, MOST) == 149.5f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_what_sorting_finds),
        cmocka_unit_test(it_is_so_when_many_are_equal),
        cmocka_unit_test(an_order_there_was_makes_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
