/* Lists and counts of derived verdicts across experiments. */
#ifndef LORE_DB_JUDGED_H
#define LORE_DB_JUDGED_H

#include "db/facts.h"
#include "db/query.h"
#include "db/read.h"

/* One judged expectation and its author. */
struct lore_judged_row {
    struct lore_judgement_row j;
    const char *hypothesis, *author; /* author of the claim, else of its document; NULL: unknown */
    int64_t cursor;                  /* for the next page */
};
/* Newest experiment first; the expectations of one experiment in reverse order. Obeys author and
 * verdict. */
enum lore_status lore_db_list_judged(struct lore_db *db, const struct lore_list_filter *f,
    struct lore_arena *a, struct lore_judged_row **out, size_t *n, struct lore_err *err) LORE_MUST;
/* Count the verdicts on TECHNIQUE by verdict. */
enum lore_status lore_count_technique_verdicts(struct lore_db *db, const char *technique,
    struct lore_arena *a, struct lore_count **out, size_t *n, struct lore_err *err) LORE_MUST;

#endif
