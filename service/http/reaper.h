/* Absolute deadlines for connections. The HTTP library times out single reads and writes only, so a
 * client that sends a byte now and then keeps a thread for ever; the reaper cuts its socket. */
#ifndef LORE_REAPER_H
#define LORE_REAPER_H

#include <stdbool.h>
#include <stdint.h>

struct lore_reaper;
/* ON_CUT is called (with CTX) for every connection that was cut. */
struct lore_reaper *lore_reaper_start(int slots, void (*on_cut)(void *ctx), void *ctx);
void lore_reaper_stop(struct lore_reaper *r);
/* From now until lore_reaper_disarm, cut the connection whose other end is ADDR:PORT when MS
 * milliseconds have passed. The caller keeps that connection open meanwhile. Returns the slot, or
 * -1 when all are in use (then nothing is watched). */
int lore_reaper_arm(struct lore_reaper *r, const char *addr, int port, int ms);
/* The same from now again. At its end only reading stops, so that an answer can still be sent; with
 * BOTH, writing stops too. */
void lore_reaper_rearm(struct lore_reaper *r, int slot, int ms, bool both);
void lore_reaper_disarm(struct lore_reaper *r, int slot);

#endif
