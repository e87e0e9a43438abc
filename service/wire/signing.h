/* Signed batches: what an agent sends and a service checks. Keys are Ed25519 (libsodium).
 *
 * A record's signature, made when it is spooled and stored for ever, covers
 *     "warplore-record-v1\0" | agent id (26 bytes) | seq (8 bytes, little endian) | BLAKE2b-256 of
 *     the document's exact bytes.
 * A request's signature covers
 *     "warplore-batch-v1\0" | agent id | "\n" | batch id (ULID) | "\n" | created (decimal seconds)
 *     | "\n" | method | " " | path | "\n" | hex BLAKE2b-256 of the body as sent
 * and travels in headers: Warplore-Agent, Warplore-Batch, Warplore-Created, Warplore-Digest (hex),
 * Warplore-Signature (base64). So the sender is known before the body is read, and a body with
 * another digest is refused. A batch id is used once; a retry has a new id.
 *
 * A batch's body (may be zstd: Content-Encoding) is a list of parts, each one line of JSON
 *     {"seq":17,"bytes":1234,"signature":"BASE64"}\n
 * followed by exactly BYTES bytes of document and "\n". */
#ifndef LORE_WIRE_SIGNING_H
#define LORE_WIRE_SIGNING_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"
#include "service/base/buf.h"
#include "service/base/ulid.h"

enum {
    LORE_PUBLIC_KEY = 32,
    LORE_SECRET_KEY = 64,
    LORE_SIGNATURE = 64,
    LORE_SIGNATURE_TEXT = 89, /* base64 with the NUL */
    LORE_PUBLIC_KEY_TEXT = 45,
    LORE_BATCH_RECORDS = 256,
    LORE_BATCH_SKEW_S = 300, /* how far `created` may be from the service's clock */
};
#define LORE_BATCH_BYTES (16u << 20) /* unpacked */
#define LORE_BATCH_MEDIA "application/vnd.warplore.batch"

void lore_signing_keys(
    unsigned char public_key[LORE_PUBLIC_KEY], unsigned char secret_key[LORE_SECRET_KEY]);
void
lore_signing_text(const unsigned char *p, size_t n, char *out); /* base64; out: 4*((n+2)/3)+1 */
/* False: not base64 of exactly N bytes. */
bool lore_signing_bytes(const char *text, unsigned char *out, size_t n);

void lore_signing_record(const unsigned char secret_key[LORE_SECRET_KEY], const char *agent,
    uint64_t seq, const void *document, size_t n, unsigned char out[LORE_SIGNATURE]);
bool lore_signing_record_ok(const unsigned char public_key[LORE_PUBLIC_KEY], const char *agent,
    uint64_t seq, const void *document, size_t n, const unsigned char signature[LORE_SIGNATURE]);
/* The same check from the document's BLAKE2b-256, for stored documents, which are compressed. */
bool lore_signing_hash_ok(const unsigned char public_key[LORE_PUBLIC_KEY], const char *agent,
    uint64_t seq, const unsigned char hash[32], const unsigned char signature[LORE_SIGNATURE]);

struct lore_sign_request {
    const char *agent, *batch; /* ULIDs */
    int64_t created;           /* seconds since 1970 */
    const char *method, *path, *digest /* hex */;
};
void lore_signing_batch(const unsigned char secret_key[LORE_SECRET_KEY],
    const struct lore_sign_request *r, unsigned char out[LORE_SIGNATURE]);
bool lore_signing_batch_ok(const unsigned char public_key[LORE_PUBLIC_KEY],
    const struct lore_sign_request *r, const unsigned char signature[LORE_SIGNATURE]);

struct lore_batch_part {
    uint64_t seq;
    unsigned char signature[LORE_SIGNATURE];
    const char *document; /* borrowed from the body */
    size_t n;
};
/* Append one part. */
void lore_signing_batch_add(struct lore_buf *body, const struct lore_batch_part *part);
/* BODY (unpacked) into parts in ARENA. LORE_INVALID with the path "parts[3].seq"; LORE_TOOBIG. */
enum lore_status lore_signing_batch_read(const char *body, size_t n, struct lore_arena *arena,
    struct lore_batch_part **out, size_t *n_out, struct lore_err *err) LORE_MUST;

/* A receipt: the service's signed list of records, one per accepted batch, chained per agent.
 *     hash = BLAKE2b-256 of "warplore-receipt-v1\0" | previous hash (32 zero bytes at first) |
 *            agent | batch | number (8 bytes LE) | for each record in order: seq (8 LE), document's
 *            BLAKE2b-256, state byte ('s' stored, 'd' duplicate, 'r' refused)
 * signed by the service's key over the hash. JSON: see docs/reference/api.md. */
struct lore_receipt_line {
    uint64_t seq;
    unsigned char hash[32];
    char state;
};
struct lore_receipt_head {
    const unsigned char *previous; /* hash of 32 bytes */
    const char *agent, *batch;
    uint64_t number;
};
void lore_receipt_hash(const struct lore_receipt_head *head, const struct lore_receipt_line *lines,
    size_t n, unsigned char out[32]);
void lore_signing_receipt(const unsigned char secret_key[LORE_SECRET_KEY],
    const unsigned char hash[32], unsigned char out[LORE_SIGNATURE]);
bool lore_signing_receipt_ok(const unsigned char public_key[LORE_PUBLIC_KEY],
    const unsigned char hash[32], const unsigned char signature[LORE_SIGNATURE]);

#endif
