/* The formulas are those of ROCm's profilers for gfx942 (rocprofiler-compute's speed-of-light page
 * and rocprofiler-sdk's derived counters). SQ_WAVE_CYCLES and SQ_ACTIVE_INST_* count in units of
 * four cycles; GRBM_GUI_ACTIVE sums the dies; a compute unit has four SIMDs and holds 32 waves. A
 * formula reads its counters through `get`, which notes what is absent, so a result is known
 * exactly when nothing was noted. */
#include "canonical.h"

#include <math.h>

#include "profile.h"
#include "text.h"

struct calc {
    struct lore_profile profile;
    const struct lore_chip_facts *facts;
    struct lore_arena *arena;
    const char **missing;
    size_t n_missing, cap_missing;
};

static void
miss(struct calc *c, const char *name)
{
    for (size_t i = 0; i < c->n_missing; i++)
        if (lore_streq(c->missing[i], name))
            return;
    *LORE_PUSH(c->arena, c->missing, c->n_missing, c->cap_missing) = name;
}

static double
get(struct calc *c, const char *name)
{
    struct lore_reading r = lore_profile_read(&c->profile, name, c->arena);

    if (!r.known)
        miss(c, r.name);
    return r.value;
}

static double
fact(struct calc *c, struct lore_f64 f, const char *name)
{
    bool usable = f.set && isfinite(f.v) && f.v > 0;

    if (!usable)
        miss(c, name);
    return usable ? f.v : 0;
}

static double
dram_read(struct calc *c)
{
    double all = get(c, "TCC_EA0_RDREQ_sum"), large = get(c, "TCC_BUBBLE_sum");
    double small = get(c, "TCC_EA0_RDREQ_32B_sum");

    return 128 * large + 64 * (all - large - small) + 32 * small;
}

static double
dram_write(struct calc *c)
{
    double all = get(c, "TCC_EA0_WRREQ_sum"), full = get(c, "TCC_EA0_WRREQ_64B_sum");

    return 64 * full + 32 * (all - full);
}

/* Of one counter in KiB, where the profiler derived it already, else by FORMULA. */
static double
kib_or(struct calc *c, const char *kib, double (*formula)(struct calc *))
{
    struct lore_reading r = lore_profile_read(&c->profile, kib, c->arena);

    return r.known ? 1024 * r.value : formula(c);
}

static double
read_bytes(struct calc *c)
{
    return kib_or(c, "FETCH_SIZE", dram_read);
}

static double
write_bytes(struct calc *c)
{
    return kib_or(c, "WRITE_SIZE", dram_write);
}

static double
dram_rate(struct calc *c)
{
    double bytes = read_bytes(c) + write_bytes(c);

    return bytes / (get(c, "duration_ns") * 1e-9);
}

static double
dram_util(struct calc *c)
{
    double rate = dram_rate(c);

    return 100 * rate / fact(c, c->facts->dram_bytes_per_s, "peak DRAM bandwidth");
}

static double
l2_hit(struct calc *c)
{
    double hit = get(c, "TCC_HIT_sum");

    return 100 * hit / (hit + get(c, "TCC_MISS_sum"));
}

/* Cycles that the compute units had together while the GPU was active. */
static double
unit_cycles(struct calc *c)
{
    double gui = get(c, "GRBM_GUI_ACTIVE") / fact(c, c->facts->xcds, "number of XCDs");

    return gui * fact(c, c->facts->units, "number of compute units");
}

static double
matrix_util(struct calc *c)
{
    double busy = get(c, "SQ_VALU_MFMA_BUSY_CYCLES");

    return 100 * busy / (4 * unit_cycles(c));
}

static double
vector_util(struct calc *c)
{
    double active = get(c, "SQ_ACTIVE_INST_VALU");

    return 100 * active / unit_cycles(c);
}

static double
occupancy(struct calc *c)
{
    double waves = get(c, "SQ_WAVE_CYCLES");

    return 400 * waves / (32 * unit_cycles(c));
}

static double
lanes(struct calc *c)
{
    double threads = get(c, "SQ_THREAD_CYCLES_VALU");

    return 100 * threads / (64 * get(c, "SQ_ACTIVE_INST_VALU"));
}

static double
lds_conflicts(struct calc *c)
{
    double lost = get(c, "SQ_LDS_BANK_CONFLICT");

    return lost / (get(c, "SQ_LDS_IDX_ACTIVE") - lost);
}

