/* What an entry holds. The body of a document is its bytes as lore_zstd_pack gave them, that of the
 * first entry the mark of the key (projection_key.c); the bodies of the other kinds are JSON
 * objects, with bytes as base64. */
#include <string.h>

#include "db/agent.h"
#include "db/auth_copy.h"
#include "db/journal_place.h"
#include "db/put.h"
#include "service/base/jsonw.h"
#include "service/ingest/projected.h"

/* A receipt has at most 256 lines of less than 400 bytes. */
#define BODY_MAX ((size_t)1 << 20)
#define BASE64_MAX 96 /* of 64 bytes, with the NUL */

void
lore_logging_begin(struct lore_logging *to, struct lore_projection *p, int64_t now_us)
{
    lore_arena_reset(&to->arena);
    to->projection = p;
    to->v = NULL;
    to->n = to->cap = 0;
    to->now_us = now_us;
}

struct lore_journal_entry *
lore_logging_add(struct lore_logging *to, const char *kind, const char *actor)
{
    struct lore_journal_entry *e = LORE_PUSH(&to->arena, to->v, to->n, to->cap);

    *e = (struct lore_journal_entry){.kind = kind,
        .actor = lore_strdup(&to->arena, actor),
        .owner = "",
        .node = "",
        .at_us = to->now_us};
    return e;
}

static void
set_body(struct lore_logging *to, struct lore_journal_entry *e, const void *body, size_t n)
{
    e->body = lore_memdup(&to->arena, body, n);
    e->len = n;
}

static void
write_bytes(struct lore_jsonw *w, const char *key, const unsigned char *p, size_t n)
{
    char text[BASE64_MAX];

    lore_signing_text(p, n, text);
    lore_w_kstr(w, key, text);
}

static enum lore_status
read_bytes(
    const struct lore_json *o, const char *key, unsigned char *out, size_t n, struct lore_err *err)
{
    const char *text = NULL;
    enum lore_status status = lore_json_text(o, key, &text, err);

    if (status == LORE_OK && (!text || !lore_signing_bytes(text, out, n)))
        status = lore_fail_at(
            err, LORE_INVALID, "invalid_value", key, "%s: expected %zu bytes as base64", key, n);
    return status;
}

/* ---- credentials ---- */

enum lore_status
lore_logging_credentials(struct lore_db *db, struct lore_logging *to, struct lore_err *err)
{
    struct lore_projection *p = to->projection;
    struct lore_credential *all = NULL;
    LORE_SCRATCH a = {0};
    size_t n = 0;
    enum lore_status status;

    if (!p)
        return LORE_OK;
    /* the version first: a later change is then seen by the next call */
    status = lore_auth_version(p->auth, &p->credentials_stored, err);
    if (status == LORE_OK && p->credentials_stored == p->credentials)
        return LORE_OK;
    if (status == LORE_OK)
        status = lore_auth_credentials(p->auth, &a, &all, &n, err);
    for (size_t i = 0; i < n && status == LORE_OK; i++) {
        const struct lore_credential *c = &all[i];
        struct lore_agent_row agent;
        unsigned char hash[LORE_HASH_BYTES];
        bool same = false;

        lore_hash(c->body, strlen(c->body), hash);
        status = lore_db_journal_knows(db, c->name, hash, &same, err);
        if (status != LORE_OK || same)
            continue;
        set_body(to, lore_logging_add(to, c->kind, LORE_ACTOR_SERVICE), c->body, strlen(c->body));
        status = lore_put_journal_known(db, c->name, hash, err);
        if (status == LORE_OK && strcmp(c->kind, "agent") == 0) {
            status = lore_credential_agent(c->body, strlen(c->body), &a, &agent, err);
            if (status == LORE_OK)
                status = lore_put_agent(db, &agent, to->now_us, err);
        }
    }
    return status;
}

/* ---- receipts ---- */

static void
write_line(struct lore_jsonw *w, const struct lore_receipt_record *x)
{
    const char state[2] = {x->line.state, '\0'};

    lore_w_obj(w);
    lore_w_ki64(w, "seq", (int64_t)x->line.seq);
    write_bytes(w, "hash", x->line.hash, sizeof x->line.hash);
    write_bytes(w, "signature", x->signature, sizeof x->signature);
    lore_w_kstr(w, "state", state);
    lore_w_kstr_opt(w, "document", x->document);
    lore_w_kstr_opt(w, "code", x->code);
    lore_w_obj_end(w);
}

enum lore_status
lore_logging_receipt(struct lore_logging *to, const struct lore_batch_receipt *r, const char *actor,
    struct lore_err *err)
{
    LORE_BUF text = {.max = BODY_MAX};
    struct lore_jsonw w;
    enum lore_status status;

    if (!to->projection)
        return LORE_OK;
    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "agent", r->agent);
    lore_w_kstr(&w, "batch", r->batch);
    lore_w_ki64(&w, "number", r->number);
    lore_w_ki64(&w, "received_us", r->received_us);
    write_bytes(&w, "previous", r->previous, sizeof r->previous);
    write_bytes(&w, "hash", r->hash, sizeof r->hash);
    write_bytes(&w, "signature", r->signature, sizeof r->signature);
    write_bytes(&w, "key", r->key, sizeof r->key);
    lore_w_key(&w, "records");
    lore_w_arr(&w);
    for (size_t i = 0; i < r->n; i++)
        write_line(&w, &r->records[i]);
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        set_body(to, lore_logging_add(to, "receipt", actor), text.data, text.len);
    return status;
}

