/* The bytes of signed messages, and the framing of a batch. Service and agent share this code, so
 * both build the same message. Each message starts with the name of its type, so a signature of one
 * type is invalid for another. The format of untrusted input is checked before its signature: ids
 * have 26 characters, a digest has 64, method and path have no blank or line break. */
#include "service/wire/signing.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "service/base/hash.h"
#include "service/base/json.h"
#include "service/base/text.h"

enum {
    ID = LORE_ULID_SIZE - 1,
    LINE_MAX_BYTES = 256, /* a part's line has at most 20 + 20 digits and one signature */
};
/* with their NULs */
static const char record_kind[] = "warplore-record-v1";
static const char batch_kind[] = "warplore-batch-v1";
static const char receipt_kind[] = "warplore-receipt-v1";

#define RECORD_MESSAGE (sizeof record_kind + ID + 8 + LORE_HASH_BYTES)

void
lore_signing_keys(
    unsigned char public_key[LORE_PUBLIC_KEY], unsigned char secret_key[LORE_SECRET_KEY])
{
    crypto_sign_keypair(public_key, secret_key);
}

void
lore_signing_text(const unsigned char *p, size_t n, char *out)
{
    sodium_bin2base64(out, sodium_base64_encoded_len(n, sodium_base64_VARIANT_ORIGINAL), p, n,
        sodium_base64_VARIANT_ORIGINAL);
}

bool
lore_signing_bytes(const char *text, unsigned char *out, size_t n)
{
    size_t len = text ? strlen(text) : 0, got = 0;

    if (len != 4 * ((n + 2) / 3))
        return false;
    /* where char is signed, libsodium also decodes '+' and '/' with the high bit set; reject them,
     * so that a signature has one encoding */
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] >= 0x80)
            return false;
    return sodium_base642bin(out, n, text, len, NULL, &got, NULL, sodium_base64_VARIANT_ORIGINAL) ==
               0 &&
           got == n;
}

static void
put_u64(unsigned char *to, uint64_t v)
{
    for (size_t i = 0; i < 8; i++)
        to[i] = (unsigned char)(v >> (8 * i));
}

/* Copies at most 26 bytes and pads with zeros. Signers pass a valid id; verifiers have checked
 * theirs. */
static void
put_id(unsigned char *to, const char *id)
{
    memset(to, 0, ID);
    memcpy(to, id, strnlen(id, ID));
}

static void
record_message(unsigned char out[RECORD_MESSAGE], const char *agent, uint64_t seq,
    const unsigned char hash[LORE_HASH_BYTES])
{
    unsigned char *p = out;

    memcpy(p, record_kind, sizeof record_kind);
    p += sizeof record_kind;
    put_id(p, agent);
    p += ID;
    put_u64(p, seq);
    memcpy(p + 8, hash, LORE_HASH_BYTES);
}

void
lore_signing_record(const unsigned char secret_key[LORE_SECRET_KEY], const char *agent,
    uint64_t seq, const void *document, size_t n, unsigned char out[LORE_SIGNATURE])
{
    unsigned char hash[LORE_HASH_BYTES], message[RECORD_MESSAGE];

    lore_hash(document, n, hash);
    record_message(message, agent, seq, hash);
    crypto_sign_detached(out, NULL, message, sizeof message, secret_key);
}

bool
lore_signing_hash_ok(const unsigned char public_key[LORE_PUBLIC_KEY], const char *agent,
    uint64_t seq, const unsigned char hash[32], const unsigned char signature[LORE_SIGNATURE])
{
    unsigned char message[RECORD_MESSAGE];

    if (!lore_ulid_valid(agent))
        return false;
    record_message(message, agent, seq, hash);
    return crypto_sign_verify_detached(signature, message, sizeof message, public_key) == 0;
}

bool
lore_signing_record_ok(const unsigned char public_key[LORE_PUBLIC_KEY], const char *agent,
    uint64_t seq, const void *document, size_t n, const unsigned char signature[LORE_SIGNATURE])
{
    unsigned char hash[LORE_HASH_BYTES];

    lore_hash(document, n, hash);
    return lore_signing_hash_ok(public_key, agent, seq, hash, signature);
}

