/* A service in this process: it checks signatures and gives receipts as the contract says, and can
 * be told to fail in all the ways that a network and a service can. */
#ifndef LORE_TESTS_UNIT_UPLOAD_FAKE_H
#define LORE_TESTS_UNIT_UPLOAD_FAKE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/upload/agent.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

static const char fake_id[] = "01J0000000000000000000000A";

struct fake_service {
    unsigned char public_key[LORE_PUBLIC_KEY], secret_key[LORE_SECRET_KEY];
    unsigned char agent_key[LORE_PUBLIC_KEY];
    struct lore_arena arena;
    struct lore_upload_receipt receipts[64];
    size_t n_receipts;
    bool seen[4096]; /* by seq */
    uint64_t order[4096];
    size_t n_order; /* how many were stored */
    char last_batch[LORE_ULID_SIZE];
    int calls, batches, fetches, singles;
    /* what goes wrong */
    long status;         /* this answer instead; 0: none */
    int times;           /* so often; 0: always */
    const char *problem; /* its body */
    int64_t retry_after_s, clock_ahead_s;
    bool lose_reply;    /* once: it is stored, the answer never comes */
    bool hide_receipts; /* the list is empty */
    size_t max_records; /* 413 above */
    const char *refuse; /* documents that hold this text */
    void (*spoil)(struct fake_service *f, struct lore_upload_receipt *r);
    bool unsign;      /* after spoiling, do not sign again */
    const char *body; /* this body instead, with 200 */
};

static const char *
fake_header(const struct lore_http_call *call, const char *name)
{
    size_t n = strlen(name);

    for (size_t i = 0; i < call->n_headers; i++) {
        if (strncmp(call->headers[i], name, n) == 0 && call->headers[i][n] == ':')
            return call->headers[i] + n + 2;
    }
    return NULL;
}

static bool
fake_signed(struct fake_service *f, const struct lore_http_call *call, const char *path)
{
    unsigned char signature[LORE_SIGNATURE];
    char digest[LORE_HASH_HEX];
    const char *text = fake_header(call, "Warplore-Signature");
    struct lore_sign_request r = {.agent = fake_header(call, "Warplore-Agent"),
        .batch = fake_header(call, "Warplore-Batch"),
        .method = call->method,
        .path = path,
        .digest = fake_header(call, "Warplore-Digest")};

    assert_non_null(text);
    r.created = strtoll(fake_header(call, "Warplore-Created"), NULL, 10);
    lore_hash_hex(call->body ? call->body : "", call->n, digest);
    assert_string_equal(digest, r.digest);
    assert_true(lore_signing_bytes(text, signature, sizeof signature));
    assert_true(lore_signing_batch_ok(f->agent_key, &r, signature));
    assert_string_not_equal(f->last_batch, r.batch);
    memcpy(f->last_batch, r.batch, LORE_ULID_SIZE);
    return llabs(r.created - (lore_now_us() / 1000000 + f->clock_ahead_s)) <= LORE_BATCH_SKEW_S;
}

static void
fake_members(struct lore_jsonw *w, const struct lore_upload_receipt *r)
{
    char text[LORE_SIGNATURE_TEXT];

    lore_w_kstr(w, "agent", r->agent);
    lore_w_kstr(w, "batch", r->batch);
    lore_w_ki64(w, "number", (int64_t)r->number);
    lore_hex(r->previous, 32, text);
    lore_w_kstr(w, "previous", text);
    lore_hex(r->hash, 32, text);
    lore_w_kstr(w, "hash", text);
    lore_signing_text(r->signature, LORE_SIGNATURE, text);
    lore_w_kstr(w, "signature", text);
}

