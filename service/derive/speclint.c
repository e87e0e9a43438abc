/* Spec arithmetic and disputes. Ratios between columns of a vendor's table (sparse is twice dense,
 * halving the type doubles the rate) are used to find typing errors, never to fill in a value. TF32
 * on CDNA3 and FP8 on CDNA3 and Hopper follow these ratios. For a chip that does not, a curator
 * dismisses the finding once. */
#include "service/derive/speclint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/spec_names.h"
#include "service/catalogue/units.h"

#define DEVICE "device_reported"

struct speclint {
    struct lore_arena *arena;
    struct lore_spec_finding *v;
    size_t n, cap;
};

/* Add a finding. An equal sentence comes from another source of the same number and is not added
 * again. */
static void
report(struct speclint *l, const char *code, const struct lore_speclint_value *a,
    const struct lore_speclint_value *b, const char *sentence)
{
    for (size_t i = 0; i < l->n; i++)
        if (lore_streq(l->v[i].code, code) && lore_streq(l->v[i].sentence, sentence))
            return;
    *LORE_PUSH(l->arena, l->v, l->n, l->cap) =
        (struct lore_spec_finding){code, {a->id, b != NULL ? b->id : NULL}, sentence};
}

/* METRIC with its part FROM (between dots) replaced by TO, or NULL when it has no such part. */
static const char *
with_part(struct lore_arena *arena, const char *metric, const char *from, const char *to)
{
    size_t len = strlen(from);

    for (const char *p = metric; (p = strstr(p, from)) != NULL; p += len)
        if (p > metric && p[-1] == '.' && (p[len] == '.' || p[len] == '\0'))
            return lore_format(arena, "%.*s%s%s", (int)(p - metric), metric, to, p + len);
    return NULL;
}

static bool
comparable(
    const struct lore_speclint_value *a, const struct lore_speclint_value *b, double *x, double *y)
{
    const char *da, *db;

    return lore_unit_normalise(a->value, a->unit, x, &da) &&
           lore_unit_normalise(b->value, b->unit, y, &db) && lore_streq(da, db);
}

struct ratio_rule {
    const char *code, *from, *to;
    double ratio; /* to / from */
};
static const struct ratio_rule ratios[] = {
    {"dense_sparse", "dense", "sparse", 2},
    {"tf32_bf16", "tf32", "bf16", 2},
    {"fp8_bf16", "bf16", "fp8", 2},
};

/* Compare A with every value of the metric that R pairs with it. */
static void
check_ratio(struct speclint *l, const struct ratio_rule *r, const struct lore_speclint_value *a,
    const struct lore_speclint_value *v, size_t n)
{
    const char *other = with_part(l->arena, a->metric, r->from, r->to);
    double x, y;

    for (size_t i = 0; other != NULL && i < n; i++) {
        const struct lore_speclint_value *b = &v[i];

        if (!lore_streq(b->metric, other) || !lore_streq(a->chip, b->chip) ||
            !lore_streq(a->qualifier, b->qualifier) || !comparable(a, b, &x, &y) || x <= 0)
            continue;
        if (fabs(y / x - r->ratio) > 0.01 * r->ratio)
            report(l, r->code, a, b,
                lore_format(l->arena, "%s: %s = %.6g %s and %s = %.6g %s: a ratio of %.4g, not %g",
                    a->chip, a->metric, a->value, a->unit != NULL ? a->unit : "", b->metric,
                    b->value, b->unit != NULL ? b->unit : "", y / x, r->ratio));
    }
}

static const struct lore_speclint_value *
by_metric(const struct lore_speclint_value *v, size_t n, const char *metric)
{
    for (size_t i = 0; i < n; i++)
        if (lore_streq(v[i].metric, metric))
            return &v[i];
    return NULL;
}

/* Whether METRIC grows with the number of units, unlike a clock. */
static bool
is_throughput(const char *metric)
{
    return lore_starts(metric, "peak_tflops.") || lore_starts(metric, "peak_tops.");
}

