// uses: run m
/* Rounds of two programs without any program: the order in which they run, when it ends, what stops
 * it; and how a process's time follows from its trace. Command lines too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/run/abba_process.h"
#include "collectors/run/command_words.h"
#include "tests/unit/compare_sim.h"
#include "tests/unit/near.h"

static struct lore_arena arena;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

/* A pair of programs that take what they are told. */
struct fake {
    char order[256];
    size_t n;
    double base[2];
    uint64_t iterations[2];
    uint64_t seed;
    int64_t wall_us;
    unsigned fails_side;
    size_t fails_at; /* 0: never (the first run of a side is 1) */
    size_t rounds;
    bool looked[64];
};

static enum lore_status
measure(void *ctx, unsigned side, size_t nth, struct lore_abba_process *out, struct lore_err *err)
{
    struct fake *f = ctx;

    f->order[f->n++] = (char)('A' + side);
    if (f->fails_at == nth + 1 && f->fails_side == side)
        return lore_fail_at(err, LORE_INVALID, "program_failed", "", "%c failed", 'A' + (int)side);
    *out = (struct lore_abba_process){
        .time_ns = f->base[side] * (1 + 0.002 * sim_normal(&f->seed)),
        .launches = f->iterations[side] + nth % 2,
        .iterations = f->iterations[side],
        .lost = side == 1 && nth == 3 ? 7 : 0,
        .wall_us = f->wall_us,
    };
    return LORE_OK;
}

static void
after(void *ctx, size_t rounds, const struct lore_comparison *so_far)
{
    struct fake *f = ctx;

    f->rounds = rounds;
    f->looked[rounds] = so_far != NULL;
}

static struct fake
programs(double a, double b)
{
    return (struct fake){.base = {a, b}, .iterations = {100, 100}, .seed = 11, .wall_us = 1000000};
}

static struct lore_abba
session(struct fake *f, size_t rounds)
{
    struct lore_abba a = {.min_effect = 0.005, .measure = measure, .round = after, .ctx = f};
    struct lore_err err;

    assert_int_equal(lore_compare_plan(rounds, 0.99, &a.plan, &err), LORE_OK);
    return a;
}

static void
rounds_go_abba_and_baab_after_one_warm_up_of_each(void **state)
{
    struct fake f = programs(10000, 10000);
    struct lore_abba a = session(&f, 5);
    struct lore_abba_result r;
    struct lore_err err;
    (void)state;

    assert_int_equal(lore_abba_run(&a, &arena, &r, &err), LORE_OK);
    assert_string_equal(f.order, "ABABBABAABABBABAABABBA");
    assert_int_equal(r.rounds, 5);
    assert_int_equal(r.pairs, 10);
    assert_int_equal(r.c.n, 10);
    assert_near(r.seconds, 22, 1e-9);
    assert_int_equal(r.side[1].lost, 7);
    assert_int_equal(r.side[1].lossy, 1);
    assert_int_equal(r.side[0].launches_min, 100);
    assert_int_equal(r.side[0].launches_max, 101);
}

static void
a_clear_difference_ends_at_the_first_look(void **state)
{
    struct fake f = programs(10500, 10000);
    struct lore_abba a = session(&f, 12);
    struct lore_abba_result r;
    struct lore_err err;
    (void)state;

    assert_int_equal(lore_abba_run(&a, &arena, &r, &err), LORE_OK);
    assert_int_equal(r.c.verdict, LORE_COMPARE_WIN);
    assert_int_equal(r.rounds, a.plan.looks[0]);
    assert_int_equal(r.end, LORE_ABBA_DECIDED);
    assert_near(r.side[0].median_ns, 10500, 30);
    assert_near(r.c.speedup, 1.05, 0.003);
    f = programs(10000, 10500);
    assert_int_equal(lore_abba_run(&a, &arena, &r, &err), LORE_OK);
    assert_int_equal(r.c.verdict, LORE_COMPARE_LOSS);
}

static void
nothing_is_decided_between_looks_and_the_budget_ends_it(void **state)
{
    struct fake f = programs(10050, 10000); /* at the minimum effect: neither in nor out */
    struct lore_abba a = session(&f, 12);
    struct lore_abba_result r;
    struct lore_err err;
    (void)state;

    assert_int_equal(lore_abba_run(&a, &arena, &r, &err), LORE_OK);
    assert_int_equal(r.c.verdict, LORE_COMPARE_INCONCLUSIVE);
    assert_int_equal(r.end, LORE_ABBA_ROUNDS);
    assert_int_equal(r.rounds, 12);
    for (size_t i = 1; i <= 12; i++)
        assert_int_equal(f.looked[i], lore_compare_due(&a.plan, i));
}

