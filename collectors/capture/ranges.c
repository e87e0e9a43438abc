/* A thread's ranges are a stack in its own memory. Ranges deeper than DEEP are only counted; their
 * kernels belong to the range that encloses them. A range that opens before there is a channel
 * waits as text. */
#include "collectors/capture/ranges.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "collectors/capture/store.h"

enum { DEEP = 64, LABEL = 512 };

static const char asked_prefix[] = "warplore:", torch_prefix[] = "aten::",
                  sizes_key[] = ", sizes = ";

struct range {
    uintptr_t domain;
    const char *waits; /* its label, while there is no channel */
    uint32_t id;       /* of its label; 0: it says nothing */
    uint64_t hash;     /* of its label */
    uint32_t counts;   /* of the range that counts while this is the innermost one */
    uint64_t counts_hash;
    bool asked, counts_asked; /* an author's range */
};
static _Thread_local struct {
    struct range v[DEEP];
    unsigned n, deeper;
    uint32_t told; /* the id that the vendor has */
    uint64_t told_hash;
} own;

static _Atomic(struct lore_channel *) channel;
static lore_ranges_told *vendor;
static atomic_bool forked;
static atomic_ullong opened, telling; /* telling: those with a label */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- texts ---- */

static bool
starts(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool
lore_ranges_of_interest(const char *text)
{
    return starts(text, asked_prefix) || (starts(text, torch_prefix) && strstr(text, sizes_key));
}

/* The bytes of a list in brackets at S; 0: it does not end. */
static size_t
list_length(const char *s)
{
    size_t n = 0;
    int depth = 0;

    do {
        depth += (s[n] == '[') - (s[n] == ']');
        if (s[n] == '\0')
            return 0;
        n++;
    } while (depth > 0);
    return n;
}

/* "aten::mm, seq = 3, op_id = 7, sizes = [[2, 3], [3, 4]], input_op_ids = …" becomes
 * "aten::mm, sizes = [[2, 3], [3, 4]]". NULL: TEXT says nothing, or is too long. */
static const char *
label_of(const char *text, char out[LABEL])
{
    const char *sizes;
    size_t name, n;

    if (!lore_ranges_of_interest(text))
        return NULL;
    if (starts(text, asked_prefix))
        return strlen(text) < LABEL ? text : NULL;
    sizes = strstr(text, sizes_key);
    name = strcspn(text, ",");
    n = list_length(sizes + sizeof sizes_key - 1);
    if (n == 0 || name + (sizeof sizes_key - 1) + n >= LABEL)
        return NULL;
    n += sizeof sizes_key - 1;
    memcpy(out, text, name);
    memcpy(out + name, sizes, n);
    out[name + n] = '\0';
    return out;
}

static uint64_t
hash_of(const char *label)
{
    uint64_t h = 14695981039346656037u;

    for (; *label; label++)
        h = (h ^ (unsigned char)*label) * 1099511628211u; /* FNV-1a */
    return h;
}

static uint32_t
id_of(struct lore_channel *c, const char *label)
{
    const struct lore_cap_loss none = {.no_memory = 1};
    uint32_t id = lore_channel_name(c, label);

    if (id == 0)
        lore_channel_lost(c, &none);
    return id;
}

/* ---- the stack ---- */

static void
tell(uint32_t id, uint64_t hash)
{
    uint32_t before = own.told;

    own.told_hash = hash;
    own.told = id;
    if (id != before && vendor)
        vendor(before, id);
}

/* Find the range that counts from range FROM of this thread on, and tell the vendor. */
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
    if (own.n > 0)
        tell(own.v[own.n - 1].counts, own.v[own.n - 1].counts_hash);
    else
        tell(0, 0);
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
    char buffer[LABEL];
    const char *label = text ? label_of(text, buffer) : NULL;
    struct lore_channel *c = atomic_load(&channel);
    struct range *r;

    atomic_fetch_add_explicit(&opened, 1, memory_order_relaxed);
    if (label)
        atomic_fetch_add_explicit(&telling, 1, memory_order_relaxed);
    if (own.n == DEEP) {
        own.deeper++;
        return level(domain);
    }
    r = &own.v[own.n++];
    *r = (struct range){.domain = domain,
        .asked = label && starts(label, asked_prefix),
        .hash = label ? hash_of(label) : 0};
    if (label && c && !atomic_load(&forked)) {
        r->id = id_of(c, label);
    } else if (label) {
        pthread_mutex_lock(&lock);
        r->waits = lore_store_text(label, strlen(label));
        pthread_mutex_unlock(&lock);
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

/* ---- the capture library ---- */

static void
in_child(void)
{
    atomic_store(&forked, true);
}

void
lore_ranges_start(struct lore_channel *c, lore_ranges_told *told)
{
    vendor = told;
    (void)pthread_atfork(NULL, NULL, in_child);
    atomic_store(&channel, c);
    settle(0); /* of this thread; others follow at their next range */
}

void
lore_ranges_report(struct lore_channel *c, const char *other)
{
    unsigned long long n = atomic_load(&opened);

    if (n > 0 || other)
        lore_channel_state(c, LORE_CAP_RANGES_SEEN, other, n, atomic_load(&telling));
}

uint32_t
lore_ranges_current(uint64_t *hash)
{
    if (hash)
        *hash = own.told_hash;
    return own.told;
}
