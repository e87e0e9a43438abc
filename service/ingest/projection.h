/* The database as the projection of a journal (service/journal/journal.h): what is acknowledged is
 * an entry of the journal first, and entries that the database lacks are applied to it. The same
 * code stores a document that a client sent and one that an entry holds. A projection of NULL means
 * that there is no journal. */
#ifndef LORE_INGEST_PROJECTION_H
#define LORE_INGEST_PROJECTION_H

#include "service/base/arena.h"
#include "service/ingest/receipt.h"
#include "service/journal/applied.h"
#include "service/journal/journal.h"

struct lore_batch_receipt; /* db/agent.h */
struct lore_indexes;
struct lore_projection;

/* Gives the mark of DATA/service.key, which tells the key from others. With MAKE, the key is made
 * when it does not exist; else LORE_NOTFOUND. */
typedef enum lore_status lore_projection_key_fn(
    const char *data, bool make, unsigned char mark[LORE_HASH_BYTES], struct lore_err *err);
struct lore_projection_setup {
    const char *journal; /* as for lore_journal_open; NULL or "none": there is none */
    const char *data;    /* the data directory of DB */
    lore_projection_key_fn *key;
    int64_t lag_ms;     /* as for lore_journal_set_lag */
    bool leave;         /* let a database that was made from a journal stand alone from now on */
    bool (*stop)(void); /* asked now and then while entries are applied; may be NULL */
};
/* Open the journal and bring DB up to its end. An empty journal gets the mark of the key and what
 * DB holds; one that lost its end, because it had a lag, gets that from DB. LORE_BUSY code stopped:
 * as STOP said; another call goes on. LORE_INVALID code journal_missing: DB was made from a
 * journal, and none is given; code journal_empty: DB was made from a journal, and this one is
 * empty; code journal_mixed: both hold documents, and DB was not made from this journal; code
 * key_missing, key_foreign: the journal was begun with a key, and there is none, or another one;
 * code journal_old: it was begun before journals had the mark. LORE_CORRUPT code journal_foreign:
 * DB was made from another journal, or the journal lost entries. LORE_INVALID code no_lag. */
enum lore_status lore_projection_open(const struct lore_projection_setup *setup, struct lore_db *db,
    struct lore_projection **out, struct lore_err *err) LORE_MUST;
void lore_projection_close(struct lore_projection *p);
struct lore_applied *lore_projection_applied(struct lore_projection *p); /* NULL: no journal */
/* Make DB, which is empty, from the journal, up to the first entry later than UNTIL_US (0: all).
 * With a time or with ANY_KEY, DB stands alone afterwards. *n: entries applied. */
struct lore_replay {
    const char *journal, *data;
    lore_projection_key_fn *key;
    int64_t until_us;
    bool any_key; /* take another key, or make one */
};
/* Check, before there is a DB, that the journal has entries up to that time and was begun with the
 * key of the directory. Writes nothing there. LORE_INVALID code journal_empty, before_journal (the
 * time is before the first entry), missing_option, or as for lore_projection_open. */
enum lore_status
lore_projection_check_replay(const struct lore_replay *what, struct lore_err *err) LORE_MUST;
bool lore_replay_stands_alone(const struct lore_replay *what);
enum lore_status lore_projection_replay(
    const struct lore_replay *what, struct lore_db *db, int64_t *n, struct lore_err *err) LORE_MUST;

/* ---- for a lore_ingest_logged_fn: what it acknowledges ---- */
struct lore_logging {
    struct lore_projection *projection;
    struct lore_arena arena; /* `kept`; of the caller of the writer */
    struct lore_journal_entry *v;
    size_t n, cap;
    int64_t now_us;
};
/* Entries for all tokens, agents and codes that the journal does not hold as they are now. */
enum lore_status lore_logging_credentials(
    struct lore_db *db, struct lore_logging *to, struct lore_err *err) LORE_MUST;
enum lore_status lore_logging_receipt(struct lore_logging *to, const struct lore_batch_receipt *r,
    const char *actor, struct lore_err *err) LORE_MUST;
struct lore_event;
enum lore_status lore_logging_event(
    struct lore_logging *to, const struct lore_event *e, struct lore_err *err) LORE_MUST;

#endif
