/* A cache shared by the readers of a pool. An answer cites dozens of experiments and the next one
 * cites many of them again. Finding a title in a large database takes eight pages, and a commit
 * discards a reader's page cache. A key is a kind and an id; its value is a few strings.
 *
 * Kinds of immutable facts are lower-case letters, mutable ones are capitals. The subject of a
 * mutable entry is its id before the first '|'. The writer collects the subjects that a transaction
 * changes and publishes them after the commit, before the indexes are updated and any caller is
 * answered. From then on, entries of these subjects that were read in an earlier snapshot are
 * invalid. Subjects whose hashes collide share a version counter, so an unrelated write can cause a
 * spurious cache miss.
 *
 * A commit caches the titles of its new experiments, because new experiments are cited soon. They
 * are the next to be evicted from their sets, so a large import evicts at most one entry of eight.
 *
 * The cache is set-associative with eviction of the least recently used entry. Its memory is
 * bounded by the number of entries and the bytes per entry. */
#include <ctype.h>
#include <pthread.h>
#include <string.h>

#include "db/cache.h"
#include "db/internal.h"
#include "service/base/fnv.h"
#include "service/base/guard.h"
#include "service/base/xalloc.h"

#define SETS (1u << 13)
#define WAYS 8
#define STAMPS (1u << 17)
#define BYTES_MAX 1024           /* most bytes of one entry; a longer one is not cached */
#define TITLES_MAX (256u << 10)  /* bytes of titles that one transaction may cache */
#define CHANGED_MAX (512u << 10) /* bytes of hashes per transaction; above: all changed */

struct entry {
    uint64_t at;  /* `now` at the start of the snapshot in which it was read */
    size_t bytes; /* size of text */
    char text[];  /* kind and id, then each string after a letter: t, or n for NULL */
};
/* The most recently used entry comes first. */
struct set {
    uint32_t tag[WAYS]; /* part of the key's hash: it saves most comparisons of keys */
    struct entry *place[WAYS];
};
struct lore_cache {
    pthread_mutex_t lock;
    unsigned shared;
    uint64_t now;             /* the number of publications */
    uint64_t all;             /* `now` at the last invalidation of everything */
    uint64_t changed[STAMPS]; /* by hash of kind and subject: the last change */
    struct set sets[SETS];
};

struct lore_cache *
lore_cache_new(void)
{
    struct lore_cache *s = lore_xalloc(sizeof *s);

    pthread_mutex_init(&s->lock, NULL);
    s->shared = 1;
    return s;
}

struct lore_cache *
lore_cache_share(struct lore_cache *s)
{
    pthread_mutex_lock(&s->lock);
    s->shared++;
    pthread_mutex_unlock(&s->lock);
    return s;
}

void
lore_cache_free(struct lore_cache *s)
{
    bool last;

    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    last = --s->shared == 0;
    pthread_mutex_unlock(&s->lock);
    if (!last)
        return;
    for (size_t i = 0; i < SETS; i++)
        for (size_t k = 0; k < WAYS; k++)
            lore_xfree(s->sets[i].place[k]);
    pthread_mutex_destroy(&s->lock);
    lore_xfree(s);
}

/* The hash of the kind and the text up to END or its NUL. */
static uint64_t
hash_of(char kind, const char *text, char end)
{
    uint64_t h = LORE_FNV ^ (unsigned char)kind;

    for (; *text != '\0' && *text != end; text++)
        h = lore_fnv_byte(h, (unsigned char)*text);
    return h ^ h >> 32;
}

static bool
may_change(char kind)
{
    return isupper((unsigned char)kind) != 0;
}

/* ---- entries ---- */

/* Put E at the front of its set in place of the entry at index AT, with the lock held. */
static struct entry *
put_first(struct set *set, size_t at, uint32_t tag, struct entry *e)
{
    memmove(set->tag + 1, set->tag, at * sizeof *set->tag);
    memmove(set->place + 1, set->place, at * sizeof *set->place);
    set->tag[0] = tag;
    set->place[0] = e;
    return e;
}

/* Find an entry and move it to the front of its set, with the lock held. */
static struct entry *
find(struct set *set, uint32_t tag, char kind, const char *id)
{
    for (size_t i = 0; i < WAYS; i++) {
        struct entry *e = set->place[i];
        if (e && set->tag[i] == tag && e->text[0] == kind && strcmp(e->text + 1, id) == 0)
            return put_first(set, i, tag, e);
    }
    return NULL;
}

/* Whether an entry is still valid, with the lock held. */
static bool
still_holds(const struct lore_cache *s, const struct entry *e, char kind, const char *id)
{
    return !may_change(kind) ||
           (e->at >= s->all && e->at >= s->changed[hash_of(kind, id, '|') % STAMPS]);
}

bool
lore_cache_get(struct lore_db *db, char kind, const char *id, struct lore_arena *a,
    const char **texts, size_t n)
{
    uint64_t h = hash_of(kind, id, '\0');
    struct lore_cache *s = db->cache;
    const struct entry *e;
    const char *at = NULL;

    if (!s || db->writer)
        return false;
    LORE_LOCKED(&s->lock);
    e = find(&s->sets[h % SETS], (uint32_t)(h >> 16), kind, id);
    if (e && still_holds(s, e, kind, id))
        at = lore_memdup(a, e->text, e->bytes);
    else if (!db->snapshot)
        db->cache_at = s->now; /* the next reads see this state or a newer one */
    if (!at)
        return false;
    for (size_t i = 0; i < n; i++) {
        at += strlen(at) + 1;
        texts[i] = *at == 't' ? at + 1 : NULL;
    }
    return true;
}

