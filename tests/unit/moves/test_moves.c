// uses: recommend
/* The model of experience as moves on small worlds whose truth is known: on one vendor's chips a
 * larger tile pays, on the other's it costs; padding fails on one vendor's with the largest tile.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "service/moves/moves_cells.h"
#include "service/moves/moves_predict.h"
#include "service/moves/moves_start.h"
#include "service/moves/moves_states.h"

static const struct lore_moves_chip chips[] = {
    {"n1", "nvidia", "ampere", "sm_86", NULL, 0},
    {"n2", "nvidia", "ampere", "sm_86", NULL, 0},
    {"n3", "nvidia", "turing", "sm_75", NULL, 0},
    {"m1", "amd", "cdna2", "gfx90a", NULL, 0},
    {"m2", "amd", "rdna2", "gfx1032", NULL, 0},
    {"m3", "amd", "rdna3", "gfx1100", NULL, 0},
};
enum { N2 = 1, M2 = 4, CHIPS = 6, ALL = -1 };
static const double tiles[] = {1, 2, 4, 8, 16}, blocks[] = {32, 64, 128, 256}, pads[] = {0, 1};

static uint32_t
state(struct lore_moves *m, const char *op, double tile, double block, double pad)
{
    struct lore_moves_setting s[] = {
        {"tile", NULL, tile}, {"block", NULL, block}, {"pad", NULL, pad}};

    return lore_moves_state(m, op, s, 3);
}

static bool
fails(int chip, double tile, double pad)
{
    return chip < 3 && tile == 16 && pad == 1;
}

static double
time_of(int chip, double tile, double block, double pad)
{
    double t = (chip < 3 ? pow(tile, -0.4) : pow(tile, 0.4)) * (block == 64 ? 1 : 1.2);

    return t * (pad > 0 ? 1.01 : 1) * (1 + chip);
}

static size_t
starts(const struct lore_moves *m, const char *op, uint32_t chip, size_t limit,
    struct lore_arena *arena, struct lore_moves_start *out)
{
    const struct lore_moves_wanted wanted = {.op = op, .chip = chip, .limit = limit};

    return lore_moves_starts(m, &wanted, arena, out);
}

/* All times on every chip but EXCEPT. */
static struct lore_moves *
world(struct lore_arena *arena, int except)
{
    struct lore_moves *m = lore_moves_new(arena);

    for (int c = 0; c < CHIPS; c++) {
        uint32_t chip = lore_moves_chip(m, &chips[c]);
        for (int i = 0; c != except && i < 40; i++) {
            double at[3] = {tiles[i % 5], blocks[i / 5 % 4], pads[i / 20]};
            double t = fails(c, at[0], at[2]) ? 0 : time_of(c, at[0], at[1], at[2]);
            lore_moves_time(m, state(m, "conv", at[0], at[1], at[2]), chip, t);
        }
    }
    lore_moves_fit(m);
    return m;
}

static struct lore_moves_forecast
ask(struct lore_moves *m, int chip, uint32_t from, uint32_t to)
{
    struct lore_moves_forecast f;

    lore_moves_predict(m, lore_moves_chip(m, &chips[chip]), from, &to, 1, &f);
    return f;
}

static void
test_the_order_of_settings_does_not_make_another_state(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);
    struct lore_moves_setting a[] = {{"tile", NULL, 4}, {"layout", "nchw", 0}};
    struct lore_moves_setting b[] = {{"layout", "nchw", 0}, {"tile", NULL, 4}};
    struct lore_moves_setting c[] = {{"layout", "nhwc", 0}, {"tile", NULL, 4}};

    (void)unused;
    assert_int_equal(lore_moves_state(m, "conv", a, 2), lore_moves_state(m, "conv", b, 2));
    assert_int_not_equal(lore_moves_state(m, "conv", a, 2), lore_moves_state(m, "conv", c, 2));
    assert_int_not_equal(lore_moves_state(m, "conv", a, 2), lore_moves_state(m, "gemm", a, 2));
    lore_arena_free(&arena);
}

