/* The inside of an excerpt, for the writer and the files excerpt*.c. */
#ifndef LORE_INGEST_EXCERPTED_H
#define LORE_INGEST_EXCERPTED_H

#include <pthread.h>
#include <stdatomic.h>

#include "db/put.h"
#include "service/ingest/document.h"
#include "service/ingest/excerpt.h"

struct lore_excerpt {
    char *project;
    struct lore_ingest *source, *in;
    struct lore_db *reader;       /* of the source, for the thread that follows */
    struct lore_chain_head place; /* the last event of the source that the excerpt has */
    pthread_t follower;
    pthread_mutex_t lock;
    pthread_cond_t moved, asked;
    unsigned rounds; /* looks at the source that ended, under the lock */
    bool following, asks;
    _Atomic bool stop;
};
/* A document that the source has already. */
struct lore_excerpted {
    struct lore_texts names; /* records and documents of the source that it names; all of them must
                                be here, one of them the project's own. None: it belongs here */
};
/* Before D is stored in DB: LORE_FORBIDDEN code other_project when it does not belong here. FROM
 * NULL: a client sent it. */
enum lore_status
lore_excerpt_admit(const struct lore_excerpt *x, struct lore_db *db, const struct lore_document *d,
    const struct lore_excerpted *from, struct lore_err *err) LORE_MUST;
/* Store D, which is new here and sent by a client, in the source, as of AT_US. */
enum lore_status lore_excerpt_forward(const struct lore_excerpt *x, const struct lore_document *d,
    int64_t at_us, struct lore_err *err) LORE_MUST;

#endif
