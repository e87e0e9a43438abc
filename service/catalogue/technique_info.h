/* What the catalogue knows about a technique beside its name: the metric that triggers it, what it
 * needs (architecture, features of the chip, other conditions), what it goes with and what it
 * excludes. There are two tables. METHODS has the 63 ranked methods of a public
 * registry under their own ids and numbers. The other one has a row per slug: it corrects the
 * registry where an instruction set proves it wrong, and adds AMD. All text is static. */
#ifndef LORE_CATALOGUE_TECHNIQUE_INFO_H
#define LORE_CATALOGUE_TECHNIQUE_INFO_H

#include <stdbool.h>
#include <stddef.h>

#include "service/catalogue/catalogue.h"

struct lore_trigger {
    const char *metric;    /* as the registry spells it; NULL: none */
    const char *canonical; /* canonical name of that metric; NULL: none known */
    bool bounds;           /* good and bad are given */
    double good, bad;
    const char *direction; /* high_is_bad | low_is_bad; NULL: not given */
};
struct lore_ranked_method {
    const char *id, *slug; /* "latency.async_pipeline", "memory.multi_stage_pipeline" */
    const char *axis;      /* the registry's: compute | memory | latency */
    int priority, min_sm;  /* priority: 1 is tried first within the axis; min_sm: 0: any */
    const char *features;  /* required, comma-separated; as the registry says */
    struct lore_trigger trigger;
    const char *conflicts, *complements; /* ids, comma-separated; NULL: none */
    const char *gain;                    /* what its authors expect */
};
const struct lore_ranked_method *lore_method_find(const char *id); /* by its exact id; NULL: none */
const struct lore_ranked_method *lore_methods(size_t *n);          /* by axis, then priority */

struct lore_technique_info {
    const char *slug;
    const char *method;      /* its method (trigger, priority, gain); NULL: not ranked */
    int min_sm;              /* 0: any NVIDIA chip; -1: has no NVIDIA form */
    const char *features;    /* NVIDIA: "wgmma|tcgen05,tma"; '|' is "or"; NULL: none */
    const char *amd;         /* AMD features in the same way; NULL: none; "-": no AMD form */
    const char *complements; /* slugs */
    const char *needs;       /* what must hold, in words */
};
/* Every row, by slug. */
const struct lore_technique_info *lore_technique_infos(size_t *n);
/* By slug or any other name of the catalogue; NULL when the catalogue does not know it. */
const struct lore_technique_info *lore_technique_info(const char *name);

/* May two techniques be tried as one step? Two method ids are compared as ids; otherwise A and B
 * are names of the catalogue. Order does not matter. */
enum lore_pair {
    LORE_PAIR_FREE,      /* nothing known against it */
    LORE_PAIR_SAME,      /* one technique under two names */
    LORE_PAIR_COUPLED,   /* they count as one choice */
    LORE_PAIR_EXCLUSIVE, /* one or the other */
};
enum lore_pair lore_technique_pair(const char *a, const char *b, const char **note);
bool lore_technique_conflicts(const char *a, const char *b); /* anything but free */
struct lore_pair_row {
    const char *a, *b;
    enum lore_pair kind;
    bool contradicts;
    const char *note;
};
const struct lore_pair_row *lore_technique_pairs(size_t *n);

/* Features of an instruction set, comma-separated: "tensor_core,ldmatrix"; NULL: its features are
 * unknown. *SOURCE (may be NULL): where the row comes from, in words. */
const char *lore_technique_isa_features(const char *isa, const char **source);
enum lore_gate {
    LORE_GATE_UNKNOWN, /* the chip, its features or the technique are not known */
    LORE_GATE_OK,
    LORE_GATE_ARCH,    /* too old, or no form for this vendor; missing: "sm_90" */
    LORE_GATE_FEATURE, /* missing: the feature; MISSING may be NULL */
};
enum lore_gate
lore_technique_gate(const char *name, const struct lore_chip *chip, char missing[64]);

#endif
