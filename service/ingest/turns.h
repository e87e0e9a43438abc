/* Whose turn it is with what many threads read and one changes. Readers share a turn. Whoever
 * changes something has the turn alone, and waits for those who read already and for nobody else;
 * after it, those who wait to read come first. So neither starves the other, and what is
 * acknowledged after a change is not kept up by a queue of readers. Not to be taken twice by one
 * thread. Private to ingest/. */
#ifndef LORE_INGEST_TURNS_H
#define LORE_INGEST_TURNS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct lore_turns_waiter;
struct lore_turns {
    pthread_mutex_t lock;
    struct lore_turns_waiter *first, *last; /* in the order of coming */
    unsigned readers;                       /* that read now */
    bool changing, readers_next;            /* readers_next: a change has just ended */
};
void lore_turns_init(struct lore_turns *t);
void lore_turns_destroy(struct lore_turns *t);
void lore_turns_read(struct lore_turns *t);
void lore_turns_change(struct lore_turns *t);
void lore_turns_leave(struct lore_turns *t); /* once for each of the two above */

/* The turn of somebody who makes many small changes: kept from one to the next, for taking turns
 * takes longer than the change, and given to others every few milliseconds. Zeroed but for the
 * first member is valid. */
struct lore_turn {
    struct lore_turns *turns; /* NULL: nobody else sees what is changed */
    bool had;
    int64_t since_us;
};
void lore_turn_keep(struct lore_turn *t); /* before each change */
void lore_turn_end(struct lore_turn *t);  /* after the last; also when there was none */

#endif
