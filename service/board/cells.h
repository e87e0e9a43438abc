/* The tables of the board: a cell has versions, and a version has entries. Running sums per version
 * and cell make adding an entry O(1), so a query reads cells instead of entries.
 *
 * A board_version is one version in one cell. A version has a cell for each workload and chip that
 * it ran on. Its board_identity links these cells, because a correctness check on one workload
 * affects the others. Private to board/. index.c stores entries, sums.c adds them up, best.c and
 * ties.c rank them, rows.c answers queries. */
#ifndef LORE_BOARD_CELLS_H
#define LORE_BOARD_CELLS_H

#include "service/base/intern.h"
#include "service/board/board.h"
#include "service/board/keys.h"

#define NONE UINT32_MAX
#define UNKNOWN (-1.0) /* a headline that is not computed yet */

enum timing_class { CLASS_MEASURED, CLASS_STATED, CLASS_COUNT };

struct board_timing {             /* the fastest time of one version, class and method */
    uint32_t method, entry, next; /* method: interned; entry NONE: all such entries are hidden */
    uint8_t class;
};
struct board_method { /* how many versions of a cell are timed by this method */
    uint32_t method, versions, next;
    uint8_t class;
};

struct board_limit { /* the shortest time of a place at the peak rates */
    double peak_ns;
    bool memory;
};

struct board_entry {
    uint32_t version; /* index into versions */
    uint32_t next, next_experiment,
        next_library; /* list links: same version, same run or experiment, same peer group */
    uint32_t run, experiment, env, method, base_name; /* interned */
    uint32_t beyond; /* interned: why its time is impossible; NONE: it is not */
    uint32_t labels, n_samples;
    uint8_t evidence, correctness, effect, base;
    bool masked, retracted, copy, failed, said_lost, runs_checked, labels_derived, disputes;
    double time_ns, low_ns, high_ns, median_low_ns, median_high_ns;
    double speedup, speedup_low, speedup_high;
    int64_t seq, at_us;
};
struct board_version { /* one version in one cell */
    uint32_t id, label, kernel, kernel_name,
        project; /* interned; id NONE: a result that was stated without a version */
    uint32_t cell, next, entries; /* next: in the cell; entries: newest first */
    uint32_t check,
        next_same; /* check NONE: no version is named; next_same: next version of that check */
    uint8_t kind;
    /* sums over entries that are not hidden */
    bool fail, timeout, error;
    uint32_t disputed; /* newest entry that disputes it; NONE: none does */
    uint32_t passes;   /* entries whose check passed */
    uint32_t timings;  /* first timing */
    uint32_t stated,
        stated_library; /* newest entries that state a speedup over a version or over a library */
    uint32_t runs, experiments, hidden_runs, hidden_experiments, retracted, copies;
    uint32_t labels, stated_labels; /* bottlenecks of its runs; those that a run states */
    uint32_t beyond; /* why one of its times is impossible, interned; NONE: none is */
    int64_t first_seq;
};
struct board_check {   /* the correctness of one version on one workload, over all chips */
    uint32_t workload; /* interned; NONE: not recorded */
    uint32_t identity, versions; /* versions: first one */
    uint32_t next;               /* of the same identity */
    uint32_t passes;
    bool ranked_passed; /* passes > 0, when its cells were last ranked */
};
struct board_identity { /* one version over all its cells */
    uint32_t checks,
        passed; /* checks: the first one; passed: how many checks with a workload have passes */
    bool ranked_passed; /* passed > 0, when its cells were last ranked */
    bool retracted;
};
struct board_cell {
    uint32_t op, family, workload, workload_label; /* interned */
    uint32_t chip;                                 /* index into lore_chips(), NONE: not recorded */
    uint8_t language, evidence;             /* evidence: the strongest class of its entries */
    uint32_t limit;                         /* index into limits */
    uint32_t group, next_in_group;          /* same operator, language, chip */
    uint32_t peer_group, next_peer;         /* same operator, workload and chip, any language */
    uint32_t versions, n_versions;          /* newest first; library versions are not counted */
    uint32_t methods, ranking[CLASS_COUNT]; /* methods: first one; ranking: the method that ranks
                                               each class, NONE: no time */
    uint32_t best;                          /* entry; NONE: no eligible version */
    uint32_t runs, experiments, won, neutral, lost, said_lost;
    uint32_t labels, stated; /* bottlenecks; those that an experiment states */
    int64_t updated_us;
    bool stale; /* lore_board_batch_end must recompute its sums */
};
struct lore_board {
    struct lore_intern names;
    struct board_keys cell_keys, version_keys, group_keys, peer_keys, check_keys,
        limit_keys; /* the id of a key is the index in the matching array */
    struct board_entry *entries;
    uint32_t n_entries, cap_entries;
    struct board_version *versions;
    uint32_t n_versions, cap_versions;
    struct board_cell *cells;
    _Atomic double *headlines; /* per cell; UNKNOWN: the next reader computes it (best.c) */
    uint32_t n_cells, cap_cells;
    uint32_t *stale, n_stale, cap_stale; /* cells */
    bool in_batch;
    struct board_timing *timings;
    uint32_t n_timings, cap_timings;
    struct board_method *methods;
    uint32_t n_methods, cap_methods;
    struct board_check *checks;
    uint32_t n_checks, cap_checks;
    struct board_identity *identities;
    uint32_t n_identities, cap_identities;
    uint32_t *groups, cap_groups;           /* first cell */
    uint32_t *peer_groups, cap_peer_groups; /* first cell */
    uint32_t *libraries, cap_libraries;     /* per peer group: first library entry */
    uint32_t *by_name, cap_by_name;         /* per interned run or experiment: its entries */
    uint32_t *by_version, cap_by_version;   /* per interned version: its identity */
    struct board_limit *limits;             /* of a workload on a chip */
    uint32_t n_limits, cap_limits;
    bool loading; /* update sums but do not rank yet */
};

#endif
