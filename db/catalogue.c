/* The names in the database. The writer updates the built-in catalogues at every start (only rows
 * that differ). An operator, technique or metric that is not in them is added at its first use.
 *
 * Built-in rows are never removed: facts may refer to a name that a later catalogue renames. */
#include "service/catalogue/catalogue.h"

#include <string.h>

#include "db/catalogue_inner.h"
#include "db/files.h"
#include "db/internal.h"
#include "db/name_cache.h"
#include "db/put_context.h"
#include "service/base/text.h"

static enum lore_status
sync_chips(struct lore_db *db, struct lore_err *err)
{
    size_t n;
    const struct lore_chip *c = lore_chips(&n);
    enum lore_status status = LORE_OK;

    for (; n > 0 && status == LORE_OK; n--, c++) {
        LORE_STMT q = lore_sql(db,
            "INSERT INTO cat_chip AS c (name, title, vendor, arch, isa, unit, product)"
            " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (name) DO UPDATE SET"
            " title = excluded.title, vendor = excluded.vendor, arch = excluded.arch,"
            " isa = excluded.isa, unit = excluded.unit, product = excluded.product"
            " WHERE (c.title, c.vendor, c.arch, c.isa, c.unit, c.product)"
            " IS DISTINCT FROM (excluded.title, excluded.vendor, excluded.arch, excluded.isa,"
            " excluded.unit, excluded.product)");

        lore_bind_text(&q, 1, c->name);
        lore_bind_text(&q, 2, c->title);
        lore_bind_text(&q, 3, c->vendor);
        lore_bind_text(&q, 4, c->arch);
        lore_bind_text(&q, 5, c->isa);
        lore_bind_text(&q, 6, c->unit);
        lore_bind_i64(&q, 7, c->product);
        status = lore_done(&q, err);
    }
    return status;
}

static enum lore_status
sync_aliases(struct lore_db *db, const struct lore_operator *o, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    struct lore_texts aliases = {0};
    enum lore_status status = LORE_OK;

    lore_split(o->aliases, ',', &a, &aliases);
    for (size_t i = 0; i < aliases.n && status == LORE_OK; i++) {
        LORE_STMT q = lore_sql(db, "INSERT INTO cat_operator_alias AS c (alias, operator)"
                                   " VALUES ($1, $2) ON CONFLICT (alias) DO UPDATE"
                                   " SET operator = excluded.operator"
                                   " WHERE c.operator <> excluded.operator");

        lore_bind_text(&q, 1, aliases.v[i]);
        lore_bind_text(&q, 2, o->name);
        status = lore_done(&q, err);
    }
    return status;
}

static enum lore_status
sync_operators(struct lore_db *db, struct lore_err *err)
{
    size_t n;
    const struct lore_operator *o = lore_operators(&n);
    enum lore_status status = LORE_OK;

    for (; n > 0 && status == LORE_OK; n--, o++) {
        LORE_STMT q = lore_sql(db, "INSERT INTO cat_operator AS c (name, family, summary, known)"
                                   " VALUES ($1, $2, $3, 1) ON CONFLICT (name) DO UPDATE SET"
                                   " family = excluded.family, summary = excluded.summary,"
                                   " known = 1 WHERE (c.family, c.summary, c.known)"
                                   " IS DISTINCT FROM (excluded.family, excluded.summary, 1)");

        lore_bind_text(&q, 1, o->name);
        lore_bind_text(&q, 2, o->family);
        lore_bind_text(&q, 3, o->summary != NULL ? o->summary : "");
        status = lore_done(&q, err);
        if (status == LORE_OK)
            status = sync_aliases(db, o, err);
    }
    return status;
}

