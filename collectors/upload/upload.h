/* The way of a document from this host to the service. A document is put into the outbox (signed if
 * this host is enrolled, and on disk when lore_outbox_add returns), and leaves it when the service
 * has answered with a receipt that holds. `warplore run` does both: it adds, then drains for a
 * second or two; what is left is the next run's or the agent's to deliver.
 *
 * STATE is one directory: agent.json and agent.key (who this host is; agent.h), spool/ (what
 * waits), receipts.jsonl (what the service has). */
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
/* Add one submission document (its exact bytes are what is stored). LORE_OK: it is on disk. *seq
 * may be NULL. LORE_TOOBIG code spool_full: nothing was added and nothing dropped; tell the user.
 */
enum lore_status lore_outbox_add(struct lore_outbox *o, const void *document, size_t n,
    uint64_t *seq, struct lore_err *err) LORE_MUST;

struct lore_upload_options {
    const char *url;   /* of the service; an enrolled host sends where it is enrolled */
    const char *token; /* for documents that are not signed; NULL: they wait */
    int64_t limit_ms;  /* start no request after this, and let none last longer; 0: no limit */
    lore_http_transport send; /* NULL: libcurl */
    void *send_ctx;
    const volatile sig_atomic_t *stop; /* may be NULL; when set, a request has 5 s to end */
};
struct lore_upload_result {
    uint64_t stored, duplicates, refused; /* by this call */
    bool empty;                           /* nothing waits any more */
    int64_t wait_s;    /* after a failure: how long the service asked to be left alone; 0: unsaid */
    bool alarm;        /* the service refused our credentials: a person must look */
    char refusal[240]; /* why the last refused record was refused; "" for none */
};
/* Send what waits, in order, until nothing does, the limit is reached or a try fails; then whatever
 * was not acknowledged still waits. *out is written in every case. LORE_BUSY: another process is
 * draining, which is as good; LORE_IO, LORE_UNAUTHENTICATED …: why the service does not have it. */
enum lore_status lore_upload_drain(struct lore_outbox *o, const struct lore_upload_options *options,
    struct lore_upload_result *out, struct lore_err *err) LORE_MUST;

#endif
