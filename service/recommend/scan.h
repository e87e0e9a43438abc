/* One question over all evidence: what each place weighs (weigh.c), tallies per technique and level
 * (scan.c), and what the rows of a listed technique tell (collect.c). Private to recommend/; the
 * answer is made of it by lists.c, words.c, explain.c and answer.c. */
#ifndef LORE_RECOMMEND_SCAN_H
#define LORE_RECOMMEND_SCAN_H

#include "service/recommend/cells.h"

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
struct lore_weighed { /* a place, as the question takes it */
    double weight;    /* 0: it is left out */
    float bearing;    /* how much an experiment bears on the question, no shape being alike */
    uint8_t level, travel, years; /* years between it and the question */
    bool here;                    /* the operator and the chip, or its ISA */
    bool process_broken, claimed; /* claimed: a number that somebody states, without samples */
    uint16_t labels;
    float same_labels; /* 1: one of them is asked about */
};
struct lore_tally {                 /* one technique at one level */
    double w, won;                  /* weight of what counts for p_win, and of the wins in it */
    double gain_w, gain_x, gain_xx; /* weighted sums over clamped ln speedups */
    uint32_t tried, judged, wins, losses; /* experiments: all, those that count, wins among them */
    uint32_t near_wins;                   /* wins on the same vendor's chips */
};
/* A technique's results in the places of the operator: places, experiments that count and their
 * squares, wins, squares of wins per experiment. */
struct lore_between {
    double n, w, ww, won, won2;
};
struct lore_tried { /* one technique */
    uint32_t name;  /* interned */
    struct lore_tally level[LORE_LEVEL_COUNT];
    uint32_t effect[LORE_X_COUNT], travel[LORE_T_COUNT];
    uint32_t won_at[LORE_T_COUNT], lost_at[LORE_T_COUNT];
    uint32_t here, here_exact, here_judged, won_here, lost_here, wins, misses;
    uint32_t alike;      /* on the operator, of a shape that is alike */
    uint32_t backed;     /* wins that are measured or imported, not only claimed */
    uint32_t close_wins; /* 0: none on this operator, none on this ISA */
    uint32_t process_faults, incorrect, said_lost;
    uint32_t inert_here, inert, absent; /* gains that were not its own */
    double effective_n;
    double here_w; /* what counts for p_win here, on a shape that is alike when one is asked */
    double same_labels_w; /* the same where a bottleneck is as asked, at any level */
    struct lore_between between;
};

/* ---- rows that may be cited ---- */

struct lore_ranked {
    uint32_t row, seq;     /* row: its number */
    float bearing, effect; /* effect: |ln speedup|, 0 when there is none */
};
enum { LORE_SIMILAR = 8, LORE_CITED = 6 };
struct lore_ranked_rows { /* the best of what was offered: most bearing, then larger effect, then
                           * newer
                           */
    struct lore_ranked v[LORE_SIMILAR];
    size_t n, cap;
};
void lore_rank(struct lore_ranked_rows *list, struct lore_ranked next);
/* Whether a row of at most that effect could enter the list. */
bool lore_ranked_rows_admit(const struct lore_ranked_rows *list, float bearing, float effect);
void lore_rank_row(const struct lore_evidence_index *ix, struct lore_ranked_rows *list,
    const struct lore_row *row, float bearing);

/* ---- the scan ---- */

