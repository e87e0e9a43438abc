/* Compares a plan with the attempts of a kernel's lineage and with attempts elsewhere: has it
 * failed here, is it known from elsewhere, or is it new? The answer warns the author; nothing is
 * rejected. Pure functions. */
#ifndef LORE_DERIVE_REPEATS_H
#define LORE_DERIVE_REPEATS_H

#include <stdbool.h>
#include <stddef.h>

#include "service/derive/idea.h"

/* NO_GAIN and all later values did not gain; LOSS and all later ones failed. */
enum lore_attempt_end {
    LORE_ATTEMPT_PENDING,
    LORE_ATTEMPT_GAIN,
    LORE_ATTEMPT_OPEN,    /* no win and no failure: inconclusive, or a small gain */
    LORE_ATTEMPT_NO_GAIN, /* measured, and no faster or slower */
    LORE_ATTEMPT_LOSS,
    LORE_ATTEMPT_WRONG,     /* a check failed */
    LORE_ATTEMPT_TIMED_OUT, /* it, or its check, took too long */
    LORE_ATTEMPT_NOT_RUN,   /* it was built and ended in an error */
    LORE_ATTEMPT_NOT_BUILT, /* it did not compile */
};
const char *lore_attempt_end_name(enum lore_attempt_end e); /* "pending", "gain", … */
struct lore_repeats_attempt;
/* How an attempt ended: "was slower (0.93x) with tile=64". */
const char *lore_attempt_end_text(const struct lore_repeats_attempt *a, struct lore_arena *arena);
struct lore_repeats_attempt {
    const char *id; /* id of the experiment */
    struct lore_idea idea;
    const char *to_version;
    enum lore_attempt_end end;
    double speedup;           /* 0: not known */
    bool other_kernel;        /* on another kernel of the operator */
    const char *base_label;   /* of the version that it started from; NULL: none */
    const char *base_has;     /* techniques that this version shows itself, comma-separated; NULL:
                               * nothing is known */
    bool loose;               /* its log has an order; how logs follow each other is not recorded */
    bool withdrawn;           /* pending, because its result was retracted */
    const char *author, *day; /* of the explanation; NULL: not recorded */
    const char *kernel;       /* its name; NULL: the asked one */
};
enum lore_repeat_where {
    LORE_REPEAT_HERE,
    LORE_REPEAT_OTHER_WORKLOAD,
    LORE_REPEAT_OTHER_CHIP,
    LORE_REPEAT_OTHER_KERNEL
};
const char *lore_repeat_where_name(enum lore_repeat_where w); /* "here", "other_workload", … */
struct lore_repeat {
    enum lore_repeat_kind kind;
    enum lore_repeat_where where;
    const struct lore_repeats_attempt *of;
    double alike;      /* similarity of the words, 0 to 1; an idea without a text is compared by its
                        * techniques and parameters */
    size_t changes;    /* changes between what the two started from */
    bool flagged;      /* it failed here, and the failure still applies */
    const char *why;   /* one sentence */
    const char *label; /* of the version that the attempt made; NULL: lore_repeats_find leaves it */
};
enum lore_repeats_answer {
    LORE_REPEATS_NEW,
    LORE_REPEATS_STOP,      /* it failed here, and the failure still applies */
    LORE_REPEATS_WON_HERE,  /* it gained here */
    LORE_REPEATS_ELSEWHERE, /* it is known from another kernel, chip, workload or earlier version,
                             * its technique never did anything but fail here, or it was tried
                             * here and the result was retracted */
};
const char *lore_repeats_answer_name(enum lore_repeats_answer a); /* "new", "stop", … */
struct lore_repeats {
    enum lore_repeats_answer answer;
    const char *why;            /* one sentence */
    enum lore_repeat_kind kind; /* of v[0]; NONE: nothing similar was tried */
    bool flagged;
    struct lore_repeat *v; /* flagged, here, exact, the fewest changes, the newest: each first */
    size_t n;
    size_t won_elsewhere, no_gain_elsewhere, failed_elsewhere;
    size_t withdrawn; /* similar attempts here whose result was retracted; not in v */
    /* the state of the lineage */
    size_t attempts, since_gain; /* finished attempts; those after the last gain, all if none */
    size_t gains;
    bool gained;
    bool unordered; /* of several logs: which gain was the last is not known; since_gain is 0 */
    /* attempts that introduced a technique of the idea; other values of one are not among them */
    size_t technique_tried, technique_failed;
    struct lore_repeats_tally *tallies; /* one per technique of the idea */
    size_t n_tallies;
    size_t recent, recent_not_built; /* among the last LORE_REPEAT_RECENT finished attempts */
};
enum { LORE_REPEAT_RECENT = 10 };
/* What became of one technique of the plan, on the chip of the plan if it names one. An attempt
 * that only changed a parameter of a technique which its base version has says something of that
 * value and nothing of the technique. */
struct lore_repeats_tally {
    const char *technique;
    size_t tried, won, no_gain, failed;      /* attempts here that introduced it */
    size_t values, values_won;               /* attempts here at another value of it */
    size_t other_chips, other_chips_won;     /* attempts that introduced it on other chips */
    const struct lore_repeats_attempt *best; /* the largest win that introduced it; NULL: none */
    const char *text;                        /* all of it in words; "": nobody tried it */
};
/* Count the N attempts at TECHNIQUE, on any chip and kernel. No text is set. */
void lore_repeats_count(const struct lore_repeats_attempt *attempts, size_t n,
    const char *technique, struct lore_arena *arena, struct lore_repeats_tally *out);
/* Attempts with their words parsed: read once, asked about many plans. */
struct lore_repeats_past;
/* ATTEMPTS: oldest first; borrowed. The result lives in ARENA. */
struct lore_repeats_past *
lore_repeats_read(const struct lore_repeats_attempt *attempts, size_t n, struct lore_arena *arena);
/* A failure fully applies to the version that it was tried on. After N changes it applies
 * if the words are (nearly) the same, if the same parameters did not build or run or were wrong, or
 * if it was slower by N times 15 % or more. Other matches of the words alone never apply after a
 * change. Small losses often become gains when the surrounding code changes; large ones seldom do.
 * A result without a gain stops only the same idea again, and a plan that names no kernel continues
 * no attempt, so nothing stops it. Results live in ARENA. */
void lore_repeats_find(const struct lore_idea *idea, const struct lore_repeats_past *past,
    struct lore_arena *arena, struct lore_repeats *out);

#endif
