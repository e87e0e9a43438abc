/* What each thread's launches compute, from the ranges that the program pushes and pops (NVTX,
 * roctx). Only texts of the two forms that collectors/run/range_text.h reads count; others, like
 * "forward", belong to the range around them. A range that names Warplore wins over PyTorch's
 * inside it, because somebody wrote it on purpose. */
#ifndef LORE_CAPTURE_RANGES_H
#define LORE_CAPTURE_RANGES_H

#include "collectors/capture/channel.h"

/* Texts go to C from now on; those of ranges that opened earlier have waited. TELL, which may be
 * NULL, hears of each change of what counts for its thread: the ids of the texts before and after.
 * In a forked child nothing is told. */
void lore_ranges_start(struct lore_channel *c, void (*tell)(uint32_t before, uint32_t now));
/* The calling thread enters the range TEXT, which may be NULL, in DOMAIN (0: the only one, or the
 * default), or leaves the last one of DOMAIN. The result is the range's level in its domain, from
 * 0; -1: none was open. */
int lore_ranges_push(uintptr_t domain, const char *text);
int lore_ranges_pop(uintptr_t domain);
/* The id of the text, in the channel, that says what the thread's launches compute; 0: none does.
 * *hash (may be NULL): of the text, the same in every execution. */
uint32_t lore_ranges_current(uint64_t *hash);

/* Write to OUT what remains of TEXT when all is left out that differs between two calls of one
 * operator with equal shapes: PyTorch's sequence number and ids. The length; 0: TEXT says of no
 * operator, or is too long. */
enum { LORE_RANGE_MAX = 1024 };
size_t lore_ranges_text(const char *text, char out[LORE_RANGE_MAX]);

#endif
