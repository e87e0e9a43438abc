/* Collects frames in one mapped buffer and writes it when it is full or flushed. Consecutive
 * launches share a frame, which stays open at the buffer's end. When a write fails, the launches in
 * the buffer are dropped and counted as lost. Names, shapes, devices and states stay for the next
 * write, so that frames written after a full disk can still be read. When those alone fill half the
 * buffer, the channel gives up: it drops frames and only counts. */
#include "collectors/capture/channel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "collectors/capture/sink.h"
#include "collectors/capture/store.h"

enum { BUFFER = 64 << 10, NO_FRAME = -1 };

struct lore_channel {
    pthread_mutex_t lock;
    unsigned generation; /* generation of the process that opened it; fork() increments the global
                            one in the child */
    bool ended, gave_up;
    struct lore_sink sink;
    struct lore_store names, shapes;
    unsigned char *buffer;
    size_t len;
    long open; /* where the open frame of an array starts, or NO_FRAME */
    uint32_t open_kind;
    struct lore_cap_totals totals, totals_written;
    struct lore_cap_loss loss, loss_written;
};

static atomic_uint generation;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
in_child(void)
{
    atomic_fetch_add(&generation, 1);
}

static void
watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}

/* Take the lock. False, without the lock, when the channel is closed or this is a forked child. The
 * generation is checked first: in the child the lock may be held by a thread that does not exist
 * there. */
static bool
lock_channel(struct lore_channel *c)
{
    if (!c || c->generation != atomic_load(&generation))
        return false;
    pthread_mutex_lock(&c->lock);
    if (c->ended)
        pthread_mutex_unlock(&c->lock);
    return !c->ended;
}

static void
unlock_channel(struct lore_channel *c)
{
    pthread_mutex_unlock(&c->lock);
}

static size_t
padded(size_t n)
{
    return (n + 7) & ~(size_t)7;
}

static void
put_head(unsigned char *at, uint32_t kind, size_t bytes)
{
    struct lore_cap_head h = {.magic = LORE_CAP_MAGIC, .kind = kind, .bytes = (uint32_t)bytes};

    memcpy(at, &h, sizeof h);
}

static void
close_frame(struct lore_channel *c)
{
    size_t start;

    if (c->open == NO_FRAME)
        return;
    start = (size_t)c->open;
    put_head(c->buffer + start, c->open_kind, c->len - start - sizeof(struct lore_cap_head));
    c->open = NO_FRAME;
}

/* Whether a frame is kept after a failed write; counts the dropped ones. */
static bool
stays(struct lore_channel *c, const struct lore_cap_head *h)
{
    switch (h->kind) {
    case LORE_CAP_LAUNCHES:
        c->loss.write_failed += h->bytes / sizeof(struct lore_cap_launch);
        return false;
    case LORE_CAP_NAMED_LAUNCHES:
        c->loss.write_failed += h->bytes / sizeof(struct lore_cap_named_launch);
        return false;
    case LORE_CAP_TIES:
        c->loss.write_failed += h->bytes / sizeof(struct lore_cap_tie);
        return false;
    case LORE_CAP_METRIC:
        c->loss.write_failed++;
        return false;
    case LORE_CAP_TOTALS:
        memset(&c->totals_written, 0, sizeof c->totals_written);
        return false;
    case LORE_CAP_LOSS:
        memset(&c->loss_written, 0, sizeof c->loss_written);
        return false;
    default:
        return true;
    }
}

static void
keep_needed_frames(struct lore_channel *c)
{
    struct lore_cap_head h;
    size_t from = 0, to = 0, n;

    while (from < c->len) {
        memcpy(&h, c->buffer + from, sizeof h);
        n = sizeof h + padded(h.bytes);
        if (stays(c, &h)) {
            memmove(c->buffer + to, c->buffer + from, n);
            to += n;
        }
        from += n;
    }
    c->len = to;
    if (to > BUFFER / 2) {
        c->gave_up = true;
        c->len = 0;
    }
}

static bool
write_out(struct lore_channel *c)
{
    close_frame(c);
    if (c->len == 0)
        return true;
    if (lore_sink_write(&c->sink, c->buffer, c->len)) {
        c->len = 0;
        return true;
    }
    keep_needed_frames(c);
    return false;
}

/* Write a frame that is larger than the buffer, for example that of a very long name. */
static void
write_large(
    struct lore_channel *c, uint32_t kind, const void *a, size_t n_a, const void *b, size_t n_b)
{
    size_t n = sizeof(struct lore_cap_head) + padded(n_a + n_b);
    unsigned char *frame = write_out(c) ? lore_store_pages(n) : NULL;

