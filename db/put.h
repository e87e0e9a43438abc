/* Writing, one file per noun; all of it inside a transaction of the writer.
 * A record is put after everything it refers to: artifacts, source documents, kernels,
 * environments, versions (parents first), specs, campaigns, runs, hypotheses, experiments,
 * attributions, insights, techniques, verifications, directions, curations. */
#ifndef LORE_DB_PUT_H
#define LORE_DB_PUT_H

#include "db/rows.h"
#include "service/base/buf.h"
#include "service/base/json.h"
#include "service/wire/record.h"

/* Actors that no token or agent may be called (service/auth/labels.h): the service itself,
 * `warplored load`, and what the names of agents start with. */
#define LORE_ACTOR_SERVICE "warplored"
#define LORE_ACTOR_LOAD "load"
#define LORE_ACTOR_AGENT "agent:"

struct lore_db;
/* State of one record after a put. */
enum lore_put { LORE_PUT_STORED = 1, LORE_PUT_DUPLICATE };
/* What puts change beside their own record, as ids, of experiments unless said;
 * the texts live in the arena. */
struct lore_effects {
    struct lore_texts shown;     /* hidden or shown by a curation: the memory follows */
    struct lore_texts judged;    /* their verdicts may be others now: for lore_verdicts_judge */
    struct lore_texts retracted; /* any records, retracted or given back: the memory follows */
};
struct lore_put_ctx {
    struct lore_db *db;
    int64_t document;
    struct lore_arena *arena;
    const char *actor; /* label of the token */
    int64_t now_us;
    struct lore_effects *effects; /* NULL: nobody asks */
};
/* Is document ID here already (*seq 0: no), and with these very bytes, by their hash (*same)? */
enum lore_status lore_put_document_find(struct lore_db *db, const char *id, const char *hash,
    int64_t *seq, bool *same, struct lore_err *err) LORE_MUST;
/* Store the document row. ZSTD are its packed bytes. */
enum lore_status lore_put_document(struct lore_db *db, const struct lore_submission *doc,
    const char *hash, const void *zstd, size_t zstd_len, size_t bytes, const char *actor,
    int64_t now_us, int64_t *seq, struct lore_err *err) LORE_MUST;
/* Note that the token or agent OWNER, by id, brought DOCUMENT, which was just stored. */
enum lore_status lore_put_owner(
    struct lore_db *db, int64_t document, const char *owner, struct lore_err *err) LORE_MUST;
/* Each: the same id with the same digest is a duplicate, with another digest LORE_CONFLICT; an
 * unknown reference is LORE_INVALID code unknown_reference with err->path naming the field
 * relative to the record ("version"); the caller prefixes "runs[3].". */
enum lore_status lore_put_artifact(
    const struct lore_put_ctx *c, const struct lore_artifact *r, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_kernel(const struct lore_put_ctx *c, const struct lore_kernel *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_version(const struct lore_put_ctx *c, const struct lore_version *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status
lore_put_environment(const struct lore_put_ctx *c, const struct lore_environment *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_run(const struct lore_put_ctx *c, const struct lore_run *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_hypothesis(const struct lore_put_ctx *c, const struct lore_hypothesis *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_experiment(const struct lore_put_ctx *c, const struct lore_experiment *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status
lore_put_attribution(const struct lore_put_ctx *c, const struct lore_attribution *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_insight(const struct lore_put_ctx *c, const struct lore_insight *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_mask(struct lore_db *db, const char *experiment, bool masked,
    const char *reason, const char *actor, int64_t now_us, struct lore_err *err) LORE_MUST;
/* Note that DOC, stored as DOCUMENT and parsed from ROOT, may not be passed on, when a record of it
 * says so or refers to a record of a document that may not. */
enum lore_status
lore_put_withheld(struct lore_db *db, int64_t document, const struct lore_submission *doc,
    const struct lore_json *root, struct lore_err *err) LORE_MUST;
/* Append to the hash chain. */
enum lore_status
lore_put_event(struct lore_db *db, const char *actor, const char *kind, const char *subject,
    const unsigned char detail[32], int64_t now_us, struct lore_err *err) LORE_MUST;
/* Walk the chain: LORE_CORRUPT naming the first row that does not follow. *n counts rows. */
enum lore_status
lore_db_verify_events(struct lore_db *db, int64_t *n, struct lore_err *err) LORE_MUST;
/* Supersede the outcome in force (if it differs) and store the new one; its times are NOW_US. An
 * experiment appears in lists from its first verdict on: put one in the transaction that puts the
 * experiment. */
enum lore_status lore_put_outcome(struct lore_db *db, const char *experiment,
    const struct lore_outcome_row *o, int64_t now_us, struct lore_err *err) LORE_MUST;

#endif
