/* The two sets, and how a text of `--metrics` becomes names.
 *
 * basic: time, throughput relative to peak (speed of light), DRAM traffic, occupancy, and the
 * service rules' first metrics. They fit into the ten passes on an H100 or H200 that speed of light
 * needs anyway; each pass replays the kernel once. full: also the other metrics of the rules and
 * of `warplore drift` (eighteen passes). Values derived from the launch (launch__…) cost no pass.
 *
 * Each vendor has its own sets of these names (metric_family.h).
 *
 * NVIDIA's names are UNIT__words_joined.rollup, and chips differ in the words they join. Without
 * the device's list a name is accepted when the vendor uses its unit, each of its words and its
 * rollup; the chip decides later. A misspelled name usually contains an unknown word and is
 * refused. */
#include "collectors/run/metric_sets.h"

#include <string.h>

#include "collectors/run/metric_family.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

enum { MOST_NAMES = 1024, NEAR_MAX = 3 };

static const char *const full[] = {
    /* basic: the first N_BASIC */
    "gpu__time_duration.sum",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1tex__throughput.avg.pct_of_peak_sustained_elapsed",
    "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__bytes.sum",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "dram__bytes.sum.per_second",
    "dram__bytes_read.sum.pct_of_peak_sustained_elapsed",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sector_hit_rate.pct",
    "lts__t_sector_hit_rate.pct",
    "smsp__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active",
    "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed.sum",
    "sm__cycles_elapsed.max",
    "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "sm__maximum_warps_per_active_cycle_pct",
    "launch__waves_per_multiprocessor",
    "launch__grid_size",
    "launch__block_size",
    "launch__thread_count",
    "launch__registers_per_thread",
    "launch__shared_mem_per_block",
    "launch__shared_mem_per_block_static",
    "launch__shared_mem_per_block_dynamic",
    "launch__occupancy_limit_blocks",
    "launch__occupancy_limit_registers",
    "launch__occupancy_limit_shared_mem",
    "launch__occupancy_limit_warps",
    "device__attribute_multiprocessor_count",
    /* full */
    "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_membar_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_branch_resolving_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_drain_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_misc_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_sleeping_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_tex_throttle_per_issue_active.ratio",
    "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct",
    "smsp__warp_issue_stalled_barrier_per_warp_active.pct",
    "smsp__warp_issue_stalled_short_scoreboard_per_warp_active.pct",
    "smsp__warp_issue_stalled_lg_throttle_per_warp_active.pct",
    "smsp__warp_issue_stalled_math_pipe_throttle_per_warp_active.pct",
    "smsp__warp_issue_stalled_no_instruction_per_warp_active.pct",
    "smsp__warp_issue_stalled_not_selected_per_warp_active.pct",
    "smsp__warp_issue_stalled_wait_per_warp_active.pct",
    "smsp__warp_issue_stalled_mio_throttle_per_warp_active.pct",
    "smsp__warp_issue_stalled_membar_per_warp_active.pct",
    "smsp__warp_issue_stalled_branch_resolving_per_warp_active.pct",
    "smsp__warp_issue_stalled_dispatch_stall_per_warp_active.pct",
    "smsp__warp_issue_stalled_drain_per_warp_active.pct",
    "smsp__warp_issue_stalled_gmma_per_warp_active.pct",
    "smsp__warp_issue_stalled_imc_miss_per_warp_active.pct",
    "smsp__warp_issue_stalled_misc_per_warp_active.pct",
    "smsp__warp_issue_stalled_selected_per_warp_active.pct",
    "smsp__warp_issue_stalled_sleeping_per_warp_active.pct",
    "smsp__warp_issue_stalled_tex_throttle_per_warp_active.pct",
    "sm__cycles_active.avg",
    "sm__cycles_active.avg.pct_of_peak_sustained_elapsed",
    "smsp__inst_executed.avg.per_cycle_active",
    "sm__inst_executed.avg.per_cycle_active",
    "smsp__warps_eligible.avg.per_cycle_active",
    "smsp__thread_inst_executed_per_inst_executed.pct",
    "dram__bytes_read.sum.per_second",
    "dram__bytes_write.sum.per_second",
    "lts__t_bytes.sum.per_second",
    "lts__t_sectors_op_read.sum",
    "lts__t_sectors_op_write.sum",
    "lts__t_sectors.avg.pct_of_peak_sustained_elapsed",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed",
    "sm__inst_executed_pipe_tensor.sum",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed_pipe_tex.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed_pipe_uniform.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed_pipe_xu.sum",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio",
    "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct",
    "smsp__sass_branch_targets.sum",
    "smsp__sass_branch_targets_threads_divergent.sum",
    "smsp__sass_inst_executed_op_local_ld.sum",
    "smsp__sass_inst_executed_op_local_st.sum",
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_integer_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_memory_pred_on.sum",
};
#define N_BASIC 45

