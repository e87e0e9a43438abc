// uses: verdicts
// Which served answer an experiment is the outcome of, and what is forgotten.
#include "db/curated.h"
#include "db/feedback.h"
#include "service/base/ulid.h"
#include "service/derive/feedback_sum.h"
#include "tests/unit/db_fixture.h"

#define DAY (INT64_C(86400) * 1000000)
#define WINDOW (30 * DAY)

/* Serve TECHNIQUE for softmax on sm_86 in cuda, but for what CHANGE says; its id. */
struct change {
    const char *op, *isa, *language, *workload, *list;
    int64_t served_us, until_us;
    bool any_op, any_chip, any_language;
};

static const char *
serve(struct fixture *f, const char *technique, const struct change *c)
{
    struct lore_advised_item item = {.list = c->list != NULL ? c->list : "advice",
        .rank = 1,
        .technique = technique,
        .p_win = {true, 0.7},
        .gain = {true, 1.3}};
    struct lore_advised a = {.caller = "ada",
        .op = c->any_op       ? NULL
              : c->op != NULL ? c->op
                              : "softmax",
        .chip = c->any_chip ? NULL : "sm_86",
        .isa = c->any_chip      ? NULL
               : c->isa != NULL ? c->isa
                                : "sm_86",
        .language = c->any_language       ? NULL
                    : c->language != NULL ? c->language
                                          : "cuda",
        .workload = c->workload,
        .labels = "",
        .served_us = c->served_us != 0 ? c->served_us : NOW - DAY,
        .until_us = c->until_us != 0 ? c->until_us : NOW + WINDOW,
        .items = &item,
        .n_items = 1};
    char id26[LORE_ULID_SIZE];

    lore_ulid_new(id26);
    a.id = lore_strdup(&f->arena, id26);
    ok(f, lore_db_begin(f->db, &f->err));
    ok(f, lore_put_advice(f->db, &a, &f->err));
    ok(f, lore_db_commit(f->db, &f->err));
    return a.id;
}

static enum lore_status
tell(struct fixture *f, const char *advice, const char *event, const char *technique)
{
    const struct lore_advice_event e = {
        .event = event, .technique = technique, .caller = "ada", .at_us = NOW};
    enum lore_status status;

    ok(f, lore_db_begin(f->db, &f->err));
    status = lore_put_advice_event(f->db, advice, &e, &f->err);
    ok(f, lore_db_commit(f->db, &f->err));
    return status;
}

static const char plain[] =
    "'techniques':['float4 loads'],'chip':'a6000','claim':{'latency_before_ns':2000,"
    "'latency_after_ns':1000}";

/* Store experiment X, whose members beside id, kernel and title are MORE. */
static void
try_it(struct fixture *f, const char *x, const char *more)
{
    char d[3] = {'D', x[1], '\0'};

    take(f, d,
        lore_format(&f->arena,
            "'kernels':[{'id':'@K1','operator':'softmax','name':'row','language':'cuda'}],"
            "'experiments':[{'id':'@%s','kernel':'@K1','title':'t',%s}]",
            x, more));
}

/* "how ID" of the answer that experiment X is an outcome of; "" of none. */
static const char *
of(struct fixture *f, const char *x)
{
    LORE_STMT q = lore_sql(f->db,
        "SELECT o.how, v.id FROM drv_advice_outcome o JOIN log_advice v ON v.seq = o.advice"
        " JOIN fact_experiment e ON e.seq = o.experiment WHERE e.id = $1");
    const char *text = "";

    lore_bind_text(&q, 1, id(f, x));
    if (lore_row(&q))
        text =
            lore_format(&f->arena, "%s %s", lore_col_text(&q, 0, NULL), lore_col_text(&q, 1, NULL));
    ok(f, lore_done(&q, &f->err));
    return text;
}

static const char *
how(struct fixture *f, const char *word, const char *advice)
{
    return lore_format(&f->arena, "%s %s", word, advice);
}

#define WIDE "memory.vectorized_access"

