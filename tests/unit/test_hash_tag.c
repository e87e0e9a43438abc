// uses: base
// Tags of contents: equal for equal ones, else not, at all lengths.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hash.h"

static void
equal_contents_have_equal_tags_and_one_bit_more_has_another(void **state)
{
    static unsigned char bytes[200];
    char tag[LORE_HASH_TAG], again[LORE_HASH_TAG], before[LORE_HASH_TAG] = "";

    (void)state;
    for (size_t n = 0; n < sizeof bytes; n++) {
        lore_hash_tag(n > 0 ? bytes : NULL, n, tag);
        lore_hash_tag(bytes, n, again);
        assert_int_equal(strlen(tag), 32);
        assert_string_equal(tag, again);
        assert_string_not_equal(tag, before);
        memcpy(before, tag, sizeof tag);
        for (size_t bit = 0; bit < n * 8; bit += 13) {
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
            lore_hash_tag(bytes, n, again);
            assert_string_not_equal(tag, again);
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
    }
}

static void
to_begin_again_changes_no_tag(void **state)
{
    char tag[LORE_HASH_TAG], again[LORE_HASH_TAG];

    (void)state;
    lore_hash_tag("answer", 6, tag);
    lore_hash_init();
    lore_hash_tag("answer", 6, again);
    assert_string_equal(tag, again);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_contents_have_equal_tags_and_one_bit_more_has_another),
        cmocka_unit_test(to_begin_again_changes_no_tag),
    };

    lore_hash_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
