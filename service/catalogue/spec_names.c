/* Canonical names of the quantities in spec sheets. Product tables have many names for one
 * quantity. Rules and comparisons between vendors use the listed ones; an unknown quantity keeps
 * the slug of its label. */
#include "service/catalogue/spec_names.h"

#include <string.h>

#include "service/base/text.h"

static const struct lore_spec_name names[] = {
    {"memory_capacity", "GB",
        "capacity_gb,vram,memory,memory_size,hbm_capacity,global_memory,capacity",
        "Device memory."},
    {"hbm_bandwidth", "TB/s",
        "memory_bandwidth,bandwidth,bandwidth_tbps,bandwidth_tb_s,hbm3_bandwidth,peak_memory_"
        "bandwidth,theoretical_bandwidth,dram_bandwidth,vram_bandwidth",
        "Peak rate of device memory."},
    {"tdp", "W", "tdp_w,board_power,max_power,power,tbp,typical_board_power",
        "Power limit of the board."},
    {"compute_units", "count",
        "sm_count,cu_count,sms,cus,streaming_multiprocessors,streaming_multiprocessors_sms,"
        "active_compute_units,compute_unit_count,number_of_sms",
        "Streaming multiprocessors or compute units."},
    {"vector_lanes", "count", "cuda_cores,stream_processors,shader_cores,sps,fp32_cores",
        "FP32 lanes: CUDA cores or stream processors."},
    {"matrix_units", "count", "tensor_cores,matrix_cores,mfma_units,tcs,matrix_cores_mfma_units",
        "Tensor or matrix cores."},
    {"vector_lanes_per_unit", "count",
        "cuda_cores_per_sm,stream_processors_per_cu,fp32_lanes_per_sm",
        "FP32 lanes of one SM or CU."},
    {"matrix_units_per_unit", "count", "tensor_cores_per_sm,matrix_cores_per_cu,mfma_units_per_cu",
        "Tensor or matrix cores of one SM or CU."},
    {"rt_units", "count", "rt_cores,ray_tracing_cores", "Ray tracing cores."},
    {"rt_units_per_unit", "count", "rt_cores_per_sm", "Ray tracing cores of one SM."},
    {"texture_units", "count", "texture_units_total", "Texture units."},
    {"clusters", "count", "gpcs,gpc_count,shader_engines", "GPCs or shader engines."},
    {"dies", "count", "xcd,xcds,xcd_count,chiplets", "Compute dies of the package."},
    {"peak_clock", "MHz", "boost_clock,max_clock,peak_engine_clock,gpu_boost_clock,peak_clock_mhz",
        "Highest clock of the compute units."},
    {"l1_bytes_per_unit", "KB",
        "l1_cache,l1_cache_tcp,l1_cache_per_sm,l1_cache_per_cu,l1_cache_kb,vector_l1_cache",
        "First-level cache of one SM or CU."},
    {"l2_bytes", "MB", "l2_cache,l2_cache_mb,l2_cache_tcc,l2,l2_size,l2_cache_size",
        "Second-level cache."},
    {"l3_bytes", "MB", "l3,l3_cache,infinity_cache,l3_cache_mb,mall,last_level_cache",
        "Last-level cache in front of memory."},
    {"lds_bytes_per_cu", "KB",
        "lds_per_cu,lds,lds_size_per_cu,lds_shared_memory,lds_size,lds_capacity,lds_kb_per_cu",
        "Local data share of one CU."},
    {"shared_bytes_per_sm", "KB",
        "shared_memory_per_sm,shared_memory_kb_per_sm,shared_memory,smem_per_sm,max_shared_memory_"
        "per_sm",
        "Shared memory of one SM."},
    {"register_bytes_per_unit", "KB",
        "register_file_kb_per_sm,register_file_per_sm,register_file_size_per_sm,vgpr_file_per_cu",
        "Register file of one SM or CU."},
    {"register_bytes_total", "KB", "register_file_kb_total,register_file_total",
        "All register files."},
    {"registers_per_unit", "count",
        "registers_per_sm,total_vgprs_per_cu,vgprs_per_cu,32_bit_registers_per_sm",
        "32-bit vector registers of one SM or CU."},
    {"max_registers_per_thread", "count",
        "max_vgprs_per_wave,max_registers_per_wave,vgprs_per_wave",
        "32-bit vector registers that one thread or lane may have."},
    {"sgprs_per_wave", "count", "sgpr_wave,sgpr_per_wave,max_sgprs_per_wave",
        "Scalar registers of one wave."},
    {"vgprs_per_simd", "count", "vgpr_simd,vgpr_per_simd", "Vector registers of one SIMD."},
    {"warp_size", "threads", "wavefront_size,wavefront,wave_size,warp",
        "Lanes of one warp or wave."},
    {"simds_per_unit", "count",
        "simd_count_cu,simds_per_cu,simd_per_cu,simd_units_per_cu,simd_count_per_cu",
        "SIMDs or partitions of one SM or CU."},
    {"max_threads_per_unit", "count", "max_threads_per_sm,threads_per_sm,max_threads_per_cu",
        "Threads resident on one SM or CU."},
    {"max_blocks_per_unit", "count", "max_blocks_per_sm,blocks_per_sm,max_workgroups_per_cu",
        "Blocks resident on one SM or CU."},
    {"max_warps_per_unit", "count", "max_warps_per_sm,warps_per_sm,max_waves_per_cu",
        "Warps or waves resident on one SM or CU."},
    {"lds_banks", "count", "bank_count,lds_bank_count,shared_memory_banks,number_of_banks,banks",
        "Banks of LDS or shared memory."},
    {"lds_bank_width", "B", "bank_width,lds_bank_width_bytes",
        "Bytes that one bank serves per clock."},
    {"lds_read_bytes_per_clk", "B/clk", "lds_read_bandwidth,read_bandwidth",
        "Bytes read from LDS per clock."},
    {"lds_write_bytes_per_clk", "B/clk", "lds_write_bandwidth,write_bandwidth",
        "Bytes written to LDS per clock."},
};