static char *
add(char *to, char letter, const char *text)
{
    size_t n = text != NULL ? strlen(text) : 0;

    *to++ = letter;
    memcpy(to, text != NULL ? text : "", n + 1);
    return to + n + 1;
}

/* Insert E into its set, with the lock held. Returns the entry to free: the evicted one, or E
 * itself when the cached one is at least as new. */
static struct entry *
place(struct lore_cache *s, struct entry *e)
{
    uint64_t h = hash_of(e->text[0], e->text + 1, '\0');
    struct set *set = &s->sets[h % SETS];
    uint32_t tag = (uint32_t)(h >> 16);
    struct entry *old = find(set, tag, e->text[0], e->text + 1);

    if (old && old->at >= e->at)
        return e;
    if (old) {
        set->place[0] = e;
        return old;
    }
    old = set->place[WAYS - 1];
    put_first(set, WAYS - 1, tag, e);
    return old;
}

/* Returns NULL for an entry that is too long. */
static struct entry *
new_entry(uint64_t at, char kind, const char *id, const char *const *texts, size_t n)
{
    size_t bytes = strlen(id) + 2;
    struct entry *e;
    char *to;

    for (size_t i = 0; i < n; i++)
        bytes += 2 + (texts[i] ? strlen(texts[i]) : 0);
    if (bytes > BYTES_MAX)
        return NULL;
    e = lore_xalloc(sizeof *e + bytes);
    e->at = at;
    e->bytes = bytes;
    to = add(e->text, kind, id);
    for (size_t i = 0; i < n; i++)
        to = add(to, texts[i] != NULL ? 't' : 'n', texts[i]);
    return e;
}

/* Insert E, which may be NULL, by PLACED_BY. */
static void
keep(struct lore_cache *s, struct entry *e,
    struct entry *(*placed_by)(struct lore_cache *, struct entry *))
{
    if (!e)
        return;
    pthread_mutex_lock(&s->lock);
    e = placed_by(s, e);
    pthread_mutex_unlock(&s->lock);
    lore_xfree(e);
}

void
lore_cache_put(struct lore_db *db, char kind, const char *id, const char *const *texts, size_t n)
{
    if (!db->cache || db->writer)
        return;
    keep(db->cache, new_entry(may_change(kind) ? db->cache_at : 0, kind, id, texts, n), place);
}

/* ---- invalidation ---- */

void
lore_cache_snapshot(struct lore_db *db)
{
    if (!db->cache || db->writer)
        return;
    pthread_mutex_lock(&db->cache->lock);
    db->cache_at = db->cache->now;
    pthread_mutex_unlock(&db->cache->lock);
}

struct lore_cache_stamp
lore_cache_stamp(struct lore_db *db, char kind, const char *subject)
{
    struct lore_cache *s = db->cache;
    struct lore_cache_stamp stamp;

    pthread_mutex_lock(&s->lock);
    stamp.all = s->all;
    stamp.changed = s->changed[hash_of(kind, subject, '|') % STAMPS];
    pthread_mutex_unlock(&s->lock);
    if (stamp.changed < stamp.all)
        stamp.changed = stamp.all;
    return stamp;
}

void
lore_cache_invalidate(struct lore_db *db, char kind, const char *subject)
{
    uint64_t h = hash_of(kind, subject, '|');

    if (!db->cache)
        return;
    if (db->changed.len < CHANGED_MAX)
        lore_buf_add(&db->changed, (const char *)&h, sizeof h);
    else
        db->changed_all = true;
}

void
lore_cache_invalidate_all(struct lore_db *db)
{
    db->changed_all = db->cache != NULL;
}

void
lore_cache_title(struct lore_db *db, const char *id, const char *title)
{
    if (!db->cache || db->titles.len > TITLES_MAX)
        return;
    lore_buf_add(&db->titles, id, strlen(id) + 1);
    lore_buf_add(&db->titles, title, strlen(title) + 1);
}

/* Insert E in an empty slot of its set, or in place of the least recently used entry, as the next
 * to be evicted; with the lock held. Returns the entry to free. */
static struct entry *
place_last(struct lore_cache *s, struct entry *e)
{
    uint64_t h = hash_of(e->text[0], e->text + 1, '\0');
    struct set *set = &s->sets[h % SETS];
    struct entry *old;
    size_t i = 0;

    while (i < WAYS - 1 && set->place[i])
        i++;
    old = set->place[i];
    set->place[i] = e;
    set->tag[i] = (uint32_t)(h >> 16);
    return old;
}

/* Cache the titles of a commit: the next reader may be the first to cite them. */
static void
keep_titles(struct lore_db *db)
{
    const char *at = db->titles.data, *end = at + db->titles.len;

    while (at < end) {
        const char *texts[] = {at + strlen(at) + 1, NULL}; /* no error, see lore_cache_title */
        keep(db->cache, new_entry(0, 'x', at, texts, 2), place_last);
        at = texts[0] + strlen(texts[0]) + 1;
    }
}

void
lore_cache_publish(struct lore_db *db, bool committed)
{
    struct lore_cache *s = db->cache;

    if (s && committed && db->titles.len > 0)
        keep_titles(db);
    lore_buf_reset(&db->titles);
    if (!s || (db->changed.len == 0 && !db->changed_all))
        return;
    pthread_mutex_lock(&s->lock);
    s->now++;
    if (db->changed_all)
        s->all = s->now;
    for (size_t i = 0; i < db->changed.len; i += sizeof(uint64_t)) {
        uint64_t h;
        memcpy(&h, db->changed.data + i, sizeof h);
        s->changed[h % STAMPS] = s->now;
    }
    pthread_mutex_unlock(&s->lock);
    db->changed_all = false;
    lore_buf_reset(&db->changed);
}
