/* Experience as moves: from a configuration (parameter -> value) one parameter changes from a to b
 * on a chip, and it gains, loses or fails. From measured moves and absolute times of other chips
 * this predicts moves on a chip, and ranks the configurations to start from. Pure: no database.
 *
 * Life: new, then chip/state/time/tried in any order, fit, predict and starts; more evidence after
 * fit is used after lore_moves_index, with the numbers that fit learned. Everything lives in the
 * arena given to new. What is learned, and how: moves_fit.c; how sources are weighed:
 * moves_chips.c.
 */
#ifndef LORE_MOVES_H
#define LORE_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"

enum { LORE_MOVES_PARAMS = 24 }; /* parameters of one operator; more are not told apart */
#define LORE_MOVES_NONE UINT32_MAX

/* A place: a chip and what it works on. Times are comparable within one operator and place only.
 * Texts are copied; NULL or 0: not known. */
struct lore_moves_chip {
    const char *name, *vendor, *arch, *isa;
    double units, bandwidth_gbs;
    const char *workload; /* id */
    double size;          /* log2 of the problem's size */
};
struct lore_moves_setting {
    const char *param, *text; /* text NULL: a number */
    double number;
};
struct lore_moves;
struct lore_moves *lore_moves_new(struct lore_arena *arena);
/* The id of a place: the same name and workload are one. NONE: more places than are told apart. */
uint32_t lore_moves_chip(struct lore_moves *m, const struct lore_moves_chip *chip);
/* The id of a configuration of OP; equal settings give the same id, whatever their order. */
uint32_t lore_moves_state(
    struct lore_moves *m, const char *op, const struct lore_moves_setting *settings, size_t n);
/* An absolute time in any unit that is the same for all of one operator and place; 0: it failed.
 * Told again it replaces the earlier word. */
void lore_moves_time(struct lore_moves *m, uint32_t state, uint32_t chip, double time);
/* A measured move: ln(time before / time after), or that it failed. Told once, it also tells the
 * way back; told again, either way, it replaces the earlier word. Moves that change no or several
 * parameters are left out: false. */
bool lore_moves_tried(struct lore_moves *m, uint32_t chip, uint32_t from, uint32_t to,
    double log_speedup, bool failed);
/* Groups what was added since. */
void lore_moves_index(struct lore_moves *m);
/* Index, and learn every number from what is there, by leaving one chip out after the other. Before
 * it, or lore_moves_numbers_set, predictions rest on numbers that are only sensible. */
void lore_moves_fit(struct lore_moves *m);
/* The numbers in use as JSON, in ARENA; and back: LORE_INVALID, naming what is wrong, when they are
 * not such numbers, and the ones in use stay. */
const char *lore_moves_numbers(const struct lore_moves *m, struct lore_arena *arena);
enum lore_status
lore_moves_numbers_set(struct lore_moves *m, const char *json, struct lore_err *err) LORE_MUST;

enum lore_moves_reach {        /* where the nearest evidence of this operator comes from */
    LORE_MOVES_SAME_CHIP,      /* and workload */
    LORE_MOVES_OTHER_WORKLOAD, /* of the same chip */
    LORE_MOVES_SAME_ISA,
    LORE_MOVES_SAME_ARCH,
    LORE_MOVES_SAME_VENDOR,
    LORE_MOVES_OTHER_VENDOR,
    LORE_MOVES_NO_EVIDENCE /* of this operator: what is said is the base rate */
};
struct lore_moves_forecast {
    double p_gain; /* of more than 5 % */
    double p_fail;
    double expected;  /* ln speedup, when it runs */
    double low, high; /* 90 % of it */
    double effective; /* measured moves that this rests on, after weighing */
    double rate;      /* of the technique (parameter and direction) alone */
    enum lore_moves_reach reach;
    bool abstains; /* too little is known to advise */
};
/* Forecasts for FROM -> TO[i] on CHIP into OUT[n]. */
void lore_moves_predict(const struct lore_moves *m, uint32_t chip, uint32_t from,
    const uint32_t *to, size_t n, struct lore_moves_forecast *out);

struct lore_moves_start {
    uint32_t state;
    double fraction, low, high; /* of the optimum, best time / its time; 90 % */
    double p_fail;
};
struct lore_moves_among { /* some configurations of an operator */
    bool (*has)(const void *ctx, uint32_t state);
    const void *ctx;
    size_t n; /* how many there are */
};
/* The configurations of OP to measure next on CHIP, best first, at most LIMIT, each chosen for what
 * it adds to the ones before it and to what was measured on CHIP; none that failed on a chip of the
 * same vendor. AMONG: only these (NULL: any that is known). Returns how many. */
size_t lore_moves_starts(const struct lore_moves *m, const char *op, uint32_t chip,
    const struct lore_moves_among *among, size_t limit, struct lore_arena *arena,
    struct lore_moves_start *out);

#endif