const struct lore_spec_name *
lore_spec_names(size_t *n)
{
    *n = sizeof names / sizeof *names;
    return names;
}

/* "L2 Cache (TCC)" -> "l2_cache_tcc"; with CUT, "l2_cache". False when it is too long. */
static bool
slug_of(const char *label, bool cut, char *out, size_t size)
{
    size_t n = 0;

    for (const char *p = label; *p && !(cut && *p == '('); p++) {
        bool upper = *p >= 'A' && *p <= 'Z';
        bool word = upper || (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9');
        if (n + 2 > size)
            return false;
        if (word)
            out[n++] = upper ? (char)(*p - 'A' + 'a') : *p;
        else if (n > 0 && out[n - 1] != '_')
            out[n++] = '_';
    }
    while (n > 0 && out[n - 1] == '_')
        n--;
    out[n] = '\0';
    return n > 0;
}

static bool
is_listed(const char *slug, const char *list)
{
    size_t n = strlen(slug);

    for (const char *p = list; (p = strstr(p, slug)) != NULL; p++) {
        if ((p == list || p[-1] == ',') && (p[n] == ',' || p[n] == '\0'))
            return true;
    }
    return false;
}

static const struct lore_spec_name *
find(const char *slug)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(slug, names[i].name) == 0 || is_listed(slug, names[i].labels))
            return &names[i];
    }
    return NULL;
}

const struct lore_spec_name *
lore_spec_name_find(const char *label)
{
    const struct lore_spec_name *found = NULL;
    char slug[96];

    if (slug_of(label, false, slug, sizeof slug))
        found = find(slug);
    if (!found && strchr(label, '(') && slug_of(label, true, slug, sizeof slug))
        found = find(slug);
    return found;
}

/* ---- rates ---- */

static const struct {
    const char *name, *aliases;
    bool integer, matrix_only;
} dtypes[] = {
    {"fp64", "double,f64", false, false},
    {"fp32", "float,f32,single", false, false},
    {"tf32", "xf32", false, true},
    {"fp16", "half,f16", false, false},
    {"bf16", "bfloat16", false, false},
    {"fp8", "f8,e4m3,e5m2,mxfp8", false, true},
    {"fp6", "f6,mxfp6", false, true},
    {"fp4", "f4,nvfp4,mxfp4", false, true},
    {"int8", "i8,u8,uint8", true, false},
    {"int4", "i4", true, true},
    {"int32", "i32", true, false},
    {"int1", "b1,binary", true, true},
};
#define DTYPES (sizeof dtypes / sizeof *dtypes)

static size_t
dtype_of(const char *text)
{
    char slug[32];

    if (!text || !slug_of(text, true, slug, sizeof slug))
        return DTYPES;
    for (size_t i = 0; i < DTYPES; i++) {
        if (strcmp(slug, dtypes[i].name) == 0 || is_listed(slug, dtypes[i].aliases))
            return i;
    }
    return DTYPES;
}

const char *
lore_spec_peak(
    struct lore_arena *arena, const char *dtype, bool matrix, bool sparse, const char **unit)
{
    size_t i = dtype_of(dtype);

    if (i == DTYPES)
        return NULL;
    if (unit)
        *unit = dtypes[i].integer ? "TOPS" : "TFLOPS";
    return lore_format(arena, "%s.%s.%s.%s", dtypes[i].integer ? "peak_tops" : "peak_tflops",
        dtypes[i].name, matrix ? "matrix" : "vector", sparse ? "sparse" : "dense");
}

const char *
lore_spec_ridge(struct lore_arena *arena, const char *dtype, bool matrix)
{
    size_t i = dtype_of(dtype);

    return i == DTYPES ? NULL
                       : lore_format(arena, "ridge_flops_per_byte.%s.%s", dtypes[i].name,
                             matrix ? "matrix" : "vector");
}

bool
lore_spec_by_matrix(const char *dtype)
{
    return dtype_of(dtype) > 1; /* the first rows: fp64, fp32 */
}

bool
lore_spec_matrix_only(const char *dtype)
{
    size_t i = dtype_of(dtype);
    return i < DTYPES && dtypes[i].matrix_only;
}

const char *
lore_spec_evidence(const char *text)
{
    static const char *const map[][2] = {{"vendor-published", "vendor_published"},
        {"derived-from-system-total", "derived"}, {"derived", "derived"},
        {"architecture-analysis", "architecture_analysis"},
        {"third-party-analysis", "architecture_analysis"},
        {"repository-reference", "repository_reference"}, {"user-confirmed", "user_confirmed"}};

    if (!text || !*text)
        return "repository_reference";
    for (size_t i = 0; i < sizeof map / sizeof *map; i++) {
        if (lore_streqi(text, map[i][0]) || lore_streqi(text, map[i][1]))
            return map[i][1];
    }
    return NULL;
}
