/* The operator that each thread works on, from the ranges that the program pushes and pops (NVTX,
 * roctx). Only texts of the two forms that collectors/run/range_text.h reads count; others, like
 * "forward", belong to the range around them. A range that names Warplore wins over PyTorch's
 * inside it, because somebody wrote it on purpose. */
#ifndef LORE_CAPTURE_RANGES_H
#define LORE_CAPTURE_RANGES_H

#include "collectors/capture/channel.h"

/* The calling thread enters the range TEXT, which may be NULL, or leaves the last one. */
void lore_ranges_push(struct lore_channel *c, const char *text);
void lore_ranges_pop(void);
/* The id of the text, in the channel, that says what the thread's launches compute; 0: none does.
 */
uint32_t lore_ranges_current(void);

/* Write to OUT what remains of TEXT when all is left out that differs between two calls of one
 * operator with equal shapes: PyTorch's sequence number and ids. The length; 0: TEXT says of no
 * operator, or is too long. */
enum { LORE_RANGE_MAX = 1024 };
size_t lore_ranges_text(const char *text, char out[LORE_RANGE_MAX]);

#endif
