/* The formulas and the small calculator that evaluates them. The AMD formulas are for gfx942.
 * Counters named *_sum cover all channels and dies. GRBM_GUI_ACTIVE is summed over the dies, so it
 * is divided by $xcds. SQ_WAVE_CYCLES counts once per four cycles, hence the factor of 400 for a
 * percentage. Fabric counters include accesses that the Infinity Cache served. $dt, the duration of
 * the launch, takes precedence over a duration that a profiler measured, because profiled passes
 * take longer. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/derive/ontology.h"

#define RD_BYTES                                                                                   \
    "(128 * TCC_BUBBLE_sum + 64 * (TCC_EA0_RDREQ_sum - TCC_BUBBLE_sum - TCC_EA0_RDREQ_32B_sum)"    \
    " + 32 * TCC_EA0_RDREQ_32B_sum)"
#define WR_BYTES "(64 * TCC_EA0_WRREQ_64B_sum + 32 * (TCC_EA0_WRREQ_sum - TCC_EA0_WRREQ_64B_sum))"
#define GUI "(GRBM_GUI_ACTIVE / $xcds)"
#define VALU(t)                                                                                    \
    "64 * (SQ_INSTS_VALU_ADD_" t " + SQ_INSTS_VALU_MUL_" t " + SQ_INSTS_VALU_TRANS_" t             \
    " + 2 * SQ_INSTS_VALU_FMA_" t ")"
#define SASS(op) "smsp__sass_thread_inst_executed_op_" op "_pred_on.sum"
#define SHARED_WAVEFRONTS                                                                          \
    "(l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"                                        \
    " + l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum)"
#define FABRIC "counted at the fabric: includes traffic that the Infinity Cache serves"

static const struct lore_ontology_row rows[] = {
    /* canonical, unit, vendor, formula, fidelity, note */
    {"achieved_occupancy_pct", "%", "amd", "OccupancyPercent", "same", NULL},
    {"achieved_occupancy_pct", "%", "amd", "400 * SQ_WAVE_CYCLES / " GUI " / $units / $waves",
        "same", NULL},
    {"achieved_occupancy_pct", "%", "nvidia", "sm__warps_active.avg.pct_of_peak_sustained_active",
        "same", NULL},
    {"dram_bytes", "byte", "amd", RD_BYTES " + " WR_BYTES, "close", FABRIC},
    {"dram_bytes", "byte", "amd", "1024 * (FETCH_SIZE + WRITE_SIZE)", "close", FABRIC},
    {"dram_bytes", "byte", "nvidia", "dram__bytes.sum", "same", NULL},
    {"dram_bytes", "byte", "nvidia", "dram__bytes_read.sum + dram__bytes_write.sum", "same", NULL},
    {"dram_bytes_per_s", "byte/s", "amd", "1000000000 * (" RD_BYTES " + " WR_BYTES ") / $dt",
        "close", FABRIC},
    {"dram_bytes_per_s", "byte/s", "nvidia", "dram__bytes.sum.per_second", "same", NULL},
    {"dram_read_bytes", "byte", "amd", RD_BYTES, "close", FABRIC},
    {"dram_read_bytes", "byte", "amd", "1024 * FETCH_SIZE", "close", FABRIC},
    {"dram_read_bytes", "byte", "nvidia", "dram__bytes_read.sum", "same", NULL},
    {"dram_read_bytes_per_s", "byte/s", "amd", "1000000000 * " RD_BYTES " / $dt", "close", FABRIC},
    {"dram_read_bytes_per_s", "byte/s", "nvidia", "dram__bytes_read.sum.per_second", "same", NULL},
    {"dram_throughput_pct", "%", "amd", "100 * (" RD_BYTES " + " WR_BYTES ") / $dt / $hbm", "close",
        FABRIC},
    {"dram_throughput_pct", "%", "nvidia", "dram__throughput.avg.pct_of_peak_sustained_elapsed",
        "same", NULL},
    {"dram_throughput_pct", "%", "nvidia", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
        "same", NULL},
    {"dram_write_bytes", "byte", "amd", WR_BYTES, "close", FABRIC},
    {"dram_write_bytes", "byte", "amd", "1024 * WRITE_SIZE", "close", FABRIC},
    {"dram_write_bytes", "byte", "nvidia", "dram__bytes_write.sum", "same", NULL},
    {"dram_write_bytes_per_s", "byte/s", "amd", "1000000000 * " WR_BYTES " / $dt", "close", FABRIC},
    {"dram_write_bytes_per_s", "byte/s", "nvidia", "dram__bytes_write.sum.per_second", "same",
        NULL},
    {"duration_ns", "ns", "amd", "$dt", "same", NULL},
    {"duration_ns", "ns", "nvidia", "$dt", "same", NULL},
    {"duration_ns", "ns", "nvidia", "gpu__time_duration.sum", "same", NULL},
    {"fabric_read_latency_cycles", "cycle", "amd", "TCC_EA0_RDREQ_LEVEL_sum / TCC_EA0_RDREQ_sum",
        "same", NULL},
    {"instructions", "inst", "amd", "SQ_INSTS", "same", NULL},
    {"instructions", "inst", "nvidia", "smsp__inst_executed.sum", "same", NULL},
    {"ipc", "inst/cycle", "amd", "SQ_INSTS / SQ_BUSY_CU_CYCLES", "close",
        "the most a CU can issue is 5"},
    {"ipc", "inst/cycle", "nvidia", "sm__inst_executed.avg.per_cycle_active", "close",
        "the most an SM can issue is 4"},
    {"l1_hit_pct", "%", "amd",
        "100 - 100 * (TCP_TCC_READ_REQ_sum + TCP_TCC_WRITE_REQ_sum"
        " + TCP_TCC_ATOMIC_WITH_RET_REQ_sum + TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum)"
        " / TCP_TOTAL_CACHE_ACCESSES_sum",
        "close", "writes pass through and count as misses"},
    {"l1_hit_pct", "%", "nvidia", "l1tex__t_sector_hit_rate.pct", "same", NULL},
    {"l2_bytes_per_s", "byte/s", "amd", "1000000000 * 128 * TCC_REQ_sum / $dt", "close",
        "every request counts as 128 bytes"},
    {"l2_bytes_per_s", "byte/s", "nvidia", "lts__t_bytes.sum.per_second", "same", NULL},
    {"l2_hit_pct", "%", "amd", "100 * TCC_HIT_sum / (TCC_HIT_sum + TCC_MISS_sum)", "same", NULL},
    {"l2_hit_pct", "%", "amd", "L2CacheHit", "same", NULL},
    {"l2_hit_pct", "%", "nvidia", "lts__t_sector_hit_rate.pct", "same", NULL},
    {"lane_efficiency_pct", "%", "amd", "100 * SQ_THREAD_CYCLES_VALU / SQ_ACTIVE_INST_VALU / 64",
        "same", NULL},
    {"lane_efficiency_pct", "%", "nvidia",
        "100 * smsp__thread_inst_executed_per_inst_executed.ratio / 32", "close",
        "of all instructions, not of vector ones"},
    {"matrix_flops_bf16", "flop", "amd", "512 * SQ_INSTS_VALU_MFMA_MOPS_BF16", "same", NULL},
    {"matrix_flops_f16", "flop", "amd", "512 * SQ_INSTS_VALU_MFMA_MOPS_F16", "same", NULL},
    {"matrix_flops_f32", "flop", "amd", "512 * SQ_INSTS_VALU_MFMA_MOPS_F32", "same", NULL},
    {"matrix_flops_f64", "flop", "amd", "512 * SQ_INSTS_VALU_MFMA_MOPS_F64", "same", NULL},
    {"matrix_flops_f8", "flop", "amd", "512 * SQ_INSTS_VALU_MFMA_MOPS_F8", "same", NULL},
    {"matrix_ops_i8", "op", "amd", "512 * SQ_INSTS_VALU_MFMA_MOPS_I8", "same", NULL},
    {"matrix_util_pct", "%", "amd", "100 * SQ_VALU_MFMA_BUSY_CYCLES / (" GUI " * $units * 4)",
        "close", "of the whole launch, idle units included"},
    {"matrix_util_pct", "%", "amd", "MfmaUtil", "close", "of the cycles in which units are busy"},
    {"matrix_util_pct", "%", "nvidia",
        "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "same", NULL},
    {"memory_unit_busy_pct", "%", "amd", "MemUnitBusy", "same", NULL},
    {"memory_unit_busy_pct", "%", "amd", "100 * TA_TA_BUSY_max / " GUI, "same", NULL},
    {"registers_per_thread", "register/thread", "amd", "vgpr_count + accum_vgpr_count", "close",
        "vector and accumulation registers; scalar ones are per wave"},
    {"registers_per_thread", "register/thread", "nvidia", "launch__registers_per_thread", "same",
        NULL},
    {"scalar_util_pct", "%", "amd", "100 * SQ_ACTIVE_INST_SCA / (" GUI " * $units)", "same", NULL},
    {"scalar_util_pct", "%", "nvidia",
        "smsp__inst_executed_pipe_uniform.avg.pct_of_peak_sustained_active", "close",
        "the uniform datapath does less than a scalar unit"},
    {"scratch_bytes", "byte", "amd", "scratch_size", "same", NULL},
    {"smem_bytes", "byte", "amd", "lds_size", "same", NULL},
    {"smem_bytes", "byte", "nvidia", "launch__shared_mem_per_block", "same", NULL},
    {"smem_bytes_per_s", "byte/s", "amd",
        "1000000000 * (SQ_LDS_IDX_ACTIVE - SQ_LDS_BANK_CONFLICT) * 4 * 32 / $dt", "close",
        "every cycle counts as 128 bytes"},
    {"smem_bytes_per_s", "byte/s", "nvidia", "sm__sass_data_bytes_mem_shared.sum.per_second",
        "same", NULL},
    {"smem_bytes_per_s", "byte/s", "nvidia", "1000000000 * " SHARED_WAVEFRONTS " * 128 / $dt",
        "close", "every wavefront counts as 128 bytes"},
    {"smem_conflicts_per_access", "ratio", "amd",
        "SQ_LDS_BANK_CONFLICT / (SQ_LDS_IDX_ACTIVE - SQ_LDS_BANK_CONFLICT)", "same", NULL},
    {"smem_conflicts_per_access", "ratio", "nvidia",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum / " SHARED_WAVEFRONTS, "close",
        "per wavefront"},
    {"vector_flops", "flop", "amd", VALU("F16") " + " VALU("F32") " + " VALU("F64"), "close",
        "counts inactive lanes, too"},
    {"vector_flops", "flop", "nvidia", SASS("fadd") " + " SASS("fmul") " + 2 * " SASS("ffma"),
        "close", "FP32 only"},
    {"vector_util_pct", "%", "amd", "100 * SQ_ACTIVE_INST_VALU / (" GUI " * $units)", "same", NULL},
    {"vector_util_pct", "%", "amd", "VALUBusy", "close", "of the cycles in which units are busy"},
    {"vector_util_pct", "%", "nvidia",
        "smsp__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active", "close",
        "the multiply-add pipe only"},
    {"waves", "wave", "amd", "SQ_WAVES", "same", NULL},
};
#define N_ROWS (sizeof rows / sizeof *rows)

