/* Absolute deadlines for connections. The HTTP library times out single reads and writes only, so a
 * client that sends a byte now and then keeps a thread for ever; the reaper cuts its socket. And
 * every open connection holds a thread: when threads run short, those that have asked nothing yet
 * are cut early, so that silent clients cannot keep others out. */
#ifndef LORE_HTTP_REAPER_H
#define LORE_HTTP_REAPER_H

#include <stdbool.h>
#include <stdint.h>

/* What a connection that has asked something is doing; says what its deadline cuts. */
enum lore_phase {
    LORE_READS = 1, /* only reading stops, so that an answer can still be sent */
    LORE_WRITES,    /* cut whole */
    LORE_LINGERS,   /* answered already: cut whole, and early when threads run short */
    LORE_RESTS      /* between two requests: the library's own timeouts hold */
};

struct lore_reaper;
/* ON_CUT is called (with CTX) for every connection that was cut; PHASE 0: it had asked nothing. */
struct lore_reaper *
lore_reaper_start(int threads, void (*on_cut)(void *ctx, enum lore_phase phase), void *ctx);
void lore_reaper_stop(struct lore_reaper *r);
/* Connections to this port of ours are the ones that may be cut early. */
void lore_reaper_listens(struct lore_reaper *r, int port);
/* A connection takes a thread, and gives it back. */
void lore_reaper_hold(struct lore_reaper *r);
void lore_reaper_release(struct lore_reaper *r);
/* Are more than three quarters of the threads held? */
bool lore_reaper_is_crowded(struct lore_reaper *r);
/* Watch the connection whose other end is ADDR:PORT until lore_reaper_disarm: it reads, for at most
 * MS milliseconds. The caller keeps that connection open meanwhile. Returns the slot, or -1 when
 * all are in use (then nothing is watched). */
int lore_reaper_arm(struct lore_reaper *r, const char *addr, int port, int ms);
/* From now on it is in PHASE, for at most MS. */
void lore_reaper_rearm(struct lore_reaper *r, int slot, int ms, enum lore_phase phase);
void lore_reaper_disarm(struct lore_reaper *r, int slot);
/* Cut every connection that is owed nothing, now. */
void lore_reaper_clear(struct lore_reaper *r);

#endif
