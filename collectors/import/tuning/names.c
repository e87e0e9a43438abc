/* Names in tuning files: what a parameter stands for, the chip of a device, kernel and operator. */
#include <string.h>

#include "collectors/import/tuning/names.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/wire.h"

#define MAX_WORDS 16

static const struct lore_search_meaning known[] = {
    /* name, technique, whether the parameter is a dimension of the workload; by name */
    {"block", "compute.launch_config", false},
    {"block_k", "memory.tiling_smem", false},
    {"block_m", "memory.tiling_smem", false},
    {"block_n", "memory.tiling_smem", false},
    {"block_size", "compute.launch_config", false},
    {"block_size_k", "memory.tiling_smem", false},
    {"block_size_m", "memory.tiling_smem", false},
    {"block_size_n", "memory.tiling_smem", false},
    {"block_size_x", "compute.launch_config", false},
    {"block_size_y", "compute.launch_config", false},
    {"block_size_z", "compute.launch_config", false},
    {"blocks_per_sm", "latency.increase_occupancy", false},
    {"cluster_k", "sync.cluster_sync", false},
    {"cluster_m", "sync.cluster_sync", false},
    {"cluster_n", "sync.cluster_sync", false},
    {"cta_k", "memory.tiling_smem", false},
    {"cta_m", "memory.tiling_smem", false},
    {"cta_n", "memory.tiling_smem", false},
    {"filter_height", NULL, true},
    {"filter_width", NULL, true},
    {"group_m", "memory.l2_grouped_ordering", false},
    {"group_size_m", "memory.l2_grouped_ordering", false},
    {"inner_unroll_factor", "compute.loop_unroll", false},
    {"inst_k", NULL, false},
    {"inst_m", NULL, false},
    {"inst_n", NULL, false},
    {"loop_unroll_factor", "compute.loop_unroll", false},
    {"maxnreg", "memory.register_pressure", false},
    {"num_consumer_groups", "compute.warp_specialization", false},
    {"num_ctas", "sync.cluster_sync", false},
    {"num_stages", "memory.multi_stage_pipeline", false},
    {"num_warps", "compute.launch_config", false},
    {"outer_unroll_factor", "compute.loop_unroll", false},
    {"raster_order", NULL, false},
    {"read_only", "memory.readonly_path", false},
    {"solution_index", NULL, false},
    {"split_k", "memory.split_k", false},
    {"split_k_mode", NULL, false},
    {"split_k_slices", "memory.split_k", false},
    {"stages", "memory.multi_stage_pipeline", false},
    {"swizzle_size", "memory.l2_grouped_ordering", false},
    {"tile_size", "compute.thread_coarsening", false},
    {"tile_size_x", "compute.thread_coarsening", false},
    {"tile_size_y", "compute.thread_coarsening", false},
    {"tile_size_z", "compute.thread_coarsening", false},
    {"unroll", "compute.loop_unroll", false},
    {"unroll_factor", "compute.loop_unroll", false},
    {"use_cmem", "memory.constant_memory", false},
    {"use_constant_memory", "memory.constant_memory", false},
    {"use_padding", "memory.smem_padding", false},
    {"use_shared_mem", "memory.tiling_smem", false},
    {"use_shmem", "memory.tiling_smem", false},
    {"use_soa", "memory.data_layout", false},
    {"vector", "memory.vectorized_access", false},
    {"vector_size", "memory.vectorized_access", false},
    {"vector_type", "memory.vectorized_access", false},
    {"warps_k", "compute.launch_config", false},
    {"warps_m", "compute.launch_config", false},
    {"warps_n", "compute.launch_config", false},
    {"waves_per_eu", "latency.increase_occupancy", false},
    {"work_group_size_x", "compute.launch_config", false},
    {"work_group_size_y", "compute.launch_config", false},
    {"work_group_size_z", "compute.launch_config", false},
    {"z_iterations", "compute.thread_coarsening", false},
};

const struct lore_search_meaning *
lore_search_meaning(const char *param)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (lore_streqi(known[i].name, param))
            return &known[i];
    }
    return NULL;
}

/* ---- words ---- */

/* Split a name such as "cn_pnpoly" into words. */
static size_t
words_of(struct lore_arena *arena, const char *text, const char **out)
{
    static const char separators[] = " _-./";
    size_t n = 0;

    for (const char *p = text; *p && n < MAX_WORDS;) {
        size_t len = strcspn(p, separators);
        if (len > 0)
            out[n++] = lore_strndup(arena, p, len);
        p += len + (p[len] != '\0');
    }
    return n;
}

