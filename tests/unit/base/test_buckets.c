// uses: base
/* Rates per key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "service/base/buckets.h"
#include "service/base/hash.h"

#define SECOND INT64_C(1000000)

static void
a_bucket_holds_a_minutes_worth_and_fills_up_again(void **state)
{
    struct lore_buckets *b = lore_buckets_new(60);
    int64_t now = 5 * SECOND, wait;

    (void)state;
    for (int i = 0; i < 60; i++)
        assert_int_equal(lore_buckets_take_at(b, "a", now), 0);
    wait = lore_buckets_take_at(b, "a", now);
    assert_in_range(wait, SECOND, SECOND + 1);
    assert_int_not_equal(lore_buckets_take_at(b, "a", now + wait - 2), 0);
    assert_int_equal(lore_buckets_take_at(b, "a", now + wait), 0);
    assert_int_not_equal(lore_buckets_take_at(b, "a", now + wait), 0);
    /* after a minute it is full, not fuller */
    now += 3600 * SECOND;
    for (int i = 0; i < 60; i++)
        assert_int_equal(lore_buckets_take_at(b, "a", now), 0);
    assert_int_not_equal(lore_buckets_take_at(b, "a", now), 0);
    lore_buckets_free(b);
}

static void
keys_do_not_share_and_a_token_can_be_put_back(void **state)
{
    struct lore_buckets *b = lore_buckets_new(1), *none = lore_buckets_new(0);

    (void)state;
    assert_int_equal(lore_buckets_take(b, "a"), 0);
    assert_int_not_equal(lore_buckets_take(b, "a"), 0);
    assert_int_equal(lore_buckets_take(b, "b"), 0);
    lore_buckets_give(b, "a");
    assert_int_equal(lore_buckets_take(b, "a"), 0);
    for (int i = 0; i < 100; i++)
        assert_int_equal(lore_buckets_take(none, "a"), 0);
    lore_buckets_give(none, "a");
    lore_buckets_free(b);
    lore_buckets_free(none);
}

static void
many_keys_do_not_free_one_that_is_used_up(void **state)
{
    struct lore_buckets *b = lore_buckets_new(100);
    char key[24];

    (void)state;
    for (int i = 0; i < 100; i++)
        assert_int_equal(lore_buckets_take_at(b, "greedy", SECOND), 0);
    for (int i = 0; i < 100000; i++) {
        snprintf(key, sizeof key, "%d", i);
        assert_int_equal(lore_buckets_take_at(b, key, SECOND), 0);
    }
    assert_int_not_equal(lore_buckets_take_at(b, "greedy", SECOND), 0);
    lore_buckets_free(b);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bucket_holds_a_minutes_worth_and_fills_up_again),
        cmocka_unit_test(keys_do_not_share_and_a_token_can_be_put_back),
        cmocka_unit_test(many_keys_do_not_free_one_that_is_used_up),
    };

    lore_hash_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
