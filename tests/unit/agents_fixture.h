/* A service without sockets, with one enrolled agent, for the tests of signed batches: requests go
 * to the dispatcher as the gate would have left them. */
#ifndef LORE_TESTS_UNIT_AGENTS_FIXTURE_H
#define LORE_TESTS_UNIT_AGENTS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "db/store.h"
#include "service/api/api_agents.h"
#include "service/api/names.h"
#include "service/auth/agents.h"
#include "service/auth/tokens.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/json.h"
#include "service/http/app.h"
#include "service/http/counters.h"
#include "service/ingest/indexes.h"
#include "service/ingest/ingest.h"
#include "tests/unit/scratch.h"

struct keys {
    unsigned char public_key[LORE_PUBLIC_KEY], secret[LORE_SECRET_KEY];
    const char *id; /* of the agent; NULL: not enrolled */
};

struct fixture {
    char dir[64];
    struct lore_app app;
    struct lore_auth_db *auth;
    struct lore_arena arena;
    struct lore_err err;
    struct keys agent;
    char token[LORE_TOKEN_SIZE + 8]; /* a reader's header */
    int ids;
    struct lore_resp resp; /* of the last request */
    struct lore_json *json;
};

/* A signed request; what a test does not say is right. */
struct sending {
    const char *method, *path, *query, *batch, *digest, *type, *encoding, *signature;
    const struct keys *keys;
    int64_t off_s; /* of the clock */
    bool sign_other_path;
    enum lore_status (*read_body)(struct lore_req *req, struct lore_err *err);
    struct lore_buf body;
};

static inline void
start_service(struct fixture *f, size_t queue)
{
    struct lore_db *writer = NULL;

    assert_int_equal(lore_db_open_writer(f->dir, &writer, &f->err), LORE_OK);
    assert_int_equal(lore_tokens_open(f->dir, &f->app.tokens, &f->err), LORE_OK);
    assert_int_equal(lore_agents_open(f->dir, &f->app.agents, &f->err), LORE_OK);
    f->app.routes = lore_routes;
    f->app.resolve = lore_names_resolve;
    assert_int_equal(lore_readers_open(f->dir, 4, &f->app.readers, &f->err), LORE_OK);
    lore_readers_follow(f->app.readers, writer);
    assert_int_equal(lore_indexes_load(writer, &f->app.indexes, &f->err), LORE_OK);
    assert_int_equal(
        lore_ingest_start(writer, &(struct lore_ingest_parts){f->app.indexes, NULL, queue, NULL},
            &f->app.ingest, &f->err),
        LORE_OK);
    lore_agents_limits_refusals(lore_agents_limits(f->app.agents), lore_api_store_refusal, &f->app);
    assert_int_equal(lore_api_store_agents(&f->app, &f->err), LORE_OK);
}

static inline void
stop_service(struct fixture *f)
{
    lore_ingest_stop(f->app.ingest);
    lore_readers_close(f->app.readers);
    lore_indexes_free(f->app.indexes);
    lore_agents_close(f->app.agents);
    lore_tokens_close(f->app.tokens);
    memset(&f->app, 0, sizeof f->app);
}

/* Dispatch REQ; its answer is in F until the next. */
static inline int
ask(struct fixture *f, struct lore_req *req)
{
    lore_buf_free(&f->resp.body);
    memset(&f->resp, 0, sizeof f->resp);
    req->arena = &f->arena;
    req->request_id = "test";
    lore_dispatch(&f->app, req, &f->resp);
    f->json = NULL;
    if (f->resp.body.len > 0 && f->resp.body.data[0] == '{') /* not /metrics */
        assert_int_equal(lore_json_parse(f->resp.body.data, f->resp.body.len, NULL, &f->arena,
                             &f->json, &f->err),
            LORE_OK);
    return f->resp.status;
}

static inline int
send_signed(struct fixture *f, struct sending *s)
{
    struct lore_req req = {
        .method = s->method != NULL && strcmp(s->method, "GET") == 0 ? LORE_GET : LORE_POST,
        .path = s->path != NULL ? s->path : "/api/v1/batches",
        .query = s->query,
        .content_type = s->type != NULL ? s->type : LORE_BATCH_MEDIA,
        .content_encoding = s->encoding,
        .read_body = s->read_body,
        .exchange = f,
        .body = s->body.data != NULL ? s->body.data : "",
        .body_len = s->body.len};
    const struct keys *k = s->keys != NULL ? s->keys : &f->agent;
    char digest[LORE_HASH_HEX], batch[LORE_ULID_SIZE], text[LORE_SIGNATURE_TEXT];
    struct lore_sign_request r = {.agent = k->id,
        .created = lore_now_us() / 1000000 + s->off_s,
        .method = s->method != NULL ? s->method : "POST",
        .path = s->sign_other_path ? "/api/v1/submissions" : req.path};
    unsigned char signature[LORE_SIGNATURE];

    lore_hash_hex(req.body, req.body_len, digest);
    lore_ulid_new(batch);
    r.digest = s->digest != NULL ? s->digest : digest;
    r.batch = s->batch != NULL ? s->batch : batch;
    lore_signing_batch(k->secret, &r, signature);
    lore_signing_text(signature, sizeof signature, text);
    req.signed_by = (struct lore_sign_headers){.agent = k->id,
        .batch = lore_strdup(&f->arena, r.batch),
        .created = lore_format(&f->arena, "%lld", (long long)r.created),
        .digest = lore_strdup(&f->arena, r.digest),
        .signature = s->signature != NULL ? s->signature : lore_strdup(&f->arena, text)};
    return ask(f, &req);
}

