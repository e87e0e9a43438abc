// uses: recommend
/* Where to start, what to change, what to measure next, in a small world: a kernel with a tile and
 * a block size that two NVIDIA chips and an AMD one were tuned with. On NVIDIA larger tiles pay, 16
 * does not build; on AMD they cost. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/text.h"
#include "service/moves/start.h"

static const double tiles[] = {1, 2, 4, 8, 16}, blocks[] = {32, 64, 128, 256};
enum { TILES = 5, BLOCKS = 4, VERSIONS = TILES * BLOCKS };
#define FOUR_KI "0123456789abcdef0123456789abcdef"

static struct lore_arena arena;

static const char *
id(int n)
{
    return lore_format(&arena, "01ARYZ6S41TSV4RRFFQ69G%04d", n);
}

static double
time_of(const char *chip, int v)
{
    bool nvidia = strcmp(chip, "mi250x") != 0;
    double tile = tiles[v % TILES], block = blocks[v / TILES];

    return 1e6 * (nvidia ? pow(tile, -0.4) : pow(tile, 0.4)) * (block == 64 ? 1 : 1.3);
}

static bool
fails(const char *chip, int v)
{
    return strcmp(chip, "mi250x") != 0 && tiles[v % TILES] == 16;
}

static void
version(struct lore_trials *t, int v, const char *kernel)
{
    struct lore_moves_setting s[] = {
        {"tile", NULL, tiles[v % TILES]}, {"block", NULL, blocks[v / TILES]}};

    lore_trials_version(
        t, &(struct lore_trial_version){id(v), "conv2d", kernel, "conv", s, 2, LORE_LANG_NONE});
}

static void
run(struct lore_trials *t, const char *v, const char *chip, enum lore_evidence class, double ns,
    enum lore_check check)
{
    lore_trials_run(t, &(struct lore_trial_run){.version = v,
                           .chip = chip,
                           .workload = FOUR_KI,
                           .size = 24,
                           .evidence = class,
                           .correctness = check,
                           .error = ns <= 0,
                           .time_ns = ns});
}

static bool
pair(struct lore_trials *t, const char *chip, int from, int to, const char *technique)
{
    return lore_trials_move(t, &(struct lore_trial_move){.from = id(from),
                                   .to = id(to),
                                   .chip = chip,
                                   .workload = FOUR_KI,
                                   .size = 24,
                                   .seq = 1 + from * 100 + to,
                                   .counts = true,
                                   .evidence = LORE_EV_IMPORTED,
                                   .failed = fails(chip, to),
                                   .log_speedup = log(time_of(chip, from) / time_of(chip, to)),
                                   .technique = technique});
}

static void
tune(struct lore_trials *t, const char *chip)
{
    for (int v = 0; v < VERSIONS; v++)
        run(t, id(v), chip, LORE_EV_IMPORTED, fails(chip, v) ? 0 : time_of(chip, v),
            LORE_C_NOT_CHECKED);
    for (int v = 0; v < VERSIONS; v++) {
        if (!fails(chip, v) && v % TILES < TILES - 1)
            assert_true(pair(t, chip, v, v + 1, "compute.thread_coarsening"));
        if (!fails(chip, v) && v / TILES < BLOCKS - 1)
            assert_true(pair(t, chip, v, v + TILES, "compute.launch_config"));
    }
    lore_trials_index(t);
}

static struct lore_trials *
world(void)
{
    struct lore_trials *t = lore_trials_new();

    /* of another operator, before all else */
    lore_trials_version(
        t, &(struct lore_trial_version){id(500), "gemm", "K0", "gemm", NULL, 0, LORE_LANG_NONE});
    run(t, id(500), "a4000", LORE_EV_MEASURED, 5, LORE_C_PASS);
    for (int v = 0; v < VERSIONS; v++)
        version(t, v, "K1");
    tune(t, "a100");
    tune(t, "rtx3090");
    tune(t, "mi250x");
    return t;
}

