// uses: wire
/* Values of tuning parameters that mean "not in use". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/catalogue/parameter_off.h"

static void
test_zero_false_and_none_are_off_for_any_parameter(void **state)
{
    const char *const none[] = {"0", "0.0", "false", "False", "\"none\"", "null", "off", "\"\""};

    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_true(lore_parameter_is_off("anything", none[i]));
    assert_false(lore_parameter_is_off("anything", "1"));
    assert_false(lore_parameter_is_off("anything", "along_m"));
}

static void
test_one_is_off_where_it_counts(void **state)
{
    static const struct {
        const char *name, *value;
        bool off;
    } cases[] = {
        {"split_k_slices", "1", true}, {"SPLIT_K", "1", true}, {"splitK", "1", true},
        {"split_k_slices", "2", false}, {"swizzle_size", "1", true}, {"cluster_m", "1", true},
        {"cluster_shape", "\"1x1x1\"", true}, {"cluster_shape", "(1, 1, 1)", true},
        {"cluster_shape", "2x1x1", false}, {"cluster_shape", "11x1x1", false},
        {"num_stages", "1", true}, {"num_stages", "1.0", true}, {"LOOP_UNROLL_FACTOR", "1", true},
        {"num_consumer_groups", "1", false}, {"num_consumer_groups", "0", true},
        {"use_padding", "1", false}, {"use_split_k", "1", false}, /* a switch */
        {"num_warps", "1", false}, /* a size, not a technique in use or not */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (lore_parameter_is_off(cases[i].name, cases[i].value) != cases[i].off)
            fail_msg("%s=%s", cases[i].name, cases[i].value);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zero_false_and_none_are_off_for_any_parameter),
        cmocka_unit_test(test_one_is_off_where_it_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
