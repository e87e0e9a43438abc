/* Units of hardware numbers (units.h): a unit is a factor and a dimension, so numbers compare only
 * inside one dimension. */
#include "service/catalogue/units.h"

#include <math.h>
#include <strings.h>

#include "service/base/text.h"

static const struct {
    const char *unit, *dimension;
    double factor;
    double binary_factor; /* binary reading of KB, MB, GB and TB; 0: none */
} units[] = {
    {"FLOPS", "FLOP/s", 1, 0},
    {"FLOP/s", "FLOP/s", 1, 0},
    {"MFLOPS", "FLOP/s", 1e6, 0},
    {"GFLOPS", "FLOP/s", 1e9, 0},
    {"GFLOP/s", "FLOP/s", 1e9, 0},
    {"TFLOPS", "FLOP/s", 1e12, 0},
    {"TFLOP/s", "FLOP/s", 1e12, 0},
    {"PFLOPS", "FLOP/s", 1e15, 0},
    {"PFLOP/s", "FLOP/s", 1e15, 0},
    {"GOPS", "OP/s", 1e9, 0},
    {"TOPS", "OP/s", 1e12, 0},
    {"POPS", "OP/s", 1e15, 0},
    {"B/s", "byte/s", 1, 0},
    {"byte/s", "byte/s", 1, 0},
    {"MB/s", "byte/s", 1e6, 0},
    {"GB/s", "byte/s", 1e9, 0},
    {"TB/s", "byte/s", 1e12, 0},
    {"GiB/s", "byte/s", 1073741824, 0},
    {"B", "byte", 1, 0},
    {"byte", "byte", 1, 0},
    {"bytes", "byte", 1, 0},
    {"KB", "byte", 1e3, 1024},
    {"MB", "byte", 1e6, 1048576},
    {"GB", "byte", 1e9, 1073741824},
    {"TB", "byte", 1e12, 1099511627776},
    {"KiB", "byte", 1024, 0},
    {"MiB", "byte", 1048576, 0},
    {"GiB", "byte", 1073741824, 0},
    {"Hz", "Hz", 1, 0},
    {"MHz", "Hz", 1e6, 0},
    {"GHz", "Hz", 1e9, 0},
    {"W", "W", 1, 0},
    {"FLOPs/Byte", "FLOP/byte", 1, 0},
    {"bytes/clock", "byte/clock", 1, 0},
    {"FLOP/byte", "FLOP/byte", 1, 0},
    {"FLOP/B", "FLOP/byte", 1, 0},
    {"B/clk", "byte/clock", 1, 0},
    {"%", "%", 1, 0},
    {"", "1", 1, 0},
    {"count", "1", 1, 0},
    {"threads", "1", 1, 0},
    {"bit", "bit", 1, 0},
};

/* The row of UNIT, or -1. */
static int
unit_find(const char *unit)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (lore_streqi(units[i].unit, unit != NULL ? unit : ""))
            return (int)i;
    return -1;
}

bool
lore_unit_normalise(double value, const char *unit, double *out, const char **dimension)
{
    int row = unit_find(unit);

    if (row < 0 || !isfinite(value * units[row].factor))
        return false;
    *out = value * units[row].factor;
    *dimension = units[row].dimension;
    return true;
}

bool
lore_unit_near(double x, double y)
{
    return fabs(x - y) <= 1e-6 * fmax(fabs(x), fabs(y));
}

bool
lore_unit_agrees(double x, const char *x_unit, double y, const char *y_unit)
{
    int rx = unit_find(x_unit), ry = unit_find(y_unit);

    if (rx < 0 || ry < 0 || !lore_streq(units[rx].dimension, units[ry].dimension))
        return !(x < y) && !(x > y) && lore_streq(x_unit, y_unit);
    double xs[2] = {x * units[rx].factor, x * units[rx].binary_factor};
    double ys[2] = {y * units[ry].factor, y * units[ry].binary_factor};

    for (int i = 0; i < (units[rx].binary_factor > 0 ? 2 : 1); i++)
        for (int j = 0; j < (units[ry].binary_factor > 0 ? 2 : 1); j++)
            if (lore_unit_near(xs[i], ys[j]))
                return true;
    return false;
}
