/* Agents: programs that enrolled an Ed25519 key with a one-time code and sign every batch. Keys and
 * hashes of codes are in DIR/auth.db, so `warplored enroll` and `warplored agents --revoke` work
 * while the service runs. A revocation takes effect within a second. They have
 * the service's own key (service_key.h), which is made when it does not exist. Thread-safe. */
#ifndef LORE_AUTH_AGENTS_H
#define LORE_AUTH_AGENTS_H

#include "db/agent.h"
#include "service/auth/agents_limits.h"

#define LORE_CODE_SIZE 37 /* "wle_", 32 characters of base64url, the NUL */

/* A signed request: its first line, and its headers; NULL where a header is missing. */
struct lore_sign_headers {
    const char *method, *path;
    const char *agent, *batch, *created, *digest, *signature;
};

struct lore_agents;
/* Errors of lore_service_key_read, too. */
enum lore_status
lore_agents_open(const char *dir, struct lore_agents **out, struct lore_err *err) LORE_MUST;
void lore_agents_close(struct lore_agents *g);
const unsigned char *lore_agents_key(const struct lore_agents *g);    /* the service's, public */
const unsigned char *lore_agents_secret(const struct lore_agents *g); /* LORE_SECRET_KEY bytes */

/* Find the agent that signed the request H. The body has not arrived yet: the caller
 * checks that it has the signed digest. LORE_UNAUTHENTICATED with code no_signature, bad_signature,
 * agent_revoked or clock_skew. An unknown agent and a wrong key give the same message. The last two
 * codes are given only when the key is right. */
enum lore_status lore_agents_check(struct lore_agents *g, const struct lore_sign_headers *h,
    struct lore_arena *arena, struct lore_agent_row *out, struct lore_err *err) LORE_MUST;

/* Make a one-time code for one agent, good for MINUTES, and store its hash. LABEL NULL: the agent
 * chooses one; else errors of lore_label_check. */
enum lore_status lore_agents_code(struct lore_auth_db *db, const char *label, int minutes,
    char text[LORE_CODE_SIZE], struct lore_err *err) LORE_MUST;
/* A one-time code, and the address that sends it. */
struct lore_guess {
    const char *code, *address;
};
/* Enroll AGENT, which has a key and a wanted label, with a one-time code. Fills in its id, the time
 * and its label. The label of the code has priority over the wanted one. A number is added to the
 * wanted one when another agent has it. Errors of lore_db_auth_enroll. Errors of
 * lore_agents_may_guess, with the seconds to wait in *wait_s. */
enum lore_status lore_agents_enroll(struct lore_agents *g, const struct lore_guess *guess,
    struct lore_agent_row *agent, struct lore_arena *arena, int *wait_s,
    struct lore_err *err) LORE_MUST;
/* Undo the enrolment of the agent ID, which nobody was told of; its code is free again.
 * LORE_NOTFOUND: there is no such agent. */
enum lore_status
lore_agents_drop(struct lore_agents *g, const char *id, struct lore_err *err) LORE_MUST;
/* An agent by id; the row may be up to a second old. LORE_NOTFOUND when there is none. */
enum lore_status lore_agents_get(struct lore_agents *g, const char *id, struct lore_arena *arena,
    struct lore_agent_row *out, struct lore_err *err) LORE_MUST;
/* Whether there is an agent ID now. */
enum lore_status
lore_agents_has(struct lore_agents *g, const char *id, bool *has, struct lore_err *err) LORE_MUST;
/* Every agent, in order of enrolment. */
enum lore_status lore_agents_list(struct lore_agents *g, struct lore_arena *arena,
    struct lore_agent_row **out, size_t *n, struct lore_err *err) LORE_MUST;

/* Limits and counters of the agents of G, which owns them. */
struct lore_agents_limits *lore_agents_limits(struct lore_agents *g);

#endif
