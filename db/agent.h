/* Signing agents. Facts: agents and their receipts (agent.c, receipt.c). In DIR/auth.db: their
 * present credentials (agent_auth.c). */
#ifndef LORE_DB_AGENT_H
#define LORE_DB_AGENT_H

#include "db/credentials.h"
#include "service/wire/signing.h"

struct lore_db;
struct lore_agent_row {
    const char *id, *label;
    unsigned char key[LORE_PUBLIC_KEY];
    int64_t enrolled_us, revoked_us; /* revoked_us 0: not revoked */
};

/* ---- auth.db: safe beside a running service ---- */
/* Use the code of HASH to enroll AGENT (key, id, time; label when the code has none), in one
 * transaction. *label is the label that the agent gets: with -2, -3 … at its end when another agent
 * has it.
 * LORE_FORBIDDEN code bad_code: the code is unknown, used or expired. LORE_CONFLICT code conflict:
 * the key is already enrolled. */
enum lore_status lore_db_auth_enroll(struct lore_auth_db *db, const unsigned char hash[32],
    const struct lore_agent_row *agent, struct lore_arena *a, const char **label,
    struct lore_err *err) LORE_MUST;
enum lore_status lore_db_auth_agent(struct lore_auth_db *db, const char *id, struct lore_arena *a,
    struct lore_agent_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_auth_agents(struct lore_auth_db *db, struct lore_arena *a,
    struct lore_agent_row **out, size_t *n, struct lore_err *err) LORE_MUST;

/* ---- facts: in an open transaction of the writer ---- */
/* Store the enrollment of AGENT, and its revocation if there is one. Each is stored once, with an
 * event. */
enum lore_status lore_put_agent(struct lore_db *db, const struct lore_agent_row *agent,
    int64_t now_us, struct lore_err *err) LORE_MUST;

struct lore_receipt_record {
    struct lore_receipt_line line;
    unsigned char signature[LORE_SIGNATURE]; /* the agent's */
    const char *document, *code;             /* document NULL: refused; code NULL: not refused */
};
struct lore_batch_receipt {
    const char *agent, *batch;
    int64_t number, received_us;
    unsigned char previous[32], hash[32], signature[LORE_SIGNATURE], key[LORE_PUBLIC_KEY];
    struct lore_receipt_record *records;
    size_t n;
};
/* Complete R (agent, batch, key, records) with the fields that follow from the agent's chain, sign
 * it with SECRET, and store it with an event of ACTOR. LORE_CONFLICT code replayed_batch. */
enum lore_status lore_put_receipt(struct lore_db *db, const unsigned char secret[LORE_SECRET_KEY],
    struct lore_batch_receipt *r, const char *actor, int64_t now_us,
    struct lore_err *err) LORE_MUST;
/* Store R, which another database has: with its number, times, hashes and signature. LORE_CORRUPT:
 * it does not follow from the agent's receipts here. */
enum lore_status lore_put_signed_receipt(struct lore_db *db, const struct lore_batch_receipt *r,
    const char *actor, struct lore_err *err) LORE_MUST;

/* ---- reading ---- */
enum lore_status lore_db_batch_used(
    struct lore_db *db, const char *batch, bool *out, struct lore_err *err) LORE_MUST;
/* Find the accepted record SEQ of AGENT: its hash and its document's id. The id is NULL when the
 * agent has no such record. */
struct lore_signed {
    const char *document;
    unsigned char hash[32];
};
enum lore_status lore_db_find_signed(struct lore_db *db, const char *agent, uint64_t seq,
    struct lore_arena *a, struct lore_signed *out, struct lore_err *err) LORE_MUST;
/* List at most `most` receipts of an agent with a number above `after`, in order, with their
 * records. */
struct lore_receipt_part {
    const char *agent;
    int64_t after;
    size_t most;
};
enum lore_status lore_db_list_receipts(struct lore_db *db, const struct lore_receipt_part *part,
    struct lore_arena *a, struct lore_batch_receipt **out, size_t *n,
    struct lore_err *err) LORE_MUST;
struct lore_agent_counts {
    int64_t receipts, stored, duplicates, refused, last_us; /* last_us 0: none yet */
};
enum lore_status lore_agent_counts(struct lore_db *db, const char *agent,
    struct lore_agent_counts *out, struct lore_err *err) LORE_MUST;
/* Check every chain and every signature. LORE_CORRUPT names the first fault. A schema without
 * agents has nothing to check. */
enum lore_status lore_db_verify_receipts(
    struct lore_db *db, int64_t *receipts, int64_t *records, struct lore_err *err) LORE_MUST;

#endif
