/* JSON Web Tokens of an identity provider (RFC 7519), signed with RS256 or EdDSA (Ed25519). A key
 * has one algorithm, and a token must name that one, so `none` and a public key used as an HMAC
 * secret get nowhere. OpenSSL checks RSA, libsodium Ed25519. */
#ifndef LORE_AUTH_JWT_H
#define LORE_AUTH_JWT_H

#include <stdbool.h>

#include "service/base/json.h"

#define LORE_JWT_MAX 12000 /* bytes of a token */

struct lore_jwt_keys;
/* Read a key set (RFC 7517) of at most 64 keys. Keys for other uses or algorithms, and RSA keys
 * below 2048 bits are left out. LORE_INVALID: no key set, or no usable key in it. Free *OUT with
 * lore_jwt_keys_free. */
enum lore_status lore_jwt_keys_read(
    const char *json, size_t n, struct lore_jwt_keys **out, struct lore_err *err) LORE_MUST;
void lore_jwt_keys_free(struct lore_jwt_keys *keys);

struct lore_jwt {
    const char *alg, *kid; /* kid NULL: not given */
    const struct lore_json *claims;
    const char *text; /* the signed part: SIGNED_LEN bytes */
    size_t signed_len, n_signature;
    const unsigned char *signature;
};
/* Whether TEXT can only be meant as such a token: three parts apart by dots. */
bool lore_jwt_looks(const char *text);
/* Take TEXT apart, which lives as long as *OUT. Nothing in it is checked yet. LORE_UNAUTHENTICATED
 * code bad_token. */
enum lore_status lore_jwt_read(const char *text, struct lore_arena *arena, struct lore_jwt *out,
    struct lore_err *err) LORE_MUST;
/* Check the signature. LORE_NOTFOUND: no key with the token's kid; LORE_UNAUTHENTICATED: not by
 * that key, or another algorithm than the key's. A token without kid fits a set of one key. */
enum lore_status lore_jwt_verify(
    const struct lore_jwt *t, const struct lore_jwt_keys *keys, struct lore_err *err) LORE_MUST;
/* Check iss, aud, exp, nbf and iat at NOW_S; clocks may differ by a minute. */
struct lore_jwt_wanted {
    const char *issuer, *audience;
    int64_t now_s;
};
enum lore_status lore_jwt_check(
    const struct lore_jwt *t, const struct lore_jwt_wanted *wanted, struct lore_err *err) LORE_MUST;

#endif
