// uses: auth
/* The service's own key and its mark. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "service/auth/service_key.h"
#include "service/base/file.h"
#include "tests/unit/scratch.h"

static int
set_up(void **state)
{
    *state = calloc(1, 64);
    lore_hash_init();
    return scratch_make(*state);
}

static int
tear_down(void **state)
{
    scratch_drop(*state);
    free(*state);
    return 0;
}

static void
a_key_is_made_only_when_asked_for(void **state)
{
    struct lore_err err;
    struct lore_service_key a, b;

    assert_int_equal(lore_service_key_read(*state, false, &a, &err), LORE_NOTFOUND);
    assert_int_equal(lore_service_key_read(*state, true, &a, &err), LORE_OK);
    assert_int_equal(lore_service_key_read(*state, false, &b, &err), LORE_OK);
    assert_memory_equal(&a, &b, sizeof a);
}

static void
the_mark_tells_keys_apart_and_is_no_part_of_them(void **state)
{
    char path[100];
    struct lore_err err;
    struct lore_service_key k;
    unsigned char a[LORE_HASH_BYTES], b[LORE_HASH_BYTES];

    snprintf(path, sizeof path, "%s/service.key", (char *)*state);
    assert_int_equal(lore_service_key_mark(*state, false, a, &err), LORE_NOTFOUND);
    assert_int_equal(lore_service_key_mark(*state, true, a, &err), LORE_OK);
    assert_int_equal(lore_service_key_mark(*state, true, b, &err), LORE_OK);
    assert_memory_equal(a, b, sizeof a);
    assert_int_equal(lore_service_key_read(*state, false, &k, &err), LORE_OK);
    assert_memory_not_equal(a, k.key, sizeof a);
    assert_null(memmem(k.secret, sizeof k.secret, a, 8));
    assert_int_equal(remove(path), 0);
    assert_int_equal(lore_service_key_mark(*state, true, b, &err), LORE_OK);
    assert_memory_not_equal(a, b, sizeof a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_key_is_made_only_when_asked_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            the_mark_tells_keys_apart_and_is_no_part_of_them, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
