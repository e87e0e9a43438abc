// uses: verdicts
// Bottlenecks of experiments that say none: whose metrics they come from, what is never touched,
// and that the order in which things came does not show.
#include "db/experiment_list.h"
#include "db/feed.h"
#include "db/rebuild.h"
#include "service/board/board.h"
#include "service/recommend/recommend.h"
#include "tests/unit/db_fixture.h"

#define MEMORY                                                                                     \
    "'metrics':{'gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed':82.5,"          \
    "'sm__throughput.avg.pct_of_peak_sustained_elapsed':28}"
#define COMPUTE                                                                                    \
    "'metrics':{'gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed':20,"            \
    "'sm__throughput.avg.pct_of_peak_sustained_elapsed':90}"
#define MIXED                                                                                      \
    "'metrics':{'gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed':69,"            \
    "'sm__throughput.avg.pct_of_peak_sustained_elapsed':69}"
#define TIMED "'samples_ns':[200,200,200,200,200,200]"
#define RUN(name, version, dims, environment, more)                                                \
    "{'id':'@" name "','version':'@" version "','workload':{'dims':{'M':" dims "}},"               \
    "'environment':'@" environment "','chip':'h200'," more "}"
#define EXPERIMENT(name, more)                                                                     \
    "'experiments':[{'id':'@" name "','kernel':'@K1','from_version':'@V1','to_version':'@V2',"     \
    "'techniques':[{'name':'memory.vectorized_access'}]," more "}]"

static int
opened(void **state)
{
    fixture_open(state);
    take(*state, "D1",
        "'kernels':[{'id':'@K1','operator':'softmax','name':'s','language':'cuda'}],"
        "'versions':[{'id':'@V1','kernel':'@K1','kind':'baseline'},"
        "{'id':'@V2','kernel':'@K1','kind':'candidate'}],"
        "'environments':[{'id':'@E1','chip':'h200','hard':{'power_cap_w':700}},"
        "{'id':'@E2','chip':'h200','hard':{'power_cap_w':500}}]");
    return 0;
}

/* What X is said, or found, to be limited by: "memory speed-of-light@2 run_before …R1". */
static const char *
limits(struct fixture *f, const char *x)
{
    struct lore_experiment_row r;

    ok(f, lore_db_get_experiment(f->db, id(f, x), &f->arena, &r, &f->err));
    if (r.derived.labels == 0)
        return lore_join(&r.e.bottleneck.labels, '+', &f->arena);
    assert_int_equal(r.e.bottleneck.labels.n, 0);
    return lore_format(&f->arena, "%s %s %s %s", lore_labels_text(&f->arena, r.derived.labels),
        r.derived.rule_set, r.derived.basis,
        r.derived.run != NULL ? r.derived.run + 24 : "-"); /* the end of the id says which */
}

/* How many experiments the list has under LABEL. */
static size_t
listed(struct fixture *f, const char *label)
{
    struct lore_experiment_filter filter = {.disagrees = -1, .masked = -1, .page.limit = 9};
    struct lore_experiment_row *rows;
    size_t n;

    filter.label = label;
    ok(f, lore_db_list_experiments(f->db, &filter, &f->arena, &rows, &n, &f->err));
    return n;
}

static bool
keep_evidence(void *ctx, const struct lore_evidence_in *in)
{
    lore_buf_printf(ctx, "%u%s ", in->labels, in->labels_derived ? " derived" : "");
    return true;
}

static bool
keep_entry(void *ctx, const struct lore_entry *in)
{
    if (in->experiment)
        lore_buf_printf(ctx, "%u%s ", in->labels, in->labels_derived ? " derived" : "");
    return true;
}

/* What the memory reads of all experiments: as evidence, then for the board. */
static const char *
remembered(struct fixture *f)
{
    struct lore_buf b = {0};
    int64_t last;
    const char *text;

    ok(f, lore_db_each_evidence(f->db, 0, keep_evidence, &b, &last, &f->err));
    ok(f, lore_db_each_claim_entry(f->db, 0, keep_entry, &b, &last, &f->err));
    text = lore_strndup(&f->arena, b.data, b.len);
    lore_buf_free(&b);
    return text;
}

static void
rebuild(struct fixture *f)
{
    struct lore_rebuilt done;

    ok(f, lore_verdicts_rebuild(f->db, NOW + 5, &done, &f->err));
    assert_int_equal(done.verdicts, 0);
}

