// uses: base
// Tags of contents: equal for equal ones, else not, at all lengths.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "service/base/hash.h"

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

/* As another process of this program says it. */
static void
tag_elsewhere(char tag[LORE_HASH_TAG])
{
    char self[400] = "", command[420];

    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    snprintf(command, sizeof command, "'%s' tag", self);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    assert_non_null(fgets(tag, LORE_HASH_TAG, f));
    assert_int_equal(pclose(f), 0);
    assert_int_equal(strlen(tag), LORE_HASH_TAG - 1);
}

static void
each_process_has_a_key_of_its_own(void **state)
{
    char one[LORE_HASH_TAG], other[LORE_HASH_TAG];

    (void)state;
    tag_elsewhere(one);
    tag_elsewhere(other);
    assert_string_not_equal(one, other);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_contents_have_equal_tags_and_one_bit_more_has_another),
        cmocka_unit_test(to_begin_again_changes_no_tag),
        cmocka_unit_test(each_process_has_a_key_of_its_own),
    };

    lore_hash_init();
    if (argc > 1 && strcmp(argv[1], "tag") == 0) {
        char tag[LORE_HASH_TAG];
        lore_hash_tag("answer", 6, tag);
        return fputs(tag, stdout) < 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
