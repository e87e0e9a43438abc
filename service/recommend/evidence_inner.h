/* How the rows of evidence.h lie in memory: for the pass over them. Private to recommend/.
 *
 * The rows of one technique on one operator are a group, in chunks of columns; beside them are
 * their sums by cell (evidence_cells.h), which is what a question adds up. It looks at rows only
 * where they differ in more than that: in their shapes, and for what it cites. A row keeps its
 * number while its experiment keeps its operator; a new verdict or a mask is another cell. */
#ifndef LORE_RECOMMEND_EVIDENCE_INNER_H
#define LORE_RECOMMEND_EVIDENCE_INNER_H

#include "service/base/intern.h"
#include "service/base/ulid.h"
#include "service/recommend/evidence_row.h"
#include "service/recommend/evidence_totals.h"
#include "service/recommend/shapes.h"

#define LORE_NO_ROW UINT32_MAX
#define LORE_CHUNK 256 /* rows at most; a row's number is its chunk's times this, and its place */
#define LORE_GONE 0    /* the kind of a place without a row: numbered first */

struct lore_chunk {
    uint32_t n, cap, group, part; /* part: its position in the group */
    uint32_t *kind;               /* context and outcome: a number of `kinds` */
    float *log;                   /* ln speedup; NAN: not measured */
    uint32_t *workload, *seq;
    unsigned char (*id)[LORE_ULID_BYTES];
};
struct lore_part { /* of a group */
    uint32_t chunk;
    float most[2]; /* as of a cell: no row's |ln speedup| is above */
    float least;   /* no ln speedup of a technique's own is below */
};
/* Of a group: the workloads of its rows that are neither masked nor steps, by their numbers on the
 * operator. Zeroed is valid. */
struct lore_tried_on {
    uint64_t *bits;
    uint32_t words, n;
    uint32_t
        again;  /* the bits would take more than the rows: until there are so many rows; else 0 */
    bool steps; /* there are steps, which are not among them */
};
struct lore_workload_at { /* per name */
    uint32_t op, number;  /* the first operator that it was with, + 1, and its number there */
};
struct lore_row_group {           /* of one technique on one operator */
    uint32_t op, technique, tech; /* op: index in `operators`; tech: in by_technique */
    struct lore_cells cells;
    struct lore_part *parts;
    uint32_t n_parts, cap_parts;
    uint32_t n, hole; /* rows; a place that one has left + 1, its seq is the next such */
    float least;      /* as of its parts */
    struct lore_tried_on tried;
};
struct lore_technique_groups { /* the groups of one technique */
    uint32_t *groups, n, cap, technique;
    struct lore_totals totals; /* of all of them together */
};
struct lore_grouped {
    uint32_t group, tech;
};
struct lore_on_operator {
    struct lore_cells experiments; /* each once, whatever it tried */
    struct lore_totals totals;     /* of them; it knows the settings of all rows */
    struct lore_grouped *groups;
    uint32_t n, cap;
    uint32_t workloads; /* that were with it first */
    bool shared;        /* some in its rows are another operator's too */
};
struct lore_evidence_index {
    struct lore_intern names, spellings; /* spellings: of chips and languages */
    uint32_t *spelled;                   /* per spelling: what it stands for */
    struct lore_keys contexts, outcomes, operators, technique_keys, group_keys;
    struct lore_keys kinds; /* context and outcome: of rows */
    struct lore_grading grading;
    struct lore_technique_groups *by_technique;
    struct lore_row_group *groups;
    uint32_t cap_techniques, cap_groups, cap_on;
    struct lore_on_operator *on;        /* per operator */
    struct lore_workload_at *workloads; /* per name */
    size_t cap_workloads, chunk_bytes;
    struct lore_chunk **chunks;
    uint32_t n_chunks, cap_chunks;
    uint32_t *slots, n_slots, n; /* experiments: row + 1, 0: free; n: rows in it */
    uint64_t seed;
    uint8_t newest;    /* year of the newest experiment; 0: of none it is known */
    float clamp;       /* of the ln speedups that cells add up: a number that is not learned */
    uint8_t *nameless; /* per name id; meaningful for techniques */
    size_t cap_nameless;
    struct lore_shapes *shapes;
};
struct lore_evidence_row lore_evidence_row(const struct lore_evidence_index *ix, uint32_t row);

#endif
