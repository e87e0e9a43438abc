/* Unpacks compressed files (gzip, bzip2, zstd, xz) and archives (tar, also compressed, and zip),
 * which are recognised by their content. A few bytes can unpack to gigabytes, so whatever unpacks
 * to more than LORE_UNPACK_RATIO times its size is refused. */
#ifndef LORE_IMPORT_UNPACK_H
#define LORE_IMPORT_UNPACK_H

#include <stdbool.h>

#include "collectors/import/bytes.h"

/* gzip reaches 1,032 on zeros; measurements in text pack 3 to 60 times. */
#define LORE_UNPACK_RATIO 500u
#define LORE_UNPACK_FREE                                                                           \
    ((uint64_t)64 << 20)     /* unpacked bytes to which the ratio does not apply                   \
                              */
#define LORE_UNPACK_HEAD 512 /* bytes that lore_unpack_is wants to see */

struct lore_archive_member {
    const char *path; /* as the archive has it; NULL: not valid as text */
    bool file;        /* a regular file; else a folder, a link, a device */
    bool folder;
};
struct lore_unpacking;

/* Whether a file that begins with these N bytes is compressed or an archive. */
bool lore_unpack_is(const char *head, size_t n);
/* Open an archive with MEMBERS; without, what is inside a compressed file is never an archive. */
enum lore_status lore_unpack_open(const struct lore_bytes *from, bool members,
    struct lore_unpacking **out, struct lore_err *err) LORE_MUST;
/* Go to the next member; a compressed file has one. MEMBER may be NULL; its path is valid until the
 * next call. LORE_NOTFOUND after the last one; LORE_TOOBIG: what was skipped is beyond the ratio.
 */
enum lore_status lore_unpack_next(
    struct lore_unpacking *u, struct lore_archive_member *member, struct lore_err *err) LORE_MUST;
/* After lore_unpack_next: whether U is an archive of members and not one compressed file. */
bool lore_unpack_has_members(const struct lore_unpacking *u);
/* Read up to N bytes of the member. *GOT is 0 only at its end. LORE_INVALID: the bytes are damaged
 * or truncated, or encrypted. LORE_TOOBIG: beyond the ratio. */
enum lore_status lore_unpack_read(
    struct lore_unpacking *u, char *out, size_t n, size_t *got, struct lore_err *err) LORE_MUST;
uint64_t lore_unpack_raw(const struct lore_unpacking *u); /* packed bytes read so far */
void lore_unpack_close(struct lore_unpacking *u);         /* NULL is fine */

#endif
