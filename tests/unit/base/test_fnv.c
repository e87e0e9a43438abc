// uses: base
/* FNV-1a, against the values that its authors publish: stored slugs end in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/base/fnv.h"

static void
hashes_are_those_that_the_authors_publish(void **state)
{
    static const struct {
        const char *text;
        uint64_t hash;
    } published[] = {{"", UINT64_C(0xcbf29ce484222325)}, {"a", UINT64_C(0xaf63dc4c8601ec8c)},
        {"foo", UINT64_C(0xdcb27518fed9d577)}, {"foobar", UINT64_C(0x85944171f73967e8)},
        {"\xff\x00\x00\x01", UINT64_C(0x6961196491cc682d)}};

    (void)state;
    for (size_t i = 0; i + 1 < sizeof published / sizeof *published; i++)
        assert_int_equal(lore_fnv_text(LORE_FNV, published[i].text), published[i].hash);
    assert_int_equal(lore_fnv_bytes(LORE_FNV, published[4].text, 4), published[4].hash);
}

static void
a_hash_so_far_is_a_start(void **state)
{
    (void)state;
    assert_int_equal(lore_fnv_text(lore_fnv_byte(lore_fnv_bytes(LORE_FNV, "foo", 3), 'b'), "ar"),
        lore_fnv_text(LORE_FNV, "foobar"));
    assert_int_equal(lore_fnv_text(7, NULL), 7);
    assert_int_equal(lore_fnv_bytes(7, NULL, 0), 7);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_those_that_the_authors_publish),
        cmocka_unit_test(a_hash_so_far_is_a_start),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
