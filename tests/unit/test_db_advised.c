// uses: db
// Versions that answers proposed: which run or experiment is the outcome of which proposal.
#include "feedback_version.h"
#include "test_db_fixture.h"
#include "ulid.h"

#define DAY (INT64_C(86400) * 1000000)

/* Propose version V1 to start from on a6000, or the change from V0 to it, but for what this says.
 */
struct proposal {
    const char *version, *from, *chip, *workload, *list;
    int64_t served_us, until_us;
};

static int64_t
propose(struct fixture *f, const struct proposal *p)
{
    struct lore_advised_version v = {.list = p->list != NULL ? p->list : "start",
        .rank = 1,
        .version = id(f, p->version != NULL ? p->version : "V1"),
        .from = p->from != NULL ? id(f, p->from) : NULL,
        .technique = p->from != NULL ? "compute.launch_config" : NULL,
        .chip = p->chip != NULL ? p->chip : "a6000",
        .workload = p->workload,
        .value = 0.9,
        .low = 0.7,
        .high = 1,
        .p_fail = 0.1};
    char id26[LORE_ULID_SIZE];
    struct lore_advised a = {.caller = "ada",
        .op = "softmax",
        .chip = v.chip,
        .labels = "",
        .served_us = p->served_us != 0 ? p->served_us : NOW - DAY,
        .until_us = p->until_us != 0 ? p->until_us : NOW + DAY,
        .versions = &v,
        .n_versions = 1};
    int64_t seq = 0;

    lore_ulid_new(id26);
    a.id = lore_strdup(&f->arena, id26);
    ok(f, lore_db_begin(f->db, &f->err));
    ok(f, lore_put_advice(f->db, &a, &f->err));
    ok(f, lore_db_commit(f->db, &f->err));
    LORE_STMT q = lore_sql(f->db, "SELECT max(seq) FROM log_advice");
    assert_true(lore_row(&q));
    seq = lore_col_i64(&q, 0);
    ok(f, lore_done(&q, &f->err));
    return seq;
}

static int
open_versions(void **state)
{
    int failed = fixture_open(state);

    take(*state, "D0",
        "'kernels':[{'id':'@K1','operator':'softmax','name':'row','language':'cuda'}],'versions':["
        "{'id':'@V0','kernel':'@K1','kind':'baseline'},{'id':'@V1','kernel':'@K1','kind':'"
        "candidate'},"
        "{'id':'@V2','kernel':'@K1','kind':'candidate'}]");
    return failed;
}

#define SHAPE "'workload':{'dims':{'M':64},'dtype':'f32'}"

/* Run R of VERSION on CHIP, with MORE members. */
static void
run(struct fixture *f, const char *r, const char *version, const char *chip, const char *more)
{
    take(f, lore_format(&f->arena, "D%c", r[1]),
        lore_format(&f->arena, "'runs':[{'id':'@%s','version':'@%s','chip':'%s'," SHAPE ",%s}]", r,
            version, chip, more));
}

#define TIMED "'samples_ns':[200,200,200]"

/* What is linked, as "answer:record answer:record". */
static const char *
links(struct fixture *f)
{
    LORE_STMT q = lore_sql(f->db, "SELECT t.advice, t.record FROM drv_advice_trial t"
                                  " ORDER BY t.record, t.advice");
    const char *text = "";

    while (lore_row(&q))
        text = lore_format(&f->arena, "%s%s%d:%d", text, *text != '\0' ? " " : "",
            (int)lore_col_i64(&q, 0), (int)lore_col_i64(&q, 1));
    ok(f, lore_done(&q, &f->err));
    return text;
}

static struct lore_version_outcomes
outcomes(struct fixture *f)
{
    const struct lore_advice_filter all = {.op = NULL};
    struct lore_version_outcomes o;

    ok(f, lore_list_version_outcomes(f->db, &all, 100, &f->arena, &o, &f->err));
    return o;
}

