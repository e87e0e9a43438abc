/* The facts about one experiment in the form that the rules take, gathered once for all verdicts
 * (gather.c, gather_process.c). For the files of this folder. Everything lives in the arena. */
#ifndef LORE_VERDICTS_GATHER_H
#define LORE_VERDICTS_GATHER_H

#include "service/derive/noise.h"
#include "service/derive/technique_verdict.h"
#include "service/verdicts/verdicts.h"

/* A technique of the experiment that was applied, and the last word on it in the code. */
struct lore_gathered_use {
    int64_t position;
    const char *technique;
    enum lore_signature_state isa;
};
/* A run with metrics: its place in `runs`, and the run as stored (without samples and rest). */
struct lore_gathered_profile {
    size_t run;
    struct lore_fact_run stored;
};
struct lore_gathered {
    struct lore_fact_experiment x;
    struct lore_outcome_in in;
    struct lore_verdicts_measured measured[2]; /* before, after */
    struct lore_gathered_use *uses;
    size_t n_uses, cap_uses;
    struct lore_hypothesis_row claim; /* the hypothesis; zeroed without one */
    struct lore_process_run *runs;
    size_t n_runs, cap_runs;
    struct lore_gathered_profile *profiles;
    size_t n_profiles, cap_profiles;
    int64_t first_after;          /* seq of the first run after that was stored; 0: none */
    int64_t first_after_document; /* its submission */
};
/* RULES: also what only the rules of process need; else in.process stays as the sides leave it. */
enum lore_status lore_gather(struct lore_db *db, const char *experiment, bool rules,
    struct lore_arena *a, struct lore_gathered *out, struct lore_err *err) LORE_MUST;

/* One more result of a check. Room for sixteen; a bad result is never the one left out. */
void lore_gather_check(struct lore_outcome_in *out, enum lore_check check);
/* How a run says that it was measured. */
struct lore_gathered_method {
    bool in_turns;         /* `order`: with those of another version */
    struct lore_f64 floor; /* `noise_floor_pct`, as a fraction */
};
/* gather_process.c: what a run's REST says about its check, its source and its method. */
enum lore_status
lore_gather_run(const char *rest, struct lore_arena *a, struct lore_process_run *out,
    struct lore_gathered_method *method, struct lore_err *err) LORE_MUST;
/* What the rules of process.h need beside the two sides, into G->in.process. */
enum lore_status lore_gather_process(struct lore_db *db, struct lore_gathered *g,
    struct lore_arena *a, struct lore_err *err) LORE_MUST;

/* bottleneck.c: the bottleneck that G leads to, stored in place of the one before. */
enum lore_status lore_judge_bottleneck(struct lore_db *db, const struct lore_gathered *g,
    struct lore_arena *a, struct lore_err *err) LORE_MUST;
/* techniques.c: verdicts on the techniques of G by OUTCOME, stored in place of those before. */
enum lore_status
lore_judge_techniques(struct lore_db *db, const char *experiment, const struct lore_gathered *g,
    const struct lore_outcome *outcome, struct lore_arena *a, struct lore_err *err) LORE_MUST;

#endif
