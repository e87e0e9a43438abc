/* The ranges (NVTX, roctx) in which kernels are launched, where their texts say what is computed:
 * those of the program's author ("warplore:gemm M=64,N=64,K=64") and PyTorch's ("aten::mm, …, sizes
 * = …"). The innermost range counts, and an author's before any of PyTorch's. The same text always
 * has the same id: what differs in each execution, PyTorch's sequence numbers, is left out. */
#ifndef LORE_CAPTURE_RANGES_H
#define LORE_CAPTURE_RANGES_H

#include "collectors/capture/channel.h"

/* Called on the thread for which another range counts: the ids of the texts, 0 for none. */
typedef void lore_ranges_told(uint32_t before, uint32_t now);

/* Write the texts of ranges to the channel C from now on, and call the vendor's function for each;
 * that function may be NULL. */
void lore_ranges_start(struct lore_channel *c, lore_ranges_told *told);
/* At the end, to C: how many ranges were opened, and OTHER, the name of a library that gets them
 * instead (NULL: none). Nothing is written when there is nothing to say. */
void lore_ranges_report(struct lore_channel *c, const char *other);
/* Whether TEXT may say what its kernels compute. */
bool lore_ranges_of_interest(const char *text);
/* Open a range of this thread in DOMAIN (0: the default one), or close the last one; TEXT may be
 * NULL. The result is its level from 0, as NVTX returns it; -1: none was open. */
int lore_ranges_push(uintptr_t domain, const char *text);
int lore_ranges_pop(uintptr_t domain);
/* The id of the text of this thread's range, and a hash of the text, the same in every execution,
 * in *hash unless that is NULL; both 0: it is in none. */
uint32_t lore_ranges_current(uint64_t *hash);

#endif
