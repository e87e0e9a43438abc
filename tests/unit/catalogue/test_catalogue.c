// uses: wire
/* The catalogues: order, uniqueness, help, aliases, and the spellings found in the field. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/names.h"

static struct lore_arena arena;

static int
free_arena(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static void
every_name_index_has_room_and_no_clash(void **state)
{
    const struct lore_names *all[] = {lore_chip_names(), lore_operator_names(), lore_label_names(),
        lore_technique_names(), lore_metric_names()};

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_false(all[i]->full);
        assert_false(all[i]->clash);
        assert_true(all[i]->used > 0 && 2 * all[i]->used <= all[i]->n_slots);
    }
}

static void
chips_are_sorted_and_complete(void **state)
{
    size_t n;
    const struct lore_chip *c = lore_chips(&n);

    (void)state;
    assert_true(n > 50);
    for (size_t i = 0; i < n; i++) {
        assert_true(i == 0 || strcmp(c[i - 1].name, c[i].name) < 0);
        assert_true(c[i].title[0] != '\0' && c[i].arch[0] != '\0' && c[i].isa[0] != '\0');
        assert_string_equal(c[i].unit, strcmp(c[i].vendor, "amd") == 0 ? "CU" : "SM");
        assert_ptr_equal(lore_chip_find(c[i].name), &c[i]);
        assert_ptr_equal(lore_chip_find(c[i].title), &c[i]);
        assert_non_null(lore_chip_find(c[i].isa));
        assert_string_equal(lore_chip_find(c[i].isa)->arch, c[i].arch);
        assert_int_equal(c[i].product, strcmp(c[i].name, c[i].isa) != 0);
    }
}

static void
operators_are_sorted_and_complete(void **state)
{
    size_t n;
    const struct lore_operator *o = lore_operators(&n);

    (void)state;
    assert_true(n >= 50);
    for (size_t i = 0; i < n; i++) {
        assert_true(i == 0 || strcmp(o[i - 1].name, o[i].name) < 0);
        assert_true(o[i].family[0] != '\0' && o[i].summary[0] != '\0');
        assert_ptr_equal(lore_operator_find(o[i].name), &o[i]);
        assert_string_equal(lore_slug(&arena, o[i].name), o[i].name);
    }
}

static void
techniques_are_sorted_and_complete(void **state)
{
    static const char *const axes[] = {"memory", "compute", "latency", "sync", "launch"};
    static const char *const layers[] = {"structural", "sync", "instruction", "resource"};
    size_t n;
    const struct lore_technique *t = lore_techniques(&n);

    (void)state;
    assert_true(n >= 70);
    for (size_t i = 0; i < n; i++) {
        bool axis = false, layer = false;

        assert_true(i == 0 || strcmp(t[i - 1].slug, t[i].slug) < 0);
        for (size_t k = 0; k < 5; k++)
            axis = axis || strcmp(t[i].axis, axes[k]) == 0;
        for (size_t k = 0; k < 4; k++)
            layer = layer || strcmp(t[i].layer, layers[k]) == 0;
        assert_true(axis && layer);
        assert_true(strncmp(t[i].slug, t[i].axis, strlen(t[i].axis)) == 0);
        assert_int_equal(t[i].slug[strlen(t[i].axis)], '.');
        assert_true(t[i].title[0] != '\0' && t[i].summary[0] != '\0');
        assert_true(t[i].triggers != 0 && t[i].triggers < 1u << LORE_L_COUNT);
        assert_ptr_equal(lore_technique_find(t[i].slug), &t[i]);
        assert_false(lore_technique_is_placeholder(t[i].slug));
        assert_string_equal(lore_slug(&arena, t[i].slug), t[i].slug);
    }
}

static void
metrics_are_sorted_and_complete(void **state)
{
    static const char *const kinds[] = {
        "pct", "ratio", "count", "bytes", "bytes_per_s", "cycles", "ns", "per_cycle"};
    size_t n;
    const struct lore_metric_def *m = lore_metrics(&n);

    (void)state;
    assert_true(n > 100);
    for (size_t i = 0; i < n; i++) {
        bool kind = false;

        assert_true(i == 0 || strcmp(m[i - 1].name, m[i].name) < 0);
        for (size_t k = 0; k < 8; k++)
            kind = kind || strcmp(m[i].kind, kinds[k]) == 0;
        assert_true(kind);
        assert_true(strcmp(m[i].direction, "higher") == 0 || strcmp(m[i].direction, "lower") == 0 ||
                    strcmp(m[i].direction, "neutral") == 0);
        assert_true(m[i].title[0] != '\0');
        assert_true(!m[i].canonical || m[i].canonical[0] != '\0');
        assert_ptr_equal(lore_metric_find(m[i].name), &m[i]);
        assert_ptr_equal(lore_metric_find(m[i].title), &m[i]);
    }
}

static void
a_chip_is_found_by_any_spelling(void **state)
{
    static const struct {
        const char *said, *name;
    } cases[] = {{"MI300X", "mi300x"}, {"AMD Instinct MI300X", "mi300x"}, {"mi-300x", "mi300x"},
        {"MI300X_A1", "mi300x"}, {"gfx942:sramecc+:xnack-", "gfx942"}, {"SM86", "sm_86"},
        {"8.6", "sm_86"}, {"sm_90a", "sm_90"}, {"RTX A6000", "a6000"},
        {"NVIDIA RTX A6000", "a6000"}, {"NVIDIA GeForce RTX 3090", "rtx3090"},
        {"NVIDIA A100-PCIE-40GB", "a100"}, {"NVIDIA H100 80GB HBM3", "h100-sxm"}, {"H100", "h100"},
        {"h100_sxm", "h100-sxm"}, {"NVIDIA H200", "h200"}, {"Tesla T4", "t4"},
        {"rtx 2080 ti", "rtx2080ti"}, {"w7800", "w7800"}, {"NVIDIA GeForce RTX 2080", "rtx2080"},
        {"RTX_Titan", "titan_rtx"}, {"NVIDIA TITAN RTX", "titan_rtx"}, {"gfx803", "gfx803"},
        {"gfx900:xnack-", "gfx900"}, {"Radeon RX Vega 56", "rxvega56"}, {"Tesla K40c", "tesla-k40"},
        {"AMD Radeon RX 7900 XT", "rx7900xt"}, {"AMD Radeon RX 7900 XTX", "rx7900xtx"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_non_null(lore_chip_find(cases[i].said));
        assert_string_equal(lore_chip_find(cases[i].said)->name, cases[i].name);
    }
    assert_null(lore_chip_find("mi300"));
    assert_null(lore_chip_find(""));
    assert_null(lore_chip_find(NULL));
}

static void
a_chip_hint_names_the_nearest(void **state)
{
    (void)state;
    assert_non_null(strstr(lore_chip_hint(&arena, "MI300"), "mi300x"));
    assert_non_null(strstr(lore_chip_hint(&arena, "mi308"), "mi308x"));
    assert_string_equal(lore_chip_hint(&arena, "abacus with beads"), "");
}

static enum lore_travel
travel(const char *a, const char *b)
{
    enum lore_travel forth = lore_chip_travel(lore_chip_find(a), lore_chip_find(b));

    assert_int_equal(forth, lore_chip_travel(lore_chip_find(b), lore_chip_find(a)));
    return forth;
}

static void
evidence_travels_by_isa_arch_and_vendor(void **state)
{
    (void)state;
    assert_int_equal(travel("mi300x", "mi300x"), LORE_T_SAME_CHIP);
    assert_int_equal(travel("gfx942", "gfx942"), LORE_T_SAME_CHIP);
    assert_int_equal(travel("gfx942", "mi300x"), LORE_T_SAME_ISA);
    assert_int_equal(travel("mi300x", "mi308x"), LORE_T_SAME_ISA);
    assert_int_equal(travel("sm_86", "a6000"), LORE_T_SAME_ISA);
    assert_int_equal(travel("a100", "sm_86"), LORE_T_SAME_ARCH);
    assert_int_equal(travel("mi300x", "mi250x"), LORE_T_SAME_VENDOR);
    assert_int_equal(travel("h200", "mi300x"), LORE_T_OTHER_VENDOR);
    assert_int_equal(lore_chip_travel(NULL, lore_chip_find("h200")), LORE_T_UNKNOWN);
    assert_int_equal(lore_chip_travel(NULL, NULL), LORE_T_UNKNOWN);
    for (unsigned t = 0; t < LORE_T_COUNT; t++)
        assert_non_null(lore_travel_name((enum lore_travel)t));
}

static void
the_isa_of_known_products_is_right(void **state)
{
    static const struct {
        const char *chip, *isa, *arch;
    } cases[] = {{"mi100", "gfx908", "cdna1"}, {"mi210", "gfx90a", "cdna2"},
        {"mi250x", "gfx90a", "cdna2"}, {"mi300a", "gfx942", "cdna3"}, {"mi325x", "gfx942", "cdna3"},
        {"mi355x", "gfx950", "cdna4"}, {"w6600", "gfx1032", "rdna2"}, {"w7800", "gfx1100", "rdna3"},
        {"v100", "sm_70", "volta"}, {"t4", "sm_75", "turing"}, {"a100", "sm_80", "ampere"},
        {"a4000", "sm_86", "ampere"}, {"l40s", "sm_89", "ada"}, {"h20", "sm_90", "hopper"},
        {"b200", "sm_100", "blackwell"}, {"rtx5090", "sm_120", "blackwell"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(lore_chip_find(cases[i].chip)->isa, cases[i].isa);
        assert_string_equal(lore_chip_find(cases[i].chip)->arch, cases[i].arch);
    }
}

static void
an_operator_is_found_by_its_aliases(void **state)
{
    (void)state;
    assert_string_equal(lore_operator_name(&arena, "matmul"), "gemm");
    assert_string_equal(lore_operator_name(&arena, "Multi-Head Attention"), "mha");
    assert_string_equal(lore_operator_name(&arena, "convolution"), "conv2d");
    assert_string_equal(lore_operator_name(&arena, "TopK_Softmax"), "topk_softmax");
    assert_string_equal(lore_operator_find("topk_softmax")->family, "moe");
    assert_string_equal(lore_operator_find("softmax")->family, "norm");
    assert_null(lore_operator_find("levenshtein"));
    assert_string_equal(lore_operator_name(&arena, "My New Kernel!"), "my_new_kernel");
    assert_string_equal(lore_operator_name(&arena, "so+ftmax"), "softmax"); /* as so_ftmax is */
    assert_true(strlen(lore_operator_name(&arena, "向量")) > 0);
}

