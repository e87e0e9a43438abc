/* Both sides of t are one tail of a beta variable: P(|T| > t) = I_x(nu / 2, 1 / 2) with x =
 * nu / (nu + t^2). */
#include "service/stats/student.h"

#include <math.h>

#include "service/stats/beta.h"
#include "service/stats/walsh.h"

#define NORMAL_FROM 1e6 /* from here on t is normal to six digits */

double
lore_student_p(double nu, double t)
{
    return nu >= NORMAL_FROM ? erfc(t / sqrt(2)) : lore_beta_cdf(nu / 2, 0.5, nu / (nu + t * t));
}

double
lore_student_quantile(double nu, double p)
{
    if (nu >= NORMAL_FROM)
        return lore_walsh_normal_quantile(p);
    double x = lore_beta_quantile(nu / 2, 0.5, 2 * (1 - p));
    return sqrt(nu * (1 - x) / x);
}
