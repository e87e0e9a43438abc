// uses: recommend m
/* The recommender on small memories whose right answer a person can see. */
#include "service/recommend/model.h"
#include "tests/unit/recommend_case.h"

enum { LATENCY = 1u << LORE_L_LATENCY };

static void
an_empty_memory_says_so(void **state)
{
    (void)state;
    ask("softmax", "a6000");
    assert_true(answer.empty);
    assert_string_equal(answer.summary, "No experiment is stored that names a technique.");
    assert_int_equal(answer.n_advice + answer.n_avoid + answer.n_similar, 0);
    assert_true(answer.n_untried > 0); /* the catalogue still knows what memory-bound kernels try */
    assert_near(answer.untried[0].p_win.value, 0.5, 1e-9);
    assert_true(answer.untried[0].p_win.low < 0.2 && answer.untried[0].p_win.high > 0.8);
}

static void
a_memory_whose_experiments_do_not_count_is_not_called_empty(void **state)
{
    struct lore_question q = question("softmax", "a6000");
    struct lore_evidence_in in = base(VECTORIZE, "gemm", "a6000", 1.5);
    (void)state;

    in.step = true;
    lore_evidence_add(ix, &in);
    lore_recommend(ix, &q, &arena, &answer);
    assert_int_equal(answer.considered, 0);
    assert_string_equal(answer.summary, "No experiment in memory counts for this question: each is "
                                        "hidden, or a step of a search on another operator.");
    q.include_masked = true;
    q.at_least = LORE_EV_CONFIRMED;
    lore_recommend(ix, &q, &arena, &answer);
    assert_string_equal(answer.summary,
        "No experiment in memory counts for this question: each is a "
        "step of a search on another operator, or less than confirmed.");
}

static void
what_won_here_is_advised_with_counts_and_a_reason(void **state)
{
    (void)state;
    add(VECTORIZE, "softmax", "a6000", 1.34);
    add(VECTORIZE, "softmax", "a6000", 1.5);
    add(VECTORIZE, "softmax", "a6000", 0.9);
    ask("softmax", "sm_86");
    const struct lore_advice *a = advised(VECTORIZE);
    assert_non_null(a);
    assert_int_equal(a->tried, 3);
    assert_int_equal(a->won, 2);
    assert_int_equal(a->lost, 1);
    assert_int_equal(a->tried_here, 3);
    assert_int_equal(a->won_here, 2);
    assert_int_equal(a->lost_here, 1);
    assert_true(a->contested && a->same_operator && a->same_family);
    assert_int_equal(a->nearest, LORE_T_SAME_ISA);
    assert_string_equal(
        a->why, "Won 2 of 3 times on softmax (sm_86); median 1.34x. Not seen on other operators.");
    assert_non_null(a->known);
    assert_int_equal(a->n_cited, 3);
    assert_false(answer.empty);
    assert_string_equal(answer.summary, "3 experiments on softmax, all on sm_86 devices.");
    assert_near(answer.base_rate, 2.0 / 3, 1e-12);
}

static void
intervals_contain_their_value_and_narrow_with_evidence(void **state)
{
    (void)state;
    add(VECTORIZE, "softmax", "a6000", 1.3);
    ask("softmax", "a6000");
    const struct lore_advice *a = advised(VECTORIZE);
    double p_width = a->p_win.high - a->p_win.low, gain_width = a->gain.high - a->gain.low;
    assert_true(a->p_win.low < a->p_win.value && a->p_win.value < a->p_win.high);
    assert_true(a->gain.low < a->gain.value && a->gain.value < a->gain.high);
    assert_true(a->p_win.value < 0.8); /* one win is not certainty */
    for (int i = 0; i < 30; i++)
        add(VECTORIZE, "softmax", "a6000", 1.3);
    ask("softmax", "a6000");
    a = advised(VECTORIZE);
    assert_true(a->p_win.value > 0.9);
    assert_true(a->p_win.high - a->p_win.low < p_width / 2);
    assert_true(a->gain.high - a->gain.low < gain_width / 2);
    assert_near(a->gain.value, log(1.3), 0.04);
}

