// uses: verdicts
// Decisions about records: what each hides or shows, that each can be undone, and what they may be
// about. Also that a rebuild finds the same.
#include "db/curated.h"
#include "db/experiment_list.h"
#include "db/files.h"
#include "db/knowledge.h"
#include "db/standing.h"
#include "tests/unit/db_fixture.h"

#define EXPERIMENTS                                                                                \
    "'kernels':[{'id':'@K1','operator':'gemm','name':'k','language':'hip'}],"                      \
    "'experiments':[{'id':'@X1','kernel':'@K1'},{'id':'@X2','kernel':'@K1'},"                      \
    "{'id':'@X3','kernel':'@K1'},{'id':'@X4','kernel':'@K1'}],"                                    \
    "'insights':[{'id':'@N1','kind':'note','title':'t','body':'b'}],"                              \
    "'directions':[{'id':'@G1','text':'t'}]"

static int
open_experiments(void **state)
{
    fixture_open(state);
    take(*state, "D0", EXPERIMENTS);
    return 0;
}

static int made; /* ids of curations and their documents are used once */

/* Take a decision; SUBJECTS: 'X1 X2'. Returns its tail. */
static const char *
decide(struct fixture *f, const char *action, const char *subjects, const char *more)
{
    const char *tail = lore_format(&f->arena, "%c%d", 'A' + made / 10, made % 10);
    struct lore_texts t = {0};
    struct lore_buf list = {0};

    made++;
    lore_split(subjects, ' ', &f->arena, &t);
    for (size_t i = 0; i < t.n; i++)
        lore_buf_printf(&list, "%s'@%s'", i > 0 ? "," : "", t.v[i]);
    take(f, tail,
        lore_format(&f->arena,
            "'curations':[{'id':'@%s','action':'%s','subjects':[%s],'reason':'because'%s}]", tail,
            action, list.data, more));
    lore_buf_free(&list);
    return tail;
}

static bool
hidden(struct fixture *f, const char *tail)
{
    bool is = false;

    ok(f, lore_db_get_hidden(f->db, id(f, tail), &is, &f->err));
    return is;
}

/* Tails of the hidden experiments: "X1 X3". */
static const char *
all_hidden(struct fixture *f)
{
    static const char *const tails[] = {"X1", "X2", "X3", "X4"};
    struct lore_experiment_filter shown = {.disagrees = -1, .masked = 0, .page.limit = 9};
    struct lore_texts t = {0};
    int64_t n = 0;

    for (size_t i = 0; i < 4; i++)
        if (hidden(f, tails[i]))
            *LORE_PUSH(&f->arena, t.v, t.n, t.cap) = tails[i];
    ok(f, lore_count_total(f->db, &shown, &n, &f->err));
    assert_int_equal(n, 4 - t.n);
    return lore_join(&t, ' ', &f->arena);
}

static struct lore_standing
standing(struct fixture *f, const char *tail)
{
    struct lore_standing s;

    ok(f, lore_db_get_standing(f->db, id(f, tail), &f->arena, &s, &f->err));
    return s;
}

