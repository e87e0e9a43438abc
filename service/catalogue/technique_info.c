/* Lookups in the technique tables: the row of a technique, whether two techniques can be combined,
 * whether a chip supports one. An unknown chip or feature list gives LORE_GATE_UNKNOWN, not a
 * refusal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/technique_info.h"

/* Pairs of methods that exclude each other or count as one choice, by id. The last two rows name
 * slugs and are not from the registry. */
static const struct lore_pair_row pairs[] = {
    {"memory.multi_stage_pipeline", "latency.async_pipeline", LORE_PAIR_COUPLED, false,
        "two names of nearly the same change"},
    {"memory.async_copy", "latency.async_pipeline", LORE_PAIR_COUPLED, false,
        "the copies are half of the pipeline"},
    {"memory.tma_multicast", "memory.distributed_smem", LORE_PAIR_COUPLED, false,
        "both rest on the same cluster"},
    {"compute.gemm_softmax_interleave", "latency.online_recomputation", LORE_PAIR_COUPLED, true,
        "the interleaving is part of the one-pass softmax"},
    {"compute.two_level_accumulation_promotion", "compute.fp8_fast_accumulation_mode",
        LORE_PAIR_EXCLUSIVE, false, "accuracy or speed of FP8 sums"},
    {"memory.split_k_parallel_reduce", "latency.stream_k_load_balancing", LORE_PAIR_EXCLUSIVE,
        false, "two ways to cut the same reduction axis"},
    {"latency.pingpong_warpgroup_schedule", "latency.intra_wg_gemm_softmax_pipeline",
        LORE_PAIR_COUPLED, true, "used together, they count as one choice"},
    {"memory.epilogue_fusion", "memory.epilogue_visitor_tree_fusion", LORE_PAIR_COUPLED, false,
        "the tree is the general form of the simple epilogue"},
    {"latency.atomic_optimize", "latency.warp_aggregated_atomics", LORE_PAIR_COUPLED, false,
        "aggregation is one way to have fewer atomics"},
    {"latency.cuda_graphs", "latency.static_launch_grid_graph", LORE_PAIR_COUPLED, false,
        "the static grid is a graph for changing shapes"},
    {"memory.smem_padding", "memory.smem_swizzle", LORE_PAIR_EXCLUSIVE, false,
        "two cures of the same bank conflicts"},
    {"memory.lds_double_buffer", "memory.multi_stage_pipeline", LORE_PAIR_COUPLED, false,
        "two tiles in LDS are a pipeline of two stages"},
};
#define N_PAIRS (sizeof pairs / sizeof *pairs)

const struct lore_pair_row *
lore_technique_pairs(size_t *n)
{
    *n = N_PAIRS;
    return pairs;
}

static int
by_slug(const void *key, const void *row)
{
    return strcmp(key, ((const struct lore_technique_info *)row)->slug);
}

const struct lore_technique_info *
lore_technique_info(const char *name)
{
    const struct lore_technique *t = lore_technique_find(name);
    size_t n;
    const struct lore_technique_info *rows = lore_technique_infos(&n);

    return t ? bsearch(t->slug, rows, n, sizeof *rows, by_slug) : NULL;
}

/* The catalogue's slug of NAME, or NAME itself. */
static const char *
slug_of(const char *name)
{
    const struct lore_technique *t = lore_technique_find(name);

    return t ? t->slug : name;
}

static const struct lore_pair_row *
find_pair(const char *a, const char *b, bool by_id)
{
    for (size_t i = 0; i < N_PAIRS; i++) {
        const char *x = by_id ? pairs[i].a : slug_of(pairs[i].a);
        const char *y = by_id ? pairs[i].b : slug_of(pairs[i].b);

        if ((strcmp(x, a) == 0 && strcmp(y, b) == 0) || (strcmp(x, b) == 0 && strcmp(y, a) == 0))
            return &pairs[i];
    }
    return NULL;
}

/* Two method ids are compared as ids: a pair of the registry holds for the ids, not for their
 * slugs. */
static bool
are_ids(const char *a, const char *b)
{
    return lore_method_find(a) && lore_method_find(b);
}

static const struct lore_pair_row *
pair_of(const char *a, const char *b)
{
    if (!a || !b)
        return NULL;
    return are_ids(a, b) ? find_pair(a, b, true) : find_pair(slug_of(a), slug_of(b), false);
}

static bool
same_technique(const char *a, const char *b)
{
    if (!a || !b)
        return false;
    return are_ids(a, b) ? strcmp(a, b) == 0 : strcmp(slug_of(a), slug_of(b)) == 0;
}

enum lore_pair
lore_technique_pair(const char *a, const char *b, const char **note)
{
    const struct lore_pair_row *row = pair_of(a, b);
    bool same = !row && same_technique(a, b);

    if (note != NULL)
        *note = row != NULL ? row->note : same ? "one technique under two names" : NULL;
    return row ? row->kind : same ? LORE_PAIR_SAME : LORE_PAIR_FREE;
}

bool
lore_technique_conflicts(const char *a, const char *b)
{
    return lore_technique_pair(a, b, NULL) != LORE_PAIR_FREE;
}

/* Is one of the alternatives of TERM ("wgmma|tcgen05") in HAVE? */
static bool
satisfied(const char *term, size_t len, const char *have)
{
    size_t at = 0;

    while (at < len) {
        size_t n = 0;

        while (at + n < len && term[at + n] != '|')
            n++;
        if (lore_text_lists(have, term + at, n))
            return true;
        at += n + 1;
    }
    return false;
}

static enum lore_gate
check_features(const char *needs, const char *isa, char missing[64])
{
    const char *have = lore_technique_isa_features(isa, NULL);

    if (!needs || *needs == '\0')
        return LORE_GATE_OK;
    if (!have)
        return LORE_GATE_UNKNOWN;
    while (*needs != '\0') {
        size_t n = strcspn(needs, ",");

        if (!satisfied(needs, n, have)) {
            snprintf(missing, 64, "%.*s", (int)n, needs);
            return LORE_GATE_FEATURE;
        }
        needs += n + (needs[n] == ',');
    }
    return LORE_GATE_OK;
}

static enum lore_gate
check_nvidia(const struct lore_technique_info *t, const char *isa, char missing[64])
{
    const char *digits = lore_starts(isa, "sm_") ? isa + 3 : "";
    long sm = strtol(digits, NULL, 10);

    if (t->min_sm < 0) {
        snprintf(missing, 64, "amd");
        return LORE_GATE_ARCH;
    }
    if (sm <= 0)
        return t->min_sm > 0 || t->features ? LORE_GATE_UNKNOWN : LORE_GATE_OK;
    if (sm < t->min_sm) {
        snprintf(missing, 64, "sm_%d", t->min_sm);
        return LORE_GATE_ARCH;
    }
    return check_features(t->features, isa, missing);
}

enum lore_gate
lore_technique_gate(const char *name, const struct lore_chip *chip, char missing[64])
{
    const struct lore_technique_info *t = lore_technique_info(name);
    char scratch[64];
    char *out = missing != NULL ? missing : scratch;

    out[0] = '\0';
    if (!t || !chip)
        return LORE_GATE_UNKNOWN;
    if (lore_streq(chip->vendor, "nvidia"))
        return check_nvidia(t, chip->isa, out);
    if (!lore_streq(chip->vendor, "amd"))
        return LORE_GATE_UNKNOWN;
    if (lore_streq(t->amd, "-")) {
        snprintf(out, 64, "nvidia");
        return LORE_GATE_ARCH;
    }
    return check_features(t->amd, chip->isa, out);
}
