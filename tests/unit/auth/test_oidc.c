// uses: auth
/* People of an identity provider: a small one in this process serves its description and a key. */
#include <arpa/inet.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>
#include <sodium.h>

#include "service/auth/oidc.h"
#include "service/base/buf.h"
#include "service/base/clock.h"
#include "service/base/hash.h"
#include "service/base/text.h"

struct fixture {
    struct lore_arena arena;
    struct lore_err err;
    struct lore_identity who;
    unsigned char public_key[32], secret[64];
    /* the provider */
    int listener;
    pthread_t thread;
    char url[64];
    const char *issuer, *jwks_uri; /* as it says; jwks_uri NULL: its own */
    const char *kid;
    atomic_int descriptions, key_sets; /* answered */
    struct lore_oidc *o;
};

/* ---- the provider ---- */

static const char *
b64(struct lore_arena *a, const void *bytes, size_t n)
{
    size_t size = sodium_base64_encoded_len(n, sodium_base64_VARIANT_URLSAFE_NO_PADDING);

    return sodium_bin2base64(
        lore_alloc(a, size), size, bytes, n, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

static const char *
answer_to(struct fixture *f, const char *request, struct lore_arena *a)
{
    if (lore_starts(request, "GET /.well-known/openid-configuration ")) {
        f->descriptions++;
        return lore_format(a, "{\"issuer\":\"%s\",\"jwks_uri\":\"%s\"}", f->issuer,
            f->jwks_uri ? f->jwks_uri : lore_format(a, "%s/keys", f->url));
    }
    f->key_sets++;
    return lore_format(a,
        "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"%s\",\"x\":\"%s\"}]}", f->kid,
        b64(a, f->public_key, sizeof f->public_key));
}

static void *
provide(void *arg)
{
    struct fixture *f = arg;

    for (int s; (s = accept(f->listener, NULL, NULL)) >= 0; close(s)) {
        LORE_SCRATCH a = {0};
        char request[2048] = "";
        const char *text;

        if (recv(s, request, sizeof request - 1, 0) <= 0)
            continue;
        text = answer_to(f, request, &a);
        text =
            lore_format(&a, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s",
                strlen(text), text);
        (void)!send(s, text, strlen(text), MSG_NOSIGNAL);
    }
    return NULL;
}

static int
set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;

    *state = f;
    lore_hash_init();
    crypto_sign_keypair(f->public_key, f->secret);
    f->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(f->listener, (struct sockaddr *)&at, sizeof at) != 0 || listen(f->listener, 8) != 0 ||
        getsockname(f->listener, (struct sockaddr *)&at, &len) != 0)
        return -1;
    snprintf(f->url, sizeof f->url, "http://127.0.0.1:%d", ntohs(at.sin_port));
    f->issuer = f->url;
    f->kid = "k1";
    return pthread_create(&f->thread, NULL, provide, f);
}

static int
tear_down(void **state)
{
    struct fixture *f = *state;

    lore_oidc_stop(f->o);
    shutdown(f->listener, SHUT_RDWR);
    pthread_join(f->thread, NULL);
    close(f->listener);
    lore_arena_free(&f->arena);
    free(f);
    return 0;
}

/* ---- tokens ---- */

static int
rank_of(const char *role)
{
    static const char *const roles[] = {
        "reader@team/moe", "reader", "contributor", "curator", NULL};

    if (lore_streq(role, "writer@team/att"))
        return LORE_OIDC_BOUND;
    for (int i = 0; roles[i]; i++)
        if (lore_streq(role, roles[i]))
            return i + LORE_OIDC_BOUND;
    return 0;
}

static enum lore_status
start(struct fixture *f, const char *groups)
{
    struct lore_oidc_config c = {f->url, "warplore", groups, "groups"};

    return lore_oidc_start(&c, rank_of, &f->o, &f->err);
}

