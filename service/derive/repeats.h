/* "This failed here before": a planned idea against the attempts of one lineage, and what its
 * history says of the next attempt. A warning, never a veto. Pure. */
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
/* Failures from SLOWER on. A gain, an even result and one that is not there yet are none. */
enum lore_attempt_end {
    LORE_AT_PENDING,
    LORE_AT_GAIN,
    LORE_AT_EVEN, /* nearly the same, or nobody can tell */
    LORE_AT_SLOWER,
    LORE_AT_WRONG,     /* a check failed or ran out of time */
    LORE_AT_NOT_RUN,   /* it was built and ended in an error */
    LORE_AT_NOT_BUILT, /* it did not compile */
};
const char *lore_attempt_end_name(enum lore_attempt_end e); /* "pending", "gain", … */
struct lore_repeats_attempt {
    const char *id; /* experiment */
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
    double alike;    /* of the words, 0 to 1; 0 also where one of them has none */
    size_t changes;  /* accepted between the two */
    bool flagged;    /* it still counts: warn */
    const char *why; /* one sentence */
};
struct lore_repeats {
    enum lore_repeat_kind kind; /* of the first; NONE: no similar idea failed here */
    bool flagged;
    struct lore_repeat *v; /* flagged first, then exact, then the fewest changes, then newest */
    size_t n;
    size_t elsewhere; /* would be one, but on another chip or workload */
    /* the state of the lineage */
    size_t attempts, since_gain; /* that ended; after the last gain (all when none gained) */
    bool gained;
    size_t technique_tried, technique_failed; /* with a technique of the idea */
    size_t recent, recent_not_built;          /* among the last LORE_REPEAT_RECENT that ended */
};
enum { LORE_REPEAT_RECENT = 10 };
/* ATTEMPTS: oldest first. An exact repeat has the same techniques and parameters, or where those
 * are not recorded the same words. A near one has the same technique and parameters that overlap,
 * the same technique in similar words, or very similar words alone; never one that moves a
 * parameter the other way or to another value. A failure counts in full for the version it was
 * tried on. After N accepted changes it counts when it did not run or was wrong, or was slower by N
 * times 10 % and more: small losses turn into gains when the code around them changes, large ones
 * seldom. Results live in ARENA. */
void lore_repeats_find(const struct lore_idea *idea, const struct lore_repeats_attempt *attempts,
    size_t n, struct lore_arena *arena, struct lore_repeats *out);

#endif