static const struct lore_metric_set sets[] = {
    {"none", "No counters: durations alone, in one run of the program.", NULL, 0},
    {"basic",
        "Speed of light of SM, L1, L2 and DRAM, DRAM bytes, occupancy, main stalls; few passes.",
        full, N_BASIC},
    {"full",
        "Also all stall reasons, pipes, hit rates, bank conflicts, divergence, spills; more "
        "passes.",
        full, sizeof full / sizeof *full},
};
#define N_SETS (sizeof sets / sizeof *sets)

/* The units and words in the base names of nine chips from compute capability 7.0 to 12.1. */
static const char units[] =
    " ctc dram dramc fbpa fe gcc gpc gpu gr idc l1tex lrc lts mcc nvlrx nvltx pcie sm "
    "smsp sys syslrc syslts tpc ";
static const char words[] =
    " 0 1 128B 128b 16b 1cta 2cta 32B 32b 64B 64b 8b 96B a access accesses achieved active"
    " activity adu all allocated allocation alu aluheavy alulite amortized any aperture"
    " arbitration array as async atom atomic average b bank barrier bf16 bgmma bit bmma"
    " branch bundle bypass bypassed bytes c cache cas cbc cbu ce cga cgas cmd coalescable"
    " coalescing communication completed compressible compression comptag compute configured"
    " conflicts constant control conversion count cpu cs cta ctas ctc ctxsw cycles d dadd"
    " data dbb dcc decomp demote dest device dfma dispatch divergent dmma dmul dot drain"
    " dram dramc dshared dst duration ecc elapsed eligible end engine equiv evict executed"
    " explicit f fadd fadd2 fbp fbpa fe ffma ffma2 fill first flexible fma fmaheavy fmalite"
    " fmul fmul2 fp16 fp32 fp4 fp6 fp64 fp8 frame gcc gcc2xbar gcomp gds generic global gmma"
    " go gpc gpfifo gpu gr granted gxc hadd hardware hfma hfma2 hgmma hit hitprop hmma hmul"
    " hub hubother icc idc idle igmma ilc imc imma in inactive input inst inst0 inst1"
    " instruction instructions int int1 int4 int8 integer inter internal ipa issue issued"
    " kilobytes l1 l1sectormiss l1tagmiss l1tex l1tex2xbar large last latency launch"
    " launched ld ldc ldgsts ldsm ldt level lg lgds lines local long lookup loopback lrc"
    " lrc2xbar lsu lsuin ltcfabric ltcfabric2ltc ltcfabric2lts lts lts2lrc lts2xbar m math"
    " matrix mcc measured mem membar memdesc memory mio mio2rf mioc misc miss missprop"
    " multicast no none normal not null nvlrx nvltx obj off on op ops or other output packet"
    " path pcie peer peermem pending per pipe pixout pq pred programmatic promoted protocol"
    " qadd4 qfma4 qgmma qmul4 quanta queue rate read reads realtime reason red redas region"
    " register registers replayed replays req request requested requests resolving response"
    " restored returned rf rx samp sampler sass scheduler scope scoreboard sector sectors"
    " selected self semacquire semreleases set sf shader shared sharedmem shmem short size"
    " slc sleeping sm sm2tex small smsp sp sparsity sram src srcnode srcunit st stall"
    " stalled start stas stsm stt subchsw subpipe success surface sync sys syslrc"
    " syslrc2syslts syslrc2xbar syslts syslts2syslrc syslts2xbar sysmem t tag tagged tags"
    " targets tc tensor tex tex2sm texin texture tf32 thread threads throttle throughput"
    " time tma tmain tmem to total tpc tram tsheader tsl1 tx type umemsets unavailable"
    " uniform untagged uredgr user ustgr utc utccp utchmma utcimma utcmma utcomma utcqmma"
    " utcshift v2 valid vs wait wallclock warp warps wavefront wavefronts wfi workid workids"
    " write writeback writes xbar2gcc xbar2gpc xbar2l1tex xbar2lrc xbar2lts xbar2syslrc"
    " xbar2syslts xcomp xu ";

/* Whether the N bytes at WORD are a word of LIST, which has a space on both sides of each. */
static bool
listed(const char *list, const char *word, size_t n)
{
    const char *p = list;

    while (n > 0 && (p = strstr(p, " "))) {
        p++;
        if (strncmp(p, word, n) == 0 && p[n] == ' ')
            return true;
    }
    return false;
}

/* Whether S is a valid rollup: an aggregation over the chip's units, optionally as a rate or a
 * percentage of the peak; or a ratio's suffix. */
