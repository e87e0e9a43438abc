/* Files and compression. */
#ifndef LORE_BASE_FILE_H
#define LORE_BASE_FILE_H

#include "service/base/buf.h"

/* Append the whole file to OUT (its ceiling applies; on failure OUT keeps its earlier bytes).
 * Errors name PATH and the system's reason; LORE_NOTFOUND when it does not exist. */
enum lore_status
lore_file_read(const char *path, struct lore_buf *out, struct lore_err *err) LORE_MUST;
/* Write a new file or replace one atomically: temporary name, fsync, rename, fsync of the
 * directory. */
enum lore_status lore_file_write(
    const char *path, const void *p, size_t n, int mode, struct lore_err *err) LORE_MUST;
enum lore_status lore_mkdirs(const char *path, int mode, struct lore_err *err) LORE_MUST;
/* zstd, level 1: on records of a few KiB, higher levels take twice the time and save 5 % of the
 * bytes. Decompression stops with LORE_TOOBIG at OUT's ceiling, whatever the frame claims; bytes
 * that are no whole zstd frames are LORE_INVALID, code invalid_zstd. OUT may hold earlier bytes;
 * its ceiling counts them too. */
enum lore_status
lore_zstd_pack(const void *p, size_t n, struct lore_buf *out, struct lore_err *err) LORE_MUST;
enum lore_status
lore_zstd_unpack(const void *p, size_t n, struct lore_buf *out, struct lore_err *err) LORE_MUST;
/* The unpacked bytes that packed bytes claim to have; N when they do not say. */
size_t lore_zstd_size(const void *p, size_t n);

#endif