static bool
find_place(const struct lore_trials *t, const char *op, const char *chip, const char *workload,
    const char *kind, struct lore_start_place *p)
{
    *p = (struct lore_start_place){.op = op,
        .chip = lore_chip_find(chip),
        .workload = workload,
        .size = workload != NULL ? 24 : 0,
        .kind = kind};
    return lore_start_at(t, p, &arena);
}

static struct lore_start_place
at(const struct lore_trials *t, const char *chip)
{
    struct lore_start_place p;

    assert_true(find_place(t, "conv2d", chip, FOUR_KI, NULL, &p));
    return p;
}

static int
number_of(const char *version_id)
{
    for (int v = 0; v < VERSIONS; v++)
        if (lore_streq(version_id, id(v)))
            return v;
    fail_msg("%s is no version of this world", version_id);
    return -1;
}

/* ---- tests ---- */

static void
a_chip_never_seen_starts_from_what_is_good_on_chips_like_it(void **state)
{
    struct lore_trials *t = world();
    struct lore_start_place p = at(t, "a4000");
    struct lore_start *s;
    size_t n = lore_start_versions(&p, 5, &arena, &s);

    (void)state;
    assert_int_equal(p.measured, 0);
    assert_true(n >= 3);
    assert_string_equal(s[0].version, id(8)); /* tile 8, block 64 */
    assert_true(s[0].fraction.value > 0.65); /* of twenty measured there, and its best lacks some */
    assert_true(s[0].fraction.low <= s[0].fraction.value);
    assert_true(s[0].fraction.high >= s[0].fraction.value && s[0].fraction.high <= 1);
    assert_false(s[0].measured_here);
    assert_int_equal(s[0].n_from, 3);
    assert_string_equal(s[0].from[2].chip, "mi250x"); /* the furthest last */
    assert_true(s[0].from[0].fraction == 1.0);
    assert_true(s[0].from[2].fraction < 0.6);
    lore_trials_free(t);
}

static void
nothing_that_failed_on_a_chip_of_the_same_vendor_is_offered(void **state)
{
    struct lore_trials *t = world();
    struct lore_start_place p = at(t, "a4000"), amd = at(t, "mi300x");
    struct lore_start *s;
    struct lore_start_move *m;
    size_t n = lore_start_versions(&p, VERSIONS, &arena, &s), seen = 0;

    (void)state;
    for (size_t i = 0; i < n; i++)
        assert_true(tiles[number_of(s[i].version) % TILES] < 16);
    n = lore_start_moves(&p, id(8), false, 50, &arena, &m);
    for (size_t i = 0; i < n; i++)
        assert_true(tiles[number_of(m[i].to_version) % TILES] < 16);
    assert_true(n > 0);
    n = lore_start_versions(&amd, VERSIONS, &arena, &s); /* it builds there */
    for (size_t i = 0; i < n; i++)
        seen += tiles[number_of(s[i].version) % TILES] == 16;
    assert_true(seen > 0);
    lore_trials_free(t);
}

static void
moves_carry_the_name_that_their_experiments_gave_them(void **state)
{
    struct lore_trials *t = world();
    struct lore_start_place p = at(t, "a4000");
    struct lore_start_move *m;
    size_t n = lore_start_moves(&p, id(1), false, 50, &arena, &m), launches = 0;

    (void)state;
    assert_int_equal(n, TILES - 2 + BLOCKS - 1);
    for (size_t i = 0; i < n; i++) {
        bool block = strcmp(m[i].parameter, "block") == 0;
        assert_string_equal(
            m[i].technique, block ? "compute.launch_config" : "compute.thread_coarsening");
        assert_true(m[i].p_win.low <= m[i].p_win.value && m[i].p_win.value <= m[i].p_win.high);
        assert_true(i == 0 || m[i].p_win.value + 0.05 * m[i].gain.value <=
                                  m[i - 1].p_win.value + 0.05 * m[i - 1].gain.value + 1e-9);
        launches += block;
    }
    assert_int_equal(launches, BLOCKS - 1);
    /* what promises most does pay: a larger tile, or the block of 64 */
    assert_true(time_of("a4000", number_of(m[0].to_version)) < 0.95 * time_of("a4000", 1));
    lore_trials_free(t);
}

