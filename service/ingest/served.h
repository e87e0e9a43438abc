/* Remembering what was advised, without making anybody wait: an answer is copied, gets an id, and
 * goes to the database with the writer's next commit. When there is no room it is not remembered,
 * which is counted, and the answer carries no id. docs/feedback.md. */
#ifndef LORE_INGEST_SERVED_H
#define LORE_INGEST_SERVED_H

#include <stdint.h>

#include "db/feedback.h"
#include "service/base/ulid.h"

struct lore_ingest;
struct lore_served;
struct lore_served_limits {
    int64_t window_us; /* an experiment that arrives later is no outcome */
    int64_t keep;      /* answers; 0: nothing is remembered */
    int64_t keep_us;   /* older answers are forgotten */
};
struct lore_served *
lore_served_new(struct lore_ingest *ingest, const struct lore_served_limits *limits);
/* After the ingest has stopped: what it wrote is ours. */
void lore_served_free(struct lore_served *s);
/* Remember ANSWER (copied; of it id and times are made here): true with its id. The same caller,
 * question and advice again within ten minutes is the same answer and has the same id. False when
 * it could not be. S may be NULL: false. Thread-safe, never waits. */
bool lore_served_remember(
    struct lore_served *s, const struct lore_advised *answer, char id[LORE_ULID_SIZE]);
struct lore_served_stats {
    uint64_t remembered, repeated, dropped; /* dropped: there was no room */
    uint64_t lost;                          /* had an id and were not stored: a full disk */
};
void lore_served_stats(struct lore_served *s, struct lore_served_stats *out);

#endif
