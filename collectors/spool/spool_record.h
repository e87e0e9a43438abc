/* A record of the spool on disk, little endian:
 *     "WSP1" | u32 payload bytes | u64 seq | u64 added (microseconds) | 8 bytes keyed SipHash of
 *     those | 16 bytes keyed BLAKE2b of all of that and the payload | payload
 * The 8-byte checksum lets a search for the next record reject bytes that merely look like a head
 * without hashing the payload they claim. Both checksums use the spool's own key, so bytes of
 * another spool that a broken file system puts here are not valid records. */
#ifndef LORE_SPOOL_SPOOL_RECORD_H
#define LORE_SPOOL_SPOOL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LORE_SPOOL_KEY = 32, LORE_SPOOL_HEAD = 48 };

struct lore_spool_record {
    uint64_t seq;
    int64_t added_us;
    const unsigned char *payload; /* borrowed */
    size_t n;
};
/* Fill HEAD for a record; N at most LORE_SPOOL_RECORD_MAX. */
void lore_spool_head(const unsigned char key[LORE_SPOOL_KEY], const struct lore_spool_record *r,
    unsigned char head[LORE_SPOOL_HEAD]);
/* Read the record at P if it is whole and valid; N bytes are readable. */
bool lore_spool_record_at(const unsigned char key[LORE_SPOOL_KEY], const unsigned char *p, size_t n,
    struct lore_spool_record *out);

/* One step through bytes that should be records back to back. */
struct lore_spool_step {
    size_t at, n; /* offset and length in bytes */
    bool whole;   /* a record; else bytes that are none */
    struct lore_spool_record record;
};
/* Take the record at AT of P[N], or else the span to the next record or the end. AT < N. */
void lore_spool_next(const unsigned char key[LORE_SPOOL_KEY], const unsigned char *p, size_t n,
    size_t at, struct lore_spool_step *out);

#endif
