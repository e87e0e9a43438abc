// uses: wire
/* Which failed checks count against a version of somebody else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/wire/wire.h"

/* The check with the facts that the bits of WHICH choose. */
static struct lore_correctness
check(unsigned which, enum lore_check status)
{
    const struct lore_f64 number = {true, 0.5};
    struct lore_correctness c = {.set = true, .status = status, .message = "wrong, I think"};

    c.reference = which & 1 ? "cuBLAS" : which & 2 ? "" : NULL;
    c.atol = which & 4 ? number : c.atol;
    c.rtol = which & 8 ? number : c.rtol;
    c.max_abs_err = which & 16 ? number : c.max_abs_err;
    c.mismatches = (struct lore_i64){which & 32, 7};
    c.timeout_s = which & 64 ? number : c.timeout_s;
    c.n_sanitizers = which & 128 ? 1 : 0;
    c.seed = (struct lore_i64){which & 256, 1};
    return c;
}

static void
a_failure_is_shown_by_a_reference_with_numbers_or_by_a_tool(void **state)
{
    static const enum lore_check all[] = {LORE_C_FAIL, LORE_C_TIMEOUT};

    (void)state;
    for (unsigned which = 0; which < 512; which++)
        for (size_t i = 0; i < 2; i++) {
            struct lore_correctness c = check(which, all[i]);
            bool compared = (which & 1) && (which & (4 | 8 | 16 | 32));
            bool limited = all[i] == LORE_C_TIMEOUT && (which & 64);

            assert_int_equal(lore_check_is_shown(&c), compared || limited || (which & 128));
        }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_is_shown_by_a_reference_with_numbers_or_by_a_tool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
