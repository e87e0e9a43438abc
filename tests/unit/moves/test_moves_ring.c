// uses: recommend
/* What the times of a place say of a move that nobody compared, in a small operator and in one that
 * is too large to look at all its states: tile 2 is 1.5 times as fast as tile 1 everywhere. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/moves/moves_cells.h"
#include "service/moves/moves_local.h"
#include "service/moves/moves_states.h"

static const struct lore_moves_chip chip = {"n1", "nvidia", "ampere", "sm_86", 48, 448, NULL, 0};
enum { SIDE = 92 }; /* blocks and depths: 2 * 92 * 92 states are many */

static uint32_t
state(struct lore_moves *m, double tile, double block, double depth)
{
    struct lore_moves_setting s[] = {
        {"tile", NULL, tile}, {"block", NULL, block}, {"depth", NULL, depth}};

    return lore_moves_state(m, "conv", s, 3);
}

static double
time_of(int tile, int block, int depth)
{
    return (tile == 2 ? 1 : 1.5) * (1 + 0.1 * block) * (1 + 0.2 * depth);
}

/* Tiles 1 and 2 with SIDE blocks and depths, all timed but the one block and depth. */
static struct lore_moves *
large(struct lore_arena *arena, int block, int depth)
{
    struct lore_moves *m = lore_moves_new(arena);
    uint32_t place = lore_moves_chip(m, &chip);

    for (int i = 0; i < 2 * SIDE * SIDE; i++) {
        int t = 1 + i % 2, b = i / 2 % SIDE + 1, d = i / 2 / SIDE + 1;
        uint32_t id = state(m, t, b, d);
        if (b != block || d != depth)
            lore_moves_time(m, id, place, time_of(t, b, d));
    }
    lore_moves_index(m);
    return m;
}

static struct moves_local
local(struct lore_moves *m, uint32_t from, uint32_t to, struct lore_arena *arena)
{
    const struct moves_cell *c =
        lore_moves_cell_find(m, m->state[from].op, lore_moves_chip(m, &chip));
    uint32_t param = lore_moves_differ(m, from, to);
    struct moves_look look;
    struct moves_ring ring;

    lore_moves_look(m, from, arena, &look);
    lore_moves_ring(m, &look, param, lore_moves_value(look.op, param, m->state[to].at), &ring);
    return lore_moves_local(c, &look, &ring, 0.1);
}

static void
test_a_place_that_timed_both_states_of_a_move_knows_the_move(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);
    uint32_t place = lore_moves_chip(m, &chip);
    uint32_t a = state(m, 1, 4, 4), b = state(m, 2, 4, 4), c = state(m, 2, 8, 4);

    (void)unused;
    lore_moves_time(m, a, place, 1.5);
    lore_moves_time(m, b, place, 1);
    lore_moves_time(m, c, place, 0);
    lore_moves_index(m);
    struct moves_local gain = local(m, a, b, &arena), loss = local(m, b, a, &arena);
    assert_float_equal(gain.w, 1, 1e-6);
    assert_float_equal(gain.mean, log(1.5), 1e-6);
    assert_float_equal(loss.mean, -log(1.5), 1e-6);
    assert_float_equal(local(m, b, c, &arena).fail, 1, 1e-6);
    assert_float_equal(local(m, c, b, &arena).w, 0, 1e-6); /* from what does not run */
    lore_moves_tried(m, place, a, b, 0.2, false);          /* compared: that is better known */
    lore_moves_index(m);
    gain = local(m, a, b, &arena);
    assert_float_equal(gain.w, 1, 1e-6);
    assert_float_equal(gain.mean, 0.2, 1e-6);
    lore_arena_free(&arena);
}

static void
test_in_a_large_operator_the_moves_beside_one_speak_for_it(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = large(&arena, 16, 16);
    struct moves_local here = local(m, state(m, 1, 16, 16), state(m, 2, 16, 16), &arena),
                       back = local(m, state(m, 2, 16, 16), state(m, 1, 16, 16), &arena);

    (void)unused;
    assert_true(lore_moves_large(&m->op[0]));
    /* the nearest states, of blocks and depths 15 and 17, are 0.09 octaves away */
    assert_true(here.w > 0.5 && here.w < 4);
    assert_float_equal(here.mean, log(1.5), 1e-5);
    assert_true(here.wide_w > 4 && here.wide_w < MOVES_BESIDE);
    assert_float_equal(here.wide_won, 1, 1e-6);
    assert_float_equal(back.mean, -log(1.5), 1e-5);
    assert_float_equal(back.wide_won, 0, 1e-6);
    lore_arena_free(&arena);
}

static void
test_in_a_large_operator_shifted_moves_of_the_parameter_speak_too(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = large(&arena, 0, 0);
    struct moves_look look;
    struct moves_ring ring;
    uint32_t from = state(m, 1, 16, 16), to = state(m, 1, 18, 16);
    uint32_t block = lore_moves_differ(m, from, to);
    bool found = false;

    (void)unused;
    lore_moves_look(m, from, &arena, &look);
    lore_moves_ring(m, &look, block, lore_moves_value(look.op, block, m->state[to].at), &ring);
    assert_int_equal(ring.from[0], m->state[from].at);
    assert_int_equal(ring.to[0], m->state[to].at);
    assert_float_equal(ring.d[0], 0, 1e-9);
    for (size_t i = 1; i < ring.n; i++) {
        found |= ring.from[i] == m->state[state(m, 1, 17, 16)].at &&
                 ring.to[i] == m->state[state(m, 1, 19, 16)].at;
        assert_true(ring.d[i] > 0 && ring.d[i] <= 4);
        assert_true(lore_moves_up(look.op, block, lore_moves_value(look.op, block, ring.from[i]),
            lore_moves_value(look.op, block, ring.to[i])));
    }
    assert_true(found);
    lore_arena_free(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_place_that_timed_both_states_of_a_move_knows_the_move),
        cmocka_unit_test(test_in_a_large_operator_the_moves_beside_one_speak_for_it),
        cmocka_unit_test(test_in_a_large_operator_shifted_moves_of_the_parameter_speak_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
