/* The table of importers: one row per format. The first row that recognises a unit reads it; rows
 * for directories and rows for files are tried separately. */
#include "collectors/import/importers.h"

#include <string.h>

const struct lore_importer lore_importers[] = {
    {"warplore", "Documents exported by Warplore, one JSON object per line", false, false,
        lore_warplore_detect, lore_warplore_read},
    {"kernelflow", "Strategy memory of KernelFlow, version 1 (global_strategy_memory.json)", false,
        false, lore_kernelflow_detect, lore_kernelflow_read},
    {"experiences", "Experience database of the kernel optimisation skill (experiences.json)",
        false, false, lore_experiences_detect, lore_experiences_read},
    {"method-registry", "Methods of the kernel optimizer (method_registry.json)", false, false,
        lore_method_registry_detect, lore_method_registry_read},
    {"sass-signatures", "Instruction patterns of methods (sass_signatures.json)", false, false,
        lore_sass_signatures_detect, lore_sass_signatures_read},
    {"kernel-tuner", "Cache files (also unfinished ones) and T4 results files of Kernel Tuner",
        false, true, lore_kernel_tuner_detect, lore_kernel_tuner_read},
    {"ktt", "Results of KTT: configurations with times and counters (Metadata, Results)", false,
        true, lore_ktt_detect, lore_ktt_read},
    {"ktt-csv", "CSV of older versions of KTT (Kernel name, Computation duration)", false, true,
        lore_ktt_csv_detect, lore_ktt_csv_read},
    {"tunableop", "Results of PyTorch's TunableOp (tunableop_results0.csv)", false, true,
        lore_tunableop_detect, lore_tunableop_read},
    {"nvbench", "Results of NVBench as JSON: benchmarks, states and summaries", false, true,
        lore_nvbench_detect, lore_nvbench_read},
    {"triton-cache", "Files of the cache of Triton's autotuner (kernel.autotune.json)", false, true,
        lore_triton_cache_detect, lore_triton_cache_read},
    {"triton-log", "Logs with lines of Triton's autotuner (TRITON_PRINT_AUTOTUNING=1)", false, true,
        lore_triton_log_detect, lore_triton_log_read},
    {"miopen-perf",
        "MIOpen's performance databases, text (gfx906_60.cd.pdb.txt) or SQLite: tuned solvers",
        false, false, lore_miopen_perf_detect, lore_miopen_perf_read},
    {"miopen", "MIOpen's find databases (gfx942130.HIP.fdb.txt): solvers and times per convolution",
        false, false, lore_miopen_detect, lore_miopen_read},
    {"gpu-wiki", "Experience records of gpu-wiki, schema clean-1.x", false, false,
        lore_gpu_wiki_detect, lore_gpu_wiki_read},
    {"hardware-wiki", "Hardware records of gpu-wiki, schema hw-1.x", false, false,
        lore_hardware_wiki_detect, lore_hardware_wiki_read},
    {"v2-run", "Run directory of the CUDA kernel optimiser, version 2 (state.json, iterv1 …)", true,
        true, lore_v2_run_detect, lore_v2_run_read},
    {"workspace", "Workspace of the GPU kernel optimiser (memory/v<N>.json, README.md, plans)",
        true, true, lore_workspace_detect, lore_workspace_read},
    {"hardware-spec", "Hardware specification in Markdown: numbers with line and quote", false,
        false, lore_hardware_spec_detect, lore_hardware_spec_read},
    {"agent-logs", "Sessions of tuning agents (results.tsv, idea-log.jsonl, task_config.json)",
        true, true, lore_agent_logs_detect, lore_agent_logs_read},
    {"version-directories",
        "Directories v0, v1 … with reports of correctness and profiles, and hypothesis.txt", true,
        true, lore_version_directories_detect, lore_version_directories_read},
    {"leaderboard", "Leaderboard in Markdown, with notes.md and v<N>_<tag>.cu per operator", true,
        true, lore_leaderboard_detect, lore_leaderboard_read},
    {"ncu", "CSV of Nsight Compute: raw page, details, sections, single metrics", false, true,
        lore_ncu_detect, lore_ncu_read},
    {"ncu-rep", "Reports of Nsight Compute, printed by its own command", false, true,
        lore_ncu_rep_detect, lore_ncu_rep_read},
    {"profiler-sqlite", "SQLite files of Nsight Systems (exports) and rocprofv3 (rocpd)", false,
        true, lore_profiler_database_detect, lore_profiler_database_read},
    {"kineto", "Traces of the PyTorch profiler in Chrome's format", false, true, lore_kineto_detect,
        lore_kineto_read},
    {"rocprof-compute", "Workload folders of rocprof-compute (pmc_perf.csv, sysinfo.csv)", true,
        true, lore_rocprof_compute_detect, lore_rocprof_compute_read},
    {"rocprofv3", "CSV of rocprofv3 and rocprof: kernels, counters, calls, PC samples", false, true,
        lore_rocprof_detect, lore_rocprof_read},
    {"maps", "CSV, TSV, JSON, JSON lines and Markdown tables that a map describes", false, true,
        lore_maps_detect, lore_maps_read},
    {"notes", "Notes in Markdown: sentences with a technique and its effect, and intentions", false,
        true, lore_notes_detect, lore_notes_read},
    {"sources", "Source files with kernels: __global__ functions, @triton.jit and the like", false,
        true, lore_sources_detect, lore_sources_read},
    {NULL, NULL, false, false, NULL, NULL},
};

const struct lore_importer *
lore_importer_find(const char *name)
{
    for (const struct lore_importer *i = lore_importers; i->name; i++) {
        if (strcmp(i->name, name) == 0)
            return i;
    }
    return NULL;
}
