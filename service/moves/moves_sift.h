/* The best of many candidates for a start, without asking the fields all about each: moves_sift.c.
 * Private to moves/. */
#ifndef LORE_MOVES_MOVES_SIFT_H
#define LORE_MOVES_MOVES_SIFT_H

#include "service/moves/moves_field.h"

/* Fields; results that they are told; proposals that later ones reckon with; kinds of wishes. */
enum { MOVES_FIELDS = 2, MOVES_TOLD = 32, MOVES_AHEAD = 32, MOVES_WISHES = 2 };
enum { MOVES_KNOWN = MOVES_TOLD + MOVES_AHEAD };

struct moves_sift {
    struct moves_field *field; /* MOVES_FIELDS, told the same, of at most MOVES_TOLD results */
    const struct moves_point *point;
    bool *out; /* per candidate: it is not, or no longer, to choose */
    size_t n;
    /* private */
    size_t told; /* results that the fields were told */
    struct lore_arena *arena;
    struct moves_guess *guess; /* per candidate and field */
    double *mean;              /* the same: what the field will say, or a little more */
    double **whitened;         /* per candidate: of its fields; NULL: nothing was asked yet */
    double *most[MOVES_WISHES];
};
/* FIELD, POINT, OUT and N are given. */
void lore_moves_sift(struct moves_sift *s, struct lore_arena *arena);
/* What is known of candidate K so far: variances are at most larger than what all points of the
 * field leave, and the mean is at most a little larger. */
static inline const struct moves_guess *
lore_moves_sift_guess(const struct moves_sift *s, size_t k, size_t field)
{
    return &s->guess[k * MOVES_FIELDS + field];
}
double lore_moves_sift_mean(const struct moves_sift *s, size_t k, size_t field);

/* What makes a candidate the best: VALUE, which must not fall when a variance or a mean of the
 * candidate's grows. It may change between two choices, but once the fields have a point only
 * downwards. WHICH: below MOVES_WISHES, the same for the same VALUE. */
struct moves_wish {
    double (*value)(const void *ctx, size_t k);
    const void *ctx;
    size_t which;
};
/* The candidate of the highest value, the first of several; n when none is left. */
size_t lore_moves_sift_best(struct moves_sift *s, const struct moves_wish *wish);
/* It is chosen: nothing more is asked of it, and the fields believe what they say of it. */
void lore_moves_sift_believe(struct moves_sift *s, size_t k);

#endif
