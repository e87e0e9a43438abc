// uses: recommend m
/* Age in an answer: an experiment weighs less for each year that it is older than the newest one in
 * the memory. */
#include "service/recommend/model.h"
#include "tests/unit/recommend_case.h"

/* In the middle of YEAR; 0: not told. */
static int64_t
in_year(int year)
{
    return year != 0 ? (int64_t)(((year - 1970) + 0.5) * 365.2425 * 86400) * 1000000 : 0;
}

/* An experiment of YEAR; 0: its id tells no time either. */
static void
add_of(int year, const char *technique, double speedup)
{
    struct lore_evidence_in in = base(technique, "softmax", "a6000", speedup);
    char id[27];

    snprintf(id, sizeof id, "0000000000%s", in.experiment + 10);
    in.experiment = id;
    in.at_us = in_year(year);
    lore_evidence_add(ix, &in);
}

static int
year_of(const char *id, int told)
{
    struct lore_evidence_in in = {.experiment = id, .at_us = in_year(told)};
    int year = lore_evidence_year(&in);

    return year != 0 ? year + 1999 : 0;
}

static void
an_older_win_weighs_less_than_a_newer_one(void **state)
{
    double year = lore_model(LORE_M_RECENCY_YEAR);
    (void)state;

    add_of(2021, VECTORIZE, 1.5);
    add_of(2025, SHUFFLE, 1.5);
    ask("softmax", "a6000");
    const struct lore_advice *old = advised(VECTORIZE), *new = advised(SHUFFLE);
    assert_true(old->p_win.value < new->p_win.value);
    assert_near(old->effective_n, pow(year, 4), 1e-6);
    assert_near(new->effective_n, 1, 1e-6);
    assert_int_equal(old->cited[0].years_older, 4);
    assert_int_equal(new->cited[0].years_older, 0);
    assert_near(old->cited[0].weight, pow(year, 4), 1e-6);
}

static void
a_reason_says_when_all_that_is_known_here_is_old(void **state)
{
    (void)state;
    add_of(2020, VECTORIZE, 1.5);
    add_of(2021, VECTORIZE, 1.4);
    add_of(2023, UNROLL, 1.5);
    add_of(2025, SHUFFLE, 1.5);
    add_of(2019, SHUFFLE, 1.5);
    ask("softmax", "a6000");
    assert_non_null(
        strstr(advised(VECTORIZE)->why, " All were over 3 years before the newest experiment."));
    assert_non_null(
        strstr(advised(UNROLL)->why, " That was over 1 year before the newest experiment."));
    assert_null(strstr(advised(SHUFFLE)->why, "newest"));
    add_of(2024, UNROLL, 1.5); /* a calendar year may be a few weeks */
    ask("softmax", "a6000");
    assert_null(strstr(advised(UNROLL)->why, "newest"));
}

static void
an_older_loss_warns_less_than_a_newer_one(void **state)
{
    (void)state;
    add_of(2021, VECTORIZE, 0.8);
    add_of(2025, SHUFFLE, 0.8);
    ask("softmax", "a6000");
    assert_true(avoided(VECTORIZE)->p_win.value > avoided(SHUFFLE)->p_win.value);
}

static void
a_memory_of_one_year_is_as_new_as_can_be(void **state)
{
    (void)state;
    add(VECTORIZE, "softmax", "a6000", 1.5); /* its id tells when */
    add(SHUFFLE, "softmax", "a6000", 0.8);
    ask("softmax", "a6000");
    assert_near(advised(VECTORIZE)->effective_n, 1, 1e-6);
    assert_near(avoided(SHUFFLE)->effective_n, 1, 1e-6);
}

static void
what_was_made_nobody_knows_when_weighs_as_the_newest(void **state)
{
    (void)state;
    add_of(0, VECTORIZE, 1.5);
    add_of(2025, SHUFFLE, 1.5);
    add_of(2020, UNROLL, 1.5);
    ask("softmax", "a6000");
    assert_near(advised(VECTORIZE)->effective_n, 1, 1e-6);
    assert_int_equal(advised(VECTORIZE)->cited[0].years_older, 0);
    assert_true(advised(UNROLL)->effective_n < 0.9);
}

static void
ages_count_from_the_year_that_the_question_names_in_both_directions(void **state)
{
    struct lore_question q = question("softmax", "a6000");
    (void)state;

    add_of(2020, VECTORIZE, 1.5);
    add_of(2024, SHUFFLE, 1.5);
    q.year = 2022 - 1999;
    lore_recommend(ix, &q, &arena, &answer);
    assert_near(advised(VECTORIZE)->effective_n, advised(SHUFFLE)->effective_n, 1e-9);
    assert_true(advised(VECTORIZE)->effective_n < 1);
}

static void
a_year_is_told_or_in_the_id_whichever_is_earlier(void **state)
{
    (void)state;
    assert_int_equal(year_of("01KAHVBV009TT40A8B8YGCFXPW", 0), 2025); /* a ULID */
    assert_int_equal(year_of("01KAHVBV009TT40A8B8YGCFXPW", 2019), 2019);
    assert_int_equal(year_of("01KAHVBV009TT40A8B8YGCFXPW", 2031), 2025); /* no later than its id */
    assert_int_equal(year_of("7ZZZZZZZZZZZZZZZZZZZZZZZZZ", 2024), 2024); /* nor than told */
    assert_int_equal(year_of("00000000009TT40A8B8YGCFXPW", 2022), 2022); /* made of what it says */
    assert_int_equal(year_of("00000000009TT40A8B8YGCFXPW", 0), 0);
    assert_int_equal(year_of("no ulid", 2022), 2022);
    assert_int_equal(year_of("no ulid", 0), 0);
    assert_int_equal(year_of("no ulid", 1970), 0); /* a clock that was never set */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_older_win_weighs_less_than_a_newer_one),
        TEST(a_reason_says_when_all_that_is_known_here_is_old),
        TEST(an_older_loss_warns_less_than_a_newer_one),
        TEST(a_memory_of_one_year_is_as_new_as_can_be),
        TEST(what_was_made_nobody_knows_when_weighs_as_the_newest),
        TEST(ages_count_from_the_year_that_the_question_names_in_both_directions),
        TEST(a_year_is_told_or_in_the_id_whichever_is_earlier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
