/* The NVTX ranges in which kernels are launched, where their texts say what is computed: those of
 * the program's author ("warplore:gemm M=64,N=64,K=64") and PyTorch's ("aten::mm, …, sizes = …").
 * The innermost range counts, and an author's before any of PyTorch's. */
#ifndef LORE_CUPTI_RANGES_H
#define LORE_CUPTI_RANGES_H

#include "collectors/cupti/cupti_api.h"

/* From now on the ranges go to C. TIED: the launches in them are recorded (durations), so CUPTI is
 * told of them; else lore_ranges_current answers (counters). */
void lore_ranges_start(const struct lore_cupti *api, struct lore_channel *c, bool tied);
/* Whether launches are to be recorded with their calls, because a tie may name them. */
bool lore_ranges_tied(void);
/* The tie in an external correlation record, to the channel. */
void lore_ranges_take(const CUpti_ActivityExternalCorrelation *e);
/* The id of the text of this thread's range, and a hash of the text, the same in every execution;
 * both 0: it is in none. */
uint32_t lore_ranges_current(uint64_t *hash);

#endif
