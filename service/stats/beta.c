/* The regularised incomplete beta function I_x(a, b) by its continued fraction (DLMF 8.17.22),
 * evaluated from the front with Lentz's method, and its inverse by bisection with Newton steps that
 * stay inside the bracket. */
#include "service/stats/beta.h"

#include <math.h>

enum { MAX_TERMS = 500, MAX_STEPS = 100 };

static double
log_gamma(double x)
{
    int sign; /* lgamma itself writes a global */
    return lgamma_r(x, &sign);
}

struct beta {
    double a, b;
    double of_sum, of_a, of_b; /* ln gamma */
};

static struct beta
beta(double a, double b)
{
    return (struct beta){a, b, log_gamma(a + b), log_gamma(a), log_gamma(b)};
}

/* x^a (1 - x)^b / B(a, b) */
static double
front_of(const struct beta *d, double x)
{
    return exp(d->a * log(x) + d->b * log1p(-x) + d->of_sum - d->of_a - d->of_b);
}

static double
away_from_zero(double x)
{
    return fabs(x) < 1e-300 ? 1e-300 : x;
}

/* The fraction converges fast for x < (a + 1) / (a + b + 2). */
static double
fraction(double a, double b, double x)
{
    double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), f = d;

    for (int m = 1; m <= MAX_TERMS; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        f *= d * c;
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        f *= d * c;
        if (fabs(d * c - 1) < 1e-14)
            break;
    }
    return f;
}

/* I_x(a, b) of 0 < x < 1, where FRONT is x^a (1 - x)^b / B(a, b). */
static double
cdf(double a, double b, double x, double front)
{
    if (x < (a + 1) / (a + b + 2))
        return front * fraction(a, b, x) / a;
    return 1 - front * fraction(b, a, 1 - x) / b;
}

double
lore_beta_cdf(double a, double b, double x)
{
    const struct beta d = beta(a, b);

    if (x <= 0)
        return 0;
    return x < 1 ? cdf(a, b, x, front_of(&d, x)) : 1;
}

double
lore_beta_quantile(double a, double b, double p)
{
    const struct beta d = beta(a, b);
    double low = 0, high = 1, x = a / (a + b);

    if (p <= 0 || p >= 1)
        return p <= 0 ? 0 : 1;
    for (int i = 0; i < MAX_STEPS && high - low > 1e-13; i++) {
        double front = front_of(&d, x), miss = cdf(a, b, x, front) - p;
        if (miss < 0)
            low = x;
        else
            high = x;
        double slope = front / (x * (1 - x));
        double next = x - miss / slope;
        if (fabs(next - x) < 1e-12)
            break;
        x = next > low && next < high ? next : (low + high) / 2;
    }
    return x;
}