static void
test_only_one_changed_parameter_is_a_move(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);
    uint32_t chip = lore_moves_chip(m, &chips[0]), a = state(m, "conv", 1, 32, 0);

    (void)unused;
    assert_true(lore_moves_tried(m, chip, a, state(m, "conv", 2, 32, 0), 0.1, false));
    assert_false(lore_moves_tried(m, chip, a, state(m, "conv", 2, 64, 0), 0.1, false));
    assert_false(lore_moves_tried(m, chip, a, a, 0, false));
    assert_false(lore_moves_tried(m, chip, a, state(m, "conv", 4, 32, 0), NAN, false));
    assert_false(lore_moves_tried(m, chip, a, state(m, "gemm", 2, 32, 0), 0.1, false));
    lore_arena_free(&arena);
}

static void
test_evidence_of_near_chips_outweighs_that_of_far_ones(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = world(&arena, N2);
    struct lore_moves_forecast f =
        ask(m, N2, state(m, "conv", 2, 64, 0), state(m, "conv", 4, 64, 0));

    (void)unused;
    assert_true(f.p_gain > 0.7);
    assert_true(f.expected > 0.1);
    assert_int_equal(f.reach, LORE_MOVES_SAME_ISA);
    assert_false(f.abstains);
    lore_arena_free(&arena);
    m = world(&arena, M2);
    f = ask(m, M2, state(m, "conv", 2, 64, 0), state(m, "conv", 4, 64, 0));
    assert_true(f.p_gain < 0.3);
    assert_true(f.expected < -0.1);
    assert_int_equal(f.reach, LORE_MOVES_SAME_VENDOR);
    lore_arena_free(&arena);
}

static void
test_a_move_tells_its_way_back(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = world(&arena, N2);
    uint32_t small = state(m, "conv", 2, 64, 0), large = state(m, "conv", 4, 64, 0);
    struct lore_moves_forecast up = ask(m, N2, small, large), down = ask(m, N2, large, small);

    (void)unused;
    assert_true(up.p_gain > down.p_gain + 0.4);
    assert_true(up.low <= up.expected && up.expected <= up.high);
    assert_float_equal(up.expected, log(pow(2, 0.4)), 0.03);
    lore_arena_free(&arena);
}

static void
test_an_operator_never_seen_gets_the_base_rate_and_an_abstention(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = world(&arena, ALL);
    struct lore_moves_forecast a =
        ask(m, N2, state(m, "gemm", 2, 64, 0), state(m, "gemm", 4, 64, 0));
    struct lore_moves_forecast b =
        ask(m, N2, state(m, "gemm", 4, 64, 0), state(m, "gemm", 2, 64, 0));

    (void)unused;
    assert_true(a.abstains && b.abstains);
    assert_int_equal(a.reach, LORE_MOVES_NO_EVIDENCE);
    assert_true(fabs(a.p_gain - b.p_gain) < 1e-9);
    assert_true(a.p_gain > 0.1 && a.p_gain < 0.5);
    assert_true(a.low < 0 && a.high > 0);
    lore_arena_free(&arena);
}

static void
test_an_empty_memory_abstains(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);

    (void)unused;
    lore_moves_fit(m);
    struct lore_moves_forecast f =
        ask(m, N2, state(m, "conv", 2, 64, 0), state(m, "conv", 4, 64, 0));
    assert_true(f.abstains);
    assert_true(f.p_gain > 0 && f.p_gain < 1);
    lore_arena_free(&arena);
}

static void
test_failures_travel_within_a_vendor_and_not_across(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = world(&arena, N2);
    uint32_t from = state(m, "conv", 16, 64, 0), to = state(m, "conv", 16, 64, 1);

    (void)unused;
    assert_true(ask(m, N2, from, to).p_fail > 0.7);
    lore_arena_free(&arena);
    m = world(&arena, M2);
    from = state(m, "conv", 16, 64, 0);
    to = state(m, "conv", 16, 64, 1);
    assert_true(ask(m, M2, from, to).p_fail < 0.05);
    lore_arena_free(&arena);
}