static void
a_run_is_the_outcome_of_the_newest_answer_that_proposed_its_version(void **state)
{
    struct fixture *f = *state;

    propose(f, &(struct proposal){0});
    propose(f, &(struct proposal){0});
    propose(f, &(struct proposal){.version = "V2"});
    run(f, "R1", "V1", "a6000", TIMED);
    assert_string_equal(links(f), "2:1");
    propose(f, &(struct proposal){0}); /* came after the run */
    ok(f, lore_link_start(f->db, 1, &f->err));
    assert_string_equal(links(f), "2:1");
    struct lore_version_outcomes o = outcomes(f);
    assert_int_equal(o.n_starts, 1);
    assert_string_equal(o.starts[0].run, id(f, "R1"));
    assert_true(o.starts[0].time_ns == 200 && !o.starts[0].failed && !o.starts[0].hidden);
    assert_true(o.starts[0].value == 0.9 && o.starts[0].p_fail == 0.1);
}

static void
another_chip_workload_or_time_is_no_outcome(void **state)
{
    struct fixture *f = *state;

    propose(f, &(struct proposal){.chip = "mi300x"});
    propose(f, &(struct proposal){.workload = "00000000000000000000000000000000"});
    propose(f, &(struct proposal){.until_us = NOW - 1});
    propose(f, &(struct proposal){.served_us = NOW + 2 * DAY, .until_us = NOW + 3 * DAY});
    propose(f, &(struct proposal){.from = "V0"});
    run(f, "R1", "V1", "a6000", TIMED);
    run(f, "R2", "V2", "a6000", TIMED);
    assert_string_equal(links(f), "");
    propose(f, &(struct proposal){0});
    run(f, "R3", "V1", "a6000", TIMED ",'evidence':'imported'"); /* brought from elsewhere */
    assert_string_equal(links(f), "");
}

static void
a_question_about_an_isa_is_answered_by_any_of_its_chips(void **state)
{
    struct fixture *f = *state;

    propose(f, &(struct proposal){.chip = "sm_86"});
    run(f, "R1", "V1", "a6000", TIMED);
    assert_string_equal(links(f), "1:1");
}

static void
an_experiment_between_the_two_versions_is_the_outcome_of_a_change(void **state)
{
    struct fixture *f = *state;

    propose(f, &(struct proposal){.from = "V0", .list = "moves"});
    propose(f, &(struct proposal){.from = "V2", .list = "moves"});
    propose(f, &(struct proposal){.version = "V1"});
    take(f, "D5",
        "'experiments':[{'id':'@X1','kernel':'@K1','title':'t','chip':'a6000',"
        "'from_version':'@V0','to_version':'@V1','claim':{'latency_before_ns':2000,"
        "'latency_after_ns':1000}}]");
    assert_string_equal(links(f), "1:1");
    struct lore_version_outcomes o = outcomes(f);
    assert_int_equal(o.n_moves, 1);
    assert_string_equal(o.moves[0].technique, "compute.launch_config");
    assert_int_equal(lore_advice_came(&o.moves[0]), LORE_CAME_WORKED);
    assert_true(o.moves[0].p_win.set && o.moves[0].p_win.v == 0.9);
}

static void
failures_are_outcomes_and_what_is_retracted_is_none(void **state)
{
    struct fixture *f = *state;

    propose(f, &(struct proposal){0});
    run(f, "R1", "V1", "a6000", "'error':{'type':'compilation','message':'no'}");
    run(f, "R2", "V1", "a6000", TIMED ",'correctness':{'status':'fail'}");
    run(f, "R3", "V1", "a6000", TIMED);
    take(f, "D9", "'curations':[{'id':'@C1','action':'retract','subjects':['@R1'],'reason':'x'}]");
    struct lore_version_outcomes o = outcomes(f);
    assert_int_equal(o.n_starts, 3);
    assert_true(o.starts[0].failed && o.starts[0].hidden);
    assert_true(o.starts[1].failed && !o.starts[1].hidden);
    assert_true(!o.starts[2].failed);
}

