// uses: wire PkgConfig::SODIUM
/* Signatures of records, requests and receipts; the framing of a batch. What is signed is written
 * out here by hand, so that a changed message fails even when both sides change together. */
#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/hash.h"
#include "service/wire/signing.h"

static const char agent[] = "01J0000000000000000000000A";
static const char batch[] = "01J0000000000000000000000B";
static unsigned char public_key[LORE_PUBLIC_KEY], secret_key[LORE_SECRET_KEY];
static unsigned char other_public[LORE_PUBLIC_KEY], other_secret[LORE_SECRET_KEY];

static int
make_keys(void **state)
{
    unsigned char seed[crypto_sign_SEEDBYTES] = {1};

    (void)state;
    lore_hash_init();
    crypto_sign_seed_keypair(public_key, secret_key, seed);
    lore_signing_keys(other_public, other_secret);
    return 0;
}

static void
two_key_pairs_differ(void **state)
{
    (void)state;
    assert_memory_not_equal(public_key, other_public, LORE_PUBLIC_KEY);
}

static void
a_record_is_signed_as_the_contract_spells_it(void **state)
{
    unsigned char message[19 + 26 + 8 + 32], signature[LORE_SIGNATURE];

    (void)state;
    memcpy(message, "warplore-record-v1", 19);
    memcpy(message + 19, agent, 26);
    memcpy(message + 45, "\x02\x01\0\0\0\0\0\x80", 8);
    lore_hash("{}", 2, message + 53);
    lore_signing_record(secret_key, agent, 0x8000000000000102u, "{}", 2, signature);
    assert_int_equal(
        crypto_sign_verify_detached(signature, message, sizeof message, public_key), 0);
}

static void
a_record_holds_only_with_its_key_agent_number_and_bytes(void **state)
{
    unsigned char s[LORE_SIGNATURE], hash[32];

    (void)state;
    lore_signing_record(secret_key, agent, 7, "{\"a\":1}", 7, s);
    lore_hash("{\"a\":1}", 7, hash);
    assert_true(lore_signing_record_ok(public_key, agent, 7, "{\"a\":1}", 7, s));
    assert_true(lore_signing_hash_ok(public_key, agent, 7, hash, s));
    assert_false(lore_signing_record_ok(other_public, agent, 7, "{\"a\":1}", 7, s));
    assert_false(lore_signing_record_ok(public_key, batch, 7, "{\"a\":1}", 7, s));
    assert_false(lore_signing_record_ok(public_key, agent, 8, "{\"a\":1}", 7, s));
    assert_false(lore_signing_record_ok(public_key, agent, 7, "{\"a\":2}", 7, s));
    assert_false(lore_signing_record_ok(public_key, "short", 7, "{\"a\":1}", 7, s));
    for (size_t i = 0; i < LORE_SIGNATURE * 8; i++) {
        s[i / 8] ^= (unsigned char)(1u << i % 8);
        assert_false(lore_signing_record_ok(public_key, agent, 7, "{\"a\":1}", 7, s));
        s[i / 8] ^= (unsigned char)(1u << i % 8);
    }
}

static const char digest[] = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

static void
a_request_is_signed_as_the_contract_spells_it(void **state)
{
    static const char tail[] =
        "01J0000000000000000000000A\n01J0000000000000000000000B\n1700000000\n"
        "POST /api/v1/batches\n"
        "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    unsigned char message[18 + sizeof tail - 1], s[LORE_SIGNATURE];
    struct lore_sign_request r = {agent, batch, 1700000000, "POST", "/api/v1/batches", digest};

    (void)state;
    memcpy(message, "warplore-batch-v1", 18);
    memcpy(message + 18, tail, sizeof tail - 1);
    lore_signing_batch(secret_key, &r, s);
    assert_int_equal(crypto_sign_verify_detached(s, message, sizeof message, public_key), 0);
    assert_true(lore_signing_batch_ok(public_key, &r, s));
}

static void
a_request_holds_only_as_it_was_signed(void **state)
{
    static const struct lore_sign_request good = {
        agent, batch, 1700000000, "POST", "/api/v1/batches", digest};
    struct lore_sign_request r[] = {good, good, good, good, good, good, good, good};
    char upper[65];
    unsigned char s[LORE_SIGNATURE];

    (void)state;
    lore_signing_batch(secret_key, &good, s);
    memcpy(upper, digest, 65);
    upper[20] = 'A';
    r[0].agent = batch;
    r[1].batch = agent;
    r[2].created++;
    r[3].method = "GET";
    r[4].path = "/api/v1/batches/";
    r[5].digest = upper;
    r[6].batch = NULL;
    r[7].digest = "";
    for (size_t i = 0; i < sizeof r / sizeof *r; i++)
        assert_false(lore_signing_batch_ok(public_key, &r[i], s));
    assert_false(lore_signing_batch_ok(other_public, &good, s));
    assert_true(lore_signing_batch_ok(public_key, &good, s));
}