static void
test_starts_come_from_near_chips_and_are_not_repeated(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = world(&arena, N2);
    uint32_t chip = lore_moves_chip(m, &chips[N2]);
    struct lore_moves_start s[40];
    size_t n = starts(m, "conv", chip, 40, &arena, s);

    (void)unused;
    assert_true(n >= 3);
    assert_int_equal(s[0].state, state(m, "conv", 16, 64, 0));
    assert_true(s[0].fraction > 0.8 && s[0].low <= s[0].fraction && s[0].high >= s[0].fraction);
    for (size_t i = 0; i < n; i++)
        for (int b = 0; b < 4; b++)
            assert_int_not_equal(s[i].state, state(m, "conv", 16, blocks[b], 1));
    lore_moves_time(m, s[0].state, chip, 1);
    assert_int_equal(starts(m, "conv", chip, 1, &arena, &s[1]), 1);
    assert_int_not_equal(s[1].state, s[0].state);
    assert_int_equal(starts(m, "gemm", chip, 1, &arena, s), 0);
    lore_arena_free(&arena);
}

static void
test_own_results_overrule_those_of_other_chips(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = world(&arena, N2);
    uint32_t chip = lore_moves_chip(m, &chips[N2]);
    uint32_t a = state(m, "conv", 2, 64, 0), b = state(m, "conv", 4, 64, 0);
    double before = ask(m, N2, a, b).p_gain;

    (void)unused;
    for (int i = 0; i < 4; i++) /* on this one a larger tile costs after all */
        for (int k = 0; k < 5; k++)
            lore_moves_time(m, state(m, "conv", tiles[k], blocks[i], 0), chip, pow(tiles[k], 0.4));
    lore_moves_index(m);
    struct lore_moves_forecast f = ask(m, N2, a, b);
    assert_true(f.p_gain < before - 0.3);
    assert_true(f.expected < 0);
    assert_int_equal(f.reach, LORE_MOVES_SAME_CHIP);
    lore_arena_free(&arena);
}

static void
test_numbers_read_back_are_the_numbers(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = world(&arena, N2), *other = lore_moves_new(&arena);
    const char *text = lore_moves_numbers(m, &arena);
    struct lore_err err;

    (void)unused;
    assert_string_not_equal(lore_moves_numbers(other, &arena), text);
    assert_int_equal(lore_moves_numbers_set(other, text, &err), LORE_OK);
    assert_string_equal(lore_moves_numbers(other, &arena), text);
    assert_int_equal(lore_moves_numbers_set(other, "{\"field\": [1]}", &err), LORE_INVALID);
    assert_int_equal(lore_moves_numbers_set(other, "nonsense", &err), LORE_INVALID);
    assert_string_equal(lore_moves_numbers(other, &arena), text);
    lore_arena_free(&arena);
}

static void
test_workloads_of_a_chip_are_places_of_their_own_and_near(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = world(&arena, ALL);
    struct lore_moves_chip place = chips[N2];

    (void)unused;
    place.workload = "n=4096";
    place.size = 12;
    uint32_t id = lore_moves_chip(m, &place);
    assert_int_not_equal(id, lore_moves_chip(m, &chips[N2]));
    assert_int_equal(id, lore_moves_chip(m, &place));
    uint32_t from = state(m, "conv", 2, 64, 0), to = state(m, "conv", 4, 64, 0);
    struct lore_moves_forecast f;
    lore_moves_predict(m, id, from, &to, 1, &f);
    assert_true(f.p_gain > 0.7);
    assert_int_equal(f.reach, LORE_MOVES_OTHER_WORKLOAD);
    lore_arena_free(&arena);
}

