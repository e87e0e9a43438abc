/* Reading and verifying JSON Web Tokens (jwt.h). */
#include "service/auth/jwt.h"

#include <math.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "service/base/text.h"
#include "service/base/xalloc.h"

#define KEYS_MAX 64
#define RSA_BITS_MIN 2048
#define RSA_BYTES_MAX 1024 /* 8192 bits: larger ones take too long */
#define LEEWAY_S 60

static const struct lore_json_limits limits = {
    .depth = 8, .string_bytes = LORE_JWT_MAX, .array_items = 1000, .nodes = 4000};
static const struct lore_json_limits key_limits = {
    .depth = 8, .string_bytes = 16384, .array_items = 1000, .nodes = 20000};

struct key {
    char kid[200]; /* "": none */
    EVP_PKEY *rsa; /* RS256; NULL: EdDSA */
    unsigned char ed25519[crypto_sign_PUBLICKEYBYTES];
};
struct lore_jwt_keys {
    struct key v[KEYS_MAX];
    size_t n;
};

static enum lore_status
refuse(struct lore_err *err, const char *why)
{
    return lore_fail_at(err, LORE_UNAUTHENTICATED, "bad_token", "", "the token %s", why);
}

static const char *
text_of(const struct lore_json *object, const char *key)
{
    const struct lore_json *m = lore_json_get(object, key);

    /* a NUL inside would hide the rest of the text; the parser refuses it */
    return m && m->type == LORE_J_STRING ? m->str : NULL;
}

/* N bytes of TEXT as base64url without padding into OUT. Returns their number, 0 when they are
 * none. */
static size_t
decode(const char *text, size_t n, unsigned char *out, size_t size)
{
    size_t len = 0;
    const char *end = NULL;

    if (n == 0 || sodium_base642bin(out, size, text, n, NULL, &len, &end,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0)
        return 0;
    return end == text + n ? len : 0;
}

/* ---- keys ---- */

static EVP_PKEY *
make_rsa(const unsigned char *n, size_t n_len, const unsigned char *e, size_t e_len)
{
    BIGNUM *bn = BN_bin2bn(n, (int)n_len, NULL), *be = BN_bin2bn(e, (int)e_len, NULL);
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    OSSL_PARAM *params = NULL;
    EVP_PKEY *key = NULL;

    if (bn && be && build && ctx && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, bn) == 1 &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, be) == 1 &&
        (params = OSSL_PARAM_BLD_to_param(build)) != NULL && EVP_PKEY_fromdata_init(ctx) == 1 &&
        EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
        key = NULL;
    if (key && EVP_PKEY_get_bits(key) < RSA_BITS_MIN) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX_free(ctx);
    BN_free(bn);
    BN_free(be);
    ERR_clear_error();
    return key;
}

static bool
read_rsa(const struct lore_json *node, struct key *out)
{
    const char *n = text_of(node, "n"), *e = text_of(node, "e"), *alg = text_of(node, "alg");
    unsigned char modulus[RSA_BYTES_MAX], exponent[8];
    size_t n_len = n ? decode(n, strlen(n), modulus, sizeof modulus) : 0;
    size_t e_len = e ? decode(e, strlen(e), exponent, sizeof exponent) : 0;

    if (n_len == 0 || e_len == 0 || (alg && strcmp(alg, "RS256") != 0))
        return false;
    out->rsa = make_rsa(modulus, n_len, exponent, e_len);
    return out->rsa != NULL;
}

static bool
read_ed25519(const struct lore_json *node, struct key *out)
{
    const char *x = text_of(node, "x"), *alg = text_of(node, "alg");

    return x && lore_streq(text_of(node, "crv"), "Ed25519") &&
           (!alg || strcmp(alg, "EdDSA") == 0) &&
           decode(x, strlen(x), out->ed25519, sizeof out->ed25519) == sizeof out->ed25519;
}

static bool
read_key(const struct lore_json *node, struct key *out)
{
    const char *kid = text_of(node, "kid"), *use = text_of(node, "use");
    const char *kty = text_of(node, "kty");

    if ((use && strcmp(use, "sig") != 0) || (kid && strlen(kid) >= sizeof out->kid))
        return false;
    snprintf(out->kid, sizeof out->kid, "%s", kid ? kid : "");
    return lore_streq(kty, "RSA")   ? read_rsa(node, out)
           : lore_streq(kty, "OKP") ? read_ed25519(node, out)
                                    : false;
}

enum lore_status
lore_jwt_keys_read(const char *json, size_t n, struct lore_jwt_keys **out, struct lore_err *err)
{
    LORE_SCRATCH arena = {0};
    struct lore_jwt_keys *keys;
    struct lore_json *root = NULL;
    const struct lore_json *list;

    if (lore_json_parse(json, n, &key_limits, &arena, &root, NULL) != LORE_OK)
        return lore_fail_at(err, LORE_INVALID, "bad_keys", "", "the keys are not JSON");
    list = lore_json_get(root, "keys");
    keys = lore_xalloc(sizeof *keys);
    for (const struct lore_json *k = list ? list->child : NULL; k && keys->n < KEYS_MAX;
         k = k->next)
        keys->n += read_key(k, &keys->v[keys->n]);
    if (keys->n == 0) {
        lore_jwt_keys_free(keys);
        return lore_fail_at(
            err, LORE_INVALID, "bad_keys", "", "no key for RS256 or EdDSA is among the keys");
    }
    *out = keys;
    return LORE_OK;
}