const struct lore_ontology_row *
lore_ontology_rows(size_t *n)
{
    *n = N_ROWS;
    return rows;
}

/* State of one evaluation. `unknown` collects the names of all unknown inputs. */
struct calc {
    const char *at;
    const struct lore_metrics *metrics;
    const struct lore_device_facts *facts;
    struct lore_arena *arena;
    const char *unknown;
    bool by_zero, broken;
    int depth;
};

static double sum(struct calc *c);

static void
skip_blanks(struct calc *c)
{
    while (*c->at == ' ')
        c->at++;
}

static bool
take(struct calc *c, char sign)
{
    skip_blanks(c);
    if (*c->at != sign)
        return false;
    c->at++;
    return true;
}

/* Whether WORD is one of the names in LIST ("a, b"). */
static bool
listed(const char *list, const char *word)
{
    size_t n = strlen(word);

    for (;;) {
        size_t len = strcspn(list, ",");

        if (len == n && memcmp(list, word, n) == 0)
            return true;
        if (list[len] == '\0')
            return false;
        list += len + 2;
    }
}

static double
not_known(struct calc *c, const char *name, size_t n)
{
    char *word = lore_strndup(c->arena, name, n);

    if (!c->unknown)
        c->unknown = word;
    else if (!listed(c->unknown, word))
        c->unknown = lore_format(c->arena, "%s, %s", c->unknown, word);
    return 0;
}