/* A change told without a run of one of its states says that one's time, until it is run. */
static void
test_a_change_lends_the_time_that_no_run_says(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);
    uint32_t chip = lore_moves_chip(m, &chips[0]), a = state(m, "conv", 2, 64, 0),
             b = state(m, "conv", 4, 64, 0), c = state(m, "conv", 8, 64, 0);

    (void)unused;
    assert_true(lore_moves_tried(m, chip, a, b, log(2), false)); /* of what? */
    assert_null(lore_moves_cell_find(m, 0, chip));
    lore_moves_time(m, a, chip, 8);
    assert_true(lore_moves_tried(m, chip, a, b, log(2), false));
    const struct moves_cell *cell = lore_moves_cell_find(m, 0, chip);
    assert_float_equal(lore_moves_time_at(cell, m->state[b].at), 4, 1e-5);
    assert_true(lore_moves_tried(m, chip, c, b, log(0.5), false)); /* the way back */
    assert_float_equal(lore_moves_time_at(cell, m->state[c].at), 2, 1e-5);
    lore_moves_time(m, b, chip, 5);
    assert_true(lore_moves_tried(m, chip, a, b, log(2), false));
    assert_float_equal(lore_moves_time_at(cell, m->state[b].at), 5, 1e-5);
    lore_arena_free(&arena);
}

static void
test_versions_without_parameters_have_starts(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);
    struct lore_moves_start s[3];
    uint32_t id[3], chip = lore_moves_chip(m, &chips[0]);
    const char *const names[] = {"slow", "fast", "middling"};
    const double times[] = {4, 1, 2};

    (void)unused;
    for (int i = 0; i < 3; i++) {
        struct lore_moves_setting v = {"version", names[i], 0};
        id[i] = lore_moves_state(m, "softmax", &v, 1);
        lore_moves_time(m, id[i], chip, times[i]);
    }
    lore_moves_index(m);
    uint32_t other = lore_moves_chip(m, &chips[N2]);
    assert_int_equal(starts(m, "softmax", other, 3, &arena, s), 3);
    assert_int_equal(s[0].state, id[1]);
    lore_moves_time(m, id[1], chip, 9); /* a correction */
    assert_int_equal(starts(m, "softmax", other, 1, &arena, s), 1);
    assert_int_equal(s[0].state, id[2]);
    lore_arena_free(&arena);
}

/* What failed close by says nothing of how alike two places are, and must not make it unknown. */
static void
test_a_failure_nearby_leaves_what_is_said_of_a_move_a_number(void **state)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);
    uint32_t a = lore_moves_chip(m, &chips[0]), b = lore_moves_chip(m, &chips[N2]), id[2][3];
    struct lore_moves_forecast f;

    (void)state;
    for (int x = 0; x < 2; x++) {
        for (int y = 0; y < 3; y++) {
            struct lore_moves_setting s[] = {{"tile", NULL, x + 1}, {"block", NULL, 1000 + 10 * y}};
            id[x][y] = lore_moves_state(m, "op", s, 2);
        }
    }
    for (int y = 0; y < 2; y++) {
        lore_moves_time(m, id[0][y], a, 1);
        lore_moves_time(m, id[1][y], a, y);
    }
    lore_moves_time(m, id[0][2], b, 1);
    lore_moves_time(m, id[1][2], b, 0.9);
    lore_moves_index(m);
    lore_moves_predict(m, b, id[0][0], &id[1][0], 1, &f);
    assert_true(isfinite(f.p_gain) && isfinite(f.low) && isfinite(f.high));
    lore_arena_free(&arena);
}

/* 32 blocks of OP with two tiles on each of N places, the second LOG_SPEEDUP faster. */
static void
tell(struct lore_moves *m, const char *op, int n, double log_speedup)
{
    for (int c = 0; c < n; c++)
        for (int i = 0; i < 64; i++)
            lore_moves_time(m, state(m, op, 1 + i % 2, i / 2, 0), lore_moves_chip(m, &chips[c]),
                i % 2 ? exp(-log_speedup) : 1);
}

