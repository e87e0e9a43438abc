/* A thread of the service that learns again when the memory has grown by a quarter, so that nobody
 * has to remember `warplored retrain`. It reads with a connection of its own at the lowest
 * priority, and the writer stores what it found. */
#ifndef LORE_INGEST_LEARNER_H
#define LORE_INGEST_LEARNER_H

#include "service/base/status.h"

struct lore_ingest;
struct lore_memory;
struct lore_learner;
struct lore_learner_pace {
    int hours;  /* at most once in so many; 0: nothing is learned */
    int ask_ms; /* how often it looks whether the memory has grown */
};
/* DATA: the data directory. *out is NULL when nothing is learned. */
enum lore_status lore_learner_start(const char *data, struct lore_memory *memory,
    struct lore_ingest *ingest, const struct lore_learner_pace *pace, struct lore_learner **out,
    struct lore_err *err) LORE_MUST;
/* Before the ingest stops. Waits for a commit at most: what is being learned is left behind, and
 * ends without touching MEMORY or INGEST. NULL is fine. */
void lore_learner_stop(struct lore_learner *l);

#endif
