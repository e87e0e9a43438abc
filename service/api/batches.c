/* POST /api/v1/batches: store a signed batch. The sender was checked before the body was read, and
 * the body's digest before this handler runs. Each record is stored, a duplicate, or refused with a
 * reason, independently of the others. The answer is a receipt, sent after it and its records are
 * on disk. Without a receipt nothing is acknowledged.
 *
 * Only one batch of an agent is processed at a time, so facts read at the beginning still hold at
 * the end. */
#include <stdio.h>
#include <string.h>

#include "service/api/api_agents.h"
#include "service/api/curate.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/ingest/ingest.h"
#include "service/ingest/projection.h"

struct batch {
    struct lore_req *req;
    struct lore_buf plain; /* the decompressed body, if it was compressed */
    struct lore_batch_part *parts;
    size_t n;
    struct lore_receipt_record *records; /* state 0: not known yet */
    struct lore_err *errs;               /* why a record was refused */
    size_t *first;                       /* the first part with the same number */
    struct lore_batch_receipt receipt;
};

/* ---- reading ---- */

static enum lore_status
unpack(struct batch *b, const char **body, size_t *len, struct lore_err *err)
{
    const char *how = b->req->content_encoding;
    enum lore_status status;

    *body = b->req->body != NULL ? b->req->body : "";
    *len = b->req->body_len;
    if (!how || lore_streqi(how, "identity"))
        return LORE_OK;
    if (!lore_streqi(how, "zstd"))
        return lore_fail(err, LORE_UNSUPPORTED, "Content-Encoding: expected zstd, or none");
    b->plain.max = LORE_BATCH_BYTES;
    status = lore_zstd_unpack(*body, *len, &b->plain, err);
    if (status == LORE_TOOBIG)
        return lore_fail_at(err, LORE_TOOBIG, "body_too_big", "",
            "the batch unpacks to more than %u bytes", LORE_BATCH_BYTES);
    *body = b->plain.data != NULL ? b->plain.data : "";
    *len = b->plain.len;
    return status;
}

static void
refuse(struct batch *b, size_t i, const char *code, const char *msg)
{
    b->records[i].line.state = 'r';
    (void)lore_fail_at(&b->errs[i], LORE_INVALID, code, "", "%s", msg);
    b->records[i].code = code;
}

/* Compute hashes, check signatures, and find numbers that occur twice in the batch. */
static void
check_signatures(struct batch *b)
{
    const struct lore_agent_row *agent = b->req->agent;

    for (size_t i = 0; i < b->n; i++) {
        const struct lore_batch_part *p = &b->parts[i];
        struct lore_receipt_record *x = &b->records[i];

        x->line.seq = p->seq;
        memcpy(x->signature, p->signature, sizeof x->signature);
        lore_hash(p->document, p->n, x->line.hash);
        b->first[i] = i;
        if (!lore_signing_hash_ok(agent->key, agent->id, p->seq, x->line.hash, p->signature)) {
            refuse(b, i, "bad_signature", "the record is not signed by this agent");
            continue;
        }
        for (size_t k = 0; k < i && b->first[i] == i; k++)
            if (b->parts[k].seq == p->seq && b->records[k].line.state != 'r')
                b->first[i] = k;
    }
}

static const char reused[] = "another document was sent under this number";

/* Find numbers that were used before, in this batch or an earlier one. */
static enum lore_status
check_numbers(struct batch *b, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < b->n && status == LORE_OK; i++) {
        struct lore_receipt_record *x = &b->records[i];
        struct lore_signed found = {0};

        if (x->line.state == 'r')
            continue;
        if (b->first[i] != i) {
            if (memcmp(b->records[b->first[i]].line.hash, x->line.hash, 32) != 0)
                refuse(b, i, "seq_reused", reused);
            continue;
        }
        status = lore_db_find_signed(
            b->req->db, b->req->agent->id, x->line.seq, b->req->arena, &found, err);
        if (status != LORE_OK || !found.document)
            continue;
        if (memcmp(found.hash, x->line.hash, 32) != 0)
            refuse(b, i, "seq_reused", reused);
        else
            x->line.state = 'd';
        x->document = found.document;
    }
    return status;
}

/* Look up the batch in the database, in one snapshot. */
static enum lore_status
look(struct batch *b, struct lore_err *err)
{
    bool used = false;
    enum lore_status status = lore_req_read(b->req, NULL, err);

    if (status != LORE_OK)
        return status;
    status = lore_db_batch_used(b->req->db, b->req->signed_by.batch, &used, err);
    if (status == LORE_OK && used)
        status = lore_fail_at(err, LORE_CONFLICT, "replayed_batch", "",
            "batch %s was received before", b->req->signed_by.batch);
    if (status == LORE_OK)
        status = check_numbers(b, err);
    lore_req_read_end(b->req);
    return status;
}

