/* Parses and writes times with a unit (duration.h). */
#include "service/base/duration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "service/base/text.h"

#define LONGEST_NS 9e15

double
lore_duration_unit(const char *unit)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"μs", 1e3}, {"ms", 1e6}, {"s", 1e9}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(unit, units[i].name) == 0)
            return units[i].ns;
    }
    return 0;
}

static enum lore_status
refuse(const char *text, const char *what, const char *why, struct lore_err *err)
{
    enum lore_status status =
        lore_fail_at(err, LORE_INVALID, "invalid_time", what, "%s: \"%.40s\" %s", what, text, why);

    lore_err_hint(err, "a number and its unit: ns, us, ms or s, as in 520us or 0.52ms");
    return status;
}

enum lore_status
lore_duration_parse(const char *text, const char *what, double *ns, struct lore_err *err)
{
    size_t digits = strspn(text, "0123456789.eE+-");
    const char *unit = text + digits + strspn(text + digits, " ");
    char number[40];
    double v = 0;

    snprintf(number, sizeof number, "%.*s", (int)digits, text);
    if (digits == 0 || digits >= sizeof number ||
        lore_parse_f64(number, what, &v, NULL) != LORE_OK || !isfinite(v))
        return refuse(text, what, "is not a time", err);
    if (!*unit) {
        enum lore_status status = refuse(text, what, "has no unit", err);
        lore_err_hint(err, "write %sns, %sus, %sms or %ss", number, number, number, number);
        return status;
    }
    double scale = lore_duration_unit(unit);
    if (scale == 0)
        return refuse(text, what, "has an unknown unit", err);
    if (v <= 0)
        return refuse(text, what, "is not more than 0; leave out what was not measured", err);
    if (v * scale > LONGEST_NS)
        return refuse(text, what, "is longer than 100 days", err);
    /* a double has 15 decimal digits; a smaller difference is rounding error of the product */
    double product = v * scale, whole = round(product);
    *ns = fabs(product - whole) <= 4e-15 * whole ? whole : product;
    return LORE_OK;
}

const char *
lore_duration_text(struct lore_arena *arena, double ns)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (ns >= units[i].scale)
            return lore_format(arena, "%.4g %s", ns / units[i].scale, units[i].unit);
    return lore_format(arena, "%.4g ns", ns);
}

const char *
lore_factor_text(struct lore_arena *arena, double factor)
{
    if (factor >= 99.5)
        return lore_format(arena, "%.0fx", factor);
    if (factor >= 9.995)
        return lore_format(arena, "%.1fx", factor);
    /* within 1 % of even, two decimals would hide the difference */
    if (fabs(factor - 1) < 0.01)
        return lore_format(arena, "%.3fx", factor);
    return lore_format(arena, "%.2fx", factor);
}
