// uses: recommend
// A library's operator is measured on thousands of shapes: learning from it takes bounded memory
// and time. Without bounds the words of all samples fill the arena, which ends the program.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/status.h"
#include "service/moves/moves.h"
#include "service/moves/trials.h"
#include "service/moves/trials_kinds.h"
#include "service/moves/trials_runs.h"
#include "service/stats/random.h"

enum { PLACES = 300, TILES = 8, STAGES = 3 };

static void
learning_from_an_operator_with_many_places_stays_within_its_arena(void **state)
{
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);
    uint32_t id[TILES][STAGES];

    (void)state;
    for (int t = 0; t < TILES; t++)
        for (int s = 0; s < STAGES; s++)
            id[t][s] = lore_moves_state(m, "conv2d",
                (struct lore_moves_setting[]){
                    {.param = "tile", .number = 1 << t}, {.param = "stages", .number = s + 1}},
                2);
    for (int p = 0; p < PLACES; p++) {
        char workload[16];
        snprintf(workload, sizeof workload, "w%d", p);
        uint32_t chip = lore_moves_chip(
            m, &(struct lore_moves_chip){.name = p % 2 ? "h200" : "mi300x", .workload = workload});
        for (int t = 0; t < TILES; t++)
            for (int s = 0; s < STAGES; s++) {
                lore_moves_time(m, id[t][s], chip, 100 + (t - p % TILES) * (t - p % TILES) - s);
                if (t > 0)
                    lore_moves_tried(m, chip, id[t - 1][s], id[t][s], 0.1 * (p % TILES - t), false);
                if (s > 0)
                    lore_moves_tried(m, chip, id[t][s - 1], id[t][s], 0.06, false);
            }
    }
    lore_moves_fit(m);
    const char *numbers = lore_moves_numbers(m, &arena);
    struct lore_err err = {0};
    assert_int_equal(lore_moves_numbers_set(m, numbers, &err), LORE_OK);
    lore_arena_free(&arena);
}

/* TEXT with the numbers of MEMBER replaced by VALUE. */
static const char *
with(struct lore_arena *arena, const char *text, const char *member, const char *value)
{
    const char *at = strstr(text, lore_format(arena, "\"%s\": [", member));

    assert_non_null(at);
    return lore_format(
        arena, "%.*s\"%s\": [%s%s", (int)(at - text), text, member, value, strchr(at, ']'));
}

