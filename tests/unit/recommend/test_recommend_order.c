// uses: recommend m
/* In which order advice is told, what is warned of although it won elsewhere, and in which words.
 */
#include "tests/unit/recommend_case.h"

/* The order of the demo's softmax: what won on it comes before what won bigger on gemm alone. */
static void
what_won_on_the_operator_comes_before_larger_wins_elsewhere(void **state)
{
    (void)state;
    add("compute.thread_coarsening", "gemm", "a6000", 4.11);
    add("compute.thread_coarsening", "gemm", "a6000", 1.23);
    add(VECTORIZE, "softmax", "a6000", 1.46);
    add(SHUFFLE, "layernorm", "a6000", 1.46);
    add(UNROLL, "softmax", "mi300x", 1.46);
    ask("softmax", "sm_86");
    assert_int_equal(answer.n_advice, 4);
    assert_string_equal(answer.advice[0].technique, VECTORIZE);
    assert_string_equal(answer.advice[1].technique, SHUFFLE);
    assert_non_null(advised(UNROLL));
    assert_non_null(advised("compute.thread_coarsening"));
}

/* Matrix cores need a matrix product; a win on the operator itself outweighs that. */
static void
what_the_operator_cannot_use_is_no_advice(void **state)
{
    (void)state;
    add("compute.tensor_core", "gemm", "a6000", 2);
    add(VECTORIZE, "gemm", "a6000", 1.4);
    ask("softmax", "a6000");
    assert_non_null(advised(VECTORIZE));
    assert_null(advised("compute.tensor_core"));
    add("compute.tensor_core", "softmax", "a6000", 1.2);
    ask("softmax", "a6000");
    assert_non_null(advised("compute.tensor_core"));
}

static void
what_the_version_has_is_on_no_list(void **state)
{
    (void)state;
    add(VECTORIZE, "softmax", "a6000", 1.46);
    add(SHUFFLE, "softmax", "a6000", 1.46);
    add(UNROLL, "softmax", "a6000", 0.8);
    const char *has[] = {VECTORIZE, UNROLL};
    struct lore_question q = question("softmax", "a6000");
    q.has = (struct lore_texts){.v = has, .n = 2};
    lore_recommend(ix, &q, &arena, &answer);
    assert_null(advised(VECTORIZE));
    assert_non_null(advised(SHUFFLE));
    assert_int_equal(answer.n_avoid, 0);
}

static void
add_in(const char *technique, const char *language, const char *chip)
{
    struct lore_evidence_in in = base(technique, "softmax", chip, 1.5);

    in.language = language; /* half the weight of CUDA */
    lore_evidence_add(ix, &in);
}

/* Both pairs have the same probability and gain, and names that would sort the other way. */
static void
ties_go_to_the_closer_evidence_then_to_more_wins(void **state)
{
    (void)state;
    add("a_far", "softmax", "h100-sxm", 1.5); /* 0.45 as another architecture */
    add_in("b_near", "triton", "a4000");      /* 0.45 as Triton on the same ISA */
    ask("softmax", "a6000");
    assert_near(advised("a_far")->p_win.value, advised("b_near")->p_win.value, 1e-6);
    assert_string_equal(answer.advice[0].technique, "b_near");
    add("a_once", "softmax", "a6000", 1.5);
    add_in("b_twice", "triton", "a6000");
    add_in("b_twice", "tilelang", "a6000"); /* in one place the two would be alike */
    ask("softmax", "a6000");
    assert_near(advised("a_once")->p_win.value, advised("b_twice")->p_win.value, 1e-6);
    assert_string_equal(answer.advice[0].technique, "b_twice");
    assert_string_equal(answer.advice[1].technique, "a_once");
}

