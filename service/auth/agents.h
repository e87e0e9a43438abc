/* Agents: programs that enrolled an Ed25519 key with a one-time code and sign every batch. Keys and
 * hashes of codes are in DIR/auth.db, so `warplored enroll` and `warplored agents --revoke` work
 * beside a running service, within a second. The service's own key, for receipts, is in
 * DIR/service.key, made when it is not there. Thread-safe. */
#ifndef LORE_AUTH_AGENTS_H
#define LORE_AUTH_AGENTS_H

#include "db/agent.h"

#define LORE_CODE_SIZE 37 /* "wle_", 32 characters of base64url, the NUL */

/* The headers of a signed request; NULL where one is not there. */
struct lore_sign_headers {
    const char *agent, *batch, *created, *digest, *signature;
};

struct lore_agents;
/* Errors: a service.key that is damaged, or that others may read. */
enum lore_status
lore_agents_open(const char *dir, struct lore_agents **out, struct lore_err *err) LORE_MUST;
void lore_agents_close(struct lore_agents *g);
const unsigned char *lore_agents_key(const struct lore_agents *g);    /* the service's, public */
const unsigned char *lore_agents_secret(const struct lore_agents *g); /* LORE_SECRET_KEY bytes */

/* Who signed METHOD PATH with headers H? Before the body: that it has the digest is for the caller
 * to check. LORE_UNAUTHENTICATED with code no_signature; bad_signature, in the same words for an
 * unknown agent and a wrong key; and, when the key is right, agent_revoked or clock_skew. */
enum lore_status lore_agents_check(struct lore_agents *g, const struct lore_sign_headers *h,
    const char *method, const char *path, struct lore_arena *arena, struct lore_agent_row *out,
    struct lore_err *err) LORE_MUST;

/* Make a one-time code for one agent, good for MINUTES, and store its hash. LABEL NULL: the
 * agent chooses one; else errors of lore_label_check. */
enum lore_status lore_code_make(struct lore_auth_db *db, const char *label, int minutes,
    char text[LORE_CODE_SIZE], struct lore_err *err) LORE_MUST;
/* Use CODE. AGENT has key and label; id, time and the label it got are filled in. Errors of
 * lore_auth_enroll; LORE_BUSY code too_many_codes, with *wait_s, after ten wrong ones in a minute,
 * whatever the code. */
enum lore_status
lore_agents_enroll(struct lore_agents *g, const char *code, struct lore_agent_row *agent,
    struct lore_arena *arena, int *wait_s, struct lore_err *err) LORE_MUST;
/* One agent, as it was within the last second; LORE_NOTFOUND. */
enum lore_status lore_agents_get(struct lore_agents *g, const char *id, struct lore_arena *arena,
    struct lore_agent_row *out, struct lore_err *err) LORE_MUST;
/* Every agent, by enrolment. */
enum lore_status lore_agents_list(struct lore_agents *g, struct lore_arena *arena,
    struct lore_agent_row **out, size_t *n, struct lore_err *err) LORE_MUST;

/* One batch of an agent at a time, and so many of all: what is looked up before a batch is stored
 * then still holds. LORE_BUSY code batch_in_flight or too_many_batches. */
enum lore_status
lore_agents_enter(struct lore_agents *g, const char *agent, struct lore_err *err) LORE_MUST;
void lore_agents_leave(struct lore_agents *g, const char *agent);

/* Call FN for refused requests: for the log of events. At most once a minute for an agent and a
 * code, and ten times a minute in all. AGENT is NULL unless its key is known. */
typedef void lore_agents_refusal(void *ctx, const char *agent, const char *code);
void lore_agents_on_refused(struct lore_agents *g, lore_agents_refusal *fn, void *ctx);
void lore_agents_refused(struct lore_agents *g, const char *agent, const char *code);

/* What batches came to since the start: those with a receipt, their records by state, requests that
 * were refused, and batches in here now. */
struct lore_agents_stats {
    uint64_t batches, stored, duplicates, refused, requests_refused, in_flight;
};
/* Add what one batch with a receipt came to; members that are not its records are not looked at. */
void lore_agents_took(struct lore_agents *g, const struct lore_agents_stats *batch);
void lore_agents_stats(struct lore_agents *g, struct lore_agents_stats *out);

#endif