static double
fact(struct calc *c, const char *name, size_t n)
{
    static const char *const names[] = {"$dt", "$units", "$xcds", "$hbm", "$waves"};
    const struct lore_device_facts none = {0}, *f = c->facts != NULL ? c->facts : &none;
    const struct lore_f64 values[] = {
        f->dur_ns, f->units, f->xcds, f->hbm_gb_per_s, f->waves_per_unit};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == n && memcmp(names[i], name, n) == 0)
            return values[i].set && isfinite(values[i].v) ? values[i].v : not_known(c, name, n);
    c->broken = true;
    return 0;
}

/* Whether M has a value in the unit of the catalogue, which formulas assume. */
static bool
usable(const struct lore_metric *m)
{
    const struct lore_metric_def *def = lore_metric_find(m->name);

    if (m->missing != 0 || !isfinite(m->value))
        return false;
    return !m->unit || m->unit[0] == '\0' || !def || lore_streqi(m->unit, def->unit);
}

static double
counter(struct calc *c, const char *name, size_t n)
{
    for (size_t i = 0; c->metrics != NULL && i < c->metrics->n; i++) {
        const struct lore_metric *m = &c->metrics->v[i];

        if (strlen(m->name) == n && memcmp(m->name, name, n) == 0 && usable(m))
            return m->value;
    }
    return not_known(c, name, n);
}

