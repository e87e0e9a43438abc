/* The two sides of an experiment as pairs, when their samples were taken in turns (pairing.c). */
#ifndef LORE_API_PAIRING_H
#define LORE_API_PAIRING_H

#include "db/query.h"
#include "service/derive/paired.h"

enum { LORE_PAIRING_MAX = 1000 }; /* pairs that are compared: the first of each side */
struct lore_pairing {
    struct lore_pairing_side {
        size_t runs, n, of; /* of: samples of the run, n: samples copied */
        bool in_turns;
        int64_t *samples_ns;
        const char *workload, *environment; /* NULL: not recorded */
    } side[2];
};
/* Add a run; AFTER is 1 for a run after the change, else 0. Samples are copied into ARENA. */
void lore_pairing_add(
    struct lore_pairing *p, int after, const struct lore_run_row *run, struct lore_arena *arena);
/* False unless each side is one run and both were taken in turns, with equally many samples, on one
 * workload in one environment. */
bool lore_pairing_compare(const struct lore_pairing *p, const char *experiment,
    struct lore_arena *arena, struct lore_paired *out);

#endif