/* One win of weight 1: base (1 + 1) / (2 + 1), then only the operator level has evidence. */
static void
one_experiment_enters_the_estimate_once(void **state)
{
    double m = 2.0 / 3, p = (2 * m + 1) / (2 + 1);
    (void)state;

    add(VECTORIZE, "softmax", "a6000", 1.3);
    ask("softmax", "a6000");
    assert_near(advised(VECTORIZE)->p_win.value, p, 1e-6);
    assert_near(advised(VECTORIZE)->effective_n, 1, 1e-6);
}

static void
nearer_evidence_weighs_more(void **state)
{
    const char *chips[] = {"a6000", "a4000", "a100", "h100-sxm", "mi300x"};
    double last = 1;
    (void)state;

    for (int i = 0; i < 5; i++) {
        begin(NULL);
        add(SHUFFLE, "softmax", chips[i], 2);
        add(UNROLL, "softmax", "a6000", 0.8); /* keeps the base rate from following */
        ask("softmax", "a6000");
        const struct lore_advice *a = advised(SHUFFLE);
        assert_non_null(a);
        assert_int_equal(a->nearest, i);
        assert_int_equal(a->by_travel[i], 1);
        assert_true(a->p_win.value < last);
        last = a->p_win.value;
        lore_evidence_free(ix);
    }
    ix = NULL;
}

static void
evidence_on_the_operator_beats_evidence_elsewhere(void **state)
{
    (void)state;
    add(SHUFFLE, "softmax", "a6000", 1.5);
    add(VECTORIZE, "layernorm", "a6000", 1.5);
    add(UNROLL, "gemm", "a6000", 1.5);
    for (int i = 0; i < 3; i++)
        add("memory.cache_hints", "softmax", "a6000", 0.9);
    ask("softmax", "a6000");
    assert_true(advised(SHUFFLE)->same_operator);
    assert_true(!advised(VECTORIZE)->same_operator && advised(VECTORIZE)->same_family);
    assert_true(!advised(UNROLL)->same_family);
    assert_true(advised(SHUFFLE)->effective_n > advised(VECTORIZE)->effective_n);
    assert_true(advised(VECTORIZE)->effective_n > advised(UNROLL)->effective_n);
    assert_string_equal(advised(VECTORIZE)->why,
        "Won the one time it was tried on layernorm; 1.50x. Never tried on softmax.");
}

static void
what_only_lost_is_to_be_avoided_with_its_failures_cited(void **state)
{
    (void)state;
    add(UNROLL, "softmax", "a6000", 0.9);
    add(UNROLL, "softmax", "a6000", 0.8);
    add(VECTORIZE, "softmax", "a6000", 1.4);
    ask("softmax", "a6000");
    assert_null(advised(UNROLL));
    const struct lore_advice *a = avoided(UNROLL);
    assert_non_null(a);
    assert_int_equal(a->lost, 2);
    assert_true(a->gain.value < 0);
    assert_int_equal(a->n_cited, 2);
    assert_int_equal(a->cited[0].effect, LORE_X_LOSS);
    assert_near(a->cited[0].speedup, 0.8, 1e-6); /* the larger effect first */
    assert_string_equal(
        a->why, "Lost both times on softmax (a6000); median 0.85x. Not seen on other operators.");
}

static void
a_wrong_result_is_no_win_however_fast(void **state)
{
    struct lore_evidence_in in = base(UNROLL, "softmax", "a6000", 5);
    (void)state;

    in.correctness = LORE_C_FAIL;
    lore_evidence_add(ix, &in);
    add(VECTORIZE, "softmax", "a6000", 1.4);
    ask("softmax", "a6000");
    const struct lore_advice *a = avoided(UNROLL);
    assert_non_null(a);
    assert_int_equal(a->incorrect, 1);
    assert_true(a->p_win.value < 0.5);
    assert_non_null(strstr(a->why, "One gave no correct result."));
    assert_near(answer.base_rate, 0.5, 1e-12);
}

