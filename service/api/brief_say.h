/* Private to brief_lines.c and brief_advice.c, which say the sections of a brief. */
#ifndef LORE_API_BRIEF_SAY_H
#define LORE_API_BRIEF_SAY_H

#include "service/api/brief.h"

struct saying {
    struct lore_brief_facts *f;
    struct lore_brief *to;
    struct lore_arena *arena;
    size_t said[LORE_BRIEF_SECTIONS];
    const char *better; /* name and cite of a faster kernel, or one at a higher rate, that was
                           named; NULL: none */
    bool may_start;     /* from it: it is in the language of the version */
};
/* Note that the leader of R is better than the version. */
void lore_brief_note_better(struct saying *s, const struct lore_board_row *r);

/* Append a line. */
void lore_brief_add(struct saying *s, enum lore_brief_section section, const char *text);
#define SAY(s, section, ...) lore_brief_add((s), (section), lore_format((s)->arena, __VA_ARGS__))
/* The first sentence of TEXT, of limited length, on one line. */
const char *lore_brief_sentence(struct lore_arena *arena, const char *text);
/* NAME:LABEL where `show` finds this version by it, else its id. */
const char *lore_brief_cite(struct saying *s, const struct lore_version_row *v);
/* "block_size=128 unroll=4", at most some 200 bytes (brief_advice.c) */
const char *lore_brief_params(struct saying *s, const struct lore_kvs *params);
/* "softmax v3": a version by the names that people know, else its id. */
const char *lore_brief_name(struct saying *s, const struct lore_version_row *v);
/* "3 attempts" */
const char *lore_brief_count(struct saying *s, size_t n, const char *noun);

/* The same for the version with the id VERSION. */
const char *lore_brief_cite_id(struct saying *s, const char *version);
/* brief_best.c. "; recorded in it and not in this one: compute.tensor_core": what VERSION adds to
 * the version that the brief is about; empty when it adds nothing. */
const char *lore_brief_adds(struct saying *s, const char *version);
/* A version of the operator that is clearly nearer to the limit of the chip, at
 * another shape. */
void lore_brief_say_nearer(struct saying *s);
/* Where no version was timed: the version that the largest claim is about, else the newest stored
 * one that can run at the place. */
void lore_brief_say_stored(struct saying *s);
/* brief_gain.c: "1.31x", or "typically 3 to 9x as stated"; NULL: no gain is known. */
const char *lore_brief_gain(struct saying *s, const struct lore_experiment_row *e);
/* The typical range that an experiment states; NULL: none. */
const char *lore_brief_range(struct saying *s, const char *experiment);
/* Why A is advised, with RANGE (NULL: as it is) in place of its MIDDLE, and without a median over
 * gains of which one is only stated. */
const char *
lore_brief_why(struct saying *s, const struct lore_advice *a, const char *range, double middle);

/* "Wins 68 % (42-88 %), expect 1.13x (1.02-1.30x)."; a wide interval says nothing.
 * (brief_advice.c) */
const char *lore_brief_odds(struct saying *s, const struct lore_advice *a);
#define LORE_BRIEF_SHARE 0.98 /* a time that differs by 2 % differs */

/* brief_library.c: a sentence, where the library that R is compared with is far slower than
 * libraries are at like work on the chip; "": it is not, or too little is known. */
const char *lore_brief_doubt_library(struct saying *s, const struct lore_board_row *r);

/* brief_dead.c: what failed on this kernel, and what fails elsewhere. */
void lore_brief_say_dead(struct saying *s);
/* brief_has.c: the entry of VERSION in the history that the brief read; NULL: none. */
const struct lore_history_version *
lore_brief_entry(const struct lore_history *h, const char *version);
/* The techniques in the version. */
void lore_brief_say_has(struct saying *s);

/* brief_lessons.c: the lessons; ideas of notes on the operator. */
void lore_brief_say_lessons(struct saying *s);
enum lore_status lore_brief_say_noted(struct saying *s, struct lore_err *err) LORE_MUST;
/* brief_tune.c: other values of what the version has. */
void lore_brief_say_tune(struct saying *s);
/* After some attempts without a gain: how often such a state led to one. */
void lore_brief_say_since_gain(struct saying *s);
/* brief_advice.c: what to try, dead ends, lessons, what to check. */
enum lore_status lore_brief_say_advice(struct saying *s, struct lore_err *err) LORE_MUST;

#endif