static bool
is_rollup(const char *s)
{
    static const char *const ends[] = {"", ".per_second", ".per_cycle_active", ".per_cycle_elapsed",
        ".per_cycle_in_frame", ".per_cycle_in_region", ".pct_of_peak_sustained_active",
        ".pct_of_peak_sustained_elapsed", ".pct_of_peak_sustained_frame",
        ".pct_of_peak_sustained_region", ".peak_sustained", ".peak_sustained_active",
        ".peak_sustained_active.per_second", ".peak_sustained_elapsed",
        ".peak_sustained_elapsed.per_second"};

    if (lore_choice(".pct|.ratio|.max_rate", s))
        return true;
    if (strlen(s) < 4 || !lore_choice(".avg|.max|.min|.sum", (char[]){s[0], s[1], s[2], s[3], 0}))
        return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(s + 4, ends[i]) == 0)
            return true;
    return false;
}

/* Whether NAME has the form of the vendor's names. */
static bool
has_vendor_form(const char *name)
{
    const char *p = strstr(name, "__"), *dot = strchr(name, '.');

    if (!p || !dot || dot < p + 3 || !listed(units, name, (size_t)(p - name)))
        return false;
    for (p += 2; p < dot; p++) {
        size_t n = strcspn(p, "_.");

        if (!listed(words, p, n))
            return false;
        p += n;
    }
    return is_rollup(dot);
}

static const struct lore_metric_family nvidia = {"nvidia", sets, N_SETS, has_vendor_form};

static const struct lore_metric_family *
family_of(const char *vendor)
{
    return lore_streq(vendor, lore_metric_family_amd.vendor) ? &lore_metric_family_amd : &nvidia;
}

/* The set that holds all the others. */
static const struct lore_metric_set *
largest(const struct lore_metric_family *f)
{
    return &f->sets[f->n_sets - 1];
}

const struct lore_metric_set *
lore_metric_sets(const char *vendor, size_t *n)
{
    *n = family_of(vendor)->n_sets;
    return family_of(vendor)->sets;
}

static const struct lore_metric_set *
find_set(const struct lore_metric_family *f, const char *name)
{
    for (size_t i = 0; i < f->n_sets; i++)
        if (lore_streq(f->sets[i].name, name))
            return &f->sets[i];
    return NULL;
}

bool
lore_metric_sets_is_elapsed(const char *name)
{
    static const char *const marks[] = {
        "elapsed", ".per_second", "time_duration", "_region", "_frame"};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strstr(name, marks[i]))
            return true;
    return false;
}

static bool
on_device(const char *name, const struct lore_metric_chip *chip)
{
    const char *dot = strchr(name, '.');
    size_t base = !dot ? 0 : (size_t)(dot - name);

    for (size_t i = 0; base > 0 && i < chip->n; i++)
        if (strncmp(chip->names[i], name, base) == 0 && chip->names[i][base] == '\0')
            return is_rollup(dot);
    return false;
}

/* Whether NAME is derived from the launch; no chip's list has such names. */
static bool
from_launch(const char *name)
{
    if (!lore_starts(name, "launch__") && !lore_starts(name, "device__") && strchr(name, '.'))
        return false;
    for (size_t i = 0; i < sizeof full / sizeof *full; i++)
        if (strcmp(full[i], name) == 0)
            return true;
    return false;
}

struct near {                  /* names that a hint may suggest */
    const char **full, **rest; /* rest: without the unit */
    size_t n, cap;
    const char *itself; /* the refused name, which must not be suggested, even if a set lists it */
};

/* Only names of the same unit are near. lore_nearest compares them without the unit, so that the
 * shared prefix does not make every name look near. */
static void
consider(struct near *near, const char *name, const char *unit, size_t n_unit)
{
    if (strncmp(name, unit, n_unit) != 0 || near->n == near->cap || strcmp(name, near->itself) == 0)
        return;
    for (size_t i = 0; i < near->n; i++)
        if (strcmp(near->full[i], name) == 0)
            return;
    near->full[near->n] = name;
    near->rest[near->n++] = name + n_unit;
}

static void
candidates(struct near *near, const char *name, const struct lore_metric_chip *chip)
{
    const struct lore_metric_family *f = family_of(chip->vendor);
    const char *p = strstr(name, "__");
    size_t n_unit = !p ? 0 : (size_t)(p - name) + 2, n;
    const struct lore_metric_def *known = lore_metrics(&n);

    for (size_t i = 0; i < f->n_sets && !p; i++)
        consider(near, f->sets[i].name, name, 0);
    for (size_t i = 0; i < largest(f)->n; i++)
        consider(near, largest(f)->names[i], name, n_unit);
    for (size_t i = 0; chip->n == 0 && i < n; i++)
        if (strcmp(known[i].vendor, f->vendor) == 0)
            consider(near, known[i].name, name, n_unit);
    for (size_t i = 0; i < chip->n; i++)
        consider(near, chip->names[i], name, n_unit);
}