static const char *
joined(struct lore_arena *arena, const char *const *words, size_t n)
{
    const char *out = "";

    for (size_t i = 0; i < n; i++)
        out = lore_format(arena, "%s%s%s", out, i > 0 ? "_" : "", words[i]);
    return out;
}

/* Find the longest sequence of WORDS that KNOWS accepts when joined by '_'. Return its length (0:
 * none) and its start in *FROM. KNOWS also gets the word after the sequence, NULL at the end. */
static size_t
find_words(struct lore_arena *arena, const char *const *words, size_t n,
    bool (*knows)(const char *text, const char *next), size_t *from)
{
    for (size_t len = n; len > 0; len--) {
        for (*from = 0; *from + len <= n; ++*from) {
            const char *next = *from + len < n ? words[*from + len] : NULL;
            if (knows(joined(arena, words + *from, len), next))
                return len;
        }
    }
    return 0;
}

/* Reject "RTX 3060" when the next word is a variant such as "Ti": that is another chip. */
static bool
is_chip(const char *text, const char *next)
{
    return lore_chip_find(text) && (!next || !lore_chip_variant(next, strlen(next)));
}

static bool
is_operator(const char *text, const char *next)
{
    (void)next;
    return lore_operator_find(text);
}

static const char *
chip_in(struct lore_arena *arena, const char *const *words, size_t n)
{
    size_t from;
    size_t len = find_words(arena, words, n, is_chip, &from);

    return len > 0 ? lore_chip_find(joined(arena, words + from, len))->name : NULL;
}

/* The words of the file's name without extensions and SKIP. */
static size_t
words_of_file(struct lore_import *in, const char *skip, const char **words)
{
    static const char *const extensions[] = {
        "json", "gz", "bz2", "zst", "xz", "csv", "txt", "log", "autotune"};
    size_t kept = 0, n = words_of(lore_import_kept(in), in->file, words);

    for (size_t i = 0; i < n; i++) {
        bool drop = skip && lore_streqi(words[i], skip);
        for (size_t e = 0; e < sizeof extensions / sizeof *extensions; e++)
            drop |= i > 0 && lore_streqi(words[i], extensions[e]);
        if (!drop)
            words[kept++] = words[i];
    }
    return kept;
}

const char *
lore_tuning_chip(struct lore_import *in, const char *device, const char *skip)
{
    const char *words[MAX_WORDS], *chip = NULL;

    if (device)
        chip = chip_in(lore_import_kept(in), words, words_of(lore_import_kept(in), device, words));
    if (chip) {
        lore_import_note(in, LORE_IL_NAMES, "device \"%s\": chip %s", device, chip);
        return chip;
    }
    if (device)
        lore_import_note(in, LORE_IL_DOUBTS, "device \"%s\" is not in the catalogue", device);
    if (in->chip)
        return in->chip;
    if (!device)
        chip = chip_in(lore_import_kept(in), words, words_of_file(in, skip, words));
    if (chip)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: no device in the file; chip %s is taken from the file's name (--chip overrides "
            "it)",
            in->file, chip);
    else
        lore_import_note(in, LORE_IL_DOUBTS, "%s: chip unknown; name it with --chip", in->file);
    return chip;
}

const char *
lore_tuning_file_words(struct lore_import *in, const char *skip)
{
    const char *words[MAX_WORDS], *out = "";
    size_t from, n = words_of_file(in, skip, words);
    size_t len = find_words(lore_import_kept(in), words, n, is_chip, &from);

    for (size_t i = 0; i < n; i++) {
        if (len == 0 || i < from || i >= from + len)
            out = lore_format(lore_import_kept(in), "%s%s%s", out, *out ? "_" : "", words[i]);
    }
    return *out ? out : LORE_UNCLASSIFIED;
}

const char *
lore_tuning_kernel(struct lore_import *in, const char *kernel, const char **op)
{
    struct lore_arena *arena = lore_import_kept(in);
    const char *words[MAX_WORDS];
    size_t from, len = strlen(kernel), tail = strlen("_kernel");

    if (len > tail && strcmp(kernel + len - tail, "_kernel") == 0)
        kernel = lore_strndup(arena, kernel, len - tail);
    size_t n = words_of(arena, kernel, words);
    size_t known_words = find_words(arena, words, n, is_operator, &from);
    *op = lore_operator_name(
        arena, known_words > 0 ? joined(arena, words + from, known_words) : kernel);
    lore_import_note(in, LORE_IL_NAMES, "%s: operator %s%s", kernel, *op,
        known_words > 0 ? "" : " (new to the catalogue)");
    return kernel;
}
