/* Shared by the files that make records by a map: import.c opens the rows, place.c finds kernel,
 * chip and workload, records.c makes versions and runs, attempts.c experiments, metrics.c runs of
 * rows with one metric each, sweeps.c sweeps. */
#ifndef LORE_IMPORT_MAPS_JOB_H
#define LORE_IMPORT_MAPS_JOB_H

#include "collectors/import/index.h"
#include "collectors/import/maps/value.h"
#include "collectors/import/tuning/search.h"

struct lore_map_made {
    const char *version, *run; /* run: NULL: none */
};
/* Where a row belongs: a kernel on a chip with a workload, in a session. Texts outlive the row. */
struct lore_map_place {
    const char *op, *name, *chip, *session; /* chip, session: NULL: none */
    const char *key;                        /* all of it as text */
    enum lore_language language;
    struct lore_workload workload;
    /* of attempts */
    const char *campaign;
    const char *head, *head_run; /* version and run that the next attempt starts from */
    double head_ns;              /* its time; 0: none */
    double head_rate;
    size_t n;
    struct lore_index labels; /* label -> index into versions + 1 */
    struct lore_map_made *versions;
    size_t n_versions, cap_versions;
};

struct lore_map_job {
    struct lore_import *in;
    struct lore_arena *kept; /* of what outlives the records of a row */
    const struct lore_map *map;
    struct lore_take take;
    struct lore_map_row r;
    struct lore_map_place **places;
    size_t n_places, cap_places;
    struct lore_index place_of; /* key -> index into places + 1 */
    struct lore_index seen;     /* ids of records that are there; texts of rows */
    struct lore_search search;  /* sweeps.c */
    struct lore_index runs_of;  /* metrics.c: key -> index into the document's runs + 1 */
};

/* Whether the row states FIELD; *out is its text of at most MAX bytes in in->arena. */
bool lore_map_has(struct lore_map_job *j, enum lore_map_field field, size_t max, const char **out);
/* The place of the current row. */
struct lore_map_place *lore_map_place(struct lore_map_job *j);
/* Fill KVS from a list of the map, and from the columns that fit PATTERNS (NULL: none). */
void lore_map_kvs(struct lore_map_job *j, enum lore_map_lists list, struct lore_kvs *kvs);
/* Members of an object, or "A=1 B=2", in KVS. */
void lore_map_kvs_from(struct lore_map_job *j, enum lore_map_field field, struct lore_kvs *kvs);
/* The row as text with a number that tells equal rows apart: what its ids derive from. */
const char *lore_map_identity(struct lore_map_job *j);
/* The version of the row in the document; its id. */
const char *lore_map_version(struct lore_map_job *j, struct lore_map_place *p, const char *parent);
/* What is compared with: the `before_` fields; NULL: none. */
const char *lore_map_before(struct lore_map_job *j, struct lore_map_place *p, const char **run);
/* Append the run of the row; *what is valid until the next one. */
struct lore_run *
lore_map_run(struct lore_map_job *j, struct lore_map_place *p, const char *version, const char *id);
bool lore_map_has_metric(const struct lore_run *r, const char *name);
/* Add metric NAME to R, unless it has one of this name. */
void lore_map_add_metric(
    struct lore_map_job *j, struct lore_run *r, const char *name, const char *unit, double value);
struct lore_provenance lore_map_provenance(struct lore_map_job *j);
/* What the row has more of, for `extra`. */
const char *lore_map_rest(struct lore_map_job *j);

/* One row each. */
void lore_map_attempt(struct lore_map_job *j);
void lore_map_metric_row(struct lore_map_job *j);
void lore_map_run_row(struct lore_map_job *j);
void lore_map_version_row(struct lore_map_job *j);
void lore_map_sweep_begin(struct lore_map_job *j);
void lore_map_configuration(struct lore_map_job *j);

#endif