static void
a_line_break_cannot_move_text_from_one_field_to_the_next(void **state)
{
    struct lore_sign_request r = {agent, batch, 1, "POST", "/a\nb", digest};
    unsigned char s[LORE_SIGNATURE];

    (void)state;
    lore_signing_batch(secret_key, &r, s);
    assert_false(lore_signing_batch_ok(public_key, &r, s));
    r.path = "/a";
    r.method = "POST /x";
    lore_signing_batch(secret_key, &r, s);
    assert_false(lore_signing_batch_ok(public_key, &r, s));
}

static void
base64_is_taken_only_whole_and_of_the_size_asked(void **state)
{
    unsigned char in[33], out[33];
    char text[45];

    (void)state;
    randombytes_buf(in, sizeof in);
    lore_signing_text(in, 32, text);
    assert_int_equal(strlen(text), LORE_PUBLIC_KEY_TEXT - 1);
    assert_true(lore_signing_bytes(text, out, 32));
    assert_memory_equal(in, out, 32);
    assert_false(lore_signing_bytes(text, out, 31));
    assert_false(lore_signing_bytes(text, out, 33));
    assert_false(lore_signing_bytes("", out, 32));
    assert_false(lore_signing_bytes(NULL, out, 32));
    text[43] = 'A'; /* the padding */
    assert_false(lore_signing_bytes(text, out, 32));
    text[43] = '=';
    text[3] = '-';
    assert_false(lore_signing_bytes(text, out, 32));
}

static void
base64_has_one_spelling(void **state)
{
    unsigned char in[33], out[33];
    char text[45];

    (void)state;
    memcpy(in, "\xfb\xef\xff\xfb\xef\xff", 6); /* "++//++//" */
    randombytes_buf(in + 6, sizeof in - 6);
    lore_signing_text(in, 32, text);
    for (size_t bit = 0; bit < 8 * strlen(text); bit++) {
        text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
        if (lore_signing_bytes(text, out, 32))
            assert_memory_not_equal(in, out, 32);
        text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
    }
    assert_true(lore_signing_bytes(text, out, 32));
}

static struct lore_batch_part
part_of(uint64_t seq, const char *document)
{
    struct lore_batch_part p = {.seq = seq, .document = document, .n = strlen(document)};

    memset(p.signature, (int)seq, sizeof p.signature);
    return p;
}

static void
a_batch_reads_back_as_it_was_written(void **state)
{
    struct lore_batch_part in[] = {
        part_of(3, "{\"a\":1}"), part_of(9, "\n\n{\"seq\":1}\n"), part_of(INT64_MAX, "x")};
    struct lore_batch_part *out = NULL;
    struct lore_arena arena = {0};
    struct lore_buf body = {0};
    size_t n = 0;

    (void)state;
    for (size_t i = 0; i < 3; i++)
        lore_signing_batch_add(&body, &in[i]);
    assert_int_equal(lore_signing_batch_read(body.data, body.len, &arena, &out, &n, NULL), LORE_OK);
    assert_int_equal(n, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(out[i].seq == in[i].seq);
        assert_int_equal(out[i].n, in[i].n);
        assert_memory_equal(out[i].document, in[i].document, in[i].n);
        assert_memory_equal(out[i].signature, in[i].signature, LORE_SIGNATURE);
    }
    /* every shorter body is refused, or is a whole number of parts */
    for (size_t cut = 0; cut < body.len; cut++) {
        enum lore_status status = lore_signing_batch_read(body.data, cut, &arena, &out, &n, NULL);
        assert_true(status == LORE_INVALID || (status == LORE_OK && n < 3));
    }
    lore_buf_free(&body);
    lore_arena_free(&arena);
}

#define SIGNATURE                                                                                  \
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="

