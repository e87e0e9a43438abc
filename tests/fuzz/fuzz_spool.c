// uses: spool
/* Any bytes as a segment: steps tile them and no record is found, because none can be made without
 * the key. Then the same bytes say how to spoil a segment of good records: what is found is one of
 * them, unchanged, and none that is still whole is missed. The key follows from the bytes: a fuzzer
 * sees what is compared, and would put a record of a fixed key into its next input. */
#include <stdlib.h>
#include <string.h>

#include "collectors/spool/spool_record.h"
#include "service/base/hash.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { RECORDS = 12, ROOM = 4096 };
static unsigned char key[LORE_SPOOL_KEY];

struct good {
    unsigned char bytes[ROOM];
    size_t n, at[RECORDS], len[RECORDS];
};

static void
scan(const unsigned char *p, size_t n, const struct good *g)
{
    bool seen[RECORDS] = {false};
    struct lore_spool_step step;

    for (size_t at = 0; at < n; at += step.n) {
        lore_spool_next(key, p, n, at, &step);
        if (step.n == 0 || step.n > n - at || step.at != at)
            abort();
        if (!step.whole)
            continue;
        size_t i = (size_t)step.record.seq;
        if (!g || i >= RECORDS || step.n != g->len[i] ||
            memcmp(p + at, g->bytes + g->at[i], step.n) != 0)
            abort();
        seen[i] = true;
    }
    for (size_t i = 0; g && i < RECORDS; i++) {
        if (!seen[i] && memmem(p, n, g->bytes + g->at[i], g->len[i]))
            abort();
    }
}

static void
make(struct good *g, const unsigned char *data, size_t size)
{
    static unsigned char payload[200 + 1];

    g->n = 0;
    for (size_t i = 0; i < RECORDS; i++) {
        struct lore_spool_record r = {.seq = i, .payload = payload};
        r.n = size < 200 ? size : 200;
        if (i % 3 == 0)
            r.n = r.n < 7 ? r.n : 7;
        /* no end of one is the next one's beginning: of two that overlap only one can be found */
        memcpy(payload, data, r.n);
        payload[r.n++] = '.';
        g->at[i] = g->n;
        g->len[i] = LORE_SPOOL_HEAD + r.n;
        lore_spool_head(key, &r, g->bytes + g->n);
        memcpy(g->bytes + g->n + LORE_SPOOL_HEAD, payload, r.n);
        g->n += g->len[i];
    }
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static struct good g;
    unsigned char bad[ROOM];
    size_t n;

    _Static_assert(sizeof key == 32, "a hash is a key");
    lore_hash_init();
    lore_hash(data, size, key);
    if (size > 0)
        scan(data, size, NULL);
    make(&g, data, size);
    memcpy(bad, g.bytes, g.n);
    n = g.n;
    for (size_t i = 0; i + 3 < size && i < 60; i += 4) {
        size_t at = ((size_t)data[i] << 8 | data[i + 1]) % n, k = 1 + data[i + 3] % 64;
        k = k < n - at ? k : n - at;
        switch (data[i + 2] % 4) {
        case 0:
            bad[at] ^= data[i + 3];
            break;
        case 1:
            memset(bad + at, 0, k);
            break;
        case 2:
            memmove(bad + at, bad + at + k, n - at - k);
            n = n - k > 0 ? n - k : 1;
            break;
        default:
            n = at > 0 ? at : 1;
        }
    }
    scan(bad, n, &g);
    return 0;
}