static void
the_newest_answer_of_the_same_question_is_linked(void **state)
{
    struct fixture *f = *state;
    const char *newest;

    serve(f, WIDE, &(struct change){0});
    newest = serve(f, WIDE, &(struct change){0});
    serve(f, "compute.tensor_core", &(struct change){0});
    try_it(f, "X1", plain);
    assert_string_equal(of(f, "X1"), how(f, "context", newest));
    serve(f, WIDE, &(struct change){0}); /* came after the experiment */
    ok(f, lore_verdicts_judge(f->db, id(f, "X1"), &f->arena, NOW, &f->err));
    assert_string_equal(of(f, "X1"), how(f, "context", newest));
}

static void
a_question_that_named_less_is_the_same_question(void **state)
{
    struct fixture *f = *state;
    const char *anywhere = serve(f, WIDE, &(struct change){.any_chip = true, .any_language = true});

    try_it(f, "X1", plain);
    assert_string_equal(of(f, "X1"), how(f, "context", anywhere));
}

static void
another_question_is_not_linked(void **state)
{
    struct fixture *f = *state;

    serve(f, WIDE, &(struct change){.op = "gemm"});
    serve(f, WIDE, &(struct change){.isa = "gfx942"});
    serve(f, WIDE, &(struct change){.language = "hip"});
    serve(f, WIDE, &(struct change){.workload = "0123456789abcdef0123456789abcdef"});
    serve(f, WIDE, &(struct change){.any_op = true}); /* about anything is about nothing */
    try_it(f, "X1", plain);
    assert_string_equal(of(f, "X1"), "");
}

static void
too_late_too_early_and_brought_from_elsewhere_are_no_outcomes(void **state)
{
    struct fixture *f = *state;
    const char *open;

    serve(f, WIDE, &(struct change){.until_us = NOW - 1});
    try_it(f, "X1", plain);
    assert_string_equal(of(f, "X1"), "");
    open = serve(f, WIDE, &(struct change){0});
    try_it(f, "X2", lore_format(&f->arena, "%s,'happened_at':'2020-01-01'", plain));
    try_it(f, "X3", lore_format(&f->arena, "%s,'evidence':'imported'", plain));
    try_it(f, "X4", lore_format(&f->arena, "%s,'happened_at':'2026-09-21T13:00:00Z'", plain));
    assert_string_equal(of(f, "X2"), "");
    assert_string_equal(of(f, "X3"), "");
    assert_string_equal(of(f, "X4"), how(f, "context", open));
}

static void
what_somebody_applied_comes_before_what_is_newer(void **state)
{
    struct fixture *f = *state;
    const char *older = serve(f, WIDE, &(struct change){0});
    const char *newer = serve(f, WIDE, &(struct change){0});

    ok(f, tell(f, older, "applied", WIDE));
    try_it(f, "X1", plain);
    assert_string_equal(of(f, "X1"), how(f, "applied", older));
    ok(f, tell(f, older, "dismissed", WIDE)); /* his last word */
    try_it(f, "X2", plain);
    assert_string_equal(of(f, "X2"), how(f, "context", newer));
    ok(f, tell(f, newer, "dismissed", WIDE));
    try_it(f, "X3", plain);
    assert_string_equal(of(f, "X3"), "");
}

static void
the_answer_that_an_experiment_names_comes_first(void **state)
{
    struct fixture *f = *state;
    const char *named = serve(f, WIDE, &(struct change){.op = "gemm", .isa = "gfx942"});
    const char *same = serve(f, WIDE, &(struct change){0});

    ok(f, tell(f, same, "applied", WIDE));
    try_it(f, "X1", lore_format(&f->arena, "%s,'extra':{'advice':'%s'}", plain, named));
    assert_string_equal(of(f, "X1"), how(f, "named", named));
    /* one that nobody served, or no id at all, names nothing */
    try_it(f, "X2", lore_format(&f->arena, "%s,'extra':{'advice':'%s'}", plain, id(f, "NN")));
    try_it(f, "X3", lore_format(&f->arena, "%s,'extra':{'advice':[1]}", plain));
    assert_string_equal(of(f, "X2"), how(f, "applied", same));
    assert_string_equal(of(f, "X3"), how(f, "applied", same));
}