static void
batch_message(struct lore_buf *b, const struct lore_sign_request *r)
{
    b->max = 8u << 10;
    lore_buf_add(b, batch_kind, sizeof batch_kind);
    lore_buf_printf(b, "%s\n%s\n%" PRId64 "\n%s %s\n%s", r->agent, r->batch, r->created, r->method,
        r->path, r->digest);
}

void
lore_signing_batch(const unsigned char secret_key[LORE_SECRET_KEY],
    const struct lore_sign_request *r, unsigned char out[LORE_SIGNATURE])
{
    LORE_BUF b = {0};

    batch_message(&b, r);
    crypto_sign_detached(out, NULL, (const unsigned char *)b.data, b.len, secret_key);
}

/* Whether S has no blank or line break, so that it cannot forge another part of the message. */
static bool
one_line(const char *s)
{
    return s && *s && !s[strcspn(s, " \r\n")];
}

static bool
request_shaped(const struct lore_sign_request *r)
{
    size_t hex = r->digest ? strspn(r->digest, "0123456789abcdef") : 0;

    return r->agent && lore_ulid_valid(r->agent) && r->batch && lore_ulid_valid(r->batch) &&
           one_line(r->method) && one_line(r->path) && hex == LORE_HASH_HEX - 1 && !r->digest[hex];
}

bool
lore_signing_batch_ok(const unsigned char public_key[LORE_PUBLIC_KEY],
    const struct lore_sign_request *r, const unsigned char signature[LORE_SIGNATURE])
{
    LORE_BUF b = {0};

    if (!request_shaped(r))
        return false;
    batch_message(&b, r);
    return !b.over && crypto_sign_verify_detached(
                          signature, (const unsigned char *)b.data, b.len, public_key) == 0;
}

void
lore_signing_batch_add(struct lore_buf *body, const struct lore_batch_part *part)
{
    char signature[LORE_SIGNATURE_TEXT];

    lore_signing_text(part->signature, LORE_SIGNATURE, signature);
    lore_buf_printf(body, "{\"seq\":%" PRIu64 ",\"bytes\":%zu,\"signature\":\"%s\"}\n", part->seq,
        part->n, signature);
    lore_buf_add(body, part->document, part->n);
    lore_buf_putc(body, '\n');
}

static enum lore_status
bad_part(struct lore_err *err, size_t at, const char *field, const char *what)
{
    char path[64];

    snprintf(path, sizeof path, "parts[%zu]%s%s", at, *field ? "." : "", field);
    return lore_fail_at(err, LORE_INVALID, "invalid_batch", path, "%s: %s", path, what);
}

static enum lore_status
known_fields(const struct lore_json *line, size_t at, struct lore_err *err)
{
    if (line->type != LORE_J_OBJECT)
        return bad_part(err, at, "", "its line must be an object");
    for (const struct lore_json *c = line->child; c; c = c->next) {
        if (!lore_choice("seq|bytes|signature", c->key))
            return bad_part(err, at, "", "its line holds an unknown field");
    }
    return LORE_OK;
}

/* Read the line's fields into PART; its n is at least 1. */
static enum lore_status
read_line(const char *text, size_t len, size_t at, struct lore_arena *arena,
    struct lore_batch_part *part, struct lore_err *err)
{
    const struct lore_json_limits limits = {
        .depth = 2, .string_bytes = LINE_MAX_BYTES, .array_items = 8, .nodes = 8};
    const struct lore_json *seq, *bytes, *signature;
    struct lore_json *line = NULL;
    enum lore_status status = lore_json_parse(text, len, &limits, arena, &line, err);

