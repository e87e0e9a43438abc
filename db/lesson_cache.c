/* The scopes and titles of all lessons, cached for the readers of a pool. Every answer needs the
 * lessons that apply to it, and a query takes longer than a scan of some thousand rows here.
 *
 * The order is that of storing. New lessons are added after the writer's invalidation (cache.c); a
 * decision that may affect them reloads the cache. With more than MOST lessons, or more than
 * TEXT_MAX bytes, nothing is cached and the database is queried. */
#include <pthread.h>
#include <string.h>

#include "db/cache.h"
#include "db/internal.h"
#include "db/lesson_cache.h"
#include "service/base/fnv.h"
#include "service/base/guard.h"
#include "service/base/xalloc.h"

#define MOST 8192
#define TEXT_MAX (8u << 20)
#define RANKS 6

/* One cached lesson. */
struct entry {
    const char *text; /* an unused byte, then the strings, each with its NUL */
    uint32_t bytes;
    uint32_t at[LORE_LESSON_COLUMNS]; /* offsets of the strings in text; 0: NULL */
    uint32_t op, family, technique;   /* hashes; 0: NULL */
};
struct lore_lesson_cache {
    pthread_mutex_t lock;
    struct lore_arena arena;
    struct entry *v; /* oldest first */
    size_t n, cap, bytes;
    int64_t last; /* seq */
    uint64_t at;  /* publications (cache.c) whose changes are included */
    bool read, too_many;
};

struct lore_lesson_cache *
lore_lesson_cache_new(void)
{
    struct lore_lesson_cache *k = lore_xalloc(sizeof *k);

    pthread_mutex_init(&k->lock, NULL);
    k->arena.kept = true;
    return k;
}

void
lore_lesson_cache_free(struct lore_lesson_cache *k)
{
    if (!k)
        return;
    lore_arena_free(&k->arena);
    pthread_mutex_destroy(&k->lock);
    lore_xfree(k);
}

const char **
lore_lesson_column(struct lore_lesson *l, int column)
{
    const char **const columns[LORE_LESSON_COLUMNS] = {&l->id, &l->kind, &l->title, &l->op,
        &l->family, &l->language, &l->chip, &l->technique, &l->labels, &l->arch, &l->vendor};

    return columns[column];
}

static uint32_t
hash_of(const char *text)
{
    uint32_t h = (uint32_t)(lore_fnv_text(LORE_FNV, text) >> 32);

    if (!text)
        return 0;
    return h != 0 ? h : 1;
}

/* ---- cache ---- */

static void
drop_all(struct lore_lesson_cache *k)
{
    lore_arena_free(&k->arena);
    k->v = NULL;
    k->n = k->cap = k->bytes = 0;
    k->last = 0;
    k->read = k->too_many = false;
}

static const char *
text_at(const struct entry *o, int column)
{
    return o->at[column] != 0 ? o->text + o->at[column] : NULL;
}

static void
keep(struct lore_lesson_cache *k, struct lore_stmt *q)
{
    const char *text[LORE_LESSON_COLUMNS];
    struct entry o = {.bytes = 1};
    char *to;

    for (int i = 0; i < LORE_LESSON_COLUMNS; i++) {
        text[i] = lore_col_text(q, i + 1, NULL);
        o.at[i] = text[i] != NULL ? o.bytes : 0;
        o.bytes += text[i] != NULL ? (uint32_t)strlen(text[i]) + 1 : 0;
    }
    k->last = lore_col_i64(q, 0);
    k->bytes += o.bytes;
    k->too_many = k->too_many || k->n == MOST || k->bytes > TEXT_MAX;
    if (k->too_many)
        return;
    to = lore_alloc(&k->arena, o.bytes);
    for (int i = 0; i < LORE_LESSON_COLUMNS; i++)
        if (text[i])
            memcpy(to + o.at[i], text[i], strlen(text[i]) + 1);
    o.text = to;
    o.op = hash_of(text_at(&o, LORE_LESSON_OP));
    o.family = hash_of(text_at(&o, LORE_LESSON_FAMILY));
    o.technique = hash_of(text_at(&o, LORE_LESSON_TECHNIQUE));
    *LORE_PUSH(&k->arena, k->v, k->n, k->cap) = o;
}

/* Add the lessons after the last one cached, with the lock held. */
static enum lore_status
read_new(struct lore_lesson_cache *k, struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT i.seq, i.id, i.kind, i.title, i.operator, i.family, i.language, i.chip,"
        " i.technique, i.labels, CASE WHEN i.chip IS NULL THEN json_extract(i.rest, '$.arch') END,"
        " CASE WHEN i.chip IS NULL THEN json_extract(i.rest, '$.vendor') END"
        " FROM fact_insight i WHERE i.seq > $1 AND" LORE_NOT_RETRACTED("i") " ORDER BY i.seq");

    lore_bind_i64(&q, 1, k->last);
    while (!k->too_many && lore_row(&q))
        keep(k, &q);
    return lore_done(&q, err);
}

