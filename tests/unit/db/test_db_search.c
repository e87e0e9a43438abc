// uses: verdicts
// Full text: ranked as FTS5's bm25() ranks, of many matches the newest only, which is said.
#include "db/query.h"
#include "db/search.h"
#include "tests/unit/db_fixture.h"

static void
put_row(struct fixture *f, int n, const char *title, const char *text)
{
    struct lore_buf body = {0};

    lore_buf_puts(&body, text);
    ok(f, lore_search_put(f->db, n % 2 ? "insight" : "version", lore_format(&f->arena, "%d", n),
              title, &body, &f->err));
    lore_buf_free(&body);
}

static struct lore_found_hits
search(struct fixture *f, const char *text, const char *kind, size_t offset, size_t limit)
{
    struct lore_found_hits found = {0};

    ok(f, lore_search(f->db, &(struct lore_search_for){text, kind, offset, limit}, &f->arena,
              &found, &f->err));
    return found;
}

/* The ids and ranks that FTS5 gives. */
static struct lore_found_hits
oracle(struct fixture *f, const char *query)
{
    LORE_STMT q = lore_sql(f->db, "SELECT ref, rank FROM drv_search WHERE drv_search MATCH $1"
                                  " AND rank MATCH 'bm25(4.0, 1.0)' ORDER BY rank, rowid DESC");
    struct lore_found_hits found = {0};
    size_t cap = 0;

    lore_bind_text(&q, 1, query);
    while (lore_row(&q))
        *LORE_PUSH(&f->arena, found.rows, found.n, cap) =
            (struct lore_hit){.id = lore_col_text(&q, 0, &f->arena), .rank = lore_col_f64(&q, 1)};
    ok(f, lore_done(&q, &f->err));
    return found;
}

static void
matches_rank_as_bm25_ranks_them(void **state)
{
    static const char *const words[] = {"alpha", "beta", "gamma", "delta", "epsilon"};
    static const struct {
        const char *text, *query;
    } asked[] = {{"alpha", "\"alpha\""}, {"beta gamma", "\"beta\" \"gamma\""},
        {"delta alpha epsilon", "\"delta\" \"alpha\" \"epsilon\""}};
    struct fixture *f = *state;
    unsigned seed = 1;

    ok(f, lore_db_begin(f->db, &f->err));
    for (int n = 1; n <= 60; n++) {
        struct lore_buf body = {0};

        for (int i = 0; i < 4 + n % 7; i++, seed = seed * 1664525u + 1013904223u)
            lore_buf_printf(&body, "%s ", words[(seed >> 20) % (n % 3 ? 5 : 3)]);
        put_row(f, n, n % 10 == 0 ? "alpha" : "other", body.data);
        lore_buf_free(&body);
    }
    ok(f, lore_db_commit(f->db, &f->err));
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct lore_found_hits mine = search(f, asked[i].text, NULL, 0, 100);
        struct lore_found_hits theirs = oracle(f, asked[i].query);

        assert_true(mine.n > 3);
        assert_int_equal(mine.n, theirs.n);
        for (size_t k = 0; k < mine.n; k++) {
            assert_float_equal(mine.rows[k].rank, theirs.rows[k].rank, 1e-9);
            assert_string_equal(mine.rows[k].id, theirs.rows[k].id);
        }
    }
    /* A page is that part of the whole. */
    assert_string_equal(
        search(f, "alpha", NULL, 2, 1).rows[0].id, search(f, "alpha", NULL, 0, 100).rows[2].id);
}

static void
of_many_matches_the_newest_are_ranked_and_that_is_said(void **state)
{
    struct fixture *f = *state;

    ok(f, lore_db_begin(f->db, &f->err));
    put_row(f, 1, "frequent", "frequent frequent rare");
    for (int n = 2; n <= LORE_SEARCH_MATCHES; n++)
        put_row(f, n, "other", n == 500 ? "frequent seldom" : "frequent");
    ok(f, lore_db_commit(f->db, &f->err));
    assert_string_equal(search(f, "frequent", NULL, 0, 1).rows[0].id, "1");
    assert_false(search(f, "frequent", NULL, 0, 1).bounded);
    put_row(f, LORE_SEARCH_MATCHES + 1, "other", "frequent");
    assert_string_not_equal(search(f, "frequent", NULL, 0, 1).rows[0].id, "1");
    assert_true(search(f, "frequent", NULL, 0, 1).bounded);
    assert_string_equal(search(f, "frequent rare", NULL, 0, 1).rows[0].id, "1");
    assert_int_equal(search(f, "seldom", "insight", 0, 9).n, 0);
    assert_int_equal(search(f, "seldom", "version", 0, 9).n, 1);
}

static void
a_word_of_three_letters_is_no_beginning(void **state)
{
    struct fixture *f = *state;

    put_row(f, 1, "other", "prefetch into registers, a stall");
    assert_int_equal(search(f, "pref", NULL, 0, 9).n, 1);
    assert_int_equal(search(f, "pre", NULL, 0, 9).n, 0);
    assert_int_equal(search(f, "preS ", NULL, 0, 9).n, 0); /* stemmed, it is as short */
    assert_int_equal(search(f, "sta", NULL, 0, 9).n, 0);
    assert_int_equal(search(f, "stal into", NULL, 0, 9).n, 0); /* only the last word */
    assert_int_equal(search(f, "into stal", NULL, 0, 9).n, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(matches_rank_as_bm25_ranks_them),
        TEST(of_many_matches_the_newest_are_ranked_and_that_is_said),
        TEST(a_word_of_three_letters_is_no_beginning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
