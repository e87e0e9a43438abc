/* An object's name is a hash of its bytes: autotuners load equal modules again and again, and each
 * GPU and each process loads its own. A file gets its name when it is complete, so that a killed
 * process leaves no half object under it. */
#include "collectors/capture/code.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collectors/capture/sink.h"
#include "collectors/capture/store.h"

enum { PIECE = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct lore_store known; /* by hash */
static uint64_t kept_bytes, lost, lost_bytes;
static pid_t owner;           /* of the process that keeps; 0: none has yet */
static struct lore_sink sink; /* too large for the stack of a thread of the program */
static char path[PATH_MAX], part[PATH_MAX];

struct hash {
    uint64_t a, b;
};

static void
mix(struct hash *h, const unsigned char *p, size_t n)
{
    uint64_t word;

    for (; n > 0; p += sizeof word, n -= n < sizeof word ? n : sizeof word) {
        word = 0;
        memcpy(&word, p, n < sizeof word ? n : sizeof word);
        h->a = (h->a ^ word) * 0x9e3779b97f4a7c15u;
        h->a ^= h->a >> 32;
        h->b = (h->b + word) * 0xc2b2ae3d27d4eb4fu;
        h->b ^= h->b >> 29;
    }
}

/* Pass O to the hash H, or else to the sink; false: it cannot be read or written. */
static bool
each_piece(const struct lore_machine_code *o, struct hash *h)
{
    unsigned char piece[PIECE];
    uint64_t at = 0;

    while (at < o->bytes) {
        size_t n = o->bytes - at < PIECE ? (size_t)(o->bytes - at) : PIECE;
        const unsigned char *p = (const unsigned char *)o->memory + at;

        if (!o->memory) {
            ssize_t got = pread(o->file, piece, n, (off_t)(o->offset + at));

            if (got <= 0)
                return false;
            n = (size_t)got;
            p = piece;
        }
        if (h)
            mix(h, p, n);
        else if (!lore_sink_write(&sink, p, n))
            return false;
        at += n;
    }
    return true;
}

static bool
write_object(const char *dir, const struct lore_machine_code *o, const struct hash *h)
{
    bool whole;

    if (snprintf(path, sizeof path, "%s/%016llx%016llx" LORE_CODE_END, dir,
            (unsigned long long)h->a, (unsigned long long)h->b) >= (int)sizeof path ||
        snprintf(part, sizeof part, "%s/%ld.part", dir, (long)owner) >= (int)sizeof part)
        return false;
    if (access(path, F_OK) == 0)
        return true; /* another process kept it */
    if (!lore_sink_open(&sink, part))
        return false;
    whole = each_piece(o, NULL);
    lore_sink_close(&sink);
    if (whole && rename(part, path) == 0)
        return true;
    unlink(part);
    return false;
}

void
lore_code_keep(const char *dir, const struct lore_machine_code *o)
{
    struct hash h = {o->bytes, ~o->bytes};
    bool fresh = false, good;

    pthread_mutex_lock(&lock);
    if (owner == 0)
        owner = getpid();
    if (owner == getpid() && o->bytes > 0) {
        good = o->bytes <= LORE_CODE_MAX && each_piece(o, &h);
        if (good && lore_store_id(&known, &h, sizeof h, &fresh) == 0)
            good = false;
        if (good && fresh) {
            good = o->bytes <= LORE_CODE_MAX - kept_bytes && write_object(dir, o, &h);
            kept_bytes += good ? o->bytes : 0;
        }
        lost += !good;
        lost_bytes += good ? 0 : o->bytes;
    }
    pthread_mutex_unlock(&lock);
}

void
lore_code_report(struct lore_channel *c)
{
    if (lost > 0)
        lore_channel_state(c, LORE_CAP_CODE_LEFT_OUT, NULL, lost, lost_bytes);
}