static enum lore_status
read_batch(struct batch *b, struct lore_err *err)
{
    struct lore_arena *arena = b->req->arena;
    const char *body;
    size_t len;
    enum lore_status status = unpack(b, &body, &len, err);

    if (status == LORE_OK)
        status = lore_signing_batch_read(body, len, arena, &b->parts, &b->n, err);
    if (status != LORE_OK)
        return status;
    b->records = lore_alloc_array(arena, b->n, sizeof *b->records);
    b->errs = lore_alloc_array(arena, b->n, sizeof *b->errs);
    b->first = lore_alloc_array(arena, b->n, sizeof *b->first);
    check_signatures(b);
    return look(b, err);
}

/* ---- storing ---- */

static void
settle(struct batch *b, size_t i, const struct lore_ingest_part *part)
{
    struct lore_receipt_record *x = &b->records[i];

    x->document = part->status == LORE_OK ? part->id : NULL;
    x->line.state = part->status != LORE_OK ? 'r' : part->duplicate ? 'd' : 's';
    if (part->status != LORE_OK) {
        b->errs[i] = part->err;
        x->code = part->err.code;
    }
}

/* A repeated record gets the state of the first one, but duplicate instead of stored. */
static void
settle_repeated(struct batch *b, size_t i)
{
    const struct lore_receipt_record *first = &b->records[b->first[i]];
    struct lore_receipt_record *x = &b->records[i];

    x->line.state = first->line.state == 's' ? 'd' : first->line.state;
    x->document = first->document;
    x->code = first->code;
    b->errs[i] = b->errs[b->first[i]];
}

static enum lore_status
store(struct batch *b, struct lore_err *err)
{
    struct lore_req *req = b->req;
    struct lore_ingest_part *parts = lore_alloc_array(req->arena, b->n, sizeof *parts);
    size_t *of = lore_alloc_array(req->arena, b->n, sizeof *of), n = 0;
    const struct lore_ingest_doc who = {
        .actor = req->actor, .owner = req->owner, .arrived_us = lore_now_us()};
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < b->n; i++) {
        if (b->records[i].line.state != 0 || b->first[i] != i)
            continue;
        parts[n] = (struct lore_ingest_part){.body = b->parts[i].document, .len = b->parts[i].n};
        of[n++] = i;
    }
    if (n > 0)
        status = lore_ingest_submit_many(req->app->ingest, parts, n, &who, req->arena, err);
    if (status != LORE_OK)
        return status;
    for (size_t k = 0; k < n; k++)
        settle(b, of[k], &parts[k]);
    for (size_t i = 0; i < b->n; i++)
        if (b->records[i].line.state == 0)
            settle_repeated(b, i);
    return LORE_OK;
}

/* Runs on the writer. */
static enum lore_status
write_receipt(struct lore_db *db, void *ctx, struct lore_logging *to, struct lore_err *err)
{
    struct batch *b = ctx;
    enum lore_status status = lore_logging_credentials(db, to, err);

    if (status == LORE_OK)
        status = lore_put_agent(db, b->req->agent, to->now_us, err);
    if (status == LORE_OK)
        status = lore_put_receipt(db, lore_agents_secret(b->req->app->agents), &b->receipt,
            b->req->actor, to->now_us, err);
    return status == LORE_OK ? lore_logging_receipt(to, &b->receipt, b->req->actor, err) : status;
}

static enum lore_status
sign(struct batch *b, struct lore_err *err)
{
    const struct lore_agents *agents = b->req->app->agents;
    struct lore_batch_receipt *r = &b->receipt;

    r->agent = b->req->agent->id;
    r->batch = b->req->signed_by.batch;
    r->records = b->records;
    r->n = b->n;
    memcpy(r->key, lore_agents_key(agents), sizeof r->key);
    return lore_ingest_write_logged(b->req->app->ingest, write_receipt, b, err);
}

/* ---- answering ---- */

void
lore_receipt_write_state(struct lore_jsonw *w, const char *key, const void *row)
{
    char state = ((const struct lore_receipt_record *)row)->line.state;

    lore_w_kstr(w, key, state == 's' ? "stored" : state == 'd' ? "duplicate" : "refused");
}

