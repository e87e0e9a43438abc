// uses: verdicts
// Lessons that readers keep: the same in the same order as the database says, at any time.
#include "db/files.h"
#include "db/lesson.h"
#include "db/lesson_cache.h"
#include "tests/unit/two_readers.h"

static unsigned dice;

static int
open_followed(void **state)
{
    struct fixture *f;

    fixture_open(state);
    f = *state;
    dice = 7;
    two_readers_open(f);
    return 0;
}

static int
close_followed(void **state)
{
    two_readers_close();
    return fixture_close(state);
}

static const char *
one_of(const char *const *v, size_t n)
{
    dice = dice * 1664525 + 1013904223;
    return v[(dice >> 16) % n];
}

#define ONE_OF(...)                                                                                \
    one_of((const char *const[]){__VA_ARGS__},                                                     \
        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* Lessons FROM to TO on one thing or another, as one document. */
static void
store(struct fixture *f, int from, int to)
{
    struct lore_arena arena = {0};
    struct lore_buf b = {0};

    lore_buf_puts(&b, "'insights':[");
    for (int i = from; i < to; i++)
        lore_buf_printf(&b,
            "%s{'id':'01J0000000000000000000%04d','kind':'%s','title':'T%d'%s%s%s%s%s}",
            i > from ? "," : "", i, ONE_OF("note", "doc"), i,
            ONE_OF("", ",'operator':'gemm'", ",'operator':'softmax'"),
            ONE_OF("", ",'family':'gemm'", ",'family':'norm'"),
            ONE_OF("", ",'technique':'memory.vectorized_access'",
                ",'technique':'compute.loop_unroll'"),
            ONE_OF("", ",'chip':'h200'", ",'arch':'cdna3','vendor':'amd'"), ",'body':'words'");
    lore_buf_puts(&b, "]");
    take(f, lore_format(&arena, "D%d", from), b.data);
    lore_buf_free(&b);
    lore_arena_free(&arena);
}

static bool
same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static const struct lore_lesson_scope on_gemm = {.op = "gemm"};

/* DB, which keeps, against the writer, which asks the database; how many there are. */
static size_t
agree_on(struct fixture *f, struct lore_db *db, const char *op, const char *family,
    const char *const *techniques, size_t n_techniques)
{
    const struct lore_lesson_scope of = {op, family, techniques, n_techniques};
    struct lore_lesson *kept = NULL, *asked = NULL;
    size_t n_kept = 0, n_asked = 0;

    ok(f, lore_db_list_lessons(db, &of, &f->arena, &kept, &n_kept, &f->err));
    ok(f, lore_db_list_lessons(f->db, &of, &f->arena, &asked, &n_asked, &f->err));
    assert_int_equal(n_kept, n_asked);
    for (size_t i = 0; i < n_kept; i++)
        for (int c = 0; c < LORE_LESSON_COLUMNS; c++)
            if (!same_text(*lore_lesson_column(&kept[i], c), *lore_lesson_column(&asked[i], c)))
                fail_msg("lesson %zu (%s), member %d", i, kept[i].id, c);
    return n_kept;
}

/* The same of every sort of question; how many lessons the first of them has. */
static size_t
agree(struct fixture *f, struct lore_db *db)
{
    static const char *const ops[] = {"gemm", "softmax", "conv", NULL};
    static const char *const families[] = {"gemm", "norm", NULL};
    static const char *const techniques[] = {"compute.loop_unroll", "memory.vectorized_access"};

    for (size_t o = 0; o < 4; o++)
        for (size_t m = 0; m < 3; m++)
            for (size_t n = 0; n < 3; n++)
                (void)agree_on(f, db, ops[o], families[m], techniques, n);
    return agree_on(f, db, ops[0], families[0], techniques, 2);
}

/* Does the pool keep them? */
static bool
is_kept(struct fixture *f)
{
    struct lore_lesson *v;
    size_t n;

    return lore_lesson_cache_list(one, &on_gemm, &f->arena, &v, &n, &f->err) == LORE_OK;
}

static void
what_is_kept_is_what_the_database_says_in_its_order(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(agree(f, one), 0);
    store(f, 0, 300);
    assert_in_range(agree(f, one), 150, 300);
    assert_true(is_kept(f));
}

static void
what_is_stored_later_and_what_is_retracted_is_seen_by_all(void **state)
{
    struct fixture *f = *state;
    size_t n, less;

    store(f, 0, 100);
    n = agree(f, one);
    store(f, 100, 150);
    assert_true(agree(f, other) > n);
    n = agree(f, one);
    take(f, "C1",
        "'curations':[{'id':'@Z1','action':'retract','subjects':['01J00000000000000000000003',"
        "'01J00000000000000000000004','01J00000000000000000000005','01J00000000000000000000006'],"
        "'reason':'r'}]");
    less = agree(f, other);
    assert_in_range(less, n - 4, n - 1);
    take(f, "C2", "'curations':[{'id':'@Z2','action':'retract','subjects':['@Z1'],'reason':'r'}]");
    assert_int_equal(agree(f, one), n);
}

static void
a_reader_with_an_older_snapshot_takes_nothing_from_the_others(void **state)
{
    struct fixture *f = *state;
    struct lore_lesson *v;
    size_t n;

    store(f, 0, 50);
    ok(f, lore_db_snapshot(one, &f->err));
    ok(f, lore_db_list_lessons(one, &on_gemm, &f->arena, &v, &n, &f->err));
    store(f, 50, 100);
    (void)agree(f, other);
    ok(f, lore_db_list_lessons(one, &on_gemm, &f->arena, &v, &n, &f->err));
    (void)agree(f, other);
    lore_db_snapshot_end(one);
    (void)agree(f, one);
}

static void
a_reading_that_is_given_up_leaves_nothing_half_read(void **state)
{
    struct fixture *f = *state;
    struct lore_lesson *v;
    size_t n;

    store(f, 0, 3000);
    one->deadline_us = 1; /* long ago */
    assert_int_equal(lore_db_list_lessons(one, &on_gemm, &f->arena, &v, &n, &f->err), LORE_BUSY);
    lore_db_deadline(one, 0);
    assert_int_equal(agree(f, other), LORE_LESSONS_MAX);
    assert_true(is_kept(f));
}

static void
of_very_many_none_is_kept(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 10; i++)
        store(f, i * 900, (i + 1) * 900);
    assert_false(is_kept(f));
    assert_int_equal(agree(f, one), LORE_LESSONS_MAX);
    store(f, 9000, 9001);
    assert_false(is_kept(f));
}

static void
the_words_of_a_lesson_are_found_without_the_rest(void **state)
{
    struct fixture *f = *state;
    const char *words = "";

    take(f, "D1", "'insights':[{'id':'@N1','kind':'note','title':'t','body':'b'}]");
    for (int i = 0; i < 2; i++) {
        ok(f, lore_db_get_lesson_words(one, id(f, "N1"), &f->arena, &words, &f->err));
        assert_string_equal(words, "b");
    }
    assert_int_equal(
        lore_db_get_lesson_words(one, id(f, "N3"), &f->arena, &words, &f->err), LORE_NOTFOUND);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_followed, close_followed)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_kept_is_what_the_database_says_in_its_order),
        TEST(what_is_stored_later_and_what_is_retracted_is_seen_by_all),
        TEST(a_reader_with_an_older_snapshot_takes_nothing_from_the_others),
        TEST(a_reading_that_is_given_up_leaves_nothing_half_read),
        TEST(of_very_many_none_is_kept),
        TEST(the_words_of_a_lesson_are_found_without_the_rest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