static enum lore_status
sync_techniques(struct lore_db *db, struct lore_err *err)
{
    size_t n;
    const struct lore_technique *t = lore_techniques(&n);
    enum lore_status status = LORE_OK;

    for (; n > 0 && status == LORE_OK; n--, t++) {
        LORE_STMT q =
            lore_sql(db, "INSERT INTO cat_technique AS c (slug, title, axis, layer, summary, known)"
                         " VALUES ($1, $2, $3, $4, $5, 1) ON CONFLICT (slug) DO UPDATE SET"
                         " title = excluded.title, axis = excluded.axis, layer = excluded.layer,"
                         " summary = excluded.summary, known = 1"
                         " WHERE (c.title, c.axis, c.layer, c.summary, c.known) IS DISTINCT FROM"
                         " (excluded.title, excluded.axis, excluded.layer, excluded.summary, 1)");

        lore_bind_text(&q, 1, t->slug);
        lore_bind_text(&q, 2, t->title);
        lore_bind_text(&q, 3, t->axis != NULL ? t->axis : "");
        lore_bind_text(&q, 4, t->layer != NULL ? t->layer : "");
        lore_bind_text(&q, 5, t->summary != NULL ? t->summary : "");
        status = lore_done(&q, err);
    }
    return status;
}

static enum lore_status
sync_metrics(struct lore_db *db, struct lore_err *err)
{
    size_t n;
    const struct lore_metric_def *m = lore_metrics(&n);
    enum lore_status status = LORE_OK;

    for (; n > 0 && status == LORE_OK; n--, m++) {
        LORE_STMT q = lore_sql(db,
            "INSERT INTO cat_metric AS c (name, vendor, unit, kind, direction, canonical, title)"
            " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (name, unit) DO UPDATE SET"
            " vendor = excluded.vendor, kind = excluded.kind, direction = excluded.direction,"
            " canonical = excluded.canonical, title = excluded.title"
            " WHERE (c.vendor, c.kind, c.direction, c.canonical, c.title) IS DISTINCT FROM"
            " (excluded.vendor, excluded.kind, excluded.direction, excluded.canonical,"
            " excluded.title)");

        lore_bind_text(&q, 1, m->name);
        lore_bind_text(&q, 2, m->vendor != NULL ? m->vendor : "");
        lore_bind_text(&q, 3, m->unit != NULL ? m->unit : "");
        lore_bind_text(&q, 4, m->kind != NULL ? m->kind : "");
        lore_bind_text(&q, 5, m->direction != NULL ? m->direction : "");
        lore_bind_text(&q, 6, m->canonical);
        lore_bind_text(&q, 7, m->title != NULL ? m->title : m->name);
        status = lore_done(&q, err);
    }
    return status;
}

enum lore_status
lore_catalogue_sync(struct lore_db *db, struct lore_err *err)
{
    enum lore_status status = lore_db_begin(db, err);

    if (status == LORE_OK)
        status = sync_chips(db, err);
    if (status == LORE_OK)
        status = sync_operators(db, err);
    if (status == LORE_OK)
        status = sync_techniques(db, err);
    if (status == LORE_OK)
        status = sync_metrics(db, err);
    if (status == LORE_OK)
        status = lore_db_commit(db, err);
    if (status != LORE_OK)
        lore_db_rollback(db);
    return status;
}

/* The family of NAME in cat_operator; NULL when the operator is new. */
static enum lore_status
family_of(struct lore_db *db, const char *name, struct lore_arena *a, const char **family,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT family FROM cat_operator WHERE name = $1");

    lore_bind_text(&q, 1, name);
    *family = lore_row(&q) ? lore_col_text(&q, 0, a) : NULL;
    return lore_done(&q, err);
}

static enum lore_status
store_operator(struct lore_db *db, const char *name, const char *family, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO cat_operator (name, family, summary, known) VALUES ($1, $2, '', 0)"
        " ON CONFLICT (name) DO UPDATE SET family = excluded.family");

    lore_bind_text(&q, 1, name);
    lore_bind_text(&q, 2, family);
    return lore_done(&q, err);
}

static void
note_new(const struct lore_put_ctx *c, const char *kind, const char *name)
{
    struct lore_effects *e = c->effects;

    if (e)
        *LORE_PUSH(c->arena, e->named, e->n_named, e->cap_named) =
            (struct lore_new_name){kind, name};
}

