/* A cache of structures (memo.h). The validity of an entry is that of a mutable entry of cache.c:
 * the writer invalidates its subject. Each entry has an arena of its own and counts its users: the
 * table, and each connection that got it. A connection ends its use when it is given back, so an
 * entry that is evicted or invalid stays readable for the requests that have it.
 *
 * The number of entries and their bytes are bounded; the least recently used entry is evicted. */
#include "db/memo.h"

#include <pthread.h>
#include <string.h>

#include "db/cache.h"
#include "db/internal.h"
#include "service/base/fnv.h"
#include "service/base/xalloc.h"

#define MOST 2048               /* entries */
#define BYTES_MOST (64u << 20)  /* of all entries; their chunks may be twice as large */
#define BYTES_OF_ONE (1u << 20) /* a larger value is not shared */
#define BYTES_LEAST (16u << 10) /* the first chunk of an arena */

struct lore_memo {
    struct lore_arena arena;
    const char *key; /* kind, subject, '|' and name */
    const void *value;
    uint64_t at;   /* invalidations that the snapshot included in which it was made */
    uint64_t used; /* ticks of the table */
    size_t bytes;
    unsigned users; /* with the lock held */
};
struct lore_memos {
    pthread_mutex_t lock;
    uint64_t now; /* the number of uses */
    size_t n, bytes;
    uint64_t hash[MOST]; /* of the keys */
    struct lore_memo *v[MOST];
};

struct lore_memos *
lore_memos_new(void)
{
    struct lore_memos *m = lore_xalloc(sizeof *m);

    pthread_mutex_init(&m->lock, NULL);
    return m;
}

static void
free_memo(struct lore_memo *e)
{
    if (e)
        lore_arena_free(&e->arena);
    lore_xfree(e);
}

void
lore_memos_free(struct lore_memos *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->n; i++)
        free_memo(m->v[i]);
    pthread_mutex_destroy(&m->lock);
    lore_xfree(m);
}

/* End one use of E, with the lock held. Returns E when it has no other. */
static struct lore_memo *
leave(struct lore_memo *e)
{
    return --e->users == 0 ? e : NULL;
}

/* Remove entry I, with the lock held. Returns the memo to free. */
static struct lore_memo *
take_out(struct lore_memos *m, size_t i)
{
    struct lore_memo *e = m->v[i];

    m->bytes -= e->bytes;
    m->v[i] = m->v[--m->n];
    m->hash[i] = m->hash[m->n];
    return leave(e);
}

static size_t
find(const struct lore_memos *m, uint64_t hash, const char *key)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->hash[i] == hash && strcmp(m->v[i]->key, key) == 0)
            return i;
    return m->n;
}

static void
pin(struct lore_db *db, struct lore_memo *e)
{
    if (db->n_memo == db->cap_memo) {
        db->cap_memo = db->cap_memo > 0 ? 2 * db->cap_memo : 8;
        db->memo = lore_xrealloc(db->memo, db->cap_memo * sizeof(struct lore_memo *));
    }
    db->memo[db->n_memo++] = e;
}

void
lore_memo_release(struct lore_db *db)
{
    for (; db->n_memo > 0; db->n_memo--) {
        struct lore_memo *e = db->memo[db->n_memo - 1];

        pthread_mutex_lock(&db->memos->lock);
        e = leave(e);
        pthread_mutex_unlock(&db->memos->lock);
        free_memo(e);
    }
}

/* The entry of KEY that is still right, for DB to use; NULL: there is none. */
static const struct lore_memo *
look_up(struct lore_db *db, const char *key, uint64_t hash)
{
    struct lore_memos *m = db->memos;
    struct lore_memo *old = NULL, *e = NULL;

    pthread_mutex_lock(&m->lock);
    size_t i = find(m, hash, key);
    if (i < m->n && m->v[i]->at < lore_cache_stamp(db, key[0], key + 1).changed)
        old = take_out(m, i);
    else if (i < m->n)
        e = m->v[i];
    if (e) {
        e->users++;
        e->used = ++m->now;
    }
    pthread_mutex_unlock(&m->lock);
    free_memo(old);
    if (e)
        pin(db, e);
    return e;
}

static size_t
least_used(const struct lore_memos *m)
{
    size_t least = 0;

    for (size_t i = 1; i < m->n; i++)
        if (m->v[i]->used < m->v[least]->used)
            least = i;
    return least;
}

/* Put E in the table, in place of an entry with its key and of those used the longest ago. */
static void
share(struct lore_memos *m, struct lore_memo *e, uint64_t hash)
{
    struct lore_memo *old[MOST];
    size_t n = 0;

    e->bytes = e->arena.used > BYTES_LEAST ? e->arena.used : BYTES_LEAST;
    if (e->bytes > BYTES_OF_ONE)
        return;
    pthread_mutex_lock(&m->lock);
    size_t i = find(m, hash, e->key);
    if (i < m->n)
        old[n++] = take_out(m, i);
    while (m->n == MOST || m->bytes + e->bytes > BYTES_MOST)
        old[n++] = take_out(m, least_used(m));
    e->users++;
    e->used = ++m->now;
    m->bytes += e->bytes;
    m->hash[m->n] = hash;
    m->v[m->n++] = e;
    pthread_mutex_unlock(&m->lock);
    while (n > 0)
        free_memo(old[--n]);
}

enum lore_status
lore_memo_get(struct lore_db *db, const struct lore_memo_key *key, struct lore_arena *otherwise,
    const void **out, struct lore_err *err)
{
    const char *text = lore_format(otherwise, "%c%s|%s", key->of, key->subject, key->name);
    uint64_t hash = lore_fnv_text(LORE_FNV, text);
    bool own = false;
    enum lore_status status;

    if (!db->memos)
        return key->make(db, key->ctx, otherwise, out, &own, err);
    const struct lore_memo *found = look_up(db, text, hash);
    if (found) {
        *out = found->value;
        return LORE_OK;
    }
    if (!db->snapshot)
        lore_cache_snapshot(db);
    struct lore_memo *e = lore_xalloc(sizeof *e);
    e->users = 1;
    e->at = db->cache_at;
    pin(db, e); /* also when the work is cut short */
    e->key = lore_strdup(&e->arena, text);
    status = key->make(db, key->ctx, &e->arena, &e->value, &own, err);
    if (status != LORE_OK)
        return status;
    *out = e->value;
    if (!own)
        share(db->memos, e, hash);
    return LORE_OK;
}