    if (frame) {
        put_head(frame, kind, n_a + n_b);
        memcpy(frame + sizeof(struct lore_cap_head), a, n_a);
        memcpy(frame + sizeof(struct lore_cap_head) + n_a, b, n_b);
        c->gave_up = !lore_sink_write(&c->sink, frame, n);
        munmap(frame, n);
    } else {
        c->gave_up = true;
    }
}

/* Add a frame of the two pieces A and B (which may be NULL with N_B 0). */
static void
put(struct lore_channel *c, uint32_t kind, const void *a, size_t n_a, const void *b, size_t n_b)
{
    size_t n = sizeof(struct lore_cap_head) + padded(n_a + n_b);
    unsigned char *at;

    close_frame(c);
    if (c->gave_up)
        return;
    if (n > BUFFER) {
        write_large(c, kind, a, n_a, b, n_b);
        return;
    }
    if (n > BUFFER - c->len)
        write_out(c);
    c->gave_up = c->gave_up || n > BUFFER - c->len;
    if (c->gave_up)
        return;
    at = c->buffer + c->len;
    memset(at + n - 8, 0, 8); /* the padding */
    put_head(at, kind, n_a + n_b);
    if (n_a > 0)
        memcpy(at + sizeof(struct lore_cap_head), a, n_a);
    if (n_b > 0)
        memcpy(at + sizeof(struct lore_cap_head) + n_a, b, n_b);
    c->len += n;
}

static struct lore_channel *
map_channel(void)
{
    struct lore_channel *c = lore_store_pages(sizeof *c);

    if (!c)
        return NULL;
    c->buffer = lore_store_pages(BUFFER);
    if (!c->buffer) {
        munmap(c, sizeof *c);
        return NULL;
    }
    pthread_mutex_init(&c->lock, NULL);
    c->open = NO_FRAME;
    c->generation = atomic_load(&generation);
    return c;
}

struct lore_channel *
lore_channel_open(const char *dir, const struct lore_cap_start *start)
{
    struct lore_channel *c;
    char path[PATH_MAX];
    uint64_t ns = start->wall_ns;

    pthread_once(&once, watch_forks);
    c = map_channel();
    if (!c)
        return NULL;
    if (snprintf(path, sizeof path, "%s/%u-%llu.capture", dir, start->pid, (unsigned long long)ns) <
            (int)sizeof path &&
        lore_sink_open(&c->sink, path)) {
        put(c, LORE_CAP_START, start, sizeof *start, NULL, 0);
        if (write_out(c))
            return c;
        unlink(path);
        lore_sink_close(&c->sink);
    }
    munmap(c->buffer, BUFFER);
    munmap(c, sizeof *c);
    return NULL;
}

struct lore_channel *
lore_channel_begin(const char *dir, struct lore_cap_start *start)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    start->version = LORE_CAP_VERSION;
    start->pid = (uint32_t)getpid();
    start->wall_ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    if (start->vendor_ns == 0)
        start->vendor_ns = start->wall_ns;
    return lore_channel_open(dir, start);
}

static uint32_t
name_id(struct lore_channel *c, const char *text)
{
    struct lore_cap_name name = {0};
    size_t n = strlen(text);
    bool fresh;

    if (n > LORE_CAP_FRAME_MAX - sizeof name - 8)
        return 0;
    name.id = lore_store_id(&c->names, text, n, &fresh);
    name.length = (uint32_t)n;
    if (fresh)
        put(c, LORE_CAP_NAME, &name, sizeof name, text, n);
    return name.id;
}

uint32_t
lore_channel_name(struct lore_channel *c, const char *text)
{
    uint32_t id;

    if (!lock_channel(c))
        return 0;
    id = name_id(c, text);
    unlock_channel(c);
    return id;
}

void
lore_channel_device(struct lore_channel *c, const struct lore_cap_device *d)
{
    if (!lock_channel(c))
        return;
    put(c, LORE_CAP_DEVICE, d, sizeof *d, NULL, 0);
    unlock_channel(c);
}

uint32_t
lore_channel_shape(struct lore_channel *c, const struct lore_cap_shape *s)
{
    struct lore_cap_shape key = *s;
    bool fresh;

    if (!lock_channel(c))
        return 0;
    key.id = 0;
    key.id = lore_store_id(&c->shapes, &key, sizeof key, &fresh);
    if (fresh)
        put(c, LORE_CAP_SHAPE, &key, sizeof key, NULL, 0);
    unlock_channel(c);
    return key.id;
}

