/* The functions in the table of importers: a detect and a read per format. See import.h. */
#ifndef LORE_IMPORT_IMPORTERS_H
#define LORE_IMPORT_IMPORTERS_H

#include "collectors/import/import.h"

#define LORE_IMPORTER(name)                                                                        \
    bool lore_##name##_detect(const struct lore_import_tree *t, const char *unit);                 \
    enum lore_status lore_##name##_read(struct lore_import *in, struct lore_err *err) LORE_MUST

LORE_IMPORTER(agent_logs);
LORE_IMPORTER(notes);
LORE_IMPORTER(sources);
LORE_IMPORTER(kernelflow);
LORE_IMPORTER(experiences);
LORE_IMPORTER(kernel_tuner);
LORE_IMPORTER(miopen);
LORE_IMPORTER(miopen_perf);
LORE_IMPORTER(ktt);
LORE_IMPORTER(ktt_csv);
LORE_IMPORTER(tunableop);
LORE_IMPORTER(nvbench);
LORE_IMPORTER(triton_cache);
LORE_IMPORTER(triton_log);
LORE_IMPORTER(method_registry);
LORE_IMPORTER(sass_signatures);
LORE_IMPORTER(warplore);
LORE_IMPORTER(gpu_wiki);
LORE_IMPORTER(hardware_wiki);
LORE_IMPORTER(v2_run);
LORE_IMPORTER(hardware_spec);
LORE_IMPORTER(workspace);
LORE_IMPORTER(leaderboard);
LORE_IMPORTER(version_directories);
LORE_IMPORTER(ncu);
LORE_IMPORTER(ncu_rep);
LORE_IMPORTER(profiler_database);
LORE_IMPORTER(kineto);
LORE_IMPORTER(rocprof);
LORE_IMPORTER(rocprof_compute);
LORE_IMPORTER(maps);

#endif
