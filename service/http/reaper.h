/* The reaper enforces absolute deadlines on connections. The HTTP library only limits single reads
 * and writes, so a client that sends a byte now and then could keep a thread for ever; the reaper
 * shuts its socket down ("cuts" it). Every open connection holds a thread. When threads run short,
 * the reaper also cuts connections that have sent no request, so that silent clients do not keep
 * others out. */
#ifndef LORE_HTTP_REAPER_H
#define LORE_HTTP_REAPER_H

#include <stdbool.h>
#include <stdint.h>

/* The state of a connection after its first request arrived. It decides whether a deadline cuts
 * reading or both directions. */
enum lore_phase {
    LORE_PHASE_READING =
        1,                /* a request: only reading is cut, so that an answer can still be sent */
    LORE_PHASE_WRITING,   /* an answer: both directions are cut */
    LORE_PHASE_LINGERING, /* the rest of a refused body: both are cut, early when threads run short
                           */
    LORE_PHASE_IDLE       /* between two requests: only the library's timeouts apply */
};

struct lore_reaper;
/* Start the reaper's thread, for a server with THREADS threads. It calls ON_CUT(CTX, phase) for
 * every connection that it cuts; phase 0: the connection had sent no request. NULL: no thread could
 * start. */
struct lore_reaper *
lore_reaper_start(int threads, void (*on_cut)(void *ctx, enum lore_phase phase), void *ctx);
void lore_reaper_stop(struct lore_reaper *r);
/* The port that the server listens on. Without it no connection is cut before its first request. */
void lore_reaper_set_port(struct lore_reaper *r, int port);
/* Count a connection that takes a thread, and one that frees its thread. */
void lore_reaper_take_thread(struct lore_reaper *r);
void lore_reaper_free_thread(struct lore_reaper *r);
/* Are more than three quarters of the threads taken? */
bool lore_reaper_is_crowded(struct lore_reaper *r);
/* Watch the connection with the peer ADDR:PORT until lore_reaper_disarm. It starts in the phase
 * READING, with MS milliseconds to go. The caller keeps the connection open until it disarms.
 * Returns a slot; -1 when all slots are in use, and the connection is not watched. */
int lore_reaper_arm(struct lore_reaper *r, const char *addr, int port, int ms);
/* Enter PHASE, with MS milliseconds to go. SLOT may be -1. */
void lore_reaper_rearm(struct lore_reaper *r, int slot, int ms, enum lore_phase phase);
void lore_reaper_disarm(struct lore_reaper *r, int slot);
/* Cut every connection that waits for no answer, now: for the end of the service. */
void lore_reaper_cut_idle(struct lore_reaper *r);

#endif
