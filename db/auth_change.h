/* Every change of DIR/auth.db. Tokens, one-time codes and agents change through
 * lore_auth_apply_held and nothing else, so a record of all changes is made there. */
#ifndef LORE_DB_AUTH_CHANGE_H
#define LORE_DB_AUTH_CHANGE_H

#include "db/agent.h"

enum lore_auth_kind {
    LORE_AUTH_TOKEN_MADE = 1,
    LORE_AUTH_TOKEN_REVOKED,
    LORE_AUTH_CODE_MADE,
    LORE_AUTH_AGENT_ENROLLED,
    LORE_AUTH_AGENT_REVOKED,
    LORE_AUTH_AGENT_DROPPED, /* an enrolment that was not acknowledged; its code is free again */
};
struct lore_auth_change {
    enum lore_auth_kind kind;
    int64_t at_us;                      /* when it was decided */
    const struct lore_token_row *token; /* TOKEN_MADE */
    const struct lore_agent_row *agent; /* AGENT_ENROLLED, with the label that it gets */
    const unsigned char *code;          /* CODE_MADE, AGENT_ENROLLED: 32 bytes, its hash */
    const char *label;                  /* CODE_MADE; NULL: the agent's own */
    int64_t expires_us;                 /* CODE_MADE */
    const char *id;                     /* TOKEN_REVOKED, AGENT_REVOKED, AGENT_DROPPED */
};
/* Make change C in one transaction. The time of the first revocation stays.
 * LORE_CONFLICT: the token's id or the agent's key is there already; LORE_NOTFOUND: there is no
 * such token or agent. */
enum lore_status lore_auth_apply(
    struct lore_auth_db *db, const struct lore_auth_change *c, struct lore_err *err) LORE_MUST;
/* The same within a transaction of the caller, who holds the mutex of DB. */
enum lore_status lore_auth_apply_held(
    struct lore_auth_db *db, const struct lore_auth_change *c, struct lore_err *err) LORE_MUST;

#endif
