// uses: http
/* The gate before the routes: what of a request is refused before anything is read of its body. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/http/gate.h"
#include "tests/unit/routes_fixture.h"

/* One request through the gate: METHOD TARGET and headers as name, value, name, value. */
struct knock {
    struct lore_arena arena;
    struct lore_header headers[80];
    struct lore_head head;
    struct lore_req req;
    struct lore_pass pass;
    struct lore_err err;
};

static int
knock_with(struct knock *k, const char *method, const char *target, const char *const *headers)
{
    memset(k, 0, sizeof *k);
    k->head = (struct lore_head){.method = method, .target = target, .headers = k->headers};
    for (; *headers != NULL; headers += 2)
        k->headers[k->head.n_headers++] = (struct lore_header){headers[0], headers[1]};
    k->req.arena = &k->arena;
    return lore_gate(&k->head, &k->req, &k->pass, &k->err);
}

/* The HTTP code, and the code of the problem when CODE is given. */
static void
expect(
    int http, const char *code, const char *method, const char *target, const char *const *headers)
{
    struct knock k;
    int got = knock_with(&k, method, target, headers);

    if (got != http)
        print_message("%s %s\n", method, target);
    assert_int_equal(got, http);
    if (code)
        assert_string_equal(k.err.code, code);
    lore_arena_free(&k.arena);
}

#define H(...) ((const char *const[]){__VA_ARGS__, NULL})
#define HOST "Host", "127.0.0.1:8787"

static void
a_plain_request_passes_with_everything_filled(void **state)
{
    struct knock k;

    (void)state;
    assert_int_equal(
        knock_with(&k, "POST", "/api/v1/x%20y",
            H(HOST, "content-length", "12", "Authorization", "Bearer wl_x", "Content-Type",
                "application/json", "Connection", "Close", "Expect", "100-Continue")),
        0);
    assert_int_equal(k.req.method, LORE_POST);
    assert_string_equal(k.req.path, "/api/v1/x y");
    assert_int_equal(k.req.body_len, 12);
    assert_string_equal(k.req.authorization, "Bearer wl_x");
    assert_true(k.pass.wants_close);
    assert_true(k.pass.expects_continue);
    lore_arena_free(&k.arena);
}

static void
the_headers_of_a_signed_request_are_kept_and_each_comes_once(void **state)
{
    static const char *const names[] = {"Warplore-Agent", "warplore-batch", "Warplore-Created",
        "WARPLORE-DIGEST", "Warplore-Signature", "Content-Encoding"};
    struct knock k;

    (void)state;
    assert_int_equal(knock_with(&k, "POST", "/",
                         H(HOST, "Content-Length", "0", "Warplore-Agent", "a", "Warplore-Batch",
                             "b", "Warplore-Created", "c", "Warplore-Digest", "d",
                             "Warplore-Signature", "e", "Content-Encoding", "zstd")),
        0);
    assert_string_equal(k.req.signed_by.agent, "a");
    assert_string_equal(k.req.signed_by.batch, "b");
    assert_string_equal(k.req.signed_by.created, "c");
    assert_string_equal(k.req.signed_by.digest, "d");
    assert_string_equal(k.req.signed_by.signature, "e");
    assert_string_equal(k.req.content_encoding, "zstd");
    lore_arena_free(&k.arena);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        expect(400, "bad_header", "GET", "/", H(HOST, names[i], "x", names[i], "x"));
}

static void
exactly_one_known_host_is_needed(void **state)
{
    static const char *const bad[] = {"evil.example", "localhost.evil.example",
        "127.0.0.1.evil.example", "localhost:80x", "localhost:123456", "", ":80", "[::1", "[::1]x",
        "localhost, evil"};
    static const char *const good[] = {
        "localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8787", "10.0.0.7:80"};

    (void)state;
    expect(400, "bad_host", "GET", "/", (const char *const[]){NULL});
    expect(400, "bad_host", "GET", "/", H(HOST, "host", "localhost"));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect(400, "bad_host", "GET", "/", H("Host", bad[i]));
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        expect(0, NULL, "GET", "/", H("Host", good[i]));
}

static void
a_configured_name_is_a_known_host(void **state)
{
    const char *const hosts[] = {"lore.example.org", NULL};
    struct knock k;

    (void)state;
    knock_with(&k, "GET", "/", H("Host", "Lore.example.org:443"));
    k.head.hosts = hosts;
    k.req = (struct lore_req){.arena = &k.arena};
    assert_int_equal(lore_gate(&k.head, &k.req, &k.pass, &k.err), 0);
    lore_arena_free(&k.arena);
}

