/* Built-in names: chips, operators, bottleneck labels, techniques, metrics, each with aliases, as
 * sorted C tables. The list of chips is closed, because a hardware number needs a known product.
 * Operators, techniques and metrics are open: unknown names are stored and registered. */
#ifndef LORE_CATALOGUE_CATALOGUE_H
#define LORE_CATALOGUE_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/base/arena.h"

struct lore_chip {
    const char *name;    /* "mi300x"; for "some gfx942 device, product not recorded": "gfx942" */
    const char *title;   /* "AMD Instinct MI300X" */
    const char *vendor;  /* amd | nvidia */
    const char *arch;    /* cdna3, hopper, ampere */
    const char *isa;     /* gfx942, sm_90 */
    const char *unit;    /* CU | SM */
    bool product;        /* false: only the ISA is known */
    const char *aliases; /* comma-separated, lower case: "a6000,rtx_a6000,nvidia rtx a6000" */
};
/* NULL when unknown. Case and separators do not matter. */
const struct lore_chip *lore_chip_find(const char *name);
const struct lore_chip *lore_chips(size_t *n);
/* Whether a question about ASKED is also one about CHIP: the same chip, any product of an ISA
 * ("sm_90"), or a variant of a family ("h100": h100-sxm, h100-pcie). NULL is covered by nothing. */
bool lore_chip_covers(const struct lore_chip *asked, const struct lore_chip *chip);
/* Whether the word W[0..N) behind a chip's name makes it another chip, as in "RTX 3060 Ti". For
 * importers that search text for chip names. */
bool lore_chip_variant(const char *w, size_t n);
/* Names near S for a hint: "mi300x, mi308x". */
const char *lore_chip_hint(struct lore_arena *arena, const char *s);

/* The operator of kernels that were recorded without one. */
#define LORE_UNCLASSIFIED "unclassified"

/* How far evidence from chip A travels to chip B, nearest first. Between an ISA row (product false)
 * and each product of that ISA it is LORE_T_SAME_ISA; with a NULL chip, LORE_T_UNKNOWN. */
enum lore_travel {
    LORE_T_SAME_CHIP,
    LORE_T_SAME_ISA,
    LORE_T_SAME_ARCH,
    LORE_T_SAME_VENDOR,
    LORE_T_OTHER_VENDOR,
    LORE_T_UNKNOWN,
    LORE_T_COUNT
};
enum lore_travel lore_chip_travel(const struct lore_chip *a, const struct lore_chip *b);
const char *lore_travel_name(enum lore_travel t); /* "same chip", "same ISA", … */

struct lore_operator {
    const char *name, *family, *summary, *aliases;
};
/* NULL when unknown; aliases resolve ("matmul" -> gemm). */
const struct lore_operator *lore_operator_find(const char *name);
const struct lore_operator *lore_operators(size_t *n);
/* The canonical name: the catalogue's, else the slug of NAME. */
const char *lore_operator_name(struct lore_arena *arena, const char *name);
/* The slug of a name that no catalogue knows. */
const char *lore_operator_slug(struct lore_arena *arena, const char *name);

/* Bottleneck labels as a set of bits. */
enum lore_label {
    LORE_L_MEMORY,
    LORE_L_COMPUTE,
    LORE_L_LATENCY,
    LORE_L_SYNC,
    LORE_L_OCCUPANCY,
    LORE_L_LAUNCH,
    LORE_L_TAIL,
    LORE_L_DIVERGENCE,
    LORE_L_REGISTER_PRESSURE,
    LORE_L_BANK_CONFLICT,
    LORE_L_ATOMICS,
    LORE_L_CACHE,
    LORE_L_COUNT
};
const char *lore_label_name(enum lore_label l); /* "memory" */
/* Bits of TEXT: "Memory+Sync", "memory_bound", "DRAM_MEMORY_BOUND", "grid_anomaly" (tail)…; labels
 * joined by one of + , / | ; & or by "and". *unknown (may be NULL) says whether a part is no known
 * label. "unknown", "mixed", "balanced" and "" give 0 and count as known. */
uint32_t lore_labels_parse(const char *text, bool *unknown);
/* "memory+sync" in enum order; "" for none. Lives in ARENA. */
const char *lore_labels_text(struct lore_arena *arena, uint32_t labels);

/* What a technique needs, excludes and is triggered by: technique_info.h. */
struct lore_technique {
    const char *slug; /* "memory.vectorized_access" */
    const char *title, *axis /* memory | compute | latency | sync | launch */,
        *layer /* structural | sync | instruction | resource */;
    uint32_t triggers;   /* bottlenecks that it is usually tried against */
    const char *aliases; /* comma-separated slugs of other names */
    const char *summary; /* what it does, one sentence */
};
const struct lore_technique *lore_technique_find(const char *name);
const struct lore_technique *lore_techniques(size_t *n);
/* The canonical slug: the catalogue's when NAME, or the part of it before '{', is a known name or a
 * phrase for one technique (words.h), else lore_operator_slug of that part. */
const char *lore_technique_slug(struct lore_arena *arena, const char *name);
/* The technique that every kernel has, so that each attempt at it is one at its values: a kernel
 * has a tile and a number of threads. */
#define LORE_TECHNIQUE_INHERENT "compute.launch_config"
/* A placeholder tag: "fill_me_tag", "unlabeled_strategy_v4", "todo". */
bool lore_technique_is_placeholder(const char *slug);

struct lore_metric_def {
    const char *name; /* vendor's name verbatim */
    const char *vendor, *unit,
        *kind /* pct | ratio | count | bytes | bytes_per_s | cycles | ns | per_cycle */;
    const char *direction; /* higher | lower | neutral */
    const char *canonical; /* "dram_throughput_pct"; NULL: none */
    const char *title;
};
const struct lore_metric_def *
lore_metric_find(const char *name); /* by vendor name, canonical name, title or short name */
const struct lore_metric_def *lore_metrics(size_t *n);

#endif
