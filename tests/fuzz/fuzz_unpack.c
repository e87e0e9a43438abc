// uses: import
/* Any bytes as a compressed file or an archive: members with bounded content, or an error; and any
 * bytes that are compressed come out as they went in. */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/feed.h"
#include "collectors/import/squeeze.h"
#include "collectors/import/unpack.h"

#define CEILING (4u << 20)

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
unpack(const struct lore_bytes *from, bool members)
{
    struct lore_unpacking *u = NULL;
    struct lore_archive_member m;
    char block[4096];
    size_t got = 1, all = 0;

    if (lore_unpack_open(from, members, &u, NULL) != LORE_OK)
        return;
    for (int i = 0; i < 100 && all < CEILING && lore_unpack_next(u, &m, NULL) == LORE_OK; i++) {
        while (all < CEILING && lore_unpack_read(u, block, sizeof block, &got, NULL) == LORE_OK &&
               got > 0)
            all += got;
    }
    if (lore_unpack_raw(u) > from->size)
        abort();
    lore_unpack_close(u);
}

static void
pack(const struct lore_bytes *from)
{
    struct lore_buf packed = {0};
    struct lore_buf again = {0};
    struct lore_feed feed = {0};
    const char *piece;
    size_t n = 1;

    if (lore_squeeze(from, &packed, NULL) != LORE_OK)
        abort();
    struct lore_bytes bytes = {.memory = packed.data, .size = packed.len};
    if (lore_feed_bytes(&bytes, true, &feed, NULL) != LORE_OK)
        abort();
    while (n > 0) {
        if (feed.next(&feed, &piece, &n, NULL) != LORE_OK)
            abort();
        lore_buf_add(&again, piece, n);
    }
    if (again.len != from->size || memcmp(again.data, from->memory, again.len) != 0)
        abort();
    lore_feed_close(&feed);
    lore_buf_free(&again);
    lore_buf_free(&packed);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    const struct lore_bytes from = {.memory = (const char *)data, .size = size};

    if (size == 0 || size > CEILING)
        return 0;
    unpack(&from, true);
    unpack(&from, false);
    /* what is packed itself comes out unpacked twice */
    if (!lore_unpack_is(from.memory, size))
        pack(&from);
    return 0;
}
