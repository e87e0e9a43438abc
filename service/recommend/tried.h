/* What is counted of a technique for one question: per level, by distance, here. Private to
 * recommend/. */
#ifndef LORE_RECOMMEND_TRIED_H
#define LORE_RECOMMEND_TRIED_H

#include <stdbool.h>
#include <stdint.h>

#include "service/catalogue/catalogue.h"
#include "service/recommend/evidence_cells.h"

/* The closest level at which an experiment bears on the question. What is on the operator and of a
 * shape that is alike by k gives k of its weight to the shape level and the rest to the operator's;
 * counts of experiments are the operator level's. */
enum lore_tally_level {
    LORE_LEVEL_ANY,
    LORE_LEVEL_FAMILY,
    LORE_LEVEL_OPERATOR,
    LORE_LEVEL_SHAPE, /* sums of weights only; nothing is here when no workload is asked about */
    LORE_LEVEL_COUNT
};

struct lore_tally {                 /* one technique at one level */
    double w, won;                  /* weight of what counts for p_win, and of the wins in it */
    double gain_w, gain_x, gain_xx; /* weighted sums over clamped ln speedups */
    uint32_t tried, judged, wins, losses; /* experiments: all, those that count, wins among them */
    uint32_t near_wins;                   /* wins on the same vendor's chips */
};
struct lore_technique_groups;
struct lore_tried { /* one technique */
    uint32_t name;  /* interned */
    struct lore_tally level[LORE_LEVEL_COUNT];
    uint32_t effect[LORE_X_COUNT], travel[LORE_T_COUNT];
    uint32_t won_at[LORE_T_COUNT], lost_at[LORE_T_COUNT];
    uint32_t here, here_exact, here_judged, won_here, lost_here, wins, misses;
    uint32_t alike;      /* on the operator, of a shape that is alike */
    uint32_t close_wins; /* 0: none on this operator, none on this ISA */
    uint32_t process_faults, incorrect, said_lost;
    uint32_t inert_here, inert, absent; /* gains that were not its own */
    double effective_n;
    const struct lore_technique_groups *tech; /* its rows */
};

/* Where rows are counted: by distance, those that broke a process rule apart; and what is left out,
 * which nobody looks at. */
enum {
    LORE_SLOT_BROKEN = LORE_T_COUNT,
    LORE_SLOT_LEFT_OUT = 2 * LORE_T_COUNT,
    LORE_SLOTS = 3 * LORE_T_COUNT
};
struct lore_sums {         /* of a technique, or of all experiments, at one level */
    double sum[LORE_SUMS]; /* as of a cell, weighted */
    uint32_t n[LORE_SLOTS][LORE_NS];
};

#endif
