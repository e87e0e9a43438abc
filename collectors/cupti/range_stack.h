/* The open ranges of each thread. */
#ifndef LORE_CUPTI_RANGE_STACK_H
#define LORE_CUPTI_RANGE_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* Whether TEXT may say what its kernels compute. */
bool lore_range_of_interest(const char *text);
/* Open a range of this thread in DOMAIN (0: the default one), or close the last one. The result is
 * its level from 0, as NVTX returns it; -1: none was open. */
int lore_range_push(uintptr_t domain, const char *text);
int lore_range_pop(uintptr_t domain);

#endif
