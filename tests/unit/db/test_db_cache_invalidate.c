// uses: verdicts
// What readers keep of facts that may change: it is found until the writer tells of a change, and
// never put back by a reader whose snapshot is older than the change.
#include <pthread.h>
#include <stdatomic.h>

#include "db/attempt.h"
#include "db/cache.h"
#include "db/cached_number.h"
#include "db/files.h"
#include "tests/unit/two_readers.h"

#define DIMS "'workload':{'operator':'gemm','dims':{'m':64}}"
#define RUN(id, version)                                                                           \
    "'runs':[{'id':'@" id "','version':'@" version "','chip':'mi300x'," DIMS "}]"

static int
open_followed(void **state)
{
    struct fixture *f;

    fixture_open(state);
    f = *state;
    two_readers_open(f);
    take(f, "D0",
        "'kernels':[{'id':'@K1','operator':'gemm','name':'k','language':'hip'}],"
        "'versions':[{'id':'@V1','kernel':'@K1','kind':'baseline'},{'id':'@V2','kernel':'@K1',"
        "'kind':'baseline'}]," RUN("R1", "V1"));
    return 0;
}

static int
close_followed(void **state)
{
    two_readers_close();
    return fixture_close(state);
}

static const char *
workload(struct fixture *f)
{
    struct lore_workload w = {.set = true, .op = "gemm"};
    char hex[33];

    ok(f, lore_dims_parse("m=64", &f->arena, &w.dims, &f->err));
    lore_workload_id(lore_workload_text(&f->arena, "gemm", &w), hex);
    return lore_strdup(&f->arena, hex);
}

/* The tail of V's run on the MI300X as DB says; "" for none. */
static const char *
run_of(struct fixture *f, struct lore_db *db, const char *v)
{
    const char *run;

    ok(f, lore_db_find_run(db, &(struct lore_run_place){id(f, v), "mi300x", workload(f)}, &f->arena,
              &run, &f->err));
    return run ? run + 24 : "";
}

/* What is kept of V's run, without a look at the database: "-" for nothing. */
static const char *
kept_run(struct fixture *f, const char *v)
{
    const char *run = NULL;

    if (!lore_cache_get(other, 'R', lore_format(&f->arena, "%s|mi300x|%s", id(f, v), workload(f)),
            &f->arena, &run, 1))
        return "-";
    return run ? run + 24 : "";
}

static void
a_run_is_kept_until_another_of_its_version_is_stored(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(kept_run(f, "V1"), "-");
    assert_string_equal(run_of(f, one, "V1"), "R1");
    assert_string_equal(run_of(f, one, "V2"), "");
    assert_string_equal(kept_run(f, "V1"), "R1");
    assert_string_equal(kept_run(f, "V2"), "");
    take(f, "D1", RUN("R2", "V2"));
    assert_string_equal(kept_run(f, "V1"), "R1");
    assert_string_equal(kept_run(f, "V2"), "-");
    assert_string_equal(run_of(f, other, "V2"), "R2");
    take(f, "D2", RUN("R3", "V1"));
    assert_string_equal(run_of(f, other, "V1"), "R3");
}

static void
a_retraction_is_seen_and_its_end_too_and_a_mask_costs_nothing(void **state)
{
    struct fixture *f = *state;

    take(f, "D1", RUN("R2", "V1") ",'experiments':[{'id':'@X1','kernel':'@K1'}]");
    assert_string_equal(run_of(f, one, "V1"), "R2");
    take(f, "D2", "'curations':[{'id':'@C1','action':'retract','subjects':['@R2'],'reason':'r'}]");
    assert_string_equal(run_of(f, one, "V1"), "R1");
    take(f, "D3", "'curations':[{'id':'@C2','action':'retract','subjects':['@C1'],'reason':'r'}]");
    assert_string_equal(run_of(f, one, "V1"), "R2");
    take(f, "D4", "'curations':[{'id':'@C3','action':'mask','subjects':['@X1'],'reason':'r'}]");
    assert_string_equal(kept_run(f, "V1"), "R2");
}

