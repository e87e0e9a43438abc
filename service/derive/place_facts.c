/* Facts of a place (place_facts.h). Names of dims are those that work.c knows. */
#include "service/derive/place_facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/names.h"
#include "service/derive/outcome.h"
#include "service/derive/profile.h"
#include "service/wire/wire.h"
#include "service/wire/work.h"

#define FULL 0.9 /* share of the units that the last wave of tiles keeps busy on average */
enum { VECTOR_BYTES = 16 };

static void
set(struct lore_place_facts *out, enum lore_place_fact fact, double v)
{
    out->known[fact] = isfinite(v);
    out->v[fact] = isfinite(v) ? v : 0;
}

/* The dim NAME (any case) as a number; 0: not given. */
static double
dim(const struct lore_place_seen *s, const char *name)
{
    struct lore_err ignored;
    double v = 0;

    for (size_t i = 0; s->dims && i < s->dims->n; i++)
        if (lore_names_equal(s->dims->v[i].key, name) &&
            lore_parse_f64(s->dims->v[i].value, "dim", &v, &ignored) == LORE_OK)
            return v;
    return 0;
}

/* ---- the shape ---- */

static void
find_vectors(const struct lore_place_seen *s, double bits, struct lore_place_facts *out)
{
    size_t whole = 0;

    for (size_t i = 0; i < s->dims->n; i++)
        whole += fmod(dim(s, s->dims->v[i].key) * bits / 8, VECTOR_BYTES) == 0;
    if (bits > 0 && (whole == s->dims->n || whole == 0))
        set(out, LORE_FACT_WHOLE_VECTORS, whole > 0);
}

/* Elements of a row of an operator that treats rows: the inner extent. */
static void
find_row(const struct lore_place_seen *s, const char *family, struct lore_place_facts *out)
{
    static const char *const names[] = {
        "cols", "columns", "d", "hidden", "hidden_size", "dim", "elements", "experts"};
    double row = 0;

    if (!lore_text_lists("norm,sort,moe", family, strlen(family)))
        return;
    for (size_t i = 0; row == 0 && i < sizeof names / sizeof *names; i++)
        row = dim(s, names[i]);
    if (row == 0 && dim(s, "m") > 0)
        row = dim(s, "n");
    if (row > 0)
        set(out, LORE_FACT_ROW, row);
}

static double
tiles(double m, double n, double size)
{
    return ceil(m / size) * ceil(n / size);
}

/* The output tiles of a product over the units of the chip, at the sizes that kernels use. */
static void
find_tiles(const struct lore_place_seen *s, double bits, struct lore_place_facts *out)
{
    static const double sizes[] = {64, 128, 256};
    double m = dim(s, "m"), n = dim(s, "n"), k = dim(s, "k"), units = s->units.v;
    double batch = fmax(fmax(dim(s, "b"), dim(s, "batch")), 1);
    size_t full = 0, kinds = sizeof sizes / sizeof *sizes;

    if (!(m > 0) || !(n > 0) || !(k > 0))
        return;
    set(out, LORE_FACT_DEPTH, k);
    if (bits > 0 && s->l2_bytes.set)
        set(out, LORE_FACT_INPUTS_PER_L2, batch * (m + n) * k * bits / 8 / s->l2_bytes.v);
    if (!s->units.set || !(units > 0))
        return;
    if (batch * tiles(m, n, sizes[0]) < units || batch * tiles(m, n, sizes[kinds - 1]) >= units)
        set(out, LORE_FACT_FEW_TILES, batch * tiles(m, n, sizes[0]) < units);
    for (size_t i = 0; i < kinds; i++) {
        double waves = batch * tiles(m, n, sizes[i]) / units;
        full += waves / ceil(waves) >= FULL;
    }
    if (full == 0 || full == kinds)
        set(out, LORE_FACT_TAIL, full == 0);
}

/* ---- the run ---- */

/* Blocks of a launch, "128x128x1"; 0: not recorded. */
static double
blocks_of(const struct lore_run *r)
{
    const char *grid = lore_kvs_get(&r->launch, "grid");
    double x = 0, y = 1, z = 1;

    if (!grid)
        return 0;
    grid += grid[0] == '"';
    return sscanf(grid, "%lfx%lfx%lf", &x, &y, &z) >= 1 ? x * y * z : 0;
}

