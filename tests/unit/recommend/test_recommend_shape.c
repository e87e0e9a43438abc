// uses: recommend m
/* Evidence from alike shapes: a level below the operator, for questions that name a workload. */
#include "service/recommend/model.h"
#include "tests/unit/recommend_case.h"

static struct lore_kv dims[2];
static struct lore_kvs dims_list;
static char rows_text[16], cols_text[16];

static struct lore_shape
shape_of(int rows, int cols)
{
    snprintf(rows_text, sizeof rows_text, "%d", rows);
    snprintf(cols_text, sizeof cols_text, "%d", cols);
    dims[0] = (struct lore_kv){"N", rows_text};
    dims[1] = (struct lore_kv){"C", cols_text};
    dims_list = (struct lore_kvs){.v = dims, .n = 2, .cap = 2};
    return (struct lore_shape){.dims = &dims_list, .dtype = "f32"};
}

/* The memory knows WORKLOAD as ROWS by COLS of softmax. */
static void
know(const char *workload, int rows, int cols)
{
    struct lore_shape shape = shape_of(rows, cols);
    lore_evidence_workload(ix, "softmax", workload, &shape);
}

static void
add_on(const char *workload, const char *technique, double speedup)
{
    struct lore_evidence_in in = base(technique, "softmax", "a6000", speedup);

    in.workload = workload;
    lore_evidence_add(ix, &in);
}

/* WORKLOAD may be one that the memory has never seen; its dims are known to who asks. */
static void
ask_shape(const char *workload, int rows, int cols)
{
    struct lore_shape shape = shape_of(rows, cols);
    struct lore_question q = question("softmax", "a6000");

    q.workload = workload;
    q.shape = &shape;
    lore_recommend(ix, &q, &arena, &answer);
}

static void
two_shapes(void)
{
    know("small", 1024, 256);
    know("large", 1 << 20, 16384);
    for (int i = 0; i < 4; i++) {
        add_on("small", SHUFFLE, 1.5);
        add_on("large", SHUFFLE, 0.8);
        add_on("small", UNROLL, 0.8);
        add_on("large", UNROLL, 1.5);
    }
}

static const struct lore_advice *
told(const char *technique)
{
    const struct lore_advice *a = advised(technique);
    return a ? a : avoided(technique);
}

static void
what_won_on_alike_shapes_comes_before_what_won_on_others(void **state)
{
    (void)state;
    two_shapes();
    ask("softmax", "a6000");
    assert_near(told(SHUFFLE)->p_win.value, told(UNROLL)->p_win.value, 1e-6);
    assert_int_equal(told(SHUFFLE)->alike, 0);
    ask_shape("never seen", 1024, 320);
    assert_string_equal(answer.advice[0].technique, SHUFFLE);
    assert_true(told(SHUFFLE)->p_win.value > 0.6);
    assert_int_equal(told(SHUFFLE)->alike, 4);
    assert_non_null(strstr(told(SHUFFLE)->why, "4 were on shapes like this one."));
    assert_true(told(SHUFFLE)->cited[0].alike > 0.5 && told(SHUFFLE)->cited[0].alike <= 1);
    assert_near(told(SHUFFLE)->cited[0].speedup, 1.5, 1e-6);
    ask_shape("large", 1 << 20, 16384);
    assert_string_equal(answer.advice[0].technique, UNROLL);
    assert_near(told(UNROLL)->cited[0].alike, 1, 1e-6);
}

/* Eight experiments of each technique, four wins, all of weight 1: the operator level says half
 * when none is alike. With the four of this very shape it has the other four alone, all lost. */
static void
an_experiment_of_this_shape_enters_the_shape_level_alone(void **state)
{
    const double k = 2, shape_k = 0.5, base_rate = 0.5;
    const double four = 4 / (1 + 3 * lore_model(LORE_M_WITNESS)); /* they are alike */
    const double others = k * base_rate / (k + four),
                 p = (shape_k * others + four) / (shape_k + four);
    (void)state;

    two_shapes();
    ask_shape("small", 1024, 256);
    assert_near(told(SHUFFLE)->p_win.value, p, 1e-6);
    assert_near(told(SHUFFLE)->effective_n, four + four * 0.8, 1e-5);
}

