/* Advice that was served, the reactions to it, and its outcomes (feedback.c, feedback_link.c,
 * feedback_read.c; docs/feedback.md). The writer puts, any connection reads. Results live in the
 * arena. */
#ifndef LORE_DB_FEEDBACK_H
#define LORE_DB_FEEDBACK_H

#include "db/advised.h"
#include "service/base/arena.h"
#include "service/wire/advice.h"
#include "service/wire/record.h"
struct lore_db;
enum lore_status
lore_put_advice(struct lore_db *db, const struct lore_advised *in, struct lore_err *err) LORE_MUST;
/* Delete answers beyond the newest KEEP and those older than BEFORE_US. Answers with a reaction or
 * an outcome stay. */
enum lore_status lore_db_prune_advice(
    struct lore_db *db, int64_t keep, int64_t before_us, struct lore_err *err) LORE_MUST;

struct lore_advice_event {
    const char *event; /* opened, applied, dismissed */
    const char *technique, *note, *caller;
    int64_t at_us;
};
/* Store a reaction. LORE_NOTFOUND code unknown_advice. LORE_INVALID code unknown_technique at
 * `technique`: the answer did not list it. LORE_TOOBIG: the answer already has 200 reactions. */
enum lore_status lore_put_advice_event(struct lore_db *db, const char *advice,
    const struct lore_advice_event *in, struct lore_err *err) LORE_MUST;

/* Totals: stored answers, deleted answers, and when the oldest stored one was served. */
struct lore_advice_stored {
    int64_t answers, forgotten, since_us;
};
enum lore_status lore_db_get_advice_stored(
    struct lore_db *db, struct lore_advice_stored *out, struct lore_err *err) LORE_MUST;
/* Count the items served, deleted answers included, and the reactions to them, by chip, technique
 * and list, in that order. */
enum lore_status
lore_count_advice(struct lore_db *db, const struct lore_advice_filter *f, struct lore_arena *a,
    struct lore_advice_count **out, size_t *n, struct lore_err *err) LORE_MUST;
/* List the outcomes by answer, list, rank and arrival. */
enum lore_status lore_db_list_advice_outcomes(struct lore_db *db,
    const struct lore_advice_filter *f, struct lore_arena *a, struct lore_advice_result **out,
    size_t *n, struct lore_err *err) LORE_MUST;
/* The best speedup measured in the context and the time window of answer ADVICE (its seq), among
 * the first experiments after it. Failed, hidden and imported experiments do not count; unchecked
 * ones do. Unset when there is none. */
enum lore_status lore_db_best_after_advice(
    struct lore_db *db, int64_t advice, struct lore_f64 *out, struct lore_err *err) LORE_MUST;

/* One answer with its items, reactions and outcomes. Fails with code unknown_advice. */
struct lore_advice_row {
    struct lore_advised a;
    int64_t seq;
    struct lore_advice_event *events;
    struct lore_advice_result *results;
    size_t n_events, n_results;
};
enum lore_status lore_db_get_advice(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_advice_row *out, struct lore_err *err) LORE_MUST;

#endif
