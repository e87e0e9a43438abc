/* What waits in the spool, and what one drain carries along; for the files of this folder only.
 *
 * A payload of the spool is one line of JSON, {"agent":"ULID","signature":"BASE64"} or {} when it
 * is not signed, then the document's exact bytes. */
#ifndef LORE_UPLOAD_OUTBOX_H
#define LORE_UPLOAD_OUTBOX_H

#include "collectors/upload/agent.h"

struct lore_outbox {
    char state[480];
    struct lore_spool *spool;
    struct lore_arena arena; /* the identity's texts */
    struct lore_upload_identity who;
    bool enrolled;
    int64_t offset_s; /* what the service's clock is ahead of ours */
};
/* Take in what `enroll` did since. LORE_OK for a host that is not enrolled. */
enum lore_status lore_outbox_identify(struct lore_outbox *o, struct lore_err *err) LORE_MUST;

struct lore_envelope {
    uint64_t seq;
    bool is_signed; /* by the present identity */
    unsigned char signature[LORE_SIGNATURE];
    const char *document; /* borrowed from the item */
    size_t n;
};
/* False: not what lore_outbox_add made. */
bool lore_envelope_read(const struct lore_outbox *o, const struct lore_spool_item *item,
    struct lore_arena *arena, struct lore_envelope *out);

struct lore_sender {
    struct lore_outbox *o;
    const struct lore_upload_options *options;
    struct lore_upload_result *result;
    lore_http_transport send;
    void *send_ctx;
    struct lore_arena arena; /* of one batch */
    int64_t end_us;          /* on the monotonic clock; 0: none */
    size_t max_records;
};
/* answer.c: one exchange, and what an answer that is no success means. */
enum lore_action {
    LORE_SENT,     /* the answer says what became of it */
    LORE_KEEP,     /* later */
    LORE_ALARM,    /* later, and a person must look */
    LORE_REFUSED,  /* never, as it is */
    LORE_TOO_LONG, /* less at once */
};
enum lore_status lore_sender_call(const struct lore_sender *s, struct lore_http_call *call,
    struct lore_http_reply *reply, struct lore_err *err) LORE_MUST;
enum lore_action lore_answer_action(long status);
/* The problem in REPLY as an error; *code is its code or "". */
enum lore_status lore_answer_fail(struct lore_sender *s, const struct lore_http_reply *reply,
    const char **code, struct lore_err *err);
bool lore_sender_over(const struct lore_sender *s); /* stopped, or at the limit */
/* ITEM will never be taken: aside with WHY. */
enum lore_status lore_sender_dead(
    struct lore_sender *s, uint64_t seq, const char *why, struct lore_err *err) LORE_MUST;

/* batch.c and single.c: send ITEMS, the front of what waits. LORE_OK also when less was sent. */
enum lore_status lore_batch_send(struct lore_sender *s, const struct lore_spool_item *items,
    size_t n, struct lore_err *err) LORE_MUST;
enum lore_status lore_single_send(struct lore_sender *s, const struct lore_spool_item *items,
    size_t n, struct lore_err *err) LORE_MUST;
/* signed.c: headers of a signed request; BODY NULL: none. */
#define LORE_SIGNED_HEADERS 5
void lore_signed_headers(struct lore_sender *s, const char *batch, const char *method,
    const char *path, const struct lore_buf *body, const char *headers[LORE_SIGNED_HEADERS]);
/* chain.c: keep R, fetching what is missing before it. */
enum lore_status lore_chain_extend(
    struct lore_sender *s, const struct lore_upload_receipt *r, struct lore_err *err) LORE_MUST;

#endif