static void
a_failure_without_numbers_is_a_warning_and_a_success_is_nothing(void **state)
{
    struct lore_evidence_in in = base(UNROLL, "gated_rmsnorm_quant", "mi300x", 0);
    (void)state;

    in.said_lost = true;
    lore_evidence_add(ix, &in);
    add(SHUFFLE, "gated_rmsnorm_quant", "mi300x", 0);
    ask("gated_rmsnorm_quant", "mi300x");
    const struct lore_advice *a = avoided(UNROLL);
    assert_non_null(a);
    assert_int_equal(a->said_lost, 1);
    assert_int_equal(a->not_measured, 1);
    assert_int_equal(a->lost, 0);
    assert_non_null(strstr(a->why, "It was reported without numbers."));
    assert_null(advised(SHUFFLE));
    assert_null(avoided(SHUFFLE));
}

static void
citations_show_failures_beside_many_wins(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        add(VECTORIZE, "softmax", "a6000", 2 + i * 0.01);
    add(VECTORIZE, "gemm", "mi300x", 0.5);
    ask("softmax", "a6000");
    const struct lore_advice *a = advised(VECTORIZE);
    assert_int_equal(a->n_cited, 6);
    assert_near(a->cited[0].speedup, 2.19, 1e-5);
    assert_int_equal(a->cited[5].effect, LORE_X_LOSS);
    assert_string_equal(a->cited[5].chip, "mi300x");
    assert_int_equal(a->cited[5].travel, LORE_T_OTHER_VENDOR);
    for (size_t i = 1; i < 6; i++)
        assert_true(a->cited[i - 1].weight >= a->cited[i].weight);
    assert_int_equal(answer.n_similar, 8);
}

static void
techniques_of_one_experiment_share_its_credit(void **state)
{
    struct lore_evidence_in in = base(VECTORIZE, "softmax", "a6000", 1.5);
    (void)state;

    lore_evidence_add(ix, &in);
    in.technique = SHUFFLE;
    lore_evidence_add(ix, &in);
    in.technique = "fill_me_tag";
    lore_evidence_add(ix, &in);
    in.technique = "baseline";
    lore_evidence_add(ix, &in);
    ask("softmax", "a6000");
    assert_int_equal(answer.considered, 1);
    assert_int_equal(answer.n_advice, 2);
    assert_near(advised(VECTORIZE)->effective_n, 0.25, 1e-6);
    assert_near(advised(SHUFFLE)->p_win.value, advised(VECTORIZE)->p_win.value, 1e-12);
    assert_int_equal(answer.n_similar, 1);
}

static void
neutral_counts_against_and_inconclusive_counts_as_nothing(void **state)
{
    struct lore_evidence_in in = base(SHUFFLE, "softmax", "a6000", 1.2);
    (void)state;

    in.effect = LORE_X_INCONCLUSIVE;
    lore_evidence_add(ix, &in);
    add(UNROLL, "softmax", "a6000", 1.03);
    add(VECTORIZE, "softmax", "a6000", 1.5);
    ask("softmax", "a6000");
    assert_near(answer.base_rate, 0.5, 1e-12);
    const struct lore_advice *a = avoided(UNROLL);
    assert_non_null(a);
    assert_int_equal(a->neutral, 1);
    assert_null(avoided(SHUFFLE));
    assert_null(advised(SHUFFLE)); /* nothing judged: neither */
    assert_int_equal(answer.considered, 3);
}

static void
what_bears_on_nothing_close_is_not_given_a_count_and_a_distance(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct lore_evidence_in in = base(VECTORIZE, "softmax", "a6000", 1.3);
        in.labels = LATENCY;
        lore_evidence_add(ix, &in);
    }
    ask("frobnicate", "mi300x");
    assert_int_equal(answer.matched, 0);
    assert_string_equal(answer.summary,
        "No experiment on frobnicate on mi300x, nor on anything close; what follows is how "
        "techniques did on other operators.");
}