static void
test_an_operator_counts_once_for_the_base_rate_however_many_places_it_was_seen_on(void **unused)
{
    double p[2];

    (void)unused;
    for (int often = 0; often < 2; often++) {
        struct lore_arena arena = {0};
        struct lore_moves *m = lore_moves_new(&arena);
        struct lore_moves_forecast f;
        tell(m, "gains", often ? CHIPS : 1, 0.5);
        tell(m, "never", often ? 1 : CHIPS, 0);
        lore_moves_fit(m);
        uint32_t to = state(m, "new", 2, 32, 0);
        lore_moves_predict(m, lore_moves_chip(m, &chips[0]), state(m, "new", 1, 32, 0), &to, 1, &f);
        assert_true(f.abstains);
        p[often] = f.p_gain;
        lore_arena_free(&arena);
    }
    assert_float_equal(p[0], p[1], 0.01); /* other places, other dice */
    assert_true(p[0] > 0.25 / 3 && p[0] < 0.25);
}

/* Nobody measured the change itself anywhere, but both ends of it beside. */
static void
test_plain_results_around_a_change_tell_of_it(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = world(&arena, N2);
    uint32_t here = lore_moves_chip(m, &chips[N2]), from = state(m, "conv", 4, 64, 0);

    (void)unused;
    lore_moves_time(m, state(m, "conv", 4, 96, 0), here, 1);
    lore_moves_time(m, state(m, "conv", 6, 64, 0), here, 0.8);
    lore_moves_index(m);
    struct lore_moves_forecast f = ask(m, N2, from, state(m, "conv", 6, 64, 0));
    assert_true(f.expected > 0.05 && f.p_gain > 0.5);
    lore_arena_free(&arena);
}

/* How alike two places are cannot be learned from one, but how often moves gain can. */
static void
test_odds_are_right_on_average_where_one_place_is_known(void **unused)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);
    uint32_t known = lore_moves_chip(m, &chips[0]);
    double said = 0, gained = 0, n = 0;

    (void)unused;
    for (int i = 0; i < 40; i++)
        lore_moves_time(m, state(m, "conv", tiles[i % 5], blocks[i / 5 % 4], pads[i / 20]), known,
            time_of(0, tiles[i % 5], blocks[i / 5 % 4], pads[i / 20]));
    lore_moves_fit(m);
    for (int t = 2; t < 5; t++) { /* whence most changes lose */
        uint32_t from = state(m, "conv", tiles[t], 64, 0);
        for (int to = 0; to < 5; to++) {
            said += to != t ? ask(m, 2, from, state(m, "conv", tiles[to], 64, 0)).p_gain : 0;
            gained += to > t;
            n += to != t;
        }
        for (int b = 0; b < 4; b++) {
            said += b != 1 ? ask(m, 2, from, state(m, "conv", tiles[t], blocks[b], 0)).p_gain : 0;
            n += b != 1;
        }
    }
    assert_float_equal(said / n, gained / n, 0.08);
    lore_arena_free(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_failure_nearby_leaves_what_is_said_of_a_move_a_number),
        cmocka_unit_test(test_the_order_of_settings_does_not_make_another_state),
        cmocka_unit_test(test_only_one_changed_parameter_is_a_move),
        cmocka_unit_test(test_evidence_of_near_chips_outweighs_that_of_far_ones),
        cmocka_unit_test(test_a_move_tells_its_way_back),
        cmocka_unit_test(test_an_operator_never_seen_gets_the_base_rate_and_an_abstention),
        cmocka_unit_test(test_an_empty_memory_abstains),
        cmocka_unit_test(
            test_an_operator_counts_once_for_the_base_rate_however_many_places_it_was_seen_on),
        cmocka_unit_test(test_plain_results_around_a_change_tell_of_it),
        cmocka_unit_test(test_odds_are_right_on_average_where_one_place_is_known),
        cmocka_unit_test(test_failures_travel_within_a_vendor_and_not_across),
        cmocka_unit_test(test_starts_come_from_near_chips_and_are_not_repeated),
        cmocka_unit_test(test_own_results_overrule_those_of_other_chips),
        cmocka_unit_test(test_numbers_read_back_are_the_numbers),
        cmocka_unit_test(test_a_change_lends_the_time_that_no_run_says),
        cmocka_unit_test(test_versions_without_parameters_have_starts),
        cmocka_unit_test(test_workloads_of_a_chip_are_places_of_their_own_and_near),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
