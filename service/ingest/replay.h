/* The documents of a database stored again in another one, by the same code and with the same times
 * (replay.c). */
#ifndef LORE_INGEST_REPLAY_H
#define LORE_INGEST_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
struct lore_replayed {
    int64_t documents, blobs, rows; /* rows: compared */
};
/* Verify FROM: its pages, indexes and references; its documents, which are checked and stored them
 * again in a database in the folder SCRATCH, which is made and removed, and compare the rows. DEEP:
 * compare derived rows too. They are equal only when this program derived them: after an upgrade,
 * once the service was started and `warplored rebuild` has run. */
enum lore_status lore_replay_verify(struct lore_db *from, const char *scratch, bool deep,
    struct lore_replayed *out, struct lore_err *err) LORE_MUST;

#endif
