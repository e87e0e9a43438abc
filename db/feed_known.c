/* A cache for scans of a million rows: kernels and environments by seq, workloads and label sets by
 * text. Records that do not count are few, so a long scan reads all of them first, and a short one
 * looks each record up. */
#include "db/feed_known.h"

#include <string.h>

#include "db/workload.h"
#include "service/base/xalloc.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/wire.h"

enum { FEW_ROWS = 1000 }; /* below this a scan looks each record up */

void
lore_known_free(struct lore_known *k)
{
    lore_xfree(k->kernels.slots);
    lore_xfree(k->environments.slots);
    lore_intern_free(&k->workloads);
    lore_intern_free(&k->labels);
    lore_intern_free(&k->aside);
    lore_xfree(k->why);
    lore_xfree(k->workload);
    lore_xfree(k->label_bits);
    lore_arena_free(&k->arena);
    *k = (struct lore_known){0};
}

struct lore_known *
lore_known_of_snapshot(struct lore_db *db)
{
    if (!db->known) {
        db->known = lore_xalloc(sizeof *db->known);
        db->known->db = db;
    }
    return db->known;
}

void
lore_known_end_snapshot(struct lore_db *db)
{
    if (db->known)
        lore_known_free(db->known);
    lore_xfree(db->known);
    db->known = NULL;
}

/* ---- by seq ---- */

/* The slot of SEQ, or the empty slot where it belongs. */
static struct lore_known_slot *
slot_of(const struct lore_known_map *m, int64_t seq)
{
    size_t i = (uint64_t)seq * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (m->n_slots - 1);

    while (m->slots[i].seq != 0 && m->slots[i].seq != seq)
        i = (i + 1) & (m->n_slots - 1);
    return &m->slots[i];
}

static const void *
find(const struct lore_known_map *m, int64_t seq)
{
    return m->n_slots > 0 ? slot_of(m, seq)->what : NULL;
}

static void
keep(struct lore_known_map *m, int64_t seq, const void *what)
{
    struct lore_known_map old = *m;

    if (2 * m->n >= m->n_slots) {
        m->n_slots = m->n_slots > 0 ? 2 * m->n_slots : 64;
        m->slots = lore_xalloc(m->n_slots * sizeof *m->slots);
        for (size_t i = 0; i < old.n_slots; i++)
            if (old.slots[i].seq != 0)
                *slot_of(m, old.slots[i].seq) = old.slots[i];
        lore_xfree(old.slots);
    }
    *slot_of(m, seq) = (struct lore_known_slot){seq, what};
    m->n++;
}

enum lore_status
lore_known_kernel(
    struct lore_known *k, int64_t seq, const struct lore_known_kernel **out, struct lore_err *err)
{
    LORE_STMT q = {0};
    struct lore_known_kernel *new;

    if ((*out = find(&k->kernels, seq)))
        return LORE_OK;
    q = lore_sql(k->db,
        "SELECT k.id, k.name, k.operator, p.family, k.language, k.project"
        " FROM fact_kernel k JOIN cat_operator p ON p.name = k.operator WHERE k.seq = $1");
    lore_bind_i64(&q, 1, seq);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "the kernel of an entry is missing");
    new = lore_alloc(&k->arena, sizeof *new);
    *new = (struct lore_known_kernel){
        .id = lore_col_text(&q, 0, &k->arena),
        .name = lore_col_text(&q, 1, &k->arena),
        .op = lore_col_text(&q, 2, &k->arena),
        .family = lore_col_text(&q, 3, &k->arena),
        .language_name = lore_col_text(&q, 4, &k->arena),
        .project = lore_col_text(&q, 5, &k->arena),
    };
    new->language = lore_language_find(new->language_name);
    keep(&k->kernels, seq, new);
    *out = new;
    return lore_done(&q, err);
}

enum lore_status
lore_known_environment(struct lore_known *k, int64_t seq, const char **out, struct lore_err *err)
{
    LORE_STMT q = {0};

    if (seq == 0 || (*out = find(&k->environments, seq)))
        return LORE_OK;
    q = lore_sql(k->db, "SELECT hard_hash FROM fact_environment WHERE seq = $1");
    lore_bind_i64(&q, 1, seq);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "the environment of an entry is missing");
    *out = lore_col_text(&q, 0, &k->arena);
    keep(&k->environments, seq, *out);
    return lore_done(&q, err);
}

/* ---- by text ---- */

/* Make room for element ID of SIZE bytes; new elements are zeroed. */
static void *
room(void *array, uint32_t id, size_t *cap, size_t size)
{
    size_t old = *cap;

    if (id < old)
        return array;
    *cap = old > 0 ? 2 * old : 64;
    array = lore_xrealloc(array, *cap * size);
    memset((char *)array + old * size, 0, (*cap - old) * size);
    return array;
}

