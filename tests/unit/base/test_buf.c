// uses: base
/* The growing buffer and its ceiling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/buf.h"

static void
appended_bytes_are_there_and_end_in_nul(void **state)
{
    struct lore_buf b = {0};

    (void)state;
    lore_buf_puts(&b, "runs");
    lore_buf_putc(&b, '[');
    lore_buf_printf(&b, "%d", 3);
    lore_buf_add(&b, "]", 1);
    lore_buf_add(&b, NULL, 0);
    assert_string_equal(b.data, "runs[3]");
    assert_int_equal(b.len, 7);
    lore_buf_free(&b);
    assert_null(b.data);
}

static void
printf_longer_than_its_scratch_is_whole(void **state)
{
    struct lore_buf b = {0};
    char filler[1001];

    (void)state;
    memset(filler, 'z', 1000);
    filler[1000] = '\0';
    lore_buf_printf(&b, "<%s>", filler);
    assert_int_equal(b.len, 1002);
    assert_int_equal(b.data[1001], '>');
    assert_int_equal(b.data[1002], '\0');
    lore_buf_free(&b);
}

static void
exactly_the_ceiling_fits_and_one_byte_more_does_not(void **state)
{
    struct lore_buf b = {.max = 300};
    struct lore_err err;
    int i;

    (void)state;
    for (i = 0; i < 300; i++)
        lore_buf_putc(&b, 'a');
    assert_int_equal(lore_buf_status(&b, "reply", &err), LORE_OK);
    lore_buf_putc(&b, 'b');
    assert_int_equal(b.len, 300);
    assert_int_equal(lore_buf_status(&b, "reply", &err), LORE_TOOBIG);
    assert_string_equal(err.msg, "reply: larger than 300 bytes");
    lore_buf_free(&b);
}

static void
after_a_dropped_append_later_ones_are_dropped_too(void **state)
{
    struct lore_buf b = {.max = 8};

    (void)state;
    lore_buf_puts(&b, "12345");
    lore_buf_puts(&b, "too long");
    lore_buf_puts(&b, "6");
    assert_string_equal(b.data, "12345");
    assert_true(b.over);
    lore_buf_reset(&b);
    lore_buf_puts(&b, "12345678");
    assert_string_equal(b.data, "12345678");
    assert_false(b.over);
    lore_buf_free(&b);
}

static void
a_long_printf_counts_against_the_ceiling(void **state)
{
    struct lore_buf b = {.max = 400};

    (void)state;
    lore_buf_printf(&b, "%0500d", 1);
    assert_true(b.over);
    assert_int_equal(b.len, 0);
    lore_buf_free(&b);
}

static void
reserved_room_can_be_filled_in_place(void **state)
{
    struct lore_buf b = {.max = 10};
    char *to;

    (void)state;
    lore_buf_puts(&b, "ab");
    to = lore_buf_reserve(&b, 8);
    assert_non_null(to);
    memcpy(to, "cdefghij", 8);
    b.len += 8;
    assert_memory_equal(b.data, "abcdefghij", 10);
    assert_null(lore_buf_reserve(&b, 1));
    assert_true(b.over);
    lore_buf_free(&b);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appended_bytes_are_there_and_end_in_nul),
        cmocka_unit_test(printf_longer_than_its_scratch_is_whole),
        cmocka_unit_test(exactly_the_ceiling_fits_and_one_byte_more_does_not),
        cmocka_unit_test(after_a_dropped_append_later_ones_are_dropped_too),
        cmocka_unit_test(a_long_printf_counts_against_the_ceiling),
        cmocka_unit_test(reserved_room_can_be_filled_in_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
