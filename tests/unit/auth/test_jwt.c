// uses: auth
/* Tokens of an identity provider: signed here with fresh keys, then altered in every way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <sodium.h>

#include "service/auth/jwt.h"
#include "service/base/buf.h"
#include "service/base/hash.h"

#define NOW INT64_C(1800000000)

struct fixture {
    struct lore_arena arena;
    unsigned char public_key[32], secret[64];
    EVP_PKEY *rsa, *weak;
    struct lore_err err;
};

static const char *
b64(struct lore_arena *a, const void *bytes, size_t n)
{
    size_t size = sodium_base64_encoded_len(n, sodium_base64_VARIANT_URLSAFE_NO_PADDING);

    return sodium_bin2base64(
        lore_alloc(a, size), size, bytes, n, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

static int
set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    lore_hash_init();
    crypto_sign_keypair(f->public_key, f->secret);
    f->rsa = EVP_RSA_gen(2048);
    f->weak = EVP_RSA_gen(1024);
    *state = f;
    return f->rsa && f->weak ? 0 : -1;
}

static int
tear_down(void **state)
{
    struct fixture *f = *state;

    EVP_PKEY_free(f->rsa);
    EVP_PKEY_free(f->weak);
    lore_arena_free(&f->arena);
    free(f);
    return 0;
}

static const char *
rsa_key(struct fixture *f, EVP_PKEY *key, const char *kid)
{
    BIGNUM *n = NULL;
    unsigned char bytes[256];
    int len;

    assert_int_equal(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &n), 1);
    len = BN_bn2bin(n, bytes);
    BN_free(n);
    return lore_format(&f->arena,
        "{\"kty\":\"RSA\",\"kid\":\"%s\",\"use\":\"sig\",\"alg\":\"RS256\",\"n\":\"%s\",\"e\":"
        "\"AQAB\"}",
        kid, b64(&f->arena, bytes, (size_t)len));
}

static const char *
ed_key(struct fixture *f, const char *kid)
{
    return lore_format(&f->arena,
        "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"%s\",\"x\":\"%s\"}", kid,
        b64(&f->arena, f->public_key, sizeof f->public_key));
}

static enum lore_status
read_keys(struct fixture *f, const char *list, struct lore_jwt_keys **out)
{
    const char *set = lore_format(&f->arena, "{\"keys\":[%s]}", list);

    *out = NULL;
    return lore_jwt_keys_read(set, strlen(set), out, &f->err);
}

static const char *
unsigned_part(struct fixture *f, const char *head, const char *claims)
{
    return lore_format(&f->arena, "%s.%s", b64(&f->arena, head, strlen(head)),
        b64(&f->arena, claims, strlen(claims)));
}

static const char *
signed_by_ed(struct fixture *f, const char *head, const char *claims)
{
    const char *text = unsigned_part(f, head, claims);
    unsigned char signature[64];

    crypto_sign_detached(signature, NULL, (const unsigned char *)text, strlen(text), f->secret);
    return lore_format(&f->arena, "%s.%s", text, b64(&f->arena, signature, sizeof signature));
}

static const char *
signed_by_rsa(struct fixture *f, const char *head, const char *claims)
{
    const char *text = unsigned_part(f, head, claims);
    unsigned char signature[256];
    size_t n = sizeof signature;
    EVP_MD_CTX *c = EVP_MD_CTX_new();

    assert_int_equal(EVP_DigestSignInit(c, NULL, EVP_sha256(), NULL, f->rsa), 1);
    assert_int_equal(
        EVP_DigestSign(c, signature, &n, (const unsigned char *)text, strlen(text)), 1);
    EVP_MD_CTX_free(c);
    return lore_format(&f->arena, "%s.%s", text, b64(&f->arena, signature, n));
}

/* The status of reading and verifying TEXT with KEYS. */
static enum lore_status
verify(struct fixture *f, const char *text, const struct lore_jwt_keys *keys)
{
    struct lore_jwt t;
    enum lore_status status = lore_jwt_read(text, &f->arena, &t, &f->err);

    return status == LORE_OK ? lore_jwt_verify(&t, keys, &f->err) : status;
}

#define CLAIMS "{\"iss\":\"i\",\"aud\":\"a\",\"sub\":\"s\",\"exp\":1800000100}"

