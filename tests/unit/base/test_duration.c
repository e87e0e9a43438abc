// uses: base
/* Times with units: what is read, and what a wrong one is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/base/duration.h"

static void
a_number_and_its_unit_are_nanoseconds(void **state)
{
    static const struct {
        const char *text;
        double ns;
    } cases[] = {{"520us", 520e3}, {"0.9ms", 9e5}, {"0.9 ms", 9e5}, {"12ns", 12}, {"2s", 2e9},
        {"1.5µs", 1500}, {"1.5μs", 1500}, {"2e-3s", 2e6}, {"1e3us", 1e6}};
    struct lore_err err;
    double ns;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(lore_duration_parse(cases[i].text, "t", &ns, &err), LORE_OK);
        assert_float_equal(ns, cases[i].ns, 1e-6 * cases[i].ns);
    }
}

static void
anything_else_is_refused_and_the_unit_is_never_guessed(void **state)
{
    static const struct {
        const char *text, *msg, *hint;
    } cases[] = {
        {"0.90", "--before: \"0.90\" has no unit", "write 0.90ns, 0.90us, 0.90ms or 0.90s"},
        {"90m", "--before: \"90m\" has an unknown unit",
            "a number and its unit: ns, us, ms or s, as in 520us or 0.52ms"},
        {"fast", "--before: \"fast\" is not a time", NULL},
        {"", "--before: \"\" is not a time", NULL}, {"ms", "--before: \"ms\" is not a time", NULL},
        {"1us2", "--before: \"1us2\" has an unknown unit", NULL},
        {"1e999ms", "--before: \"1e999ms\" is not a time", NULL},
        {"0us", "--before: \"0us\" is not more than 0; leave out what was not measured", NULL},
        {"-3us", "--before: \"-3us\" is not more than 0; leave out what was not measured", NULL},
        {"9e9s", "--before: \"9e9s\" is longer than 100 days", NULL},
        {"1111111111111111111111111111111111111111us",
            "--before: \"1111111111111111111111111111111111111111\" is not a time", NULL}};
    struct lore_err err;
    double ns = 7;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(lore_duration_parse(cases[i].text, "--before", &ns, &err), LORE_INVALID);
        assert_string_equal(err.msg, cases[i].msg);
        assert_string_equal(err.code, "invalid_time");
        if (cases[i].hint)
            assert_string_equal(err.hint, cases[i].hint);
        assert_float_equal(ns, 7, 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_and_its_unit_are_nanoseconds),
        cmocka_unit_test(anything_else_is_refused_and_the_unit_is_never_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