enum lore_status
lore_name_operator(const struct lore_put_ctx *c, const char *op, const char *family,
    const char **name, struct lore_err *err)
{
    const char *canonical = lore_operator_name(c->arena, op), *stored = NULL;
    enum lore_status status = family_of(c->db, canonical, c->arena, &stored, err);

    if (status != LORE_OK)
        return status;
    if (!stored || (lore_streq(stored, "unclassified") && family))
        status = store_operator(c->db, canonical, family != NULL ? family : "unclassified", err);
    else if (family && !lore_streq(stored, family))
        status = lore_fail_at(err, LORE_INVALID, "family_mismatch", "family",
            "family: operator %s belongs to the family %s", canonical, stored);
    if (status == LORE_OK && !stored)
        note_new(c, "operator", canonical);
    if (status == LORE_OK)
        *name = canonical;
    return status;
}

static enum lore_status
register_technique(
    const struct lore_put_ctx *c, const char *slug, const char *raw, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(c->db, "INSERT INTO cat_technique (slug, title, axis, layer, summary, known)"
                        " VALUES ($1, $2, '', '', '', 0) ON CONFLICT (slug) DO NOTHING");

    lore_bind_text(&q, 1, slug);
    lore_bind_text(&q, 2, slug);
    enum lore_status status = lore_done(&q, err);
    if (status == LORE_OK && sqlite3_changes(c->db->handle) > 0)
        note_new(c, "technique", raw ? raw : slug);
    return status;
}

enum lore_status
lore_name_technique(const struct lore_put_ctx *c, const char *name, const char *raw,
    const char **slug, struct lore_err *err)
{
    const char *canonical = lore_technique_slug(c->arena, name), *meant = canonical;
    struct lore_name_cache *names = &c->db->names;
    const struct lore_name *cached = lore_name_cache_find(names, 't', canonical);
    enum lore_status status = LORE_OK;

    if (!cached) {
        if (!lore_technique_find(canonical))
            status = lore_name_meaning(c->db, canonical, &meant, err);
        if (status == LORE_OK && !meant)
            status = register_technique(c, canonical, raw, err);
        if (status == LORE_OK)
            cached = lore_name_cache_add(names, 't', canonical, 0, meant ? meant : canonical, NULL);
    }
    if (status == LORE_OK)
        *slug = lore_strdup(c->arena, cached->a);
    return status;
}

#define METRIC_SEPARATOR '\x1f' /* between name and unit in a key */
#define METRIC_KEY 512

static enum lore_status
register_metric(
    struct lore_db *db, const char *name, const char *unit, int64_t *id, struct lore_err *err)
{
    const struct lore_metric_def *def = lore_metric_find(name);
    LORE_STMT find = lore_sql(db, "SELECT id FROM cat_metric WHERE name = $1 AND unit = $2");
    LORE_STMT add = lore_sql(db,
        "INSERT INTO cat_metric (name, vendor, unit, kind, direction, canonical, title)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id");
    bool known = def && lore_streq(def->name, name);

    lore_bind_text(&find, 1, name);
    lore_bind_text(&find, 2, unit);
    if (lore_row(&find)) {
        *id = lore_col_i64(&find, 0);
        return lore_done(&find, err);
    }
    if (find.rc != SQLITE_OK)
        return lore_done(&find, err);
    lore_bind_text(&add, 1, name);
    lore_bind_text(&add, 2, known && def->vendor ? def->vendor : "");
    lore_bind_text(&add, 3, unit);
    lore_bind_text(&add, 4, known && def->kind ? def->kind : "");
    lore_bind_text(&add, 5, known && def->direction ? def->direction : "");
    lore_bind_text(&add, 6, known ? def->canonical : NULL);
    lore_bind_text(&add, 7, known && def->title ? def->title : name);
    if (lore_row(&add))
        *id = lore_col_i64(&add, 0);
    return lore_done(&add, err);
}

/* Whether KNOWN, which may be NULL, is this metric. Its key: m, name, separator, unit. */
static bool
is_metric(const struct lore_name *known, const char *name, size_t len, const char *unit)
{
    return known && strncmp(known->key + 1, name, len) == 0 &&
           known->key[1 + len] == METRIC_SEPARATOR && strcmp(known->key + len + 2, unit) == 0;
}

/* Write a key into KEY of METRIC_KEY bytes. Returns false for a name that is too long to be cached.
 */
