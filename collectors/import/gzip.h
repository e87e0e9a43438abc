/* Compression with gzip. Importers read the unpacked text; the stored file keeps the compressed
 * bytes. */
#ifndef LORE_IMPORT_GZIP_H
#define LORE_IMPORT_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/buf.h"
#include "service/base/status.h"

/* Whether N BYTES begin like a gzip file. */
bool lore_gzip_is(const char *bytes, size_t n);
/* Append the unpacked text of N BYTES (one or several gzip members) to OUT. Return LORE_TOOBIG
 * beyond the ceiling of OUT, LORE_INVALID for damaged or truncated files. OUT then holds the text
 * unpacked so far. */
enum lore_status
lore_gzip_unpack(const char *bytes, size_t n, struct lore_buf *out, struct lore_err *err) LORE_MUST;
/* Append N BYTES, compressed, to OUT. The header holds no name and no date, so equal text gives
 * equal bytes. */
enum lore_status
lore_gzip(const char *bytes, size_t n, struct lore_buf *out, struct lore_err *err) LORE_MUST;

#endif