static void
what_a_snapshot_from_before_a_change_says_is_not_found_after_it(void **state)
{
    struct fixture *f = *state;

    ok(f, lore_db_snapshot(one, &f->err));
    assert_string_equal(run_of(f, one, "V2"), ""); /* the snapshot begins with its first read */
    take(f, "D1", RUN("R2", "V1"));
    assert_string_equal(run_of(f, one, "V1"), "R1");
    assert_string_equal(kept_run(f, "V1"), "-");
    assert_string_equal(run_of(f, other, "V1"), "R2");
    assert_string_equal(run_of(f, one, "V1"), "R2"); /* found: newer than its snapshot */
    lore_db_snapshot_end(one);
    assert_string_equal(kept_run(f, "V1"), "R2");
}

static void
what_is_rolled_back_changes_nothing(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(run_of(f, one, "V1"), "R1");
    assert_int_not_equal(put(f, say(f, "D1",
                                    RUN("R2", "V1") ",'experiments':[{'id':'@X1',"
                                                    "'kernel':'@K9'}]")),
        LORE_OK);
    assert_string_equal(run_of(f, one, "V1"), "R1");
    take(f, "D2", RUN("R3", "V1"));
    assert_string_equal(run_of(f, one, "V1"), "R3");
}

static void
a_number_of_a_chip_is_kept_until_a_spec_of_it_is_stored(void **state)
{
    struct fixture *f = *state;
    double v = 0;

    assert_false(lore_cached_number(one, "mi300x", "ridge", &f->arena, &v));
    lore_cache_number(one, "mi300x", "ridge", &f->arena, 246.63);
    lore_cache_number(one, "h200", "ridge", &f->arena, 206);
    assert_true(lore_cached_number(other, "mi300x", "ridge", &f->arena, &v));
    assert_true(v == 246.63);
    take(f, "D1",
        "'environments':[{'id':'@E1','chip':'mi300x'}],'specs':[{'id':'@P1','chip':'mi300x',"
        "'metric':'hbm_bandwidth','value':4,'unit':'TB/s','evidence_class':'measured',"
        "'environment':'@E1'}]");
    assert_false(lore_cached_number(other, "mi300x", "ridge", &f->arena, &v));
    assert_true(lore_cached_number(other, "h200", "ridge", &f->arena, &v));
}

static void
a_transaction_with_very_many_changes_changes_all(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(run_of(f, one, "V1"), "R1");
    ok(f, lore_db_begin(f->db, &f->err));
    for (int i = 0; i < 100000; i++)
        lore_cache_invalidate(f->db, 'R', "somebody");
    assert_in_range(f->db->changed.len, 1, 1 << 20);
    ok(f, lore_db_commit(f->db, &f->err));
    assert_string_equal(kept_run(f, "V1"), "-");
}

static void
a_workload_is_read_once_and_one_that_is_not_there_each_time(void **state)
{
    struct fixture *f = *state;
    struct lore_workload_row row = {0}, again = {0};
    const char *fake[6] = {"conv", "canonical", "label", "{}", NULL, NULL};

    ok(f, lore_db_get_workload(one, workload(f), &f->arena, &row, &f->err));
    ok(f, lore_db_get_workload(other, workload(f), &f->arena, &again, &f->err));
    assert_string_equal(again.id, row.id);
    assert_string_equal(again.op, "gemm");
    assert_string_equal(again.canonical, row.canonical);
    assert_string_equal(again.label, row.label);
    assert_string_equal(again.dims, "{\"m\":64}");
    assert_null(again.dtype);
    assert_null(again.layout);
    assert_int_equal(lore_db_get_workload(one, "00", &f->arena, &row, &f->err), LORE_NOTFOUND);
    lore_cache_put(one, 'w', "00", fake, 6);
    ok(f, lore_db_get_workload(other, "00", &f->arena, &row, &f->err));
    assert_string_equal(row.op, "conv");
}

/* The title of X that is kept, without a look at the database; "-" for none. */
static const char *
kept_title(struct fixture *f, const char *x)
{
    const char *title;

    return lore_cache_get(other, 'x', id(f, x), &f->arena, &title, 1) ? title : "-";
}

