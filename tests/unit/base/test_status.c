// uses: base
/* The status table, and how errors are filled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/status.h"
#include "service/base/text.h"

static void
every_status_has_its_own_name_and_an_http_code(void **state)
{
    int i, k;

    (void)state;
    for (i = 0; i < LORE_STATUS_COUNT; i++) {
        int http = lore_status_http((enum lore_status)i);

        assert_true(i == LORE_OK ? http == 200 : http >= 400 && http < 600);
        for (k = 0; k < i; k++)
            assert_string_not_equal(
                lore_status_name((enum lore_status)i), lore_status_name((enum lore_status)k));
    }
    assert_string_equal(lore_status_name(LORE_METHOD), "method_not_allowed");
    assert_int_equal(lore_status_http(LORE_TOOBIG), 413);
    assert_int_equal(lore_status_http(LORE_BUSY), 503);
    assert_int_equal(lore_status_http(LORE_LIMITED), 429);
}

static void
a_status_outside_the_table_is_an_internal_error(void **state)
{
    (void)state;
    assert_int_equal(lore_status_http((enum lore_status)99), 500);
    assert_string_equal(lore_status_name((enum lore_status)99), "unknown");
}

static void
fail_returns_its_status_and_fills_everything(void **state)
{
    struct lore_err err;

    (void)state;
    memset(&err, 'x', sizeof err);
    assert_int_equal(lore_fail(&err, LORE_NOTFOUND, "run %d: not here", 7), LORE_NOTFOUND);
    assert_int_equal(err.status, LORE_NOTFOUND);
    assert_string_equal(err.code, "not_found");
    assert_string_equal(err.msg, "run 7: not here");
    assert_string_equal(err.path, "");
    assert_string_equal(err.hint, "");
}

static void
fail_at_keeps_the_code_and_the_path(void **state)
{
    struct lore_err err;

    (void)state;
    assert_int_equal(lore_fail_at(&err, LORE_INVALID, "unknown_field", "runs[3].devise",
                         "%s: unknown field", "runs[3].devise"),
        LORE_INVALID);
    lore_err_hint(&err, "did you mean %s?", "device");
    assert_string_equal(err.code, "unknown_field");
    assert_string_equal(err.path, "runs[3].devise");
    assert_string_equal(err.hint, "did you mean device?");
}

static void
nobody_needs_to_want_the_error(void **state)
{
    (void)state;
    assert_int_equal(lore_fail(NULL, LORE_IO, "x"), LORE_IO);
    assert_int_equal(lore_fail_at(NULL, LORE_BUSY, "c", "p", "x"), LORE_BUSY);
    lore_err_hint(NULL, "x");
}

static void
an_error_can_be_built_from_itself(void **state)
{
    struct lore_err err;

    (void)state;
    (void)lore_fail_at(&err, LORE_INVALID, "wrong_type", "a.b", "expected text");
    (void)lore_fail_at(&err, LORE_INVALID, err.code, err.path, "file.yaml: %s", err.msg);
    assert_string_equal(err.msg, "file.yaml: expected text");
    assert_string_equal(err.path, "a.b");
}

/* Whatever the offset at which the buffer ends, no half character remains. */
static void
a_long_message_is_cut_between_characters(void **state)
{
    static const char *const fill[] = {"\xc3\xa9", "\xe2\x80\xa6", "\xf0\x9f\x98\x80"};
    char text[2000];
    struct lore_err err;
    size_t i, pad, n;

    (void)state;
    for (i = 0; i < 3; i++) {
        for (pad = 0; pad < 4; pad++) {
            memset(text, 'a', pad);
            for (n = pad; n < 400; n += strlen(fill[i]))
                memcpy(text + n, fill[i], strlen(fill[i]) + 1);
            (void)lore_fail_at(&err, LORE_INVALID, "c", text, "%s", text);
            assert_true(lore_utf8_valid(err.msg, strlen(err.msg)));
            assert_true(lore_utf8_valid(err.path, strlen(err.path)));
            assert_true(strlen(err.msg) > sizeof err.msg - 5);
            assert_true(strlen(err.path) > sizeof err.path - 5);
        }
    }
}

static void
a_message_is_utf8_whatever_it_quotes(void **state)
{
    struct lore_err err;

    (void)state;
    (void)lore_fail(&err, LORE_INVALID, "%.3s|\xff|\xc3\xa9", "ab\xc3\xa9");
    assert_string_equal(err.msg, "ab?|?|\xc3\xa9");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_its_own_name_and_an_http_code),
        cmocka_unit_test(a_status_outside_the_table_is_an_internal_error),
        cmocka_unit_test(fail_returns_its_status_and_fills_everything),
        cmocka_unit_test(fail_at_keeps_the_code_and_the_path),
        cmocka_unit_test(nobody_needs_to_want_the_error),
        cmocka_unit_test(an_error_can_be_built_from_itself),
        cmocka_unit_test(a_long_message_is_cut_between_characters),
        cmocka_unit_test(a_message_is_utf8_whatever_it_quotes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