void
lore_jwt_keys_free(struct lore_jwt_keys *keys)
{
    for (size_t i = 0; keys && i < keys->n; i++)
        EVP_PKEY_free(keys->v[i].rsa);
    lore_xfree(keys);
}

/* ---- reading ---- */

bool
lore_jwt_looks(const char *text)
{
    const char *first = strchr(text, '.'), *second = first ? strchr(first + 1, '.') : NULL;

    return second && !strchr(second + 1, '.');
}

/* The JSON object in N bytes of base64url. */
static const struct lore_json *
read_part(const char *text, size_t n, struct lore_arena *arena)
{
    unsigned char *bytes = lore_alloc(arena, n + 1);
    size_t len = decode(text, n, bytes, n);
    struct lore_json *root = NULL;

    if (len == 0 ||
        lore_json_parse((const char *)bytes, len, &limits, arena, &root, NULL) != LORE_OK)
        return NULL;
    return root->type == LORE_J_OBJECT ? root : NULL;
}

enum lore_status
lore_jwt_read(
    const char *text, struct lore_arena *arena, struct lore_jwt *out, struct lore_err *err)
{
    size_t n = strlen(text), header_len = strcspn(text, "."), n_signature;
    const char *body, *signature;
    const struct lore_json *header;
    unsigned char *bytes;

    *out = (struct lore_jwt){.text = text};
    if (n > LORE_JWT_MAX || !lore_jwt_looks(text))
        return refuse(err, "does not have three parts");
    body = text + header_len + 1;
    signature = strchr(body, '.') + 1;
    out->signed_len = (size_t)(signature - text) - 1;
    n_signature = n - out->signed_len - 1;
    header = read_part(text, header_len, arena);
    out->claims = read_part(body, (size_t)(signature - body) - 1, arena);
    bytes = lore_alloc(arena, n_signature + 1);
    out->n_signature = decode(signature, n_signature, bytes, n_signature);
    out->signature = bytes;
    if (!header || !out->claims || out->n_signature == 0)
        return refuse(err, "is damaged");
    out->alg = text_of(header, "alg");
    out->kid = text_of(header, "kid");
    if (!out->alg || lore_json_get(header, "crit"))
        return refuse(err, "names no algorithm, or needs an extension");
    return LORE_OK;
}

/* ---- checking ---- */

static const struct key *
find_key(const struct lore_jwt *t, const struct lore_jwt_keys *keys)
{
    if (!t->kid)
        return keys->n == 1 ? &keys->v[0] : NULL;
    for (size_t i = 0; i < keys->n; i++)
        if (strcmp(keys->v[i].kid, t->kid) == 0)
            return &keys->v[i];
    return NULL;
}

static bool
rsa_ok(const struct lore_jwt *t, EVP_PKEY *key)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool ok = ctx && EVP_DigestVerifyInit(ctx, NULL, EVP_sha256(), NULL, key) == 1 &&
              EVP_DigestVerify(ctx, t->signature, t->n_signature, (const unsigned char *)t->text,
                  t->signed_len) == 1;

    EVP_MD_CTX_free(ctx);
    ERR_clear_error();
    return ok;
}

enum lore_status
lore_jwt_verify(const struct lore_jwt *t, const struct lore_jwt_keys *keys, struct lore_err *err)
{
    const struct key *k = find_key(t, keys);
    bool ok;

    if (!k)
        return lore_fail_at(
            err, LORE_NOTFOUND, "unknown_key", "", "the token is signed with an unknown key");
    if (strcmp(t->alg, k->rsa ? "RS256" : "EdDSA") != 0)
        return refuse(err, "is not signed with the algorithm of its key");
    ok = k->rsa ? rsa_ok(t, k->rsa)
                : t->n_signature == crypto_sign_BYTES &&
                      crypto_sign_verify_detached(t->signature, (const unsigned char *)t->text,
                          t->signed_len, k->ed25519) == 0;
    return ok ? LORE_OK : refuse(err, "is not signed by its key");
}

/* Is the audience, a text or a list of texts, WANTED? */
static bool
is_for(const struct lore_json *aud, const char *wanted)
{
    if (!aud)
        return false;
    if (aud->type == LORE_J_STRING)
        return strcmp(aud->str, wanted) == 0;
    for (const struct lore_json *v = aud->type == LORE_J_ARRAY ? aud->child : NULL; v; v = v->next)
        if (v->type == LORE_J_STRING && strcmp(v->str, wanted) == 0)
            return true;
    return false;
}

/* The time in claim KEY; OTHERWISE when it is not given; NAN when it is no number. */
static double
time_of(const struct lore_json *claims, const char *key, double otherwise)
{
    const struct lore_json *m = lore_json_get(claims, key);

    return !m ? otherwise : m->type == LORE_J_NUMBER ? m->f : NAN;
}

enum lore_status
lore_jwt_check(const struct lore_jwt *t, const struct lore_jwt_wanted *w, struct lore_err *err)
{
    double now = (double)w->now_s;

    if (!lore_streq(text_of(t->claims, "iss"), w->issuer))
        return refuse(err, "is of another issuer");
    if (!is_for(lore_json_get(t->claims, "aud"), w->audience))
        return refuse(err, "is meant for another service");
    /* written so that NAN fails */
    if (!(now < time_of(t->claims, "exp", NAN) + LEEWAY_S))
        return refuse(err, "has expired");
    if (!(time_of(t->claims, "nbf", now) <= now + LEEWAY_S) ||
        !(time_of(t->claims, "iat", now) <= now + LEEWAY_S))
        return refuse(err, "is not valid yet");
    return LORE_OK;
}
