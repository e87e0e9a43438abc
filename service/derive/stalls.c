/* Ranks the stall metrics of one run (stalls.h). NVIDIA reports a share of warps, warps per issue
 * or counts of samples; AMD reports wave cycles or a share of time. Each unit is ranked separately,
 * because 46 warps per issue cannot be compared with 46 %. */
#include "service/derive/stalls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

#define WAVE_CYCLES "SQ_WAVE_CYCLES"

static const char *const units[] = {
    "% of wave cycles", "% of warps", "%", "warp/issue", "cycle", "sample"};
enum { UNITS = sizeof units / sizeof *units };

static bool
has_value(const struct lore_metric *m)
{
    return m->name && m->missing == LORE_MISS_NONE && isfinite(m->value);
}

static bool
is_wave_wait(const char *name)
{
    return lore_starts(name, "SQ_WAIT_");
}

static bool
is_stall(const struct lore_metric *m, const struct lore_metric_def *def)
{
    if (!has_value(m))
        return false;
    return strcasestr(m->name, "stall") || is_wave_wait(m->name) ||
           (def && def->canonical && lore_starts(def->canonical, "stall_"));
}

/* "stall_wait_pct", "stall_wait_per_issue" -> "wait". */
static const char *
reason_of(const struct lore_metric_def *def, struct lore_arena *arena)
{
    static const char *const ends[] = {"_pct", "_per_issue"};
    const char *name = !def ? NULL : def->canonical;

    if (!name || !lore_starts(name, "stall_"))
        return NULL;
    name += strlen("stall_");
    for (size_t i = 0; i < 2; i++) {
        size_t len = strlen(name), end = strlen(ends[i]);
        if (len > end && strcmp(name + len - end, ends[i]) == 0)
            return lore_strndup(arena, name, len - end);
    }
    return name;
}

/* The unit from the catalogue takes precedence, because reports print ratios with a percent sign.
 * For a name that is not in the catalogue, parts of the name give the unit. */
static const char *
unit_of(const struct lore_metric *m, const struct lore_metric_def *def)
{
    bool pct = def && lore_streq(def->kind, "pct");

    if (is_wave_wait(m->name))
        return "cycle";
    if (strstr(m->name, "pcsamp"))
        return "sample";
    if (def && lore_streq(def->kind, "ratio"))
        return def->unit;
    if (strstr(m->name, "per_issue_active"))
        return "warp/issue";
    if (pct || (!def && strstr(m->name, ".pct")))
        return strstr(m->name, "warp_issue_stalled") ||
                       (pct && lore_starts(def->name, "smsp__warp_issue_stalled"))
                   ? "% of warps"
                   : "%";
    if (!def && strchr(m->name, '%'))
        return "unknown"; /* labels of reports are unreliable (metrics_lint.h) */
    return m->unit && *m->unit != '\0'         ? m->unit
           : def != NULL && *def->unit != '\0' ? def->unit
                                               : "unknown";
}

static size_t
unit_rank(const char *unit)
{
    size_t i = 0;

    while (i < UNITS && strcmp(unit, units[i]) != 0)
        i++;
    return i;
}

static int
by_unit_and_value(const void *a, const void *b)
{
    const struct lore_stall *x = a, *y = b;
    size_t px = unit_rank(x->unit), py = unit_rank(y->unit);
    int units_differ = strcmp(x->unit, y->unit);

    if (px != py)
        return px < py ? -1 : 1;
    if (units_differ != 0)
        return units_differ;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return strcmp(x->metric, y->metric);
}

static double
wave_cycles(const struct lore_metrics *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (has_value(&m->v[i]) && lore_streq(m->v[i].name, WAVE_CYCLES))
            return m->v[i].value;
    return 0;
}

const struct lore_stall *
lore_stalls(const struct lore_metrics *metrics, struct lore_arena *arena, size_t *n)
{
    struct lore_stall *out = NULL;
    size_t cap = 0;
    double cycles = wave_cycles(metrics);

    *n = 0;
    for (size_t i = 0; i < metrics->n; i++) {
        const struct lore_metric *m = &metrics->v[i];
        const struct lore_metric_def *def = !m->name ? NULL : lore_metric_find(m->name);

        if (!is_stall(m, def))
            continue;
        struct lore_stall *s = LORE_PUSH(arena, out, *n, cap);
        *s = (struct lore_stall){.metric = m->name,
            .reason = reason_of(def, arena),
            .unit = unit_of(m, def),
            .value = m->value,
            .neutral = def != NULL && lore_streq(def->direction, "neutral")};
        if (is_wave_wait(m->name) && cycles > 0) {
            s->unit = units[0];
            s->value = 100 * m->value / cycles;
        }
    }
    if (*n > 1)
        qsort(out, *n, sizeof *out, by_unit_and_value);
    for (size_t i = 0; i < *n; i++)
        out[i].rank = i > 0 && strcmp(out[i].unit, out[i - 1].unit) == 0 ? out[i - 1].rank + 1 : 1;
    return out;
}
