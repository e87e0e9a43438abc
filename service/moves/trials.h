/* What was tried of which version, where, and how it went: versions as configurations of the model
 * of moves (moves.h), their runs as times of places (a chip and a workload), and experiments that
 * change one parameter as moves. Pure; the owner (service/ingest/indexes_moves.h) locks it. */
#ifndef LORE_MOVES_TRIALS_H
#define LORE_MOVES_TRIALS_H

#include "service/catalogue/catalogue.h"
#include "service/moves/moves.h"
#include "service/wire/feed.h"

struct lore_trials;
struct lore_trials *lore_trials_new(void);
void lore_trials_free(struct lore_trials *t);
/* The model; its numbers may be set. */
struct lore_moves *lore_trials_model(struct lore_trials *t);

/* Texts are copied. Versions come before their runs, and runs before their experiments; what names
 * a version that was not told is left out. Of two versions of one kernel with the same parameters
 * the second is a configuration of its own: they differ in something that nobody recorded. Under
 * another kernel's id, with the same kernel name, it is the same one in another language. */
void lore_trials_version(struct lore_trials *t, const struct lore_trial_version *v);

/* Of several runs of a configuration in one place those of the best evidence class count: a result
 * that was wrong, and not right later, is a failure; else the median of the times; else a failure
 * when there is an error. */
void lore_trials_run(struct lore_trials *t, const struct lore_trial_run *r);

/* An experiment that counts, between two versions whose settings differ in one parameter; others
 * are ignored: what the change is called, and of a version without a run in that place its time, by
 * the other's. True: it is such a one. */
bool lore_trials_move(struct lore_trials *t, const struct lore_trial_move *m);
/* Whether the time of a version of M rests on an experiment. What was told cannot be taken back:
 * who must forget it fills a new memory. */
bool lore_trials_told(struct lore_trials *t, const struct lore_trial_move *m);
/* All configurations of a sweep, as runs. PAUSE (may be NULL) is called now and then between two
 * changes. */
typedef void (*lore_trials_pause)(void *ctx);
void lore_trials_sweep(
    struct lore_trials *t, const struct lore_trial_sweep *s, lore_trials_pause pause, void *ctx);
/* A sweep that has configuration STATE, and its number there. False: no sweep has it. */
struct lore_trial_config {
    const char *sweep; /* id; NULL: none */
    struct lore_i64 number;
};
bool lore_trials_in_sweep(const struct lore_trials *t, uint32_t state, struct lore_arena *arena,
    struct lore_trial_config *out);
size_t lore_trials_size(const struct lore_trials *t); /* versions and results */
/* Group what came; needed before the first question after it. */
void lore_trials_index(struct lore_trials *t);

/* The configuration of a version; NONE: not known, or without parameters and never run. */
uint32_t lore_trials_state(const struct lore_trials *t, const char *version);
/* A version of a configuration in one of LANGUAGES (bits, 1 << language): the oldest of the kernel
 * of version LIKE (may be NULL), else the oldest. NULL: none; speaks: whether there is one. */
#define LORE_TRIAL_ANY_LANGUAGE UINT32_MAX
const char *lore_trials_version_of(const struct lore_trials *t, uint32_t state, const char *like,
    uint32_t languages, struct lore_arena *arena);
bool lore_trials_speaks(const struct lore_trials *t, uint32_t state, uint32_t languages);
/* The time of a configuration in a place: 0 not measured, below 0 failed. EVIDENCE: of it; may be
 * NULL. */
double lore_trials_time(
    const struct lore_trials *t, uint32_t state, uint32_t place, enum lore_evidence *evidence);
/* What changing parameter PARAM (of the model) of an operator is called; NULL: nobody called it. */
const char *lore_trials_technique(const struct lore_trials *t, const char *op, size_t param);

#endif