/* Make room for ONE more bytes of an array of KIND, and open a frame if none is open. */
static bool
item_room(struct lore_channel *c, uint32_t kind, size_t one)
{
    const size_t head = sizeof(struct lore_cap_head);

    if (c->open != NO_FRAME && c->open_kind != kind)
        close_frame(c);
    if (c->open != NO_FRAME && one <= BUFFER - c->len)
        return true;
    if (head + one > BUFFER - c->len)
        write_out(c);
    if (c->gave_up || head + one > BUFFER - c->len)
        return false;
    if (c->open == NO_FRAME) {
        c->open = (long)c->len;
        c->open_kind = kind;
        c->len += head;
    }
    return true;
}

static void
put_item(struct lore_channel *c, uint32_t kind, const void *item, size_t n)
{
    if (!lock_channel(c))
        return;
    if (item_room(c, kind, n)) {
        memcpy(c->buffer + c->len, item, n);
        c->len += n;
    } else {
        c->loss.write_failed++;
    }
    unlock_channel(c);
}

void
lore_channel_launch(struct lore_channel *c, const struct lore_cap_launch *l)
{
    put_item(c, LORE_CAP_LAUNCHES, l, sizeof *l);
}

void
lore_channel_named_launch(struct lore_channel *c, const struct lore_cap_launch *l, uint32_t call)
{
    const struct lore_cap_named_launch n = {.launch = *l, .call = call};

    put_item(c, LORE_CAP_NAMED_LAUNCHES, &n, sizeof n);
}

void
lore_channel_tie(struct lore_channel *c, const struct lore_cap_tie *t)
{
    put_item(c, LORE_CAP_TIES, t, sizeof *t);
}

void
lore_channel_total(struct lore_channel *c, int which, uint64_t bytes, uint64_t ns)
{
    if (which < 0 || which >= LORE_CAP_TOTALS_N || !lock_channel(c))
        return;
    c->totals.of[which].count++;
    c->totals.of[which].bytes += bytes;
    c->totals.of[which].ns += ns;
    unlock_channel(c);
}

void
lore_channel_lost(struct lore_channel *c, const struct lore_cap_loss *add)
{
    if (!lock_channel(c))
        return;
    c->loss.dropped += add->dropped;
    c->loss.bad += add->bad;
    c->loss.no_memory += add->no_memory;
    c->loss.write_failed += add->write_failed;
    unlock_channel(c);
}

void
lore_channel_state(
    struct lore_channel *c, enum lore_cap_state_code code, const char *text, uint64_t a, uint64_t b)
{
    struct lore_cap_state s = {.code = code, .a = a, .b = b};

    if (!lock_channel(c))
        return;
    if (text && text[0])
        s.text = name_id(c, text);
    put(c, LORE_CAP_STATE, &s, sizeof s, NULL, 0);
    unlock_channel(c);
}

void
lore_channel_metric(struct lore_channel *c, const struct lore_cap_metric *m)
{
    if (!lock_channel(c))
        return;
    put(c, LORE_CAP_METRIC, m, sizeof *m, NULL, 0);
    if (c->gave_up)
        c->loss.write_failed++;
    unlock_channel(c);
}

/* A channel that gave up still tries to write its totals and losses: the disk may have space again.
 */
static void
flush(struct lore_channel *c, bool end)
{
    bool gave_up = c->gave_up;

    close_frame(c);
    c->gave_up = false;
    if (memcmp(&c->totals, &c->totals_written, sizeof c->totals) != 0) {
        c->totals_written = c->totals;
        put(c, LORE_CAP_TOTALS, &c->totals, sizeof c->totals, NULL, 0);
    }
    if (memcmp(&c->loss, &c->loss_written, sizeof c->loss) != 0) {
        c->loss_written = c->loss;
        put(c, LORE_CAP_LOSS, &c->loss, sizeof c->loss, NULL, 0);
    }
    if (end)
        put(c, LORE_CAP_END, NULL, 0, NULL, 0);
    write_out(c);
    c->gave_up = c->gave_up || gave_up;
}

void
lore_channel_flush(struct lore_channel *c)
{
    if (!lock_channel(c))
        return;
    flush(c, false);
    unlock_channel(c);
}

void
lore_channel_end(struct lore_channel *c)
{
    if (!lock_channel(c))
        return;
    flush(c, true);
    c->ended = true;
    lore_sink_close(&c->sink);
    unlock_channel(c);
}
