/* Unpacks bzip2. Importers read the unpacked text; the stored file keeps the compressed bytes. */
#ifndef LORE_IMPORT_BZIP2_H
#define LORE_IMPORT_BZIP2_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/buf.h"
#include "service/base/status.h"

/* Whether N BYTES begin like a bzip2 file. */
bool lore_bzip2_is(const char *bytes, size_t n);
/* Append the unpacked text of N BYTES (one or several bzip2 streams) to OUT. Return LORE_TOOBIG
 * beyond the ceiling of OUT, LORE_INVALID for damaged or truncated files. OUT then holds the text
 * unpacked so far. */
enum lore_status lore_bzip2_unpack(
    const char *bytes, size_t n, struct lore_buf *out, struct lore_err *err) LORE_MUST;

#endif
