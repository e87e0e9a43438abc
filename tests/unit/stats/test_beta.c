// uses: stats m
/* The incomplete beta function against closed forms and printed tables. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/stats/beta.h"
#include "tests/unit/near.h"

static void
closed_forms_hold(void **state)
{
    (void)state;
    for (int i = 1; i < 100; i++) {
        double x = i / 100.0;
        assert_near(lore_beta_cdf(1, 1, x), x, 1e-12);
        assert_near(lore_beta_cdf(3, 1, x), x * x * x, 1e-12);
        assert_near(lore_beta_cdf(1, 5, x), 1 - pow(1 - x, 5), 1e-12);
        assert_near(lore_beta_cdf(0.5, 0.5, x), 2 / M_PI * asin(sqrt(x)), 1e-11);
        assert_near(lore_beta_cdf(2, 2, x), x * x * (3 - 2 * x), 1e-12);
        assert_near(lore_beta_cdf(0.3, 7.1, x) + lore_beta_cdf(7.1, 0.3, 1 - x), 1, 1e-11);
    }
    assert_near(lore_beta_cdf(2, 3, 0), 0, 0);
    assert_near(lore_beta_cdf(2, 3, 1), 1, 0);
}

/* I_x(a, b) for integers is the tail of a binomial: P(Bin(a + b - 1, x) >= a). */
static void
integer_parameters_equal_binomial_tails(void **state)
{
    (void)state;
    for (int a = 1; a <= 30; a += 7) {
        for (int b = 1; b <= 30; b += 6) {
            int n = a + b - 1;
            double x = 0.37, sum = 0;
            for (int k = a; k <= n; k++)
                sum += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(x) +
                           (n - k) * log(1 - x));
            assert_near(lore_beta_cdf(a, b, x), sum, 1e-11);
        }
    }
}

static void
quantiles_invert(void **state)
{
    const double a[] = {0.05, 0.4, 1, 2.6, 14, 900}, p[] = {0.001, 0.05, 0.5, 0.95, 0.999};
    (void)state;

    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            for (int k = 0; k < 5; k++) {
                double x = lore_beta_quantile(a[i], a[j], p[k]);
                assert_true(x >= 0 && x <= 1);
                /* Nearer to the ends the density is so steep that an error of 1e-12 in x shows. */
                if (x > 1e-5 && x < 1 - 1e-5)
                    assert_near(lore_beta_cdf(a[i], a[j], x), p[k], 1e-7);
            }
        }
    }
    assert_near(lore_beta_quantile(2, 5, 0), 0, 0);
    assert_near(lore_beta_quantile(2, 5, 1), 1, 0);
}

static void
quantiles_equal_printed_values(void **state)
{
    (void)state;
    assert_near(lore_beta_quantile(1, 1, 0.05), 0.05, 1e-10);
    assert_near(lore_beta_quantile(2, 2, 0.5), 0.5, 1e-10);
    assert_near(lore_beta_quantile(8, 4, 0.05), 0.43563, 1e-5); /* qbeta(.05, 8, 4) */
    assert_near(lore_beta_quantile(8, 4, 0.95), 0.86492, 1e-5);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_hold),
        cmocka_unit_test(integer_parameters_equal_binomial_tails),
        cmocka_unit_test(quantiles_invert),
        cmocka_unit_test(quantiles_equal_printed_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
