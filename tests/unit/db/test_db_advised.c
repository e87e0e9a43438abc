// uses: verdicts
// Versions that answers proposed: which run or experiment is the outcome of which proposal.
#include "db/feedback.h"
#include "db/feedback_version.h"
#include "service/base/ulid.h"
#include "service/derive/feedback_sum.h"
#include "tests/unit/db_fixture.h"

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
    const struct lore_advice_filter all = {.limit = 100};
    struct lore_version_outcomes o;

    ok(f, lore_db_list_version_outcomes(f->db, &all, &f->arena, &o, &f->err));
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
    ok(f, lore_db_link_start(f->db, 1, id(f, "V1"), &f->err));
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
    assert_int_equal(lore_advice_outcome(&o.moves[0]), LORE_ITEM_WORKED);
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
    ok(f, lore_verdicts_rebuild(f->db, NOW, &done, &f->err));
    assert_string_equal(links(f), before);
}

/* ---- versions that are set the same ---- */

#define TILES "{'block_x':64,'tile_y':4,'unroll':true,'order':'row\\n major'}"
#define TILES_OTHERWISE "{'order':'row\\u000a major','unroll':1,'tile_y':4.0,'block_x':6.4e1}"
#define LARGER "{'block_x':128,'tile_y':4,'unroll':true,'order':'row\\n major'}"

/* Version V of kernel K (@K2 is a softmax named row, recorded by somebody else), set to PARAMS. */
static void
version(struct fixture *f, const char *v, const char *k, const char *params)
{
    take(f, lore_format(&f->arena, "D%c", v[1]),
        lore_format(&f->arena, "'versions':[{'id':'@%s','kernel':'@%s','kind':'candidate'%s%s}]", v,
            k, params != NULL ? ",'params':" : "", params != NULL ? params : ""));
}

/* @VA and @VB of @K1 are TILES and LARGER; kernels by others are there, without versions. */
static void
search(struct fixture *f)
{
    take(f, "DK",
        "'kernels':[{'id':'@K2','operator':'softmax','name':'row','language':'hip'},"
        "{'id':'@K3','operator':'softmax','name':'column','language':'cuda'},"
        "{'id':'@K4','operator':'gemm','name':'row','language':'cuda'}]");
    version(f, "VA", "K1", TILES);
    version(f, "VB", "K1", LARGER);
}

static void
versions_of_two_kernels_that_are_set_the_same_are_one_configuration(void **state)
{
    struct fixture *f = *state;

    search(f);
    version(f, "VC", "K2", TILES_OTHERWISE);
    propose(f, &(struct proposal){.version = "VA"});
    propose(f, &(struct proposal){.version = "VB"});
    run(f, "R1", "VC", "a6000", TIMED);
    run(f, "R2", "VA", "a6000", TIMED);
    assert_string_equal(links(f), "1:1 1:2");
    struct lore_version_outcomes o = outcomes(f);
    assert_string_equal(o.starts[0].version, id(f, "VA")); /* what was proposed */
    assert_string_equal(o.starts[0].run, id(f, "R1"));
    propose(f, &(struct proposal){.version = "VC"}); /* a newer answer, by the other's version */
    run(f, "R3", "VA", "a6000", TIMED);
    assert_string_equal(links(f), "1:1 1:2 3:3");
}

static void
what_is_set_otherwise_or_runs_elsewhere_is_no_outcome(void **state)
{
    struct fixture *f = *state;

    search(f);
    version(f, "VC", "K2", LARGER);
    version(f, "VD", "K2", "{'block_x':64,'tile_y':4,'unroll':true}");
    version(f, "VE", "K2", "{'block_x':'64','tile_y':4,'unroll':true,'order':'row\\n major'}");
    version(f, "VF", "K2", "{'block_y':64,'tile_y':4,'unroll':true,'order':'row\\n major'}");
    version(f, "VG", "K3", TILES); /* a kernel of another name */
    version(f, "VH", "K4", TILES); /* another operator */
    version(f, "VJ", "K2", TILES);
    propose(f, &(struct proposal){.version = "VA"});
    run(f, "R1", "VC", "a6000", TIMED);
    run(f, "R2", "VD", "a6000", TIMED);
    run(f, "R3", "VE", "a6000", TIMED);
    run(f, "R4", "VF", "a6000", TIMED);
    run(f, "R5", "VG", "a6000", TIMED);
    run(f, "R6", "VH", "a6000", TIMED);
    run(f, "R7", "VJ", "mi300x", TIMED);
    run(f, "R8", "VJ", "a6000", TIMED ",'evidence':'imported'");
    assert_string_equal(links(f), "");
    run(f, "R9", "VJ", "a6000", TIMED);
    assert_string_equal(links(f), "1:9");
}

