/* Standard errors from intervals, and Welch's t from those. */
#include "service/stats/apart.h"

#include <math.h>

#include "service/stats/student.h"
#include "service/stats/walsh.h"

enum { KEPT = 64 };
#define CONFIDENCE 0.95    /* of a median's interval, where there are samples enough */
#define P10_TO_P90 2.5631  /* normal standard deviations between them */
#define OF_A_MEDIAN 1.2533 /* its standard error against that of a mean: sqrt(pi / 2) */
#define MARGIN 1e-6        /* more than quantile and probability can disagree by */

/* Widths of the interval of N samples in standard errors: of fewer than six it spans all of them
 * and covers the median unless all lie on one side. */
static double
widths_of(size_t n)
{
    double missed = n < 6 ? pow(0.5, (double)n - 1) : 1 - CONFIDENCE;
    return lore_student_quantile((double)n - 1, 1 - missed / 2);
}

/* Times that are compared have mostly been sampled equally often: the last answers are kept. */
static double
widths(size_t n)
{
    static _Thread_local struct {
        size_t n;
        double widths;
    } last[KEPT];
    size_t i = n % KEPT;

    if (last[i].n != n) {
        last[i].widths = widths_of(n);
        last[i].n = n;
    }
    return last[i].widths;
}

struct lore_apart
lore_apart_median(double middle, double low, double high, size_t n, double p10, double p90)
{
    double w = widths(n), least = 0;

    if (p10 > 0 && p90 > p10)
        least = log(p90 / p10) / P10_TO_P90 * OF_A_MEDIAN / sqrt((double)n);
    return (struct lore_apart){log(middle), fmax(log(middle / low) / w, least),
        fmax(log(high / middle) / w, least), (double)n - 1};
}

struct lore_apart
lore_apart_stated(double middle, double p10, double p90)
{
    double w = P10_TO_P90 / 2;

    return (struct lore_apart){
        log(middle), fmax(log(middle / p10) / w, 0), fmax(log(p90 / middle) / w, 0), INFINITY};
}

double
lore_apart_p_beyond(
    const struct lore_apart *a, const struct lore_apart *b, double floor, double errors)
{
    const struct lore_apart *fast = a->at <= b->at ? a : b, *slow = fast == a ? b : a;
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
lore_apart_errors(double p)
{
    return lore_student_quantile(INFINITY, 1 - p / 2) * (1 - MARGIN);
}

double
lore_apart_ratio_p(double ratio, double low, double high, double confidence)
{
    double off = log(ratio), half = off > 0 ? log(ratio / low) : log(high / ratio);

    if (off == 0)
        return 1;
    if (half <= 0)
        return 0;
    return lore_student_p(
        INFINITY, fabs(off) / half * lore_walsh_normal_quantile(1 - (1 - confidence) / 2));
}
