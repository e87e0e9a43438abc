/* Token hashes in DIR/auth.db (auth.c); auth_change.h changes them. The file uses a rollback
 * journal, so another process may write it beside a running service. */
#ifndef LORE_DB_CREDENTIALS_H
#define LORE_DB_CREDENTIALS_H

#include "service/base/arena.h"
#include <stdbool.h>
#include <stdint.h>

struct lore_auth_db;
struct lore_token_row {
    const char *id, *label, *role;
    int64_t created_us, expires_us /* 0: never */, revoked_us /* 0: not revoked */;
    unsigned char hash[32];
};
enum lore_status lore_auth_open(
    const char *dir, bool write, struct lore_auth_db **out, struct lore_err *err) LORE_MUST;
void lore_auth_close(struct lore_auth_db *db);
enum lore_status lore_auth_get(struct lore_auth_db *db, const char *id, struct lore_arena *a,
    struct lore_token_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_auth_list(struct lore_auth_db *db, struct lore_arena *a,
    struct lore_token_row **out, size_t *n, struct lore_err *err) LORE_MUST;

#endif