static void
numbers_that_would_make_no_number_of_an_answer_are_refused(void **state)
{
    static const char *const bad[][2] = {{"tails", "1e300, 1"}, {"tails", "0"},
        {"field", "1, 1, 1, 1, 1, 1, 1, 0, 1, 1"}, {"base", "1"}, {"start_alike", "0"},
        {"start_alike", "1"}, {"start", "-1, 1, 1, 1, 1, 1, 1, 1, 1, 1"},
        {"start", "1, 1, 1, 1, 1, 1, 0, 1, 1, 1"}, {"blank", "1, 1, 1, 1, 1, 1, 1, 0, 1, 1"},
        {"blank", "1, 1, 1, 1, 1, 1, 1, 1, 1"}};
    struct lore_arena arena = {0};
    struct lore_moves *m = lore_moves_new(&arena);
    const char *text = lore_moves_numbers(m, &arena);
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(
        lore_moves_numbers_set(m, with(&arena, text, "tails", "-2, 3"), &err), LORE_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(lore_moves_numbers_set(m, with(&arena, text, bad[i][0], bad[i][1]), &err),
            LORE_INVALID);
    lore_arena_free(&arena);
}

static void
of_a_configuration_measured_each_night_the_newest_runs_count(void **state)
{
    static const char id[] = "01JB0000000000000000000001";
    struct lore_trials *t = lore_trials_new();
    struct lore_trial_run r = {.version = id,
        .chip = "h200",
        .workload = "w",
        .evidence = LORE_EV_MEASURED,
        .time_ns = 5000};

    (void)state;
    lore_trials_version(t, &(struct lore_trial_version){
                               .id = id, .op = "softmax", .kernel = id, .kernel_name = "row"});
    lore_trials_run(t, &r); /* once; then thousands of a lower class */
    r.evidence = LORE_EV_IMPORTED;
    r.time_ns = 2000;
    for (int i = 0; i < 1500; i++)
        lore_trials_run(t, &r);
    assert_true(lore_trials_time(t, lore_trials_state(t, id),
                    lore_trials_place_of(t, "h200", "w", 0), NULL) == 2000);
    lore_trials_free(t);
}

enum { KINDS = TRIAL_KINDS + 8, CONFIGURATIONS = 40 };

static const char *
named(struct lore_arena *arena, const char *what, int i)
{
    return lore_format(arena, "%s%d", what, i);
}

/* By looking at every run there was. */
static size_t
counted_slowly(const bool ran[CONFIGURATIONS][KINDS + 1], int kind)
{
    size_t n = 0;

    for (int c = 0; c < CONFIGURATIONS; c++)
        n += ran[c][kind] || ran[c][KINDS];
    return n;
}

static void
configurations_are_counted_by_kind_as_a_look_at_every_run_counts_them(void **state)
{
    static bool ran[CONFIGURATIONS][KINDS + 1]; /* the last: of no kind that is known */
    struct lore_trials *t = lore_trials_new();
    struct lore_arena arena = {0};
    uint64_t seed = 9;

    (void)state;
    for (int c = 0; c < CONFIGURATIONS; c++)
        lore_trials_version(t,
            &(struct lore_trial_version){.id = lore_format(&arena, "01JB00000000000000000%05d", c),
                .op = "softmax",
                .kernel = "K",
                .kernel_name = "row"});
    for (int i = 0; i < 1200; i++) {
        int c = (int)lore_random_below(&seed, CONFIGURATIONS);
        int kind = lore_random_below(&seed, 60) == 0 ? KINDS : (int)lore_random_below(&seed, KINDS);
        lore_trials_run(t,
            &(struct lore_trial_run){.version = lore_format(&arena, "01JB00000000000000000%05d", c),
                .chip = "h200",
                .workload = named(&arena, "w", kind),
                .kind = kind < KINDS ? named(&arena, "k", kind) : NULL,
                .evidence = LORE_EV_MEASURED,
                .time_ns = 5});
        ran[c][kind] = true;
    }
    for (int kind = 0; kind < KINDS; kind++)
        assert_int_equal(
            lore_trials_count(t, 0, lore_trials_kind_find(t, named(&arena, "k", kind))),
            counted_slowly(ran, kind));
    assert_int_equal(lore_trials_count(t, 0, lore_trials_kind_find(t, "never seen")),
        counted_slowly(ran, KINDS));
    assert_int_equal(lore_trials_count(t, 0, TRIAL_ANY_KIND), CONFIGURATIONS);
    lore_trials_free(t);
    lore_arena_free(&arena);
}

static void
a_kind_that_is_told_later_counts_for_what_ran_before(void **state)
{
    static const char id[] = "01JB0000000000000000000001";
    struct lore_trials *t = lore_trials_new();
    struct lore_trial_run r = {.version = id,
        .chip = "h200",
        .workload = "w",
        .evidence = LORE_EV_MEASURED,
        .time_ns = 5000};

    (void)state;
    lore_trials_version(t, &(struct lore_trial_version){
                               .id = id, .op = "softmax", .kernel = id, .kernel_name = "row"});
    lore_trials_run(t, &r);
    assert_int_equal(lore_trials_count(t, 0, lore_trials_kind_find(t, "bf16|")), 1);
    r.kind = "f32|";
    lore_trials_run(t, &r);
    assert_int_equal(lore_trials_count(t, 0, lore_trials_kind_find(t, "bf16|")), 0);
    assert_int_equal(lore_trials_count(t, 0, lore_trials_kind_find(t, "f32|")), 1);
    lore_trials_free(t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learning_from_an_operator_with_many_places_stays_within_its_arena),
        cmocka_unit_test(numbers_that_would_make_no_number_of_an_answer_are_refused),
        cmocka_unit_test(of_a_configuration_measured_each_night_the_newest_runs_count),
        cmocka_unit_test(configurations_are_counted_by_kind_as_a_look_at_every_run_counts_them),
        cmocka_unit_test(a_kind_that_is_told_later_counts_for_what_ran_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
