// uses: recommend moves m
/* The odds of an attempt in the state of its session, learned from other sessions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/recommend/session.h"

#define TILE "compute.launch_config"
#define UNROLL "compute.loop_unroll"

#define AT(since, failed)                                                                          \
    &(const struct lore_session_state)                                                             \
    {                                                                                              \
        since, failed, false                                                                       \
    }

enum { SESSIONS = 12, ATTEMPTS = 24 };

static struct lore_arena arena;

/* Sessions of two techniques in turns, whose first two attempts gain. */
static struct lore_session_model
learn(size_t sessions)
{
    static const char *const names[] = {TILE, UNROLL};
    struct lore_session_attempt v[SESSIONS * ATTEMPTS];
    static const char *const kernels[SESSIONS] = {
        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    struct lore_session_model out;

    for (size_t i = 0; i < sessions * ATTEMPTS; i++)
        v[i] = (struct lore_session_attempt){.kernel = kernels[i / ATTEMPTS],
            .techniques = &names[i % 2],
            .n = 1,
            .gained = i % ATTEMPTS < 2};
    lore_session_learn(v, sessions * ATTEMPTS, &arena, &out);
    return out;
}

static int
end(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static void
odds_fall_with_attempts_since_the_last_gain(void **state)
{
    struct lore_session_model s = learn(SESSIONS);

    (void)state;
    assert_true(lore_session_p(&s, AT(0, 0)) > 0.4);
    assert_true(lore_session_p(&s, AT(5, 0)) < lore_session_p(&s, AT(1, 0)));
    assert_true(lore_session_p(&s, AT(20, 0)) < 0.05);
}

static void
odds_fall_with_failures_of_the_technique(void **state)
{
    struct lore_session_model s = learn(SESSIONS);

    (void)state;
    assert_true(lore_session_p(&s, AT(5, 4)) < lore_session_p(&s, AT(5, 0)));
    assert_true(lore_session_shift(&s, AT(5, 4)) < lore_session_shift(&s, AT(5, 0)));
}

static void
an_empty_memory_says_the_same_of_every_state(void **state)
{
    struct lore_session_model s;

    (void)state;
    lore_session_learn(NULL, 0, &arena, &s);
    assert_true(lore_session_p(&s, AT(0, 0)) == lore_session_p(&s, AT(50, 9)));
    assert_true(lore_session_shift(&s, AT(50, 9)) == 0);
}

static void
one_session_says_less_than_twelve(void **state)
{
    struct lore_session_model one = learn(1), many = learn(SESSIONS);

    (void)state;
    assert_true(lore_session_p(&one, AT(20, 0)) > lore_session_p(&many, AT(20, 0)));
}

static void
a_shift_moves_odds_and_keeps_certainty(void **state)
{
    (void)state;
    assert_true(lore_session_odds(0.5, -1) < 0.5);
    assert_true(lore_session_odds(0.2, 0) > 0.19 && lore_session_odds(0.2, 0) < 0.21);
    assert_true(lore_session_odds(0, 1) == 0);
    assert_true(lore_session_odds(1, -1) == 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(odds_fall_with_attempts_since_the_last_gain, end),
        cmocka_unit_test_teardown(odds_fall_with_failures_of_the_technique, end),
        cmocka_unit_test_teardown(an_empty_memory_says_the_same_of_every_state, end),
        cmocka_unit_test_teardown(one_session_says_less_than_twelve, end),
        cmocka_unit_test_teardown(a_shift_moves_odds_and_keeps_certainty, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