bool
lore_metric_sets_contain(const char *name)
{
    const struct lore_metric_family *const families[] = {&nvidia, &lore_metric_family_amd};

    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (size_t i = 0; i < largest(families[f])->n; i++)
            if (strcmp(largest(families[f])->names[i], name) == 0)
                return true;
    return false;
}

const char *
lore_metric_sets_suggest(
    const char *name, const struct lore_metric_chip *chip, struct lore_arena *arena)
{
    struct near near = {.cap = chip->n + sizeof full / sizeof *full + 512, .itself = name};
    const char *p = strstr(name, "__"), *rest = !p ? name : p + 2, *out = "";
    size_t base = strcspn(name, "."), found = 0;
    int at;

    near.full = lore_alloc_array(arena, near.cap, sizeof *near.full);
    near.rest = lore_alloc_array(arena, near.cap, sizeof *near.rest);
    candidates(&near, name, chip);
    if (near.n == 0 && p) /* not even the unit is right */
        candidates(&near, rest, chip);
    /* first the names with the right base, and a wrong rollup or none */
    for (size_t i = 0; i < near.n && found < NEAR_MAX; i++)
        if (strncmp(near.full[i], name, base) == 0 && near.full[i][base] == '.') {
            out = lore_format(arena, "%s%s%s", out, *out == '\0' ? "" : ", ", near.full[i]);
            near.rest[i] = NULL;
            found++;
        }
    for (; found < NEAR_MAX && (at = lore_nearest(rest, near.rest, near.n)) >= 0; found++) {
        out = lore_format(arena, "%s%s%s", out, *out == '\0' ? "" : ", ", near.full[at]);
        near.rest[at] = NULL;
    }
    return out;
}

static enum lore_status
unknown(const char *name, const struct lore_metric_chip *chip, struct lore_arena *arena,
    struct lore_err *err)
{
    const char *near = lore_metric_sets_suggest(name, chip, arena);
    enum lore_status status =
        lore_fail_at(err, LORE_INVALID, "unknown_metric", "--metrics", "%s '%.120s'",
            chip->n > 0 ? "the device has no metric" : "neither a set nor a metric's name:", name);

    if (*near != '\0')
        lore_err_hint(err, "did you mean %s?", near);
    else
        lore_err_hint(err, "sets are none, basic, full; warplore run --list-metrics shows names");
    return status;
}

struct names {
    const char *v[MOST_NAMES];
    size_t n;
};

static enum lore_status
add(struct names *names, const char *name, struct lore_err *err)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->v[i], name) == 0)
            return LORE_OK;
    if (names->n == MOST_NAMES)
        return lore_fail_at(err, LORE_TOOBIG, "too_many_metrics", "--metrics",
            "more than %d metrics in one run", MOST_NAMES);
    names->v[names->n++] = name;
    return LORE_OK;
}

static const char *
joined(const struct names *names, struct lore_arena *arena)
{
    size_t bytes = 0;
    char *out, *p;

    for (size_t i = 0; i < names->n; i++)
        bytes += strlen(names->v[i]) + 1;
    if (bytes == 0)
        return NULL;
    p = out = lore_alloc(arena, bytes + 1);
    for (size_t i = 0; i < names->n; i++) {
        size_t n = strlen(names->v[i]);

        memcpy(p, names->v[i], n);
        p += n;
        *p++ = i + 1 < names->n ? ',' : '\0';
    }
    return out;
}

enum lore_status
lore_metric_sets_expand(const char *text, const struct lore_metric_chip *chip,
    struct lore_arena *arena, const char **out, struct lore_err *err)
{
    const struct lore_metric_family *f = family_of(chip->vendor);
    struct names *names = lore_alloc(arena, sizeof *names);
    enum lore_status status = LORE_OK;

    for (const char *p = text; status == LORE_OK && *p != '\0';) {
        size_t n = strcspn(p, ", ");
        const char *word = lore_strndup(arena, p, n);
        const struct lore_metric_set *set = find_set(f, word);

        p += n + (p[n] != '\0');
        for (size_t i = 0; set != NULL && status == LORE_OK && i < set->n; i++)
            status = add(names, set->names[i], err);
        if (n == 0 || set)
            continue;
        if (from_launch(word) || (chip->n > 0 ? on_device(word, chip) : f->has_form(word)))
            status = add(names, word, err);
        else
            status = unknown(word, chip, arena, err);
    }
    if (status == LORE_OK)
        *out = joined(names, arena);
    return status;
}
