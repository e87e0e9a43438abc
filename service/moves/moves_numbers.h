/* The numbers that the model of moves learns, and those to begin with. Private to moves/. */
#ifndef LORE_MOVES_MOVES_NUMBERS_H
#define LORE_MOVES_MOVES_NUMBERS_H

enum { MOVES_FEATURES = 11, MOVES_FACTS = 8, MOVES_CHIP_FACTS = 6 };
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

struct moves_numbers { /* all that is learned */
    double width;      /* of the kernel, in octaves */
    double gamma;      /* sharpness of the weights of chips */
    double nu;         /* variance of one move's worth of local evidence, in units of spread */
    double own;        /* what a place's own moves around leave untold, in units of spread */
    double fact[MOVES_FACTS], fact_df;
    double stack[MOVES_FEATURES];
    double mean[2];         /* expected y from (1, mu) */
    double low[3], high[3]; /* quantiles of the scaled residual, per third of the scale */
    double cut[2];          /* limits of those thirds */
    double base;            /* rate of gains over operators */
    double start[STARTS], blank[STARTS]; /* of starts: what the other places and own results say;
                                          * without the other places */
    double start_alike;                  /* probability that the other places count */
};
/* Which quantiles are for SCALE: the third of what was seen in learning that it falls into. */
static inline unsigned
lore_moves_third(const struct moves_numbers *num, double scale)
{
    return (unsigned)(scale > num->cut[0]) + (unsigned)(scale > num->cut[1]);
}
/* Numbers that make sense before any were learned. */
void lore_moves_numbers_default(struct moves_numbers *out);

#endif
