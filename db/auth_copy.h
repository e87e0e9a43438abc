/* Rows of auth.db as JSON objects, which carry them to other databases (auth_copy.c). */
#ifndef LORE_DB_AUTH_COPY_H
#define LORE_DB_AUTH_COPY_H

#include "db/agent.h"

struct lore_credential {
    const char *kind; /* token | agent | code */
    const char *name; /* "token:ID" */
    const char *body; /* JSON */
};
/* Every token, agent and code. */
enum lore_status lore_auth_credentials(struct lore_auth_db *auth, struct lore_arena *a,
    struct lore_credential **out, size_t *n, struct lore_err *err) LORE_MUST;
/* Merge the credential IN (kind and body) into AUTH. A revocation or a use of either side stays.
 * When two agents have one label, that which was there first gets another one, and an agent with
 * the same key is replaced. *out is the credential as it is now. LORE_INVALID: it is no credential.
 */
enum lore_status lore_auth_merge(struct lore_auth_db *auth, const struct lore_credential *in,
    struct lore_arena *a, struct lore_credential *out, struct lore_err *err) LORE_MUST;
/* The agent that used the code IN here, when IN says that another one did; else NULL. */
enum lore_status lore_auth_other_user(struct lore_auth_db *auth, const struct lore_credential *in,
    struct lore_arena *a, const char **agent, struct lore_err *err) LORE_MUST;
/* Add the agents that DB has receipts of and AUTH does not know, as revoked at NOW_US. */
enum lore_status lore_auth_adopt_agents(
    struct lore_auth_db *auth, struct lore_db *db, int64_t now_us, struct lore_err *err) LORE_MUST;
/* The row of a credential of kind agent. */
enum lore_status lore_credential_agent(const char *body, size_t len, struct lore_arena *a,
    struct lore_agent_row *out, struct lore_err *err) LORE_MUST;
/* A number that another process changes by writing to AUTH. */
enum lore_status
lore_auth_version(struct lore_auth_db *auth, int64_t *out, struct lore_err *err) LORE_MUST;

#endif
