/* How the board keeps its entries: cell -> versions -> entries, with running sums per version and
 * cell, so that an added entry costs O(1) and a query touches cells. Private to board/.
 * index.c stores; best.c decides (which timing stands for a version, what beats what, what a
 * speedup is against); rows.c answers queries. */
#ifndef LORE_CELLS_H
#define LORE_CELLS_H

#include "board.h"
#include "intern.h"

#define NONE UINT32_MAX

enum timing_class { CLASS_MEASURED, CLASS_STATED, CLASS_COUNT };

struct timing {                   /* the fastest time of one version, class and method */
    uint32_t method, entry, next; /* method: interned; entry NONE: only masked ones */
    uint8_t class;
};
struct method { /* how many versions of a cell have such a time */
    uint32_t method, versions, next;
    uint8_t class;
};

struct entry {
    uint32_t version;                                 /* index into versions */
    uint32_t next, next_experiment, next_library;     /* of the same version, experiment, place */
    uint32_t run, experiment, env, method, base_name; /* interned */
    uint32_t labels, n_samples;
    uint8_t evidence, correctness, effect, base;
    bool masked, failed, said_lost;
    double time_ns, low_ns, high_ns, speedup, speedup_low, speedup_high;
    int64_t seq, at_us;
};
struct version { /* of one cell */
    uint32_t id, label, kernel,
        kernel_name;              /* interned; id NONE: a stated result that names no version */
    uint32_t cell, next, entries; /* next of the cell; newest entry first */
    uint8_t kind;
    /* sums over entries that are not masked */
    bool pass, fail, timeout, error;
    uint32_t timings; /* first timing */
    uint32_t said,
        said_library; /* newest entry that states a speedup over a version, over a library */
    uint32_t runs, experiments, masked_runs, masked_experiments;
    int64_t first_seq;
};
struct cell {
    uint32_t op, family, workload, workload_label; /* interned */
    uint32_t chip;                                 /* index into lore_chips(), NONE: not recorded */
    uint8_t language, evidence;                    /* evidence: the strongest seen */
    uint32_t group, next_in_group;                 /* same operator, language, chip */
    uint32_t place;                /* same operator, workload, chip: where libraries compete */
    uint32_t versions, n_versions; /* newest first; library versions are not counted */
    uint32_t methods,
        ranking[CLASS_COUNT]; /* first method; per class the one that ranks, NONE: no time */
    uint32_t best;            /* entry; NONE: no eligible version */
    uint32_t runs, experiments, won, neutral, lost, labels;
    int64_t updated_us;
};
struct lore_board_index {
    struct lore_intern names, cell_keys, version_keys, group_keys,
        place_keys; /* a key's id is the index of what it names */
    struct entry *entries;
    uint32_t n_entries, cap_entries;
    struct version *versions;
    uint32_t n_versions, cap_versions;
    struct cell *cells;
    uint32_t n_cells, cap_cells;
    struct timing *timings;
    uint32_t n_timings, cap_timings;
    struct method *methods;
    uint32_t n_methods, cap_methods;
    uint32_t *groups, cap_groups;       /* first cell */
    uint32_t *libraries, cap_libraries; /* per place: first library entry */
    uint32_t *by_name, cap_by_name;     /* per name that is a run or an experiment: its entries */
};

/* ---- best.c ---- */
enum timing_class class_of(const struct entry *e);
bool is_library(const struct lore_board_index *ix, const struct version *v);
/* The entry that stands for a version in the contest, or NONE. */
uint32_t standing(const struct lore_board_index *ix, const struct version *v);
/* Whether entry A beats entry B (NONE loses) in CELL. */
bool beats(const struct lore_board_index *ix, const struct cell *cell, uint32_t a, uint32_t b);
/* Why a version is out, as static text; NULL: it is not. */
const char *reason_out(const struct lore_board_index *ix, const struct version *v);
/* The fastest time of a version in one class: of the method that ranks its cell, else of any; NONE.
 */
uint32_t
fastest(const struct lore_board_index *ix, const struct version *v, enum timing_class class);
struct lore_speedup headline(const struct lore_board_index *ix, const struct cell *cell);
struct lore_speedup over_library(const struct lore_board_index *ix, const struct cell *cell);
/* The entry that states a speedup of the cell's best version over another version; NONE. */
uint32_t stated(const struct lore_board_index *ix, const struct cell *cell);
const char *name_of(const struct lore_board_index *ix, uint32_t id);

#endif
