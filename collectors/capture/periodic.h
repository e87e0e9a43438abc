/* The thread of a capture library that regularly collects what its vendor has finished. Without it,
 * a program that ends by _exit, like Python's worker processes, would leave nothing. */
#ifndef LORE_CAPTURE_PERIODIC_H
#define LORE_CAPTURE_PERIODIC_H

#include <stdbool.h>

/* Start the thread: it calls COLLECT every 20 ms, and less often, down to every 160 ms, while
 * COLLECT returns false: nothing came. All signals are blocked in it. Without memory for a thread
 * nothing is called. */
void lore_periodic_start(bool (*collect)(void));
/* End the thread and wait for it, at most 5 s: it may be stuck in the vendor's library. */
void lore_periodic_stop(void);

#endif
