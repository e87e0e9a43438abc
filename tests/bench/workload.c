/* The benchmarks' experience; see workload.h. */
#include "tests/bench/workload.h"

#include <inttypes.h>
#include <stdio.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const metrics[BENCH_METRICS] = {
    "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__bytes.sum.per_second",
    "dram__bytes_read.sum.per_second",
    "dram__bytes_write.sum.per_second",
    "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second",
    "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second",
    "lts__t_bytes.sum.per_second",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
    "l1tex__t_sector_hit_rate.pct",
    "lts__t_sector_hit_rate.pct",
    "smsp__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed.avg.per_cycle_active",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "sm__maximum_warps_per_active_cycle_pct",
    "launch__block_size",
    "launch__grid_size",
    "launch__registers_per_thread",
    "launch__shared_mem_per_block_static",
    "launch__shared_mem_per_block_dynamic",
    "launch__waves_per_multiprocessor",
    "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "smsp__warps_eligible.avg.per_cycle_active",
    "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio",
    "smsp__sass_branch_targets.sum",
    "smsp__sass_branch_targets_threads_divergent.sum",
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed",
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed",
    "smsp__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
    "l1tex__data_bank_conflicts_pipe_lsu.sum",
};
static const char *const operators[] = {"gemm", "softmax", "layernorm", "rmsnorm", "mha", "conv2d",
    "reduction", "transpose", "histogram", "topk", "topk_softmax", "gelu"};
static const char *const languages[] = {"cuda", "triton", "hip", "cutlass"};
static const char *const chips[] = {"mi300x", "h100-sxm", "h200", "a100", "a6000"};
static const char *const techniques[] = {"float4 loads", "shared memory tiling", "online softmax",
    "warp shuffle reduction", "software pipelining", "loop unrolling", "launch bounds",
    "register blocking", "shared memory padding", "autotuning"};
static const char *const labels[] = {"memory", "compute", "latency", "sync", "occupancy"};

/* A well-mixed 64-bit function of N (splitmix64). */
static uint64_t
mix(uint64_t n)
{
    n += 0x9e3779b97f4a7c15u;
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
    return n ^ (n >> 31);
}

const char *
bench_metric(int i)
{
    return metrics[i];
}

const char *
bench_operator(uint64_t n)
{
    return operators[n % COUNT(operators)];
}

const char *
bench_language(uint64_t n)
{
    return languages[n / COUNT(operators) % COUNT(languages)];
}

const char *
bench_chip(uint64_t n)
{
    return chips[mix(n) % COUNT(chips)];
}

const char *
bench_technique(uint64_t n)
{
    return techniques[mix(n + 1) % COUNT(techniques)];
}

const char *
bench_label(uint64_t n)
{
    return labels[mix(n + 2) % COUNT(labels)];
}

int64_t
bench_sample(uint64_t n, int i)
{
    return 20000 + (int64_t)(mix(n) % 400000) + (int64_t)(mix(n * 31 + (uint64_t)i) % 900);
}

/* The id of record N: greater than those of lower numbers, and than those made before. */
static void
make_id(const struct bench_ids *ids, uint64_t n, char out[LORE_ULID_SIZE])
{
    if (ids->numbered)
        snprintf(out, LORE_ULID_SIZE, "01JB%022" PRIu64, n);
    else
        lore_ulid_new(out);
}

/* Numbers of the records of document N start here, behind those of the setup. */
#define PARTS_OF(n) (1000 + 3 * (n))

