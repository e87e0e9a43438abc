/* Bearer tokens: `wl_` + 16 hex digits of id + `_` + 43 characters of base64url (32 random bytes).
 * Only a hash of the secret is stored, in DIR/auth.db, so tokens can be made and revoked while the
 * service runs. A revocation takes effect within one second. */
#ifndef LORE_AUTH_TOKENS_H
#define LORE_AUTH_TOKENS_H

#include "service/base/arena.h"

#define LORE_TOKEN_SIZE 64 /* the text with the NUL: 3 + 16 + 1 + 43 + 1 */
#define LORE_TOKEN_ID 16
#define LORE_TOKEN_DAYS 90 /* how long a token lasts when nothing else is said */

struct lore_tokens;
struct lore_identity {
    const char *id, *label, *role; /* in the arena; the role by name: "reader" */
};
/* Open DIR/auth.db for lookups; create it when it does not exist. */
enum lore_status
lore_tokens_open(const char *dir, struct lore_tokens **out, struct lore_err *err) LORE_MUST;
void lore_tokens_close(struct lore_tokens *t);
/* Find the token of an Authorization header. LORE_UNAUTHENTICATED with code no_token when
 * AUTHORIZATION is NULL. Code bad_token, with the same message in every case, when the token never
 * existed, has another secret, has expired or was revoked. Thread-safe. */
enum lore_status lore_tokens_check(struct lore_tokens *t, const char *authorization,
    struct lore_arena *arena, struct lore_identity *out, struct lore_err *err) LORE_MUST;

struct lore_auth_db; /* db/store.h */
/* Make a token and store its hash. With an empty LABEL the token's id is shown instead. Errors of
 * lore_label_check. DAYS 0: the token never expires. TEXT is the only copy of the secret. */
enum lore_status lore_token_make(struct lore_auth_db *db, const char *role, const char *label,
    int days, char text[LORE_TOKEN_SIZE], struct lore_err *err) LORE_MUST;
/* Split a token's text into its id and the hash of its secret. LORE_INVALID when the text does not
 * have the form of a token. */
enum lore_status lore_token_split(const char *text, char id[LORE_TOKEN_ID + 1],
    unsigned char hash[32], struct lore_err *err) LORE_MUST;

#endif