/* Who a token with the claims MORE is ("\"groups\":[],"), signed with the key KID. */
static enum lore_status
check_with(struct fixture *f, const char *kid, const char *more)
{
    const char *head = lore_format(&f->arena, "{\"alg\":\"EdDSA\",\"kid\":\"%s\"}", kid), *text;
    const char *claims =
        lore_format(&f->arena, "{%s\"iss\":\"%s\",\"aud\":\"warplore\",\"exp\":%lld}", more, f->url,
            (long long)(lore_now_us() / 1000000 + 60));
    unsigned char signature[64];

    text = lore_format(&f->arena, "%s.%s", b64(&f->arena, head, strlen(head)),
        b64(&f->arena, claims, strlen(claims)));
    crypto_sign_detached(signature, NULL, (const unsigned char *)text, strlen(text), f->secret);
    text =
        lore_format(&f->arena, "Bearer %s.%s", text, b64(&f->arena, signature, sizeof signature));
    memset(&f->err, 0, sizeof f->err);
    f->who = (struct lore_identity){0};
    assert_true(lore_oidc_looks(text));
    return lore_oidc_check(f->o, text, &f->arena, &f->who, &f->err);
}

static enum lore_status
check(struct fixture *f, const char *more)
{
    return check_with(f, "k1", more);
}

/* ---- tests ---- */

static void
refused(struct fixture *f, const char *issuer, const char *audience, const char *groups,
    const char *code, const char *option)
{
    struct lore_oidc_config c = {issuer, audience, groups, "groups"};
    struct lore_oidc *o = NULL;

    memset(&f->err, 0, sizeof f->err);
    assert_int_equal(lore_oidc_start(&c, rank_of, &o, &f->err), LORE_INVALID);
    assert_null(o);
    assert_string_equal(f->err.code, code);
    assert_string_equal(f->err.path, option);
}

static void
options_that_cannot_be_are_named(void **state)
{
    struct fixture *f = *state;

    refused(f, "http://login.example", "a", "", "invalid_option", "oidc_issuer");
    refused(f, "http://127.0.0.1.example/", "a", "", "invalid_option", "oidc_issuer");
    refused(f, "https://login.example", NULL, "", "missing_option", "oidc_audience");
    refused(f, "https://login.example", "", "", "missing_option", "oidc_audience");
    refused(f, "https://login.example", "a", "team=king", "invalid_option", "oidc_groups");
    refused(
        f, "https://login.example", "a", "team=reader, =reader", "invalid_option", "oidc_groups");
    refused(f, "https://login.example", "a", "team", "invalid_option", "oidc_groups");
    refused(f, "https://login.example", "a", "team=", "invalid_option", "oidc_groups");
    assert_int_equal(f->descriptions, 0);
}

static void
looks_like_a_token_of_a_provider(void **state)
{
    (void)state;
    assert_true(lore_oidc_looks("Bearer a.b.c"));
    assert_true(lore_oidc_looks("bearer a.b.c"));
    assert_false(lore_oidc_looks("Bearer wl_a.b.c"));
    assert_false(lore_oidc_looks("Bearer a.b"));
    assert_false(lore_oidc_looks("Basic a.b.c"));
    assert_false(lore_oidc_looks(NULL));
}

static void
has_role(struct fixture *f, const char *groups, const char *role)
{
    enum lore_status status =
        check(f, lore_format(&f->arena, "\"sub\":\"u1\",\"groups\":%s,", groups));

    assert_int_equal(status, role ? LORE_OK : LORE_FORBIDDEN);
    if (role)
        assert_string_equal(f->who.role, role);
    else
        assert_string_equal(f->err.code, "forbidden");
}

static void
the_highest_role_of_the_groups_counts(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(
        start(f,
            "team=contributor, leads=curator,a b=reader,moe=reader@team/moe,att=writer@team/att"),
        LORE_OK);
    has_role(f, "[\"team\"]", "contributor");
    has_role(f, "[\"leads\",\"team\"]", "curator");
    has_role(f, "[\"team\",\"leads\"]", "curator");
    has_role(f, "[7,null,\"team\",{}]", "contributor");
    has_role(f, "\"a b\"", "reader");
    /* rights in projects add up; a role in the whole memory is higher */
    has_role(f, "[\"moe\",\"att\"]", "reader@team/moe,writer@team/att");
    has_role(f, "[\"moe\",\"a b\"]", "reader");
    /* parts of names, and names that contain the text of the option */
    has_role(f, "[\"tea\"]", NULL);
    has_role(f, "[\"teams\"]", NULL);
    has_role(f, "[\"team=contributor\"]", NULL);
    has_role(f, "[\"team=contributor, leads\"]", NULL);
    has_role(f, "[\"\"]", NULL);
    has_role(f, "[]", NULL);
    has_role(f, "null", NULL);
    has_role(f, "{\"team\":true}", NULL);
}