static void
a_version_without_parameters_has_no_moves_and_can_be_a_start(void **state)
{
    struct lore_trials *t = world();
    struct lore_start_place p;
    struct lore_start_move *m;
    struct lore_start *s;
    size_t n;

    (void)state;
    for (int i = 0; i < 2; i++)
        lore_trials_version(t, &(struct lore_trial_version){
                                   id(100 + i), "softmax", "K2", "soft", NULL, 0, LORE_LANG_NONE});
    assert_true(lore_trials_state(t, id(100)) == LORE_MOVES_NONE); /* it never ran */
    for (int i = 0; i < 2; i++)
        run(t, id(100 + i), "h200", LORE_EV_MEASURED, 1000 + 500 * i, LORE_C_PASS);
    lore_trials_index(t);
    assert_true(find_place(t, "softmax", "h100", FOUR_KI, NULL, &p));
    n = lore_start_versions(&p, 5, &arena, &s);
    assert_int_equal(n, 2);
    assert_string_equal(s[0].version, id(100));
    assert_int_equal(lore_start_moves(&p, id(100), false, 5, &arena, &m), 0);
    lore_trials_free(t);
}

static void
what_was_written_for_another_data_type_is_no_start(void **state)
{
    static const char *const kinds[] = {"f32|row", "bf16|tn", NULL};
    struct lore_trials *t = lore_trials_new();
    struct lore_start_place p;
    struct lore_start *s;

    (void)state;
    for (int i = 0; i < 3; i++) {
        lore_trials_version(
            t, &(struct lore_trial_version){id(i), "gemm", "K", "gemm", NULL, 0, LORE_LANG_NONE});
        lore_trials_run(t, &(struct lore_trial_run){.version = id(i),
                               .chip = "h200",
                               .workload = kinds[i] != NULL ? kinds[i] : "nobody said",
                               .kind = kinds[i],
                               .evidence = LORE_EV_MEASURED,
                               .time_ns = 100});
    }
    lore_trials_index(t);
    assert_true(find_place(t, "gemm", "h100", "new", "bf16|tn", &p));
    assert_int_equal(p.n_states, 2); /* and the one of which nobody knows */
    assert_int_equal(lore_start_versions(&p, 5, &arena, &s), 2);
    for (int i = 0; i < 2; i++)
        assert_string_not_equal(s[i].version, id(0));
    /* the kind of a known workload need not be said */
    assert_true(find_place(t, "gemm", "h100", "f32|row", NULL, &p));
    assert_string_equal(p.kind, "f32|row");
    lore_trials_free(t);
}

static void
a_parameter_with_more_values_than_there_are_configurations_is_stepped_through_by_those(void **state)
{
    struct lore_trials *t = lore_trials_new();
    struct lore_start_place p;
    struct lore_start_move *m;

    (void)state;
    for (int i = 0; i < 6; i++) { /* of another chip only: 6 configurations, 8 values with "none" */
        struct lore_moves_setting s[] = {
            {"tile", NULL, i < 5 ? 1 << i : 1}, {"stages", NULL, i / 5}};
        lore_trials_version(
            t, &(struct lore_trial_version){id(i), "scan", "K", "scan", s, 2, LORE_LANG_NONE});
        run(t, id(i), "a100", LORE_EV_MEASURED, 100 + i, LORE_C_PASS);
    }
    lore_trials_index(t);
    assert_true(find_place(t, "scan", "h100", FOUR_KI, NULL, &p));
    assert_int_equal(lore_start_moves(&p, id(0), false, 20, &arena, &m), 5);
    lore_trials_free(t);
}