static void
an_unknown_operator_gets_an_honest_summary_and_wide_intervals(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++)
        add(VECTORIZE, "softmax", "a6000", i % 4 == 0 ? 0.9 : 1.3);
    ask("softmax", "a6000");
    double here = advised(VECTORIZE)->p_win.high - advised(VECTORIZE)->p_win.low;
    ask("frobnicate", "a6000");
    assert_false(answer.empty);
    assert_int_equal(answer.on_operator, 0);
    assert_string_equal(answer.summary, "No experiment on frobnicate; what follows comes from "
                                        "other operators (40 experiments, nearest: this chip).");
    const struct lore_advice *a = advised(VECTORIZE);
    assert_true(a->p_win.high - a->p_win.low > 1.5 * here);
    assert_string_equal(
        a->why, "Won 30 of 40 times on softmax; median 1.30x. Never tried on frobnicate.");
}

static void
a_question_without_chip_labels_or_operator_works(void **state)
{
    struct lore_question q = {0};
    (void)state;

    add(VECTORIZE, "softmax", "a6000", 1.5);
    add(VECTORIZE, "gemm", "mi300x", 1.2);
    lore_recommend(ix, &q, &arena, &answer);
    assert_int_equal(answer.n_advice, 1);
    assert_int_equal(answer.n_untried, 0);
    assert_string_equal(answer.advice[0].why, "Won both times; median 1.34x.");
    assert_string_equal(answer.summary, "2 experiments on any operator and chip.");
    q.op = "softmax";
    lore_recommend(ix, &q, &arena, &answer);
    assert_string_equal(answer.summary, "1 experiment on softmax, on any chip.");
    q = (struct lore_question){.family = "gemm", .chip = lore_chip_find("gfx942")};
    lore_recommend(ix, &q, &arena, &answer);
    assert_string_equal(answer.advice[0].why,
        "Won the one time it was tried on gemm operators on gfx942; 1.20x. Won on softmax.");
}

static void
masked_experiments_count_only_when_asked_for(void **state)
{
    struct lore_question q = question("softmax", "a6000");
    (void)state;

    struct lore_evidence_in in = base(VECTORIZE, "softmax", "a6000", 1.5);
    in.masked = true;
    lore_evidence_add(ix, &in);
    lore_recommend(ix, &q, &arena, &answer);
    assert_int_equal(answer.n_advice, 0);
    assert_int_equal(answer.considered, 0);
    q.include_masked = true;
    lore_recommend(ix, &q, &arena, &answer);
    assert_int_equal(answer.n_advice, 1);
    assert_int_equal(answer.advice[0].n_cited, 1);
}

static void
untried_techniques_fire_by_label_and_were_not_tried_here(void **state)
{
    struct lore_question q = question("softmax", "a6000");
    (void)state;

    add(VECTORIZE, "softmax", "a6000", 1.5);
    q.limit = 50;
    lore_recommend(ix, &q, &arena, &answer);
    assert_null(find(answer.untried, answer.n_untried, VECTORIZE));
    for (size_t i = 0; i < answer.n_untried; i++) {
        assert_true((answer.untried[i].known->triggers & LIMITS) != 0);
        assert_int_equal(answer.untried[i].tried_here, 0);
        assert_non_null(strstr(answer.untried[i].why, "no experiment on softmax (a6000) yet."));
    }
    assert_true(answer.n_untried > 5);
}

