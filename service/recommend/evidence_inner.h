/* How the rows of evidence.h lie in memory: for the pass over them. Private to recommend/.
 *
 * Rows lie by technique, in chunks. What decides a row's weight is two numbers: its context (chip,
 * language, labels, evidence, process), and its place (operator and family, with its outcome); a
 * question weighs each of the few thousand contexts and places once. Rows of one technique that
 * agree in both are a cell (evidence_cells.c), which keeps their sums: a question adds up cells,
 * and looks at the rows only of what it cites. A row never moves: a new verdict or a mask is
 * another cell. */
#ifndef LORE_EVIDENCE_INNER_H
#define LORE_EVIDENCE_INNER_H

#include "evidence.h"
#include "intern.h"
#include "ulid.h"

#define LORE_NO_ROW UINT32_MAX

enum {
    LORE_CHUNK = 256
}; /* rows at most; a row's number is its chunk's times this, and its place */

/* 64-bit keys as numbers that count up from 0: open addressing, key by number. Zeroed is valid. */
struct lore_keys {
    uint64_t *key;
    uint32_t n, cap;
    uint32_t *slots, n_slots; /* number + 1, 0: free */
};
/* The number of KEY, given when it is new. */
uint32_t lore_keys_add(struct lore_keys *k, uint64_t key);
void lore_keys_free(struct lore_keys *k);
size_t lore_keys_bytes(const struct lore_keys *k);
/* The next capacity of an array of N elements that is full: an eighth more, to hold little that is
 * not used. */
uint32_t lore_roomier(uint32_t n);

struct lore_context {
    uint16_t chip; /* as in a row */
    uint8_t language, evidence, process_broken;
    uint32_t labels;
};
struct lore_row_outcome {
    uint8_t effect, correctness, share, siblings;
    bool said_lost, masked, first, measured; /* measured: it has a speedup */
    bool step;
};
struct lore_cell { /* what every question reads */
    uint32_t context, place;
    uint32_t n : 31,
        loose : 1; /* rows; loose: none may have as large an effect as `most` any more */
    float most;    /* the largest |ln speedup|, 0: none is measured */
    double x, xx;  /* sums over clamped ln speedups of what is measured */
};
struct lore_fact { /* what tells the rows of a cell apart */
    uint32_t cell; /* of its shelf */
    float log;     /* ln speedup; NAN: not measured */
};
struct lore_chunk {         /* what else there is of a row */
    uint32_t n, cap, shelf; /* rows; of how many; its technique's shelf */
    uint32_t first;         /* place of its first row among the shelf's facts */
    uint32_t *workload, *seq;
    unsigned char (*id)[LORE_ULID_BYTES];
    uint64_t derived[LORE_CHUNK / 64]; /* bits: labels_derived */
};
struct lore_shelf { /* of one technique */
    struct lore_cell *cells;
    struct lore_fact *facts;
    uint32_t *chunks;
    uint32_t technique, n_chunks, cap_chunks;
    uint32_t n, cap; /* rows */
    uint32_t n_cells, cap_cells;
    uint32_t *slots, n_slots; /* cells: number + 1, 0: free; none while there are few */
};
/* The cell of a shelf, made empty when it is new; how a row enters it and leaves it. */
uint32_t lore_cell_find(struct lore_shelf *s, uint32_t context, uint32_t place);
void lore_cell_put(struct lore_cell *c, float log_speedup, float clamp);
void lore_cell_take(struct lore_cell *c, float log_speedup, float clamp);
struct lore_evidence_index {
    struct lore_intern names, spellings; /* spellings: of chips and languages */
    uint32_t *spelled;                   /* per spelling: what it stands for */
    struct lore_keys contexts, operators, outcomes, places, shelf_keys;
    struct lore_shelf *shelves;
    uint32_t cap_shelves;
    struct lore_chunk **chunks;
    uint32_t n_chunks, cap_chunks;
    size_t chunk_bytes;
    uint32_t *slots, n_slots, n; /* experiments: row + 1, 0: free; n: rows in it */
    uint64_t seed;
    float clamp;       /* of the ln speedups that cells add up: a number that is not learned */
    uint8_t *nameless; /* per name id; meaningful for techniques */
    size_t cap_nameless;
    struct lore_shapes *shapes;
};
struct lore_context lore_context_of(const struct lore_evidence_index *ix, uint32_t context);
struct lore_row_outcome lore_outcome_at(const struct lore_evidence_index *ix, uint32_t outcome);
uint32_t lore_context_find(struct lore_evidence_index *ix, struct lore_context context);
uint32_t lore_outcome_find(struct lore_evidence_index *ix, struct lore_row_outcome outcome);
/* A place's two numbers, and their keys. */
static inline uint32_t
lore_place_operator(const struct lore_evidence_index *ix, uint32_t place)
{
    return (uint32_t)(ix->places.key[place] >> 32);
}
static inline uint32_t
lore_place_outcome(const struct lore_evidence_index *ix, uint32_t place)
{
    return (uint32_t)ix->places.key[place];
}
static inline uint32_t
lore_operator_op(const struct lore_evidence_index *ix, uint32_t op)
{
    return (uint32_t)(ix->operators.key[op] >> 32);
}
static inline uint32_t
lore_operator_family(const struct lore_evidence_index *ix, uint32_t op)
{
    return (uint32_t)ix->operators.key[op];
}
/* A ln speedup as it enters the means: between -MOST and MOST. */
static inline float
lore_clamped(float log_speedup, float most)
{
    float least = log_speedup < -most ? -most : log_speedup;

    return least > most ? most : least;
}
/* Rows in the K-th chunk of a shelf: the first are small, since many names are used once. */
static inline uint32_t
lore_chunk_room(uint32_t k)
{
    return k < 3 ? (uint32_t)4 << 2 * k : LORE_CHUNK;
}
static inline struct lore_fact *
lore_fact_of(const struct lore_evidence_index *ix, uint32_t row)
{
    const struct lore_chunk *c = ix->chunks[row / LORE_CHUNK];

    return &ix->shelves[c->shelf].facts[c->first + row % LORE_CHUNK];
}
static inline struct lore_cell *
lore_cell_of(const struct lore_evidence_index *ix, uint32_t row)
{
    return &ix->shelves[ix->chunks[row / LORE_CHUNK]->shelf].cells[lore_fact_of(ix, row)->cell];
}
struct lore_evidence_row lore_evidence_row(const struct lore_evidence_index *ix, uint32_t row);

#endif
