/* Pack and unpack metric values; metrics.h has the layout. */
#include "db/metrics.h"

#include "db/catalogue_inner.h"
#include "db/internal.h"
#include "db/name_cache.h"
#include "service/catalogue/catalogue.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "packed values are written as they lie in memory");

#define HEAD (4 + 1 + 1 + 8)
#define TAIL (8 + 3 * 8)
#define HAS_SPREAD 1
#define LOST_PRECISION 2

static void
set_f64(unsigned char *p, struct lore_f64 v)
{
    double d = v.set ? v.v : NAN;

    memcpy(p, &d, sizeof d);
}

static void
pack_one(const struct lore_metric *m, uint32_t id, struct lore_buf *out)
{
    bool spread = m->n.set || m->std.set || m->min.set || m->max.set;
    double value = m->missing == LORE_MISS_NONE ? m->value : 0;
    uint64_t n = m->n.set ? (uint64_t)m->n.v : UINT64_MAX;
    unsigned char bytes[HEAD + TAIL];

    memcpy(bytes, &id, sizeof id);
    bytes[4] = (unsigned char)m->missing;
    bytes[5] =
        (unsigned char)((spread ? HAS_SPREAD : 0) | (m->precision_lost ? LOST_PRECISION : 0));
    memcpy(bytes + 6, &value, sizeof value);
    if (spread) {
        memcpy(bytes + HEAD, &n, sizeof n);
        set_f64(bytes + HEAD + 8, m->std);
        set_f64(bytes + HEAD + 16, m->min);
        set_f64(bytes + HEAD + 24, m->max);
    }
    lore_buf_add(out, bytes, spread ? HEAD + TAIL : HEAD);
}

enum lore_status
lore_metrics_pack(
    struct lore_db *db, const struct lore_metrics *m, struct lore_buf *out, struct lore_err *err)
{
    for (size_t i = 0; i < m->n; i++) {
        int64_t id = 0;
        enum lore_status status = lore_name_metric(db, i, m->v[i].name, m->v[i].unit, &id, err);

        if (status != LORE_OK)
            return status;
        if (id <= 0 || id > UINT32_MAX)
            return lore_fail(err, LORE_CORRUPT, "cat_metric: id %" PRId64 " out of range", id);
        pack_one(&m->v[i], (uint32_t)id, out);
    }
    return lore_buf_status(out, "metrics", err);
}

static struct lore_f64
get_f64(const unsigned char *p)
{
    double d;

    memcpy(&d, p, sizeof d);
    return isnan(d) ? (struct lore_f64){0} : (struct lore_f64){true, d};
}

/* Unpack one value at P; returns its length, or 0 when the bytes are invalid. */
static size_t
unpack_one(const unsigned char *p, size_t n, uint32_t *id, struct lore_metric *m)
{
    uint64_t count;

    if (n < HEAD || p[4] >= LORE_MISS_COUNT || (p[5] & ~(HAS_SPREAD | LOST_PRECISION)) != 0)
        return 0;
    memcpy(id, p, sizeof *id);
    m->missing = (enum lore_missing)p[4];
    m->precision_lost = (p[5] & LOST_PRECISION) != 0;
    memcpy(&m->value, p + 6, sizeof m->value);
    if ((p[5] & HAS_SPREAD) == 0)
        return HEAD;
    if (n < HEAD + TAIL)
        return 0;
    memcpy(&count, p + HEAD, sizeof count);
    m->n = (struct lore_i64){count != UINT64_MAX, count != UINT64_MAX ? (int64_t)count : 0};
    m->std = get_f64(p + HEAD + 8);
    m->min = get_f64(p + HEAD + 16);
    m->max = get_f64(p + HEAD + 24);
    return HEAD + TAIL;
}

/* Read the name of metric ID into the arena A. */
static enum lore_status
read_name(struct lore_db *db, uint32_t id, struct lore_arena *a, struct lore_metric_name *out,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT name, unit FROM cat_metric WHERE id = $1");

    lore_bind_i64(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "packed metrics: there is no metric %" PRIu32, id);
    *out = (struct lore_metric_name){id, lore_col_text(&q, 0, a), lore_col_text(&q, 1, a), NULL};
    if (out->unit[0] == '\0')
        out->unit = NULL;
    out->def = lore_metric_find(out->name);
    return lore_done(&q, err);
}

struct unpacking {
    struct lore_db *db;
    struct lore_arena *arena;
    bool copy; /* the names, too */
};

/* The writer unpacks the same forty metrics for every verdict, so it caches their names. */
static enum lore_status
name_of(const struct unpacking *u, uint32_t id, struct lore_metric *m, struct lore_err *err)
{
    struct lore_metric_name own, *known = &own;
    struct lore_db *db = u->db;
    enum lore_status status = LORE_OK;
    bool copy = db->writer && u->copy;

    if (!db->writer) {
        status = read_name(db, id, u->arena, known, err);
    } else if ((known = &db->names.metric_ids[id % LORE_NAMES_METRIC_IDS])->id != id || id == 0) {
        status = read_name(db, id, &db->names.arena, known, err);
        db->names.n_metric_names++;
    }
    if (status != LORE_OK)
        return status;
    m->name = copy ? lore_strdup(u->arena, known->name) : known->name;
    m->unit = copy ? lore_strdup(u->arena, known->unit) : known->unit;
    m->def = known->def;
    return LORE_OK;
}

/* The number of values in N bytes at P, or more when the bytes are invalid. */
static size_t
count_values(const unsigned char *p, size_t n)
{
    size_t values = 0;

    for (size_t at = 0; at + HEAD <= n; values++)
        at += (p[at + 5] & HAS_SPREAD) != 0 ? HEAD + TAIL : HEAD;
    return values + 1;
}

static enum lore_status
unpack(const struct unpacking *u, const void *p, size_t n, struct lore_metrics *out,
    struct lore_err *err)
{
    const unsigned char *at = p;
    struct lore_metrics list = {.cap = count_values(p, n)};

    list.v = lore_alloc_array(u->arena, list.cap, sizeof *list.v);
    while (n > 0) {
        struct lore_metric *m = LORE_PUSH(u->arena, list.v, list.n, list.cap);
        uint32_t id = 0;
        size_t used = unpack_one(at, n, &id, m);
        enum lore_status status;

        if (used == 0)
            return lore_fail(err, LORE_CORRUPT, "packed metrics: value %zu is invalid", list.n);
        status = name_of(u, id, m, err);
        if (status != LORE_OK)
            return status;
        at += used;
        n -= used;
    }
    *out = list;
    return LORE_OK;
}

enum lore_status
lore_metrics_unpack(struct lore_db *db, const void *p, size_t n, struct lore_arena *a,
    struct lore_metrics *out, struct lore_err *err)
{
    return unpack(&(struct unpacking){db, a, true}, p, n, out, err);
}

enum lore_status
lore_metrics_borrow(struct lore_db *db, const void *p, size_t n, struct lore_arena *a,
    struct lore_metrics *out, struct lore_err *err)
{
    return unpack(&(struct unpacking){db, a, false}, p, n, out, err);
}