static void
a_version_without_parameters_is_only_itself(void **state)
{
    struct fixture *f = *state;

    search(f);
    version(f, "VC", "K2", NULL);
    version(f, "VD", "K2", "{}");
    propose(f, &(struct proposal){.version = "V0"});
    run(f, "R1", "VC", "a6000", TIMED);
    run(f, "R2", "VD", "a6000", TIMED);
    run(f, "R3", "V1", "a6000", TIMED);
    assert_string_equal(links(f), "");
    run(f, "R4", "V0", "a6000", TIMED);
    assert_string_equal(links(f), "1:4");
}

/* They differ in something that nobody recorded: the memory of moves takes them for two. */
static void
the_second_version_of_a_kernel_that_is_set_the_same_is_only_itself(void **state)
{
    struct fixture *f = *state;

    search(f);
    version(f, "VC", "K1", TILES_OTHERWISE);
    take(f, "DX", "'versions':[{'id':'@VX','kernel':'@K2','kind':'library','params':" TILES "}]");
    version(f, "VD", "K2", TILES); /* a library's is not there */
    propose(f, &(struct proposal){.version = "VA"});
    run(f, "R1", "VC", "a6000", TIMED);
    run(f, "R2", "VX", "a6000", TIMED);
    assert_string_equal(links(f), "");
    run(f, "R3", "VD", "a6000", TIMED);
    propose(f, &(struct proposal){.version = "VC"});
    run(f, "R4", "VD", "a6000", TIMED);
    run(f, "R5", "VC", "a6000", TIMED);
    assert_string_equal(links(f), "1:3 1:4 2:5");
}

#define EXPERIMENT(x, from, to)                                                                    \
    "'experiments':[{'id':'@" x                                                                    \
    "','kernel':'@K2','title':'t','chip':'a6000','from_version':'@" from "','to_version':'@" to    \
    "','claim':{'speedup':2}}]"

static void
an_experiment_between_the_settings_of_the_two_is_the_outcome_of_a_change(void **state)
{
    struct fixture *f = *state;

    search(f);
    version(f, "VC", "K2", TILES_OTHERWISE);
    version(f, "VD", "K2", LARGER);
    propose(f, &(struct proposal){.version = "VB", .from = "VA", .list = "moves"});
    propose(f, &(struct proposal){.version = "VB"});
    take(f, "D1", EXPERIMENT("X1", "VD", "VC")); /* the way back */
    take(f, "D2", EXPERIMENT("X2", "V0", "VD"));
    assert_string_equal(links(f), "");
    take(f, "D3", EXPERIMENT("X3", "VC", "VD"));
    take(f, "D4", EXPERIMENT("X4", "VA", "VD"));
    assert_string_equal(links(f), "1:3 1:4");
    assert_string_equal(outcomes(f).moves[0].experiment, id(f, "X3"));
}

static void
what_is_retracted_of_another_version_is_no_outcome_either(void **state)
{
    struct fixture *f = *state;

    search(f);
    version(f, "VC", "K2", TILES);
    propose(f, &(struct proposal){.version = "VA"});
    run(f, "R1", "VC", "a6000", TIMED ",'correctness':{'status':'fail'}");
    run(f, "R2", "VC", "a6000", TIMED);
    run(f, "R3", "VA", "a6000", TIMED);
    take(f, "DY", "'curations':[{'id':'@C1','action':'retract','subjects':['@R1'],'reason':'x'}]");
    struct lore_version_outcomes o = outcomes(f);
    assert_int_equal(o.n_starts, 3);
    assert_true(o.starts[0].hidden && !o.starts[1].hidden && !o.starts[2].hidden);
    take(f, "DZ", "'curations':[{'id':'@C2','action':'retract','subjects':['@VC'],'reason':'x'}]");
    o = outcomes(f);
    assert_true(o.starts[0].hidden && o.starts[1].hidden && !o.starts[2].hidden);
}

static void
the_newest_answer_counts_wherever_it_was_for(void **state)
{
    struct fixture *f = *state;
    const char *workload = NULL;

    run(f, "R1", "V2", "a6000", TIMED);
    LORE_STMT q = lore_sql(f->db, "SELECT workload FROM fact_run LIMIT 1");
    assert_true(lore_row(&q));
    workload = lore_col_text(&q, 0, &f->arena);
    ok(f, lore_done(&q, &f->err));
    propose(f, &(struct proposal){.chip = "sm_86"});
    propose(f, &(struct proposal){.chip = "sm_86", .workload = workload});
    propose(f, &(struct proposal){.until_us = NOW - 1});
    run(f, "R2", "V1", "a6000", TIMED);
    propose(f, &(struct proposal){.workload = workload});
    run(f, "R3", "V1", "a6000", TIMED);
    propose(f, &(struct proposal){0});
    propose(f, &(struct proposal){.served_us = NOW + 2 * DAY, .until_us = NOW + 3 * DAY});
    run(f, "R4", "V1", "a6000", TIMED);
    assert_string_equal(links(f), "2:2 4:3 5:4");
}

