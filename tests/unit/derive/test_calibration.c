// uses: derive m
/* Brier scores and bins against numbers worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/derive/calibration.h"
#include "tests/unit/near.h"

static struct lore_arena arena;
static struct lore_err err;
static struct lore_calibrations out;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

#define YES LORE_HAPPENED_YES
#define NO LORE_HAPPENED_NO
static const struct lore_prediction rows[] = {
    {"bo", {true, 0.8}, YES},
    {"al", {true, 1.0}, NO},
    {"bo", {true, 0.8}, NO},
    {"bo", {true, 0.1}, NO},
    {"bo", {false, 0}, YES},
    {"al", {true, 0.5}, LORE_HAPPENED_UNKNOWN},
    {NULL, {true, 0.0}, NO},
};

static void
scores_are_per_author_and_in_all(void **state)
{
    (void)state;
    assert_int_equal(lore_calibration_of(rows, 7, &arena, &out, &err), LORE_OK);
    assert_int_equal(out.n_authors, 3);
    assert_null(out.authors[0].author);
    assert_string_equal(out.authors[1].author, "al");
    const struct lore_calibration *bo = &out.authors[2];
    assert_string_equal(bo->author, "bo");
    assert_int_equal(bo->n, 3);
    assert_int_equal(bo->without_probability, 1);
    assert_near(bo->brier.v, (0.04 + 0.64 + 0.01) / 3, 1e-12);
    assert_near(bo->base_rate.v, 1.0 / 3, 1e-12);
    assert_near(bo->reference.v, 2.0 / 9, 1e-12);
    assert_near(bo->error.v, (2 * 0.3 + 0.1) / 3, 1e-12);
    assert_int_equal(out.total.n, 5);
    assert_int_equal(out.total.without_probability, 1);
    assert_int_equal(out.total.without_outcome, 1);
    assert_near(out.total.brier.v, (0.69 + 1.0 + 0) / 5, 1e-12);
}

static void
bins_hold_what_was_said_and_what_was_seen(void **state)
{
    (void)state;
    assert_int_equal(lore_calibration_of(rows, 7, &arena, &out, &err), LORE_OK);
    const struct lore_calibration *bo = &out.authors[2];
    assert_int_equal(bo->bins[8].n, 2);
    assert_near(bo->bins[8].mean_probability, 0.8, 1e-12);
    assert_near(bo->bins[8].rate, 0.5, 1e-12);
    assert_int_equal(bo->bins[1].n, 1);
    assert_int_equal(out.authors[1].bins[9].n, 1); /* 1.0 is in the last bin */
    assert_int_equal(out.authors[0].bins[0].n, 1);
}

static void
nobody_who_said_nothing_gets_a_score(void **state)
{
    struct lore_prediction silent = {"al", {0}, YES};

    (void)state;
    assert_int_equal(lore_calibration_of(&silent, 1, &arena, &out, &err), LORE_OK);
    assert_int_equal(out.authors[0].n, 0);
    assert_false(out.authors[0].brier.set);
    assert_false(out.total.base_rate.set);
    assert_int_equal(lore_calibration_of(NULL, 0, &arena, &out, &err), LORE_OK);
    assert_int_equal(out.n_authors, 0);
}

static void
a_probability_outside_its_range_is_named(void **state)
{
    static const double bad[] = {-0.01, 1.01, NAN, INFINITY};
    struct lore_prediction two[] = {{"al", {true, 0.5}, YES}, {"al", {true, 0}, YES}};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        two[1].probability.v = bad[i];
        assert_int_equal(lore_calibration_of(two, 2, &arena, &out, &err), LORE_INVALID);
        assert_non_null(strstr(err.msg, "predictions[1].probability"));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_per_author_and_in_all),
        cmocka_unit_test(bins_hold_what_was_said_and_what_was_seen),
        cmocka_unit_test(nobody_who_said_nothing_gets_a_score),
        cmocka_unit_test(a_probability_outside_its_range_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, clean);
}
