/* The pass over the evidence for one question: weights per row, sums per technique and level,
 * the rows that bear most. Private to recommend/; recommend.c turns the sums into an answer. */
#ifndef LORE_SCAN_H
#define LORE_SCAN_H

#include "evidence_inner.h"
#include "recommend.h"

/* The closest level at which an experiment bears on the question. What is on the operator and of a
 * shape that is alike by k gives k of its weight to the shape level and the rest to the operator's;
 * counts of experiments are the operator level's. */
enum lore_level {
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
struct lore_ranked { /* a row that may be cited, and how much it bears */
    uint32_t row, seq;
    float bearing, effect; /* effect: |ln speedup|, 0 when there is none */
};
enum { LORE_SIMILAR = 8, LORE_CITED = 6 };
struct lore_top { /* the rows of one technique that bear most */
    struct lore_ranked won[LORE_CITED], other[LORE_CITED];
    size_t n_won, n_other;
};
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
    const struct lore_shelf *shelf; /* its rows */
};

/* What an outcome says by itself, without the question's weights. */
struct lore_judged {
    struct lore_row_outcome is;
    bool wrong, counts, won;
    bool none; /* the experiment gained, and ablation or machine code say: not by this technique */
};
struct lore_weighed { /* a context */
    float weight;     /* below 0: the question leaves it out */
    uint8_t travel;
    uint8_t slot[LORE_LEVEL_SHAPE]; /* per level: where it is counted, see lore_slot */
};
struct lore_placed { /* a place */
    uint32_t outcome;
    float siblings;
    uint8_t level;
    bool skip, said, first, won; /* said: nothing measured; won: by its technique */
};
enum { LORE_SLOTS = 4 * LORE_T_COUNT }; /* travel, matched or not, broke a process rule or not */
struct lore_weights {
    double w, x, xx;
};
struct lore_sums { /* of one technique's rows of one outcome at one level */
    bool used;
    uint32_t n[LORE_SLOTS];
    struct lore_weights sum, share; /* of the experiments; of the technique's part in them */
};
struct lore_near { /* a cell that may hold one of the most similar experiments */
    uint32_t shelf, cell;
    struct lore_ranked best; /* no row of it is above; row and seq are not meant */
};
struct lore_similar {
    struct lore_ranked v[LORE_SIMILAR];
    size_t n;
};
struct lore_scan {
    const struct lore_evidence_index *ix;
    const struct lore_question *q;
    struct lore_arena *arena;
    const char *family;     /* of the question; NULL: unknown */
    uint32_t op, family_id; /* interned; NO_SUCH when the memory has never seen it */
    bool shaped;            /* the question names a workload */
    float *alike;           /* per interned name: how alike that workload is; NULL: not shaped */
    float language_w[LORE_LANG_COUNT], evidence_w[LORE_EV_COUNT], level_w[LORE_LEVEL_COUNT];
    float labels_none_w, labels_other_w, matched_w, clamp;
    float process_w[2];              /* clean, broken */
    struct lore_judged *outcome;     /* per outcome */
    struct lore_placed *place;       /* per place */
    struct lore_weighed *context[2]; /* per context; [1]: of what is only said */
    struct lore_sums *sums;          /* of the technique at hand, per outcome and level */
    uint32_t *used;                  /* which of them */
    size_t n_used;
    uint8_t *mark; /* per cell of the technique at hand; 0 between techniques */
    struct lore_tried *tried;
    size_t n_tried, cap_tried;
    uint32_t *slot;          /* per name: index in tried + 1 */
    double base_w, base_won; /* all experiments that count, weighted */
    struct lore_tally all;   /* all techniques together: the gain's base */
    size_t considered, judged, wins, matched, on_operator, on_chip;
    size_t on_both, on_both_exact; /* operator and chip: same ISA included, that chip only */
    size_t from[LORE_T_COUNT];     /* matched, by distance */
    enum lore_travel nearest,
        near; /* near: as far as the same vendor, or any when no chip is asked */
    struct lore_similar similar, sure; /* sure: as good as these there are at least as many rows */
    struct lore_near *nearby;          /* by shelf */
    size_t n_nearby, cap_nearby;
};
/* Fill what the question alone decides, up to sums. */
void lore_weigh(struct lore_scan *s);
/* Where a row is counted: one number stands for its distance, for whether it is a match, and for
 * whether it broke a process rule. */
uint8_t lore_slot(enum lore_travel travel, bool matched, bool broken);
void lore_scan_run(struct lore_scan *s, const struct lore_evidence_index *ix,
    const struct lore_question *q, struct lore_arena *arena);
/* What one row says: its weight in sums, its level, how far it came. */
struct lore_said {
    float weight, bearing; /* of the whole experiment, not yet shared between its techniques */
    float alike;           /* the part of the weight that is the shape level's */
    enum lore_level level; /* never SHAPE */
    enum lore_travel travel;
};
struct lore_said lore_scan_row(const struct lore_scan *s, uint32_t row);
/* Keep the CAP best of what is offered: most bearing first, then the larger effect, then the newer.
 */
void lore_rank(struct lore_ranked *list, size_t *n, size_t cap, struct lore_ranked next);

#endif
