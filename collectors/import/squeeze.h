/* Compresses files that are too long to be stored as they are. */
#ifndef LORE_IMPORT_SQUEEZE_H
#define LORE_IMPORT_SQUEEZE_H

#include "collectors/import/bytes.h"
#include "service/base/buf.h"

/* Append the bytes FROM, compressed with zstd, to OUT. Equal bytes give equal bytes. LORE_TOOBIG as
 * soon as the ceiling of OUT is passed. */
enum lore_status
lore_squeeze(const struct lore_bytes *from, struct lore_buf *out, struct lore_err *err) LORE_MUST;

#endif