static void
a_shape_without_dims_is_alike_to_itself_only(void **state)
{
    struct lore_question q = question("softmax", "a6000");
    (void)state;

    two_shapes();
    add(SHUFFLE, "softmax", "a6000", 1.5); /* on a shape that was not recorded */
    add(UNROLL, "softmax", "a6000", 1.5);
    q.workload = "small";
    lore_recommend(ix, &q, &arena, &answer);
    assert_int_equal(told(SHUFFLE)->alike, 4);
    assert_true(told(SHUFFLE)->p_win.value > told(UNROLL)->p_win.value);
    q.workload = "nobody knows";
    lore_recommend(ix, &q, &arena, &answer);
    assert_int_equal(told(SHUFFLE)->alike, 0);
    assert_near(told(SHUFFLE)->p_win.value, told(UNROLL)->p_win.value, 1e-6);
}

/* The mean of what is known on the operator stays; how far to trust it for this shape does not. */
static void
a_shape_like_none_keeps_the_operators_estimate_with_a_wider_interval(void **state)
{
    double p, width;
    (void)state;

    two_shapes();
    ask("softmax", "a6000");
    p = told(SHUFFLE)->p_win.value;
    width = told(SHUFFLE)->p_win.high - told(SHUFFLE)->p_win.low;
    ask_shape("far away", 1, 1 << 28);
    assert_near(told(SHUFFLE)->p_win.value, p, 1e-6);
    assert_true(told(SHUFFLE)->p_win.high - told(SHUFFLE)->p_win.low > width);
    assert_int_equal(told(SHUFFLE)->alike, 0);
}

static void
shapes_of_other_operators_are_never_alike(void **state)
{
    struct lore_shape shape = shape_of(1024, 256);
    struct lore_evidence_in in;
    (void)state;

    lore_evidence_workload(ix, "layernorm", "same dims", &shape);
    in = base(SHUFFLE, "layernorm", "a6000", 1.5);
    in.workload = "same dims";
    lore_evidence_add(ix, &in);
    ask_shape("never seen", 1024, 256);
    assert_int_equal(advised(SHUFFLE)->alike, 0);
    assert_true(advised(SHUFFLE)->same_family && !advised(SHUFFLE)->same_operator);
}

/* Whatever thirds and weights add up to: what is all of this shape leaves nothing to the operator's
 * other shapes, not even a rounding error. */
static void
what_is_all_of_this_shape_leaves_no_step_of_the_operator(void **state)
{
    static const char *const techniques[] = {SHUFFLE, UNROLL, VECTORIZE};
    static const char *const languages[] = {"cuda", "triton", "hip"};
    (void)state;

    know("small", 1024, 256);
    for (int i = 0; i < 40; i++) {
        struct lore_evidence_in in = base(SHUFFLE, "softmax", i % 2 ? "a6000" : "a100", 1.5);
        in.workload = "small";
        in.language = languages[i % 3];
        in.evidence = i % 5 == 0 ? LORE_EV_IMPORTED : LORE_EV_MEASURED;
        in.labels = i % 4 == 0 ? 0 : LIMITS;
        for (int k = 0; k < 3; k++) {
            in.technique = techniques[k];
            lore_evidence_add(ix, &in);
        }
        ask_shape("small", 1024, 256);
        assert_int_equal(advised(SHUFFLE)->n_steps, 2);
        assert_string_equal(advised(SHUFFLE)->steps[1].level, "shapes like this one");
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_won_on_alike_shapes_comes_before_what_won_on_others),
        TEST(an_experiment_of_this_shape_enters_the_shape_level_alone),
        TEST(a_shape_without_dims_is_alike_to_itself_only),
        TEST(a_shape_like_none_keeps_the_operators_estimate_with_a_wider_interval),
        TEST(shapes_of_other_operators_are_never_alike),
        TEST(what_is_all_of_this_shape_leaves_no_step_of_the_operator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