/* Compare the throughput per unit of both chips, for all pairs of values of a metric. */
static void
check_scaling(struct speclint *l, const struct lore_speclint_value *v, size_t n,
    const struct lore_speclint_value *sibling, size_t n_sibling)
{
    const struct lore_speclint_value *ours = by_metric(v, n, "compute_units");
    const struct lore_speclint_value *theirs = by_metric(sibling, n_sibling, "compute_units");
    double x, y;

    if (!ours || !theirs || ours->value <= 0 || theirs->value <= 0)
        return;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n_sibling; j++) {
            const struct lore_speclint_value *a = &v[i], *b = &sibling[j];
            double expected;

            if (!is_throughput(a->metric) || !lore_streq(a->metric, b->metric) ||
                !lore_streq(a->qualifier, b->qualifier) || !comparable(a, b, &x, &y) || y <= 0)
                continue;
            expected = y * ours->value / theirs->value;
            if (fabs(x / expected - 1) > 0.05)
                report(l, "unit_scaling", a, b,
                    lore_format(l->arena,
                        "%s = %.6g %s on %s; the value of %s, scaled from %g to %g units, is %.4g "
                        "times as large",
                        a->metric, a->value, a->unit != NULL ? a->unit : "", a->chip, b->chip,
                        theirs->value, ours->value, expected / x));
        }
}

static bool
same_thing(const struct lore_speclint_value *a, const struct lore_speclint_value *b)
{
    return lore_streq(a->chip, b->chip) && lore_streq(a->metric, b->metric) &&
           lore_streq(a->qualifier, b->qualifier);
}

/* Compare a value that a device reports with the documented values. */
static void
check_device(struct speclint *l, const struct lore_speclint_value *a,
    const struct lore_speclint_value *v, size_t n)
{
    double x, y;

    for (size_t i = 0; i < n && lore_streq(a->evidence, DEVICE); i++)
        if (!lore_streq(v[i].evidence, DEVICE) && same_thing(a, &v[i]) &&
            comparable(a, &v[i], &x, &y) &&
            !lore_unit_agrees(a->value, a->unit, v[i].value, v[i].unit))
            report(l, "device_differs", a, &v[i],
                lore_format(l->arena,
                    "%s: the device reports %s = %.15g %s, a document says %.15g %s", a->chip,
                    a->metric, a->value, a->unit != NULL ? a->unit : "", v[i].value,
                    v[i].unit != NULL ? v[i].unit : ""));
}

/* Parse the number at TEXT, ignoring commas between digits; *REST points after it. */
static double
number_at(const char *text, const char **rest)
{
    char digits[64];
    size_t n = 0;
    const char *p = text;

    for (; *p != '\0' && n + 1 < sizeof digits; p++) {
        bool power = (*p == 'e' || *p == 'E') &&
                     (lore_is_digit(p[1]) || ((p[1] == '+' || p[1] == '-') && lore_is_digit(p[2])));
        bool sign = (*p == '+' || *p == '-') && n > 0 && (digits[n - 1] | 0x20) == 'e';

        if (*p == ',' && lore_is_digit(p[1]))
            continue;
        if (!lore_is_digit(*p) && *p != '.' && !power && !sign)
            break;
        digits[n++] = *p;
    }
    digits[n] = '\0';
    *rest = p;
    return strtod(digits, NULL);
}

/* Whether the values are equal up to a unit prefix: 5300 GB/s for 5.3 TB/s, 32768 KB for 32 MB. */
static bool
is_scaled(double stated, double value)
{
    static const double steps[] = {1, 1e3, 1e6, 1e9, 1024, 1048576, 1073741824};

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (lore_unit_near(stated * steps[i], value) || lore_unit_near(stated, value * steps[i]))
            return true;
    return false;
}

