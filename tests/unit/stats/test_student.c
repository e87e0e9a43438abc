// uses: stats m
/* Student's t against closed forms and printed tables. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/stats/student.h"
#include "tests/unit/near.h"

/* Of a printed table: the quantile of 0.95, 0.975, 0.995 and 0.9995. */
static const struct {
    double nu, q[4];
} table[] = {{1, {6.314, 12.706, 63.657, 636.619}}, {2, {2.920, 4.303, 9.925, 31.599}},
    {3, {2.353, 3.182, 5.841, 12.924}}, {4, {2.132, 2.776, 4.604, 8.610}},
    {5, {2.015, 2.571, 4.032, 6.869}}, {10, {1.812, 2.228, 3.169, 4.587}},
    {30, {1.697, 2.042, 2.750, 3.646}}, {120, {1.658, 1.980, 2.617, 3.373}},
    {INFINITY, {1.645, 1.960, 2.576, 3.291}}};
static const double below[] = {0.95, 0.975, 0.995, 0.9995};
enum { ROWS = sizeof table / sizeof *table, COLUMNS = 4 };

static void
quantiles_equal_a_printed_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < COLUMNS; k++)
            assert_near(lore_student_quantile(table[i].nu, below[k]), table[i].q[k], 5.1e-4);
}

static void
both_tails_of_a_printed_quantile_have_what_it_leaves(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < COLUMNS; k++) {
            double p = 2 * (1 - below[k]);
            assert_near(
                lore_student_p(table[i].nu, table[i].q[k]) / p, 1, 2e-3); /* its three decimals */
        }
}

static void
one_and_two_degrees_have_a_closed_form(void **state)
{
    (void)state;
    for (double t = 0; t < 100; t = 2 * t + 0.1) {
        assert_near(lore_student_p(1, t), 1 - 2 / M_PI * atan(t), 1e-10);
        assert_near(lore_student_p(2, t), 1 - t / sqrt(2 + t * t), 1e-10);
    }
}

static void
many_degrees_come_to_the_normal_distribution_without_a_step(void **state)
{
    (void)state;
    for (double t = 0; t < 6; t += 0.5) {
        assert_near(lore_student_p(999999, t), lore_student_p(1000001, t), 1e-6);
        assert_near(lore_student_p(INFINITY, t), erfc(t / sqrt(2)), 0);
    }
    assert_near(lore_student_quantile(999999, 0.975), lore_student_quantile(INFINITY, 0.975), 1e-5);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_equal_a_printed_table),
        cmocka_unit_test(both_tails_of_a_printed_quantile_have_what_it_leaves),
        cmocka_unit_test(one_and_two_degrees_have_a_closed_form),
        cmocka_unit_test(many_degrees_come_to_the_normal_distribution_without_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