static void
disjoint_bottlenecks_and_other_languages_weigh_less(void **state)
{
    struct lore_evidence_in in;
    (void)state;

    add(VECTORIZE, "softmax", "a6000", 1.5);
    in = base(SHUFFLE, "softmax", "a6000", 1.5);
    in.labels = LATENCY;
    lore_evidence_add(ix, &in);
    in = base(UNROLL, "softmax", "a6000", 1.5);
    in.language = "triton";
    lore_evidence_add(ix, &in);
    in = base("memory.cache_hints", "softmax", "a6000", 1.5);
    in.process_broken = true;
    in.evidence = LORE_EV_CLAIMED;
    lore_evidence_add(ix, &in);
    ask("softmax", "a6000");
    assert_near(advised(VECTORIZE)->effective_n, 1, 1e-6);
    assert_near(advised(SHUFFLE)->effective_n, 0.4, 1e-6);
    assert_near(advised(UNROLL)->effective_n, 0.5, 1e-6);
    assert_near(advised("memory.cache_hints")->effective_n, 0.4, 1e-6);
    assert_int_equal(advised("memory.cache_hints")->process_faults, 1);
}

static void
far_and_doubtful_evidence_is_no_match(void **state)
{
    struct lore_evidence_in in = base(VECTORIZE, "gemm", "mi300x", 1.5);
    (void)state;

    in.language = "hip";
    in.labels = LATENCY;
    in.evidence = LORE_EV_CLAIMED;
    lore_evidence_add(ix, &in);
    ask("softmax", "a6000");
    assert_true(answer.empty);
    assert_int_equal(answer.considered, 1);
    assert_int_equal(answer.matched, 0);
    assert_string_equal(answer.summary,
        "Nothing here bears on softmax on a6000: 1 experiment in memory, none close enough.");
}

static void
an_enormous_speedup_does_not_carry_the_mean_away(void **state)
{
    (void)state;
    add(VECTORIZE, "softmax", "a6000", 1e6);
    ask("softmax", "a6000");
    assert_true(advised(VECTORIZE)->gain.value < log(10));
    assert_near(advised(VECTORIZE)->cited[0].speedup, 1e6, 1);
}

static void
limits_hold_and_the_best_comes_first(void **state)
{
    struct lore_question q = question("softmax", "a6000");
    (void)state;

    for (int i = 0; i < 30; i++) {
        char technique[32];
        snprintf(technique, sizeof technique, "idea_%02d", i);
        add(technique, "softmax", "a6000", 1.1 + i * 0.05);
        snprintf(technique, sizeof technique, "bad_idea_%02d", i);
        add(technique, "softmax", "a6000", 0.9);
    }
    lore_recommend(ix, &q, &arena, &answer);
    assert_int_equal(answer.n_advice, 10);
    assert_int_equal(answer.n_avoid, 10);
    assert_string_equal(answer.advice[0].technique, "idea_29");
    q.limit = 3;
    lore_recommend(ix, &q, &arena, &answer);
    assert_int_equal(answer.n_advice, 3);
    assert_int_equal(answer.n_untried, 3);
}

static void
every_number_of_the_model_is_named_and_explained_once(void **state)
{
    size_t n;
    const struct lore_model_number *numbers = lore_recommend_model(&n);
    (void)state;

    assert_true(n > 20);
    for (size_t i = 0; i < n; i++) {
        assert_true(numbers[i].name && strlen(numbers[i].help) > 10);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(numbers[i].name, numbers[j].name);
    }
}

static void
a_gain_that_ablation_does_not_grant_a_technique_is_not_its_win(void **state)
{
    struct lore_evidence_in in = base(VECTORIZE, "softmax", "a6000", 1.5);
    const struct lore_advice *a;
    (void)state;

    in.share = LORE_SHARE_INERT;
    lore_evidence_add(ix, &in);
    in.technique = SHUFFLE;
    in.share = LORE_SHARE_OPEN;
    lore_evidence_add(ix, &in);
    ask("softmax", "a6000");
    a = advised(SHUFFLE);
    assert_non_null(a);
    assert_int_equal(a->won, 1);
    assert_int_equal(a->inert, 0);
    a = advised(VECTORIZE) ? advised(VECTORIZE) : avoided(VECTORIZE);
    if (a) {
        assert_int_equal(a->won, 0);
        assert_int_equal(a->lost, 0);
        assert_int_equal(a->inert, 1);
        assert_near(a->worst, 1, 1e-6);
        assert_int_equal(a->cited[0].share, LORE_SHARE_INERT);
        assert_non_null(strstr(a->why, "In the code here, and as fast without it."));
        assert_null(strstr(a->why, "Won"));
    }
    assert_near(answer.base_rate, 1, 1e-6); /* the experiment itself won */
    add(VECTORIZE, "softmax", "a6000", 1.4);
    ask("softmax", "a6000");
    a = advised(VECTORIZE);
    assert_non_null(a);
    assert_int_equal(a->won, 1);
    assert_int_equal(a->tried, 2);
    assert_non_null(strstr(a->why, "In the code here, and as fast without it."));
}

