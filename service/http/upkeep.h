/* What the service knows of its own storage, for /healthz and /metrics. The thread of
 * service/upkeep.c writes it; readers need no lock. */
#ifndef LORE_HTTP_UPKEEP_H
#define LORE_HTTP_UPKEEP_H

#include <stdatomic.h>
#include <stdint.h>

/* After a clean end the database is not read again, and stays UNCHECKED. */
enum lore_storage {
    LORE_STORAGE_UNCHECKED,
    LORE_STORAGE_CHECKING,
    LORE_STORAGE_SOUND,
    LORE_STORAGE_DAMAGED /* the service only reads */
};
/* Zeroed is valid. */
struct lore_upkeep_state {
    atomic_int storage;
    atomic_int_fast64_t backup_us, backup_bytes, backup_took_us; /* the last good one; 0: none */
    atomic_uint_fast64_t backups, backups_failed;                /* of this process */
};

#endif