static bool
metric_key(char *key, const char *name, size_t len, const char *unit)
{
    size_t unit_len = strlen(unit);

    if (len + unit_len + 2 > METRIC_KEY)
        return false;
    memcpy(key, name, len);
    key[len] = METRIC_SEPARATOR;
    memcpy(key + len + 1, unit, unit_len + 1);
    return true;
}

/* The given unit, or the catalogue's. */
static const char *
metric_unit(const char *name, const char *unit)
{
    const struct lore_metric_def *def = *unit == '\0' ? lore_metric_find(name) : NULL;

    return def && lore_streq(def->name, name) && def->unit ? def->unit : unit;
}

enum lore_status
lore_name_metric(struct lore_db *db, size_t place, const char *name, const char *unit, int64_t *id,
    struct lore_err *err)
{
    const struct lore_name **last = &db->names.metrics[place % LORE_NAMES_POSITIONS];
    const struct lore_name *known = NULL;
    size_t len = strlen(name);
    char key[METRIC_KEY];
    bool fits;
    enum lore_status status;

    unit = unit != NULL ? unit : "";
    if (is_metric(*last, name, len, unit)) {
        *id = (*last)->n;
        return LORE_OK;
    }
    fits = metric_key(key, name, len, unit);
    if (fits)
        known = lore_name_cache_find(&db->names, 'm', key);
    if (!known) {
        status = register_metric(db, name, metric_unit(name, unit), id, err);
        if (status != LORE_OK || !fits)
            return status;
        known = lore_name_cache_add(&db->names, 'm', key, *id, NULL, NULL);
    }
    *last = known;
    *id = known->n;
    return LORE_OK;
}

static enum lore_status
missing_at(struct lore_err *err, const char *path, const char *noun, const char *id)
{
    return lore_fail_at(
        err, LORE_INVALID, "unknown_reference", path, "%s: there is no %s %s", path, noun, id);
}

enum lore_status
lore_name_kernel(struct lore_db *db, const char *id, const char *path, const struct lore_name **out,
    struct lore_err *err)
{
    LORE_STMT q = {0};

    *out = lore_name_cache_find(&db->names, 'k', id);
    if (*out)
        return LORE_OK;
    q = lore_sql(
        db, "SELECT operator, language, project IS NOT NULL FROM fact_kernel WHERE id = $1");
    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return q.rc != SQLITE_OK ? lore_done(&q, err) : missing_at(err, path, "kernel", id);
    *out = lore_name_cache_add(&db->names, 'k', id, lore_col_i64(&q, 2), lore_col_text(&q, 0, NULL),
        lore_col_text(&q, 1, NULL));
    return lore_done(&q, err);
}

enum lore_status
lore_name_version(struct lore_db *db, const char *id, const char *path,
    const struct lore_name **out, struct lore_err *err)
{
    LORE_STMT q = {0};

    *out = lore_name_cache_find(&db->names, 'v', id);
    if (*out)
        return LORE_OK;
    q = lore_sql(db, "SELECT k.operator, t.twin FROM fact_version v"
                     " JOIN fact_kernel k ON k.id = v.kernel"
                     " LEFT JOIN drv_content t ON t.version = v.seq WHERE v.id = $1");
    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return q.rc != SQLITE_OK ? lore_done(&q, err) : missing_at(err, path, "version", id);
    *out = lore_name_cache_add(
        &db->names, 'v', id, 0, lore_col_text(&q, 0, NULL), lore_col_text(&q, 1, NULL));
    return lore_done(&q, err);
}

enum lore_status
lore_name_chip(struct lore_db *db, const char *chip, const char *environment, const char **out,
    struct lore_err *err)
{
    const struct lore_name *known;
    LORE_STMT q = {0};

    *out = chip;
    if (chip || !environment)
        return LORE_OK;
    known = lore_name_cache_find(&db->names, 'e', environment);
    if (!known) {
        q = lore_sql(db, "SELECT chip FROM fact_environment WHERE id = $1");
        lore_bind_text(&q, 1, environment);
        if (!lore_row(&q)) /* an unknown environment fails later, at its foreign key */
            return lore_done(&q, err);
        known =
            lore_name_cache_add(&db->names, 'e', environment, 0, lore_col_text(&q, 0, NULL), NULL);
    }
    *out = known->a;
    return q.s ? lore_done(&q, err) : LORE_OK;
}
