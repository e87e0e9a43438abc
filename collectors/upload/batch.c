/* Makes and sends one signed batch; only a valid receipt finishes it. A receipt is valid when its
 * hash covers exactly the records sent, the service's key signed it, and it follows the last stored
 * receipt. The receipt is on disk before any record leaves the spool. */
#include <stdio.h>
#include <string.h>

#include "collectors/upload/outbox.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/text.h"

enum { CLOCK_TRIES = 2, ID_TRIES = 3, SKEW_S = 30 };

struct batch {
    struct lore_sender *s;
    struct lore_receipt_line *lines; /* seq and hash of each record sent; state is not set */
    size_t n;
    struct lore_buf packed;
    int clock_tries, id_tries;
};

/* Build the compressed body from ITEMS; unreadable items are set aside. */
static enum lore_status
make_body(struct batch *b, const struct lore_spool_item *items, size_t n, struct lore_err *err)
{
    struct lore_buf body = {.max = LORE_BATCH_BYTES};
    const struct lore_upload_identity *who = &b->s->o->who;
    enum lore_status status = LORE_OK;

    b->lines = lore_alloc_array(&b->s->arena, n, sizeof *b->lines);
    for (size_t i = 0; i < n && status == LORE_OK; i++) {
        struct lore_batch_part part = {.seq = items[i].seq};
        struct lore_envelope e;
        if (!lore_envelope_read(b->s->o, &items[i], &b->s->arena, &e)) {
            status = lore_sender_set_aside(b->s, items[i].seq, "not a document of the outbox", err);
            continue;
        }
        part.document = e.document;
        part.n = e.n;
        memcpy(part.signature, e.signature, sizeof part.signature);
        if (!e.is_signed)
            lore_signing_record(
                who->secret_key, who->id, part.seq, part.document, part.n, part.signature);
        lore_signing_batch_add(&body, &part);
        b->lines[b->n].seq = part.seq;
        lore_hash(part.document, part.n, b->lines[b->n++].hash);
    }
    if (status == LORE_OK)
        status = lore_buf_status(&body, "a batch", err);
    if (status == LORE_OK && b->n > 0)
        status = lore_zstd_pack(body.data, body.len, &b->packed, err);
    lore_buf_free(&body);
    return status;
}

/* ---- the answer ---- */

static enum lore_status
bad_answer(struct batch *b, const char *what, struct lore_err *err)
{
    b->s->result->alarm = true;
    return lore_fail_at(err, LORE_CORRUPT, "bad_receipt", "receipt",
        "the receipt does not match the batch that was sent: %s; its records stay in the spool",
        what);
}

static enum lore_status
check_receipt(
    struct batch *b, const char *id, const struct lore_upload_receipt *r, struct lore_err *err)
{
    enum lore_status status = lore_receipt_check(r, &b->s->o->who, err);

    if (status != LORE_OK) {
        b->s->result->alarm = true;
        return status;
    }
    if (strcmp(r->batch, id) != 0)
        return bad_answer(b, "it names another batch", err);
    if (r->n != b->n)
        return bad_answer(b, "its number of records differs", err);
    for (size_t i = 0; i < b->n; i++) {
        if (r->lines[i].seq != b->lines[i].seq ||
            memcmp(r->lines[i].hash, b->lines[i].hash, sizeof b->lines[i].hash) != 0)
            return bad_answer(b, "a record's number or hash differs", err);
    }
    return LORE_OK;
}

/* The reason for a refusal, as one line. */
static const char *
refusal(struct batch *b, const struct lore_json *row)
{
    const struct lore_json *error = lore_json_get(row, "error");
    const char *names[] = {"code", "detail", "path"}, *parts[3] = {NULL};

    for (size_t i = 0; i < 3; i++) {
        if (lore_json_text(error, names[i], &parts[i], NULL) != LORE_OK || !parts[i])
            parts[i] = "";
    }
    if (strstr(parts[1], parts[2])) /* the detail already names the path */
        parts[2] = "";
    return lore_format(&b->s->arena, "%s%s%s%s%s%s", parts[0], *parts[0] ? ": " : "",
        *parts[1] ? parts[1] : "refused without a reason", *parts[2] ? " (" : "", parts[2],
        *parts[2] ? ")" : "");
}

static enum lore_status
finish(struct batch *b, const struct lore_upload_receipt *r, const struct lore_json *records,
    struct lore_err *err)
{
    uint64_t *seqs = lore_alloc_array(&b->s->arena, r->n + 1, sizeof *seqs);
    const struct lore_json *row = records->child;
    enum lore_status status = LORE_OK;
    size_t n = 0;

    for (size_t i = 0; i < r->n && status == LORE_OK; i++, row = row->next) {
        if (r->lines[i].state == 'r') {
            status = lore_sender_set_aside(b->s, r->lines[i].seq, refusal(b, row), err);
            continue;
        }
        seqs[n++] = r->lines[i].seq;
        b->s->result->stored += r->lines[i].state == 's';
        b->s->result->duplicates += r->lines[i].state == 'd';
    }
    if (status == LORE_OK)
        status = lore_spool_done(b->s->o->spool, seqs, n, err);
    return status;
}

