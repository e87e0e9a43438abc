/* The standing of records after curations: reviews, retractions, masks, merge groups (curation.c,
 * curated.c, experiment_facets.c). Results live in the given arena. */
#ifndef LORE_DB_STANDING_H
#define LORE_DB_STANDING_H

#include "service/base/arena.h"
#include "service/wire/wire.h"

struct lore_db;
/* A stored record by its id: its kind, its submission and the actor. */
struct lore_found {
    enum lore_kind kind;
    const char *document, *actor;
};
enum lore_status lore_db_find_record(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_found *out, struct lore_err *err) LORE_MUST;
/* *out: whether anyone but the token or agent OWNER brought a record under ID. True when its
 * owner is unknown; false when there is no such record. */
enum lore_status lore_record_of_others(struct lore_db *db, const char *id, const char *owner,
    bool *out, struct lore_err *err) LORE_MUST;
/* curation.c: the runs, experiments, insights, attributions, verifications, sweeps and specs that
 * BY, a token, an agent or the author of a document, brought since SINCE_US and that count; at most
 * LORE_MAX_SUBJECTS + 1. */
enum lore_status lore_db_list_brought(struct lore_db *db, const char *by, int64_t since_us,
    struct lore_arena *a, struct lore_texts *out, struct lore_err *err) LORE_MUST;
/* The last decisions on a record, and what the service found: its review state (NULL: never
 * reviewed) and its retraction. reviewer: the actor of the review. */
struct lore_standing {
    const char *review, *reviewer, *review_reason;
    bool retracted;
    const char *retraction, *retraction_id; /* reason and decision */
    const char *beyond; /* why its time is impossible, so that it does not count; NULL: not */
    bool copy;          /* a run or experiment that repeats another, which counts instead */
};
enum lore_status lore_db_get_standing(struct lore_db *db, const char *record, struct lore_arena *a,
    struct lore_standing *out, struct lore_err *err) LORE_MUST;
/* checks.c: who brought RECORD, a run or experiment that disputes a version, and what it says. */
struct lore_dispute {
    const char *record, *by, *why; /* why NULL: nothing */
};
enum lore_status lore_db_get_dispute(struct lore_db *db, const char *record, struct lore_arena *a,
    struct lore_dispute *out, struct lore_err *err) LORE_MUST;
/* Whether an experiment is hidden from recommendations: masked, retracted, merged into another, or
 * ending in a retracted version. */
enum lore_status lore_db_get_hidden(
    struct lore_db *db, const char *experiment, bool *hidden, struct lore_err *err) LORE_MUST;
/* The first reason that holds: "retracted" (it, or its version), "masked", "merged", "copy",
 * "beyond_ceiling"; NULL: it is not hidden. */
enum lore_status lore_db_get_hidden_why(
    struct lore_db *db, const char *experiment, const char **why, struct lore_err *err) LORE_MUST;
/* The merge group of an experiment: the curation id of the merge; NULL when there is none, or it
 * was undone. */
enum lore_status lore_db_get_merge(struct lore_db *db, const char *experiment, struct lore_arena *a,
    const char **merge, const char **canonical, struct lore_err *err) LORE_MUST;

#endif
