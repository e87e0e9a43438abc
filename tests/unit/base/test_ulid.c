// uses: base
/* Ids: form, order, time, and the derived ones. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/clock.h"
#include "service/base/hash.h"
#include "service/base/ulid.h"

enum { PER_THREAD = 5000, THREADS = 4 };

static char made[THREADS][PER_THREAD][LORE_ULID_SIZE];

static void
ids_only_grow_and_are_valid(void **state)
{
    char prev[LORE_ULID_SIZE], next[LORE_ULID_SIZE];
    int i;

    (void)state;
    lore_ulid_new(prev);
    for (i = 0; i < 20000; i++) {
        lore_ulid_new(next);
        assert_true(lore_ulid_valid(next));
        assert_true(strcmp(prev, next) < 0);
        memcpy(prev, next, sizeof prev);
    }
}

static void
an_id_carries_the_time_it_was_made(void **state)
{
    int64_t before = lore_now_us() / 1000;
    char id[LORE_ULID_SIZE];

    (void)state;
    lore_ulid_new(id);
    assert_true(lore_ulid_ms(id) >= before);
    assert_true(lore_ulid_ms(id) <= lore_now_us() / 1000 + 1);
}

static void *
make_many(void *arg)
{
    char(*out)[LORE_ULID_SIZE] = arg;
    int i;

    for (i = 0; i < PER_THREAD; i++)
        lore_ulid_new(out[i]);
    return NULL;
}

static int
compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void
ids_of_many_threads_are_all_different(void **state)
{
    pthread_t threads[THREADS];
    char(*all)[LORE_ULID_SIZE] = made[0];
    int i;

    (void)state;
    for (i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_many, made[i]), 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    qsort(all, (size_t)THREADS * PER_THREAD, LORE_ULID_SIZE, compare);
    for (i = 1; i < THREADS * PER_THREAD; i++)
        assert_string_not_equal(all[i - 1], all[i]);
}

static void
derived_ids_depend_on_time_and_seed_alone(void **state)
{
    char a[LORE_ULID_SIZE], b[LORE_ULID_SIZE];

    (void)state;
    lore_ulid_derive(1469918176385, "row 1", 5, a);
    lore_ulid_derive(1469918176385, "row 1", 5, b);
    assert_string_equal(a, b);
    assert_true(lore_ulid_valid(a));
    assert_int_equal(lore_ulid_ms(a), 1469918176385);
    /* the time part of the published ULID example */
    assert_memory_equal(a, "01ARYZ6S41", 10);
    lore_ulid_derive(1469918176385, "row 2", 5, b);
    assert_string_not_equal(a, b);
    lore_ulid_derive(1469918176386, "row 1", 5, b);
    assert_memory_equal(a + 10, b + 10, 16);
    assert_true(strcmp(a, b) < 0);
}

static void
a_derived_random_part_is_the_hash_in_base32(void **state)
{
    static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    unsigned char digest[LORE_HASH_BYTES];
    char id[LORE_ULID_SIZE];
    int i, bit;

    (void)state;
    lore_hash("seed", 4, digest);
    lore_ulid_derive(0, "seed", 4, id);
    for (i = 0; i < 16; i++) {
        unsigned v = 0;

        for (bit = i * 5; bit < i * 5 + 5; bit++)
            v = v << 1 | (digest[bit / 8] >> (7 - bit % 8) & 1u);
        assert_int_equal(id[10 + i], alphabet[v]);
    }
}

static void
times_outside_48_bits_are_clamped(void **state)
{
    char id[LORE_ULID_SIZE];

    (void)state;
    lore_ulid_derive(-5, "", 0, id);
    assert_int_equal(lore_ulid_ms(id), 0);
    lore_ulid_derive(INT64_MAX, "", 0, id);
    assert_int_equal(lore_ulid_ms(id), ((int64_t)1 << 48) - 1);
    assert_true(lore_ulid_valid(id));
}

static void
only_canonical_ids_are_valid(void **state)
{
    (void)state;
    assert_true(lore_ulid_valid("01ARYZ6S41TSV4RRFFQ69G5FAV"));
    assert_false(lore_ulid_valid(NULL));
    assert_false(lore_ulid_valid(""));
    assert_false(lore_ulid_valid("01ARYZ6S41TSV4RRFFQ69G5FA"));
    assert_false(lore_ulid_valid("01ARYZ6S41TSV4RRFFQ69G5FAVX"));
    assert_false(lore_ulid_valid("01aryz6s41tsv4rrffq69g5fav"));
    assert_false(lore_ulid_valid("81ARYZ6S41TSV4RRFFQ69G5FAV"));
    assert_false(lore_ulid_valid("01ARYZ6S41TSV4RRFFQ69G5FAU"));
    assert_false(lore_ulid_valid("01ARYZ6S41TSV4RRFFQ69G5FA-"));
}

static void
an_id_packed_into_16_bytes_comes_back_and_keeps_its_order(void **state)
{
    static const char *const ids[] = {"00000000000000000000000000", "00000000000000000000000001",
        "01ARYZ6S41TSV4RRFFQ69G5FAV", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"};
    unsigned char before[LORE_ULID_BYTES] = {0}, packed[LORE_ULID_BYTES];
    char back[LORE_ULID_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        assert_true(lore_ulid_pack(ids[i], packed));
        lore_ulid_unpack(packed, back);
        assert_string_equal(back, ids[i]);
        assert_true(i == 0 || memcmp(before, packed, sizeof packed) < 0);
        memcpy(before, packed, sizeof packed);
    }
    assert_false(lore_ulid_pack(NULL, packed));
    assert_false(lore_ulid_pack("81ARYZ6S41TSV4RRFFQ69G5FAV", packed));
    assert_false(lore_ulid_pack("01ARYZ6S41TSV4RRFFQ69G5FA", packed));
    assert_false(lore_ulid_pack("01ARYZ6S41TSV4RRFFQ69G5FAVX", packed));
    assert_false(lore_ulid_pack("01ARYZ6S41TSV4RRFFQ69G5FAU", packed));
}

static void
the_hash_is_blake2b_256(void **state)
{
    char hex[LORE_HASH_HEX];

    (void)state;
    lore_hash_hex("abc", 3, hex);
    assert_string_equal(hex, "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
    lore_hash_hex(NULL, 0, hex);
    assert_string_equal(hex, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
}

static int
start(void **state)
{
    (void)state;
    lore_hash_init();
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_only_grow_and_are_valid),
        cmocka_unit_test(an_id_carries_the_time_it_was_made),
        cmocka_unit_test(ids_of_many_threads_are_all_different),
        cmocka_unit_test(derived_ids_depend_on_time_and_seed_alone),
        cmocka_unit_test(a_derived_random_part_is_the_hash_in_base32),
        cmocka_unit_test(times_outside_48_bits_are_clamped),
        cmocka_unit_test(only_canonical_ids_are_valid),
        cmocka_unit_test(an_id_packed_into_16_bytes_comes_back_and_keeps_its_order),
        cmocka_unit_test(the_hash_is_blake2b_256),
    };

    return cmocka_run_group_tests(tests, start, NULL);
}