/* Bring the cache to DB's snapshot or a later one, with the lock held. */
static enum lore_status
refresh(struct lore_lesson_cache *k, struct lore_db *db, struct lore_err *err)
{
    struct lore_cache_stamp stamp;
    enum lore_status status;

    if (!db->snapshot)
        lore_cache_snapshot(db);
    stamp = lore_cache_stamp(db, 'L', "");
    if (k->read && (k->at >= stamp.changed || k->at >= db->cache_at))
        return LORE_OK;
    if (k->at < stamp.all)
        drop_all(k);
    status = k->too_many ? LORE_OK : read_new(k, db, err);
    if (status != LORE_OK || k->too_many)
        lore_arena_free(&k->arena);
    if (status != LORE_OK) {
        drop_all(k);
        return status;
    }
    k->read = true;
    k->at = db->cache_at;
    return LORE_OK;
}

/* ---- selection ---- */

struct wanted {
    const struct lore_lesson_scope *of;
    uint32_t op_hash, family_hash, *technique_hashes;
};

static bool
is(uint32_t hash, const char *text, uint32_t wanted_hash, const char *wanted)
{
    return hash == wanted_hash && hash != 0 && strcmp(text, wanted) == 0;
}

static bool
has_listed_technique(const struct entry *o, const struct wanted *w)
{
    for (size_t i = 0; o->technique != 0 && i < w->of->n_techniques; i++)
        if (is(o->technique, text_at(o, LORE_LESSON_TECHNIQUE), w->technique_hashes[i],
                w->of->techniques[i]))
            return true;
    return false;
}

/* The rank in the order of lore_db_list_lessons: the operator first, then a listed technique, then
 * another one, then none. RANKS: not selected. */
static unsigned
rank_of(const struct entry *o, const struct wanted *w)
{
    bool op = is(o->op, text_at(o, LORE_LESSON_OP), w->op_hash, w->of->op);
    bool listed = has_listed_technique(o, w);

    if (!op && !listed &&
        !is(o->family, text_at(o, LORE_LESSON_FAMILY), w->family_hash, w->of->family))
        return RANKS;
    if (!w->of->op)
        op = o->op == 0;
    return (op ? 0 : 3) + (listed ? 0 : o->technique != 0 ? 1 : 2);
}

static void
copy_out(const struct entry *o, struct lore_arena *a, struct lore_lesson *out)
{
    struct entry copy = *o;

    copy.text = lore_memdup(a, o->text, o->bytes);
    for (int i = 0; i < LORE_LESSON_COLUMNS; i++)
        *lore_lesson_column(out, i) = text_at(&copy, i);
}

/* Select the lessons, with the lock held. */
static size_t
choose(const struct lore_lesson_cache *k, const struct wanted *w, struct lore_arena *a,
    struct lore_lesson **out)
{
    const struct entry **by_rank[RANKS] = {0};
    size_t n[RANKS] = {0}, cap[RANKS] = {0}, found = 0, total = 0;

    for (size_t i = k->n; i-- > 0;) {
        unsigned rank = rank_of(&k->v[i], w);
        if (rank < RANKS)
            *LORE_PUSH(a, by_rank[rank], n[rank], cap[rank]) = &k->v[i];
    }
    for (int r = 0; r < RANKS; r++)
        total += n[r];
    *out = total > 0 ? lore_alloc_array(a, total, sizeof **out) : NULL;
    for (int r = 0; r < RANKS; r++)
        for (size_t i = 0; i < n[r] && found < LORE_LESSONS_MAX; i++)
            copy_out(by_rank[r][i], a, &(*out)[found++]);
    return found;
}

enum lore_status
lore_lesson_cache_list(struct lore_db *db, const struct lore_lesson_scope *of, struct lore_arena *a,
    struct lore_lesson **out, size_t *n, struct lore_err *err)
{
    struct lore_lesson_cache *k = db->lessons;
    struct wanted w = {.of = of, .op_hash = hash_of(of->op), .family_hash = hash_of(of->family)};
    enum lore_status status;

    if (!k)
        return LORE_NOTFOUND;
    w.technique_hashes = lore_alloc_array(a, of->n_techniques + 1, sizeof *w.technique_hashes);
    for (size_t i = 0; i < of->n_techniques; i++)
        w.technique_hashes[i] = hash_of(of->techniques[i]);
    LORE_LOCKED(&k->lock);
    status = refresh(k, db, err);
    if (status == LORE_OK && k->too_many)
        return LORE_NOTFOUND;
    if (status == LORE_OK)
        *n = choose(k, &w, a, out);
    return status;
}
