/* Field tables of profiles: where the GPU time of a program went, a line per kernel. */
#include "service/wire/field_rows.h"

enum { LINES = 1000, SHAPES = 1000, PROCESSES = 1024, COPIES = 16, NAME = 8 << 10 };

#define TOTAL(S, json, member) FIELD(S, json, I64, member), .min = 0, .max = LORE_MAX_NS

static const struct lore_field shape_fields[] = {
    {TOTAL(lore_profile_shape, "launches", launches), .required = true, .help = "Launches."},
    {TOTAL(lore_profile_shape, "total_ns", total_ns), .required = true,
        .help = "Sum of their durations."},
    {DURATION(lore_profile_shape, "median_ns", median_ns),
        .help = "Median duration, of all processes."},
    {TOTAL(lore_profile_shape, "min_ns", min_ns), .help = "Shortest launch."},
    {TOTAL(lore_profile_shape, "max_ns", max_ns), .help = "Longest launch."},
    {COUNT(lore_profile_shape, "processes", processes), .help = "Processes that launched it."},
    {FIELD(lore_profile_shape, "launch", KVS, launch), .max = 1000, .bounds = lore_launch_bounds,
        .help = "Grid, block, registers … as of a run."},
    {TEXT(lore_profile_shape, "range", range, NAME),
        .help = "NVTX or roctx range that these launches were made in: \"aten::mm, sizes = [[2, "
                "3], [3, 4]]\"."},
    {FIELD(lore_profile_shape, "chip", CHIP, chip), .help = "Chip that gave the samples."},
    {REF(lore_profile_shape, environment, LORE_K_ENVIRONMENT), .help = "Its environment."},
    {FIELD(lore_profile_shape, "method", KVS, method), .max = 1000,
        .help = "How the samples were taken, as of a run."},
    {.name = "samples_ns",
        .type = LORE_F_SAMPLES,
        LORE_ITEMS(lore_profile_shape, samples_ns, n_samples, cap_samples),
        .max = LORE_MAX_SAMPLES,
        .help = "Durations in order, of the process with the most time in this shape; of more than "
                "500, evenly spaced ones."},
    {TOTAL(lore_profile_shape, "first_ns", first_ns),
        .help = "First launch of that process, not among the samples."},
    {FIELD(lore_profile_shape, "metrics", METRICS, metrics), .max = LORE_MAX_METRICS,
        .sub = &lore_metric_record, .help = "Counters by the vendor's name."},
    {FIELD(lore_profile_shape, "isa", KVS, isa), .max = 1000,
        .help = "Machine code: tool, target, instructions, spill_instructions; or unavailable, why "
                "there is none."},
    {FIELD(lore_profile_shape, "forms", KVS, forms), .max = 1000,
        .help = "Count of each form of instruction: {\"LDG.E.128\": 8}."},
};
static const struct lore_record shape_record = {
    RECORD("shape", "The launches of a kernel with one launch shape.", shape_fields,
        lore_profile_shape),
    .flag = LORE_NO_FLAG};

static const struct lore_field line_fields[] = {
    {TEXT(lore_profile_line, "kernel", kernel, NAME), .required = true,
        .help = "Name of the kernel, readable."},
    {TEXT(lore_profile_line, "symbol", symbol, NAME), .help = "Its symbol, when it differs."},
    {TOTAL(lore_profile_line, "launches", launches), .required = true, .help = "Launches."},
    {TOTAL(lore_profile_line, "total_ns", total_ns), .required = true,
        .help = "Sum of their durations, in all processes."},
    {DURATION(lore_profile_line, "median_ns", median_ns), .help = "Median duration."},
    {COUNT(lore_profile_line, "processes", processes), .help = "Processes that launched it."},
    {TOTAL(lore_profile_line, "process_min_ns", process_min_ns),
        .help = "Least sum of one of these processes."},
    {TOTAL(lore_profile_line, "process_max_ns", process_max_ns),
        .help = "Greatest sum of one of these processes."},
    {ITEMS(lore_profile_line, shapes, shape_record, SHAPES),
        .help = "Its launch shapes, the one with the most time first."},
};
static const struct lore_record line_record = {
    RECORD("line", "A kernel of a profiled program.", line_fields, lore_profile_line),
    .flag = LORE_NO_FLAG};

