/* Roofline gaps in two modes. The compatibility mode reproduces the numbers of existing reports:
 * missing utilisation reads as 0, which gives a gap of 1, and missing stalls give 0.5. The strict
 * mode returns "unknown" instead. Both use the largest of matrix, vector and SM utilisation for
 * compute, DRAM throughput for memory, and the largest stall percentage for latency. */
#include "service/derive/gaps.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/derive/profile.h"

static const double near_peak = 0.15;
static const char *const bound_names[LORE_BOUND_COUNT] = {
    "unknown", "near_peak", "compute", "memory", "latency"};

const char *
lore_bound_name(enum lore_bound b)
{
    return b < LORE_BOUND_COUNT ? bound_names[b] : bound_names[0];
}

enum lore_bound
lore_gaps_bound(const struct lore_gaps *g)
{
    double c = g->compute.v, m = g->memory.v, l = g->latency.v;

    if (!g->compute.set || !g->memory.set || !g->latency.set)
        return LORE_BOUND_UNKNOWN;
    if (c < near_peak && m < near_peak && l < near_peak)
        return LORE_BOUND_NEAR_PEAK;
    if (c >= m && c >= l)
        return LORE_BOUND_COMPUTE;
    return m >= l ? LORE_BOUND_MEMORY : LORE_BOUND_LATENCY;
}

/* Whether NAME contains PART, case ignored. */
static bool
contains(const char *name, const char *part)
{
    size_t n = strlen(part);

    for (; *name != '\0'; name++) {
        size_t i = 0;

        while (i < n && tolower((unsigned char)name[i]) == part[i])
            i++;
        if (i == n)
            return true;
    }
    return false;
}

static bool
has_value(const struct lore_metric *m)
{
    return m->name && m->missing == LORE_MISS_NONE && isfinite(m->value);
}

/* Whether M is a stall reason in percent. Metrics of PC samples are counts and those per issue are
 * ratios. */
static bool
is_stall_pct(const struct lore_metric *m)
{
    return has_value(m) && contains(m->name, "pct") && !contains(m->name, "pcsamp") &&
           (contains(m->name, "stalled") || contains(m->name, "warp_latency"));
}

static struct lore_f64
worst_stall(const struct lore_metrics *m)
{
    struct lore_f64 worst = {0};

    for (size_t i = 0; i < m->n; i++) {
        double v;

        if (!is_stall_pct(&m->v[i]))
            continue;
        v = fmin(fmax(m->v[i].value, 0), 100);
        if (!worst.set || v > worst.v)
            worst = (struct lore_f64){true, v};
    }
    return worst;
}

/* The first metric whose name contains A or B (NULL: only A); 0 when there is none. */
static double
compat_find(const struct lore_metrics *m, const char *a, const char *b)
{
    for (size_t i = 0; i < m->n; i++)
        if (has_value(&m->v[i]) && (contains(m->v[i].name, a) || (b && contains(m->v[i].name, b))))
            return m->v[i].value;
    return 0;
}

/* V rounded to four decimals as printing does: half to even on the exact value. */
static struct lore_f64
rounded(double v)
{
    char text[64];

    snprintf(text, sizeof text, "%.4f", v);
    return (struct lore_f64){true, strtod(text, NULL)};
}

static void
compat(const struct lore_metrics *m, struct lore_gaps *out)
{
    struct lore_f64 half = {true, 0.5}, stall = worst_stall(m);
    double util = fmax(
        compat_find(m, "pipe_tensor_op_hmma_cycles_active", "pipe_tensor_op_imma_cycles_active"),
        fmax(compat_find(m, "pipe_fp32_cycles_active", NULL),
            compat_find(m, "sm__throughput", NULL)));
    double dram = compat_find(m, "dram__throughput", "gpu__compute_memory_throughput");

    if (out->degraded) {
        out->compute = out->memory = out->latency = half;
        return;
    }
    out->compute_util_pct = (struct lore_f64){true, util};
    out->memory_util_pct = (struct lore_f64){true, dram};
    out->max_stall_pct = (struct lore_f64){true, stall.set ? stall.v : 50};
    out->compute = rounded(fmax(0, 1 - util / 100));
    out->memory = rounded(fmax(0, 1 - dram / 100));
    out->latency = rounded(out->max_stall_pct.v / 100);
}

static struct lore_f64
gap(struct lore_f64 util_pct)
{
    return util_pct.set ? (struct lore_f64){true, fmin(1, fmax(0, 1 - util_pct.v / 100))}
                        : util_pct;
}

/* The largest compute utilisation. SM throughput covers every pipe. Without it, matrix and vector
 * utilisation must both be known, because a missing one may be the larger. */
static struct lore_f64
compute_util(const struct lore_profile *p, struct lore_arena *arena, struct lore_gaps *out,
    const char **unknown)
{
    static const char *const names[] = {"sm_throughput_pct", "matrix_util_pct", "vector_util_pct"};
    struct lore_f64 most = {0};
    bool known[3];

    for (size_t i = 0; i < 3; i++) {
        struct lore_reading r = lore_profile_read(p, names[i], arena);

        known[i] = r.known;
        if (r.known && !(most.set && most.v >= r.value))
            most = (struct lore_f64){true, r.value};
    }
    if (known[0] || (known[1] && known[2]))
        return most;
    for (size_t i = 0; i < 3; i++)
        if (!known[i])
            unknown[out->n_unknown++] = names[i];
    return (struct lore_f64){0};
}

static void
strict(const struct lore_metrics *m, struct lore_arena *arena, struct lore_gaps *out)
{
    struct lore_profile p = lore_profile_open(m, arena);
    struct lore_reading dram = lore_profile_read(&p, "dram_throughput_pct", arena);
    const char **unknown = lore_alloc_array(arena, 5, sizeof *unknown);

    out->compute_util_pct = compute_util(&p, arena, out, unknown);
    out->memory_util_pct = (struct lore_f64){dram.known, dram.value};
    out->max_stall_pct = worst_stall(m);
    if (!dram.known)
        unknown[out->n_unknown++] = "dram_throughput_pct";
    if (!out->max_stall_pct.set)
        unknown[out->n_unknown++] = "a stall reason in percent";
    out->unknown_inputs = unknown;
    out->compute = gap(out->compute_util_pct);
    out->memory = gap(out->memory_util_pct);
    if (out->max_stall_pct.set)
        out->latency = (struct lore_f64){true, out->max_stall_pct.v / 100};
}

void
lore_roofline_gaps(const struct lore_metrics *metrics, bool degraded, enum lore_gaps_mode mode,
    struct lore_arena *arena, struct lore_gaps *out)
{
    static const char *const counters[] = {"performance counters (degraded profile)"};

    *out = (struct lore_gaps){.degraded = degraded};
    if (mode == LORE_GAPS_COMPAT) {
        compat(metrics, out);
    } else if (degraded) {
        out->unknown_inputs = counters;
        out->n_unknown = 1;
    } else {
        strict(metrics, arena, out);
    }
    out->bound = lore_gaps_bound(out);
}
