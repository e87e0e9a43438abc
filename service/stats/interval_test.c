/* Standard errors from intervals, and Welch's t from those. */
#include "service/stats/interval_test.h"

#include <math.h>

#include "service/stats/student.h"
#include "service/stats/walsh.h"

enum { CACHE_SLOTS = 64 };
#define CONFIDENCE 0.95       /* of a median's interval, where there are samples enough */
#define P10_TO_P90 2.5631     /* normal standard deviations between them */
#define MEDIAN_TO_MEAN 1.2533 /* standard error of a median / that of a mean: sqrt(pi / 2) */
#define MARGIN 1e-6           /* larger than the numerical error of quantile and probability */

/* The half width of the interval of N samples in standard errors. With fewer than six samples, the
 * interval spans all of them and misses the median only when all lie on one side of it. */
static double
half_width_of(size_t n)
{
    double missed = n < 6 ? pow(0.5, (double)n - 1) : 1 - CONFIDENCE;
    return lore_student_quantile((double)n - 1, 1 - missed / 2);
}

/* half_width_of with a cache, because most times have the same few numbers of samples. */
static double
half_width(size_t n)
{
    static _Thread_local struct {
        size_t n;
        double half_width;
    } last[CACHE_SLOTS];
    size_t i = n % CACHE_SLOTS;

    if (last[i].n != n) {
        last[i].half_width = half_width_of(n);
        last[i].n = n;
    }
    return last[i].half_width;
}

struct lore_interval_test
lore_interval_test_median(double middle, double low, double high, size_t n, double p10, double p90)
{
    double w = half_width(n), least = 0;

    if (p10 > 0 && p90 > p10)
        least = log(p90 / p10) / P10_TO_P90 * MEDIAN_TO_MEAN / sqrt((double)n);
    return (struct lore_interval_test){log(middle), fmax(log(middle / low) / w, least),
        fmax(log(high / middle) / w, least), (double)n - 1};
}

struct lore_interval_test
lore_interval_test_stated(double middle, double p10, double p90)
{
    double w = P10_TO_P90 / 2;

    return (struct lore_interval_test){
        log(middle), fmax(log(middle / p10) / w, 0), fmax(log(p90 / middle) / w, 0), INFINITY};
}

double
lore_interval_test_p_beyond(const struct lore_interval_test *a, const struct lore_interval_test *b,
    double floor, double errors)
{
    const struct lore_interval_test *fast = a->at <= b->at ? a : b, *slow = fast == a ? b : a;
    double x = fast->above * fast->above, y = slow->below * slow->below;
    double off = slow->at - fast->at, error = sqrt(x + y);

    if (off < errors * error)
        return 1;
    off -= log1p(floor);
    if (off <= 0)
        return 1;
    if (x + y <= 0)
        return 0;
    double shares = x * x / fast->df + y * y / slow->df;
    return lore_student_p(shares > 0 ? (x + y) * (x + y) / shares : INFINITY, off / error);
}

double
lore_interval_test_errors(double p)
{
    return lore_student_quantile(INFINITY, 1 - p / 2) * (1 - MARGIN);
}

double
lore_interval_test_ratio_p(double ratio, double low, double high, double confidence)
{
    double off = log(ratio), half = off > 0 ? log(ratio / low) : log(high / ratio);

    if (off == 0)
        return 1;
    if (half <= 0)
        return 0;
    return lore_student_p(
        INFINITY, fabs(off) / half * lore_walsh_normal_quantile(1 - (1 - confidence) / 2));
}
