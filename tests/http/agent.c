/* The agent of the cases: a key of its own, codes to enroll it, and signatures over what a case
 * sends. A case may set any of the headers itself: then that one is not signed for. */
#include "tests/http/agent.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "service/base/hash.h"
#include "service/wire/signing.h"

void
agent_prepare(const struct service *s, struct vars *vars, struct lore_arena *arena)
{
    unsigned char public_key[LORE_PUBLIC_KEY], secret[LORE_SECRET_KEY];
    char text[LORE_SIGNATURE_TEXT], code[64];

    lore_signing_keys(public_key, secret);
    lore_signing_text(public_key, sizeof public_key, text);
    vars_set(vars, arena, "public_key", text);
    lore_signing_text(secret, sizeof secret, text);
    vars_set(vars, arena, "agent_secret", text);
    service_code(s, code);
    vars_set(vars, arena, "code", code);
    service_code(s, code);
    vars_set(vars, arena, "code2", code);
}

bool
agent_part(
    const struct vars *vars, uint64_t seq, const char *document, size_t n, struct lore_buf *body)
{
    struct lore_batch_part part = {.seq = seq, .document = document, .n = n};
    unsigned char secret[LORE_SECRET_KEY];

    if (!lore_signing_bytes(vars_get(vars, "agent_secret"), secret, sizeof secret))
        return false;
    lore_signing_record(secret, vars_get(vars, "agent"), seq, document, n, part.signature);
    lore_signing_batch_add(body, &part);
    return true;
}

static void
add(struct lore_buf *out, const char *given, const char *name, const char *value)
{
    char start[64];

    snprintf(start, sizeof start, "%s:", name);
    if (!strcasestr(given, start))
        lore_buf_printf(out, "%s %s\r\n", start, value);
}

void
agent_headers(const struct vars *vars, const struct test_case *c, struct lore_buf *out)
{
    const char *given = c->headers.data != NULL ? c->headers.data : "";
    char path[256], batch[LORE_ULID_SIZE], created[24], digest[LORE_HASH_HEX],
        text[LORE_SIGNATURE_TEXT];
    struct lore_sign_request r = {.agent = vars_get(vars, "agent"),
        .batch = c->batch != NULL ? c->batch : batch,
        .created = (int64_t)time(NULL),
        .method = c->method,
        .path = path,
        .digest = digest};
    unsigned char secret[LORE_SECRET_KEY], signature[LORE_SIGNATURE];

    if (!lore_signing_bytes(vars_get(vars, "agent_secret"), secret, sizeof secret))
        return;
    snprintf(path, sizeof path, "%.*s", (int)strcspn(c->target, "?"), c->target);
    snprintf(created, sizeof created, "%lld", (long long)r.created);
    lore_ulid_new(batch);
    lore_hash_hex(c->body.data ? c->body.data : "", c->body.len, digest);
    lore_signing_batch(secret, &r, signature);
    lore_signing_text(signature, sizeof signature, text);
    lore_buf_puts(out, given);
    add(out, given, "Warplore-Agent", r.agent);
    add(out, given, "Warplore-Batch", r.batch);
    add(out, given, "Warplore-Created", created);
    add(out, given, "Warplore-Digest", digest);
    add(out, given, "Warplore-Signature", text);
    if (c->has_body)
        add(out, given, "Content-Type", LORE_BATCH_MEDIA);
}

void
agent_stranger(const char *method, const char *path, const char *body, struct lore_buf *out)
{
    struct vars vars = {0};
    struct lore_arena arena = {0};
    struct test_case c = {.method = method, .target = path, .has_body = body != NULL};
    unsigned char public_key[LORE_PUBLIC_KEY], secret[LORE_SECRET_KEY];
    char text[LORE_SIGNATURE_TEXT];

    lore_signing_keys(public_key, secret);
    lore_signing_text(secret, sizeof secret, text);
    vars_set(&vars, &arena, "agent_secret", text);
    vars_set(&vars, &arena, "agent", "01JB0000000000000000000000");
    lore_buf_puts(&c.body, body != NULL ? body : "");
    agent_headers(&vars, &c, out);
    lore_buf_free(&c.body);
    lore_arena_free(&arena);
}