static void
has_subject(struct fixture *f, const char *sub, enum lore_status wanted)
{
    assert_int_equal(
        check(f, lore_format(&f->arena, "\"sub\":%s,\"groups\":\"team\",", sub)), wanted);
    if (wanted != LORE_OK)
        assert_string_equal(f->err.code, "bad_token");
}

static void
a_person_is_issuer_and_subject(void **state)
{
    struct fixture *f = *state;
    char longest[110], longer[110];

    snprintf(longest, sizeof longest, "\"%0100d\"", 7);
    snprintf(longer, sizeof longer, "\"%0101d\"", 7);
    assert_int_equal(start(f, "team=reader"), LORE_OK);
    has_subject(f, "\"u1\"", LORE_OK);
    assert_string_equal(f->who.id, lore_format(&f->arena, "%s|u1", f->url));
    assert_string_equal(f->who.label, f->who.id);
    has_subject(f, longest, LORE_OK);
    has_subject(f, longer, LORE_UNAUTHENTICATED);
    has_subject(f, "\"\"", LORE_UNAUTHENTICATED);
    has_subject(f, "7", LORE_UNAUTHENTICATED);
    has_subject(f, "\"a\\u0007b\"", LORE_UNAUTHENTICATED);
    assert_int_equal(check(f, "\"groups\":\"team\","), LORE_UNAUTHENTICATED);
}

static void
is_called(struct fixture *f, const char *claims, const char *label)
{
    assert_int_equal(
        check(f, lore_format(&f->arena, "\"sub\":\"u1\",\"groups\":\"team\",%s", claims)), LORE_OK);
    assert_string_equal(f->who.label, label ? label : f->who.id);
}

static void
a_name_that_misleads_is_not_used(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(start(f, "team=curator"), LORE_OK);
    is_called(f, "\"preferred_username\":\"ann\",\"email\":\"a@x\",", "ann");
    is_called(f, "\"email\":\"a@x\",", "a@x");
    is_called(f, "\"preferred_username\":\"warplored\",\"email\":\"a@x\",", "a@x");
    is_called(f, "\"preferred_username\":\"agent:gpu01\",", NULL);
    is_called(f, "\"preferred_username\":\"admin\",", NULL);
    is_called(f, "\"preferred_username\":7,", NULL);
    is_called(f, "", NULL);
}

static void
keys_are_read_once_and_unknown_ones_not_looked_for_at_once(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(start(f, "team=reader"), LORE_OK);
    has_role(f, "\"team\"", "reader");
    has_role(f, "\"team\"", "reader");
    assert_int_equal(f->key_sets, 1);
    f->kid = "k2"; /* the provider has another key now */
    for (int i = 0; i < 3; i++) {
        assert_int_equal(
            check_with(f, "k2", "\"sub\":\"u1\",\"groups\":\"team\","), LORE_UNAUTHENTICATED);
        assert_string_equal(f->err.code, "bad_token");
    }
    assert_int_equal(f->key_sets, 1);
    has_role(f, "\"team\"", "reader");
}

static void
without_keys(struct fixture *f)
{
    assert_int_equal(start(f, "team=reader"), LORE_OK);
    while (f->descriptions == 0)
        usleep(1000);
    assert_int_equal(check(f, "\"sub\":\"u1\",\"groups\":\"team\","), LORE_BUSY);
    assert_string_equal(f->err.code, "no_keys");
    assert_int_equal(f->key_sets, 0);
}

static void
a_description_of_another_issuer_is_not_taken(void **state)
{
    struct fixture *f = *state;

    f->issuer = "https://login.example";
    without_keys(f);
}

static void
keys_without_encryption_are_not_fetched_from_elsewhere(void **state)
{
    struct fixture *f = *state;

    f->jwks_uri = "http://login.example/keys";
    without_keys(f);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(options_that_cannot_be_are_named),
        TEST(looks_like_a_token_of_a_provider),
        TEST(the_highest_role_of_the_groups_counts),
        TEST(a_person_is_issuer_and_subject),
        TEST(a_name_that_misleads_is_not_used),
        TEST(keys_are_read_once_and_unknown_ones_not_looked_for_at_once),
        TEST(a_description_of_another_issuer_is_not_taken),
        TEST(keys_without_encryption_are_not_fetched_from_elsewhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
