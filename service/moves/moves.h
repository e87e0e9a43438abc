/* Experience as moves: from a configuration (parameter -> value) one parameter changes from a to b
 * on a chip, and it gains, loses or fails. From measured moves and absolute times of other chips
 * this predicts moves on a chip, and ranks the configurations to start from. Pure: no database.
 *
 * Life: new, then chip/state/time/tried in any order, fit, predict and starts; more evidence after
 * fit is used after lore_moves_index, with the numbers that fit learned. Everything lives in the
 * arena given to new. moves_surface.c forecasts a change, moves_learn.c trains the numbers;
 * moves_predict.h and moves_start.h answer questions. */
#ifndef LORE_MOVES_MOVES_H
#define LORE_MOVES_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"
#include "service/wire/feed.h"

enum { LORE_MOVES_PARAMS = 24 }; /* parameters of one operator; more are not told apart */
#define LORE_MOVES_NONE UINT32_MAX

/* A place: a chip and what it works on. Times are comparable within one operator and place only.
 * Texts are copied; NULL or 0: not known. */
struct lore_moves_chip {
    const char *name, *vendor, *arch, *isa;
    const char *workload; /* id */
    double size;          /* log2 of the problem's size */
};
enum lore_moves_reach {        /* where the nearest evidence of this operator comes from */
    LORE_MOVES_SAME_CHIP,      /* and workload */
    LORE_MOVES_OTHER_WORKLOAD, /* of the same chip */
    LORE_MOVES_SAME_ISA,
    LORE_MOVES_SAME_ARCH,
    LORE_MOVES_SAME_VENDOR,
    LORE_MOVES_OTHER_VENDOR,
    LORE_MOVES_NO_EVIDENCE /* of this operator; the forecast is the base rate */
};
/* "same chip", "same ISA", … */
const char *lore_moves_reach_name(enum lore_moves_reach r);

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
/* A change whose two times were not both told: ln(time before / time after), or that it failed. It
 * says what the one time is by the other; without any it says nothing. Changes of no or several
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

#endif
