/* The facts about one experiment as input for the rules of service/derive, read once for all
 * verdicts (gather.c, gather_process.c). Private to this folder. All pointers are into the
 * arena. */
#ifndef LORE_VERDICTS_GATHER_H
#define LORE_VERDICTS_GATHER_H

#include "service/derive/noise.h"
#include "service/derive/technique_verdict.h"
#include "service/verdicts/verdicts.h"

/* An applied technique of the experiment, and whether its signature was found in the machine
 * code. */
struct lore_gathered_technique {
    int64_t position;
    const char *technique;
    enum lore_signature_state isa;
};
/* A run with metrics: its index in `runs`, and the stored run, with `samples` and `rest` NULL. */
struct lore_gathered_profile {
    size_t run;
    struct lore_fact_run stored;
};
struct lore_gathered {
    struct lore_fact_experiment x;
    struct lore_outcome_in in;
    struct lore_side_measurements measured[2]; /* before, after */
    struct lore_gathered_technique *uses;
    size_t n_uses, cap_uses;
    struct lore_hypothesis_row claim; /* the hypothesis; zeroed without one */
    struct lore_process_run *runs;
    size_t n_runs, cap_runs;
    struct lore_gathered_profile *profiles;
    size_t n_profiles, cap_profiles;
    int64_t first_after;          /* seq of the earliest stored run after the change; 0: none */
    int64_t first_after_document; /* the submission of that run */
};
/* Read the facts of EXPERIMENT. RULES: also read the facts that only process rules need; without it
 * most of in.process stays unset. */
enum lore_status lore_gather(struct lore_db *db, const char *experiment, bool rules,
    struct lore_arena *a, struct lore_gathered *out, struct lore_err *err) LORE_MUST;

/* Add the result of a correctness check. OUT holds sixteen results; when it is full, a failure or
 * timeout replaces the last one. */
void lore_gather_check(struct lore_outcome_in *out, enum lore_check check);
/* The timing method that a run states. */
struct lore_gathered_method {
    bool in_turns;         /* `order`: its samples alternate with those of another version */
    struct lore_f64 floor; /* `noise_floor_pct`, as a fraction */
};
/* gather_process.c: parse REST, the fields of a run without a column: check, source hash, timing
 * method. */
enum lore_status
lore_gather_run(const char *rest, struct lore_arena *a, struct lore_process_run *out,
    struct lore_gathered_method *method, struct lore_err *err) LORE_MUST;
/* Read the facts that process rules need beside the runs of both sides into G->in.process. */
enum lore_status lore_gather_process(struct lore_db *db, struct lore_gathered *g,
    struct lore_arena *a, struct lore_err *err) LORE_MUST;

/* bottleneck.c: derive the bottleneck from the metrics in G and replace the stored one. */
enum lore_status lore_judge_bottleneck(struct lore_db *db, const struct lore_gathered *g,
    struct lore_arena *a, struct lore_err *err) LORE_MUST;
/* techniques.c: judge the techniques of G, given OUTCOME, and replace the stored verdicts. */
enum lore_status
lore_judge_techniques(struct lore_db *db, const char *experiment, const struct lore_gathered *g,
    const struct lore_outcome *outcome, struct lore_arena *a, struct lore_err *err) LORE_MUST;

#endif