static void
at_most_eight_outcomes_of_a_proposal_are_kept(void **state)
{
    struct fixture *f = *state;
    const char *const runs[] = {"R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "RA"};

    propose(f, &(struct proposal){0});
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        run(f, runs[i], "V1", "a6000", TIMED);
    assert_int_equal(outcomes(f).n_starts, 8);
}

static void
a_rebuild_links_the_same(void **state)
{
    struct fixture *f = *state;
    struct lore_rebuilt done;
    const char *before;

    propose(f, &(struct proposal){0});
    run(f, "R1", "V1", "a6000", TIMED);
    propose(f, &(struct proposal){.from = "V0"});
    propose(f, &(struct proposal){.version = "V2"});
    run(f, "R2", "V2", "a6000", TIMED);
    take(f, "D5",
        "'experiments':[{'id':'@X1','kernel':'@K1','title':'t','chip':'a6000',"
        "'from_version':'@V0','to_version':'@V1','claim':{'speedup':2}}]");
    propose(f, &(struct proposal){0});
    before = links(f);
    assert_string_equal(before, "1:1 2:1 3:2");
    ok(f, lore_rebuild(f->db, NOW, &done, &f->err));
    assert_string_equal(links(f), before);
}

static void
the_best_of_a_place_is_the_fastest_that_is_right(void **state)
{
    struct fixture *f = *state;
    struct lore_start_best best;
    const char *workload = NULL;

    run(f, "R1", "V0", "a6000", "'samples_ns':[400]");
    run(f, "R2", "V1", "a6000", "'samples_ns':[300]");
    run(f, "R3", "V2", "a6000", "'samples_ns':[100],'correctness':{'status':'fail'}");
    run(f, "R4", "V0", "mi300x", "'samples_ns':[50]");
    LORE_STMT q = lore_sql(f->db, "SELECT workload FROM fact_run LIMIT 1");
    assert_true(lore_row(&q));
    workload = lore_col_text(&q, 0, &f->arena);
    ok(f, lore_done(&q, &f->err));
    ok(f, lore_best_of_place(f->db, "softmax", "a6000", workload, &best, &f->err));
    assert_true(best.time_ns == 300);
    assert_int_equal(best.versions, 2);
    ok(f, lore_best_of_place(f->db, "gemm", "a6000", workload, &best, &f->err));
    assert_true(best.time_ns == 0);
}

static void
answers_of_which_a_version_was_tried_are_not_forgotten(void **state)
{
    struct fixture *f = *state;
    const struct lore_advice_filter all = {.op = NULL};
    int64_t served = 0;

    propose(f, &(struct proposal){0});
    propose(f, &(struct proposal){.version = "V2"});
    propose(f, &(struct proposal){.version = "V2"}); /* the newest stays */
    run(f, "R1", "V1", "a6000", TIMED);
    ok(f, lore_db_begin(f->db, &f->err));
    ok(f, lore_prune_advice(f->db, 0, NOW, &f->err));
    ok(f, lore_db_commit(f->db, &f->err));
    LORE_STMT q = lore_sql(f->db, "SELECT count(*) FROM log_advice_version");
    assert_true(lore_row(&q));
    assert_int_equal(lore_col_i64(&q, 0), 2);
    ok(f, lore_done(&q, &f->err));
    ok(f, lore_count_starts(f->db, &all, &f->arena, &served, &f->err));
    assert_int_equal(served, 3); /* forgotten ones were served, too */
    assert_string_equal(links(f), "1:1");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_versions, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_run_is_the_outcome_of_the_newest_answer_that_proposed_its_version),
        TEST(another_chip_workload_or_time_is_no_outcome),
        TEST(a_question_about_an_isa_is_answered_by_any_of_its_chips),
        TEST(an_experiment_between_the_two_versions_is_the_outcome_of_a_change),
        TEST(failures_are_outcomes_and_what_is_retracted_is_none),
        TEST(at_most_eight_outcomes_of_a_proposal_are_kept),
        TEST(a_rebuild_links_the_same),
        TEST(the_best_of_a_place_is_the_fastest_that_is_right),
        TEST(answers_of_which_a_version_was_tried_are_not_forgotten),
    };

    return cmocka_run_group_tests_name("db advised versions", tests, NULL, NULL);
}
