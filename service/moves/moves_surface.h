/* How fast the configurations around one are on every place, as one Gaussian field:
 * moves_surface.c. Private to moves/. */
#ifndef LORE_MOVES_MOVES_SURFACE_H
#define LORE_MOVES_MOVES_SURFACE_H

#include "service/moves/moves_cells.h"
#include "service/moves/moves_kin.h"

enum { SURFACE_POINTS = 192 };
struct moves_known { /* a result near the configuration asked about */
    const struct moves_cell *cell;
    uint32_t at;
    float v; /* ln fraction of the best there; -INFINITY: it failed */
    float near;
};
struct moves_surface {
    const struct moves_numbers *num;
    const struct moves_op *op;
    const struct lore_moves *m;
    uint32_t target;               /* the place asked about */
    const double *kin[GRAINS];     /* per cell of the operator: with that place */
    struct moves_known *known;     /* nearest first */
    size_t n, n_ran;               /* those that ran come first */
    float *coord;                  /* per result and parameter */
    const size_t *which;           /* per result that ran: its place among those */
    const double *between[GRAINS]; /* kin of each two of these places */
    size_t n_cells;                /* these places */
    double *root, *rest;           /* Cholesky factor; whitened results */
    double scale;                  /* of the field's variances */
    const float *from;    /* where one stands: coordinates, whitened covariances, what the */
    const double *from_k; /* field says of ln fraction */
    double fraction;
};
/* A question for results near state AT: at most MOST from other places than EXCEPT's (NULL: from
 * all places), then at most OWN from EXCEPT's place. */
struct moves_around {
    uint32_t op, at, target;
    const struct moves_cell *except;
    size_t most, own;
};
void lore_moves_around(const struct lore_moves *m, const struct moves_around *a,
    struct lore_arena *arena, struct moves_surface *out);
/* Solve it under the numbers it has. */
void lore_moves_solve_surface(struct moves_surface *s, struct lore_arena *arena);
/* By what its variances are off, as the first N results say. */
double lore_moves_scale(const struct moves_surface *s, size_t n);
struct moves_effect {      /* of a change, on the place asked about */
    double mean, variance; /* of ln speedup */
    double fail;           /* of the results like it the share that failed, on the vendor's chips */
    double effective;      /* results that it rests on */
    double fraction;       /* ln, where it starts from */
    enum lore_moves_reach reach;
};
void lore_moves_stand(struct moves_surface *s, uint32_t at, struct lore_arena *arena);
void lore_moves_effect(
    const struct moves_surface *s, uint32_t to, struct lore_arena *arena, struct moves_effect *out);

#endif
