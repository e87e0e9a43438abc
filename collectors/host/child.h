/* Work in a process of its own: a vendor's library may end, hang or change the process that loads
 * it, and so may a library of ours on a host that is not as we think. */
#ifndef LORE_HOST_CHILD_H
#define LORE_HOST_CHILD_H

#include <stdint.h>

#include "service/base/arena.h"
#include "service/base/buf.h"
#include "service/base/status.h"

/* Run F(FD, CTX) in a child and append what it writes to FD to OUT, up to its ceiling. Nothing else
 * of the child can be seen: its standard input, output and error are /dev/null. LORE_IO: it took
 * more than SECONDS, ended by a signal, or F returned false. Call it while the process has one
 * thread. */
enum lore_status lore_host_child(bool (*f)(int fd, void *ctx), void *ctx, int seconds,
    struct lore_buf *out, struct lore_err *err) LORE_MUST;
/* Append what is read from FD to OUT until its end. NULL, or the words for why not: "took too long"
 * (DEADLINE, in lore_ticks_us), "printed too much" (OUT's ceiling), "could not be read". */
const char *lore_host_read(int fd, int64_t deadline, struct lore_buf *out);
/* Whether the shared library at PATH can be opened here, tried in a child. LORE_UNSUPPORTED with
 * the dynamic linker's words. */
enum lore_status lore_host_opens(const char *path, struct lore_err *err) LORE_MUST;

#endif