void
bench_setup(struct bench_ids *ids, struct lore_buf *out)
{
    char id[LORE_ULID_SIZE];
    uint64_t n = 0;

    make_id(ids, n++, id);
    make_id(ids, n++, ids->environment);
    lore_buf_printf(out,
        "{\"warplore\":1,\"id\":\"%s\",\"environments\":[{\"id\":\"%s\",\"hard\":{\"driver\":"
        "\"580.1\"}}],\"kernels\":[",
        id, ids->environment);
    for (int k = 0; k < BENCH_KERNELS; k++) {
        make_id(ids, n++, ids->kernel[k]);
        lore_buf_printf(out,
            "%s{\"id\":\"%s\",\"operator\":\"%s\",\"name\":\"bench %d\",\"language\":\"%s\"}",
            k ? "," : "", ids->kernel[k], bench_operator((uint64_t)k), k,
            bench_language((uint64_t)k));
    }
    lore_buf_puts(out, "],\"versions\":[");
    for (int k = 0; k < BENCH_KERNELS; k++) {
        make_id(ids, n++, ids->before[k]);
        make_id(ids, n++, ids->after[k]);
        lore_buf_printf(out,
            "%s{\"id\":\"%s\",\"kernel\":\"%s\",\"kind\":\"baseline\",\"label\":\"v0\"},"
            "{\"id\":\"%s\",\"kernel\":\"%s\",\"kind\":\"candidate\",\"label\":\"v1\","
            "\"parents\":[{\"version\":\"%s\"}]}",
            k ? "," : "", ids->before[k], ids->kernel[k], ids->after[k], ids->kernel[k],
            ids->before[k]);
    }
    lore_buf_puts(out, "]}");
}

static void
add_run(const struct bench_ids *ids, uint64_t n, const char *run, struct lore_buf *out)
{
    lore_buf_printf(out,
        "{\"id\":\"%s\",\"version\":\"%s\",\"role\":\"candidate\",\"chip\":\"%s\","
        "\"environment\":\"%s\",\"workload\":{\"dims\":{\"M\":%d,\"N\":4096},\"dtype\":\"f16\"},"
        "\"tool\":\"bench\",\"correctness\":{\"status\":\"pass\"},\"samples_ns\":[",
        run, ids->after[n % BENCH_KERNELS], bench_chip(n), ids->environment,
        1024 << (mix(n + 3) % 4));
    for (int i = 0; i < BENCH_SAMPLES; i++)
        lore_buf_printf(out, "%s%lld", i ? "," : "", (long long)bench_sample(n, i));
    lore_buf_puts(out, "],\"metrics\":{");
    for (int i = 0; i < BENCH_METRICS; i++)
        lore_buf_printf(out, "%s\"%s\":%.3f", i ? "," : "", metrics[i],
            (double)(mix(n + (uint64_t)i) % 100000) / 1000);
    lore_buf_puts(out, "}}");
}

static void
add_experiment(const struct bench_ids *ids, uint64_t n, const char *run, struct lore_buf *out)
{
    char id[LORE_ULID_SIZE];
    double before = 100000 + (double)(mix(n + 4) % 100000);
    double gain = 0.8 + (double)(mix(n + 5) % 600) / 1000;

    make_id(ids, PARTS_OF(n) + 2, id);
    lore_buf_printf(out,
        "{\"id\":\"%s\",\"kernel\":\"%s\",\"from_version\":\"%s\",\"to_version\":\"%s\","
        "\"runs_after\":[\"%s\"],\"title\":\"change %llu\",\"techniques\":[\"%s\"],"
        "\"bottleneck\":\"%s\",\"chip\":\"%s\",\"claim\":{\"latency_before_ns\":%.0f,"
        "\"latency_after_ns\":%.1f,\"outcome\":\"%s\"},\"notes\":\"measured by the benchmark\"}",
        id, ids->kernel[n % BENCH_KERNELS], ids->before[n % BENCH_KERNELS],
        ids->after[n % BENCH_KERNELS], run, (unsigned long long)n, bench_technique(n),
        bench_label(n), bench_chip(n), before, before / gain, gain > 1.05 ? "success" : "failure");
}

void
bench_document(const struct bench_ids *ids, uint64_t n, int pairs, struct lore_buf *out)
{
    static _Thread_local char runs[4096][LORE_ULID_SIZE];
    char id[LORE_ULID_SIZE];

    make_id(ids, PARTS_OF(n), id);
    lore_buf_printf(out, "{\"warplore\":1,\"id\":\"%s\",\"runs\":[", id);
    for (int i = 0; i < pairs; i++) {
        make_id(ids, PARTS_OF(n + (uint64_t)i) + 1, runs[i]);
        lore_buf_puts(out, i ? "," : "");
        add_run(ids, n + (uint64_t)i, runs[i], out);
    }
    lore_buf_puts(out, "],\"experiments\":[");
    for (int i = 0; i < pairs; i++) {
        lore_buf_puts(out, i ? "," : "");
        add_experiment(ids, n + (uint64_t)i, runs[i], out);
    }
    lore_buf_puts(out, "]}");
}
