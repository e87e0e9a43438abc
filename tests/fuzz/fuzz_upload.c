// uses: upload
/* What comes from a service, or from a box on the way that says it is one, and what lies in the
 * state folder. The first byte chooses: the answer to an enrolment, agent.json, receipts.jsonl, one
 * receipt, the answer to a batch or to a document, and the receipts fetched for a chain with a
 * hole. Nothing but a receipt with the service's signature takes a record out. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/upload/outbox.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "tests/unit/scratch.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const char agent_id[] = "01J0000000000000000000000A";
static const char document[] = "{\"warplore\":1}";
static struct fuzz {
    char dir[64];
    unsigned char secret[LORE_SECRET_KEY]; /* of the service */
    struct lore_outbox *outbox;
    const char *text; /* what is answered */
    size_t n;
    long status;
    uint64_t number; /* of the receipt that a batch is given; 0: the text */
} fuzz;

static void
must(bool true_of_every_input)
{
    if (!true_of_every_input)
        abort();
}

static void
put(const char *name, const void *p, size_t n)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", fuzz.dir, name);
    int made = creat(path, 0600);
    must(made >= 0 && write(made, p, n) == (ssize_t)n);
    close(made);
}

static void
leave(void)
{
    lore_outbox_close(fuzz.outbox);
    scratch_drop(fuzz.dir);
}

static void
sign(struct lore_upload_receipt *r)
{
    lore_receipt_hash(&(struct lore_receipt_head){r->previous, r->agent, r->batch, r->number},
        r->lines, r->n, r->hash);
    lore_signing_receipt(fuzz.secret, r->hash, r->signature);
}

static void
begin(void)
{
    struct lore_upload_identity *who;

    if (fuzz.outbox)
        return;
    must(scratch_make(fuzz.dir) == 0);
    must(lore_outbox_open(fuzz.dir, NULL, &fuzz.outbox, NULL) == LORE_OK);
    atexit(leave);
    who = &fuzz.outbox->who;
    lore_signing_keys(who->public_key, who->secret_key);
    lore_signing_keys(who->service_key, fuzz.secret);
    memcpy(who->id, agent_id, sizeof who->id);
    who->url = "http://localhost";
    fuzz.outbox->enrolled = true;
}

/* ---- the service ---- */

static void
give_receipt(const struct lore_http_call *call, struct lore_http_reply *reply)
{
    struct lore_receipt_line line = {.seq = 7, .state = 'd'};
    struct lore_upload_receipt r = {.number = fuzz.number, .lines = &line, .n = 1};
    struct lore_buf text = {0};

    memcpy(r.agent, agent_id, sizeof r.agent);
    for (size_t i = 0; i < call->n_headers; i++) {
        if (lore_starts(call->headers[i], "Warplore-Batch: "))
            memcpy(r.batch, call->headers[i] + strlen("Warplore-Batch: "), LORE_ULID_SIZE);
    }
    lore_hash(document, strlen(document), line.hash);
    sign(&r);
    must(lore_receipt_write(&r, &text, NULL) == LORE_OK && text.len > 1);
    /* a line of receipts.jsonl has both parts of an answer */
    lore_buf_printf(&reply->body, "{\"receipt\":%.*s,%s", (int)text.len - 1, text.data,
        strstr(text.data, "\"records\""));
    lore_buf_free(&text);
}

static enum lore_status
answer(void *ctx, const struct lore_http_call *call, struct lore_http_reply *reply,
    struct lore_err *err)
{
    (void)ctx;
    (void)err;
    reply->status = fuzz.status;
    if (fuzz.number > 0 && strcmp(call->method, "POST") == 0) {
        reply->status = 200;
        give_receipt(call, reply);
    } else {
        lore_buf_add(&reply->body, fuzz.text, fuzz.n);
    }
    return LORE_OK;
}