static void
fake_records(struct lore_jsonw *w, const struct lore_upload_receipt *r)
{
    char hex[LORE_HASH_HEX];

    lore_w_key(w, "records");
    lore_w_arr(w);
    for (size_t i = 0; i < r->n; i++) {
        char state = r->lines[i].state;
        lore_w_obj(w);
        lore_w_ki64(w, "seq", (int64_t)r->lines[i].seq);
        lore_w_kstr(w, "state", state == 's' ? "stored" : state == 'd' ? "duplicate" : "refused");
        lore_hex(r->lines[i].hash, 32, hex);
        lore_w_kstr(w, "hash", hex);
        if (state == 'r') {
            lore_w_key(w, "error");
            lore_w_obj(w);
            lore_w_kstr(w, "code", "unknown_field");
            lore_w_kstr(w, "detail", "a field nobody knows");
            lore_w_kstr(w, "path", "runs[0].x");
            lore_w_obj_end(w);
        }
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
fake_sign(struct fake_service *f, struct lore_upload_receipt *r)
{
    lore_receipt_hash(&(struct lore_receipt_head){r->previous, r->agent, r->batch, r->number},
        r->lines, r->n, r->hash);
    lore_signing_receipt(f->secret_key, r->hash, r->signature);
}

static struct lore_upload_receipt *
fake_store(struct fake_service *f, const struct lore_http_call *call)
{
    struct lore_upload_receipt *r = &f->receipts[f->n_receipts];
    struct lore_batch_part *parts = NULL;
    struct lore_buf body = {0};
    size_t n = 0;

    assert_string_equal(fake_header(call, "Content-Encoding"), "zstd");
    assert_int_equal(lore_zstd_unpack(call->body, call->n, &body, NULL), LORE_OK);
    const char *kept = lore_strndup(&f->arena, body.data, body.len);
    assert_int_equal(lore_signing_batch_read(kept, body.len, &f->arena, &parts, &n, NULL), LORE_OK);
    lore_buf_free(&body);
    if (f->max_records && n > f->max_records)
        return NULL;
    *r = (struct lore_upload_receipt){.number = f->n_receipts + 1, .n = n};
    memcpy(r->agent, fake_id, LORE_ULID_SIZE);
    memcpy(r->batch, f->last_batch, LORE_ULID_SIZE);
    if (f->n_receipts > 0)
        memcpy(r->previous, f->receipts[f->n_receipts - 1].hash, 32);
    r->lines = lore_alloc_array(&f->arena, n, sizeof *r->lines);
    for (size_t i = 0; i < n; i++) {
        uint64_t seq = parts[i].seq;
        assert_true(seq < 4096);
        assert_true(lore_signing_record_ok(
            f->agent_key, fake_id, seq, parts[i].document, parts[i].n, parts[i].signature));
        r->lines[i].seq = seq;
        lore_hash(parts[i].document, parts[i].n, r->lines[i].hash);
        bool refused =
            f->refuse && memmem(parts[i].document, parts[i].n, f->refuse, strlen(f->refuse));
        r->lines[i].state = refused ? 'r' : f->seen[seq] ? 'd' : 's';
        if (!refused && !f->seen[seq])
            f->order[f->n_order++] = seq;
        f->seen[seq] = !refused;
    }
    fake_sign(f, r);
    f->n_receipts++;
    f->batches++;
    return r;
}

static enum lore_status
fake_batch(struct fake_service *f, const struct lore_http_call *call, struct lore_http_reply *reply,
    struct lore_err *err)
{
    struct lore_upload_receipt *r = fake_store(f, call), shown;
    struct lore_jsonw w;

    if (!r) {
        reply->status = 413;
        return LORE_OK;
    }
    if (f->lose_reply) {
        f->lose_reply = false;
        return lore_fail(err, LORE_IO, "the connection was reset");
    }
    shown = *r;
    if (f->spoil) {
        f->spoil(f, &shown);
        if (!f->unsign)
            fake_sign(f, &shown);
    }
    reply->status = 200;
    lore_jsonw_begin(&w, &reply->body, false);
    lore_w_obj(&w);
    lore_w_key(&w, "receipt");
    lore_w_obj(&w);
    fake_members(&w, &shown);
    lore_w_obj_end(&w);
    fake_records(&w, &shown);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

static enum lore_status
fake_list(
    struct fake_service *f, uint64_t after, struct lore_http_reply *reply, struct lore_err *err)
{
    struct lore_jsonw w;
    int shown = 0;

    f->fetches++;
    reply->status = 200;
    lore_jsonw_begin(&w, &reply->body, false);
    lore_w_obj(&w);
    lore_w_key(&w, "rows");
    lore_w_arr(&w);
    /* two a page, so that more than one is asked for */
    for (size_t i = after; i < f->n_receipts && !f->hide_receipts && shown < 2; i++, shown++) {
        lore_w_obj(&w);
        fake_members(&w, &f->receipts[i]);
        fake_records(&w, &f->receipts[i]);
        lore_w_obj_end(&w);
    }
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

static enum lore_status
fake_http(void *ctx, const struct lore_http_call *call, struct lore_http_reply *reply,
    struct lore_err *err)
{
    struct fake_service *f = ctx;
    const char *path = strchr(call->url + strlen("http://"), '/');
    size_t n = strcspn(path, "?");
    const char *bare = lore_strndup(&f->arena, path, n);
    bool single = strcmp(bare, "/api/v1/submissions") == 0;

    f->calls++;
    reply->date_s = lore_now_us() / 1000000 + f->clock_ahead_s;
    bool in_time = single || fake_signed(f, call, bare);
    if (f->status) {
        reply->status = f->status;
        reply->retry_after_s = f->retry_after_s > 0 ? f->retry_after_s : -1;
        lore_buf_puts(&reply->body, f->problem ? f->problem : "{\"detail\":\"told to\"}");
        if (f->times > 0 && --f->times == 0)
            f->status = 0;
        return LORE_OK;
    }
    if (f->body) {
        reply->status = 200;
        lore_buf_puts(&reply->body, f->body);
        return LORE_OK;
    }
    if (single) {
        assert_string_equal(fake_header(call, "Authorization"), "Bearer wl_token");
        f->singles++;
        reply->status = 201;
        lore_buf_printf(&reply->body, "{\"id\":\"%s\",\"status\":\"stored\"}", fake_id);
        return LORE_OK;
    }
    if (!in_time) {
        reply->status = 401;
        lore_buf_puts(&reply->body, "{\"code\":\"clock_skew\",\"detail\":\"the clock\"}");
        return LORE_OK;
    }
    if (strcmp(call->method, "GET") == 0)
        return fake_list(f, strtoull(path + n + strlen("?after="), NULL, 10), reply, err);
    assert_string_equal(bare, "/api/v1/batches");
    return fake_batch(f, call, reply, err);
}

#endif