static void
a_claim_does_not_lead_while_a_measurement_supports_something(void **state)
{
    struct lore_evidence_in in = base(SHUFFLE, "softmax", "a6000", 100);
    (void)state;

    in.evidence = LORE_EV_CLAIMED;
    lore_evidence_add(ix, &in);
    ask("softmax", "a6000");
    assert_string_equal(answer.advice[0].technique, SHUFFLE); /* there is nothing else */
    add(VECTORIZE, "softmax", "a6000", 1.1);
    in = base(UNROLL, "gemm", "h100-sxm", 1.2);
    in.evidence = LORE_EV_IMPORTED;
    lore_evidence_add(ix, &in);
    ask("softmax", "a6000");
    assert_int_equal(answer.n_advice, 3);
    assert_string_equal(answer.advice[0].technique, VECTORIZE);
    assert_string_equal(answer.advice[1].technique, SHUFFLE);
    ask("gemm", "mi300x");
    assert_string_equal(answer.advice[0].technique, UNROLL);
    add(SHUFFLE, "softmax", "a6000", 2); /* measured, too */
    ask("softmax", "a6000");
    assert_string_equal(answer.advice[0].technique, SHUFFLE);
}

static void
a_failure_here_outranks_wins_far_away(void **state)
{
    struct lore_evidence_in in = base(SHUFFLE, "gated_rmsnorm_quant", "mi300x", 0);
    (void)state;

    in.said_lost = true;
    lore_evidence_add(ix, &in);
    in = base(UNROLL, "gated_rmsnorm_quant", "mi300x", 0.5);
    lore_evidence_add(ix, &in);
    add(SHUFFLE, "topk_softmax", "mi300x", 15);
    add(SHUFFLE, "softmax", "a6000", 4);
    ask("gated_rmsnorm_quant", "gfx942");
    assert_null(advised(SHUFFLE));
    assert_non_null(avoided(SHUFFLE));
    assert_string_equal(answer.avoid[0].technique, SHUFFLE); /* what would have tempted */
    assert_string_equal(answer.avoid[0].why,
        "Failed the one time it was tried on gated_rmsnorm_quant (gfx942). Won on softmax and "
        "topk_softmax. One failure came without numbers.");
    ask("topk_softmax", "mi300x");
    assert_non_null(advised(SHUFFLE));
    add(SHUFFLE, "gated_rmsnorm_quant", "mi300x", 1.5);
    ask("gated_rmsnorm_quant", "mi300x"); /* one win there lifts it */
    assert_non_null(advised(SHUFFLE));
}

static void
a_question_about_a_chip_names_the_isa_when_others_of_it_answer(void **state)
{
    (void)state;
    add(VECTORIZE, "softmax", "a6000", 1.03);
    ask("softmax", "a4000");
    assert_string_equal(answer.summary, "1 experiment on softmax, on sm_86 devices.");
    assert_string_equal(avoided(VECTORIZE)->why,
        "No gain the one time it was tried on softmax (sm_86); 1.03x. Not seen on other "
        "operators.");
    add(VECTORIZE, "softmax", "h100-sxm", 1.01);
    ask("softmax", "a6000");
    assert_string_equal(answer.summary, "2 experiments on softmax, 1 of them on a6000.");
    ask("softmax", "mi300x");
    assert_string_equal(answer.summary, "2 experiments on softmax, none on mi300x; what follows "
                                        "comes from other chips and operators.");
    assert_string_equal(avoided(VECTORIZE)->why, "No gain both times on softmax, on other chips; "
                                                 "median 1.02x. Not seen on other operators. "
                                                 "Nearest evidence: another vendor.");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_won_on_the_operator_comes_before_larger_wins_elsewhere),
        TEST(what_the_operator_cannot_use_is_no_advice),
        TEST(what_the_version_has_is_on_no_list),
        TEST(ties_go_to_the_closer_evidence_then_to_more_wins),
        TEST(a_claim_does_not_lead_while_a_measurement_supports_something),
        TEST(a_failure_here_outranks_wins_far_away),
        TEST(a_question_about_a_chip_names_the_isa_when_others_of_it_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
