/* The roofline model: the best time that the chip allows, and how close a kernel is to it. An input
 * may be unknown; a result that needs it is unknown and names it. Hardware numbers come from the
 * caller. Units are SI: FLOP, byte, s, FLOP/s, byte/s, FLOP/byte. */
#ifndef LORE_DERIVE_ROOFLINE_H
#define LORE_DERIVE_ROOFLINE_H

#include "service/derive/gaps.h"

/* A spec value, a measured ceiling, a count or a time. Impossible values (negative, not finite, a
 * peak of 0) count as unknown. */
struct lore_input {
    bool known;
    double value;
    const char *name;    /* "peak_flops.bf16.matrix.dense": reported if unknown */
    const char *spec_id; /* the spec value it comes from; NULL: no spec value */
    const char *why;     /* reason if unknown: "disputed", "no_source", "not_given"; NULL: none */
    const char *unit;    /* of the value, for display; NULL: unknown */
};
struct lore_result {
    bool known;
    double value;                      /* 0 when not known */
    const char *const *unknown_inputs; /* names, when not known; in the arena */
    size_t n_unknown;
};

struct lore_result lore_roofline_ridge(const struct lore_input *peak_flops,
    const struct lore_input *peak_bw, struct lore_arena *arena);

enum lore_tile_mode {
    LORE_TILE_PER_UNIT, /* a tile runs on one unit with 1/units of the peaks */
    LORE_TILE_COMPAT, /* as compute_utilization.py: a tile runs at the peak of the whole chip, which
                         gives a best FLOP/s up to `units` times too high */
};
struct lore_tile_in {
    struct lore_input tile_flops, tile_bytes, grid_blocks, units;
    struct lore_input peak_flops, peak_bw; /* specs */
    struct lore_input ceiling_bw;          /* measured; preferred over peak_bw where known */
    struct lore_input time;                /* measured time of the kernel */
};
struct lore_roofline {
    struct lore_result ai, ridge;
    enum lore_bound bound; /* compute when ai >= ridge, else memory; unknown */
    struct lore_result waves, unit_util /* 0..1 */, tile_time_min; /* tile roofline only */
    struct lore_result time_min;                /* the shortest time that the limits allow */
    struct lore_result best_flops, best_bw;     /* in that time */
    struct lore_result actual_flops, actual_bw; /* in the measured time */
    struct lore_result utilisation;             /* share of the binding limit, 0..1 */
    const struct lore_input *limit;             /* its denominator, inside IN; NULL: not known */
    bool done;                                  /* utilisation is known and >= 0.9 */
};
void lore_roofline_tile(const struct lore_tile_in *in, enum lore_tile_mode mode,
    struct lore_arena *arena, struct lore_roofline *out);

/* The same for the whole algorithm, given its FLOP and the least bytes it must move. time_min is
 * the larger of the compute time and the memory time. The tile results stay unknown without naming
 * an input. */
struct lore_algo_in {
    struct lore_input flops, bytes, peak_flops, peak_bw, ceiling_bw, time;
};
void lore_roofline_algorithm(
    const struct lore_algo_in *in, struct lore_arena *arena, struct lore_roofline *out);

#endif