static void
check_quote(struct speclint *l, const struct lore_speclint_value *a)
{
    const char *p = a->quote;
    bool word = false; /* the 308 of "MI308X" is no number */

    if (!p || lore_streq(a->evidence, "derived"))
        return;
    while (*p != '\0') {
        if (lore_is_digit(*p) && !word) {
            if (is_scaled(number_at(p, &p), fabs(a->value)))
                return;
            continue;
        }
        word = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (word && lore_is_digit(*p));
        p++;
    }
    report(l, "quote_lacks_value", a, NULL,
        lore_format(l->arena, "%s: the words quoted for %s do not hold its value, %.15g %s",
            a->chip, a->metric, a->value, a->unit != NULL ? a->unit : ""));
}

/* Flag a metric that has another name in the vocabulary: its values would not be compared with the
 * others. */
static void
check_name(struct speclint *l, const struct lore_speclint_value *a)
{
    const struct lore_spec_name *known = lore_spec_name_find(a->metric);

    if (known && !lore_streq(known->name, a->metric))
        report(l, "other_name", a, NULL,
            lore_format(l->arena, "%s: %s is called %s elsewhere, so its values are not compared",
                a->chip, a->metric, known->name));
}

const struct lore_spec_finding *
lore_spec_lint(const struct lore_speclint_value *v, size_t n,
    const struct lore_speclint_value *sibling, size_t n_sibling, struct lore_arena *arena,
    size_t *n_out)
{
    struct speclint l = {.arena = arena};

    for (size_t i = 0; i < n; i++) {
        const char *dimension;
        double base;

        if (!lore_unit_normalise(v[i].value, v[i].unit, &base, &dimension))
            report(&l, "unknown_unit", &v[i], NULL,
                lore_format(arena,
                    "%s: %s = %.15g has the unknown unit \"%s\" and cannot be compared", v[i].chip,
                    v[i].metric, v[i].value, v[i].unit != NULL ? v[i].unit : ""));
        for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++)
            check_ratio(&l, &ratios[r], &v[i], v, n);
        check_device(&l, &v[i], v, n);
        check_quote(&l, &v[i]);
        check_name(&l, &v[i]);
    }
    check_scaling(&l, v, n, sibling, n_sibling);
    *n_out = l.n;
    return l.v;
}

static bool
all_agree(const struct lore_speclint_value *const *members, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (!lore_unit_agrees(
                    members[i]->value, members[i]->unit, members[j]->value, members[j]->unit))
                return false;
    return true;
}

/* The dispute whose first member is V[I]; without members if all values agree. */
static struct lore_spec_dispute
dispute_from(
    const struct lore_speclint_value *v, size_t n, size_t i, bool *taken, struct lore_arena *arena)
{
    struct lore_spec_dispute d = {v[i].chip, v[i].metric, v[i].qualifier, NULL, 0, 0, 0, NULL};
    const struct lore_speclint_value **members = NULL;
    const char *dimension;
    size_t cap = 0;
    double x;

    for (size_t j = i; j < n; j++) {
        if (taken[j] || !same_thing(&v[i], &v[j]) ||
            !lore_unit_normalise(v[j].value, v[j].unit, &x, &dimension) ||
            (d.dimension && !lore_streq(d.dimension, dimension)))
            continue;
        d.low = !d.dimension ? x : fmin(d.low, x);
        d.high = !d.dimension ? x : fmax(d.high, x);
        d.dimension = dimension;
        taken[j] = true;
        *LORE_PUSH(arena, members, d.n_members, cap) = &v[j];
    }
    d.members = members;
    if (all_agree(members, d.n_members))
        d.n_members = 0;
    return d;
}

const struct lore_spec_dispute *
lore_spec_disputes(
    const struct lore_speclint_value *v, size_t n, struct lore_arena *arena, size_t *n_out)
{
    bool *taken = lore_alloc_array(arena, n + 1, sizeof *taken);
    struct lore_spec_dispute *out = NULL;
    size_t cap = 0;

    *n_out = 0;
    for (size_t i = 0; i < n; i++) {
        struct lore_spec_dispute d;

        if (taken[i])
            continue;
        d = dispute_from(v, n, i, taken, arena);
        if (d.n_members > 0)
            *LORE_PUSH(arena, out, *n_out, cap) = d;
    }
    return out;
}