/* The number NAME of the launch; NAN: not recorded. */
static double
launched(const struct lore_run *r, const char *name)
{
    const char *text = lore_kvs_get(&r->launch, name);
    struct lore_err ignored;
    double v = NAN;

    return text && lore_parse_f64(text, name, &v, &ignored) == LORE_OK ? v : NAN;
}

struct counters {
    struct lore_profile profile;
    struct lore_arena *arena;
};

/* The metric under one of NAMES; NAN: not recorded. */
static double
counter(const struct counters *c, const char *names)
{
    struct lore_reading r = lore_profile_read(&c->profile, names, c->arena);

    return r.known ? r.value : NAN;
}

/* The first of A and B that is known. */
static double
either(double a, double b)
{
    return isnan(a) ? b : a;
}

static void
find_launch(const struct lore_place_seen *s, const struct counters *c, struct lore_place_facts *out)
{
    const struct lore_run *r = s->run;
    double shared = launched(r, "static_shared_bytes") + launched(r, "dynamic_shared_bytes");
    double counted = counter(c, "static_smem_bytes") + counter(c, "dynamic_smem_bytes");

    set(out, LORE_FACT_SHARED_BYTES, either(shared, either(counted, counter(c, "lds_size"))));
    if (out->known[LORE_FACT_SHARED_BYTES] && s->shared_bytes.set)
        set(out, LORE_FACT_SHARED_SHARE, out->v[LORE_FACT_SHARED_BYTES] / s->shared_bytes.v);
    set(out, LORE_FACT_REGISTERS,
        either(launched(r, "registers_per_thread"), counter(c, "registers_per_thread")));
    set(out, LORE_FACT_SPILLED,
        either(launched(r, "local_bytes_per_thread"),
            counter(c, "spill_load_sectors") + counter(c, "spill_store_sectors")));
}

/* What holds at the place of the run only. */
static void
find_here(const struct lore_place_seen *s, const struct counters *c, struct lore_place_facts *out)
{
    double blocks = blocks_of(s->run), ns = lore_run_time_ns(s->run, c->arena);
    double waves = counter(c, "waves_per_unit");

    if (isnan(waves) && s->units.set && blocks > 0 && blocks <= s->units.v)
        waves = blocks / s->units.v;
    set(out, LORE_FACT_WAVES, waves);
    set(out, LORE_FACT_OCCUPANCY,
        counter(c, "OccupancyPercent|sm__warps_active.avg.pct_of_peak_sustained_active"));
    set(out, LORE_FACT_L2,
        counter(c, "lts__throughput.avg.pct_of_peak_sustained_elapsed|l2_throughput_pct"));
    set(out, LORE_FACT_DRAM, counter(c, "dram_throughput_pct"));
    if (ns > 0)
        set(out, LORE_FACT_DURATION_US, ns / 1e3);
}

static void
find_in_run(const struct lore_place_seen *s, struct lore_arena *arena, struct lore_place_facts *out)
{
    const struct counters c = {lore_profile_open(&s->run->metrics, arena), arena};

    find_launch(s, &c, out);
    set(out, LORE_FACT_CONFLICTS,
        1000 * counter(&c, "smem_bank_conflicts") / counter(&c, "smsp__inst_executed.sum"));
    set(out, LORE_FACT_MATRIX_UNITS, counter(&c, "matrix_util_pct"));
    set(out, LORE_FACT_ACTIVE_LANES,
        either(counter(&c, "VALUUtilization"),
            100. / 32 * counter(&c, "smsp__thread_inst_executed_per_inst_executed.ratio")));
    set(out, LORE_FACT_BARRIER_WAITS, counter(&c, "stall_barrier_per_issue"));
    set(out, LORE_FACT_GLOBAL_LOADS,
        counter(&c, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"));
    if (s->here)
        find_here(s, &c, out);
}

void
lore_place_facts_find(
    const struct lore_place_seen *s, struct lore_arena *arena, struct lore_place_facts *out)
{
    const struct lore_operator *op = s->op ? lore_operator_find(s->op) : NULL;
    double bits = lore_work_element_bits(s->dtype);

    *out = (struct lore_place_facts){0};
    if (bits > 0)
        set(out, LORE_FACT_ELEMENT_BITS, bits);
    if (s->dims && s->dims->n > 0) {
        set(out, LORE_FACT_SHAPE, 1);
        find_vectors(s, bits, out);
        if (op)
            find_row(s, op->family, out);
        if (op && lore_streq(op->family, "gemm"))
            find_tiles(s, bits, out);
    }
    if (s->run)
        find_in_run(s, arena, out);
}
