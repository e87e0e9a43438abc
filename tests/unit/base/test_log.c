// uses: base
/* Log lines as they arrive on standard error, which these tests point at a pipe. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "service/base/log.h"
#include "service/base/text.h"

static int saved = -1, reader = -1;
static char got[16384];

static int
capture(void **state)
{
    int ends[2];

    (void)state;
    if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0)
        return -1;
    saved = dup(STDERR_FILENO);
    reader = ends[0];
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    return 0;
}

static int
release(void **state)
{
    (void)state;
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(reader);
    lore_log_level(LORE_INFO);
    return 0;
}

/* What was logged since the last call, from ` level=` on: the time before it varies. */
static const char *
logged(void)
{
    ssize_t n = read(reader, got, sizeof got - 1);
    const char *level;

    got[n > 0 ? n : 0] = '\0';
    if (n <= 0)
        return "";
    assert_true(strncmp(got, "time=20", 7) == 0);
    level = strstr(got, " level=");
    assert_non_null(level);
    return level;
}

static void
a_line_holds_its_pairs_in_order(void **state)
{
    (void)state;
    lore_log(LORE_INFO, "listen", "addr", "127.0.0.1:8787", "pid", "7", NULL);
    assert_string_equal(logged(), " level=info event=listen addr=127.0.0.1:8787 pid=7\n");
    lore_log(LORE_ERROR, "x", NULL);
    assert_string_equal(logged(), " level=error event=x\n");
}

static void
a_null_value_is_left_out(void **state)
{
    (void)state;
    lore_log(LORE_WARN, "request", "actor", NULL, "status", "200", NULL);
    assert_string_equal(logged(), " level=warn event=request status=200\n");
}

static void
levels_below_the_least_are_silent(void **state)
{
    (void)state;
    lore_log(LORE_DEBUG, "quiet", NULL);
    assert_string_equal(logged(), "");
    lore_log_level(LORE_DEBUG);
    lore_log(LORE_DEBUG, "loud", NULL);
    assert_string_equal(logged(), " level=debug event=loud\n");
    lore_log_level(LORE_ERROR);
    lore_log(LORE_WARN, "quiet", NULL);
    assert_string_equal(logged(), "");
}

static void
a_value_cannot_forge_a_line_or_a_pair(void **state)
{
    static const struct {
        const char *value, *line;
    } cases[] = {
        {"two words", "\"two words\""},
        {"", "\"\""},
        {"a=b", "\"a=b\""},
        {"say \"hi\"", "\"say \\\"hi\\\"\""},
        {"back\\slash", "\"back\\\\slash\""},
        {"x\nlevel=error", "\"x\\nlevel=error\""},
        {"a\r\tb", "\"a\\r\\tb\""},
        {"\x1b[2J", "\"\\x1b[2J\""},
        {"del\x7f", "\"del\\x7f\""},
        {"\xc2\x9b", "\"\\xc2\\x9b\""},
        {"bad\xff\xc3", "\"bad\\xff\\xc3\""},
        {"caf\xc3\xa9", "caf\xc3\xa9"},
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
    };
    char want[128];
    size_t i;

    (void)state;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        lore_log(LORE_INFO, "e", "v", cases[i].value, NULL);
        snprintf(want, sizeof want, " level=info event=e v=%s\n", cases[i].line);
        assert_string_equal(logged(), want);
    }
}

static void
a_long_line_is_cut_and_says_so(void **state)
{
    char value[9001];
    const char *line;
    size_t n, start;

    (void)state;
    for (start = 0; start < 3; start++) {
        memset(value, 'a', start);
        for (n = start; n + 2 < sizeof value; n += 2)
            memcpy(value + n, "\xc3\xa9", 3);
        lore_log(LORE_INFO, "e", "v", value, "w", "never shown", NULL);
        line = logged();
        n = strlen(line);
        assert_in_range(n, 4000, 4096);
        assert_string_equal(line + n - 4, "\xe2\x80\xa6\n");
        assert_true(lore_utf8_valid(line, n));
        assert_ptr_equal(strchr(line, '\n'), line + n - 1);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, capture, release)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_line_holds_its_pairs_in_order),
        TEST(a_null_value_is_left_out),
        TEST(levels_below_the_least_are_silent),
        TEST(a_value_cannot_forge_a_line_or_a_pair),
        TEST(a_long_line_is_cut_and_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