static const struct {
    const char *name, *unit, *formula;
    double (*compute)(struct calc *);
} formulas[] = {
    {"dram_read_bytes", "byte",
        "128*TCC_BUBBLE_sum + 64*(TCC_EA0_RDREQ_sum - TCC_BUBBLE_sum - TCC_EA0_RDREQ_32B_sum) + "
        "32*TCC_EA0_RDREQ_32B_sum, or 1024*FETCH_SIZE",
        read_bytes},
    {"dram_write_bytes", "byte",
        "64*TCC_EA0_WRREQ_64B_sum + 32*(TCC_EA0_WRREQ_sum - TCC_EA0_WRREQ_64B_sum), or "
        "1024*WRITE_SIZE",
        write_bytes},
    {"dram_bytes_per_s", "byte/s", "(dram_read_bytes + dram_write_bytes) / duration", dram_rate},
    {"dram_throughput_pct", "%", "100 * dram_bytes_per_s / peak DRAM bandwidth", dram_util},
    {"l2_hit_pct", "%", "100*TCC_HIT_sum / (TCC_HIT_sum + TCC_MISS_sum)", l2_hit},
    {"matrix_util_pct", "%", "100*SQ_VALU_MFMA_BUSY_CYCLES / (GRBM_GUI_ACTIVE/XCDs * CUs * 4)",
        matrix_util},
    {"vector_util_pct", "%", "100*SQ_ACTIVE_INST_VALU / (GRBM_GUI_ACTIVE/XCDs * CUs)", vector_util},
    {"achieved_occupancy_pct", "%", "400*SQ_WAVE_CYCLES / (GRBM_GUI_ACTIVE/XCDs * CUs * 32)",
        occupancy},
    {"lane_efficiency_pct", "%", "100*SQ_THREAD_CYCLES_VALU / SQ_ACTIVE_INST_VALU / 64", lanes},
    {"lds_conflicts_per_access", "cycle/access",
        "SQ_LDS_BANK_CONFLICT / (SQ_LDS_IDX_ACTIVE - SQ_LDS_BANK_CONFLICT)", lds_conflicts},
};
enum { N_FORMULAS = sizeof formulas / sizeof *formulas };

static struct lore_canonical
one(struct calc *c, size_t i)
{
    struct lore_reading recorded = lore_profile_read(&c->profile, formulas[i].name, c->arena);
    struct lore_canonical out = {.name = formulas[i].name, .unit = formulas[i].unit};

    if (recorded.known) {
        out.formula = recorded.name;
        out.known = true;
        out.value = recorded.value;
        return out;
    }
    c->missing = NULL;
    c->n_missing = c->cap_missing = 0;
    out.formula = formulas[i].formula;
    out.value = formulas[i].compute(c);
    out.known = c->n_missing == 0 && isfinite(out.value); /* 0 of 0 hits is no rate */
    out.missing = c->missing;
    out.n_missing = c->n_missing;
    if (!out.known)
        out.value = 0;
    return out;
}

const struct lore_canonical *
lore_canonical_amd(const struct lore_metrics *metrics, const struct lore_chip_facts *facts,
    struct lore_arena *arena, size_t *n)
{
    static const struct lore_chip_facts nothing;
    struct lore_canonical *out = lore_alloc_array(arena, N_FORMULAS, sizeof *out);
    struct calc c = {.profile = lore_profile_open(metrics, arena),
        .facts = facts != NULL ? facts : &nothing,
        .arena = arena};

    for (size_t i = 0; i < N_FORMULAS; i++)
        out[i] = one(&c, i);
    *n = N_FORMULAS;
    return out;
}

struct lore_metrics
lore_canonical_complete(const struct lore_metrics *metrics, const struct lore_chip_facts *facts,
    struct lore_arena *arena)
{
    struct lore_profile p = lore_profile_open(metrics, arena);
    struct lore_metrics all = {.v = NULL};
    const struct lore_canonical *c;
    size_t n;

    if (!lore_profile_has_vendor(&p, "amd"))
        return *metrics;
    for (size_t i = 0; i < metrics->n; i++)
        *LORE_PUSH(arena, all.v, all.n, all.cap) = metrics->v[i];
    c = lore_canonical_amd(metrics, facts, arena, &n);
    for (size_t i = 0; i < n; i++)
        if (c[i].known && !lore_profile_read(&p, c[i].name, arena).known)
            *LORE_PUSH(arena, all.v, all.n, all.cap) =
                (struct lore_metric){.name = c[i].name, .unit = c[i].unit, .value = c[i].value};
    return all;
}