struct lore_scan {
    const struct lore_evidence_index *ix;
    const struct lore_question *q;
    struct lore_arena *arena;
    const char *family;              /* of the question; NULL: unknown */
    uint32_t op, family_id, n_names; /* interned; what no name is when the memory never saw it */
    uint8_t year;                    /* ages count from it; 0: no year is known */
    bool shaped;                     /* the question names a workload */
    bool some_alike;                 /* and one that was measured is alike to it */
    float *alike;                    /* per interned name, and 0 at n_names: how alike */
    float level_w[LORE_LEVEL_COUNT], matched_w;
    struct lore_weighed *place;
    struct lore_tried *tried;
    size_t n_tried;
    uint32_t *slot;          /* per technique: index in tried + 1 */
    double base_w, base_won; /* all experiments that count, weighted */
    double witness;          /* how alike the results of one place are, 0 to 1 */
    uint32_t not_limits;     /* bottlenecks that there are not */
    /* Mantel and Haenszel: wins where the bottleneck is one that a technique is not for, times
     * non-wins where it is; the reverse; over experiments, summed over techniques. */
    double won_against, won_for;
    struct lore_tally all; /* all techniques together: the gain's base */
    size_t considered, judged, wins, matched, on_operator, on_chip;
    size_t on_both, on_both_exact;  /* operator and chip: same ISA included, that chip only */
    size_t from[LORE_T_COUNT];      /* matched, by distance */
    enum lore_travel nearest, near; /* near: as far as the same vendor, or any without a chip */
    struct lore_ranked_rows similar;
    float similar_cut; /* what bears less is not among them */
};
/* What the question alone decides: the weight of every place. */
void lore_weigh(struct lore_scan *s);
int lore_weigh_years_apart(const struct lore_scan *s, uint8_t year); /* 0 when one is not known */
/* How much each result of a technique in a place counts, because they are alike: N of them tell as
 * much as N / (1 + (N - 1) r) of different places, at most 1 / r. */
static inline double
lore_scan_witnesses(const struct lore_scan *s, const struct lore_sums *sums)
{
    double n = sums->judged > sums->gains ? sums->judged : sums->gains;
    double more = n - 1 > 0 ? n - 1 : 0; /* no branch: of one cell it says nothing of the next */

    return 1 / (1 + more * s->witness);
}
/* Whether the technique is for bottlenecks that are not those of the question. */
bool lore_scan_contradicts(const struct lore_scan *s, const struct lore_technique *known);
void lore_scan_run(struct lore_scan *s, const struct lore_evidence_index *ix,
    const struct lore_question *q, struct lore_arena *arena);
/* What is known of a technique; NULL: nobody tried it. What only answers say (effects, losses,
 * faults) is counted by lore_scan_count, once for each that is listed. */
const struct lore_tried *lore_tried_of(const struct lore_scan *s, const char *technique);
void lore_scan_count(const struct lore_scan *s, const struct lore_tried *listed);
/* How alike a row's shape is to the one asked about, and how much the row bears for that. */
static inline float
lore_alike(const struct lore_scan *s, const struct lore_weighed *w, uint32_t workload)
{
    bool may = s->some_alike && w->level == LORE_LEVEL_OPERATOR;

    return may ? s->alike[workload < s->n_names ? workload : s->n_names] : 0;
}
static inline float
lore_bearing(const struct lore_scan *s, const struct lore_weighed *w, float alike)
{
    return (float)w->weight * (alike + (1 - alike) * s->level_w[w->level]);
}

/* ---- a listed technique ---- */

enum { LORE_NAMED = 2 }; /* more operators than these are not named */
struct lore_words_names {
    uint32_t op[LORE_NAMED], n; /* interned, by name; n may be more */
};
/* The first sentence on a technique is about the experiments here (operator and chip) when there
 * are any, else about those at the closest level. */
struct lore_words_seen {
    double median; /* speedup of those, when measured > 0 of them have one */
    size_t measured;
    struct lore_words_names near,
        far;   /* operators of those; operators that it won on beyond those */
    int years; /* how much older than the newest experiment they are, the newest of them */
};
struct lore_cites {
    struct lore_words_seen seen;
    uint32_t worst; /* a row; LORE_NO_ROW: none was measured */
    float worst_log;
    size_t workloads;
    struct lore_ranked_rows won, other;
    bool sampled; /* the median and the workloads are of a part of its rows */
};
/* A look at the rows of T. */
void
lore_collect_cites(const struct lore_scan *s, const struct lore_tried *t, struct lore_cites *out);

#endif
