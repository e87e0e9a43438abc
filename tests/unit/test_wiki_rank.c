// uses: derive m
/* The wiki's rank, component by component. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/derive/wiki_rank.h"
#include "tests/unit/near.h"

static struct lore_wiki_rank out;

static double
score(const char *type, size_t effective, size_t ineffective, double age)
{
    struct lore_wiki_rank_in in = {
        .type = type, .effective = effective, .ineffective = ineffective, .age_days = {true, age}};

    lore_wiki_rank(&in, &out);
    return out.score.v;
}

static void
without_feedback_the_prior_fades_to_half(void **state)
{
    (void)state;
    assert_near(score("technique-card", 0, 0, 0), 0.55, 1e-12);
    assert_near(score("technique-card", 0, 0, 90), 0.55 * 0.75, 1e-12);
    assert_near(score("technique-card", 0, 0, 180), 0.55 * 0.625, 1e-12);
    assert_near(score("technique-card", 0, 0, 1e9), 0.275, 1e-12);
    assert_near(score("technique-card", 0, 0, -5), 0.55, 1e-12);
}

static void
feedback_counts_fully_from_eight_outcomes_on(void **state)
{
    (void)state;
    assert_near(score("doc", 1, 0, 0), 0.40 + 0.35 / 8, 1e-12);
    assert_near(score("doc", 8, 0, 0), 0.75, 1e-12);
    assert_near(score("doc", 80, 0, 0), 0.75, 1e-12);
    assert_near(score("doc", 4, 4, 0), 0.40, 1e-12);
    assert_near(score("doc", 0, 8, 0), 0.05, 1e-12);
    assert_near(out.confidence, 1, 0);
    assert_near(out.signed_feedback, -1, 0);
}

static void
the_sum_is_clamped_before_recency(void **state)
{
    struct lore_wiki_rank_in in = {
        .type = "doc", .prior = {true, 0.9}, .usage_bonus = {true, 0.3}, .age_days = {true, 90}};

    (void)state;
    lore_wiki_rank(&in, &out);
    assert_near(out.score.v, 0.75, 1e-12);
    in.prior.v = 0.1;
    in.usage_bonus.v = 0;
    in.ineffective = 20;
    lore_wiki_rank(&in, &out);
    assert_near(out.score.v, 0, 0);
}

static void
a_technique_that_failed_proves_the_warning_against_it(void **state)
{
    size_t effective, ineffective;

    (void)state;
    lore_wiki_feedback("anti-strategy", 1, 7, &effective, &ineffective);
    assert_int_equal(effective, 7);
    assert_true(score("anti-strategy", effective, ineffective, 0) > 0.45);
    lore_wiki_feedback("technique-card", 1, 7, &effective, &ineffective);
    assert_int_equal(effective, 1);
    assert_true(score("technique-card", effective, ineffective, 0) < 0.55);
}

static void
an_unknown_component_makes_the_score_unknown(void **state)
{
    struct lore_wiki_rank_in in = {.type = "dispatch-rule", .age_days = {true, 1}};

    (void)state;
    lore_wiki_rank(&in, &out);
    assert_false(out.score.set);
    assert_string_equal(out.unknown, "prior");
    in = (struct lore_wiki_rank_in){.type = "doc"};
    lore_wiki_rank(&in, &out);
    assert_false(out.score.set);
    assert_string_equal(out.unknown, "age_days");
    assert_true(out.prior.set);
}

static void
priors_are_those_of_the_wiki(void **state)
{
    (void)state;
    assert_near(lore_wiki_prior("anti-strategy").v, 0.45, 0);
    assert_near(lore_wiki_prior("symptom-card").v, 0.55, 0);
    assert_near(lore_wiki_prior("reference-kernel").v, 0.45, 0);
    assert_false(lore_wiki_prior("strategy").set);
    assert_false(lore_wiki_prior(NULL).set);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_feedback_the_prior_fades_to_half),
        cmocka_unit_test(feedback_counts_fully_from_eight_outcomes_on),
        cmocka_unit_test(the_sum_is_clamped_before_recency),
        cmocka_unit_test(a_technique_that_failed_proves_the_warning_against_it),
        cmocka_unit_test(an_unknown_component_makes_the_score_unknown),
        cmocka_unit_test(priors_are_those_of_the_wiki),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
