/* Counts what a trace holds besides kernels: calls of an API, instructions that a sampler met. Each
 * name of a group keeps its number and total time; a profile's extra shows them. */
#ifndef LORE_IMPORT_PROFILERS_CENSUS_H
#define LORE_IMPORT_PROFILERS_CENSUS_H

#include "collectors/import/import.h"

struct lore_census;
struct lore_census *lore_census_begin(struct lore_arena *arena);
/* N more of NAME in GROUP, which took NS; negative: they have no time. Names beyond a bound are
 * counted as "(other)". */
void
lore_census_add(struct lore_census *t, const char *group, const char *name, int64_t n, int64_t ns);
/* The groups as members of JSON object text, most time first, else most often: {"hip_api":
 * [{"name": "hipMalloc", "count": 12, "total_ns": 927255}]}. NULL when there are none. */
const char *lore_census_json(struct lore_census *t, struct lore_arena *arena);

#endif