static void
each_technique_has_its_own_item(void **state)
{
    struct fixture *f = *state;
    int64_t n = 0;

    serve(f, WIDE, &(struct change){0});
    serve(f, "compute.tensor_core", &(struct change){0});
    try_it(f, "X1",
        "'techniques':['float4 loads','compute.tensor_core','memory.vectorized_access'],"
        "'chip':'sm_86','claim':{'latency_before_ns':2000,'latency_after_ns':1000}");
    {
        LORE_STMT q =
            lore_sql(f->db, "SELECT count(*), count(DISTINCT advice) FROM drv_advice_outcome");

        assert_true(lore_row(&q));
        n = lore_col_i64(&q, 0);
        assert_int_equal(lore_col_i64(&q, 1), 2);
        ok(f, lore_done(&q, &f->err));
    }
    assert_int_equal(n, 2);
}

static void
the_verdict_in_force_is_what_came_of_it(void **state)
{
    struct fixture *f = *state;
    const char *advice = serve(f, WIDE, &(struct change){0});
    struct lore_advice_row row = {0};

    try_it(f, "X1", plain);
    ok(f, lore_db_get_advice(f->db, advice, &f->arena, &row, &f->err));
    assert_int_equal(row.n_results, 1);
    assert_int_equal(lore_advice_outcome(&row.results[0]), LORE_ITEM_WORKED);
    ok(f, lore_db_begin(f->db, &f->err));
    ok(f, lore_mask_put(
              f->db, id(f, "X1"), &(struct lore_mask_row){true, "why", "ada", NOW}, 0, &f->err));
    ok(f, lore_db_commit(f->db, &f->err));
    ok(f, lore_db_get_advice(f->db, advice, &f->arena, &row, &f->err));
    assert_true(row.results[0].hidden);
    assert_int_equal(lore_advice_outcome(&row.results[0]), LORE_ITEM_OPEN);
}

static void
a_rebuild_links_the_same(void **state)
{
    struct fixture *f = *state;
    const char *older = serve(f, WIDE, &(struct change){0}), *before[3];
    const char *const all[] = {"X1", "X2", "X3"};
    struct lore_rebuilt done;

    serve(f, WIDE, &(struct change){0});
    try_it(f, "X1", plain);
    ok(f, tell(f, older, "applied", WIDE)); /* after X1: it stays with the newer one */
    try_it(f, "X2", plain);
    try_it(f, "X3", "'techniques':['compute.tensor_core'],'chip':'sm_86'");
    serve(f, "compute.tensor_core", &(struct change){0});
    for (int i = 0; i < 3; i++)
        before[i] = of(f, all[i]);
    assert_string_equal(before[1], how(f, "applied", older));
    assert_string_equal(before[2], "");
    ok(f, lore_db_exec(f->db, "DELETE FROM drv_advice_outcome", &f->err));
    ok(f, lore_verdicts_rebuild(f->db, NOW, &done, &f->err));
    for (int i = 0; i < 3; i++)
        assert_string_equal(of(f, all[i]), before[i]);
}

static void
old_answers_are_forgotten_unless_something_came_of_them(void **state)
{
    struct fixture *f = *state;
    const char *first = serve(f, WIDE, &(struct change){0}), *told, *gone;
    struct lore_advice_stored kept = {0};
    struct lore_advice_row row;

    try_it(f, "X1", plain); /* an outcome of the first */
    told = serve(f, WIDE, &(struct change){0});
    ok(f, tell(f, told, "opened", NULL));
    gone = serve(f, WIDE, &(struct change){0});
    for (int i = 0; i < 4; i++)
        serve(f, WIDE, &(struct change){0});
    ok(f, lore_db_prune_advice(f->db, 2, 0, &f->err));
    ok(f, lore_db_get_advice_stored(f->db, &kept, &f->err));
    assert_int_equal(kept.answers, 4);
    assert_int_equal(kept.forgotten, 3);
    ok(f, lore_db_get_advice(f->db, first, &f->arena, &row, &f->err));
    ok(f, lore_db_get_advice(f->db, told, &f->arena, &row, &f->err));
    assert_int_equal(lore_db_get_advice(f->db, gone, &f->arena, &row, &f->err), LORE_NOTFOUND);
    assert_string_equal(f->err.code, "unknown_advice");
    /* all are too old: the last one keeps its number from being used again */
    ok(f, lore_db_prune_advice(f->db, 100, NOW + DAY, &f->err));
    ok(f, lore_db_get_advice_stored(f->db, &kept, &f->err));
    assert_int_equal(kept.answers, 3);
    serve(f, WIDE, &(struct change){0});
    ok(f, lore_db_get_advice_stored(f->db, &kept, &f->err));
    assert_int_equal(kept.answers + kept.forgotten, 8);
}

