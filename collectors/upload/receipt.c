/* Reads, checks and writes one receipt. The hash covers the acknowledged records, and the service's
 * signature covers the hash. */
#include <string.h>

#include "collectors/upload/agent.h"
#include "service/base/hash.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

enum lore_status
lore_receipt_bad(const char *path, const char *what, struct lore_err *err)
{
    return lore_fail_at(err, LORE_CORRUPT, "bad_receipt", path, "receipt: %s: %s", path, what);
}

bool
lore_receipt_hex(const char *text, unsigned char *out, size_t n)
{
    static const char digits[] = "0123456789abcdef";

    if (!text || strlen(text) != 2 * n)
        return false;
    for (size_t i = 0; i < 2 * n; i++) {
        const char *d = strchr(digits, text[i]);
        if (!d)
            return false;
        out[i / 2] = (unsigned char)(i % 2 ? out[i / 2] | (d - digits) : (d - digits) << 4);
    }
    return true;
}

static const char *
text_of(const struct lore_json *object, const char *key)
{
    const char *text = NULL;

    return lore_json_text(object, key, &text, NULL) == LORE_OK ? text : NULL;
}

static bool
id_of(const struct lore_json *object, const char *key, char out[LORE_ULID_SIZE])
{
    const char *text = text_of(object, key);

    if (!text || !lore_ulid_valid(text))
        return false;
    memcpy(out, text, LORE_ULID_SIZE);
    return true;
}

static bool
number_of(const struct lore_json *object, const char *key, uint64_t *out)
{
    int64_t n = 0;

    if (lore_json_i64(object, key, &n, NULL) != LORE_OK || n < 1)
        return false;
    *out = (uint64_t)n;
    return true;
}

static bool
read_line(const struct lore_json *row, struct lore_receipt_line *out)
{
    const char *state = text_of(row, "state");

    out->state = lore_streq(state, "stored")      ? 's'
                 : lore_streq(state, "duplicate") ? 'd'
                 : lore_streq(state, "refused")   ? 'r'
                                                  : '\0';
    return out->state && number_of(row, "seq", &out->seq) &&
           lore_receipt_hex(text_of(row, "hash"), out->hash, sizeof out->hash);
}

enum lore_status
lore_receipt_read(const struct lore_json *receipt, const struct lore_json *records,
    struct lore_arena *arena, struct lore_upload_receipt *out, struct lore_err *err)
{
    struct lore_upload_receipt r = {0};

    if (!id_of(receipt, "agent", r.agent))
        return lore_receipt_bad("agent", "expected a ULID", err);
    if (!id_of(receipt, "batch", r.batch))
        return lore_receipt_bad("batch", "expected a ULID", err);
    if (!number_of(receipt, "number", &r.number))
        return lore_receipt_bad("number", "expected a whole number from 1", err);
    if (!lore_receipt_hex(text_of(receipt, "previous"), r.previous, sizeof r.previous))
        return lore_receipt_bad("previous", "expected 64 hexadecimal digits", err);
    if (!lore_receipt_hex(text_of(receipt, "hash"), r.hash, sizeof r.hash))
        return lore_receipt_bad("hash", "expected 64 hexadecimal digits", err);
    if (!lore_signing_bytes(text_of(receipt, "signature"), r.signature, sizeof r.signature))
        return lore_receipt_bad("signature", "expected 64 bytes as base64", err);
    if (!records || records->type != LORE_J_ARRAY || records->len > LORE_BATCH_RECORDS)
        return lore_receipt_bad("records", "expected a list of at most 256", err);
    r.lines = lore_alloc_array(arena, records->len + 1u, sizeof *r.lines);
    for (const struct lore_json *row = records->child; row; row = row->next) {
        if (!read_line(row, &r.lines[r.n++]))
            return lore_receipt_bad("records", "a row without seq, hash or state", err);
    }
    *out = r;
    return LORE_OK;
}

enum lore_status
lore_receipt_check(const struct lore_upload_receipt *r, const struct lore_upload_identity *who,
    struct lore_err *err)
{
    unsigned char hash[32];

    if (strcmp(r->agent, who->id) != 0)
        return lore_receipt_bad("agent", "it belongs to another agent", err);
    lore_receipt_hash(&(struct lore_receipt_head){r->previous, r->agent, r->batch, r->number},
        r->lines, r->n, hash);
    if (memcmp(hash, r->hash, sizeof hash) != 0)
        return lore_receipt_bad("hash", "it does not match the receipt's content", err);
    if (!lore_signing_receipt_ok(who->service_key, r->hash, r->signature))
        return lore_receipt_bad(
            "signature", "it is not by the service at which this host is enrolled", err);
    return LORE_OK;
}

static const char *
state_word(char state)
{
    return state == 's' ? "stored" : state == 'd' ? "duplicate" : "refused";
}

enum lore_status
lore_receipt_write(const struct lore_upload_receipt *r, struct lore_buf *out, struct lore_err *err)
{
    char hex[LORE_HASH_HEX], signature[LORE_SIGNATURE_TEXT];
    struct lore_jsonw w;

    lore_jsonw_begin(&w, out, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "agent", r->agent);
    lore_w_kstr(&w, "batch", r->batch);
    lore_w_ki64(&w, "number", (int64_t)r->number);
    lore_hex(r->previous, sizeof r->previous, hex);
    lore_w_kstr(&w, "previous", hex);
    lore_hex(r->hash, sizeof r->hash, hex);
    lore_w_kstr(&w, "hash", hex);
    lore_signing_text(r->signature, sizeof r->signature, signature);
    lore_w_kstr(&w, "signature", signature);
    lore_w_key(&w, "records");
    lore_w_arr(&w);
    for (size_t i = 0; i < r->n; i++) {
        lore_w_obj(&w);
        lore_w_ki64(&w, "seq", (int64_t)r->lines[i].seq);
        lore_w_kstr(&w, "state", state_word(r->lines[i].state));
        lore_hex(r->lines[i].hash, sizeof r->lines[i].hash, hex);
        lore_w_kstr(&w, "hash", hex);
        lore_w_obj_end(&w);
    }
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    enum lore_status status = lore_jsonw_end(&w, err);
    lore_buf_putc(out, '\n');
    return status;
}
