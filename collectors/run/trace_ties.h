/* The ranges of calls, which a file may name before or after the launches of those calls. So they
 * are read first. */
#ifndef LORE_RUN_TRACE_TIES_H
#define LORE_RUN_TRACE_TIES_H

#include <stddef.h>
#include <stdint.h>

#include "collectors/capture/capture.h"

enum { LORE_TRACE_MOST_TIES = 32 << 20 }; /* of one file: 256 MiB */

/* A zeroed struct is valid and empty. */
struct lore_trace_ties {
    struct lore_cap_tie *v; /* by call */
    size_t n, cap;
    uint64_t left_out; /* beyond LORE_TRACE_MOST_TIES */
};
/* A file: the SIZE bytes at P, or when P is NULL those of the open FD. */
struct lore_trace_bytes {
    const unsigned char *p;
    int fd;
    uint64_t size;
};
/* Read the ties of a file into *out, which the caller frees. */
void lore_trace_ties_read(const struct lore_trace_bytes *from, struct lore_trace_ties *out);
void lore_trace_ties_free(struct lore_trace_ties *t);
/* The id of the range of CALL; 0: it was in none. */
uint32_t lore_trace_ties_find(const struct lore_trace_ties *t, uint32_t call);

#endif
