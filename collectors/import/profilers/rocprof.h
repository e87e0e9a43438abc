/* The reader of rocprof's CSV, for single files and for workload folders of rocprof-compute. */
#ifndef LORE_IMPORT_PROFILERS_ROCPROF_H
#define LORE_IMPORT_PROFILERS_ROCPROF_H

#include "collectors/import/profilers/census.h"
#include "collectors/import/profilers/launches.h"
#include "service/base/jsonw.h"

struct lore_rocprof {
    struct lore_import *in;
    struct lore_launches *l;
    struct lore_census *census;
    const char *chip_name, *isa; /* NULL: no file says */
    const char *level;    /* SQ_IFETCH_LEVEL: what the current file counted; NULL: everything */
    bool one_process;     /* the files are runs of one program, one for each group of counters */
    bool joined;          /* several files of one run */
    bool timed;           /* the times of all dispatches were read from a run without counters */
    const char *not_read; /* of the current file */
    struct lore_arena row;
    struct lore_buf kept; /* rows as JSON */
    struct lore_jsonw w;
};
void lore_rocprof_begin(struct lore_rocprof *r, struct lore_import *in);
/* Add the current file. LORE_INVALID: it is none of rocprof's. */
enum lore_status lore_rocprof_file(struct lore_rocprof *r, struct lore_err *err) LORE_MUST;
void lore_rocprof_end(struct lore_rocprof *r);

#endif
