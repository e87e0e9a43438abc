/* The inside of the projection, for the writer and the files projection*.c. */
#ifndef LORE_INGEST_PROJECTED_H
#define LORE_INGEST_PROJECTED_H

#include <pthread.h>

#include "service/ingest/projection.h"

struct lore_auth_db;
struct lore_job;
struct lore_projection {
    struct lore_journal *journal;
    struct lore_auth_db *auth;
    struct lore_applied *applied;
    char node[65];
    unsigned char key[LORE_HASH_BYTES];      /* the mark of this node's service.key */
    bool any_key;                            /* the journal may have been begun with another one */
    bool replays;                            /* a replay, not a start: for messages */
    const char *data;                        /* during the calls that open it: for messages */
    struct lore_journal_head head;           /* the last entry in the database */
    struct lore_journal_head stored;         /* the same with the open transaction */
    int64_t credentials, credentials_stored; /* version of auth.db that the journal holds */
    pthread_t follower;
    bool following;
    _Atomic bool stop;
    bool (*asked)(void);     /* whether to stop applying; NULL: never */
    void (*wake)(void *ctx); /* called when the writer should look */
    void *wake_ctx;
};

/* ---- projected.c: opening ---- */
enum lore_status
lore_projection_holds_documents(struct lore_db *db, bool *out, struct lore_err *err) LORE_MUST;
/* Without a journal: DB must not be made from one, unless it leaves it. */
enum lore_status
lore_projection_stand_alone(struct lore_db *db, bool leave, struct lore_err *err) LORE_MUST;
/* Open the journal and auth.db, and find the place of DB. A DB that was made from a journal makes
 * no other one. */
enum lore_status lore_projection_open_parts(struct lore_projection *p, const char *journal,
    const char *data, struct lore_db *db, struct lore_err *err) LORE_MUST;

/* ---- for the writer; P may be NULL ---- */
/* Append what the jobs acknowledge, and note the new place in DB's open transaction.
 * LORE_CONFLICT: other entries come first. */
enum lore_status lore_projection_append(struct lore_projection *p, struct lore_db *db,
    const struct lore_job *list, int64_t now_us, struct lore_err *err) LORE_MUST;
void lore_projection_committed(struct lore_projection *p); /* the transaction of the append */
void lore_projection_publish(struct lore_projection *p);   /* the indexes have it, too */
int64_t lore_projection_seq(const struct lore_projection *p);
/* Apply the entries behind the last one that DB has. */
enum lore_status lore_projection_catch_up(struct lore_projection *p, struct lore_db *db,
    struct lore_indexes *indexes, struct lore_err *err) LORE_MUST;
bool lore_projection_credentials_due(struct lore_projection *p);
/* A lore_ingest_logged_fn. */
enum lore_status lore_projection_log_credentials(
    struct lore_db *db, void *ctx, struct lore_logging *to, struct lore_err *err) LORE_MUST;
/* Start and stop the thread that waits for entries of other nodes and for changed credentials, and
 * calls WAKE. */
enum lore_status lore_projection_follow(
    struct lore_projection *p, void (*wake)(void *ctx), void *ctx, struct lore_err *err) LORE_MUST;
void lore_projection_unfollow(struct lore_projection *p);

/* ---- projection_entries.c ---- */
void lore_logging_begin(struct lore_logging *to, struct lore_projection *p, int64_t now_us);
/* Add an entry whose texts and body live in the arena of TO. */
struct lore_journal_entry *
lore_logging_add(struct lore_logging *to, const char *kind, const char *actor);
enum lore_status lore_journal_entry_receipt(const struct lore_journal_entry *e,
    struct lore_arena *a, struct lore_batch_receipt *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_journal_entry_event(const struct lore_journal_entry *e, struct lore_arena *a,
    struct lore_event *out, struct lore_err *err) LORE_MUST;

/* ---- projection_key.c: the journal begins with the mark of the key that its nodes share ---- */
/* Get the mark of the key in P->data, and compare it with that of the journal DB was made from. */
enum lore_status lore_projection_find_key(struct lore_projection *p, lore_projection_key_fn *key,
    struct lore_db *db, struct lore_err *err) LORE_MUST;
/* Add the entry that begins a journal. */
enum lore_status lore_projection_begin(struct lore_projection *p, struct lore_db *db,
    struct lore_logging *to, struct lore_err *err) LORE_MUST;
/* Note the mark of an entry of the kind "key". */
enum lore_status lore_projection_note_key(
    struct lore_db *db, const struct lore_journal_entry *e, struct lore_err *err) LORE_MUST;
/* Check the first entry of a journal. */
enum lore_status lore_projection_check_first(const struct lore_projection *p,
    const struct lore_journal_entry *e, struct lore_err *err) LORE_MUST;

/* ---- projection_apply.c ---- */
/* Apply the entries behind P->head, no later than UNTIL_US (0: all). *n: how many. */
enum lore_status lore_projection_apply(struct lore_projection *p, struct lore_db *db,
    struct lore_indexes *indexes, int64_t until_us, int64_t *n, struct lore_err *err) LORE_MUST;
/* ---- projection_tail.c: entries that the disk of the journal may not have yet ---- */
/* Keep the N entries ALL, of the jobs in LIST, in DB's open transaction, unless the disk has them.
 */
enum lore_status lore_projection_keep_tail(struct lore_projection *p, struct lore_db *db,
    const struct lore_job *list, const struct lore_logging *all, struct lore_err *err) LORE_MUST;
/* Append what DB has kept and the journal lacks. */
enum lore_status lore_projection_restore_tail(
    struct lore_projection *p, struct lore_db *db, struct lore_err *err) LORE_MUST;
/* ---- projection_copy.c ---- */
/* Write what DB holds into the empty journal. */
enum lore_status
lore_projection_copy(struct lore_projection *p, struct lore_db *db, struct lore_err *err) LORE_MUST;

#endif
