// uses: catalogue
/* Times with units: what is read, and what is refused because it could be wrong by 1000. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/catalogue/units.h"

static void
a_time_with_a_unit_is_exact_nanoseconds(void **state)
{
    static const struct {
        const char *text;
        double ns;
    } cases[] = {{"81us", 81000}, {"81 us", 81000}, {"0.9445ms", 944500}, {"0.0158ms", 15800},
        {"12.5µs", 12500}, {"1e-6s", 1000}, {"7ns", 7}, {"0.5ns", 0.5}, {"2s", 2e9}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double ns = 0;

        if (!lore_unit_duration(cases[i].text, &ns) || ns != cases[i].ns)
            fail_msg("%s: %.17g", cases[i].text, ns);
    }
}

static void
anything_else_is_refused(void **state)
{
    static const char *const cases[] = {"", "81", "us", "0us", "-1us", "81 furlongs", "81usx",
        "nan us", "1e9s", "81us 82us", "1e400s", "--1us"};
    double ns = 3;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (lore_unit_duration(cases[i], &ns) || ns != 3)
            fail_msg("\"%s\" was read as %.17g", cases[i], ns);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_time_with_a_unit_is_exact_nanoseconds),
        cmocka_unit_test(anything_else_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
