/* Bytes that lie in memory, in a file, or in a part of a file. */
#ifndef LORE_IMPORT_BYTES_H
#define LORE_IMPORT_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "service/base/status.h"

/* Where the bytes of a file are: in MEMORY, else SIZE bytes at OFFSET of the file at the path DISK,
 * or of the open file FD when DISK is NULL. */
struct lore_bytes {
    const char *memory, *disk;
    int fd;
    uint64_t offset, size;
};

/* Open the file that B lies in: B then has FD instead of DISK. Close B->fd afterwards. Bytes in
 * memory and in an open file need no opening. */
enum lore_status lore_bytes_open(struct lore_bytes *b, struct lore_err *err) LORE_MUST;
/* Read up to N bytes at position AT of B, which need not be open, into OUT. *GOT is smaller only at
 * the end. */
enum lore_status lore_bytes_read(const struct lore_bytes *b, uint64_t at, char *out, size_t n,
    size_t *got, struct lore_err *err) LORE_MUST;

#endif
