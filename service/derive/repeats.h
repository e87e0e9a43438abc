/* Finds earlier failed attempts in a lineage that resemble a planned idea, and summarises the
 * history of the lineage. The result warns the author; nothing is rejected. Pure functions. */
#ifndef LORE_DERIVE_REPEATS_H
#define LORE_DERIVE_REPEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/base/arena.h"

/* Text is borrowed; NULL: not recorded. Techniques are slugs, chips canonical names. */
struct lore_idea_param {
    const char *name, *from, *to; /* from: before the change */
};
struct lore_idea_use {
    const char *technique;
    const struct lore_idea_param *params;
    size_t n_params;
};
struct lore_idea {
    const struct lore_idea_use *uses;
    size_t n_uses;
    const char *text; /* the claim */
    const char *from_version, *workload, *chip;
};
/* NO_GAIN and all later values are failures. */
enum lore_attempt_end {
    LORE_ATTEMPT_PENDING,
    LORE_ATTEMPT_GAIN,
    LORE_ATTEMPT_OPEN, /* inconclusive, or a gain of 2 to 5 % */
    LORE_ATTEMPT_NO_GAIN,
    LORE_ATTEMPT_WRONG,     /* a check failed or ran out of time */
    LORE_ATTEMPT_NOT_RUN,   /* it was built and ended in an error */
    LORE_ATTEMPT_NOT_BUILT, /* it did not compile */
};
const char *lore_attempt_end_name(enum lore_attempt_end e); /* "pending", "gain", … */
struct lore_repeats_attempt {
    const char *id; /* id of the experiment */
    struct lore_idea idea;
    const char *to_version;
    enum lore_attempt_end end;
    double speedup; /* 0: not known */
};
enum lore_repeat_kind { LORE_REPEAT_NONE, LORE_REPEAT_NEAR, LORE_REPEAT_EXACT };
const char *lore_repeat_kind_name(enum lore_repeat_kind k); /* "none", "near", "exact" */
struct lore_repeat {
    enum lore_repeat_kind kind;
    const struct lore_repeats_attempt *of;
    double alike;    /* similarity of the words, 0 to 1; an idea without a text is compared by its
                      * techniques and parameters */
    size_t changes;  /* accepted changes between the two attempts */
    bool flagged;    /* the failure still applies: warn */
    const char *why; /* one sentence */
};
struct lore_repeats {
    enum lore_repeat_kind kind; /* of v[0]; NONE: no similar idea failed */
    bool flagged;
    struct lore_repeat *v; /* flagged first, then exact, then the fewest changes, then newest */
    size_t n;
    size_t elsewhere; /* similar failures on another chip or workload */
    /* the state of the lineage */
    size_t attempts, since_gain; /* finished attempts; those after the last gain, all if none */
    bool gained;
    size_t technique_tried, technique_failed; /* attempts with a technique of the idea */
    size_t recent, recent_not_built; /* among the last LORE_REPEAT_RECENT finished attempts */
};
enum { LORE_REPEAT_RECENT = 10 };
/* ATTEMPTS: oldest first. An exact repeat has the same techniques and parameters; if these are not
 * recorded, the same words. A near repeat has the same technique with overlapping parameters or
 * similar words, or has very similar words alone. An idea is no repeat if it changes a parameter in
 * the other direction, or if fewer than half of the parameters have equal new values. A failure
 * fully applies to the version that it was tried on. After N accepted changes it applies if the
 * attempt did not build or run, was wrong, or was slower by N times 10 % or more. A match of the
 * words alone never applies after a change. Small losses often become gains when the surrounding
 * code changes; large ones seldom do. Results live in ARENA. */
void lore_repeats_find(const struct lore_idea *idea, const struct lore_repeats_attempt *attempts,
    size_t n, struct lore_arena *arena, struct lore_repeats *out);

#endif