static void
titles_are_kept_when_they_are_stored_and_not_when_that_is_undone(void **state)
{
    struct fixture *f = *state;

    take(f, "D1", "'experiments':[{'id':'@X1','kernel':'@K1','title':'First'}]");
    assert_string_equal(kept_title(f, "X1"), "First");
    assert_int_not_equal(put(f, say(f, "D2",
                                    "'experiments':[{'id':'@X2','kernel':'@K1','title':'No'},"
                                    "{'id':'@X9','kernel':'@K9'}]")),
        LORE_OK);
    take(f, "D3", "'experiments':[{'id':'@X4','kernel':'@K1','title':'Fourth'}]");
    assert_string_equal(kept_title(f, "X2"), "-");
    assert_string_equal(kept_title(f, "X4"), "Fourth");
    ok(f, lore_db_begin(f->db, &f->err));
    lore_cache_title(f->db, id(f, "X5"), "Fifth");
    ok(f, lore_db_savepoint(f->db, &f->err));
    lore_cache_title(f->db, id(f, "X3"), "Third");
    lore_db_undo(f->db);
    ok(f, lore_db_commit(f->db, &f->err));
    assert_string_equal(kept_title(f, "X3"), "-");
    assert_string_equal(kept_title(f, "X5"), "Fifth");
}

static void
a_large_import_leaves_what_is_cited(void **state)
{
    struct fixture *f = *state;
    const char *title = "cited";
    size_t left = 0;
    char key[16];

    for (int i = 0; i < 20000; i++) {
        snprintf(key, sizeof key, "c%d", i);
        lore_cache_put(one, 'x', key, &title, 1);
    }
    for (int group = 0; group < 100; group++) {
        ok(f, lore_db_begin(f->db, &f->err));
        for (int i = 0; i < 2000; i++) {
            snprintf(key, sizeof key, "i%d", group * 2000 + i);
            lore_cache_title(f->db, key, "imported");
        }
        ok(f, lore_db_commit(f->db, &f->err));
        assert_int_equal(f->db->titles.len, 0);
    }
    for (int i = 0; i < 20000; i++) {
        snprintf(key, sizeof key, "c%d", i);
        left += lore_cache_get(other, 'x', key, &f->arena, &title, 1);
    }
    assert_in_range(left, 19900, 20000);
}

/* Reads the same run again and again, in a snapshot each time, as requests do. */
struct asker {
    const char *version, *workload;
    atomic_bool end;
};

static void *
ask_again(void *arg)
{
    struct asker *a = arg;
    struct lore_arena arena = {0};

    while (!atomic_load(&a->end)) {
        const char *run = NULL;
        struct lore_err err;
        if (lore_db_snapshot(one, &err) == LORE_OK)
            (void)!lore_db_find_run(one,
                &(struct lore_run_place){a->version, "mi300x", a->workload}, &arena, &run, &err);
        lore_db_snapshot_end(one);
        lore_arena_reset(&arena);
    }
    lore_arena_free(&arena);
    return NULL;
}

static void
beside_others_who_ask_each_run_is_seen_once_it_is_stored(void **state)
{
    struct fixture *f = *state;
    struct asker a = {.version = id(f, "V1"), .workload = workload(f)};
    pthread_t thread;

    assert_int_equal(pthread_create(&thread, NULL, ask_again, &a), 0);
    for (int i = 10; i < 99; i++) {
        const char *tail = lore_format(&f->arena, "%d", i);
        const char *run = lore_format(
            &f->arena, "'runs':[{'id':'@%s','version':'@V1','chip':'mi300x'," DIMS "}]", tail);
        take(f, tail, run);
        assert_string_equal(run_of(f, other, "V1"), tail);
    }
    atomic_store(&a.end, true);
    pthread_join(thread, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_followed, close_followed)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_run_is_kept_until_another_of_its_version_is_stored),
        TEST(a_retraction_is_seen_and_its_end_too_and_a_mask_costs_nothing),
        TEST(what_a_snapshot_from_before_a_change_says_is_not_found_after_it),
        TEST(what_is_rolled_back_changes_nothing),
        TEST(a_number_of_a_chip_is_kept_until_a_spec_of_it_is_stored),
        TEST(a_transaction_with_very_many_changes_changes_all),
        TEST(titles_are_kept_when_they_are_stored_and_not_when_that_is_undone),
        TEST(a_large_import_leaves_what_is_cited),
        TEST(beside_others_who_ask_each_run_is_seen_once_it_is_stored),
        TEST(a_workload_is_read_once_and_one_that_is_not_there_each_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
