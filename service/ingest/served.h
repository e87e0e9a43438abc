/* The log of advice served. An answer is copied, gets an id, and is stored with the writer's next
 * commit, so that no reader waits. When too many answers wait, or arrive too fast, an answer is
 * counted as dropped and carries no id. docs/feedback.md. */
#ifndef LORE_INGEST_SERVED_H
#define LORE_INGEST_SERVED_H

#include <stdint.h>

#include "db/feedback.h"
#include "service/base/ulid.h"

struct lore_ingest;
struct lore_served;
struct lore_served_limits {
    int64_t window_us; /* a later experiment is not an outcome of the advice */
    int64_t keep;      /* number of answers to keep; 0: log nothing */
    int64_t keep_us;   /* older answers are deleted, except those with feedback or an outcome */
};
struct lore_served *
lore_served_new(struct lore_ingest *ingest, const struct lore_served_limits *limits);
/* Call it after the ingest has stopped: the writer no longer uses the batches. */
void lore_served_free(struct lore_served *s);
/* Log a copy of ANSWER; its id and times are set here. Returns true and the id. The same caller,
 * question and advice within ten minutes count as one answer and return the same id. Returns false
 * when the answer was not logged, or S is NULL. Thread-safe; never waits. */
bool lore_served_remember(
    struct lore_served *s, const struct lore_advised *answer, char id[LORE_ULID_SIZE]);
struct lore_served_stats {
    uint64_t remembered, repeated, dropped; /* dropped: too many waited or came too fast */
    uint64_t lost; /* answers whose id was given out but which were not stored (full disk) */
};
void lore_served_stats(struct lore_served *s, struct lore_served_stats *out);

#endif
