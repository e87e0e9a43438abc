/* The columns in which rocprof, rocprofv3, rocpd and rocprof-compute describe a launch. Their names
 * differ between tools and versions; what they mean does not. */
#ifndef LORE_IMPORT_PROFILERS_AMD_H
#define LORE_IMPORT_PROFILERS_AMD_H

#include "collectors/import/profilers/launches.h"

/* Fill OUT from ROW; texts are in ARENA. AMD's grid is in work-items; here it is in blocks. A time
 * whose digits a spreadsheet has rounded is not known. False: the row names no kernel. */
bool
lore_amd_launch(const struct lore_json *row, struct lore_arena *arena, struct lore_launch_row *out);
/* Registers, LDS and scratch of a launch as metrics of S. */
void
lore_amd_resources(struct lore_launches *l, struct lore_launched *s, const struct lore_json *row);
/* Whether COLUMN, without a number that makes it unique (Wave_Size_2), describes the launch, its
 * queue or the process, and is no counter. */
bool lore_amd_describes(const char *column);

#endif
