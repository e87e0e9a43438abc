// uses: recommend
/* The fastest states of a place stay the fastest when times are corrected, again and again, against
 * a sort of all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "service/moves/moves_cells.h"
#include "service/moves/moves_places.h"
#include "service/stats/random.h"

enum { STATES = 3 * MOVES_TOPS, CORRECTIONS = 20000 };

struct known {
    uint32_t at;
    float time;
};

static int
faster_first(const void *a, const void *b)
{
    const struct known *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* What ran, fastest first. */
static size_t
sorted(const double time[STATES], struct known out[STATES])
{
    size_t n = 0;

    for (uint32_t i = 0; i < STATES; i++)
        if (time[i] > 0)
            out[n++] = (struct known){i, (float)time[i]};
    qsort(out, n, sizeof *out, faster_first);
    return n;
}

static void
assert_fastest(const struct moves_cell *c, const double time[STATES])
{
    struct known all[STATES];
    size_t n = sorted(time, all);

    assert_int_equal(c->n_top, n < MOVES_TOPS ? n : MOVES_TOPS);
    for (size_t i = 0; i < c->n_top; i++)
        assert_int_equal(c->top[i], all[i].at);
    assert_true(c->best == (n > 0 ? all[0].time : 0));
}

/* At most MOST states; few different times, so that many are equal, and one in eight fails. */
static void
correct_often(uint32_t most)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);
    struct lore_moves_chip place = {"n1", "nvidia", "ampere", "sm_86", NULL, 0};
    uint32_t chip = lore_moves_chip(m, &place), state[STATES];
    double time[STATES] = {0};
    uint64_t seed = most;

    for (uint32_t i = 0; i < most; i++) {
        struct lore_moves_setting s = {"tile", NULL, i + 1};
        state[i] = lore_moves_state(m, "gemm", &s, 1);
    }
    for (int k = 0; k < CORRECTIONS; k++) {
        uint32_t i = lore_random_below(&seed, most);
        uint64_t what = lore_random_below(&seed, 8);
        time[i] = what == 0 ? -1 : 1 + (double)lore_random_below(&seed, 500);
        lore_moves_time(m, state[i], chip, time[i]);
        if (k < 200 || k % 97 == 0)
            assert_fastest(lore_moves_cell_find(m, lore_moves_op_find(m, "gemm"), chip), time);
    }
    lore_arena_free(&arena);
}

static void
the_fastest_stay_the_fastest_when_times_are_corrected(void **state)
{
    (void)state;
    correct_often(10);             /* all of them are listed */
    correct_often(MOVES_TOPS + 2); /* the list is full, or nearly */
    correct_often(STATES);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_stay_the_fastest_when_times_are_corrected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