static void
what_is_said_of_an_answer_is_bounded_and_checked(void **state)
{
    struct fixture *f = *state;
    const char *advice = serve(f, WIDE, &(struct change){0});
    int n = 0;

    assert_int_equal(tell(f, id(f, "NN"), "opened", NULL), LORE_NOTFOUND);
    assert_string_equal(f->err.path, "id");
    assert_int_equal(tell(f, advice, "applied", "memory.nonsense"), LORE_INVALID);
    assert_string_equal(f->err.path, "technique");
    while (n < 1000 && tell(f, advice, "opened", NULL) == LORE_OK)
        n++;
    assert_int_equal(n, 200);
    assert_string_equal(f->err.code, "too_many");
}

static void
counts_are_by_chip_technique_and_list(void **state)
{
    struct fixture *f = *state;
    const char *const chips[] = {"sm_86"};
    struct lore_advice_filter all = {.op = NULL};
    struct lore_advice_filter some = {
        .op = "softmax", .technique = WIDE, .chips = chips, .n_chips = 1};
    const char *advice = serve(f, WIDE, &(struct change){0});
    struct lore_advice_count *rows;
    size_t n;

    serve(f, WIDE, &(struct change){.list = "avoid"});
    serve(f, WIDE, &(struct change){.any_chip = true});
    serve(f, "compute.tensor_core", &(struct change){0});
    ok(f, tell(f, advice, "opened", NULL));
    ok(f, tell(f, advice, "applied", WIDE));
    ok(f, tell(f, advice, "applied", WIDE)); /* said twice, applied once */
    ok(f, lore_count_advice(f->db, &all, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 4);
    assert_string_equal(rows[0].chip, ""); /* any */
    ok(f, lore_count_advice(f->db, &some, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 2);
    assert_string_equal(rows[0].list, "advice");
    assert_int_equal(rows[0].served, 1);
    assert_int_equal(rows[0].opened, 1);
    assert_int_equal(rows[0].applied, 1);
    assert_string_equal(rows[1].list, "avoid");
    assert_int_equal(rows[1].applied, 0);
}

static void
the_best_is_looked_for_in_the_context_alone(void **state)
{
    struct fixture *f = *state;
    struct lore_f64 best = {0};

    try_it(f, "X1", "'techniques':['a'],'chip':'a6000','claim':{'speedup':9}"); /* before */
    serve(f, WIDE, &(struct change){0});
    try_it(f, "X2", plain);
    try_it(f, "X3", "'techniques':['b'],'chip':'a6000','claim':{'speedup':3}");
    try_it(f, "X4", "'techniques':['c'],'chip':'mi300x','claim':{'speedup':5}");
    try_it(f, "X5", "'techniques':['d'],'chip':'a6000','claim':{'speedup':7,'correctness':'fail'}");
    try_it(
        f, "X6", "'techniques':['e'],'chip':'a6000','evidence':'imported','claim':{'speedup':8}");
    ok(f, lore_db_best_after_advice(f->db, 1, &best, &f->err));
    assert_true(best.set && best.v > 2.999 && best.v < 3.001);
    serve(f, WIDE, &(struct change){.op = "gemm"});
    ok(f, lore_db_best_after_advice(f->db, 2, &best, &f->err));
    assert_false(best.set);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_newest_answer_of_the_same_question_is_linked),
        TEST(a_question_that_named_less_is_the_same_question),
        TEST(another_question_is_not_linked),
        TEST(too_late_too_early_and_brought_from_elsewhere_are_no_outcomes),
        TEST(what_somebody_applied_comes_before_what_is_newer),
        TEST(the_answer_that_an_experiment_names_comes_first),
        TEST(each_technique_has_its_own_item),
        TEST(the_verdict_in_force_is_what_came_of_it),
        TEST(a_rebuild_links_the_same),
        TEST(old_answers_are_forgotten_unless_something_came_of_them),
        TEST(what_is_said_of_an_answer_is_bounded_and_checked),
        TEST(counts_are_by_chip_technique_and_list),
        TEST(the_best_is_looked_for_in_the_context_alone),
    };

    return cmocka_run_group_tests_name("db feedback", tests, NULL, NULL);
}
