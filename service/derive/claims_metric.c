/* Translates words into candidate metrics: the words themselves, stall metrics with this name, and
 * the usual meaning of short names. The first candidate that both sides measured is used. So a
 * claim about "long scoreboard" may be judged by the share of warps or by the ratio, but never by
 * one before and the other after. */
#include "service/derive/claims_metric.h"

#include <math.h>
#include <string.h>

#include "service/base/text.h"
#include "service/derive/noise.h"

enum { CANDIDATES = 8 };

static const struct {
    const char *words; /* as a slug */
    const char *names[3];
} meanings[] = {
    {"bandwidth", {"dram_throughput_pct", "dram_bytes_per_s", NULL}},
    {"bank_conflicts", {"smem_bank_conflicts", "smem_bank_conflict_cycles", "l1_bank_conflicts"}},
    {"compute_throughput", {"sm_throughput_pct", NULL, NULL}},
    {"dram_throughput", {"dram_throughput_pct", NULL, NULL}},
    {"eligible_warps", {"eligible_warps_per_cycle", NULL, NULL}},
    {"ipc", {"ipc", "ipc_per_scheduler", NULL}},
    {"l1_hit_rate", {"l1_hit_pct", NULL, NULL}},
    {"l2_hit_rate", {"l2_hit_pct", NULL, NULL}},
    {"load_efficiency", {"global_load_efficiency_pct", NULL, NULL}},
    {"memory_bandwidth", {"dram_throughput_pct", "dram_bytes_per_s", NULL}},
    {"memory_sol", {"dram_throughput_pct", NULL, NULL}},
    {"memory_throughput", {"dram_throughput_pct", "memory_throughput_pct", NULL}},
    {"occupancy", {"achieved_occupancy_pct", NULL, NULL}},
    {"register_count", {"registers_per_thread", NULL, NULL}},
    {"registers", {"registers_per_thread", NULL, NULL}},
    {"regs", {"registers_per_thread", NULL, NULL}},
    {"shared_memory", {"smem_bytes", NULL, NULL}},
    {"sm_sol", {"sm_throughput_pct", NULL, NULL}},
    {"sm_throughput", {"sm_throughput_pct", NULL, NULL}},
    {"sm_utilization", {"sm_throughput_pct", NULL, NULL}},
    {"spills", {"spill_store_sectors", "spill_load_sectors", NULL}},
    {"store_efficiency", {"global_store_efficiency_pct", NULL, NULL}},
    {"tensor_core_utilization", {"matrix_util_pct", NULL, NULL}},
    {"tensor_utilization", {"matrix_util_pct", NULL, NULL}},
    {"warp_execution_efficiency", {"threads_per_inst", "lane_efficiency_pct", NULL}},
    {"waves", {"waves_per_unit", NULL, NULL}},
};

struct candidates {
    const char *v[CANDIDATES];
    size_t n;
};

static void
add(struct candidates *c, const char *name)
{
    if (name && *name && c->n < CANDIDATES)
        c->v[c->n++] = name;
}

/* "long_scoreboard_stalls" -> "long_scoreboard". */
static void
strip_stall(char *slug)
{
    static const char *const ends[] = {"_warp_stalls", "_warp_stall", "_stalls", "_stall"};
    size_t n = strlen(slug);

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t end = strlen(ends[i]);
        if (n > end && strcmp(slug + n - end, ends[i]) == 0) {
            slug[n - end] = '\0';
            return;
        }
    }
}