static void
both_algorithms_verify(void **state)
{
    struct fixture *f = *state;
    struct lore_jwt_keys *keys;

    assert_int_equal(
        read_keys(
            f, lore_format(&f->arena, "%s,%s", ed_key(f, "e"), rsa_key(f, f->rsa, "r")), &keys),
        LORE_OK);
    assert_int_equal(
        verify(f, signed_by_ed(f, "{\"alg\":\"EdDSA\",\"kid\":\"e\"}", CLAIMS), keys), LORE_OK);
    assert_int_equal(
        verify(f, signed_by_rsa(f, "{\"alg\":\"RS256\",\"kid\":\"r\"}", CLAIMS), keys), LORE_OK);
    /* each key by the other's name, or by its algorithm */
    assert_int_equal(verify(f, signed_by_ed(f, "{\"alg\":\"EdDSA\",\"kid\":\"r\"}", CLAIMS), keys),
        LORE_UNAUTHENTICATED);
    assert_int_equal(verify(f, signed_by_rsa(f, "{\"alg\":\"EdDSA\",\"kid\":\"r\"}", CLAIMS), keys),
        LORE_UNAUTHENTICATED);
    assert_int_equal(verify(f, signed_by_ed(f, "{\"alg\":\"EdDSA\",\"kid\":\"x\"}", CLAIMS), keys),
        LORE_NOTFOUND);
    assert_int_equal(
        verify(f, signed_by_ed(f, "{\"alg\":\"EdDSA\"}", CLAIMS), keys), LORE_NOTFOUND);
    lore_jwt_keys_free(keys);
    assert_int_equal(read_keys(f, ed_key(f, "e"), &keys), LORE_OK);
    assert_int_equal(verify(f, signed_by_ed(f, "{\"alg\":\"EdDSA\"}", CLAIMS), keys), LORE_OK);
    lore_jwt_keys_free(keys);
}

static void
other_algorithms_get_nowhere(void **state)
{
    static const char *const heads[] = {"{\"alg\":\"none\",\"kid\":\"e\"}",
        "{\"alg\":\"HS256\",\"kid\":\"e\"}", "{\"alg\":\"RS256\",\"kid\":\"e\"}",
        "{\"alg\":\"\",\"kid\":\"e\"}", "{\"kid\":\"e\"}", "{\"alg\":7,\"kid\":\"e\"}", "[]", "7"};
    struct fixture *f = *state;
    struct lore_jwt_keys *keys;

    assert_int_equal(read_keys(f, ed_key(f, "e"), &keys), LORE_OK);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        assert_int_equal(verify(f, signed_by_ed(f, heads[i], CLAIMS), keys), LORE_UNAUTHENTICATED);
    /* nothing after the last dot, and no last dot */
    const char *bare = unsigned_part(f, "{\"alg\":\"none\"}", CLAIMS);
    assert_int_equal(verify(f, lore_format(&f->arena, "%s.", bare), keys), LORE_UNAUTHENTICATED);
    assert_int_equal(verify(f, bare, keys), LORE_UNAUTHENTICATED);
    lore_jwt_keys_free(keys);
}

/* Every byte of a token counts: each one altered, cut off or doubled is refused. */
static void
every_byte_counts(void **state)
{
    struct fixture *f = *state;
    const char *good = signed_by_ed(f, "{\"alg\":\"EdDSA\",\"kid\":\"e\"}", CLAIMS);
    size_t n = strlen(good);
    struct lore_jwt_keys *keys;

    assert_int_equal(read_keys(f, ed_key(f, "e"), &keys), LORE_OK);
    for (size_t i = 0; i < n; i++) {
        char *altered = lore_strndup(&f->arena, good, n);

        altered[i] = good[i] == 'A' ? 'B' : 'A';
        assert_int_not_equal(verify(f, altered, keys), LORE_OK);
        assert_int_not_equal(verify(f, lore_strndup(&f->arena, good, i), keys), LORE_OK);
    }
    for (const char *end = "A.= \n%"; *end; end++)
        assert_int_not_equal(verify(f, lore_format(&f->arena, "%s%c", good, *end), keys), LORE_OK);
    lore_jwt_keys_free(keys);
}

