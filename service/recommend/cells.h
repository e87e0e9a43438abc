/* How the evidence lies in memory. Private to recommend/.
 *
 * A *place* is an operator and a context: chip, language, bottleneck, evidence class, year, and so
 * on. All experiments of a place weigh alike in every question, so a question weighs a place once.
 * A *cell* holds the rows of one technique in one place, and their sums: what a question adds up of
 * a cell is its weight times these sums. Only shapes and citations need the rows themselves. A
 * million experiments of campaigns make about 60,000 cells. */
#ifndef LORE_RECOMMEND_CELLS_H
#define LORE_RECOMMEND_CELLS_H

#include <math.h>

#include "service/base/intern.h"
#include "service/base/ulid.h"
#include "service/recommend/keys.h"
#include "service/recommend/recommend.h"

#define LORE_NO_ROW UINT32_MAX

union lore_context { /* key: how `contexts` knows it */
    struct {
        uint64_t chip : 16, language : 8, evidence : 4, year : 8; /* as in lore_evidence_row */
        uint64_t process_broken : 1, masked : 1, step : 1;
        uint64_t said : 1; /* nothing but a failure that somebody reported */
        uint64_t labels : 24;
    };
    uint64_t key;
};
_Static_assert(LORE_L_COUNT <= 24 && sizeof(union lore_context) == sizeof(uint64_t), "64 bits");

union lore_row_outcome { /* what came of an experiment for a technique */
    struct {
        uint16_t effect : 3, correctness : 3, share : 2, said_lost : 1, measured : 1;
        uint16_t labels_derived : 1;
    };
    uint16_t code;
};
enum { LORE_CODES = 2048 };
_Static_assert(LORE_X_COUNT <= 8 && LORE_C_COUNT <= 8 && LORE_SHARE_ABSENT < 4, "11 bits");
/* Rows are counted by these, and by their effects, which come first. */
enum {
    LORE_N_JUDGED = LORE_X_COUNT, /* a win or none: enters the probability */
    LORE_N_OWN,                   /* a win by this technique */
    LORE_N_LOST,
    LORE_N_INERT,  /* a win, and as fast without the technique */
    LORE_N_ABSENT, /* a win, and the technique is not in the code that ran */
    LORE_N_SAID,   /* a failure without numbers, and not a wrong result */
    LORE_N_WRONG,  /* a wrong result, or a timeout */
    LORE_NS
};
struct lore_verdict {
    uint8_t effect; /* of the technique: neutral when the win is not its own */
    bool is[LORE_NS];
    bool gains, has_x; /* enters the expected gain; with its speedup, not with none */
};
struct lore_verdict lore_judge(union lore_row_outcome o); /* what it counts as */

struct lore_row { /* in a cell */
    uint32_t number, workload;
    float log; /* ln speedup; NAN: not measured */
    uint16_t code;
    uint8_t siblings; /* techniques of the experiment: they share its credit */
    bool first;       /* of its experiment's rows */
};
/* Over rows, each with its share of its experiment's credit: of those that count for the
 * probability, of the wins among them, of those that count for the gain, and the latter times the
 * clamped ln speedup and times its square. */
struct lore_sums {
    double judged, won, gains, x, xx;
};
struct lore_cell { /* what each question reads of every technique */
    struct lore_sums sums;
    uint32_t n, judged, won, place; /* rows; of them by LORE_N_JUDGED and LORE_N_OWN */
};
struct lore_cell_rows { /* and of the listed ones */
    struct lore_row *v;
    uint32_t cap, count[LORE_NS];
    float least; /* the smallest ln speedup that is the technique's; INFINITY: there is none */
    float most;  /* no |ln speedup| is above it */
};
struct lore_place {
    struct lore_sums sums; /* of experiments, each once, whatever it tried */
    uint32_t n, judged, won;
};
struct lore_known_row { /* by number, as they came */
    unsigned char id[LORE_ULID_BYTES];
    uint32_t seq, technique, cell, at;
};
struct lore_cells_of {       /* a technique */
    struct lore_keys places; /* numbers of the index's places, by cell */
    struct lore_cell *cell;
    struct lore_cell_rows *rows; /* by cell, too */
    uint32_t cap, cap_rows;
    uint32_t triggers; /* bottlenecks that it is for; 0: not known */
    bool nameless;     /* "baseline", a placeholder, or none: nothing is said of it */
};
struct lore_evidence_index {
    struct lore_intern names;
    /* Keys: a context; name and family; operator and context; a name. */
    struct lore_keys contexts, operators, places, techniques;
    struct lore_place *place;
    struct lore_cells_of *technique;
    uint32_t cap_place, cap_technique;
    struct lore_known_row *row;
    uint32_t n, cap;          /* rows */
    uint32_t *slots, n_slots; /* rows by experiment: number + 1, 0: free; all of one are in a run */
    size_t row_bytes;         /* of the rows in cells */
    uint64_t seed;            /* of the hash of ids, so that clients cannot make collisions */
    struct lore_verdict verdict[LORE_CODES];
    struct lore_shapes *shapes;
    uint8_t newest; /* year of the newest experiment; 0: of none it is known */
    bool steps;     /* there are steps of searches */
    float clamp;    /* of the ln speedups in sums */
};

/* What of a row enters the sums, BY times its share. */
void lore_sums_add(struct lore_sums *s, const struct lore_verdict *v, float x, double by);
/* The ln speedup that is the technique's: 0 when the experiment is as fast without it, NAN when
 * nothing was measured, the result was wrong, or it was not in the code. */
static inline float
lore_own_log(const struct lore_verdict *v, float log)
{
    return v->is[LORE_N_INERT] ? 0 : v->has_x ? log : (float)NAN;
}
/* How a row enters a mean: as such, and no more than clamped. */
float lore_row_x(const struct lore_evidence_index *ix, const struct lore_row *row);

struct lore_coming_row { /* to be stored */
    unsigned char id[LORE_ULID_BYTES];
    union lore_context context;
    uint32_t technique, op, seq; /* op: a number of `operators`; technique: a name */
    struct lore_row row;         /* its siblings and first are found out */
};
/* The row of a number, and its place. */
static inline struct lore_row *
lore_row_of(const struct lore_evidence_index *ix, const struct lore_known_row *row)
{
    return &ix->technique[row->technique].rows[row->cell].v[row->at];
}
static inline uint32_t
lore_place_of(const struct lore_evidence_index *ix, const struct lore_known_row *row)
{
    return ix->technique[row->technique].cell[row->cell].place;
}
void lore_cells_add(struct lore_evidence_index *ix, const struct lore_coming_row *in);
void lore_cells_free(struct lore_evidence_index *ix);
size_t lore_cells_bytes(const struct lore_evidence_index *ix);

#endif
