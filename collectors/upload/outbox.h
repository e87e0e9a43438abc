/* The outbox and the state of one drain; private to this folder.
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
    int64_t offset_s; /* the service's clock minus ours, in seconds */
    int64_t asked_us; /* when the service was last asked for its receipts; 0: not yet */
};
/* Load the identity again, because `enroll` may have changed it. LORE_OK also for a host that is
 * not enrolled. */
enum lore_status lore_outbox_reload_identity(struct lore_outbox *o, struct lore_err *err) LORE_MUST;

struct lore_envelope {
    uint64_t seq;
    bool is_signed; /* by the present identity */
    unsigned char signature[LORE_SIGNATURE];
    const char *document; /* borrowed from the item */
    size_t n;
};
/* Split the payload of ITEM. False: lore_outbox_add did not make it. */
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
/* answer.c: one request, and the action for each HTTP status. */
enum lore_action {
    LORE_SENT,        /* success: read the outcome from the answer */
    LORE_RETRY,       /* later */
    LORE_RETRY_ALARM, /* later, and a person must look */
    LORE_REFUSED,     /* rejected for good */
    LORE_TOO_LONG,    /* send fewer records at once */
};
enum lore_status lore_sender_call(const struct lore_sender *s, struct lore_http_call *call,
    struct lore_http_reply *reply, struct lore_err *err) LORE_MUST;
enum lore_action lore_answer_action(long status);
/* Turn the problem in REPLY into an error; *code is its code or "". */
enum lore_status lore_answer_fail(struct lore_sender *s, const struct lore_http_reply *reply,
    const char **code, struct lore_err *err);
bool lore_sender_finished(const struct lore_sender *s); /* stopped, or at the limit */
/* Set record SEQ aside with reason WHY: the service will never accept it. */
enum lore_status lore_sender_set_aside(
    struct lore_sender *s, uint64_t seq, const char *why, struct lore_err *err) LORE_MUST;

/* batch.c and single.c: send ITEMS, the oldest waiting records. LORE_OK also when only some were
 * sent. */
enum lore_status lore_batch_send(struct lore_sender *s, const struct lore_spool_item *items,
    size_t n, struct lore_err *err) LORE_MUST;
enum lore_status lore_single_send(struct lore_sender *s, const struct lore_spool_item *items,
    size_t n, struct lore_err *err) LORE_MUST;
/* signed.c: headers of a signed request; BODY NULL: none. */
#define LORE_SIGNED_HEADERS 5
void lore_signed_headers(struct lore_sender *s, const char *batch, const char *method,
    const char *path, const struct lore_buf *body, const char *headers[LORE_SIGNED_HEADERS]);
/* chain.c: append R to the stored chain, after fetching the receipts missing before it. */
enum lore_status lore_chain_extend(
    struct lore_sender *s, const struct lore_upload_receipt *r, struct lore_err *err) LORE_MUST;
/* chain.c: when nothing waits, ask the service from time to time whether it still has the last
 * receipt. If it has an older chain, go back to its end. LORE_OK also when it cannot be reached. */
enum lore_status lore_chain_compare(struct lore_sender *s, struct lore_err *err) LORE_MUST;
/* chain_rewind.c: shorten the stored chain to receipt TO, which the service has, too, and let the
 * records of the later ones wait again. LORE_CORRUPT code chain_broken: another receipt is stored.
 */
struct lore_rewind_point {
    uint64_t number; /* 0: none */
    unsigned char hash[32];
};
enum lore_status lore_chain_rewind(
    struct lore_sender *s, const struct lore_rewind_point *to, struct lore_err *err) LORE_MUST;

#endif
