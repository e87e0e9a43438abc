/* The agent: its identity, the service's receipts, and the delivery loop. Identity and receipts
 * live in the state directory (upload.h). */
#ifndef LORE_UPLOAD_AGENT_H
#define LORE_UPLOAD_AGENT_H

#include "collectors/upload/upload.h"
#include "service/base/json.h"
#include "service/wire/signing.h"

struct lore_upload_identity {
    char id[LORE_ULID_SIZE];
    const char *label, *url; /* url: of the service that enrolled the key */
    unsigned char public_key[LORE_PUBLIC_KEY], secret_key[LORE_SECRET_KEY];
    unsigned char service_key[LORE_PUBLIC_KEY]; /* signs receipts */
};
/* Read STATE/agent.json and STATE/agent.key; texts in ARENA. LORE_NOTFOUND code not_enrolled;
 * LORE_FORBIDDEN: the files belong to another user, or others can read the key or write agent.json.
 */
enum lore_status lore_identity_load(const char *state, struct lore_arena *arena,
    struct lore_upload_identity *out, struct lore_err *err) LORE_MUST;

struct lore_enrol {
    const char *url, *code, *label;
    bool again; /* replace the present identity; its files are renamed once the service accepts */
    lore_http_transport send; /* NULL: libcurl */
    void *send_ctx;
};
/* Make a key pair, enroll its public key with CODE and store the identity in STATE. LORE_CONFLICT:
 * the host is enrolled and AGAIN is not set. LORE_FORBIDDEN: the service rejects CODE. */
enum lore_status lore_identity_enrol(const char *state, const struct lore_enrol *how,
    struct lore_arena *arena, struct lore_upload_identity *out, struct lore_err *err) LORE_MUST;

/* ---- receipts: STATE/receipts.jsonl, one per line, in the JSON form of the service's API ---- */
struct lore_upload_receipt {
    char agent[LORE_ULID_SIZE], batch[LORE_ULID_SIZE];
    uint64_t number;
    unsigned char previous[32], hash[32], signature[LORE_SIGNATURE];
    struct lore_receipt_line *lines;
    size_t n;
};
/* Read a receipt from JSON; RECORDS holds its lines. The lines live in ARENA. */
enum lore_status lore_receipt_read(const struct lore_json *receipt, const struct lore_json *records,
    struct lore_arena *arena, struct lore_upload_receipt *out, struct lore_err *err) LORE_MUST;
/* Check that the receipt belongs to this agent, matches its hash and is signed by the service.
 * LORE_CORRUPT code bad_receipt. */
enum lore_status lore_receipt_check(const struct lore_upload_receipt *r,
    const struct lore_upload_identity *who, struct lore_err *err) LORE_MUST;
/* Fail with LORE_CORRUPT and the message "receipt: PATH: WHAT". */
enum lore_status
lore_receipt_bad(const char *path, const char *what, struct lore_err *err) LORE_MUST;
bool lore_receipt_hex(const char *text, unsigned char *out, size_t n); /* reads 2 N hex digits */
/* Append R to OUT as one line that lore_receipt_read can read. */
enum lore_status lore_receipt_write(
    const struct lore_upload_receipt *r, struct lore_buf *out, struct lore_err *err) LORE_MUST;
/* Read the last stored receipt; number 0 and a hash of zeros when there is none. A file with a
 * damaged end is renamed, because the service can send its receipts again. */
enum lore_status lore_receipts_last(
    const char *state, struct lore_upload_receipt *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_receipts_append(
    const char *state, const struct lore_upload_receipt *r, struct lore_err *err) LORE_MUST;
/* Check the whole chain, from number 1 or from the point where it was shortened. The counts include
 * the removed receipts. LORE_CORRUPT names the line; LORE_NOTFOUND: no receipts. */
enum lore_status lore_receipts_verify(const char *state, const struct lore_upload_identity *who,
    uint64_t *receipts, uint64_t *records, struct lore_err *err) LORE_MUST;

/* If the file is larger than FULL bytes and its chain is valid, replace the receipts before its
 * last KEEP bytes with a summary line. */
enum lore_status lore_receipts_compact(const char *state, const struct lore_upload_identity *who,
    size_t full, size_t keep, struct lore_err *err) LORE_MUST;

/* ---- the loop ---- */
/* Drain every INTERVAL_S seconds until *options->stop is set. After a failure, lore_upload_wait_ms
 * gives the wait. A readable WAKE_FD (-1: none) ends a wait. SAY gets one line per change. */
void lore_upload_loop(struct lore_outbox *o, const struct lore_upload_options *options,
    int interval_s, int wake_fd, void (*say)(const char *line));
/* Milliseconds to wait after FAILURES consecutive failures: random up to a bound that doubles from
 * 1 s to 5 min, plus WAIT_S (at most 1 h). One hour with ALARM. */
int64_t lore_upload_wait_ms(unsigned failures, int64_t wait_s, bool alarm);

#endif