static void
long_unknown_names_do_not_merge(void **state)
{
    char a[200], b[200];

    (void)state;
    memset(a, 'a', sizeof a - 1);
    a[sizeof a - 1] = '\0';
    memcpy(b, a, sizeof b);
    b[150] = 'b';
    assert_true(strlen(lore_technique_slug(&arena, a)) <= 100);
    assert_string_not_equal(lore_technique_slug(&arena, a), lore_technique_slug(&arena, b));
    assert_string_equal(lore_technique_slug(&arena, a), lore_technique_slug(&arena, a));
    for (size_t cut = 80; cut < 100; cut++) { /* wherever it is cut, read again it is the same */
        a[cut] = ' ';
        const char *slug = lore_technique_slug(&arena, a);
        assert_string_equal(lore_technique_slug(&arena, slug), slug);
        a[cut] = 'a';
    }
}

static void
labels_of_the_field_are_understood(void **state)
{
    static const struct {
        const char *said, *labels;
    } cases[] = {{"memory", "memory"}, {"memory-bound", "memory"}, {"Memory-Bound", "memory"},
        {"memory_bound", "memory"}, {"DRAM_MEMORY_BOUND", "memory"}, {"bandwidth", "memory"},
        {"compute_bound", "compute"}, {"latency_bound", "latency"},
        {"Latency (Long SB)", "latency"}, {"Latency (sync)", "latency+sync"}, {"sync", "sync"},
        {"barrier", "sync"}, {"occupancy_bound", "occupancy"}, {"grid_anomaly", "tail"},
        {"HOST_OR_LAUNCH_BOUND", "launch"}, {"L1_PRESSURE_BOUND", "cache"}, {"MIXED_BOUND", ""},
        {"balanced", ""}, {"unknown", ""}, {"", ""}, {"n/a", ""}, {"pipeline-stalls", "latency"},
        {"register-pressure", "register_pressure"}, {"tail-effect", "tail"},
        {"low-sm-utilization", "occupancy"}, {"Memory+Sync", "memory+sync"},
        {"sync, memory", "memory+sync"}, {"memory and compute", "memory+compute"},
        {"memory/latency", "memory+latency"}, {"Memory-bound (DRAM)", "memory"},
        {"memory +", "memory"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool unknown = true;
        uint32_t bits = lore_labels_parse(cases[i].said, &unknown);

        assert_false(unknown);
        assert_string_equal(lore_labels_text(&arena, bits), cases[i].labels);
    }
}

static void
an_unknown_label_is_reported_beside_the_known(void **state)
{
    bool unknown = false;

    (void)state;
    assert_int_equal(lore_labels_parse("memory+gremlins", &unknown), 1u << LORE_L_MEMORY);
    assert_true(unknown);
    assert_int_equal(lore_labels_parse("gremlins", NULL), 0);
    assert_int_equal(lore_labels_parse(NULL, &unknown), 0);
    assert_false(unknown);
}

static void
every_label_reads_back(void **state)
{
    uint32_t all = (1u << LORE_L_COUNT) - 1;

    (void)state;
    for (unsigned l = 0; l < LORE_L_COUNT; l++)
        assert_int_equal(lore_labels_parse(lore_label_name((enum lore_label)l), NULL), 1u << l);
    assert_int_equal(lore_labels_parse(lore_labels_text(&arena, all), NULL), all);
    assert_null(lore_label_name(LORE_L_COUNT));
}

static void
techniques_of_the_field_are_understood(void **state)
{
    static const struct {
        const char *said, *slug;
    } cases[] = {{"vectorized_float4_io", "memory.vectorized_access"},
        {"float4 loads", "memory.vectorized_access"}, {"float4", "memory.vectorized_access"},
        {"shared-memory-tiling{tile-size=16}", "memory.tiling_smem"},
        {"constant_memory_filter_cache", "memory.constant_memory"},
        {"interior_border_split_fast_path", "compute.interior_border_split"},
        {"fast_exp_intrinsic", "compute.fast_exp"},
        {"four_rows_per_block", "compute.launch_config"},
        {"warp_aligned_tile_32x8", "compute.launch_config"},
        {"warp-level DPP reduction replacing BlockReduce", "sync.warp_level_reduction"},
        {"Wave-level reduce", "sync.warp_level_reduction"},
        {"warp shuffle reduction", "sync.warp_level_reduction"},
        {"padding to power of two", "compute.pad_to_power_of_two"},
        {"fast-path dispatch to specialised kernel", "compute.fast_path_dispatch"},
        {"persistent multi-block radix", "launch.multi_block_radix"},
        {"buffer descriptor", "memory.buffer_descriptor"}, {"inline asm", "compute.inline_asm"},
        {"loop unrolling", "compute.loop_unroll"},
        {"thread layout change", "compute.launch_config"},
        {"register blocking", "compute.register_tile"},
        {"online softmax", "latency.online_recomputation"},
        {"launch_bounds", "memory.register_pressure"}, {"smem padding", "memory.smem_padding"},
        {"flash-attention tiling", "latency.flash_tiling"},
        {"tf32 tensor core MMA", "compute.tensor_core"},
        {"L2 swizzle", "memory.l2_grouped_ordering"},
        {"software pipelining num_stages", "memory.multi_stage_pipeline"},
        {"autotuning", "compute.autotuning"},
        {"latency.persistent_kernel", "launch.persistent_kernel"},
        {"Something Entirely New{x=1}", "something_entirely_new"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(lore_technique_slug(&arena, cases[i].said), cases[i].slug);
}

static void
placeholders_are_recognised(void **state)
{
    (void)state;
    assert_true(lore_technique_is_placeholder("fill_me_tag"));
    assert_true(lore_technique_is_placeholder("unlabeled_strategy_v4"));
    assert_true(lore_technique_is_placeholder("strategy_v12"));
    assert_true(lore_technique_is_placeholder("todo"));
    assert_true(lore_technique_is_placeholder(""));
    assert_false(lore_technique_is_placeholder("baseline"));
    assert_false(lore_technique_is_placeholder("strategy_of_tiles"));
}

static void
metrics_are_found_by_name_label_and_canonical_name(void **state)
{
    const struct lore_metric_def *m = lore_metric_find("Memory Throughput (% of peak)");

    (void)state;
    assert_string_equal(m->name, "dram__throughput.avg.pct_of_peak_sustained_elapsed");
    assert_string_equal(m->canonical, "dram_throughput_pct");
    assert_ptr_equal(lore_metric_find("dram_throughput_pct"), m);
    assert_string_equal(lore_metric_find("memory_sol_pct")->canonical, m->canonical);
    assert_string_equal(
        lore_metric_find("achieved_occupancy")->canonical, "achieved_occupancy_pct");
    assert_string_equal(lore_metric_find("Stall: Long Scoreboard")->kind, "ratio");
    assert_string_equal(lore_metric_find("Warp Execution Efficiency")->unit, "thread/inst");
    assert_string_equal(lore_metric_find("SQ_LDS_BANK_CONFLICT")->vendor, "amd");
    assert_null(lore_metric_find("smsp__nothing.sum"));
}

/* The labels that a profiling report prints, each with the metric that it stands for. */
static const struct {
    const char *label, *name, *unit, *kind;
} report_labels[] = {
    {"SM Throughput (% of peak)", "sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", "pct"},
    {"Memory Throughput (% of peak)", "dram__throughput.avg.pct_of_peak_sustained_elapsed", "%",
        "pct"},
    {"DRAM Total Bandwidth (bytes/s)", "dram__bytes.sum.per_second", "byte/s", "bytes_per_s"},
    {"DRAM Read Bandwidth (bytes/s)", "dram__bytes_read.sum.per_second", "byte/s", "bytes_per_s"},
    {"DRAM Write Bandwidth (bytes/s)", "dram__bytes_write.sum.per_second", "byte/s", "bytes_per_s"},
    {"L1 Global Load Bandwidth (bytes/s)",
        "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second", "byte/s", "bytes_per_s"},
    {"L1 Global Store Bandwidth (bytes/s)",
        "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second", "byte/s", "bytes_per_s"},
    {"L2 Total Bandwidth (bytes/s)", "lts__t_bytes.sum.per_second", "byte/s", "bytes_per_s"},
    {"Global Load Efficiency (%)", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
        "%", "pct"},
    {"Global Store Efficiency (%)", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
        "%", "pct"},
    {"L1 Hit Rate (%)", "l1tex__t_sector_hit_rate.pct", "%", "pct"},
    {"L2 Hit Rate (%)", "lts__t_sector_hit_rate.pct", "%", "pct"},
    {"FMA Pipe Utilization (% of peak)",
        "smsp__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active", "%", "pct"},
    {"Tensor Core Utilization (% of peak)",
        "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "%", "pct"},
    {"IPC (instructions per cycle)", "smsp__inst_executed.avg.per_cycle_active", "inst/cycle",
        "per_cycle"},
    {"Achieved Occupancy (%)", "sm__warps_active.avg.pct_of_peak_sustained_active", "%", "pct"},
    {"Theoretical Occupancy (%)", "sm__maximum_warps_per_active_cycle_pct", "%", "pct"},
    {"Block Size", "launch__block_size", "thread", "count"},
    {"Grid Size", "launch__grid_size", "block", "count"},
    {"Registers / Thread", "launch__registers_per_thread", "register/thread", "count"},
    {"Static Shared Memory (bytes)", "launch__shared_mem_per_block_static", "byte", "bytes"},
    {"Dynamic Shared Memory (bytes)", "launch__shared_mem_per_block_dynamic", "byte", "bytes"},
    {"Waves / SM", "launch__waves_per_multiprocessor", "wave", "ratio"},
    {"Issue Slot Utilization (% of peak)", "smsp__issue_active.avg.pct_of_peak_sustained_active",
        "%", "pct"},
    {"Eligible Warps / Cycle", "smsp__warps_eligible.avg.per_cycle_active", "warp/cycle",
        "per_cycle"},
    {"Stall: Barrier", "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
        "warp/issue", "ratio"},
    {"Stall: Long Scoreboard",
        "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", "warp/issue",
        "ratio"},
    {"Stall: Short Scoreboard",
        "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio", "warp/issue",
        "ratio"},
    {"Stall: Math Pipe Throttle",
        "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio", "warp/issue",
        "ratio"},
    {"Stall: Wait", "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", "warp/issue",
        "ratio"},
    {"Stall: No Instruction",
        "smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio", "warp/issue",
        "ratio"},
    {"Stall: Not Selected", "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio",
        "warp/issue", "ratio"},
    {"Branch Targets (total)", "smsp__sass_branch_targets.sum", "branch", "count"},
    {"Divergent Branch Targets (total)", "smsp__sass_branch_targets_threads_divergent.sum",
        "branch", "count"},
    {"FADD Throughput (per cycle)",
        "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed", "inst/cycle",
        "per_cycle"},
    {"FMUL Throughput (per cycle)",
        "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed", "inst/cycle",
        "per_cycle"},
    {"FFMA Throughput (per cycle)",
        "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed", "inst/cycle",
        "per_cycle"},
    {"LSU Pipe Utilization (% of peak)",
        "smsp__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active", "%", "pct"},
    {"Warp Execution Efficiency", "smsp__thread_inst_executed_per_inst_executed.ratio",
        "thread/inst", "ratio"},
    {"L1 Bank Conflicts (total)", "l1tex__data_bank_conflicts_pipe_lsu.sum", "conflict", "count"},
    {"Shared Memory Bandwidth (bytes/s)", "sm__sass_data_bytes_mem_shared.sum.per_second", "byte/s",
        "bytes_per_s"},
};

static void
the_41_labels_of_profiling_reports_resolve(void **state)
{
    (void)state;
    assert_int_equal(sizeof report_labels / sizeof *report_labels, 41);
    for (size_t i = 0; i < sizeof report_labels / sizeof *report_labels; i++) {
        const struct lore_metric_def *m = lore_metric_find(report_labels[i].label);

        assert_non_null(m);
        assert_string_equal(m->name, report_labels[i].name);
        assert_string_equal(m->unit, report_labels[i].unit);
        assert_string_equal(m->kind, report_labels[i].kind);
        assert_string_equal(m->vendor, "nvidia");
    }
}

static void
a_family_covers_its_variants(void **state)
{
    static const struct {
        const char *asked, *chip;
        bool covers;
    } cases[] = {{"h100", "h100-sxm", true}, {"h100", "h100", true}, {"h100-sxm", "h100", false},
        {"h100-sxm", "h100-pcie", false}, {"h800", "h800-pcie", true}, {"a100", "a1000", false},
        {"rtx3060", "rtx3060ti", false}, {"sm_90", "h800-pcie", true}, {"sm_90", "a100", false},
        {"gfx942", "mi300x", true}, {"mi300x", "gfx942", false}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            lore_chip_covers(lore_chip_find(cases[i].asked), lore_chip_find(cases[i].chip)),
            cases[i].covers);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_name_index_has_room_and_no_clash),
        cmocka_unit_test(chips_are_sorted_and_complete),
        cmocka_unit_test(operators_are_sorted_and_complete),
        cmocka_unit_test(techniques_are_sorted_and_complete),
        cmocka_unit_test(metrics_are_sorted_and_complete),
        cmocka_unit_test(a_chip_is_found_by_any_spelling),
        cmocka_unit_test(a_chip_hint_names_the_nearest),
        cmocka_unit_test(a_family_covers_its_variants),
        cmocka_unit_test(evidence_travels_by_isa_arch_and_vendor),
        cmocka_unit_test(the_isa_of_known_products_is_right),
        cmocka_unit_test(an_operator_is_found_by_its_aliases),
        cmocka_unit_test(long_unknown_names_do_not_merge),
        cmocka_unit_test(labels_of_the_field_are_understood),
        cmocka_unit_test(an_unknown_label_is_reported_beside_the_known),
        cmocka_unit_test(every_label_reads_back),
        cmocka_unit_test(techniques_of_the_field_are_understood),
        cmocka_unit_test(placeholders_are_recognised),
        cmocka_unit_test(metrics_are_found_by_name_label_and_canonical_name),
        cmocka_unit_test(the_41_labels_of_profiling_reports_resolve)};

    return cmocka_run_group_tests(tests, NULL, free_arena);
}
