/* Delivers documents from this host to the service. lore_outbox_add signs a document if this host
 * is enrolled, and the document is on disk when the call returns. It leaves the outbox when the
 * service has acknowledged it. `warplore run` adds and then drains for a second or two; the next
 * run or the agent delivers the rest.
 *
 * STATE is one directory: agent.json and agent.key (the host's identity; agent.h), spool/ (waiting
 * documents), receipts.jsonl (the service's receipts). */
#ifndef LORE_UPLOAD_UPLOAD_H
#define LORE_UPLOAD_UPLOAD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "collectors/spool/spool.h"
#include "collectors/upload/http.h"
#include "service/base/arena.h"

/* WARPLORE_STATE, else $XDG_STATE_HOME/warplore, else ~/.local/state/warplore, else
 * /var/lib/warplore-agent. In ARENA. */
const char *lore_outbox_dir(struct lore_arena *arena);

struct lore_outbox;
/* Open or create the outbox in STATE. LIMITS may be NULL for the defaults. A host that is not
 * enrolled has one too: its documents wait unsigned. */
enum lore_status lore_outbox_open(const char *state, const struct lore_spool_limits *limits,
    struct lore_outbox **out, struct lore_err *err) LORE_MUST;
void lore_outbox_close(struct lore_outbox *o);               /* NULL is fine */
struct lore_spool *lore_outbox_spool(struct lore_outbox *o); /* borrowed */
/* Add one submission document; its exact bytes are stored. LORE_OK: it is on disk. *seq may be
 * NULL. LORE_TOOBIG code spool_full: nothing was added and nothing dropped; tell the user. */
enum lore_status lore_outbox_add(struct lore_outbox *o, const void *document, size_t n,
    uint64_t *seq, struct lore_err *err) LORE_MUST;

struct lore_upload_options {
    const char *url;     /* the service, for a host that is not enrolled */
    int keep_days;       /* with `compare`: how long delivered documents stay here */
    bool compare;        /* also ask whether the service still has what it acknowledged */
    const char *token;   /* bearer token of a host that is not enrolled; NULL: its documents wait */
    const char *project; /* that a token of several projects acts in; NULL: its first one */
    int64_t limit_ms;    /* after this time no request starts or continues; 0: no limit */
    lore_http_transport send; /* NULL: libcurl */
    void *send_ctx;
    const volatile sig_atomic_t *stop; /* may be NULL; when set, a request has 5 s to end */
};
struct lore_upload_result {
    uint64_t stored, duplicates, refused; /* by this call */
    uint64_t again;    /* delivered before, wait again because the service lost them */
    bool empty;        /* the outbox is empty */
    int64_t wait_s;    /* after a failure: the service's Retry-After; 0: none */
    bool alarm;        /* retrying will not help: a person must look */
    char refusal[240]; /* why the last refused record was refused; "" for none */
};
/* Send waiting documents in order until none is left, the limit is reached or a request fails.
 * Documents that were not acknowledged stay in the spool. *out is always written. LORE_BUSY:
 * another process is draining and will deliver them. Other errors give the reason for the failure.
 */
enum lore_status lore_upload_drain(struct lore_outbox *o, const struct lore_upload_options *options,
    struct lore_upload_result *out, struct lore_err *err) LORE_MUST;

#endif
