/* The numbers that the model of moves learns, and those to begin with. Private to moves/. */
#ifndef LORE_MOVES_MOVES_NUMBERS_H
#define LORE_MOVES_MOVES_NUMBERS_H

/* Numbers of a field of starts (moves_field.c): what a mean lacks, variances, a width in octaves, a
 * ratio, and whether the other places are its mean. */
enum {
    START_LACK,
    START_SHIFT,
    START_WORLDS,
    START_SLOPE,
    START_TREND,
    START_LOCAL,
    START_WIDTH,
    START_NOISE,
    START_DEEP,
    START_BELIEF,
    STARTS
};

/* Numbers of the field of moves (moves_surface.c): variances and widths in octaves. */
enum {
    FIELD_TREND,
    FIELD_TREND_WIDTH,
    FIELD_VALUE,
    FIELD_WIDE,
    FIELD_WIDE_WIDTH,
    FIELD_LOCAL,
    FIELD_LOCAL_WIDTH,
    FIELD_SAME,
    FIELD_NOISE,
    FIELD_DEEP,
    FIELDS
};
/* Shares of what two places have in common (moves_kin.c), and how another workload is alike. */
enum { KIN_ANY, KIN_VENDOR, KIN_ARCH, KIN_ISA, KIN_OWN, KIN_WORK, KIN_OCTAVES, KINS };
enum { COARSE, FINE, GRAINS }; /* of configurations far apart, and close by */
enum { ODDS = 6 };

struct moves_numbers { /* all that is learned */
    double field[FIELDS], kin[GRAINS * KINS], odds[ODDS], tails[2];
    double base;                         /* rate of gains over operators */
    double start[STARTS], blank[STARTS]; /* of starts: what the other places and own results say;
                                          * without the other places */
    double start_alike;                  /* probability that the other places count */
};
/* Numbers that make sense before any were learned. */
void lore_moves_numbers_default(struct moves_numbers *out);

#endif
