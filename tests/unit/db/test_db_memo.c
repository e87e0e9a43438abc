// uses: verdicts
// Values that readers share: made once, made again after a change of what they are of, readable
// until their connection is given back, and bounded.
#include "db/attempt.h"
#include "db/memo.h"
#include "tests/unit/two_readers.h"

#define KERNEL(n) "{'id':'@K" n "','operator':'gemm','name':'k" n "','language':'hip'}"
#define VERSIONS(n)                                                                                \
    "{'id':'@V" n "','kernel':'@K" n "','kind':'baseline'},"                                       \
    "{'id':'@W" n "','kernel':'@K" n "','kind':'candidate','parents':['@V" n "']}"
#define CHANGE(x, k)                                                                               \
    "'experiments':[{'id':'@" x "','kernel':'@K" k "','from_version':'@V" k "',"                   \
    "'to_version':'@W" k "','techniques':['a']}]"

static int made;

static int
open_followed(void **state)
{
    struct fixture *f;

    fixture_open(state);
    f = *state;
    two_readers_open(f);
    take(f, "D0",
        "'kernels':[" KERNEL("1") "," KERNEL("2") "],'versions':[" VERSIONS("1") "," VERSIONS(
            "2") "]," CHANGE("X1", "1"));
    made = 0;
    return 0;
}

static int
close_followed(void **state)
{
    two_readers_close();
    return fixture_close(state);
}

static enum lore_status
count_attempts(struct lore_db *db, const void *kernel, struct lore_arena *a, const void **out,
    bool *own, struct lore_err *err)
{
    struct lore_attempt_row *rows;
    size_t *n = lore_alloc(a, sizeof *n);

    (void)own;
    made++;
    *out = n;
    return lore_db_list_attempts(
        db, &(struct lore_attempt_filter){.kernel = kernel}, a, &rows, n, err);
}

/* Attempts on kernel K that are shown, as DB says. */
static size_t
attempts(struct fixture *f, struct lore_db *db, const char *k)
{
    const struct lore_memo_key key = {
        LORE_MEMO_KERNEL, id(f, k), "attempts", count_attempts, id(f, k)};
    const void *n = NULL;

    ok(f, lore_memo_get(db, &key, &f->arena, &n, &f->err));
    return *(const size_t *)n;
}

static void
one_reader_makes_it_and_the_other_gets_the_same(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(attempts(f, one, "K1"), 1);
    assert_int_equal(attempts(f, other, "K1"), 1);
    assert_int_equal(made, 1);
    assert_int_equal(attempts(f, f->db, "K1"), 1); /* the writer shares nothing */
    assert_int_equal(made, 2);
}

static void
an_experiment_of_the_kernel_has_it_made_again_and_one_of_another_has_not(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(attempts(f, one, "K1"), 1);
    take(f, "D1", CHANGE("X2", "2"));
    assert_int_equal(attempts(f, one, "K1"), 1);
    assert_int_equal(made, 1);
    take(f, "D2", CHANGE("X3", "1"));
    assert_int_equal(attempts(f, one, "K1"), 2);
    assert_int_equal(made, 2);
}

static void
masks_and_retractions_are_seen_and_their_end_too(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(attempts(f, one, "K1"), 1);
    take(f, "D1", "'curations':[{'id':'@C1','action':'mask','subjects':['@X1'],'reason':'r'}]");
    assert_int_equal(attempts(f, one, "K1"), 0);
    take(f, "D2", "'curations':[{'id':'@C2','action':'unmask','subjects':['@X1'],'reason':'r'}]");
    assert_int_equal(attempts(f, one, "K1"), 1);
    take(f, "D3", "'curations':[{'id':'@C3','action':'retract','subjects':['@X1'],'reason':'r'}]");
    assert_int_equal(attempts(f, one, "K1"), 0);
    take(f, "D4", "'curations':[{'id':'@C4','action':'retract','subjects':['@C3'],'reason':'r'}]");
    assert_int_equal(attempts(f, one, "K1"), 1);
}

/* Whether DOCUMENT has the values of kernel K2 made again. */
static bool
changes_the_second(struct fixture *f, const char *document, const char *text)
{
    int before;

    attempts(f, one, "K2");
    before = made;
    take(f, document, text);
    attempts(f, one, "K2");
    return made > before;
}