static void
a_length_is_one_number_of_at_most_ten_digits(void **state)
{
    static const char *const bad[] = {
        "", " 5", "+5", "-5", "5abc", "0x5", "5,5", "12345678901", "5.0", "5 "};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect(400, "bad_length", "POST", "/", H(HOST, "Content-Length", bad[i]));
    expect(400, "bad_length", "POST", "/", H(HOST, "Content-Length", "5", "content-length", "5"));
    expect(0, NULL, "POST", "/", H(HOST, "Content-Length", "9999999999"));
    expect(0, NULL, "POST", "/", H(HOST, "Content-Length", "0"));
}

static void
a_write_without_a_length_is_told_so(void **state)
{
    (void)state;
    expect(411, "length_required", "POST", "/", H(HOST));
    expect(411, "length_required", "PUT", "/", H(HOST));
    expect(0, NULL, "GET", "/", H(HOST));
    expect(0, NULL, "DELETE", "/", H(HOST));
}

static void
a_transfer_encoding_is_refused_whatever_it_says(void **state)
{
    (void)state;
    expect(501, NULL, "POST", "/", H(HOST, "Transfer-Encoding", "chunked"));
    expect(501, NULL, "POST", "/", H(HOST, "Content-Length", "5", "transfer-encoding", "identity"));
    expect(501, NULL, "GET", "/", H(HOST, "Transfer-Encoding", ""));
}

static void
sixty_headers_are_too_many(void **state)
{
    const char *headers[2 * 64 + 1] = {HOST};
    size_t n = 1;

    (void)state;
    for (; n < 59; n++) {
        headers[2 * n] = "X-Some";
        headers[2 * n + 1] = "thing";
    }
    expect(0, NULL, "GET", "/", headers);
    headers[2 * n] = "X-Some";
    headers[2 * n + 1] = "thing";
    expect(431, "too_many_headers", "GET", "/", headers);
}

static void
a_header_that_could_be_read_in_two_ways_is_refused(void **state)
{
    (void)state;
    expect(400, "bad_header", "GET", "/", H(HOST, "Content-Length ", "5"));
    expect(400, "bad_header", "GET", "/", H(HOST, "", "5"));
    expect(400, "bad_header", "GET", "/", H(HOST, " folded", "5"));
    expect(400, "bad_header", "GET", "/",
        H(HOST, "X",
            "a\x01"
            "b"));
    expect(400, "bad_header", "GET", "/", H(HOST, "X", "a\rb"));
    expect(400, "bad_header", "GET", "/", H(HOST, "Authorization", "a", "Authorization", "b"));
    expect(400, "bad_header", "GET", "/", H(HOST, "Expect", "the-unexpected"));
}

static void
a_path_with_two_readings_is_refused(void **state)
{
    static const char *const bad[] = {"/a/../b", "/..", "/a/%2e%2e/b", "/a/.%2E/b", "//a", "/a//b",
        "/a%00b", "/a%2fb", "/a%2Fb", "/a%5cb", "/a\\b", "/a%", "/a%2", "/a%zz", "/a%252e", "/a b",
        "/a\x01", "/a\x7f", "/\xc3\xa9", "/a%0d%0aX:%20y", "/a%7f", "/%ff", "/%c0%af", "*",
        "http://localhost/a", "localhost:80"};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect(400, "bad_path", "GET", bad[i], H(HOST));
    expect(0, NULL, "GET", "/%C3%A9/a.b;c=d", H(HOST));
}

static void
a_query_is_printable_text(void **state)
{
    struct knock k;

    (void)state;
    knock_with(&k, "GET", "/", H(HOST));
    k.head.query = "q=a\x01";
    k.req = (struct lore_req){.arena = &k.arena};
    assert_int_equal(lore_gate(&k.head, &k.req, &k.pass, &k.err), 400);
    assert_string_equal(k.err.code, "bad_query");
    lore_arena_free(&k.arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_request_passes_with_everything_filled),
        cmocka_unit_test(the_headers_of_a_signed_request_are_kept_and_each_comes_once),
        cmocka_unit_test(exactly_one_known_host_is_needed),
        cmocka_unit_test(a_configured_name_is_a_known_host),
        cmocka_unit_test(a_length_is_one_number_of_at_most_ten_digits),
        cmocka_unit_test(a_write_without_a_length_is_told_so),
        cmocka_unit_test(a_transfer_encoding_is_refused_whatever_it_says),
        cmocka_unit_test(sixty_headers_are_too_many),
        cmocka_unit_test(a_header_that_could_be_read_in_two_ways_is_refused),
        cmocka_unit_test(a_path_with_two_readings_is_refused),
        cmocka_unit_test(a_query_is_printable_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
