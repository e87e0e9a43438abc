/* Files packed by bzip2: records are read from the unpacked text, the stored file keeps the
 * packed bytes. */
#ifndef LORE_IMPORT_BZIP2_H
#define LORE_IMPORT_BZIP2_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/buf.h"
#include "service/base/status.h"

/* Whether N BYTES begin like a bzip2 file. */
bool lore_bzip2_is(const char *bytes, size_t n);
/* Unpack N BYTES (one or several streams) to the end of OUT, whose ceiling holds. LORE_TOOBIG past
 * it, LORE_INVALID for damaged and cut files; OUT then holds what was read so far. */
enum lore_status lore_bzip2_unpack(
    const char *bytes, size_t n, struct lore_buf *out, struct lore_err *err) LORE_MUST;

#endif