static void
the_best_of_three_is_not_called_the_optimum(void **state)
{
    struct lore_trials *t = lore_trials_new();
    struct lore_start_place p;
    struct lore_start *s;

    (void)state;
    for (int i = 0; i < 3; i++) {
        lore_trials_version(
            t, &(struct lore_trial_version){id(i), "gemm", "K", "gemm", NULL, 0, LORE_LANG_NONE});
        run(t, id(i), "h200", LORE_EV_MEASURED, 100 + i, LORE_C_PASS);
    }
    lore_trials_index(t);
    assert_true(find_place(t, "gemm", "h100", FOUR_KI, NULL, &p));
    assert_int_equal(lore_start_versions(&p, 5, &arena, &s), 3);
    assert_string_equal(s[0].version, id(0));
    assert_true(s[0].fraction.value < 0.75 && s[0].fraction.low < 0.3);
    lore_trials_free(t);
}

static void
an_operator_that_nobody_measured_has_no_place_to_start(void **state)
{
    struct lore_trials *t = world();
    struct lore_start_place p;

    (void)state;
    assert_false(find_place(t, "scan", "a100", NULL, NULL, &p));
    lore_trials_free(t);
}

static void
without_a_workload_the_one_most_measured_is_meant(void **state)
{
    struct lore_trials *t = world();
    struct lore_start_place p;

    (void)state;
    assert_true(find_place(t, "conv2d", "a4000", NULL, NULL, &p));
    assert_true(p.assumed);
    assert_string_equal(p.workload, FOUR_KI);
    lore_trials_free(t);
}

static void
the_next_thing_to_measure_is_never_one_with_a_result_and_the_results_lead_on(void **state)
{
    struct lore_trials *t = world();
    bool told[VERSIONS] = {false};

    (void)state;
    for (int round = 0; round < 8; round++) {
        struct lore_start_place p = at(t, "a4000");
        const struct lore_start *best;
        struct lore_next *next;
        size_t n = lore_start_next(&p, 3, &arena, &next, &best);
        int v;

        assert_true(n > 0);
        for (size_t i = 0; i < n; i++) {
            v = number_of(next[i].version);
            assert_false(told[v]);
            assert_false(fails("a4000", v));
            assert_true((next[i].start != NULL) != (next[i].move != NULL));
        }
        assert_true((!best) == (round == 0));
        v = number_of(next[0].version);
        told[v] = true;
        run(t, id(v), "a4000", LORE_EV_MEASURED, time_of("a4000", v), LORE_C_PASS);
        lore_trials_index(t);
    }
    assert_true(told[8]); /* the best there is */
    lore_trials_free(t);
}

static void
the_best_measured_here_stands_among_the_starts(void **state)
{
    struct lore_trials *t = world();
    struct lore_start_place p;
    struct lore_start *s;
    size_t n, own = 0;

    (void)state;
    run(t, id(8), "a4000", LORE_EV_MEASURED, time_of("a4000", 8), LORE_C_PASS);
    lore_trials_index(t);
    p = at(t, "a4000");
    n = lore_start_versions(&p, 5, &arena, &s);
    assert_true(s[0].measured_here);
    assert_string_equal(s[0].version, id(8));
    assert_true(s[0].time_ns > 0);
    for (size_t i = 0; i < n; i++)
        own += s[i].measured_here;
    assert_int_equal(own, 1);
    p = at(t, "a100"); /* all of it was measured there */
    n = lore_start_versions(&p, 5, &arena, &s);
    assert_int_equal(n, 1);
    assert_true(s[0].fraction.value > 0.8);
    lore_trials_free(t);
}