static void
a_calibration_runs_to_the_end(void **state)
{
    struct fake f = programs(10500, 10000);
    struct lore_abba a = session(&f, 8);
    struct lore_abba_result r;
    struct lore_err err;
    (void)state;

    a.to_the_end = true;
    assert_int_equal(lore_abba_run(&a, &arena, &r, &err), LORE_OK);
    assert_int_equal(r.pairs, 16);
    assert_int_equal(r.end, LORE_ABBA_ROUNDS);
}

static void
time_ends_it_after_a_whole_round(void **state)
{
    struct fake f = programs(10500, 10000);
    struct lore_abba a = session(&f, 12);
    struct lore_abba_result r;
    struct lore_err err;
    (void)state;

    a.seconds = 8; /* two for the warm-ups, four a round */
    assert_int_equal(lore_abba_run(&a, &arena, &r, &err), LORE_OK);
    assert_int_equal(r.rounds, 2);
    assert_int_equal(r.end, LORE_ABBA_SECONDS);
    assert_false(r.c.bounded); /* four pairs bound nothing at this level */
    assert_int_equal(r.c.verdict, LORE_COMPARE_INCONCLUSIVE);
    a.seconds = 24;
    assert_int_equal(lore_abba_run(&a, &arena, &r, &err), LORE_OK);
    assert_int_equal(r.c.verdict, LORE_COMPARE_WIN);
}

static void
a_program_that_fails_ends_it_whichever_it_is(void **state)
{
    struct lore_abba_result r;
    struct lore_err err;
    (void)state;

    for (unsigned side = 0; side < 2; side++) {
        for (size_t at = 1; at < 6; at += 4) {
            struct fake f = programs(10000, 10000);
            struct lore_abba a = session(&f, 12);
            f.fails_side = side;
            f.fails_at = at;
            assert_int_equal(lore_abba_run(&a, &arena, &r, &err), LORE_INVALID);
            assert_string_equal(err.code, "program_failed");
            assert_int_equal(err.msg[0], 'A' + (int)side);
            assert_true(f.n < 12);
        }
    }
}

static void
unequal_launch_counts_are_refused_before_any_round(void **state)
{
    struct fake f = programs(10000, 5000);
    struct lore_abba a = session(&f, 12);
    struct lore_abba_result r;
    struct lore_err err;
    (void)state;

    f.iterations[1] = 200;
    assert_int_equal(lore_abba_run(&a, &arena, &r, &err), LORE_INVALID);
    assert_string_equal(err.code, "launch_counts_differ");
    assert_string_equal(f.order, "AB");
    f = programs(10000, 9000);
    f.iterations[1] = 200;
    a.every_launch = true;
    assert_int_equal(lore_abba_run(&a, &arena, &r, &err), LORE_OK);
    f = programs(10000, 9000);
    f.iterations[1] = 101; /* one launch more is a warm-up, no other design */
    a.every_launch = false;
    assert_int_equal(lore_abba_run(&a, &arena, &r, &err), LORE_OK);
}

/* --- the time of a process --- */

static struct lore_trace_group
group(const char *name, uint64_t launches, const int64_t *ns, size_t n)
{
    struct lore_trace_group g = {.symbol = name, .name = name, .pid = 1, .launches = launches};

    g.shape.grid[0] = 8;
    g.samples = lore_alloc_array(&arena, n, sizeof *g.samples);
    g.n_samples = n;
    g.first_ns = ns[0];
    for (size_t i = 0; i < n; i++) {
        g.samples[i] = (struct lore_trace_sample){.index = i, .start_ns = i, .dur_ns = ns[i]};
        g.total_ns += ns[i];
    }
    return g;
}

static void
kernels_of_one_iteration_are_added_up(void **state)
{
    int64_t one[] = {900, 100, 102, 101}, two[] = {50, 10, 10, 10};
    struct lore_trace_group groups[2] = {group("big", 4, one, 4), group("small", 4, two, 4)};
    struct lore_trace t = {.groups = groups, .n_groups = 2};
    struct lore_abba_program p = {.letter = "A", .shown = "./a"};
    struct lore_abba_process out = {0};
    struct lore_err err = {0};
    (void)state;

    assert_int_equal(lore_abba_time(&p, &t, true, &arena, &out, &err), LORE_OK);
    assert_near(out.time_ns, 111, 0);
    assert_int_equal(out.iterations, 4);
    assert_int_equal(out.launches, 8);
    p.what.kernel_regex = "^big$";
    assert_int_equal(lore_abba_time(&p, &t, true, &arena, &out, &err), LORE_OK);
    assert_near(out.time_ns, 101, 0);
}

