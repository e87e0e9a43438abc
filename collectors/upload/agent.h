/* Who this host is to the service, what the service said it has, and the loop that delivers. All of
 * it lives in the state directory (upload.h). */
#ifndef LORE_UPLOAD_AGENT_H
#define LORE_UPLOAD_AGENT_H

#include "collectors/upload/upload.h"
#include "service/base/json.h"
#include "service/wire/signing.h"

struct lore_upload_identity {
    char id[LORE_ULID_SIZE];
    const char *label, *url; /* url: of the service that knows the key */
    unsigned char public_key[LORE_PUBLIC_KEY], secret_key[LORE_SECRET_KEY];
    unsigned char service_key[LORE_PUBLIC_KEY]; /* signs receipts */
};
/* Read STATE/agent.json and STATE/agent.key; texts in ARENA. LORE_NOTFOUND code not_enrolled;
 * LORE_FORBIDDEN when others may read the key. */
enum lore_status lore_identity_load(const char *state, struct lore_arena *arena,
    struct lore_upload_identity *out, struct lore_err *err) LORE_MUST;

struct lore_enrol {
    const char *url, *code, *label;
    bool again;               /* put the present identity and its receipts aside first */
    lore_http_transport send; /* NULL: libcurl */
    void *send_ctx;
};
/* Make a key pair, have the service take it for CODE, keep both. LORE_CONFLICT when the host is
 * enrolled and AGAIN is not set; LORE_FORBIDDEN for a code that the service does not take. */
enum lore_status lore_identity_enrol(const char *state, const struct lore_enrol *how,
    struct lore_arena *arena, struct lore_upload_identity *out, struct lore_err *err) LORE_MUST;

/* ---- receipts: STATE/receipts.jsonl, one a line, as the service's API has them ---- */
struct lore_upload_receipt {
    char agent[LORE_ULID_SIZE], batch[LORE_ULID_SIZE];
    uint64_t number;
    unsigned char previous[32], hash[32], signature[LORE_SIGNATURE];
    struct lore_receipt_line *lines;
    size_t n;
};
/* Read one from its JSON members; RECORDS holds its lines. In ARENA. */
enum lore_status lore_receipt_read(const struct lore_json *receipt, const struct lore_json *records,
    struct lore_arena *arena, struct lore_upload_receipt *out, struct lore_err *err) LORE_MUST;
/* Is it this agent's, does its hash cover what it says, and is it signed by the service?
 * LORE_CORRUPT code bad_receipt. */
enum lore_status lore_receipt_check(const struct lore_upload_receipt *r,
    const struct lore_upload_identity *who, struct lore_err *err) LORE_MUST;
/* LORE_CORRUPT "receipt: PATH: WHAT". */
enum lore_status
lore_receipt_bad(const char *path, const char *what, struct lore_err *err) LORE_MUST;
bool lore_receipt_hex(const char *text, unsigned char *out, size_t n); /* of 2 N digits */
/* As the line that lore_receipt_read takes. */
enum lore_status lore_receipt_write(
    const struct lore_upload_receipt *r, struct lore_buf *out, struct lore_err *err) LORE_MUST;
/* The last one kept; number 0 and a hash of zeros when there is none. A file whose end cannot be
 * read is put aside: the service has them all. */
enum lore_status lore_receipts_last(
    const char *state, struct lore_upload_receipt *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_receipts_append(
    const char *state, const struct lore_upload_receipt *r, struct lore_err *err) LORE_MUST;
/* Walk the whole chain from number 1, or from where it was shortened: what was left out counts as
 * it was counted then. LORE_CORRUPT naming the line; LORE_NOTFOUND: none kept. */
enum lore_status lore_receipts_verify(const char *state, const struct lore_upload_identity *who,
    uint64_t *receipts, uint64_t *records, struct lore_err *err) LORE_MUST;

/* When the file is larger than FULL and all of it holds, leave out what is older than its last KEEP
 * bytes. */
enum lore_status lore_receipts_shorten(const char *state, const struct lore_upload_identity *who,
    size_t full, size_t keep, struct lore_err *err) LORE_MUST;

/* ---- the loop ---- */
/* Drain until *options->stop: with INTERVAL_S between looks at an empty outbox, longer after
 * failures. WAKE_FD (-1: none) ends a wait when it can be read. SAY gets one line per change. */
void lore_upload_loop(struct lore_outbox *o, const struct lore_upload_options *options,
    int interval_s, int wake_fd, void (*say)(const char *line));
/* How long to wait after FAILURES in a row, in milliseconds: any time up to a bound that doubles
 * from 1 s to 5 min, at least WAIT_S; an hour with ALARM. */
int64_t lore_upload_wait_ms(unsigned failures, int64_t wait_s, bool alarm);

#endif