static void
the_run_before_says_what_nobody_said(void **state)
{
    struct fixture *f = *state;

    take(f, "D2",
        "'runs':[" RUN("R1", "V1", "8", "E1", TIMED "," MEMORY) "]," EXPERIMENT(
            "X1", "'runs_before':['@R1']"));
    assert_string_equal(limits(f, "X1"), "memory speed-of-light@2 run_before R1");
    assert_int_equal(listed(f, "memory"), 1);
    assert_int_equal(listed(f, "compute"), 0);
    assert_string_equal(remembered(f), "1 derived 1 derived ");
}

static void
what_somebody_said_stays_as_it_is(void **state)
{
    struct fixture *f = *state;

    take(f, "D2",
        "'runs':[" RUN("R1", "V1", "8", "E1", TIMED "," MEMORY) "]," EXPERIMENT(
            "X1", "'runs_before':['@R1'],'bottleneck':'sync'"));
    take(f, "D3", EXPERIMENT("X2", "'runs_before':['@R1'],'bottleneck':{'raw_label':'the moon'}"));
    assert_string_equal(limits(f, "X1"), "sync");
    assert_string_equal(limits(f, "X2"), "");
    assert_int_equal(listed(f, "memory"), 0);
    rebuild(f);
    assert_string_equal(limits(f, "X1"), "sync");
    assert_string_equal(limits(f, "X2"), "");
}

static void
stated_metrics_count_where_no_run_has_any(void **state)
{
    struct fixture *f = *state;

    take(f, "D2", "'runs':[" RUN("R1", "V1", "8", "E1", COMPUTE) "]");
    take(f, "D3",
        EXPERIMENT("X1",
            "'metrics_before':{'gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed'"
            ":82.5,'sm__throughput.avg.pct_of_peak_sustained_elapsed':28}"));
    assert_string_equal(limits(f, "X1"), "memory speed-of-light@2 stated -");
    take(f, "D4", EXPERIMENT("X2", "'claim':{'latency_before_ns':9,'latency_after_ns':8}"));
    assert_string_equal(limits(f, "X2"), ""); /* nothing says that R1 is what it started from */
}

static void
an_earlier_profile_of_the_same_counts_and_no_other(void **state)
{
    struct fixture *f = *state;

    take(f, "D2",
        "'runs':[" RUN("R1", "V1", "8", "E1", MEMORY) "," RUN(
            "R2", "V1", "9", "E1", COMPUTE) "," RUN("R3", "V1", "8", "E2", COMPUTE) "," RUN("R4",
            "V2", "8", "E1", COMPUTE) "]");
    take(f, "D3",
        "'runs':[" RUN("R5", "V1", "8", "E1", TIMED) "," RUN("R6", "V1", "7", "E1", TIMED) "]");
    take(f, "D4", EXPERIMENT("X1", "'runs_before':['@R5']"));
    take(f, "D5", EXPERIMENT("X2", "'runs_before':['@R6']"));
    take(f, "D6", "'runs':[" RUN("R7", "V1", "8", "E1", COMPUTE) "]"); /* later */
    for (int again = 0; again < 2; again++) {
        assert_string_equal(limits(f, "X1"), "memory speed-of-light@2 earlier_run R1");
        assert_string_equal(limits(f, "X2"), "");
        rebuild(f);
    }
}

static void
a_profile_counts_that_came_after_a_search_found_none(void **state)
{
    struct fixture *f = *state;

    take(f, "D2", "'runs':[" RUN("R1", "V1", "8", "E1", TIMED) "]");
    take(f, "D3", EXPERIMENT("X1", "'runs_before':['@R1']"));
    assert_string_equal(limits(f, "X1"), "");
    take(f, "D4", "'runs':[" RUN("R2", "V1", "8", "E1", TIMED) "]"); /* also without metrics */
    take(f, "D5", EXPERIMENT("X2", "'runs_before':['@R2']"));
    assert_string_equal(limits(f, "X2"), "");
    take(f, "D6", "'runs':[" RUN("R3", "V1", "8", "E1", MEMORY) "]");
    take(f, "D7", EXPERIMENT("X3", "'runs_before':['@R2']"));
    for (int again = 0; again < 2; again++) {
        assert_string_equal(limits(f, "X3"), "memory speed-of-light@2 earlier_run R3");
        assert_string_equal(limits(f, "X1"), ""); /* not known then */
        rebuild(f);
    }
}

