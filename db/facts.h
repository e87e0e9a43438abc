/* The facts about one experiment that its verdicts are made from, gathered once for all of them
 * (outcome_in.c, process_in.c). For the files of this folder. Everything lives in the arena. */
#ifndef LORE_DB_FACTS_H
#define LORE_DB_FACTS_H

#include "db/internal.h"
#include "db/verdicts.h"
#include "service/derive/noise.h"
#include "service/derive/technique_verdict.h"

/* A technique of the experiment that was applied, and the last word on it in the code. */
struct lore_fact_use {
    int64_t position;
    const char *technique;
    enum lore_signature_state isa;
};
/* The metrics of runs[run] as stored, and its id. */
struct lore_fact_profile {
    size_t run, len;
    const void *packed;
    const char *id;
};
struct lore_facts {
    int64_t seq;
    const char *kernel, *hypothesis, *from_version, *to_version, *rest, *campaign; /* rests: JSON */
    const char *chip;     /* NULL: not recorded */
    int64_t document;     /* its submission */
    bool stands;          /* a verdict is in force: it was judged before */
    bool says_bottleneck; /* in labels, or in words that none of them means */
    enum lore_evidence evidence;
    struct lore_outcome_in in;
    struct lore_measured measured[2]; /* before, after */
    struct lore_metrics stated_before;
    struct lore_fact_use *uses;
    size_t n_uses, cap_uses;
    struct lore_hypothesis_row claim; /* the hypothesis; zeroed without one */
    struct lore_process_run *runs;
    size_t n_runs, cap_runs;
    struct lore_fact_profile *profiles;
    size_t n_profiles, cap_profiles;
    int64_t first_after;          /* seq of the first run after that was stored; 0: none */
    int64_t first_after_document; /* its submission */
};
/* RULES: also what only the rules of process need; else in.process stays as the sides leave it. */
enum lore_status lore_facts_get(struct lore_db *db, const char *experiment, bool rules,
    struct lore_arena *a, struct lore_facts *out, struct lore_err *err) LORE_MUST;

/* One more result of a check. Room for sixteen; a bad result is never the one left out. */
void lore_facts_check(struct lore_outcome_in *out, enum lore_check check);
/* How a run says that it was measured. */
struct lore_fact_method {
    bool in_turns;         /* `order`: with those of another version */
    struct lore_f64 floor; /* `noise_floor_pct`, as a fraction */
};
/* process_in.c: what a run's REST says about its check, its source and its method. */
enum lore_status lore_facts_run(const char *rest, struct lore_arena *a,
    struct lore_process_run *out, struct lore_fact_method *method, struct lore_err *err) LORE_MUST;
/* What the rules of process.h need beside the two sides, into F->in.process. */
enum lore_status lore_facts_process(
    struct lore_db *db, struct lore_facts *f, struct lore_arena *a, struct lore_err *err) LORE_MUST;
/* bottleneck.c: the row of drv_bottleneck that F leads to in place of the one before. */
enum lore_status lore_judge_bottleneck(
    struct lore_db *db, const struct lore_facts *f, struct lore_arena *a, struct lore_err *err);
/* technique_verdict.c: verdicts of F by OUTCOME, stored in place of those before. */
enum lore_status
lore_judge_techniques(struct lore_db *db, const char *experiment, const struct lore_facts *f,
    const struct lore_outcome *outcome, struct lore_arena *a, struct lore_err *err) LORE_MUST;

#endif
