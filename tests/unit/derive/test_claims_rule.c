// uses: derive m
/* Accept and reject rules, above all the real one that its own noise makes undecidable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/derive/claims_rule.h"

static struct lore_arena arena;
static struct lore_claims_rule rule;
static struct lore_rule_decision decided;
static struct lore_metric profile[] = {
    {.name = "launch__registers_per_thread", .value = 64},
    {.name = "lts__t_sector_hit_rate.pct", .value = 50},
};

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static struct lore_rule_facts
facts(double ns, double noise_pct, enum lore_check correctness)
{
    return (struct lore_rule_facts){
        .before = {.runs = {.median_ns = 100000}, .metrics = {.v = profile, .n = 2}},
        .after = {.runs = {.median_ns = ns}, .metrics = {.v = profile, .n = 2}},
        .correctness = correctness,
        .noise_pct = {true, noise_pct}};
}

static enum lore_rule_truth
truth(const char *text, struct lore_rule_facts f)
{
    lore_claims_rule(text, &f, &arena, &rule);
    return rule.truth;
}

#define QUIET facts(45000, 0.5, LORE_C_PASS)
#define ACCEPT "execution time < 0.050 ms AND correctness passes"
#define REJECT "correctness fails OR execution time >= 0.052 ms"

static enum lore_decision
decide(const char *accept, const char *reject, struct lore_rule_facts f)
{
    lore_claims_decide(accept, reject, &f, &arena, &decided);
    return decided.decision;
}

static void
a_rule_between_noise_limits_is_undecided(void **state)
{
    (void)state;
    /* 0.0530 ms +- 0.0092 ms, limits 0.050 and 0.052 */
    assert_int_equal(
        decide(ACCEPT, REJECT, facts(53000, 17.36, LORE_C_PASS)), LORE_DECISION_UNDECIDED);
    assert_int_equal(decided.accept.truth, LORE_RULE_UNDECIDED);
    assert_int_equal(decided.reject.truth, LORE_RULE_UNDECIDED);
    assert_string_equal(decided.reason, "noise or missing measurements leave it open");
}

static void
a_change_is_held_against_the_noise_of_both_sides(void **state)
{
    static const int64_t before[] = {100000, 100500, 101000, 100200, 100700, 100400};
    static const int64_t faster[] = {90000, 90500, 91000, 90200, 90700, 90400};
    static const int64_t same[] = {100100, 100600, 100900, 100100, 100800, 100300};
    const char *falls = "the median of the duration falls by more than the noise of the pair";
    struct lore_rule_facts f = {
        .before = {.runs = {.samples_ns = before, .n = 6}},
        .after = {.runs = {.samples_ns = faster, .n = 6}},
    };

    (void)state;
    assert_int_equal(truth(falls, f), LORE_RULE_TRUE);
    assert_int_equal(truth("latency rises beyond noise", f), LORE_RULE_FALSE);
    assert_int_equal(truth("speedup rises by more than noise", f), LORE_RULE_TRUE);
    assert_int_equal(decide(falls, NULL, f), LORE_DECISION_ACCEPT);
    f.after.runs.samples_ns = same;
    assert_int_equal(truth(falls, f), LORE_RULE_FALSE);
    assert_int_equal(decide(falls, NULL, f), LORE_DECISION_REJECT);
}

static void
noise_that_nobody_knows_decides_nothing(void **state)
{
    struct lore_rule_facts f = QUIET;

    (void)state;
    assert_int_equal(truth("latency falls by more than the noise", f), LORE_RULE_TRUE);
    f.noise_pct.set = false;
    assert_int_equal(truth("latency falls by more than the noise", f), LORE_RULE_UNDECIDED);
    assert_int_equal(truth("L2 hit rate rises by more than noise", f), LORE_RULE_UNDECIDED);
    assert_int_equal(truth("registers fall by more than noise", f), LORE_RULE_FALSE); /* exact */
    assert_int_equal(truth("bank conflicts fall by more than noise", f), LORE_RULE_UNDECIDED);
    assert_int_equal(truth("latency by more than the noise", f), LORE_RULE_NOT_PARSED);
    assert_int_equal(truth("latency falls by more than 3x the noise", f), LORE_RULE_NOT_PARSED);
    assert_int_equal(truth("latency does not fall by more than noise", f), LORE_RULE_NOT_PARSED);
}

static void
quiet_measurements_decide_both_ways(void **state)
{
    (void)state;
    assert_int_equal(decide(ACCEPT, REJECT, facts(45000, 0.5, LORE_C_PASS)), LORE_DECISION_ACCEPT);
    assert_int_equal(decide(ACCEPT, REJECT, facts(60000, 0.5, LORE_C_PASS)), LORE_DECISION_REJECT);
    assert_int_equal(decide(ACCEPT, REJECT, facts(45000, 0.5, LORE_C_FAIL)), LORE_DECISION_REJECT);
    assert_int_equal(
        decide(ACCEPT, REJECT, facts(53000, 17.36, LORE_C_TIMEOUT)), LORE_DECISION_REJECT);
}

static void
the_gap_between_the_rules_is_undecided(void **state)
{
    (void)state;
    assert_int_equal(
        decide(ACCEPT, REJECT, facts(51000, 0.5, LORE_C_PASS)), LORE_DECISION_UNDECIDED);
    assert_string_equal(decided.reason, "neither rule decides");
}