static void
a_mask_hides_until_it_is_taken_back(void **state)
{
    struct fixture *f = *state;
    struct lore_mask_row *rows;
    size_t n;

    decide(f, "mask", "X1 X3", "");
    assert_string_equal(all_hidden(f), "X1 X3");
    decide(f, "unmask", "X1", "");
    assert_string_equal(all_hidden(f), "X3");
    ok(f, lore_db_list_masks(f->db, id(f, "X1"), &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 2);
    assert_false(rows[0].masked);
    assert_string_equal(rows[1].reason, "because");
    assert_string_equal(rows[1].actor, "tester");
}

static void
a_mask_from_before_decisions_were_records_still_counts(void **state)
{
    struct fixture *f = *state;

    ok(f, lore_mask_put(
              f->db, id(f, "X2"), &(struct lore_mask_row){true, "old", "ann", NOW}, 0, &f->err));
    assert_string_equal(all_hidden(f), "X2");
    decide(f, "unmask", "X2", "");
    assert_string_equal(all_hidden(f), "");
}

static void
a_retraction_hides_and_is_told_apart_and_can_be_retracted(void **state)
{
    struct fixture *f = *state;
    struct lore_curation_row row;
    const char *first = decide(f, "retract", "X1 N1", ""), *second;

    assert_string_equal(all_hidden(f), "X1");
    assert_true(standing(f, "X1").retracted);
    assert_string_equal(standing(f, "X1").retraction, "because");
    assert_true(standing(f, "N1").retracted);
    assert_false(standing(f, "X2").retracted);
    second = decide(f, "retract", first, "");
    assert_string_equal(all_hidden(f), "");
    assert_false(standing(f, "N1").retracted);
    ok(f, lore_db_get_curation(f->db, id(f, first), &f->arena, &row, &f->err));
    assert_true(row.retracted);
    refuse(f,
        lore_format(&f->arena,
            "'curations':[{'id':'@ZY','action':'retract','subjects':['@%s'],'reason':'r'}]",
            second),
        LORE_INVALID, "wrong_subject", "subjects[0]");
    decide(f, "retract", "X1", "");
    assert_string_equal(all_hidden(f), "X1");
}

static void
two_reasons_to_hide_are_both_to_be_taken_back(void **state)
{
    struct fixture *f = *state;
    const char *retraction = decide(f, "retract", "X1", "");

    decide(f, "mask", "X1", "");
    decide(f, "retract", retraction, "");
    assert_true(hidden(f, "X1"));
    decide(f, "unmask", "X1", "");
    assert_false(hidden(f, "X1"));
}

static void
two_retractions_are_both_to_be_taken_back(void **state)
{
    struct fixture *f = *state;
    const char *first = decide(f, "retract", "X1", ""), *second = decide(f, "retract", "X1", "");

    decide(f, "retract", second, "");
    assert_true(hidden(f, "X1"));
    decide(f, "retract", first, "");
    assert_false(hidden(f, "X1"));
}

static void
of_a_merge_group_the_canonical_member_counts(void **state)
{
    struct fixture *f = *state;
    const char *group = decide(f, "merge", "X1 X2 X3", ",'canonical':'@X2'"), *in, *canonical;

    assert_string_equal(all_hidden(f), "X1 X3");
    ok(f, lore_db_get_merge(f->db, id(f, "X1"), &f->arena, &in, &canonical, &f->err));
    assert_string_equal(in, id(f, group));
    assert_string_equal(canonical, id(f, "X2"));
    refuse(f,
        "'curations':[{'id':'@ZY','action':'merge','subjects':['@X4','@X3'],'canonical':'@X4',"
        "'reason':'r'}]",
        LORE_CONFLICT, "already_merged", "subjects[1]");
    assert_string_equal(all_hidden(f), "X1 X3");
    decide(f, "unmerge", group, "");
    assert_string_equal(all_hidden(f), "");
    ok(f, lore_db_get_merge(f->db, id(f, "X1"), &f->arena, &in, &canonical, &f->err));
    assert_null(in);
    refuse(f,
        lore_format(&f->arena,
            "'curations':[{'id':'@ZY','action':'unmerge','subjects':['@%s'],'reason':'r'}]", group),
        LORE_CONFLICT, "not_merged", "subjects[0]");
    decide(f, "merge", "X3 X4", ",'canonical':'@X4'");
    assert_string_equal(all_hidden(f), "X3");
}

static void
a_merge_submitted_again_is_a_duplicate_and_no_overlap(void **state)
{
    struct fixture *f = *state;
    const char *group = "'curations':[{'id':'@Q1','action':'merge','subjects':['@X1','@X2'],"
                        "'canonical':'@X1','reason':'r'}]";

    take(f, "D1", group);
    take(f, "D2", group);
    assert_int_equal(f->last, LORE_PUT_DUPLICATE);
    assert_string_equal(all_hidden(f), "X2");
}

static void
the_last_review_that_counts_is_the_state(void **state)
{
    struct fixture *f = *state;
    const char *last;

    assert_null(standing(f, "N1").review);
    decide(f, "review", "N1", ",'state':'draft'");
    last = decide(f, "review", "N1", ",'state':'reviewed'");
    assert_string_equal(standing(f, "N1").review, "reviewed");
    assert_string_equal(standing(f, "N1").reviewer, "tester");
    decide(f, "retract", last, "");
    assert_string_equal(standing(f, "N1").review, "draft");
}

static void
what_an_action_may_be_about_is_checked(void **state)
{
    static const struct {
        const char *action, *subjects, *more, *path;
    } bad[] = {{"mask", "'@N1'", "", "subjects[0]"}, {"mask", "'@X1','@K1'", "", "subjects[1]"},
        {"mask", "'@X1','@X1'", "", "subjects[1]"},
        {"review", "'@X1'", ",'state':'draft'", "subjects[0]"},
        {"merge", "'@X1','@N1'", ",'canonical':'@X1'", "subjects[1]"},
        {"merge", "'@X1'", ",'canonical':'@X1'", "subjects"},
        {"unmerge", "'@X1'", "", "subjects[0]"}, {"unmerge", "'@Q1'", "", "subjects[0]"},
        {"select_spec", "'@X1'", "", "subjects[0]"}, {"close", "'@X1'", "", "subjects[0]"},
        {"amend", "'@G1'", "", "subjects[0]"}, {"restart", "'@X1'", "", "subjects[0]"},
        {"retract", "'@Q1','@X1'", "", "subjects[0]"}, {"retract", "'@Q1'", "", "subjects[0]"}};
    struct fixture *f = *state;

    take(f, "D1", "'curations':[{'id':'@Q1','action':'mask','subjects':['@X4'],'reason':'r'}]");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse(f,
            lore_format(&f->arena,
                "'curations':[{'id':'@ZY','action':'%s','subjects':[%s],'reason':'r'%s}]",
                bad[i].action, bad[i].subjects, bad[i].more),
            LORE_INVALID, "wrong_subject", bad[i].path);
    decide(f, "comment", "K1 X1 G1", "");
    decide(f, "restart", "K1", ",'values':{'seed':7,'next_ordinal':5}");
    assert_string_equal(all_hidden(f), "X4");
}

static void
a_record_is_found_by_its_id_alone(void **state)
{
    struct fixture *f = *state;
    struct lore_found found;

    ok(f, lore_db_find_record(f->db, id(f, "N1"), &f->arena, &found, &f->err));
    assert_int_equal(found.kind, LORE_K_INSIGHT);
    assert_string_equal(found.document, id(f, "D0"));
    assert_string_equal(found.actor, "tester");
    assert_int_equal(
        lore_db_find_record(f->db, id(f, "N8"), &f->arena, &found, &f->err), LORE_NOTFOUND);
}

static void
a_rebuild_hides_the_same(void **state)
{
    struct fixture *f = *state;
    struct lore_rebuilt done;
    const char *group, *retraction;

    decide(f, "mask", "X1", "");
    group = decide(f, "merge", "X2 X3", ",'canonical':'@X2'");
    decide(f, "unmerge", group, "");
    decide(f, "merge", "X3 X4", ",'canonical':'@X3'");
    retraction = decide(f, "retract", "X2", "");
    decide(f, "retract", retraction, "");
    decide(f, "retract", "N1", "");
    assert_string_equal(all_hidden(f), "X1 X4");
    ok(f, lore_verdicts_rebuild(f->db, NOW, &done, &f->err));
    assert_string_equal(all_hidden(f), "X1 X4");
    assert_true(standing(f, "N1").retracted);
    assert_false(standing(f, "X2").retracted);
    ok(f, lore_db_check(f->db, &f->err));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_experiments, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_mask_hides_until_it_is_taken_back),
        TEST(a_mask_from_before_decisions_were_records_still_counts),
        TEST(a_retraction_hides_and_is_told_apart_and_can_be_retracted),
        TEST(two_reasons_to_hide_are_both_to_be_taken_back),
        TEST(two_retractions_are_both_to_be_taken_back),
        TEST(of_a_merge_group_the_canonical_member_counts),
        TEST(a_merge_submitted_again_is_a_duplicate_and_no_overlap),
        TEST(the_last_review_that_counts_is_the_state),
        TEST(what_an_action_may_be_about_is_checked),
        TEST(a_record_is_found_by_its_id_alone),
        TEST(a_rebuild_hides_the_same),
    };

    return cmocka_run_group_tests_name("db curation", tests, NULL, NULL);
}
