// uses: recommend
/* How rough an operator is: what moves of one place leave untold of each other, and what follows
 * for the trust in other places. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/moves/moves_cells.h"
#include "service/moves/moves_places.h"
#include "service/moves/moves_rough.h"
#include "service/moves/moves_sources.h"
#include "service/stats/random.h"

static const struct lore_moves_chip near = {"n1", "nvidia", "ampere", "sm_86", 48, 448, NULL, 0},
                                    asked = {"n2", "nvidia", "ampere", "sm_86", 84, 768, NULL, 0};
enum { BLOCKS = 8, STEPS = 4 };

static uint32_t
state(struct lore_moves *m, const char *op, double tile, double block, double step)
{
    struct lore_moves_setting s[] = {
        {"tile", NULL, tile}, {"block", NULL, block}, {"step", NULL, step}};

    return lore_moves_state(m, op, s, 3);
}

/* Doubling the tile of OP gains 20 % everywhere, or where it is SCATTERED gains or loses it. */
static struct moves_cell *
tell_of(struct lore_moves *m, const struct lore_moves_chip *place, const char *op, bool scattered)
{
    uint32_t chip = lore_moves_chip(m, place);
    uint64_t seed = 5 + chip;

    for (int b = 0; b < BLOCKS; b++) {
        for (int s = 0; s < STEPS; s++) {
            double y = scattered && lore_random_below(&seed, 2) == 0 ? -0.2 : 0.2;
            assert_true(lore_moves_tried(m, chip, state(m, op, 1, 100 + b, 1 + s),
                state(m, op, 2, 100 + b, 1 + s), y, false));
        }
    }
    lore_moves_index(m);
    return lore_moves_cell_find(m, lore_moves_op_find(m, op), chip);
}

static struct moves_cell *
tell(struct lore_moves *m, const char *op, bool scattered)
{
    return tell_of(m, &near, op, scattered);
}

static void
test_scattered_effects_are_rough_and_alike_ones_are_not(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);
    const struct moves_cell *even = tell(m, "even", false), *wild = tell(m, "wild", true);

    (void)unused;
    assert_true(even->rough.n >= BLOCKS * STEPS);
    assert_true(even->rough.sum < 1e-6);
    assert_true(wild->rough.sum / wild->rough.n > 0.7);
    assert_true(lore_moves_rough(&m->op[even->op], NULL) < 0.5);
    assert_true(lore_moves_rough(&m->op[wild->op], NULL) > 1.2);
    lore_arena_free(&arena);
}

static void
test_without_its_only_place_an_operator_is_like_others(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);
    const struct moves_cell *c = tell(m, "even", false);

    (void)unused;
    assert_float_equal(lore_moves_rough(&m->op[c->op], c), 1, 1e-9);
    lore_arena_free(&arena);
}

static void
test_what_is_told_again_counts_once(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);
    const struct moves_cell *c = tell(m, "wild", true);
    const struct moves_seen before = m->op[c->op].rough;

    (void)unused;
    assert_ptr_equal(tell(m, "wild", true), c);
    assert_float_equal(m->op[c->op].rough.n, before.n, 1e-9);
    assert_true(lore_moves_tried(m, lore_moves_chip(m, &near), state(m, "wild", 2, 100, 1),
        state(m, "wild", 4, 100, 1), 0.2, false));
    lore_moves_index(m);
    assert_true(m->op[c->op].rough.n == c->rough.n);
    assert_float_equal(m->op[c->op].rough.sum, c->rough.sum, 1e-9);
    lore_arena_free(&arena);
}

static void
test_less_is_lost_between_chips_on_a_smooth_operator(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);
    const struct moves_cell *even = tell(m, "even", false), *wild = tell(m, "wild", true);
    uint32_t target = lore_moves_chip(m, &asked);
    struct moves_source source[2][MOVES_SOURCES];

    (void)unused;
    lore_moves_sources(m, even->op, target, lore_moves_rough(&m->op[even->op], NULL), source[0]);
    lore_moves_sources(m, wild->op, target, lore_moves_rough(&m->op[wild->op], NULL), source[1]);
    assert_true(source[0]->loss < 0.5 * source[1]->loss);
    lore_arena_free(&arena);
}

/* What learning finds for a place's own moves on an operator known on two chips. */
static double
own(bool scattered)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);

    tell_of(m, &near, "op", scattered);
    tell_of(m, &asked, "op", scattered);
    lore_moves_fit(m);
    double out = m->num.own;
    lore_arena_free(&arena);
    return out;
}

static void
test_own_results_are_believed_as_far_as_they_tell_of_each_other(void **unused)
{
    (void)unused;
    assert_true(own(false) < 0.1);
    assert_true(own(true) > 0.7);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scattered_effects_are_rough_and_alike_ones_are_not),
        cmocka_unit_test(test_without_its_only_place_an_operator_is_like_others),
        cmocka_unit_test(test_what_is_told_again_counts_once),
        cmocka_unit_test(test_own_results_are_believed_as_far_as_they_tell_of_each_other),
        cmocka_unit_test(test_less_is_lost_between_chips_on_a_smooth_operator),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