static void
keys_that_do_not_serve_are_left_out(void **state)
{
    struct fixture *f = *state;
    struct lore_jwt_keys *keys;
    const char *weak = rsa_key(f, f->weak, "w");

    assert_int_equal(read_keys(f, weak, &keys), LORE_INVALID);
    assert_null(keys);
    assert_int_equal(read_keys(f, "", &keys), LORE_INVALID);
    assert_int_equal(
        read_keys(f, "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AAAA\"}", &keys), LORE_INVALID);
    assert_int_equal(
        read_keys(f, "{\"kty\":\"RSA\",\"n\":\"\",\"e\":\"AQAB\"},7,null,[]", &keys), LORE_INVALID);
    assert_int_equal(
        read_keys(f, lore_format(&f->arena, "%s,%s,{\"kty\":\"EC\"}", weak, ed_key(f, "e")), &keys),
        LORE_OK);
    assert_int_equal(
        verify(f, signed_by_ed(f, "{\"alg\":\"EdDSA\",\"kid\":\"e\"}", CLAIMS), keys), LORE_OK);
    lore_jwt_keys_free(keys);
    for (const char *const *text = (const char *const[]){"", "{", "[]", "{}", "{\"keys\":7}", NULL};
         *text; text++)
        assert_int_equal(lore_jwt_keys_read(*text, strlen(*text), &keys, &f->err), LORE_INVALID);
}

static void
claims_have_to_fit(void **state)
{
    static const struct {
        const char *claims;
        bool fits;
    } cases[] = {
        {CLAIMS, true},
        {"{\"iss\":\"i\",\"aud\":[\"b\",\"a\"],\"exp\":1800000100}", true},
        {"{\"iss\":\"i\",\"aud\":\"a\",\"exp\":1799999950}", true}, /* within a minute */
        {"{\"iss\":\"i\",\"aud\":\"a\",\"exp\":1799999900}", false},
        {"{\"iss\":\"i\",\"aud\":\"a\"}", false},
        {"{\"iss\":\"i\",\"aud\":\"a\",\"exp\":\"1800000100\"}", false},
        {"{\"iss\":\"j\",\"aud\":\"a\",\"exp\":1800000100}", false},
        {"{\"aud\":\"a\",\"exp\":1800000100}", false},
        {"{\"iss\":\"i\",\"exp\":1800000100}", false},
        {"{\"iss\":\"i\",\"aud\":[],\"exp\":1800000100}", false},
        {"{\"iss\":\"i\",\"aud\":\"ab\",\"exp\":1800000100}", false},
        {"{\"iss\":\"i\",\"aud\":\"a\",\"exp\":1800000100,\"nbf\":1800000050}", true},
        {"{\"iss\":\"i\",\"aud\":\"a\",\"exp\":1800000100,\"nbf\":1800000090}", false},
        {"{\"iss\":\"i\",\"aud\":\"a\",\"exp\":1800000100,\"iat\":1800000090}", false},
        {"{\"iss\":\"i\",\"aud\":\"a\",\"exp\":1e300}", true},
    };
    const struct lore_jwt_wanted wanted = {"i", "a", NOW};
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_jwt t;

        assert_int_equal(lore_jwt_read(signed_by_ed(f, "{\"alg\":\"EdDSA\"}", cases[i].claims),
                             &f->arena, &t, &f->err),
            LORE_OK);
        if ((lore_jwt_check(&t, &wanted, &f->err) == LORE_OK) != cases[i].fits)
            fail_msg("%s: %s", cases[i].claims, f->err.msg);
    }
}

static void
a_long_token_is_refused(void **state)
{
    struct fixture *f = *state;
    char *long_claims = lore_alloc(&f->arena, 2 * LORE_JWT_MAX);
    struct lore_jwt t;

    memset(long_claims, ' ', 2 * LORE_JWT_MAX - 1);
    assert_int_equal(
        lore_jwt_read(signed_by_ed(f, "{\"alg\":\"EdDSA\"}", long_claims), &f->arena, &t, &f->err),
        LORE_UNAUTHENTICATED);
    assert_false(lore_jwt_looks("wl_0123.4"));
    assert_true(lore_jwt_looks("a.b.c"));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {TEST(both_algorithms_verify),
        TEST(other_algorithms_get_nowhere), TEST(every_byte_counts),
        TEST(keys_that_do_not_serve_are_left_out), TEST(claims_have_to_fit),
        TEST(a_long_token_is_refused)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
