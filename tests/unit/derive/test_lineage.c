// uses: derive
/* The versions of a kernel in order, with their speedups and the champion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/derive/lineage.h"

#define ORD(n)                                                                                     \
    {                                                                                              \
        true, n                                                                                    \
    }
#define NO_ORD                                                                                     \
    {                                                                                              \
        0                                                                                          \
    }
#define V(name, from, what, ord, at, time_ns, check)                                               \
    {                                                                                              \
        .id = name, .parent = from, .ordinal = ord, .seq = at,                                     \
        .standing = {.kind = LORE_V_##what, .failed = check == LORE_C_FAIL}, .time = {             \
            .measured = true,                                                                      \
            .checked = check == LORE_C_PASS,                                                       \
            .in_method = true,                                                                     \
            .ns = time_ns,                                                                         \
            .seq = at                                                                              \
        }                                                                                          \
    }

static void
steps_follow_ordinals_and_ablations_follow_their_parent(void **state)
{
    struct lore_arena a = {0};
    struct lore_lineage l;
    const struct lore_step_in in[] = {
        V("c", "b", CANDIDATE, ORD(2), 4, 50, LORE_C_PASS),
        V("x", "b", ABLATION, NO_ORD, 3, 10, LORE_C_PASS),
        V("a", NULL, BASELINE, ORD(0), 1, 100, LORE_C_PASS),
        V("b", "a", CANDIDATE, ORD(1), 2, 80, LORE_C_PASS),
    };

    (void)state;
    lore_lineage_order(in, 4, &a, &l);
    assert_int_equal(l.steps[0].in, 2);
    assert_int_equal(l.steps[1].in, 3);
    assert_int_equal(l.steps[2].in, 1);
    assert_int_equal(l.steps[3].in, 0);
    assert_int_equal(l.baseline, 0);
    assert_int_equal(l.champion, 3);
    assert_true(l.steps[3].champion);
    assert_float_equal(l.steps[3].vs_first, 2.0, 1e-12);
    assert_float_equal(l.steps[3].vs_parent, 1.6, 1e-12);
    assert_float_equal(l.steps[3].vs_best, 1.6, 1e-12);
    assert_float_equal(l.steps[0].vs_first, 0, 0);
    lore_arena_free(&a);
}

static void
a_baseline_without_an_ordinal_comes_first(void **state)
{
    struct lore_arena a = {0};
    struct lore_lineage l;
    const struct lore_step_in in[] = {
        V("b1", "base", BRANCH, NO_ORD, 3, 70, LORE_C_PASS),
        V("v0", NULL, CANDIDATE, ORD(0), 2, 80, LORE_C_PASS),
        V("lost", NULL, CANDIDATE, NO_ORD, 4, 90, LORE_C_PASS),
        V("base", NULL, BASELINE, NO_ORD, 1, 100, LORE_C_PASS),
    };

    (void)state;
    lore_lineage_order(in, 4, &a, &l);
    assert_int_equal(l.steps[0].in, 3);
    assert_int_equal(l.steps[1].in, 0);
    assert_int_equal(l.steps[2].in, 1);
    assert_int_equal(l.steps[3].in, 2);
    assert_int_equal(l.baseline, 0);
    assert_float_equal(l.steps[2].vs_first, 1.25, 1e-12);
    lore_arena_free(&a);
}

static void
a_wrong_or_untimed_version_is_no_champion(void **state)
{
    struct lore_arena a = {0};
    struct lore_lineage l;
    const struct lore_step_in in[] = {
        V("a", NULL, BASELINE, ORD(0), 1, 100, LORE_C_PASS),
        V("b", "a", CANDIDATE, ORD(1), 2, 10, LORE_C_FAIL),
        V("c", "a", CANDIDATE, ORD(2), 3, 0, LORE_C_PASS),
        V("d", "a", LIBRARY, ORD(3), 4, 5, LORE_C_PASS),
        V("e", "b", CANDIDATE, ORD(4), 5, 90, LORE_C_NOT_CHECKED),
    };

    (void)state;
    lore_lineage_order(in, 5, &a, &l);
    assert_int_equal(l.champion, 0); /* nobody checked e */
    assert_float_equal(l.steps[2].vs_first, 0, 0);
    assert_float_equal(l.steps[4].vs_best, 100.0 / 90, 1e-12);
    lore_arena_free(&a);
}

static void
nothing_and_strangers_do_no_harm(void **state)
{
    struct lore_arena a = {0};
    struct lore_lineage l;
    const struct lore_step_in in[] = {V("b", "gone", CANDIDATE, NO_ORD, 2, 0, LORE_C_NONE)};

    (void)state;
    lore_lineage_order(in, 0, &a, &l);
    assert_int_equal(l.n, 0);
    assert_int_equal(l.champion, 0);
    lore_lineage_order(in, 1, &a, &l);
    assert_int_equal(l.baseline, 0);
    assert_int_equal(l.champion, 1);
    assert_float_equal(l.steps[0].vs_parent, 0, 0);
    lore_arena_free(&a);
}

/* A kernel with two logs: each compares with its own first version. */
static void
a_log_of_its_own_compares_with_its_own_baseline(void **state)
{
    struct lore_arena a = {0};
    struct lore_lineage l;
    const struct lore_step_in in[] = {
        V("a0", NULL, BASELINE, ORD(0), 1, 110, LORE_C_PASS),
        V("a1", "a0", CANDIDATE, ORD(1), 2, 97, LORE_C_PASS),
        V("b0", NULL, BASELINE, ORD(0), 3, 85, LORE_C_PASS),
        V("b1", "b0", CANDIDATE, ORD(1), 4, 77, LORE_C_PASS),
        V("b2", "b1", CANDIDATE, ORD(2), 5, 42.5, LORE_C_PASS),
        V("c1", "c0", CANDIDATE, ORD(1), 6, 55, LORE_C_PASS), /* whose first is not stored */
    };

    (void)state;
    lore_lineage_order(in, 6, &a, &l);
    for (size_t i = 0; i < l.n; i++) {
        if (l.steps[i].in == 4) {
            assert_float_equal(l.steps[i].vs_first, 2.0, 1e-12);
            assert_int_equal(l.steps[l.steps[i].first].in, 2);
        } else if (l.steps[i].in == 5) {
            assert_float_equal(l.steps[i].vs_first, 2.0, 1e-12);
            assert_int_equal(l.steps[l.steps[i].first].in, 0);
        }
    }
    assert_int_equal(l.steps[l.baseline].in, 0);
    lore_arena_free(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_follow_ordinals_and_ablations_follow_their_parent),
        cmocka_unit_test(a_baseline_without_an_ordinal_comes_first),
        cmocka_unit_test(a_wrong_or_untimed_version_is_no_champion),
        cmocka_unit_test(nothing_and_strangers_do_no_harm),
        cmocka_unit_test(a_log_of_its_own_compares_with_its_own_baseline),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
