/* A thread of the service that learns again when the memory has grown by a quarter, so that nobody
 * has to remember `warplored retrain`. It reads with a connection of its own at the lowest
 * priority, and the writer stores what it found. */
#ifndef LORE_LEARNER_H
#define LORE_LEARNER_H

#include "status.h"

struct lore_ingest;
struct lore_memory;
struct lore_learner;
/* DATA: the data directory. HOURS: at most once in so many; 0: *out is NULL, nothing is learned. */
enum lore_status
lore_learner_start(const char *data, struct lore_memory *memory, struct lore_ingest *ingest,
    int hours, struct lore_learner **out, struct lore_err *err) LORE_MUST;
/* Waits for what is being learned; before the ingest stops. NULL is fine. */
void lore_learner_stop(struct lore_learner *l);

#endif