static void
send_document(bool singly)
{
    char payload[64];
    struct lore_upload_options options = {.url = "http://localhost", .token = "t"};
    struct lore_upload_result result = {0};
    struct lore_spool_item item = {.seq = 7, .payload = (unsigned char *)payload};
    struct lore_sender s = {
        .o = fuzz.outbox, .options = &options, .result = &result, .send = answer, .max_records = 1};
    struct lore_err err = {0};

    item.n = (size_t)snprintf(payload, sizeof payload, "{}\n%s", document);
    put("receipts.jsonl", "", 0);
    enum lore_status status =
        singly ? lore_single_send(&s, &item, 1, &err) : lore_batch_send(&s, &item, 1, &err);
    must(status == LORE_OK || lore_utf8_valid(err.msg, strlen(err.msg)));
    if (!singly)
        must(result.stored == 0 && (fuzz.number == 1 || result.duplicates == 0));
    lore_arena_free(&s.arena);
}

/* ---- the files ---- */

static void
enrol(struct lore_arena *arena)
{
    struct lore_enrol how = {
        .url = "http://localhost", .code = "c", .label = "l", .again = true, .send = answer};
    struct lore_upload_identity who, again;

    if (lore_identity_enrol(fuzz.dir, &how, arena, &who, NULL) == LORE_OK)
        must(lore_identity_load(fuzz.dir, arena, &again, NULL) == LORE_OK &&
             memcmp(who.id, again.id, sizeof who.id) == 0);
}

static void
load(struct lore_arena *arena)
{
    static char key[LORE_SIGNATURE_TEXT];
    struct lore_upload_identity who;

    lore_signing_text(fuzz.outbox->who.secret_key, LORE_SECRET_KEY, key);
    put("agent.key", key, strlen(key));
    put("agent.json", fuzz.text, fuzz.n);
    if (lore_identity_load(fuzz.dir, arena, &who, NULL) == LORE_OK)
        must(lore_ulid_valid(who.id) && who.url && who.label);
}

static void
read_file(void)
{
    struct lore_upload_receipt last;
    uint64_t receipts = 0, records = 0;

    put("receipts.jsonl", fuzz.text, fuzz.n);
    (void)!lore_receipts_verify(fuzz.dir, &fuzz.outbox->who, &receipts, &records, NULL);
    (void)!lore_receipts_compact(fuzz.dir, &fuzz.outbox->who, 64, 32, NULL);
    if (lore_receipts_last(fuzz.dir, &last, NULL) == LORE_OK && last.number > 0)
        must(lore_ulid_valid(last.agent) && lore_ulid_valid(last.batch));
}

static void
read_receipt(struct lore_arena *arena)
{
    struct lore_json *root = NULL, *same = NULL;
    struct lore_buf text = {0};
    struct lore_upload_receipt r, again;

    if (lore_json_parse(fuzz.text, fuzz.n, NULL, arena, &root, NULL) != LORE_OK ||
        lore_receipt_read(root, lore_json_get(root, "records"), arena, &r, NULL) != LORE_OK)
        return;
    memcpy(r.agent, agent_id, sizeof r.agent);
    sign(&r);
    must(lore_receipt_check(&r, &fuzz.outbox->who, NULL) == LORE_OK);
    must(lore_receipt_write(&r, &text, NULL) == LORE_OK);
    must(lore_json_parse(text.data, text.len, NULL, arena, &same, NULL) == LORE_OK);
    must(lore_receipt_read(same, lore_json_get(same, "records"), arena, &again, NULL) == LORE_OK);
    must(again.n == r.n && memcmp(again.hash, r.hash, sizeof r.hash) == 0);
    must(lore_receipt_check(&again, &fuzz.outbox->who, NULL) == LORE_OK);
    lore_buf_free(&text);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static const long statuses[] = {200, 201, 400, 401, 403, 404, 409, 413, 422, 429, 503, 302};
    struct lore_arena arena = {0};

    if (size < 2)
        return 0;
    begin();
    fuzz.text = (const char *)data + 2;
    fuzz.n = size - 2;
    fuzz.status = statuses[data[1] % (sizeof statuses / sizeof *statuses)];
    fuzz.number = data[0] % 7 == 6 ? 1 + data[1] % 4 : 0;
    if (fuzz.number > 0)
        fuzz.status = 200;
    switch (data[0] % 7) {
    case 0:
        enrol(&arena);
        break;
    case 1:
        load(&arena);
        break;
    case 2:
        read_file();
        break;
    case 3:
        read_receipt(&arena);
        break;
    case 4:
        send_document(true);
        break;
    default:
        send_document(false);
    }
    lore_arena_free(&arena);
    return 0;
}
