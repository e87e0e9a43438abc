/* Reads the capture files that the processes of one execution left. One bad file never fails the
 * reading: it is named in `problems` and the rest counts. */
#ifndef LORE_RUN_TRACE_READ_H
#define LORE_RUN_TRACE_READ_H

#include "collectors/run/trace.h"

/* Read every capture file of DIR. SAMPLES: cap per group. LORE_IO only when DIR cannot be read. */
enum lore_status lore_trace_read(const char *dir, size_t samples, struct lore_arena *arena,
    struct lore_trace *out, struct lore_err *err) LORE_MUST;
/* Add one file's bytes to *out, which may hold others already; the fuzzer calls this. */
void lore_trace_add(struct lore_trace *out, const char *name, const void *bytes, size_t n,
    size_t samples, struct lore_arena *arena);

#endif