static void
find_candidates(const char *words, bool percent, struct lore_arena *arena, struct candidates *out)
{
    char *slug = lore_slug(arena, words);

    *out = (struct candidates){0};
    add(out, words);
    strip_stall(slug);
    const char *share = lore_format(arena, "stall_%s_pct", slug);
    const char *ratio = lore_format(arena, "stall_%s_per_issue", slug);
    bool is_share = lore_metric_find(share), is_ratio = lore_metric_find(ratio) != NULL;
    if (is_share && (percent || !is_ratio))
        add(out, share);
    if (is_ratio)
        add(out, ratio);
    if (is_share && !percent && is_ratio)
        add(out, share);
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        if (lore_streq(slug, meanings[i].words)) {
            for (size_t k = 0; k < 3; k++)
                add(out, meanings[i].names[k]);
        }
    }
    add(out, lore_format(arena, "%s_pct", slug));
}

enum lore_claim_kind
lore_claim_kind(const char *words)
{
    static const char *const times[] = {"latency", "duration", "duration_ns", "time", "runtime",
        "run_time", "exec_time", "execution_time", "kernel_time", "kernel_duration",
        "kernel_latency", "elapsed_time", "gpu_time", "median_time", "median_latency",
        "gpu_time_duration_sum"};
    char slug[32] = "";
    size_t n = 0;

    for (const char *s = words ? words : ""; *s && n < sizeof slug - 1; s++) {
        bool word = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z');
        if (word)
            slug[n++] = (char)(*s >= 'A' && *s <= 'Z' ? *s + 32 : *s);
        else if (n > 0 && slug[n - 1] != '_')
            slug[n++] = '_';
    }
    while (n > 0 && slug[n - 1] == '_')
        n--;
    slug[n] = '\0';
    if (strcmp(slug, "speedup") == 0 || strcmp(slug, "speed_up") == 0)
        return LORE_CLAIM_SPEEDUP;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        if (strcmp(slug, times[i]) == 0)
            return LORE_CLAIM_LATENCY;
    }
    return LORE_CLAIM_METRIC;
}

/* The catalogue row of the first candidate that has one; NULL: none has. */
static const struct lore_metric_def *
first_meaning(const char *words)
{
    LORE_SCRATCH scratch = {0};
    struct candidates c;
    const struct lore_metric_def *def = NULL;

    find_candidates(words ? words : "", true, &scratch, &c);
    for (size_t i = 0; i < c.n && !def; i++)
        def = lore_metric_find(c.v[i]);
    return def;
}

const char *
lore_claim_good(const char *words)
{
    enum lore_claim_kind kind = lore_claim_kind(words);
    const struct lore_metric_def *def;

    if (kind != LORE_CLAIM_METRIC)
        return kind == LORE_CLAIM_LATENCY ? "lower" : "higher";
    def = first_meaning(words);
    return def ? def->direction : NULL;
}

const char *
lore_claim_unit(const char *words)
{
    enum lore_claim_kind kind = lore_claim_kind(words);
    const struct lore_metric_def *def;

    if (kind != LORE_CLAIM_METRIC)
        return kind == LORE_CLAIM_LATENCY ? "ns" : "x";
    def = first_meaning(words);
    return def ? def->unit : "";
}

static bool
means(const struct lore_metric *m, const char *name, const struct lore_metric_def *def)
{
    if (m->missing != LORE_MISS_NONE || !isfinite(m->value) || !m->name)
        return false;
    if (lore_streqi(m->name, name))
        return true;
    const struct lore_metric_def *own = def ? lore_metric_find(m->name) : NULL;
    return own && (own == def || (own->canonical && lore_streq(own->canonical, def->canonical)));
}

static const struct lore_metric *
find_metric(const struct lore_metrics *metrics, const char *name)
{
    const struct lore_metric_def *def = lore_metric_find(name);

    for (size_t i = 0; i < metrics->n; i++) {
        if (means(&metrics->v[i], name, def))
            return &metrics->v[i];
    }
    return NULL;
}

static const char *
unit_of(const struct lore_metric *m)
{
    const struct lore_metric_def *def = lore_metric_find(m->name);

    return m->unit && *m->unit ? m->unit : def ? def->unit : "";
}