/* A search found only runs of a transaction that was rolled back. */
static void
a_search_in_a_transaction_that_was_undone_does_not_count(void **state)
{
    struct fixture *f = *state;

    take(f, "D2", "'runs':[" RUN("R1", "V1", "8", "E1", MEMORY) "]");
    ok(f, lore_db_begin(f->db, &f->err));
    ok(f, lore_db_exec(f->db, "UPDATE fact_run SET metrics = NULL", &f->err));
    struct lore_fact_run like = {.version = id(f, "V1"), .workload = "w", .environment = "e"};
    struct lore_fact_profile found;
    ok(f, lore_fact_earlier(f->db, 9, &like, &f->arena, &found, &f->err));
    lore_db_rollback(f->db);
    take(f, "D3",
        "'runs':[" RUN("R2", "V1", "8", "E1", TIMED) "]," EXPERIMENT(
            "X1", "'runs_before':['@R2']"));
    assert_string_equal(limits(f, "X1"), "memory speed-of-light@2 earlier_run R1");
}

static void
a_profile_that_is_mixed_ends_the_search_without_a_label(void **state)
{
    struct fixture *f = *state;

    take(f, "D2",
        "'runs':[" RUN("R1", "V1", "8", "E1", MEMORY) "," RUN("R2", "V1", "8", "E1", MIXED) "]");
    take(f, "D3", EXPERIMENT("X1", "'runs_before':['@R2']"));
    assert_string_equal(limits(f, "X1"), "");
    assert_int_equal(listed(f, "memory"), 0);
}

static void
a_retracted_profile_says_nothing_and_says_it_again_when_it_counts_again(void **state)
{
    struct fixture *f = *state;
    struct lore_arena scratch = {0};

    take(f, "D2", "'runs':[" RUN("R1", "V1", "8", "E1", MEMORY) "]");
    take(f, "D3",
        "'runs':[" RUN("R2", "V1", "8", "E1", TIMED) "]," EXPERIMENT(
            "X1", "'runs_before':['@R2']"));
    take(
        f, "D4", "'curations':[{'id':'@C1','action':'retract','subjects':['@R1'],'reason':'bad'}]");
    ok(f, lore_verdicts_judge(f->db, id(f, "X1"), &scratch, NOW + 1, &f->err));
    assert_string_equal(limits(f, "X1"), "");
    assert_int_equal(listed(f, "memory"), 0);
    rebuild(f);
    assert_string_equal(limits(f, "X1"), "");
    take(f, "D5",
        "'curations':[{'id':'@C2','action':'retract','subjects':['@C1'],'reason':'was fine'}]");
    ok(f, lore_verdicts_judge(f->db, id(f, "X1"), &scratch, NOW + 2, &f->err));
    lore_arena_free(&scratch);
    assert_string_equal(limits(f, "X1"), "memory speed-of-light@2 earlier_run R1");
    assert_int_equal(listed(f, "memory"), 1);
}

static void
emptied_it_is_filled_as_it_was(void **state)
{
    struct fixture *f = *state;
    const char *before;

    take(f, "D2",
        "'runs':[" RUN("R1", "V1", "8", "E1", TIMED "," MEMORY) "]," EXPERIMENT(
            "X1", "'runs_before':['@R1']"));
    before = remembered(f);
    ok(f, lore_db_exec(f->db, "DELETE FROM drv_bottleneck; DELETE FROM drv_experiment", &f->err));
    rebuild(f);
    assert_string_equal(limits(f, "X1"), "memory speed-of-light@2 run_before R1");
    assert_string_equal(remembered(f), before);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, opened, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_run_before_says_what_nobody_said),
        TEST(what_somebody_said_stays_as_it_is),
        TEST(stated_metrics_count_where_no_run_has_any),
        TEST(an_earlier_profile_of_the_same_counts_and_no_other),
        TEST(a_profile_counts_that_came_after_a_search_found_none),
        TEST(a_search_in_a_transaction_that_was_undone_does_not_count),
        TEST(a_profile_that_is_mixed_ends_the_search_without_a_label),
        TEST(a_retracted_profile_says_nothing_and_says_it_again_when_it_counts_again),
        TEST(emptied_it_is_filled_as_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
