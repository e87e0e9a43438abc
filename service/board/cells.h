/* How the board keeps its entries: cell -> versions -> entries, with running sums per version and
 * cell, so that an added entry costs O(1) and a query touches cells. One version stands in a cell
 * per workload and chip; its identity ties these together, for a check on one workload bears on the
 * others. Private to board/; index.c stores, contest.h decides, rows.c answers queries. */
#ifndef LORE_BOARD_CELLS_H
#define LORE_BOARD_CELLS_H

#include "service/base/intern.h"
#include "service/board/board.h"
#include "service/board/keys.h"

#define NONE UINT32_MAX
#define UNKNOWN (-1.0) /* of a headline */

enum timing_class { CLASS_MEASURED, CLASS_STATED, CLASS_COUNT };

struct board_timing {             /* the fastest time of one version, class and method */
    uint32_t method, entry, next; /* method: interned; entry NONE: only masked ones */
    uint8_t class;
};
struct board_method { /* how many versions of a cell have such a time */
    uint32_t method, versions, next;
    uint8_t class;
};

struct board_entry {
    uint32_t version;                                 /* index into versions */
    uint32_t next, next_experiment, next_library;     /* of the same version, experiment, place */
    uint32_t run, experiment, env, method, base_name; /* interned */
    uint32_t labels, n_samples;
    uint8_t evidence, correctness, effect, base;
    bool masked, retracted, failed, said_lost, runs_checked, labels_derived;
    double time_ns, low_ns, high_ns, median_low_ns, median_high_ns;
    double speedup, speedup_low, speedup_high;
    int64_t seq, at_us;
};
struct board_version { /* of one cell */
    uint32_t id, label, kernel,
        kernel_name;              /* interned; id NONE: a stated result that names no version */
    uint32_t cell, next, entries; /* next of the cell; newest entry first */
    uint32_t check, next_same;    /* NONE: names no version; next of the same check */
    uint8_t kind;
    /* sums over entries that are not hidden */
    bool fail, timeout, error;
    uint32_t passes;  /* entries that say so */
    uint32_t timings; /* first timing */
    uint32_t said,
        said_library; /* newest entry that states a speedup over a version, over a library */
    uint32_t runs, experiments, hidden_runs, hidden_experiments, retracted;
    int64_t first_seq;
};
struct board_check {                       /* one version on one workload, on whatever chips */
    uint32_t workload, identity, versions; /* interned; NONE: not recorded */
    uint32_t next;                         /* of the same identity */
    uint32_t passes;
    bool counted; /* passed, when the cells of the identity were settled last */
};
struct board_identity {      /* a version wherever it stands */
    uint32_t checks, passed; /* first check; how many with a recorded workload have passes */
    bool counted, retracted;
};
struct board_cell {
    uint32_t op, family, workload, workload_label; /* interned */
    uint32_t chip;                                 /* index into lore_chips(), NONE: not recorded */
    uint8_t language, evidence;                    /* evidence: the strongest seen */
    uint32_t group, next_in_group;                 /* same operator, language, chip */
    uint32_t place, next_in_place; /* same operator, workload, chip: where libraries compete */
    uint32_t versions, n_versions; /* newest first; library versions are not counted */
    uint32_t methods,
        ranking[CLASS_COUNT]; /* first method; per class the one that ranks, NONE: no time */
    uint32_t best;            /* entry; NONE: no eligible version */
    uint32_t runs, experiments, won, neutral, lost;
    uint32_t labels, said; /* bottlenecks; those of them that somebody said */
    int64_t updated_us;
    bool stale; /* its sums wait for lore_board_release */
};
struct lore_board {
    struct lore_intern names;
    struct board_keys cell_keys, version_keys, group_keys, place_keys,
        check_keys; /* a key's id is the index of what it names */
    struct board_entry *entries;
    uint32_t n_entries, cap_entries;
    struct board_version *versions;
    uint32_t n_versions, cap_versions;
    struct board_cell *cells;
    _Atomic double *headlines; /* per cell; UNKNOWN: readers find it out again (best.c) */
    uint32_t n_cells, cap_cells;
    uint32_t *stale, n_stale, cap_stale; /* cells */
    bool held;
    struct board_timing *timings;
    uint32_t n_timings, cap_timings;
    struct board_method *methods;
    uint32_t n_methods, cap_methods;
    struct board_check *checks;
    uint32_t n_checks, cap_checks;
    struct board_identity *identities;
    uint32_t n_identities, cap_identities;
    uint32_t *groups, cap_groups;         /* first cell */
    uint32_t *places, cap_places;         /* first cell */
    uint32_t *libraries, cap_libraries;   /* per place: first library entry */
    uint32_t *by_name, cap_by_name;       /* per name that is a run or an experiment: its entries */
    uint32_t *by_version, cap_by_version; /* per name that is a version: its identity */
    bool filling;                         /* sums are kept, contests wait */
};

#endif