static double
atom(struct calc *c)
{
    const char *start;
    double v;

    if (take(c, '(')) {
        v = ++c->depth < 16 ? sum(c) : 0;
        c->depth--;
        if (!take(c, ')'))
            c->broken = true;
        return v;
    }
    start = c->at;
    if (isdigit((unsigned char)*start)) {
        char *end;

        v = strtod(start, &end);
        c->at = end;
        return v;
    }
    while (isalnum((unsigned char)*c->at) || (*c->at != '\0' && strchr("_.$", *c->at)))
        c->at++;
    if (c->at == start) {
        c->broken = true;
        return 0;
    }
    return *start == '$' ? fact(c, start, (size_t)(c->at - start))
                         : counter(c, start, (size_t)(c->at - start));
}

static double
product(struct calc *c)
{
    double v = atom(c);

    for (;;) {
        if (take(c, '*'))
            v *= atom(c);
        else if (take(c, '/')) {
            double by = atom(c);

            /* an unknown input makes the divisor 0, which is not a division by zero */
            c->by_zero = c->by_zero || (by == 0 && !c->unknown);
            v = by != 0 ? v / by : 0;
        } else
            return v;
    }
}

static double
sum(struct calc *c)
{
    double v = product(c);

    for (;;) {
        if (take(c, '+'))
            v += product(c);
        else if (take(c, '-'))
            v -= product(c);
        else
            return v;
    }
}

static struct lore_ontology_value
evaluate(const struct lore_ontology_row *row, struct calc *c)
{
    struct lore_ontology_value out = {.row = row};
    double v;

    c->at = row->formula;
    c->unknown = NULL;
    c->by_zero = c->broken = false;
    v = sum(c);
    skip_blanks(c);
    if (c->broken || *c->at != '\0')
        out.unknown = "the formula cannot be read";
    else if (c->unknown)
        out.unknown = c->unknown;
    else if (c->by_zero || !isfinite(v))
        out.unknown = "division by zero";
    else {
        out.set = true;
        out.value = v;
    }
    return out;
}

void
lore_ontology(const struct lore_metrics *metrics, const char *vendor,
    const struct lore_device_facts *facts, struct lore_arena *arena,
    struct lore_ontology_value **out, size_t *n)
{
    struct calc c = {.metrics = metrics, .facts = facts, .arena = arena};

    *out = lore_alloc_array(arena, N_ROWS, sizeof **out);
    *n = 0;
    for (size_t i = 0; i < N_ROWS; i++) {
        struct lore_ontology_value *last = *n > 0 ? &(*out)[*n - 1] : NULL;
        bool again = last && strcmp(last->row->canonical, rows[i].canonical) == 0;
        struct lore_ontology_value v;

        if (!vendor || strcmp(rows[i].vendor, vendor) != 0 || (again && last->set))
            continue;
        v = evaluate(&rows[i], &c);
        if (!again)
            (*out)[(*n)++] = v;
        else if (v.set)
            *last = v;
    }
}