static void
the_worst_result_and_the_shapes_are_told_and_thin_or_doubtful_evidence_can_be_left_out(void **state)
{
    struct lore_evidence_in in = base(UNROLL, "softmax", "a6000", 1.5);
    struct lore_question q = question("softmax", "a6000");
    const struct lore_advice *a;
    (void)state;

    in.workload = "w1";
    lore_evidence_add(ix, &in);
    in = base(UNROLL, "softmax", "a6000", 0.8);
    in.workload = "w2";
    in.evidence = LORE_EV_CLAIMED;
    lore_evidence_add(ix, &in);
    lore_recommend(ix, &q, &arena, &answer);
    a = advised(UNROLL);
    assert_non_null(a);
    assert_int_equal(a->workloads, 2);
    assert_near(a->worst, 0.8, 1e-6);
    assert_string_equal(a->worst_in, in.experiment);
    q.at_least = LORE_EV_MEASURED;
    lore_recommend(ix, &q, &arena, &answer);
    assert_int_equal(answer.considered, 1);
    a = advised(UNROLL);
    assert_non_null(a);
    assert_int_equal(a->tried, 1);
    assert_near(a->worst, 1.5, 1e-6);
    q.min_effective_n = 1.5;
    lore_recommend(ix, &q, &arena, &answer);
    assert_null(advised(UNROLL));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_empty_memory_says_so),
        TEST(a_memory_whose_experiments_do_not_count_is_not_called_empty),
        TEST(what_won_here_is_advised_with_counts_and_a_reason),
        TEST(intervals_contain_their_value_and_narrow_with_evidence),
        TEST(one_experiment_enters_the_estimate_once),
        cmocka_unit_test_teardown(nearer_evidence_weighs_more, end),
        TEST(evidence_on_the_operator_beats_evidence_elsewhere),
        TEST(what_only_lost_is_to_be_avoided_with_its_failures_cited),
        TEST(a_wrong_result_is_no_win_however_fast),
        TEST(a_failure_without_numbers_is_a_warning_and_a_success_is_nothing),
        TEST(citations_show_failures_beside_many_wins),
        TEST(techniques_of_one_experiment_share_its_credit),
        TEST(neutral_counts_against_and_inconclusive_counts_as_nothing),
        TEST(what_bears_on_nothing_close_is_not_given_a_count_and_a_distance),
        TEST(an_unknown_operator_gets_an_honest_summary_and_wide_intervals),
        TEST(a_question_without_chip_labels_or_operator_works),
        TEST(masked_experiments_count_only_when_asked_for),
        TEST(untried_techniques_fire_by_label_and_were_not_tried_here),
        TEST(disjoint_bottlenecks_and_other_languages_weigh_less),
        TEST(far_and_doubtful_evidence_is_no_match),
        TEST(an_enormous_speedup_does_not_carry_the_mean_away),
        TEST(limits_hold_and_the_best_comes_first),
        TEST(a_gain_that_ablation_does_not_grant_a_technique_is_not_its_win),
        TEST(
            the_worst_result_and_the_shapes_are_told_and_thin_or_doubtful_evidence_can_be_left_out),
        TEST(every_number_of_the_model_is_named_and_explained_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
