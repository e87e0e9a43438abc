/* A thread's ranges are a stack in its own memory. Ranges deeper than DEEPEST are only counted;
 * their launches belong to the range that encloses them. */
#include "collectors/capture/ranges.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "collectors/capture/store.h"

enum { DEEPEST = 128 };

static const char asked_prefix[] = "warplore:";

struct range {
    uintptr_t domain;
    const char *waits; /* its text, while there is no channel */
    uint64_t hash;     /* of its text */
    uint64_t counts_hash;
    uint32_t id;              /* of its text; 0: it says nothing */
    uint32_t counts;          /* what counts while this is the innermost range: a text's id */
    bool asked, counts_asked; /* a text of Warplore's */
};
static _Thread_local struct {
    struct range v[DEEPEST];
    unsigned n, deeper;
    uint32_t told;
} own;

static _Atomic(struct lore_channel *) channel;
static void (*listener)(uint32_t before, uint32_t now);
static atomic_bool forked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- texts ---- */

static bool
is_asked(const char *text)
{
    return strncmp(text, asked_prefix, sizeof asked_prefix - 1) == 0;
}

size_t
lore_ranges_text(const char *text, char out[LORE_RANGE_MAX])
{
    static const char key[] = ", sizes = [";
    const char *sizes, *end;
    size_t name, n;

    out[0] = '\0';
    if (is_asked(text)) {
        n = strnlen(text, LORE_RANGE_MAX);
        if (n == LORE_RANGE_MAX)
            return 0;
        memcpy(out, text, n + 1);
        return n;
    }
    sizes = strncmp(text, "aten::", 6) == 0 ? strstr(text, key) : NULL;
    if (!sizes)
        return 0;
    name = strcspn(text, ",");
    end = strstr(sizes, "]]");
    n = end ? (size_t)(end + 2 - sizes) : 0;
    if (n == 0 || name + n >= LORE_RANGE_MAX)
        return 0;
    memcpy(out, text, name);
    memcpy(out + name, sizes, n);
    out[name + n] = '\0';
    return name + n;
}

static uint64_t
hash_of(const char *text)
{
    uint64_t h = 14695981039346656037u;

    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u; /* FNV-1a */
    return h;
}

static uint32_t
id_of(struct lore_channel *c, const char *text)
{
    const struct lore_cap_loss none = {.no_memory = 1};
    uint32_t id = lore_channel_name(c, text);

    if (id == 0)
        lore_channel_lost(c, &none);
    return id;
}

/* ---- the stack ---- */

static void
tell(uint32_t now)
{
    uint32_t before = own.told;

    own.told = now;
    if (listener && before != now)
        listener(before, now);
}

/* Find what counts from range FROM of this thread on. */
static void
settle(unsigned from)
{
    struct lore_channel *c = atomic_load(&channel);

    if (!c || atomic_load(&forked))
        return;
    for (unsigned i = from; i < own.n; i++) {
        struct range *r = &own.v[i];
        const struct range *outer = i > 0 ? r - 1 : NULL;
        bool inherits;

        if (r->waits) {
            r->id = id_of(c, r->waits);
            r->waits = NULL;
        }
        inherits = outer && (r->id == 0 || (outer->counts_asked && !r->asked));
        r->counts = inherits ? outer->counts : r->id;
        r->counts_hash = inherits ? outer->counts_hash : r->id ? r->hash : 0;
        r->counts_asked = inherits ? outer->counts_asked : r->asked && r->id != 0;
    }
    tell(own.n > 0 ? own.v[own.n - 1].counts : 0);
}

static int
level(uintptr_t domain)
{
    int n = (int)own.deeper;

    for (unsigned i = 0; i < own.n; i++)
        n += own.v[i].domain == domain;
    return n - 1;
}

int
lore_ranges_push(uintptr_t domain, const char *text)
{
    struct lore_channel *c = atomic_load(&channel);
    char name[LORE_RANGE_MAX];
    struct range *r;

    if (own.n == DEEPEST) {
        own.deeper++;
        return level(domain);
    }
    r = &own.v[own.n++];
    *r = (struct range){.domain = domain};
    if (text && lore_ranges_text(text, name) > 0) {
        r->asked = is_asked(name);
        r->hash = hash_of(name);
        if (c && !atomic_load(&forked)) {
            r->id = id_of(c, name);
        } else {
            pthread_mutex_lock(&lock);
            r->waits = lore_store_text(name, strlen(name));
            pthread_mutex_unlock(&lock);
        }
    }
    settle(own.n - 1);
    return level(domain);
}

int
lore_ranges_pop(uintptr_t domain)
{
    int was = level(domain);
    unsigned i = own.n;

    if (own.deeper > 0) {
        own.deeper--;
        return was;
    }
    while (i > 0 && own.v[i - 1].domain != domain)
        i--;
    if (i == 0)
        return -1;
    memmove(&own.v[i - 1], &own.v[i], (own.n - i) * sizeof *own.v);
    own.n--;
    settle(i - 1);
    return was;
}

uint32_t
lore_ranges_current(uint64_t *hash)
{
    if (hash)
        *hash = own.n > 0 && own.told != 0 ? own.v[own.n - 1].counts_hash : 0;
    return own.told;
}

static void
in_child(void)
{
    atomic_store(&forked, true);
}

void
lore_ranges_start(struct lore_channel *c, void (*hears)(uint32_t before, uint32_t now))
{
    listener = hears;
    (void)pthread_atfork(NULL, NULL, in_child);
    atomic_store(&channel, c);
    settle(0); /* of this thread; others follow at their next range */
}