enum lore_status
lore_known_workload(struct lore_known *k, const char *workload, struct lore_known_workload *out,
    struct lore_err *err)
{
    LORE_STMT q = {0};
    uint32_t id = lore_intern(&k->workloads, workload);

    if (id == LORE_INTERN_NONE)
        return LORE_OK;
    k->workload = room(k->workload, id, &k->cap_workloads, sizeof *k->workload);
    struct lore_known_workload *w = &k->workload[id];
    *out = *w;
    if (w->read)
        return LORE_OK;
    q = lore_sql(k->db, "SELECT label, dims, dtype, layout FROM fact_workload WHERE id = $1");
    lore_bind_text(&q, 1, workload);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "workload %s of an entry is missing", workload);
    *w = (struct lore_known_workload){.read = true,
        .label = lore_col_text(&q, 0, &k->arena),
        .size = lore_workload_size(lore_col_text(&q, 1, NULL)),
        .kind =
            lore_workload_kind(&k->arena, lore_col_text(&q, 2, NULL), lore_col_text(&q, 3, NULL))};
    *out = *w;
    return lore_done(&q, err);
}

uint32_t
lore_known_labels(struct lore_known *k, const char *text)
{
    uint32_t before = k->labels.n, id = lore_intern(&k->labels, text);

    if (id == LORE_INTERN_NONE)
        return 0;
    if (id >= before) {
        k->label_bits = room(k->label_bits, id, &k->cap_labels, sizeof *k->label_bits);
        k->label_bits[id] = lore_labels_parse(text, NULL);
    }
    return k->label_bits[id];
}

/* ---- records that do not count ---- */

static struct lore_known_aside
aside_of(struct lore_known *k, struct lore_stmt *q)
{
    return (struct lore_known_aside){
        .retracted = !lore_col_null(q, 1), .beyond = lore_col_text(q, 2, &k->arena)};
}

static enum lore_status
read_all_aside(struct lore_known *k, struct lore_err *err)
{
    LORE_STMT q = lore_sql(
        k->db, "SELECT c.record, c.retraction, c.beyond FROM drv_curated c WHERE " LORE_ASIDE("c"));
    while (lore_row(&q)) {
        uint32_t id = lore_intern(&k->aside, lore_col_text(&q, 0, NULL));
        struct lore_known_aside *why = lore_alloc(&k->arena, sizeof *why);

        *why = aside_of(k, &q);
        k->why = room(k->why, id, &k->cap_aside, sizeof *k->why);
        k->why[id] = why;
    }
    k->all_aside = true;
    return lore_done(&q, err);
}

enum lore_status
lore_known_aside(
    struct lore_known *k, const char *record, struct lore_known_aside *out, struct lore_err *err)
{
    LORE_STMT q = {0};
    enum lore_status status =
        k->rows >= FEW_ROWS && !k->all_aside ? read_all_aside(k, err) : LORE_OK;

    *out = (struct lore_known_aside){0};
    if (status != LORE_OK)
        return status;
    if (k->all_aside || !record) {
        uint32_t id = lore_intern_find(&k->aside, record);

        if (id != LORE_INTERN_NONE)
            *out = *k->why[id];
        return LORE_OK;
    }
    q = lore_sql(
        k->db, "SELECT c.record, c.retraction, c.beyond FROM drv_curated c WHERE c.record = $1");
    lore_bind_text(&q, 1, record);
    if (lore_row(&q))
        *out = aside_of(k, &q);
    return lore_done(&q, err);
}

/* ---- scans ---- */

enum lore_status
lore_feed_scan(struct lore_feed_scan *s, struct lore_stmt *end, struct lore_stmt *q,
    lore_feed_row row, void *to, struct lore_err *err)
{
    struct lore_known own = {.db = s->db};
    int64_t seen = s->after;
    enum lore_status status = LORE_OK;

    if (end) {
        s->newest = lore_row(end) ? lore_col_i64(end, 0) : 0;
        status = lore_done(end, err);
    }
    s->known = s->db->snapshot ? lore_known_of_snapshot(s->db) : &own;
    s->known->rows = s->newest - s->after;
    lore_bind_i64(q, 1, s->after);
    lore_bind_i64(q, 2, s->newest);
    while (status == LORE_OK && !s->stopped && lore_row(q)) {
        lore_arena_reset(&s->arena);
        seen = lore_col_i64(q, 0);
        status = row(q, s, to, err);
    }
    enum lore_status closed = lore_done(q, status == LORE_OK ? err : NULL);
    status = status == LORE_OK ? closed : status;
    if (status == LORE_OK && s->last)
        *s->last = s->stopped || s->newest < seen ? seen : s->newest;
    lore_arena_free(&s->arena);
    lore_known_free(&own);
    return status;
}
