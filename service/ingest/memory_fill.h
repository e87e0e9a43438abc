/* The first filling of the memory, before anybody reads it (memory_fill.c). */
#ifndef LORE_MEMORY_FILL_H
#define LORE_MEMORY_FILL_H

#include <stdint.h>

#include "board.h"
#include "evidence.h"

struct lore_db;
/* How far the database was read: seqs of the last experiment that is evidence, of the last run and
 * the last experiment that are entries, and of the last workload. */
struct lore_memory_seen {
    int64_t evidence, run, claim, workload;
};
/* Everything that DB has into two empty indexes, each in a thread of its own. Nobody else may use
 * DB or the indexes meanwhile. What it makes equals what adding row by row makes. */
enum lore_status lore_memory_fill(struct lore_db *db, struct lore_evidence_index *evidence,
    struct lore_board_index *board, struct lore_memory_seen *seen, struct lore_err *err) LORE_MUST;

#endif
