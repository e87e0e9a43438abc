/* Files packed by gzip: records are read from the unpacked text, the stored file keeps the
 * packed bytes. */
#ifndef LORE_IMPORT_GZIP_H
#define LORE_IMPORT_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/buf.h"
#include "service/base/status.h"

/* Whether N BYTES begin like a gzip file. */
bool lore_gzip_is(const char *bytes, size_t n);
/* Unpack N BYTES (one or several members) to the end of OUT, whose ceiling holds. LORE_TOOBIG past
 * it, LORE_INVALID for damaged and cut files; OUT then holds what was read so far. */
enum lore_status
lore_gzip_unpack(const char *bytes, size_t n, struct lore_buf *out, struct lore_err *err) LORE_MUST;
/* Pack N BYTES to the end of OUT, without a name or a date: the same bytes for the same text. */
enum lore_status
lore_gzip(const char *bytes, size_t n, struct lore_buf *out, struct lore_err *err) LORE_MUST;

#endif