    if (status != LORE_OK)
        return bad_part(err, at, "", "its line is not JSON");
    status = known_fields(line, at, err);
    if (status != LORE_OK)
        return status;
    seq = lore_json_get(line, "seq");
    bytes = lore_json_get(line, "bytes");
    signature = lore_json_get(line, "signature");
    if (!seq || seq->type != LORE_J_NUMBER || !seq->is_int || seq->i < 1)
        return bad_part(err, at, "seq", "expected a whole number from 1");
    if (!bytes || bytes->type != LORE_J_NUMBER || !bytes->is_int || bytes->i < 1)
        return bad_part(err, at, "bytes", "expected a whole number from 1");
    if (!signature || signature->type != LORE_J_STRING ||
        strlen(signature->str) != signature->len ||
        !lore_signing_bytes(signature->str, part->signature, LORE_SIGNATURE))
        return bad_part(err, at, "signature", "expected 64 bytes as base64");
    part->seq = (uint64_t)seq->i;
    part->n = (size_t)bytes->i;
    return LORE_OK;
}

enum lore_status
lore_signing_batch_read(const char *body, size_t n, struct lore_arena *arena,
    struct lore_batch_part **out, size_t *n_out, struct lore_err *err)
{
    struct lore_batch_part *parts = NULL;
    size_t count = 0, cap = 0, pos = 0;

    if (n > LORE_BATCH_BYTES)
        return lore_fail(
            err, LORE_TOOBIG, "the batch has %zu bytes; the limit is %u", n, LORE_BATCH_BYTES);
    while (pos < n) {
        size_t window = n - pos < LINE_MAX_BYTES ? n - pos : LINE_MAX_BYTES;
        const char *end = memchr(body + pos, '\n', window);
        struct lore_batch_part part = {0};

        if (count == LORE_BATCH_RECORDS)
            return lore_fail_at(err, LORE_TOOBIG, "too_many_parts", "parts",
                "parts: at most %d in one batch", LORE_BATCH_RECORDS);
        if (!end)
            return bad_part(err, count, "", "its line is too long or has no line break");
        enum lore_status status =
            read_line(body + pos, (size_t)(end - body) - pos, count, arena, &part, err);
        if (status != LORE_OK)
            return status;
        pos = (size_t)(end - body) + 1;
        if (part.n >= n - pos || body[pos + part.n] != '\n')
            return bad_part(err, count, "bytes",
                "expected a document of that many bytes, followed by a line break");
        part.document = body + pos;
        pos += part.n + 1;
        *LORE_PUSH(arena, parts, count, cap) = part;
    }
    if (count == 0)
        return lore_fail_at(
            err, LORE_INVALID, "invalid_batch", "parts", "parts: the batch has no parts");
    *out = parts;
    *n_out = count;
    return LORE_OK;
}

void
lore_receipt_hash(const struct lore_receipt_head *head, const struct lore_receipt_line *lines,
    size_t n, unsigned char out[32])
{
    unsigned char identity[ID + ID + 8], line[8 + LORE_HASH_BYTES + 1];
    crypto_generichash_state state;

    put_id(identity, head->agent);
    put_id(identity + ID, head->batch);
    put_u64(identity + 2 * ID, head->number);
    crypto_generichash_init(&state, NULL, 0, LORE_HASH_BYTES);
    crypto_generichash_update(&state, (const unsigned char *)receipt_kind, sizeof receipt_kind);
    crypto_generichash_update(&state, head->previous, LORE_HASH_BYTES);
    crypto_generichash_update(&state, identity, sizeof identity);
    for (size_t i = 0; i < n; i++) {
        put_u64(line, lines[i].seq);
        memcpy(line + 8, lines[i].hash, LORE_HASH_BYTES);
        line[8 + LORE_HASH_BYTES] = (unsigned char)lines[i].state;
        crypto_generichash_update(&state, line, sizeof line);
    }
    crypto_generichash_final(&state, out, LORE_HASH_BYTES);
}

void
lore_signing_receipt(const unsigned char secret_key[LORE_SECRET_KEY], const unsigned char hash[32],
    unsigned char out[LORE_SIGNATURE])
{
    crypto_sign_detached(out, NULL, hash, LORE_HASH_BYTES, secret_key);
}

bool
lore_signing_receipt_ok(const unsigned char public_key[LORE_PUBLIC_KEY],
    const unsigned char hash[32], const unsigned char signature[LORE_SIGNATURE])
{
    return crypto_sign_verify_detached(signature, hash, LORE_HASH_BYTES, public_key) == 0;
}
