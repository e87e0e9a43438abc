/* The manifest of a backup (manifest.c): which files it has, with their hashes, and what the
 * database in it is. */
#ifndef LORE_DB_MANIFEST_H
#define LORE_DB_MANIFEST_H

#include <stddef.h>
#include <stdint.h>

#include "service/base/arena.h"
#include "service/base/buf.h"
#include "service/base/hash.h"
#include "service/base/status.h"

#define LORE_MANIFEST_NAME "manifest.json"
#define LORE_MANIFEST_FILES 3
#define LORE_MANIFEST_BYTES ((size_t)16 << 10) /* no manifest has more */

struct lore_manifest {
    const char *version; /* of the program that made it */
    int64_t made_us;
    int64_t schema, identity; /* identity.h */
    int64_t events;           /* number of the last event; 0: there is none */
    char head[LORE_HASH_HEX]; /* its hash; zeros without one */
    struct lore_manifest_file {
        const char *name;
        int64_t bytes;
        char hash[LORE_HASH_HEX];
    } files[LORE_MANIFEST_FILES];
    size_t n_files;
};
/* The names that a manifest may list, in the order in which they are copied; the first is the
 * database and always there. */
extern const char *const lore_manifest_names[LORE_MANIFEST_FILES];

/* Append M as JSON that ends with a hash of itself. */
enum lore_status lore_manifest_write(
    const struct lore_manifest *m, struct lore_buf *out, struct lore_err *err) LORE_MUST;
/* Read any bytes. LORE_CORRUPT code bad_manifest: a byte differs from what was written, or a member
 * is missing or impossible. */
enum lore_status lore_manifest_read(const char *text, size_t len, struct lore_arena *a,
    struct lore_manifest *out, struct lore_err *err) LORE_MUST;

#endif
