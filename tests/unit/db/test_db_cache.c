// uses: verdicts
// What readers keep of facts that never change, and how much.
#include "db/cache.h"
#include "db/files.h"
#include "db/query.h"
#include "db/read.h"
#include "tests/unit/db_fixture.h"

static struct lore_readers *pool;

static int
open_pool(void **state)
{
    struct fixture *f;

    fixture_open(state);
    f = *state;
    ok(f, lore_readers_open(f->dir, 2, &pool, &f->err));
    return 0;
}

static int
close_pool(void **state)
{
    lore_readers_close(pool);
    return fixture_close(state);
}

static void
what_one_reader_saw_the_other_finds(void **state)
{
    struct fixture *f = *state;
    struct lore_db *one = lore_readers_take(pool, 0), *other = lore_readers_take(pool, 0);
    const char *in[] = {"vector loads", NULL, ""}, *out[3] = {0};

    assert_false(lore_cache_get(other, 'v', "A", &f->arena, out, 3));
    lore_cache_put(one, 'v', "A", in, 3);
    assert_true(lore_cache_get(other, 'v', "A", &f->arena, out, 3));
    assert_string_equal(out[0], "vector loads");
    assert_null(out[1]);
    assert_string_equal(out[2], "");
    assert_false(lore_cache_get(other, 'x', "A", &f->arena, out, 1));
    assert_false(lore_cache_get(other, 'v', "AB", &f->arena, out, 3));
    lore_readers_give(pool, one);
    lore_readers_give(pool, other);
}

static void
readers_beside_find_it_too_and_may_be_had_when_no_other_is(void **state)
{
    struct fixture *f = *state;
    struct lore_db *one = lore_readers_take(pool, 0), *other = lore_readers_take(pool, 0), *third;
    struct lore_readers *beside;
    const char *text = "soft", *out = NULL;

    ok(f, lore_readers_open_beside(pool, 1, &beside, &f->err));
    assert_null(lore_readers_take(pool, 0));
    third = lore_readers_take(beside, 0);
    assert_non_null(third);
    assert_null(lore_readers_take(beside, 0));
    lore_cache_put(one, 'x', "A", &text, 1);
    assert_true(lore_cache_get(third, 'x', "A", &f->arena, &out, 1));
    lore_readers_give(beside, third);
    lore_readers_close(beside);
    assert_true(lore_cache_get(other, 'x', "A", &f->arena, &out, 1));
    lore_readers_give(pool, one);
    lore_readers_give(pool, other);
}

static void
the_writer_belongs_to_no_pool_and_keeps_nothing(void **state)
{
    struct fixture *f = *state;
    const char *text = "soft";

    lore_cache_put(f->db, 'x', "A", &text, 1);
    assert_false(lore_cache_get(f->db, 'x', "A", &f->arena, &text, 1));
}

static void
long_texts_are_not_kept(void **state)
{
    struct fixture *f = *state;
    struct lore_db *db = lore_readers_take(pool, 0);
    char most[1021];
    const char *text = most;

    memset(most, 'a', sizeof most);
    most[1020] = '\0';
    lore_cache_put(db, 'x', "A", &text, 1);
    assert_false(lore_cache_get(db, 'x', "A", &f->arena, &text, 1));
    most[1019] = '\0';
    lore_cache_put(db, 'x', "A", &text, 1);
    assert_true(lore_cache_get(db, 'x', "A", &f->arena, &text, 1));
    assert_int_equal(strlen(text), 1019);
    lore_readers_give(pool, db);
}

/* How many of names FROM to TO are there; each with its own text. */
static int
kept(struct lore_db *db, struct lore_arena *arena, int from, int to)
{
    int there = 0;

    for (int i = from; i < to; i++) {
        const char *text = NULL;
        char id[16];

        snprintf(id, sizeof id, "%d", i);
        if (!lore_cache_get(db, 'x', id, arena, &text, 1))
            continue;
        assert_string_equal(text, id);
        there++;
    }
    return there;
}

