/* The handle on DIR/auth.db, for the files of db/ that read and write it. */
#ifndef LORE_DB_AUTH_DB_H
#define LORE_DB_AUTH_DB_H

#include <pthread.h>

#include "db/internal.h"

struct lore_auth_db {
    struct lore_db *db;
    pthread_mutex_t mutex;
};

static inline void
lore_auth_unlock(pthread_mutex_t **mutex)
{
    pthread_mutex_unlock(*mutex);
}

/* Released when the function returns, after its statements are closed. */
#define LORE_AUTH_LOCKED(auth)                                                                     \
    __attribute__((cleanup(lore_auth_unlock))) pthread_mutex_t *held = &(auth)->mutex;             \
    pthread_mutex_lock(held)

#endif