static void
the_best_class_of_evidence_counts_and_its_median(void **state)
{
    struct lore_trials *t = world();
    struct lore_start_place p = at(t, "a100");
    uint32_t v = lore_trials_state(t, id(0));
    uint32_t here = p.at;
    enum lore_evidence evidence;

    (void)state;
    run(t, id(0), "a100", LORE_EV_CLAIMED, 7, LORE_C_NOT_CHECKED);
    assert_true(fabs(lore_trials_time(t, v, here, &evidence) - 1.3e6) < 1);
    assert_int_equal(evidence, LORE_EV_IMPORTED); /* which beats claimed */
    run(t, id(0), "a100", LORE_EV_MEASURED, 100, LORE_C_NOT_CHECKED);
    run(t, id(0), "a100", LORE_EV_MEASURED, 300, LORE_C_NOT_CHECKED);
    run(t, id(0), "a100", LORE_EV_MEASURED, 120, LORE_C_NOT_CHECKED);
    assert_true(lore_trials_time(t, v, here, NULL) == 120.0);
    run(t, id(0), "a100", LORE_EV_MEASURED, 0, LORE_C_NOT_CHECKED); /* it ran before */
    assert_true(lore_trials_time(t, v, here, NULL) == 120.0);
    run(t, id(0), "a100", LORE_EV_MEASURED, 90, LORE_C_FAIL);
    assert_true(lore_trials_time(t, v, here, NULL) < 0);
    run(t, id(0), "a100", LORE_EV_MEASURED, 110, LORE_C_PASS); /* and right later */
    assert_true(lore_trials_time(t, v, here, NULL) > 0);
    lore_trials_free(t);
}

static void
a_change_is_told_when_the_time_of_one_of_its_versions_rests_on_it(void **state)
{
    struct lore_trials *t = world();
    struct lore_trial_move m = {.from = id(0),
        .to = id(1),
        .chip = "a100",
        .workload = FOUR_KI,
        .counts = true,
        .log_speedup = 0.5,
        .evidence = LORE_EV_CLAIMED};

    (void)state;
    assert_true(lore_trials_move(t, &m));
    assert_false(lore_trials_told(t, &m)); /* both have runs */
    m.to = id(7);                          /* two parameters */
    assert_false(lore_trials_move(t, &m));
    m.to = id(900); /* nobody told of it */
    assert_false(lore_trials_move(t, &m));
    lore_trials_free(t);
}

static void
versions_with_the_same_parameters_are_one_configuration_unless_they_are_of_one_kernel(void **state)
{
    struct lore_trials *t = lore_trials_new();

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct lore_moves_setting s = {"tile", NULL, 4};
        const char *kernel = i == 1 ? "HIP" : "CUDA";
        lore_trials_version(t,
            &(struct lore_trial_version){id(i), "conv2d", kernel, "conv", &s, 1, LORE_LANG_NONE});
    }
    assert_true(lore_trials_state(t, id(0)) == lore_trials_state(t, id(1))); /* a port */
    assert_true(lore_trials_state(t, id(0)) != lore_trials_state(t, id(2))); /* other code */
    assert_string_equal(lore_trials_version_of(
                            t, lore_trials_state(t, id(0)), NULL, LORE_TRIAL_ANY_LANGUAGE, &arena),
        id(0));
    assert_string_equal(lore_trials_version_of(
                            t, lore_trials_state(t, id(0)), id(1), LORE_TRIAL_ANY_LANGUAGE, &arena),
        id(1));
    lore_trials_free(t);
}

#define IN(language) ((uint32_t)1 << (language))

/* Version V of the operator once more, in LANGUAGE, by id V + 1000. */
static void
port(struct lore_trials *t, int v, enum lore_language language)
{
    struct lore_moves_setting s[] = {
        {"tile", NULL, tiles[v % TILES]}, {"block", NULL, blocks[v / TILES]}};

    lore_trials_version(
        t, &(struct lore_trial_version){id(v + 1000), "conv2d", "K9", "conv", s, 2, language});
}

