/* How far the database has applied its journal, and which credentials the journal holds
 * (journal_place.c). Writing belongs into an open transaction of the writer. */
#ifndef LORE_DB_JOURNAL_PLACE_H
#define LORE_DB_JOURNAL_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
/* The name under which the mark of service.key is known. */
#define LORE_JOURNAL_KEY "key:service"
/* *seq is 0 when the database was never made from a journal. */
enum lore_status lore_db_journal_place(
    struct lore_db *db, int64_t *seq, unsigned char hash[32], struct lore_err *err) LORE_MUST;
enum lore_status lore_put_journal_place(
    struct lore_db *db, int64_t seq, const unsigned char hash[32], struct lore_err *err) LORE_MUST;
/* Forget the journal: the database stands alone from now on. */
enum lore_status lore_put_journal_left(struct lore_db *db, struct lore_err *err) LORE_MUST;
/* *same: the journal holds the credential NAME in the form that has HASH. */
enum lore_status lore_db_journal_knows(struct lore_db *db, const char *name,
    const unsigned char hash[32], bool *same, struct lore_err *err) LORE_MUST;
/* *has: the journal holds the credential NAME in any form. */
enum lore_status lore_db_journal_has(
    struct lore_db *db, const char *name, bool *has, struct lore_err *err) LORE_MUST;
/* NAME: token:ID, agent:ID, code:HASH; or key:service, whose HASH is the key's mark. */
enum lore_status lore_put_journal_known(struct lore_db *db, const char *name,
    const unsigned char hash[32], struct lore_err *err) LORE_MUST;

#endif