static enum lore_status
take_answer(
    struct batch *b, const char *id, const struct lore_http_reply *reply, struct lore_err *err)
{
    const struct lore_json *records;
    struct lore_json *root = NULL;
    struct lore_upload_receipt r;
    const char *text = reply->body.data ? reply->body.data : "";

    /* a proxy may have answered with its own page: try again later */
    if (lore_json_parse(text, reply->body.len, NULL, &b->s->arena, &root, NULL) != LORE_OK)
        return lore_fail_at(err, LORE_BUSY, "no_answer", "",
            "the service answered HTTP %ld, but not with JSON; is a proxy in between?",
            reply->status);
    records = lore_json_get(root, "records");
    enum lore_status status =
        lore_receipt_read(lore_json_get(root, "receipt"), records, &b->s->arena, &r, err);
    if (status != LORE_OK)
        return status;
    status = check_receipt(b, id, &r, err);
    if (status == LORE_OK)
        status = lore_chain_extend(b->s, &r, err);
    return status == LORE_OK ? finish(b, &r, records, err) : status;
}

/* ---- sending ---- */

/* Adopt the service's clock when it differs by SKEW_S or more. True: worth an immediate retry. */
static bool
clock_corrected(struct batch *b, const struct lore_http_reply *reply)
{
    struct lore_outbox *o = b->s->o;
    int64_t ahead = reply->date_s - lore_now_us() / 1000000;

    if (reply->status != 401 || reply->date_s == 0 || b->clock_tries == CLOCK_TRIES)
        return false;
    if (ahead - o->offset_s < SKEW_S && o->offset_s - ahead < SKEW_S)
        return false;
    b->clock_tries++;
    o->offset_s = ahead;
    return true;
}

static enum lore_status
post(struct batch *b, const char *id, struct lore_http_reply *reply, struct lore_err *err)
{
    static const char path[] = "/api/v1/batches";
    const char *headers[LORE_SIGNED_HEADERS + 3];

    lore_signed_headers(b->s, id, "POST", path, &b->packed, headers);
    headers[LORE_SIGNED_HEADERS] = "Accept: application/json";
    headers[LORE_SIGNED_HEADERS + 1] = "Content-Type: " LORE_BATCH_MEDIA;
    headers[LORE_SIGNED_HEADERS + 2] = "Content-Encoding: zstd";
    struct lore_http_call call = {.method = "POST",
        .url = lore_format(&b->s->arena, "%s%s", b->s->o->who.url, path),
        .headers = headers,
        .n_headers = LORE_SIGNED_HEADERS + 3,
        .body = b->packed.data,
        .n = b->packed.len};
    return lore_sender_call(b->s, &call, reply, err);
}

/* Send once. *AGAIN: retry at once, because the cause is gone. */
static enum lore_status
try_once(struct batch *b, struct lore_http_reply *reply, bool *again, struct lore_err *err)
{
    const char *code = "";
    char id[LORE_ULID_SIZE];

    *again = false;
    lore_ulid_new(id);
    enum lore_status status = post(b, id, reply, err);
    if (status != LORE_OK)
        return status;
    enum lore_action action = lore_answer_action(reply->status);
    if (action == LORE_SENT)
        return take_answer(b, id, reply, err);
    status = lore_answer_fail(b->s, reply, &code, err);
    *again = clock_corrected(b, reply);
    if (reply->status == 409 && lore_streq(code, "replayed_batch") && b->id_tries++ < ID_TRIES)
        *again = true;
    if (*again)
        return status;
    if (action == LORE_TOO_LONG && b->n > 1) {
        b->s->max_records = b->n / 2;
        return LORE_OK;
    }
    /* a single record is too long when the service itself says so; a proxy sends no code */
    if (action == LORE_TOO_LONG && *code)
        return lore_sender_set_aside(b->s, b->lines[0].seq, "too long for the service", err);
    /* A refused batch does not condemn its records, so they wait for a person. A batch that was
     * damaged on its way (bad_digest) is sent again soon. */
    b->s->result->alarm = action != LORE_RETRY && !lore_streq(code, "bad_digest");
    return status;
}

enum lore_status
lore_batch_send(
    struct lore_sender *s, const struct lore_spool_item *items, size_t n, struct lore_err *err)
{
    struct lore_http_reply reply = {.body = {.max = 4u << 20}};
    struct batch b = {.s = s, .packed = {.max = 2 * LORE_BATCH_BYTES}};
    bool again = true;
    enum lore_status status = lore_http_may_send(s->o->who.url, err);

    s->result->alarm = s->result->alarm || status != LORE_OK;
    if (status == LORE_OK)
        status = make_body(&b, items, n, err);
    if (status == LORE_OK && b.n > 0) {
        do
            status = try_once(&b, &reply, &again, err);
        while (again && !lore_sender_finished(s));
    }
    lore_buf_free(&b.packed);
    lore_buf_free(&reply.body);
    return status;
}