/* Outcomes of every kind among what is found by settings. */
static const char *
tried_in_every_way(struct fixture *f)
{
    search(f);
    version(f, "VC", "K2", TILES_OTHERWISE);
    version(f, "VD", "K2", LARGER);
    version(f, "VE", "K2", TILES);
    propose(f, &(struct proposal){.version = "VA"});
    propose(f, &(struct proposal){.version = "VB", .from = "VA", .list = "next"});
    propose(f, &(struct proposal){.version = "V1"});
    run(f, "R1", "VC", "a6000", TIMED);
    run(f, "R2", "VE", "a6000", TIMED);
    run(f, "R3", "V1", "a6000", TIMED);
    take(f, "D5", EXPERIMENT("X1", "VC", "VD"));
    propose(f, &(struct proposal){.version = "VC"});
    assert_string_equal(links(f), "1:1 2:1 3:3");
    return links(f);
}

static void
a_rebuild_finds_the_same_settings(void **state)
{
    struct fixture *f = *state;
    const char *before = tried_in_every_way(f);
    struct lore_rebuilt done;

    ok(f, lore_db_exec(f->db,
              "DELETE FROM drv_version_settings; DELETE FROM drv_advice_trial;"
              " UPDATE log_advice_version SET configuration = 'x', from_configuration = 'x'",
              &f->err));
    ok(f, lore_verdicts_rebuild(f->db, NOW, &done, &f->err));
    assert_string_equal(links(f), before);
    run(f, "R6", "VA", "a6000", TIMED); /* and goes on with them */
    assert_string_equal(links(f), "1:1 2:1 3:3 4:4");
}

static void
a_database_from_before_settings_were_kept_gets_the_same_links(void **state)
{
    struct fixture *f = *state;
    const char *before = tried_in_every_way(f);

    ok(f, lore_db_exec(f->db,
              "DROP TABLE log_journal; DROP TABLE log_journal_tail; DROP TABLE fact_profile;"
              " DROP INDEX fact_hypothesis_operator;"
              " ALTER TABLE fact_hypothesis DROP COLUMN operator;"
              " ALTER TABLE drv_experiment_entry DROP COLUMN dated; DROP TABLE drv_behind;"
              " DROP INDEX fact_experiment_to_version; DROP INDEX fact_experiment_stated;"
              " ALTER TABLE drv_outcome DROP COLUMN gain; DROP TABLE drv_version_shown;"
              " DROP TABLE drv_limit; ALTER TABLE drv_curated DROP COLUMN beyond;"
              " ALTER TABLE drv_run_entry DROP COLUMN labels_derived;"
              " ALTER TABLE drv_run_entry DROP COLUMN disputes;"
              " ALTER TABLE drv_experiment DROP COLUMN disputes;"
              " DROP TABLE drv_sweep_witness; DROP TABLE drv_sweep; DROP TABLE fact_sweep;"
              "DROP TABLE drv_content; DROP TABLE drv_copy; DROP TABLE fact_document_owner;"
              "DROP TABLE drv_version_settings; DELETE FROM "
              "drv_advice_trial;"
              " DROP INDEX fact_kernel_project; ALTER TABLE fact_kernel DROP COLUMN project;"
              " DROP INDEX log_advice_version_configuration;"
              " ALTER TABLE log_advice_version DROP COLUMN configuration;"
              " ALTER TABLE log_advice_version DROP COLUMN from_configuration;"
              " CREATE INDEX log_advice_version_tried ON log_advice_version (version);"
              " PRAGMA user_version = 14",
              &f->err));
    lore_db_close(f->db);
    ok(f, lore_db_open_writer(f->dir, &f->db, &f->err));
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
    ok(f, lore_db_best_of_place(f->db, "softmax", "a6000", workload, &best, &f->err));
    assert_true(best.time_ns == 300);
    assert_int_equal(best.versions, 2);
    ok(f, lore_db_best_of_place(f->db, "gemm", "a6000", workload, &best, &f->err));
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
    ok(f, lore_db_prune_advice(f->db, 0, NOW, &f->err));
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
        TEST(versions_of_two_kernels_that_are_set_the_same_are_one_configuration),
        TEST(what_is_set_otherwise_or_runs_elsewhere_is_no_outcome),
        TEST(a_version_without_parameters_is_only_itself),
        TEST(the_second_version_of_a_kernel_that_is_set_the_same_is_only_itself),
        TEST(an_experiment_between_the_settings_of_the_two_is_the_outcome_of_a_change),
        TEST(what_is_retracted_of_another_version_is_no_outcome_either),
        TEST(the_newest_answer_counts_wherever_it_was_for),
        TEST(a_rebuild_finds_the_same_settings),
        TEST(a_database_from_before_settings_were_kept_gets_the_same_links),
        TEST(the_best_of_a_place_is_the_fastest_that_is_right),
        TEST(answers_of_which_a_version_was_tried_are_not_forgotten),
    };

    return cmocka_run_group_tests_name("db advised versions", tests, NULL, NULL);
}
