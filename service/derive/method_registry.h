/* A registry of methods, which are ranked techniques (methods.h): rows, coupled pairs, lists of
 * ids. All pointers are borrowed; the caller builds the registry from the catalogue or from stored
 * records. */
#ifndef LORE_DERIVE_METHOD_REGISTRY_H
#define LORE_DERIVE_METHOD_REGISTRY_H

#include "service/base/arena.h"
#include "service/wire/record.h"

enum lore_axis { LORE_AXIS_COMPUTE, LORE_AXIS_MEMORY, LORE_AXIS_LATENCY, LORE_AXIS_COUNT };
enum { LORE_AXIS_CAP = 2 };                      /* methods of one axis in one iteration */
const char *lore_axis_name(enum lore_axis a);    /* "compute" … */
enum lore_axis lore_axis_find(const char *name); /* LORE_AXIS_COUNT: unknown */

struct lore_method_row {
    const char *id; /* "memory.async_copy" */
    enum lore_axis axis;
    int64_t priority; /* 1 is highest; no upper bound */
    int64_t min_arch; /* 90 for sm_90; 0: any */
    const char *const *features;
    size_t n_features;
    const char *trigger_metric;    /* as the registry spells it; NULL: none */
    const char *trigger_canonical; /* a canonical metric with the same value; NULL: none */
    struct lore_f64 good, bad;     /* metric values for trigger strength 0 and 1 */
    const char *trigger_direction; /* high_is_bad | low_is_bad; NULL: none */
};
struct lore_method_coupling {
    const char *a, *b;
};
struct lore_method_registry {
    const struct lore_method_row *v;
    size_t n;
    const struct lore_method_coupling *coupled;
    size_t n_coupled;
};
struct lore_method_ids {
    const char *const *v;
    size_t n;
};

/* The ranked methods of the catalogue (technique_info.h) as a registry: rows and lists in ARENA,
 * text static. */
void lore_methods_catalogue(struct lore_arena *arena, struct lore_method_registry *out);
bool lore_method_ids_have(const struct lore_method_ids *ids, const char *id);
/* Split a list such as "tensor_core,ldmatrix" into ARENA; NULL and "" give an empty list. */
struct lore_method_ids lore_methods_features(struct lore_arena *arena, const char *list);

#endif