static inline const char *
text_at(const struct lore_json *node, const char *key)
{
    const struct lore_json *v = lore_json_get(node, key);

    return v && v->str ? v->str : "";
}

static inline int64_t
number_at(const struct lore_json *node, const char *key)
{
    const struct lore_json *v = lore_json_get(node, key);

    assert_non_null(v);
    return v->i;
}

/* The I-th element of the list KEY. */
static inline const struct lore_json *
item(const struct lore_json *node, const char *key, size_t i)
{
    const struct lore_json *list = lore_json_get(node, key), *x;

    assert_non_null(list);
    for (x = list->child; x != NULL && i > 0; x = x->next)
        i--;
    assert_non_null(x);
    return x;
}

static inline const char *
new_code(struct fixture *f, const char *label, int minutes)
{
    char text[LORE_CODE_SIZE];

    assert_int_equal(lore_agents_code(f->auth, label, minutes, text, &f->err), LORE_OK);
    return lore_strdup(&f->arena, text);
}

static inline int
enroll_from(struct fixture *f, const char *address, const char *code, const unsigned char *key,
    const char *label)
{
    char text[LORE_PUBLIC_KEY_TEXT];
    struct lore_req req = {
        .method = LORE_POST, .path = "/api/v1/agents", .content_type = "application/json"};

    req.client.key = address;
    lore_signing_text(key, LORE_PUBLIC_KEY, text);
    req.body = lore_format(
        &f->arena, "{\"code\":\"%s\",\"public_key\":\"%s\",\"label\":\"%s\"}", code, text, label);
    req.body_len = strlen(req.body);
    return ask(f, &req);
}

static inline int
enroll(struct fixture *f, const char *code, const unsigned char *key, const char *label)
{
    return enroll_from(f, NULL, code, key, label);
}

/* A new agent with keys of its own. */
static inline struct keys
new_agent(struct fixture *f, const char *label)
{
    struct keys k = {0};

    lore_signing_keys(k.public_key, k.secret);
    assert_int_equal(enroll(f, new_code(f, NULL, 15), k.public_key, label), 201);
    k.id = text_at(f->json, "id");
    assert_int_equal(strlen(k.id), 26);
    return k;
}

/* A document that nobody sent before: a kernel, and nothing else. */
static inline const char *
new_document(struct fixture *f, int n)
{
    return lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"01JB%022d\",\"kernels\":[{\"id\":\"01JC%022d\",\"operator\":"
        "\"softmax\",\"name\":\"k%d\",\"language\":\"cuda\"}]}",
        n, n, n);
}

static inline void
add_part(struct sending *s, const struct keys *k, uint64_t seq, const char *document)
{
    struct lore_batch_part part = {.seq = seq, .document = document, .n = strlen(document)};

    lore_signing_record(k->secret, k->id, seq, document, part.n, part.signature);
    lore_signing_batch_add(&s->body, &part);
}

/* Send DOCUMENT alone as SEQ; the state that the receipt gives it. */
static inline const char *
send_one(struct fixture *f, uint64_t seq, const char *document)
{
    struct sending s = {0};

    add_part(&s, &f->agent, seq, document);
    assert_int_equal(send_signed(f, &s), 200);
    lore_buf_free(&s.body);
    return text_at(item(f->json, "records", 0), "state");
}

static inline int64_t
rows_of(struct fixture *f, const char *table)
{
    struct lore_db *db = lore_readers_take(f->app.readers, 2000);
    struct lore_count *counts = NULL;
    int64_t found = -1;
    size_t n = 0;

    assert_non_null(db);
    assert_int_equal(lore_db_stats(db, &f->arena, &counts, &n, &f->err), LORE_OK);
    for (size_t i = 0; i < n; i++)
        if (strcmp(counts[i].name, table) == 0)
            found = counts[i].n;
    lore_readers_give(f->app.readers, db);
    return found;
}

static inline int
set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    char text[LORE_TOKEN_SIZE];

    *state = f;
    lore_hash_init();
    assert_int_equal(scratch_make(f->dir), 0);
    start_service(f, 1024);
    assert_int_equal(lore_auth_open(f->dir, true, &f->auth, &f->err), LORE_OK);
    assert_int_equal(lore_token_make(f->auth, "reader", "ann", 0, text, &f->err), LORE_OK);
    snprintf(f->token, sizeof f->token, "Bearer %s", text);
    f->agent = new_agent(f, "gpu01");
    return 0;
}

static inline int
tear_down(void **state)
{
    struct fixture *f = *state;

    stop_service(f);
    lore_auth_close(f->auth);
    lore_buf_free(&f->resp.body);
    lore_arena_free(&f->arena);
    scratch_drop(f->dir);
    free(f);
    return 0;
}

#endif