static void
a_bad_part_is_named_with_its_field(void **state)
{
    static const struct {
        const char *text, *path;
    } cases[] = {
        {"", "parts"},
        {"{}", "parts[0]"},
        {"[]\n", "parts[0]"},
        {"{}\n", "parts[0].seq"},
        {"{\"seq\":0,\"bytes\":1,\"signature\":\"" SIGNATURE "\"}\nx\n", "parts[0].seq"},
        {"{\"seq\":-1,\"bytes\":1,\"signature\":\"" SIGNATURE "\"}\nx\n", "parts[0].seq"},
        {"{\"seq\":1.0,\"bytes\":1,\"signature\":\"" SIGNATURE "\"}\nx\n", "parts[0].seq"},
        {"{\"seq\":\"1\",\"bytes\":1,\"signature\":\"" SIGNATURE "\"}\nx\n", "parts[0].seq"},
        {"{\"seq\":1,\"bytes\":0,\"signature\":\"" SIGNATURE "\"}\n\n", "parts[0].bytes"},
        {"{\"seq\":1,\"bytes\":2,\"signature\":\"" SIGNATURE "\"}\nx\n", "parts[0].bytes"},
        {"{\"seq\":1,\"bytes\":9223372036854775807,\"signature\":\"" SIGNATURE "\"}\nx\n",
            "parts[0].bytes"},
        {"{\"seq\":1,\"bytes\":1,\"signature\":\"" SIGNATURE "\"}\nxx", "parts[0].bytes"},
        {"{\"seq\":1,\"bytes\":1,\"signature\":\"AA==\"}\nx\n", "parts[0].signature"},
        {"{\"seq\":1,\"bytes\":1}\nx\n", "parts[0].signature"},
        {"{\"seq\":1,\"bytes\":1,\"more\":1,\"signature\":\"" SIGNATURE "\"}\nx\n", "parts[0]"},
        {"{\"seq\":1,\"seq\":2,\"bytes\":1,\"signature\":\"" SIGNATURE "\"}\nx\n", "parts[0]"},
        {"{\"seq\":1,\"bytes\":1,\"signature\":\"" SIGNATURE "\"}\nx\n{\"seq\":2}\n",
            "parts[1].bytes"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_batch_part *out = NULL;
        struct lore_arena arena = {0};
        struct lore_err err = {0};
        size_t n = 0;

        assert_int_equal(
            lore_signing_batch_read(cases[i].text, strlen(cases[i].text), &arena, &out, &n, &err),
            LORE_INVALID);
        assert_string_equal(err.path, cases[i].path);
        assert_string_equal(err.code, "invalid_batch");
        lore_arena_free(&arena);
    }
}

static void
more_parts_or_bytes_than_allowed_are_too_big(void **state)
{
    struct lore_batch_part p = part_of(1, "x"), *out = NULL;
    struct lore_arena arena = {0};
    struct lore_buf body = {0};
    size_t n = 0;

    (void)state;
    for (size_t i = 0; i < LORE_BATCH_RECORDS; i++)
        lore_signing_batch_add(&body, &p);
    assert_int_equal(lore_signing_batch_read(body.data, body.len, &arena, &out, &n, NULL), LORE_OK);
    assert_int_equal(n, LORE_BATCH_RECORDS);
    lore_signing_batch_add(&body, &p);
    assert_int_equal(
        lore_signing_batch_read(body.data, body.len, &arena, &out, &n, NULL), LORE_TOOBIG);
    /* the length alone decides: nothing is read */
    assert_int_equal(
        lore_signing_batch_read(NULL, (size_t)LORE_BATCH_BYTES + 1, &arena, &out, &n, NULL),
        LORE_TOOBIG);
    lore_buf_free(&body);
    lore_arena_free(&arena);
}

static void
a_receipt_covers_all_that_it_says(void **state)
{
    struct lore_receipt_line lines[2] = {{1, {4}, 's'}, {2, {5}, 'd'}};
    unsigned char message[20 + 32 + 26 + 26 + 8 + 2 * 41], want[32], got[32], s[LORE_SIGNATURE];
    unsigned char previous[32] = {9}, *p = message;

    (void)state;
    memset(message, 0, sizeof message);
    memcpy(p, "warplore-receipt-v1", 20);
    p[20] = 9;
    memcpy(p + 52, agent, 26);
    memcpy(p + 78, batch, 26);
    p[104] = 3;
    p += 112;
    p[0] = 1, p[8] = 4, p[40] = 's';
    p[41] = 2, p[49] = 5, p[81] = 'd';
    lore_hash(message, sizeof message, want);
    lore_receipt_hash(&(struct lore_receipt_head){previous, agent, batch, 3}, lines, 2, got);
    assert_memory_equal(got, want, 32);
    lore_signing_receipt(secret_key, got, s);
    assert_true(lore_signing_receipt_ok(public_key, got, s));
    assert_false(lore_signing_receipt_ok(other_public, got, s));
    lines[1].state = 'r';
    lore_receipt_hash(&(struct lore_receipt_head){previous, agent, batch, 3}, lines, 2, got);
    assert_false(lore_signing_receipt_ok(public_key, got, s));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_key_pairs_differ),
        cmocka_unit_test(a_record_is_signed_as_the_contract_spells_it),
        cmocka_unit_test(a_record_holds_only_with_its_key_agent_number_and_bytes),
        cmocka_unit_test(a_request_is_signed_as_the_contract_spells_it),
        cmocka_unit_test(a_request_holds_only_as_it_was_signed),
        cmocka_unit_test(a_line_break_cannot_move_text_from_one_field_to_the_next),
        cmocka_unit_test(base64_is_taken_only_whole_and_of_the_size_asked),
        cmocka_unit_test(base64_has_one_spelling),
        cmocka_unit_test(a_batch_reads_back_as_it_was_written),
        cmocka_unit_test(a_bad_part_is_named_with_its_field),
        cmocka_unit_test(more_parts_or_bytes_than_allowed_are_too_big),
        cmocka_unit_test(a_receipt_covers_all_that_it_says),
    };

    return cmocka_run_group_tests(tests, make_keys, NULL);
}