static void
versions_are_proposed_in_the_languages_that_are_asked_for(void **state)
{
    struct lore_trials *t = world(); /* in no language that is known */
    struct lore_start_place p = at(t, "a4000");
    const struct lore_start *best;
    struct lore_start_move *m;
    struct lore_start *s;
    struct lore_next *next;
    int first;

    (void)state;
    assert_true(lore_start_versions(&p, 5, &arena, &s) == 5);
    first = number_of(s[0].version);
    for (int v = 0; v < VERSIONS; v += 3)
        if (v != first)
            port(t, v, LORE_LANG_TRITON);
    run(t, id(first), "a4000", LORE_EV_MEASURED, time_of("a4000", first), LORE_C_PASS);
    lore_trials_index(t);
    p = at(t, "a4000");
    p.languages = IN(LORE_LANG_TRITON);
    size_t n = lore_start_versions(&p, 5, &arena, &s);
    assert_int_equal(n, 5); /* not the few of five that happen to be ported */
    for (size_t i = 0; i < n; i++)
        for (int v = 0; v < VERSIONS; v++)
            assert_string_not_equal(s[i].version, id(v));
    n = lore_start_moves(&p, id(first), false, 9, &arena, &m);
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++)
        assert_true(strcmp(m[i].to_version, id(1000)) >= 0);
    assert_true(lore_start_next(&p, 5, &arena, &next, &best) > 0);
    assert_string_equal(best->version, id(first)); /* is said, in whatever language */
    assert_true(strcmp(next[0].version, id(1000)) >= 0);
    p.languages = IN(LORE_LANG_HIP);
    assert_int_equal(lore_start_versions(&p, 5, &arena, &s), 0);
    assert_int_equal(lore_start_next(&p, 5, &arena, &next, &best), 0);
    lore_trials_free(t);
}

static void
a_configuration_has_a_version_for_each_language_it_was_written_in(void **state)
{
    struct lore_trials *t = world();
    uint32_t both = lore_trials_state(t, id(3)), one = lore_trials_state(t, id(4));

    (void)state;
    port(t, 3, LORE_LANG_HIP);
    assert_true(lore_trials_speaks(t, both, IN(LORE_LANG_HIP)));
    assert_false(lore_trials_speaks(t, one, IN(LORE_LANG_HIP)));
    assert_string_equal(lore_trials_version_of(t, both, NULL, IN(LORE_LANG_HIP), &arena), id(1003));
    assert_string_equal(
        lore_trials_version_of(t, both, id(3), IN(LORE_LANG_HIP), &arena), id(1003));
    assert_string_equal(
        lore_trials_version_of(t, both, NULL, LORE_TRIAL_ANY_LANGUAGE, &arena), id(3));
    assert_null(lore_trials_version_of(t, one, NULL, IN(LORE_LANG_HIP), &arena));
    lore_trials_free(t);
}

static int
end(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chip_never_seen_starts_from_what_is_good_on_chips_like_it),
        cmocka_unit_test(nothing_that_failed_on_a_chip_of_the_same_vendor_is_offered),
        cmocka_unit_test(moves_carry_the_name_that_their_experiments_gave_them),
        cmocka_unit_test(a_version_without_parameters_has_no_moves_and_can_be_a_start),
        cmocka_unit_test(what_was_written_for_another_data_type_is_no_start),
        cmocka_unit_test(
            a_parameter_with_more_values_than_there_are_configurations_is_stepped_through_by_those),
        cmocka_unit_test(the_best_of_three_is_not_called_the_optimum),
        cmocka_unit_test(an_operator_that_nobody_measured_has_no_place_to_start),
        cmocka_unit_test(without_a_workload_the_one_most_measured_is_meant),
        cmocka_unit_test(
            the_next_thing_to_measure_is_never_one_with_a_result_and_the_results_lead_on),
        cmocka_unit_test(the_best_measured_here_stands_among_the_starts),
        cmocka_unit_test(the_best_class_of_evidence_counts_and_its_median),
        cmocka_unit_test(a_change_is_told_when_the_time_of_one_of_its_versions_rests_on_it),
        cmocka_unit_test(
            versions_with_the_same_parameters_are_one_configuration_unless_they_are_of_one_kernel),
        cmocka_unit_test(versions_are_proposed_in_the_languages_that_are_asked_for),
        cmocka_unit_test(a_configuration_has_a_version_for_each_language_it_was_written_in),
    };

    return cmocka_run_group_tests(tests, NULL, end);
}