static void
an_ablation_and_a_sweep_change_their_kernel(void **state)
{
    struct fixture *f = *state;

    assert_false(changes_the_second(
        f, "D1", "'versions':[{'id':'@Y2','kernel':'@K2','kind':'ablation','parents':['@W2']}]"));
    assert_true(changes_the_second(f, "D2",
        "'attributions':[{'id':'@A1','experiment':'@X1','technique':'a','contributed':'yes',"
        "'ablated_version':'@Y2'}]"));
    assert_true(changes_the_second(f, "D3",
        "'sweeps':[{'id':'@S1','kernel':'@K2','chip':'mi300x',"
        "'workload':{'operator':'gemm','dims':{'m':64}},'configurations':{'count':2,"
        "'times_ns':'2000 1000','parameters':[{'name':'block','values':'64 128'}]}}]"));
}

static void
a_snapshot_from_before_a_change_shares_nothing_after_it(void **state)
{
    struct fixture *f = *state;
    struct lore_kernel_row kernel;

    ok(f, lore_db_snapshot(one, &f->err));
    ok(f, lore_db_get_kernel(one, id(f, "K1"), &f->arena, &kernel, &f->err));
    take(f, "D1", CHANGE("X2", "1"));
    assert_int_equal(attempts(f, one, "K1"), 1);
    assert_int_equal(attempts(f, other, "K1"), 2);
    lore_db_snapshot_end(one);
}

static void
what_a_request_has_stays_readable_until_it_ends(void **state)
{
    struct fixture *f = *state;
    const struct lore_memo_key key = {
        LORE_MEMO_KERNEL, id(f, "K1"), "attempts", count_attempts, id(f, "K1")};
    const void *n = NULL, *newer = NULL;

    ok(f, lore_memo_get(one, &key, &f->arena, &n, &f->err));
    take(f, "D1", CHANGE("X2", "1"));
    ok(f, lore_memo_get(other, &key, &f->arena, &newer, &f->err));
    assert_int_equal(*(const size_t *)newer, 2);
    assert_int_equal(*(const size_t *)n, 1);
    lore_readers_give(pool, one);
    assert_int_equal(*(const size_t *)newer, 2);
    one = lore_readers_take(pool, 0);
}

static enum lore_status
make_bytes(struct lore_db *db, const void *bytes, struct lore_arena *a, const void **out, bool *own,
    struct lore_err *err)
{
    size_t n = *(const size_t *)bytes;

    (void)db, (void)err;
    made++;
    *own = n == 0;
    *out = lore_alloc(a, n);
    return LORE_OK;
}

/* Get a value of N bytes; whether it had to be made. */
static bool
makes(struct fixture *f, int number, size_t n)
{
    const struct lore_memo_key key = {
        LORE_MEMO_FACT, lore_format(&f->arena, "%d", number), "bytes", make_bytes, &n};
    int before = made;
    const void *p = NULL;

    ok(f, lore_memo_get(one, &key, &f->arena, &p, &f->err));
    lore_memo_release(one);
    return made > before;
}

static void
the_least_recently_used_gives_way_and_a_large_one_is_not_shared(void **state)
{
    struct fixture *f = *state;
    size_t kept = 0;

    for (int i = 0; i < 5000; i++) {
        assert_true(makes(f, i, 100));
        assert_false(makes(f, 0, 100));
    }
    assert_false(makes(f, 4000, 100));
    assert_true(makes(f, 1, 100));
    assert_true(makes(f, 9000, 2 << 20));
    assert_true(makes(f, 9000, 2 << 20));
    assert_false(makes(f, 4000, 100));
    for (int i = 10000; i < 10100; i++)
        assert_true(makes(f, i, 1000000));
    for (int i = 10000; i < 10100; i++)
        kept += !makes(f, i, 1000000);
    assert_in_range(kept, 0, 68);
    assert_true(makes(f, 4000, 100));
}

static void
a_value_of_more_than_its_subject_is_for_one_request(void **state)
{
    struct fixture *f = *state;

    assert_true(makes(f, 1, 0));
    assert_true(makes(f, 1, 0));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_followed, close_followed)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_reader_makes_it_and_the_other_gets_the_same),
        TEST(an_experiment_of_the_kernel_has_it_made_again_and_one_of_another_has_not),
        TEST(masks_and_retractions_are_seen_and_their_end_too),
        TEST(an_ablation_and_a_sweep_change_their_kernel),
        TEST(a_snapshot_from_before_a_change_shares_nothing_after_it),
        TEST(what_a_request_has_stays_readable_until_it_ends),
        TEST(the_least_recently_used_gives_way_and_a_large_one_is_not_shared),
        TEST(a_value_of_more_than_its_subject_is_for_one_request),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
