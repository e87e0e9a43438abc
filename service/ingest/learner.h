/* A thread that fits the models again when the database has grown by a quarter, so that nobody has
 * to run `warplored retrain`. It reads with its own connection at the lowest priority; the writer
 * stores the result. */
#ifndef LORE_INGEST_LEARNER_H
#define LORE_INGEST_LEARNER_H

#include "service/base/status.h"

struct lore_ingest;
struct lore_indexes;
struct lore_learner;
struct lore_learner_pace {
    int hours;  /* least time between two fits, unless the rows double; 0: never fit */
    int ask_ms; /* how often it checks the growth */
};
/* Start the thread. DATA is the data directory. *out is NULL when pace->hours is 0. */
enum lore_status lore_learner_start(const char *data, struct lore_indexes *indexes,
    struct lore_ingest *ingest, const struct lore_learner_pace *pace, struct lore_learner **out,
    struct lore_err *err) LORE_MUST;
/* Call it before the ingest stops. It waits for a commit at most: a fit in progress is abandoned
 * and ends without touching INDEXES or INGEST. L may be NULL. */
void lore_learner_stop(struct lore_learner *l);

#endif