static enum lore_status
read_line(const struct lore_json *o, struct lore_receipt_record *x, struct lore_err *err)
{
    const char *state = NULL;
    int64_t seq = 0;
    enum lore_status status = lore_json_i64(o, "seq", &seq, err);

    x->line.seq = (uint64_t)seq;
    if (status == LORE_OK)
        status = read_bytes(o, "hash", x->line.hash, sizeof x->line.hash, err);
    if (status == LORE_OK)
        status = read_bytes(o, "signature", x->signature, sizeof x->signature, err);
    if (status == LORE_OK)
        status = lore_json_text(o, "state", &state, err);
    if (status == LORE_OK)
        status = lore_json_text(o, "document", &x->document, err);
    if (status == LORE_OK)
        status = lore_json_text(o, "code", &x->code, err);
    if (status == LORE_OK && (!state || !strchr("sdr", state[0]) || strlen(state) != 1))
        status =
            lore_fail_at(err, LORE_INVALID, "invalid_value", "state", "state: expected s, d or r");
    if (status == LORE_OK)
        x->line.state = state[0];
    return status;
}

static enum lore_status
read_object(const struct lore_journal_entry *e, struct lore_arena *a, struct lore_json **root,
    struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    *root = NULL;
    if (e->len > BODY_MAX)
        return lore_fail(err, LORE_INVALID, "the entry has %zu bytes", e->len);
    status = lore_json_parse(e->body, e->len, NULL, a, root, err);
    if (status == LORE_OK && (*root)->type != LORE_J_OBJECT)
        status = lore_fail(err, LORE_INVALID, "the entry is no object");
    return status;
}

enum lore_status
lore_journal_entry_receipt(const struct lore_journal_entry *e, struct lore_arena *a,
    struct lore_batch_receipt *out, struct lore_err *err)
{
    struct lore_json *root;
    const struct lore_json *list, *m;
    struct lore_batch_receipt r = {.agent = NULL};
    enum lore_status status = read_object(e, a, &root, err);

    if (status != LORE_OK)
        return status;
    list = lore_json_get(root, "records");
    m = list && list->type == LORE_J_ARRAY ? list->child : NULL;
    if (list && list->len > LORE_BATCH_RECORDS)
        return lore_fail(err, LORE_INVALID, "the receipt has %u records", list->len);
    r.records = lore_alloc_array(a, LORE_BATCH_RECORDS, sizeof *r.records);
    if ((status = lore_json_text(root, "agent", &r.agent, err)) == LORE_OK)
        status = lore_json_text(root, "batch", &r.batch, err);
    if (status == LORE_OK)
        status = lore_json_i64(root, "number", &r.number, err);
    if (status == LORE_OK)
        status = lore_json_i64(root, "received_us", &r.received_us, err);
    if (status == LORE_OK)
        status = read_bytes(root, "previous", r.previous, sizeof r.previous, err);
    if (status == LORE_OK)
        status = read_bytes(root, "hash", r.hash, sizeof r.hash, err);
    if (status == LORE_OK)
        status = read_bytes(root, "signature", r.signature, sizeof r.signature, err);
    if (status == LORE_OK)
        status = read_bytes(root, "key", r.key, sizeof r.key, err);
    for (; m && status == LORE_OK; m = m->next)
        status = read_line(m, &r.records[r.n++], err);
    if (status == LORE_OK && (!r.agent || !r.batch))
        status = lore_fail(err, LORE_INVALID, "the receipt names no agent or batch");
    if (status == LORE_OK)
        *out = r;
    return status;
}

/* ---- events ---- */

enum lore_status
lore_logging_event(struct lore_logging *to, const struct lore_event *e, struct lore_err *err)
{
    LORE_BUF text = {.max = BODY_MAX};
    struct lore_jsonw w;
    enum lore_status status;

    if (!to->projection)
        return LORE_OK;
    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "kind", e->kind);
    lore_w_kstr(&w, "subject", e->subject);
    write_bytes(&w, "detail", e->detail, LORE_HASH_BYTES);
    lore_w_obj_end(&w);
    status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        set_body(to, lore_logging_add(to, "event", e->actor), text.data, text.len);
    return status;
}

enum lore_status
lore_journal_entry_event(const struct lore_journal_entry *e, struct lore_arena *a,
    struct lore_event *out, struct lore_err *err)
{
    unsigned char *detail = lore_alloc(a, LORE_HASH_BYTES);
    struct lore_json *root;
    enum lore_status status = read_object(e, a, &root, err);

    *out = (struct lore_event){.actor = e->actor, .detail = detail, .at_us = e->at_us};
    if (status == LORE_OK)
        status = lore_json_text(root, "kind", &out->kind, err);
    if (status == LORE_OK)
        status = lore_json_text(root, "subject", &out->subject, err);
    if (status == LORE_OK)
        status = read_bytes(root, "detail", detail, LORE_HASH_BYTES, err);
    if (status == LORE_OK && (!out->kind || !out->subject))
        status = lore_fail(err, LORE_INVALID, "the event has no kind or no subject");
    return status;
}