static const struct lore_field process_fields[] = {
    {TOTAL(lore_profile_process, "launches", launches), .help = "Launches."},
    {TOTAL(lore_profile_process, "total_ns", total_ns), .help = "Sum of their durations."},
    {TOTAL(lore_profile_process, "span_ns", span_ns),
        .help = "From the start of its first kernel to the end of its last one."},
    {TOTAL(lore_profile_process, "busy_ns", busy_ns),
        .help = "Part of the span in which one of its kernels ran."},
    {TEXT(lore_profile_process, "device", device, LORE_MAX_NAME),
        .help = "Device that it used most: its name and number."},
};
static const struct lore_record process_record = {
    RECORD("profiled_process", "One process of a profiled program.", process_fields,
        lore_profile_process),
    .flag = LORE_NO_FLAG};

static const struct lore_field copy_fields[] = {
    {TEXT(lore_profile_copy, "kind", kind, LORE_MAX_NAME), .required = true,
        .help = "host_to_device, device_to_host, device_to_device, fill, other."},
    {TOTAL(lore_profile_copy, "count", count), .help = "Copies."},
    {FIELD(lore_profile_copy, "bytes", I64, bytes), .min = 0, .max = 9e18, .help = "Bytes."},
    {TOTAL(lore_profile_copy, "total_ns", total_ns), .help = "Sum of their durations."},
};
static const struct lore_record copy_record = {
    RECORD("copy", "Copies of one kind, of all processes.", copy_fields, lore_profile_copy),
    .flag = LORE_NO_FLAG};

#define S lore_program_profile
static const struct lore_field profile_fields[] = {
    {ID(S)},
    {TEXT(S, "program", program, LORE_MAX_NAME), .required = true,
        .help = "Program or script: train.py."},
    {TEXT(S, "program_hash", program_hash, LORE_MAX_NAME),
        .help = "BLAKE2b-256 of the executable and its input files."},
    {TEXT(S, "author", author, LORE_MAX_NAME), .help = "Who ran it."},
    {TEXT(S, "tool", tool, LORE_MAX_NAME), .help = "Tool that recorded it."},
    {FIELD(S, "chip", CHIP, chip), .help = "Chip with the most time."},
    {REF(S, environment, LORE_K_ENVIRONMENT), .help = "Its environment."},
    {TIME(S, "measured_at", measured_at), .help = "When the program started."},
    {FIELD(S, "method", KVS, method), .max = 1000, .help = "Timer, losses, problems."},
    {TOTAL(S, "launches", launches), .required = true, .help = "Launches of all kernels."},
    {TOTAL(S, "total_ns", total_ns), .required = true,
        .help = "Sum of their durations, in all processes."},
    {COUNT(S, "kernels", kernels), .required = true,
        .help = "Kernels; when there are fewer lines, the shortest ones have none."},
    {F64(S, "idle_pct", idle_pct), .min = 0, .max = 100,
        .help = "Percentage of the processes' spans in which none of their kernels ran."},
    {ITEMS(S, processes, process_record, PROCESSES), .help = "Processes, the busiest first."},
    {ITEMS(S, copies, copy_record, COPIES), .help = "Copies by kind."},
    {ITEMS(S, lines, line_record, LINES), .help = "Kernels, the one with the most time first."},
    {OBJECT(S, "error", error, lore_failure_record), .help = "How the program failed."},
    {PROVENANCE(S)},
    {EXTRA(S)},
};
const struct lore_record lore_profile_record = {
    RECORD("profile", "Where the GPU time of a program went, its processes merged.", profile_fields,
        S),
    .flag = LORE_NO_FLAG};
