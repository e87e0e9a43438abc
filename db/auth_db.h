/* The handle on DIR/auth.db, for the files of db/ that read and write it. */
#ifndef LORE_DB_AUTH_DB_H
#define LORE_DB_AUTH_DB_H

#include <pthread.h>

#include "db/internal.h"
#include "service/base/guard.h"

struct lore_auth_db {
    struct lore_db *db;
    pthread_mutex_t mutex; /* declare LORE_LOCKED first, so that it unlocks last */
};

#endif
