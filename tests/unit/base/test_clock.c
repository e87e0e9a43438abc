// uses: base
/* RFC 3339 in and out, against dates known otherwise and against the C library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "service/base/clock.h"

static void
times_format_as_known_dates(void **state)
{
    static const struct {
        int64_t us;
        const char *text;
    } cases[] = {
        {0, "1970-01-01T00:00:00.000000Z"},
        {-1, "1969-12-31T23:59:59.999999Z"},
        {951782400000000, "2000-02-29T00:00:00.000000Z"},
        {1763714619123456, "2025-11-21T08:43:39.123456Z"},
        {253402300799999999, "9999-12-31T23:59:59.999999Z"},
        {-62167219200000000, "0000-01-01T00:00:00.000000Z"},
        {INT64_MAX, "9999-12-31T23:59:59.999999Z"},
        {INT64_MIN, "0000-01-01T00:00:00.000000Z"},
    };
    char text[LORE_TIME_SIZE];
    size_t i;

    (void)state;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        lore_time_format(cases[i].us, text);
        assert_string_equal(text, cases[i].text);
    }
}

static int64_t
parsed(const char *text)
{
    struct lore_err err;
    int64_t us = -42;

    if (lore_time_parse(text, &us, &err) != LORE_OK)
        fail_msg("%s: %s", text, err.msg);
    return us;
}

static void
every_written_form_of_a_time_reads(void **state)
{
    (void)state;
    assert_int_equal(parsed("1970-01-01"), 0);
    assert_int_equal(parsed("1970-01-01T00:00:01Z"), 1000000);
    assert_int_equal(parsed("1970-01-01t00:00:01z"), 1000000);
    assert_int_equal(parsed("1970-01-01 00:00:01.5Z"), 1500000);
    assert_int_equal(parsed("1970-01-01T02:00:00+02:00"), 0);
    assert_int_equal(parsed("1969-12-31T18:30:00-05:30"), 0);
    assert_int_equal(parsed("1970-01-01T00:00:00.123456789Z"), 123456);
    assert_int_equal(parsed("1972-06-30T23:59:60Z"), parsed("1972-07-01T00:00:00Z"));
}

static void
what_is_no_time_is_refused_and_leaves_the_result_alone(void **state)
{
    static const char *const bad[] = {"", "yesterday", "2025", "2025-13-01", "2025-02-29",
        "2025-00-10", "2025-01-32", "2025-01-01T", "2025-01-01T24:00:00Z", "2025-01-01T10:60:00Z",
        "2025-01-01T10:00Z", "2025-01-01T10:00:00", "2025-01-01T10:00:00.Z",
        "2025-01-01T10:00:00+2", "2025-01-01T10:00:00+25:00", "2025-01-01T10:00:00Zz",
        "2025-01-01X10:00:00Z", " 2025-01-01", "2025-01-01 ", "-001-01-01",
        "0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"};
    struct lore_err err;
    int64_t us;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        us = 77;
        if (lore_time_parse(bad[i], &us, &err) != LORE_INVALID)
            fail_msg("\"%s\" was read", bad[i]);
        assert_int_equal(us, 77);
        assert_string_equal(err.code, "invalid_time");
    }
    assert_int_equal(lore_time_parse(NULL, &us, &err), LORE_INVALID);
}

/* Steps of an odd number of microseconds from year 1 to 9998, read back and asked of timegm. */
static void
formatted_times_read_back_and_agree_with_the_c_library(void **state)
{
    const int64_t first = -62135596800000000, last = 253370764800000000;
    int64_t us, back;
    char text[LORE_TIME_SIZE];
    struct lore_err err;
    struct tm tm;

    (void)state;
    for (us = first; us < last; us += 31556952123457 * 3) {
        lore_time_format(us, text);
        assert_int_equal(lore_time_parse(text, &back, &err), LORE_OK);
        assert_int_equal(back, us);
        memset(&tm, 0, sizeof tm);
        assert_non_null(strptime(text, "%Y-%m-%dT%H:%M:%S", &tm));
        assert_int_equal((int64_t)timegm(&tm), (us - (us % 1000000 + 1000000) % 1000000) / 1000000);
    }
}

static void
the_clocks_move_forward(void **state)
{
    int64_t a = lore_ticks_us(), b = lore_ticks_us();

    (void)state;
    assert_true(b >= a);
    assert_true(lore_now_us() > parsed("2024-01-01"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_format_as_known_dates),
        cmocka_unit_test(every_written_form_of_a_time_reads),
        cmocka_unit_test(what_is_no_time_is_refused_and_leaves_the_result_alone),
        cmocka_unit_test(formatted_times_read_back_and_agree_with_the_c_library),
        cmocka_unit_test(the_clocks_move_forward),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
