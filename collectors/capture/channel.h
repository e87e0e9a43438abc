/* The writing end of a capture file, for capture libraries inside the watched program. It never
 * calls malloc, prints or exits, and blocks only in write(2) to a local file. Failures are counted
 * and never reach the program. It is thread-safe; its lock is never held during a vendor's call.
 * After fork() the child writes nothing. */
#ifndef LORE_CAPTURE_CHANNEL_H
#define LORE_CAPTURE_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "collectors/capture/capture.h"

struct lore_channel;
/* Open `PID-NS.capture` in DIR and write START. NULL on failure: then watch nothing. */
struct lore_channel *lore_channel_open(const char *dir, const struct lore_cap_start *start);
/* The same for this process and moment: fills in version, pid, wall clock and, where it is 0, the
 * vendor's. */
struct lore_channel *lore_channel_begin(const char *dir, struct lore_cap_start *start);
/* The id of TEXT, written once per process; 0 when there was no memory. */
uint32_t lore_channel_name(struct lore_channel *c, const char *text);
void lore_channel_device(struct lore_channel *c, const struct lore_cap_device *d);
/* The id of shape S, whose own id is ignored; a new shape is written. 0 when there was no memory.
 */
uint32_t lore_channel_shape(struct lore_channel *c, const struct lore_cap_shape *s);
void lore_channel_launch(struct lore_channel *c, const struct lore_cap_launch *l);
/* The same of a launch by CALL, whose range a tie says. */
void
lore_channel_named_launch(struct lore_channel *c, const struct lore_cap_launch *l, uint32_t call);
void lore_channel_tie(struct lore_channel *c, const struct lore_cap_tie *t);
/* Add to a total: WHICH of LORE_CAP_COPY_… or LORE_CAP_FILL. */
void lore_channel_total(struct lore_channel *c, int which, uint64_t bytes, uint64_t ns);
void lore_channel_lost(struct lore_channel *c, const struct lore_cap_loss *add);
void lore_channel_state(struct lore_channel *c, enum lore_cap_state_code code, const char *text,
    uint64_t a, uint64_t b);
void lore_channel_metric(struct lore_channel *c, const struct lore_cap_metric *m);
/* Write what is buffered, with totals and loss. */
void lore_channel_flush(struct lore_channel *c);
/* Flush and write END. The channel ignores all later calls. */
void lore_channel_end(struct lore_channel *c);

#endif
