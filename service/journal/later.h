/* Syncs a file that grows, in a thread of its own, at most some time behind what was written
 * (later.c). The calls are for one writer, except the last one. */
#ifndef LORE_JOURNAL_LATER_H
#define LORE_JOURNAL_LATER_H

#include <stdbool.h>
#include <stdint.h>

struct lore_later;
/* SEQ is on the disk. NULL: no thread could be started. */
struct lore_later *lore_later_start(int64_t lag_ms, int64_t seq);
/* FD has the entries up to SEQ. Returns when nothing older than the lag is unsynced. FD stays open
 * until lore_later_flush. False: a sync failed, now or before; nothing more is synced. */
bool lore_later_wrote(struct lore_later *l, int fd, int64_t seq);
/* Sync all that was written. False: as above. */
bool lore_later_flush(struct lore_later *l);
void lore_later_stop(struct lore_later *l); /* after a flush; frees it; NULL is accepted */
/* The last entry on the disk. Thread-safe. */
int64_t lore_later_synced(struct lore_later *l);

#endif