static void
the_oldest_gives_way_and_nothing_is_mixed_up(void **state)
{
    struct fixture *f = *state;
    struct lore_db *db = lore_readers_take(pool, 0);

    for (int i = 0; i < 200000; i++) {
        char id[16];
        const char *text = id;

        snprintf(id, sizeof id, "%d", i);
        lore_cache_put(db, 'x', id, &text, 1);
    }
    assert_in_range(kept(db, &f->arena, 0, 200000), 65000, 65536);
    assert_in_range(kept(db, &f->arena, 196000, 200000), 4000, 4000);
    lore_readers_give(pool, db);
}

static void
titles_and_heads_of_versions_are_read_once(void **state)
{
    struct fixture *f = *state;
    struct lore_db *db = lore_readers_take(pool, 0);
    struct lore_version_row head = {0}, full = {0};
    const char *id = "01J00000000000000000000X01", *other = "other";
    struct lore_title title = {0};
    static const char text[] =
        "{\"warplore\":1,\"id\":\"01J00000000000000000000D01\",\"kernels\":[{\"id\":"
        "\"01J00000000000000000000K01\",\"operator\":\"gemm\",\"name\":\"mm\",\"language\":\"hip\"}"
        "],\"versions\":[{\"id\":\"01J00000000000000000000V01\",\"kernel\":"
        "\"01J00000000000000000000K01\",\"kind\":\"baseline\",\"label\":\"v1\",\"params\":{\"TILE\""
        ":64}}],\"experiments\":[{\"id\":\"01J00000000000000000000X01\",\"kernel\":"
        "\"01J00000000000000000000K01\",\"title\":\"Bigger tiles\",\"techniques\":[\"tiles\"],"
        "\"pitfalls\":[{\"type\":\"compilation\",\"message\":\"no such type\"}]},{\"id\":"
        "\"01J00000000000000000000X03\",\"kernel\":\"01J00000000000000000000K01\",\"title\":"
        "\"Wider loads\"}]}";

    assert_int_equal(put(f, text), 0);
    for (int i = 0; i < 2; i++) {
        ok(f, lore_experiment_titles(db, &id, 1, &f->arena, &title, &f->err));
        assert_string_equal(title.text, "Bigger tiles");
        assert_string_equal(title.error_type, "compilation");
    }
    id = "01J00000000000000000000X03"; /* the writer has cached it */
    ok(f, lore_experiment_titles(db, &id, 1, &f->arena, &title, &f->err));
    assert_string_equal(title.text, "Wider loads");
    assert_null(title.error_type);
    ok(f, lore_db_get_version(db, "01J00000000000000000000V01", &f->arena, &full, &f->err));
    for (int i = 0; i < 2; i++) {
        ok(f, lore_db_get_version_head(db, full.v.id, &f->arena, &head, &f->err));
        assert_string_equal(head.v.id, full.v.id);
        assert_string_equal(head.v.kernel, full.v.kernel);
        assert_string_equal(head.v.label, "v1");
        assert_null(head.v.tag);
        assert_string_equal(head.op, "gemm");
        assert_string_equal(head.kernel_name, "mm");
        assert_string_equal(head.language, "hip");
        assert_string_equal(lore_kvs_get(&head.v.params, "TILE"), "64");
    }
    assert_int_equal(
        lore_db_get_version_head(db, "01J00000000000000000000V02", &f->arena, &head, &f->err),
        LORE_NOTFOUND);
    id = "01J00000000000000000000X02";
    lore_cache_put(db, 'x', id, &other, 1);
    ok(f, lore_experiment_titles(db, &id, 1, &f->arena, &title, &f->err));
    assert_string_equal(title.text, "other");
    assert_null(title.error_type);
    lore_readers_give(pool, db);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_one_reader_saw_the_other_finds, open_pool, close_pool),
        cmocka_unit_test_setup_teardown(
            readers_beside_find_it_too_and_may_be_had_when_no_other_is, open_pool, close_pool),
        cmocka_unit_test_setup_teardown(
            the_writer_belongs_to_no_pool_and_keeps_nothing, open_pool, close_pool),
        cmocka_unit_test_setup_teardown(long_texts_are_not_kept, open_pool, close_pool),
        cmocka_unit_test_setup_teardown(
            the_oldest_gives_way_and_nothing_is_mixed_up, open_pool, close_pool),
        cmocka_unit_test_setup_teardown(
            titles_and_heads_of_versions_are_read_once, open_pool, close_pool),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
