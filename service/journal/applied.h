/* How far this node has applied the journal, for threads that wait for an entry and for /readyz
 * (applied.c). */
#ifndef LORE_JOURNAL_APPLIED_H
#define LORE_JOURNAL_APPLIED_H

#include <stdbool.h>
#include <stdint.h>

struct lore_applied;
struct lore_applied_state {
    int64_t seq;     /* the last entry in the database of this node */
    int64_t head;    /* the last entry of the journal, as far as this node knows; never below seq */
    int64_t seen_us; /* ticks: when the journal last answered */
    int64_t lag_ms;  /* by which the journal's disk may be behind; 0: not at all */
    int64_t synced;  /* the last entry on that disk; never above seq */
};
struct lore_journal;
struct lore_applied *lore_applied_new(struct lore_journal *j); /* J lives longer; may be NULL */
void lore_applied_free(struct lore_applied *a);
/* The entry SEQ is in the database and in the indexes. Wakes the threads that wait for it. */
void lore_applied_set(struct lore_applied *a, int64_t seq);
/* The journal answered: its last entry is HEAD, or a later one. */
void lore_applied_saw(struct lore_applied *a, int64_t head);
void lore_applied_get(struct lore_applied *a, struct lore_applied_state *out);
/* Wait at most MS milliseconds until SEQ is applied; returns whether it is. */
bool lore_applied_wait(struct lore_applied *a, int64_t seq, int ms);

#endif
