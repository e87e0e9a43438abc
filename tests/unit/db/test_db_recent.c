// uses: verdicts
/* What the writer remembers of its newest records may only save queries, never change an answer. */
#include "db/internal.h"
#include "db/recent_ids.h"
#include "db/recent_profiles.h"
#include "tests/unit/db_fixture.h"

static const char *
numbered(char out[LORE_ULID_SIZE], unsigned long n)
{
    snprintf(out, LORE_ULID_SIZE, "01JC%022lu", n);
    return out;
}

static void
a_new_id_above_the_greatest_stored_one_is_known_to_be_new(void **state)
{
    struct lore_recent_ids r = {0};
    char id[LORE_ULID_SIZE], greatest[LORE_ULID_SIZE];

    (void)state;
    lore_recent_ids_begin(&r, numbered(greatest, 1000));
    assert_true(lore_recent_ids_add(&r, numbered(id, 1001)));
    assert_false(lore_recent_ids_add(&r, numbered(id, 1001)));
    assert_false(lore_recent_ids_add(&r, numbered(id, 999)));
    assert_false(lore_recent_ids_add(&r, numbered(id, 1000)));
    assert_false(lore_recent_ids_add(&r, "short"));
    lore_recent_ids_free(&r);
}

static void
an_id_that_left_the_cache_is_never_called_new(void **state)
{
    enum { MANY = 300000 };
    struct lore_recent_ids r = {0};
    char id[LORE_ULID_SIZE];
    int known = 0;

    (void)state;
    lore_recent_ids_begin(&r, NULL);
    for (unsigned long i = 1; i <= MANY; i++)
        known += lore_recent_ids_add(&r, numbered(id, i));
    assert_int_equal(known, MANY); /* ascending ids never need a query */
    for (unsigned long i = 1; i <= MANY; i += 7)
        assert_false(lore_recent_ids_add(&r, numbered(id, i)));
    lore_recent_ids_free(&r);
}

static void
metrics_of_a_window_are_told_apart_and_unknown_runs_are_not_guessed(void **state)
{
    static struct lore_recent_profiles r;
    unsigned char one[20] = {1}, two[20] = {2};

    (void)state;
    assert_false(lore_recent_profiles_lack(&r, 0, 3, one, sizeof one));
    for (int64_t seq = 1; seq <= 2000; seq++)
        lore_recent_profiles_add(&r, seq, seq == 1990 ? one : two, sizeof one);
    assert_true(lore_recent_profiles_lack(&r, 1990, 2000, one, sizeof one));
    assert_false(lore_recent_profiles_lack(&r, 1989, 2000, one, sizeof one));
    assert_false(lore_recent_profiles_lack(&r, 1995, 2000, two, sizeof two));
    assert_true(lore_recent_profiles_lack(&r, 1995, 2000, two, sizeof two - 1));
    assert_false(lore_recent_profiles_lack(&r, 900, 990, one, sizeof one)); /* overwritten */
    assert_true(lore_recent_profiles_lack(&r, -20, 1, one, sizeof one));    /* no run */
}

static void
what_a_search_for_metrics_found_holds_for_later_documents_until_it_is_dropped(void **state)
{
    static struct lore_unprofiled u;
    char a[LORE_ULID_SIZE], b[LORE_ULID_SIZE];
    bool none = false;

    (void)state;
    assert_false(lore_unprofiled_find(&u, numbered(a, 1), 9, &none));
    lore_unprofiled_add(&u, a, 7, true);
    assert_false(lore_unprofiled_find(&u, a, 6, &none));
    assert_true(lore_unprofiled_find(&u, a, 7, &none) && none);
    assert_true(lore_unprofiled_find(&u, a, 8, &none) && none);
    lore_unprofiled_add(&u, a, 8, false);
    assert_true(lore_unprofiled_find(&u, a, 8, &none) && !none);
    lore_unprofiled_drop(&u, numbered(b, 2));
    assert_true(lore_unprofiled_find(&u, a, 8, &none));
    lore_unprofiled_drop(&u, a);
    assert_false(lore_unprofiled_find(&u, a, 8, &none));
    for (unsigned long i = 0; i < 1000; i++) /* an evicted version is not known */
        lore_unprofiled_add(&u, numbered(b, i), (int64_t)i, true);
    for (unsigned long i = 0; i < 900; i++)
        if (lore_unprofiled_find(&u, numbered(b, i), (int64_t)i, &none))
            assert_true(none);
    assert_true(lore_unprofiled_find(&u, numbered(b, 999), 999, &none) && none);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_id_above_the_greatest_stored_one_is_known_to_be_new),
        cmocka_unit_test(an_id_that_left_the_cache_is_never_called_new),
        cmocka_unit_test(metrics_of_a_window_are_told_apart_and_unknown_runs_are_not_guessed),
        cmocka_unit_test(
            what_a_search_for_metrics_found_holds_for_later_documents_until_it_is_dropped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