static void
unchecked_correctness_accepts_nothing(void **state)
{
    (void)state;
    assert_int_equal(
        decide(ACCEPT, REJECT, facts(45000, 0.5, LORE_C_NONE)), LORE_DECISION_UNDECIDED);
    assert_int_equal(
        decide(ACCEPT, NULL, facts(45000, 0.5, LORE_C_NOT_CHECKED)), LORE_DECISION_UNDECIDED);
}

static void
a_lone_rule_decides_as_far_as_it_goes(void **state)
{
    (void)state;
    assert_int_equal(decide(ACCEPT, NULL, QUIET), LORE_DECISION_ACCEPT);
    assert_int_equal(decide(ACCEPT, " ", facts(60000, 0.5, LORE_C_PASS)), LORE_DECISION_REJECT);
    assert_int_equal(decide(NULL, REJECT, facts(60000, 0.5, LORE_C_PASS)), LORE_DECISION_REJECT);
    assert_int_equal(decide(NULL, REJECT, QUIET), LORE_DECISION_UNDECIDED);
    assert_int_equal(decide(NULL, NULL, QUIET), LORE_DECISION_NOT_PARSED);
    assert_int_equal(
        decide("speedup > 1.1", "execution time < 0.05 ms", QUIET), LORE_DECISION_UNDECIDED);
    assert_string_equal(decided.reason, "both rules hold");
}

static void
what_is_not_understood_is_said(void **state)
{
    (void)state;
    assert_int_equal(truth("it feels fast", QUIET), LORE_RULE_NOT_PARSED);
    assert_int_equal(truth("", QUIET), LORE_RULE_NOT_PARSED);
    assert_int_equal(truth("latency < 5", QUIET), LORE_RULE_NOT_PARSED); /* five what? */
    assert_int_equal(truth("no correctness failure", QUIET), LORE_RULE_NOT_PARSED);
    assert_int_equal(truth("(a < 1 OR b < 2) AND c < 3", QUIET), LORE_RULE_NOT_PARSED);
    assert_int_equal(decide("it feels fast", NULL, QUIET), LORE_DECISION_NOT_PARSED);
    assert_int_equal(decide("it feels fast", REJECT, QUIET), LORE_DECISION_UNDECIDED);
    assert_int_equal(decide(ACCEPT, "it feels slow", QUIET), LORE_DECISION_UNDECIDED);
    /* a clause that decides needs no understanding of the others */
    assert_int_equal(truth("it feels fast AND speedup > 9", QUIET), LORE_RULE_FALSE);
    assert_int_equal(truth("it feels fast OR speedup > 2", QUIET), LORE_RULE_TRUE);
}

static void
and_binds_tighter_than_or(void **state)
{
    (void)state;
    assert_int_equal(
        truth("speedup > 2 or speedup > 9 and correctness fails", QUIET), LORE_RULE_TRUE);
    assert_int_equal(rule.n, 3);
    assert_int_equal(
        truth("correctness fails && speedup > 2 || speedup > 9", QUIET), LORE_RULE_FALSE);
    assert_int_equal(truth("speedup > 2, correctness passes; registers <= 64 (per thread)", QUIET),
        LORE_RULE_TRUE);
}

static void
metrics_and_remarks_are_understood(void **state)
{
    (void)state;
    assert_int_equal(truth("registers <= 64", QUIET), LORE_RULE_TRUE);
    assert_int_equal(truth("registers < 64", QUIET), LORE_RULE_FALSE);
    assert_int_equal(truth("registers at most 63", QUIET), LORE_RULE_FALSE);
    assert_int_equal(truth("l2_hit_pct above 40 %", QUIET), LORE_RULE_TRUE);
    assert_int_equal(truth("l2_hit_pct above 50.5 %", QUIET), LORE_RULE_UNDECIDED);
    assert_int_equal(truth("latency < 50 us (p50)", QUIET), LORE_RULE_TRUE);
    assert_int_equal(truth("occupancy > 40 %", QUIET), LORE_RULE_UNDECIDED); /* not measured */
    assert_non_null(strstr(rule.clauses[0].why, "was not measured"));
}

static void
noise_comes_from_samples_when_there_are_some(void **state)
{
    static const int64_t wide[] = {40000, 45000, 48000, 52000, 58000, 61000};
    struct lore_rule_facts f = {.after = {.runs = {.samples_ns = wide, .n = 6}}};

    (void)state;
    assert_int_equal(truth("latency < 55 us", f), LORE_RULE_UNDECIDED);
    assert_int_equal(truth("latency < 90 us", f), LORE_RULE_TRUE);
    f.after.runs = (struct lore_side){.median_ns = 50000}; /* nothing known: 2 % */
    assert_int_equal(truth("latency < 50.5 us", f), LORE_RULE_UNDECIDED);
    assert_int_equal(truth("latency < 52 us", f), LORE_RULE_TRUE);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_between_noise_limits_is_undecided),
        cmocka_unit_test(a_change_is_held_against_the_noise_of_both_sides),
        cmocka_unit_test(noise_that_nobody_knows_decides_nothing),
        cmocka_unit_test(quiet_measurements_decide_both_ways),
        cmocka_unit_test(the_gap_between_the_rules_is_undecided),
        cmocka_unit_test(unchecked_correctness_accepts_nothing),
        cmocka_unit_test(a_lone_rule_decides_as_far_as_it_goes),
        cmocka_unit_test(what_is_not_understood_is_said),
        cmocka_unit_test(and_binds_tighter_than_or),
        cmocka_unit_test(metrics_and_remarks_are_understood),
        cmocka_unit_test(noise_comes_from_samples_when_there_are_some),
    };

    return cmocka_run_group_tests(tests, NULL, clean);
}