static void
a_process_that_lost_records_is_summed_like_the_others(void **state)
{
    int64_t one[] = {900, 100, 102, 101}, two[] = {50, 10, 10, 10};
    struct lore_trace_group whole[2] = {group("big", 4, one, 4), group("small", 4, two, 4)};
    struct lore_trace_group torn[2] = {group("big", 3, one, 3), group("small", 4, two, 4)};
    struct lore_trace t = {.groups = whole, .n_groups = 2};
    struct lore_abba_program p = {.letter = "A", .shown = "./a"};
    struct lore_abba_process out = {0};
    struct lore_err err = {0};
    (void)state;

    assert_int_equal(lore_abba_time(&p, &t, true, &arena, &out, &err), LORE_OK);
    t = (struct lore_trace){.groups = torn, .n_groups = 2, .loss.dropped = 1};
    assert_int_equal(lore_abba_time(&p, &t, false, &arena, &out, &err), LORE_OK);
    assert_near(out.time_ns, 111, 0);
    assert_int_equal(out.lost, 1);
    assert_int_equal(p.patched, 1);
}

static void
no_kernel_is_an_error_that_names_what_there_was(void **state)
{
    int64_t one[] = {900, 100, 102};
    struct lore_trace_group groups[1] = {group("softmax_v1", 3, one, 3)};
    struct lore_trace t = {.groups = groups, .n_groups = 1}, none = {0};
    struct lore_trace_state other = {
        .code = LORE_CAP_OTHER_PROFILER, .text = "another profiler is attached"};
    struct lore_abba_program p = {.letter = "B", .shown = "./b", .what.kernel_regex = "gemm"};
    struct lore_abba_process out = {0};
    struct lore_err err = {0};
    (void)state;

    assert_int_equal(lore_abba_time(&p, &t, true, &arena, &out, &err), LORE_INVALID);
    assert_string_equal(err.code, "no_launches");
    assert_non_null(strstr(err.hint, "softmax_v1"));
    p.what.kernel_regex = NULL;
    none.states = &other;
    none.n_states = 1;
    assert_int_equal(lore_abba_time(&p, &none, true, &arena, &out, &err), LORE_INVALID);
    assert_non_null(strstr(err.hint, "another profiler"));
    p.what.kernel_regex = "(";
    assert_int_equal(lore_abba_time(&p, &t, true, &arena, &out, &err), LORE_INVALID);
}

/* --- command lines --- */

static char *const *
words(const char *text, const char *const *more, size_t n)
{
    char *const *out = NULL;
    struct lore_err err;

    assert_int_equal(lore_command_words(text, more, n, &arena, &out, &err), LORE_OK);
    return out;
}

static void
a_command_is_split_as_a_shell_would_and_nothing_is_expanded(void **state)
{
    const char *more[] = {"--m", "x y"};
    char *const *w = words("  ./bench  'two words' \"it's\" a\\ b \"q\\\"q\" $HOME *", more, 2);
    static const char *const want[] = {
        "./bench", "two words", "it's", "a b", "q\"q", "$HOME", "*", "--m", "x y"};
    (void)state;

    for (size_t i = 0; i < 9; i++)
        assert_string_equal(w[i], want[i]);
    assert_null(w[9]);
    assert_string_equal(words("a'b'c''", NULL, 0)[0], "abc");
    assert_string_equal(words("a ''", NULL, 0)[1], "");
    assert_string_equal(words("'a\\b'", NULL, 0)[0], "a\\b");
}

static void
a_command_without_a_program_or_with_an_open_quote_is_refused(void **state)
{
    static const char *const bad[] = {"", "   ", "''", "./a 'b", "./a \"b"};
    char *const *out;
    struct lore_err err;
    (void)state;

    for (size_t i = 0; i < 5; i++)
        assert_int_equal(lore_command_words(bad[i], NULL, 0, &arena, &out, &err), LORE_INVALID);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_go_abba_and_baab_after_one_warm_up_of_each),
        cmocka_unit_test(a_clear_difference_ends_at_the_first_look),
        cmocka_unit_test(nothing_is_decided_between_looks_and_the_budget_ends_it),
        cmocka_unit_test(a_calibration_runs_to_the_end),
        cmocka_unit_test(time_ends_it_after_a_whole_round),
        cmocka_unit_test(a_program_that_fails_ends_it_whichever_it_is),
        cmocka_unit_test(unequal_launch_counts_are_refused_before_any_round),
        cmocka_unit_test(kernels_of_one_iteration_are_added_up),
        cmocka_unit_test(a_process_that_lost_records_is_summed_like_the_others),
        cmocka_unit_test(no_kernel_is_an_error_that_names_what_there_was),
        cmocka_unit_test(a_command_is_split_as_a_shell_would_and_nothing_is_expanded),
        cmocka_unit_test(a_command_without_a_program_or_with_an_open_quote_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
