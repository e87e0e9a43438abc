/* The chain of events vouches for rows that no document says: agents and receipts (row_hash.c). For
 * the files of this folder. */
#ifndef LORE_DB_ROW_HASH_H
#define LORE_DB_ROW_HASH_H

#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
enum lore_vouched { LORE_VOUCHED_AGENT, LORE_VOUCHED_RECEIPT, LORE_VOUCHED_COUNT };
/* Append an event with the hash of all columns of the rows that belong to SUBJECT: the id of an
 * agent, the batch of a receipt. Call it after they changed. */
enum lore_status lore_row_hash_vouch(struct lore_db *db, enum lore_vouched what,
    const char *subject, int64_t now_us, struct lore_err *err) LORE_MUST;
/* Compare the rows with the last such event of each subject. Rows without one are from before there
 * were any. LORE_CORRUPT names the first that differs. */
enum lore_status lore_row_hash_check(struct lore_db *db, struct lore_err *err) LORE_MUST;

#endif