#define ROW struct lore_batch_receipt
static const struct lore_object_member receipt[] = {
    {"!agent", AT(agent), "ulid"},
    {"!batch", AT(batch), "ulid"},
    {"!number", AT(number), NULL, "place in the chain of the agent's receipts"},
    {"!previous", HEX(previous), NULL, "hash of the previous receipt"},
    {"!hash", HEX(hash)},
    {"!signature", BASE64(signature), NULL, "by the service's key"},
};
const struct lore_object lore_batch_receipt_object = LORE_OBJECT("BatchReceipt", receipt);
#undef ROW

/* The members that a problem object has for the same fault. */
struct fault {
    const char *code, *detail, *path, *hint;
};
#define ROW struct fault
static const struct lore_object_member fault[] = {
    {"!code", AT(code)}, {"!detail", AT(detail)}, {"path", AT(path)}, {"hint", AT(hint)}};
static const struct lore_object fault_object = LORE_KEYED_OBJECT("RecordFault", fault, code);
#undef ROW

struct taken {
    struct lore_receipt_record x;
    struct fault fault;
};
static void
write_state(struct lore_jsonw *w, const char *key, const void *row)
{
    lore_receipt_write_state(w, key, &((const struct taken *)row)->x);
}

#define ROW struct taken
static const struct lore_object_member taken[] = {
    {"!seq", AT(x.line.seq)},
    {"!state", WRITTEN(write_state), LORE_RECEIPT_STATES},
    {"document", AT(x.document), "ulid"},
    {"!hash", HEX(x.line.hash)},
    {"error", OBJECT(fault, fault_object)},
};
static const struct lore_object taken_object = LORE_OBJECT("BatchRecord", taken);
#undef ROW

struct answer {
    const struct lore_batch_receipt *receipt;
    struct taken *records;
    size_t n;
};
#define ROW struct answer
static const struct lore_object_member answer_table[] = {
    {"!receipt", POINTER(receipt, lore_batch_receipt_object), "#BatchReceipt"},
    {"!records", LIST(records, n, taken_object)},
};
const struct lore_object lore_batch_object = LORE_OBJECT("BatchAnswer", answer_table);
#undef ROW

/* Messages may quote invalid UTF-8 from the request, which the answer must not contain. */
static const char *
clean(const struct batch *b, const char *text)
{
    char *copy = lore_strdup(b->req->arena, text);

    for (char *p = copy; !lore_utf8_valid(copy, strlen(copy)) && *p != '\0'; p++)
        if ((unsigned char)*p >= 0x80)
            *p = '?';
    return copy;
}

static enum lore_status
answer(const struct batch *b, struct lore_resp *resp, struct lore_err *err)
{
    struct answer a = {&b->receipt, lore_alloc_array(b->req->arena, b->n, sizeof *a.records), b->n};

    for (size_t i = 0; i < b->n; i++) {
        const struct lore_err *e = &b->errs[i];

        a.records[i].x = b->records[i];
        if (b->records[i].line.state != 'r')
            continue;
        a.records[i].x.document = NULL;
        a.records[i].fault =
            (struct fault){e->code, clean(b, e->msg), clean(b, e->path), clean(b, e->hint)};
    }
    return lore_reply_object(resp, &lore_batch_object, &a, err);
}

/* Count the records for /metrics. */
static void
tally(const struct batch *b)
{
    struct lore_agents_stats batch = {0};

    for (size_t i = 0; i < b->n; i++) {
        char state = b->records[i].line.state;
        batch.stored += state == 's';
        batch.duplicates += state == 'd';
        batch.refused += state == 'r';
    }
    lore_agents_limits_add_batch(lore_agents_limits(b->req->app->agents), &batch);
}

static enum lore_status
take(struct batch *b, struct lore_err *err)
{
    enum lore_status status = read_batch(b, err);

    if (status == LORE_OK)
        status = store(b, err);
    return status == LORE_OK ? sign(b, err) : status;
}

static void
leave(struct batch *b)
{
    lore_agents_limits_leave(lore_agents_limits(b->req->app->agents), b->req->agent->id);
    lore_buf_free(&b->plain);
}

enum lore_status
lore_api_batch(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    enum lore_status status =
        lore_agents_limits_enter(lore_agents_limits(req->app->agents), req->agent->id, err);

    if (status != LORE_OK)
        return status;
    __attribute__((cleanup(leave))) struct batch b = {.req = req};
    status = take(&b, err);
    if (status == LORE_OK)
        tally(&b);
    if (status == LORE_OK)
        status = answer(&b, resp, err);
    else if (status == LORE_INVALID || status == LORE_TOOBIG || status == LORE_CONFLICT)
        lore_agents_limits_refused(lore_agents_limits(req->app->agents), req->agent->id, err->code);
    return status;
}