/* Two standard errors of the mean, about 95 %, in percent of BASE. */
static struct lore_f64
deviation_pct(const struct lore_metric *m, double base)
{
    double n = m->n.set && m->n.v > 0 ? (double)m->n.v : 1;

    if (!m->std.set || base == 0)
        return (struct lore_f64){0};
    return (struct lore_f64){true, 200 * m->std.v / sqrt(n) / fabs(base)};
}

static void
fill(const struct lore_metric *b, const struct lore_metric *a, const char *name,
    struct lore_claim_measured *out)
{
    const struct lore_metric_def *def = lore_metric_find(b ? b->name : a->name);

    out->name = def && def->canonical ? def->canonical : name;
    out->good = def ? def->direction : NULL;
    out->unit = unit_of(a ? a : b);
    out->exact = def && lore_starts(def->name, "launch__");
    out->before = (struct lore_f64){b != NULL, b ? b->value : 0};
    out->after = (struct lore_f64){a != NULL, a ? a->value : 0};
    if (!a || !b)
        return;
    struct lore_f64 x = deviation_pct(b, b->value), y = deviation_pct(a, b->value);
    if (x.set && y.set)
        out->noise_pct = (struct lore_f64){true, hypot(x.v, y.v)};
    out->after_noise_pct = deviation_pct(a, a->value);
}

static void
measure_metric(const struct candidates *c, const struct lore_claim_side *before,
    const struct lore_claim_side *after, struct lore_claim_measured *out)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct lore_metric *b = find_metric(&before->metrics, c->v[i]);
        const struct lore_metric *a = find_metric(&after->metrics, c->v[i]);
        if (b && a && lore_streq(unit_of(b), unit_of(a))) {
            fill(b, a, c->v[i], out);
            return;
        }
        if (!out->name && (b || a))
            fill(a ? NULL : b, a, c->v[i], out);
    }
}

static void
measure_times(const struct lore_claim_side *before, const struct lore_claim_side *after,
    struct lore_arena *arena, struct lore_claim_measured *out)
{
    out->name = out->kind == LORE_CLAIM_LATENCY ? "latency" : "speedup";
    out->unit = out->kind == LORE_CLAIM_LATENCY ? "ns" : "x";
    out->good = out->kind == LORE_CLAIM_LATENCY ? "lower" : "higher";
    out->before = lore_noise_median(&before->runs, arena);
    out->after = lore_noise_median(&after->runs, arena);
    out->noise_pct = lore_noise_pair_pct(&before->runs, &after->runs, arena);
    out->after_noise_pct = lore_noise_pct(&after->runs, arena);
    if (!out->before.set)
        out->before.v = 0;
    if (!out->after.set)
        out->after.v = 0;
}

void
lore_claim_measure(const char *words, bool percent, const struct lore_claim_side *before,
    const struct lore_claim_side *after, struct lore_arena *arena, struct lore_claim_measured *out)
{
    struct candidates c;

    *out = (struct lore_claim_measured){.unit = "", .kind = lore_claim_kind(words)};
    if (!words || !*words)
        return;
    if (out->kind != LORE_CLAIM_METRIC) {
        measure_times(before, after, arena, out);
        if ((out->before.set && out->after.set) || out->kind == LORE_CLAIM_SPEEDUP) {
            bool both = out->before.set && out->after.set;
            if (out->kind == LORE_CLAIM_LATENCY)
                return;
            out->after = (struct lore_f64){both, both ? out->before.v / out->after.v : 0};
            out->before = (struct lore_f64){both, 1};
            out->after_noise_pct = out->noise_pct;
            return;
        }
        struct lore_claim_measured profile = {.unit = "", .kind = LORE_CLAIM_LATENCY};
        measure_metric(&(struct candidates){{"duration_ns"}, 1}, before, after, &profile);
        if (profile.before.set && profile.after.set && lore_streq(profile.unit, "ns"))
            *out = profile;
        return;
    }
    find_candidates(words, percent, arena, &c);
    measure_metric(&c, before, after, out);
}
