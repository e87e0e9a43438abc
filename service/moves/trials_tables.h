/* What trials.h keeps. Private to moves/. */
#ifndef LORE_MOVES_TRIALS_TABLES_H
#define LORE_MOVES_TRIALS_TABLES_H

#include "service/base/arena.h"
#include "service/base/intern.h"
#include "service/base/ulid.h"

#define TRIAL_END UINT32_MAX /* of a chain */

struct trial_version {
    unsigned char id[LORE_ULID_BYTES];
    uint32_t state, next; /* next: version of the same state */
    uint32_t kernel, op;  /* interned */
    uint32_t language;    /* a bit */
};
enum trial_end { TRIAL_RAN, TRIAL_RIGHT, TRIAL_WRONG, TRIAL_ERROR };
struct trial_run {
    uint32_t next; /* of the same configuration in the same place */
    float time_ns;
    uint8_t evidence, end;
};
struct trial_spot {                   /* a configuration in a place where it was run */
    uint32_t state, place, next, run; /* next: of the same configuration; run: the newest */
};
enum { TRIAL_KINDS = 62 }; /* kinds of workloads that have a bit of their own */
struct trial_place_kind {
    uint32_t kind; /* + 1; 0: not known */
    bool joined;   /* a configuration ran there */
};
struct trial_tally {                        /* configurations of an operator that have run */
    uint32_t any, unknown, of[TRIAL_KINDS]; /* of: by kind, without those counted as unknown */
};
struct trial_config {       /* where a configuration stands that no version may have */
    uint32_t sweep, number; /* sweep: + 1; 0: in none */
};
struct trial_sweep {
    unsigned char id[LORE_ULID_BYTES];
};
struct trial_kinds {
    struct lore_intern names;
    struct trial_place_kind *place;
    uint32_t *work;            /* per workload of the model: kind + 1 */
    uint64_t *mask;            /* per state */
    struct trial_tally *tally; /* per operator of the model */
    size_t cap_place, cap_work, cap_mask, cap_tally;
};
struct lore_trials {
    struct lore_arena arena; /* the model's */
    struct lore_moves *moves;
    struct lore_intern names; /* kernels, operators, places, techniques */
    struct trial_version *version;
    uint32_t *version_slot, *first_version, *languages; /* per state: the last two */
    size_t n_versions, cap_versions, n_slots, cap_first_version, cap_languages;
    struct trial_run *run;
    size_t n_runs, cap_runs;
    struct trial_spot *spot;
    uint32_t *spot_slot, *first_spot; /* first_spot: per state */
    size_t n_spots, cap_spots, n_spot_slots, cap_first_spot;
    uint32_t *place; /* per interned name: id + 1 */
    size_t cap_places;
    struct trial_kinds kinds;
    struct trial_sweep *sweep;
    struct trial_config *config; /* per state */
    size_t n_sweeps, cap_sweeps, cap_config;
    uint32_t *called; /* per interned operator and parameter: technique + 1 */
    size_t cap_called;
};

/* An array V of *CAP elements of SIZE with room for element AT; what is new is filled with BYTE. */
void *lore_trials_room(void *v, size_t at, size_t *cap, size_t size, int byte);
static inline uint32_t
lore_trials_first_spot(const struct lore_trials *t, uint32_t state)
{
    return state < t->cap_first_spot ? t->first_spot[state] : TRIAL_END;
}

#endif
