/* Versions that answers proposed, and the runs and experiments that are their outcomes
 * (feedback_version.c, feedback_tried.c, feedback_trial.c). docs/feedback.md defines an outcome. */
#ifndef LORE_DB_FEEDBACK_VERSION_H
#define LORE_DB_FEEDBACK_VERSION_H

#include "db/advised.h"
#include "service/base/arena.h"
#include "service/wire/advice.h"

struct lore_db;

/* Store the proposed versions of answer ADVICE (its seq). */
enum lore_status lore_put_advised_versions(struct lore_db *db, int64_t advice,
    const struct lore_advised *in, struct lore_err *err) LORE_MUST;
enum lore_status
lore_db_forget_advised_versions(struct lore_db *db, int64_t advice, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_list_advised_versions(struct lore_db *db, int64_t advice,
    struct lore_arena *a, struct lore_advised *out, struct lore_err *err) LORE_MUST;

/* Recompute the configurations of all proposed versions. */
enum lore_status lore_name_advised(struct lore_db *db, struct lore_err *err) LORE_MUST;

/* Link RUN (seq) of VERSION, or experiment X, to the newest proposal whose outcome it is. A second
 * call changes nothing. Only the writer calls them. */
enum lore_status lore_db_link_start(
    struct lore_db *db, int64_t run, const char *version, struct lore_err *err) LORE_MUST;
struct lore_fact_experiment;
enum lore_status lore_db_link_move(
    struct lore_db *db, const struct lore_fact_experiment *x, struct lore_err *err) LORE_MUST;
/* Rebuild every link; call it after lore_settings_all and lore_run_entries_all. */
enum lore_status lore_db_link_all_tried(struct lore_db *db, struct lore_err *err) LORE_MUST;

/* Count the proposals served, deleted ones included: versions to start from; changes of one
 * parameter by chip and technique, each with the list "moves". */
enum lore_status lore_count_starts(struct lore_db *db, const struct lore_advice_filter *f,
    struct lore_arena *a, int64_t *out, struct lore_err *err) LORE_MUST;
enum lore_status
lore_count_moves(struct lore_db *db, const struct lore_advice_filter *f, struct lore_arena *a,
    struct lore_advice_count **out, size_t *n, struct lore_err *err) LORE_MUST;
/* The outcomes of starts and of moves, by answer, list, rank and arrival: at most the limit of F of
 * each, or at most 1,000 of each for one answer. */
struct lore_version_outcomes {
    struct lore_start_result *starts;
    struct lore_advice_result *moves;
    size_t n_starts, n_moves;
};
enum lore_status
lore_db_list_version_outcomes(struct lore_db *db, const struct lore_advice_filter *f,
    struct lore_arena *a, struct lore_version_outcomes *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_get_version_outcomes(struct lore_db *db, int64_t advice,
    struct lore_arena *a, struct lore_version_outcomes *out, struct lore_err *err) LORE_MUST;
/* The best time measured at a place, and the number of versions with one, among the newest runs
 * there. */
enum lore_status lore_db_best_of_place(struct lore_db *db, const char *op, const char *chip,
    const char *workload, struct lore_start_best *out, struct lore_err *err) LORE_MUST;

struct lore_stmt;
/* Bind parameters 1 to 3: operator, technique and chips (",h200,a100,") of F; NULL matches any. */
void lore_db_bind_advice_filter(
    struct lore_stmt *q, const struct lore_advice_filter *f, struct lore_arena *a);

#endif
