/* Writing; all of it inside a transaction of the writer. A record is put after everything it refers
 * to (lore_put_order), artifacts before all records, a version's parents before it. */
#ifndef LORE_DB_PUT_H
#define LORE_DB_PUT_H

#include "db/put_context.h"
#include "db/rows.h"
#include "service/base/buf.h"
#include "service/base/json.h"
#include "service/wire/record.h"
#include "service/wire/wire.h"

/* Actors that no token or agent may have as a label (service/auth/labels.h): the service itself,
 * `warplored load`, and the prefix of agents. */
#define LORE_ACTOR_SERVICE "warplored"
#define LORE_ACTOR_LOAD "load"
#define LORE_ACTOR_AGENT "agent:"

/* Find document ID: *seq is 0 when it is not stored; *same: its bytes have HASH. */
enum lore_status lore_put_document_find(struct lore_db *db, const char *id, const char *hash,
    int64_t *seq, bool *same, struct lore_err *err) LORE_MUST;
/* A document as it arrived. */
struct lore_arrived {
    const struct lore_submission *doc;
    const char *hash, *actor;
    const struct lore_buf *zstd; /* its packed bytes */
    size_t bytes;                /* unpacked */
    int64_t at_us;
};
/* Store the row of document D. */
enum lore_status lore_put_document(
    struct lore_db *db, const struct lore_arrived *d, int64_t *seq, struct lore_err *err) LORE_MUST;
/* Note that the token or agent OWNER, by id, brought DOCUMENT, which was just stored. */
enum lore_status lore_put_owner(
    struct lore_db *db, int64_t document, const char *owner, struct lore_err *err) LORE_MUST;
/* *is_new: no document brought these bytes before. */
enum lore_status lore_put_artifact(const struct lore_put_ctx *c, const struct lore_artifact *r,
    bool *is_new, struct lore_err *err) LORE_MUST;
/* Store RECORD, the struct of a record of KIND. The same id with the same digest is a duplicate.
 * LORE_CONFLICT: the id is stored with another digest, or for another kind. LORE_INVALID code
 * unknown_reference: err->path names the field relative to the record ("version"); the caller
 * prefixes "runs[3].".
 *
 * The quote of a spec must be on its line of its source document; spaces and Markdown marks do not
 * matter. Otherwise LORE_INVALID code quote_not_found at "quote", or line_not_found at "line".
 *
 * The subjects of a curation must be stored records of a kind that its action takes
 * (unknown_reference, wrong_subject). A member of a merge group in force cannot be merged again
 * (LORE_CONFLICT already_merged). The effect (mask, retraction, merge) is applied here, with actor
 * and time of the context. The caller checks permissions. */
enum lore_status
lore_put_record(const struct lore_put_ctx *c, enum lore_kind kind, const void *record,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
/* The I-th kind in the order in which the records of one document are stored, for I below
 * LORE_K_COUNT: every kind stands after those that it may refer to. */
enum lore_kind lore_put_order(size_t i);
/* Mark DOC, stored as DOCUMENT and parsed from ROOT, as withheld when one of its records forbids
 * redistribution or refers to a withheld record. */
enum lore_status
lore_put_withheld(struct lore_db *db, int64_t document, const struct lore_submission *doc,
    const struct lore_json *root, struct lore_err *err) LORE_MUST;
/* Append to the hash chain. */
struct lore_event {
    const char *actor, *kind, *subject;
    const unsigned char *detail; /* 32 bytes */
    int64_t at_us;
};
enum lore_status
lore_put_event(struct lore_db *db, const struct lore_event *e, struct lore_err *err) LORE_MUST;
/* The detail of the event of a submission: its hash, and with it who owns the document. OWNER may
 * be NULL. */
void lore_submission_detail(const unsigned char hash[32], const char *owner, unsigned char out[32]);
/* The last event whose seq is at most UPTO; seq 0 and zeros when there is none. */
struct lore_chain_head {
    int64_t seq;
    unsigned char hash[32];
};
enum lore_status lore_db_head(
    struct lore_db *db, int64_t upto, struct lore_chain_head *out, struct lore_err *err) LORE_MUST;
/* Walk the chain: LORE_CORRUPT naming the first row that does not follow. *n counts rows. */
enum lore_status
lore_db_verify_events(struct lore_db *db, int64_t *n, struct lore_err *err) LORE_MUST;
/* Supersede the outcome of X in force (if it differs) and store the new one; both are dated NOW_US.
 * An experiment appears in lists once lore_verdicts_update_rows (facts.h) has followed; call it in
 * the same transaction. */
struct lore_fact_experiment;
enum lore_status lore_put_outcome(struct lore_db *db, const struct lore_fact_experiment *x,
    const struct lore_outcome_row *o, int64_t now_us, struct lore_err *err) LORE_MUST;

#endif
