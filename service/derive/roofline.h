/* What the chip would allow, and how near a kernel is. Pure arithmetic on inputs that say whether
 * they are known: a result that needs an unknown input has no number and names that input. Nothing
 * here holds a hardware number. Units are SI: FLOP, byte, s, FLOP/s, byte/s, FLOP/byte. */
#ifndef LORE_DERIVE_ROOFLINE_H
#define LORE_DERIVE_ROOFLINE_H

#include "service/derive/gaps.h"

/* A spec value, a measured ceiling, a count or a time. Known inputs that make no sense as such
 * (negative, not finite, a peak of 0) count as unknown. */
struct lore_input {
    bool known;
    double value;
    const char *name;    /* "peak_flops.bf16.matrix.dense": what an unknown one is called */
    const char *spec_id; /* the spec value it comes from; NULL: no spec value */
    const char *why;  /* of an unknown one: "disputed", "no_source", "not_given"; NULL: not said */
    const char *unit; /* of the value, for who shows it; NULL: not said */
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
    LORE_TILE_PER_UNIT, /* a tile runs on one unit, which has its share (1/units) of the peaks */
    LORE_TILE_COMPAT,   /* as compute_utilization.py: a tile runs at the peak of the whole chip, so
                           the best FLOP/s comes out up to `units` times too high */
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
    struct lore_result time_min;                                   /* what the limits allow */
    struct lore_result best_flops, best_bw;                        /* in that time */
    struct lore_result actual_flops, actual_bw;                    /* in the measured time */
    struct lore_result utilisation; /* of the limit that binds, 0..1 */
    const struct lore_input *limit; /* its denominator, inside IN; NULL: not known */
    bool done;                      /* utilisation is known and >= 0.9 */
};
void lore_roofline_tile(const struct lore_tile_in *in, enum lore_tile_mode mode,
    struct lore_arena *arena, struct lore_roofline *out);

/* The same for the algorithm as a whole: its FLOP and the bytes it must move at least. time_min is
 * the larger of both sides' times. The tile results stay unknown and name nothing. */
struct lore_algo_in {
    struct lore_input flops, bytes, peak_flops, peak_bw, ceiling_bw, time;
};
void lore_roofline_algorithm(
    const struct lore_algo_in *in, struct lore_arena *arena, struct lore_roofline *out);

#endif
