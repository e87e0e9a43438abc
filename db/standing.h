/* What decisions made of records: reviews, retractions, masks, merge groups (curation.c,
 * curated.c). Results live in the given arena. */
#ifndef LORE_DB_STANDING_H
#define LORE_DB_STANDING_H

#include "service/base/arena.h"
#include "service/wire/wire.h"

struct lore_db;
/* Any stored record by its id: what it is, and which submission of whom brought it. */
struct lore_found {
    enum lore_kind kind;
    const char *document, *actor;
};
enum lore_status lore_find_record(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_found *out, struct lore_err *err) LORE_MUST;
/* *out: did anybody but the token or agent OWNER bring a record of any kind under ID? True, too,
 * when nobody noted who brought it; false when there is none. */
enum lore_status lore_record_of_others(struct lore_db *db, const char *id, const char *owner,
    bool *out, struct lore_err *err) LORE_MUST;
/* What a person decided last about a record: its review state (NULL: never reviewed), whether it
 * is retracted. Reviewer: label of the token. */
struct lore_standing {
    const char *review, *reviewer, *review_reason;
    bool retracted;
    const char *retraction; /* why */
};
enum lore_status lore_get_standing(struct lore_db *db, const char *record, struct lore_arena *a,
    struct lore_standing *out, struct lore_err *err) LORE_MUST;
/* Is an experiment hidden from recommendations: masked, retracted, or merged into another? */
enum lore_status lore_get_hidden(
    struct lore_db *db, const char *experiment, bool *hidden, struct lore_err *err) LORE_MUST;
/* Why it is: "retracted" (it, or the version it ends in), "masked", "merged", the first that holds;
 * NULL: it is not hidden. */
enum lore_status lore_get_hidden_why(
    struct lore_db *db, const char *experiment, const char **why, struct lore_err *err) LORE_MUST;
/* The merge group an experiment is in (curation id of the merge, NULL: none, also when undone). */
enum lore_status lore_get_merge(struct lore_db *db, const char *experiment, struct lore_arena *a,
    const char **merge, const char **canonical, struct lore_err *err) LORE_MUST;

#endif
