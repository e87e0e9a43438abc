/* Changes of auth.db for tests, one call each. */
#ifndef LORE_TESTS_UNIT_AUTH_CHANGES_H
#define LORE_TESTS_UNIT_AUTH_CHANGES_H

#include "db/auth_change.h"

static inline enum lore_status
auth_add(struct lore_auth_db *db, const struct lore_token_row *t, struct lore_err *err)
{
    return lore_auth_apply(
        db, &(struct lore_auth_change){.kind = LORE_AUTH_TOKEN_MADE, .token = t}, err);
}

static inline enum lore_status
auth_revoke(struct lore_auth_db *db, enum lore_auth_kind kind, const char *id, int64_t at_us,
    struct lore_err *err)
{
    return lore_auth_apply(
        db, &(struct lore_auth_change){.kind = kind, .at_us = at_us, .id = id}, err);
}

#endif
