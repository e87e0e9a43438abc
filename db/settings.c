/* One hash of a version's settings, so that equal configurations are found by index: the operator,
 * the kernel's name and the parameters in any order, numbers by value, true and false as 1 and 0.
 * The index of moves defines a configuration the same way and excludes libraries, too (trials.h).
 * Of several versions of one kernel with equal settings, only the first is stored. A later
 * retraction of it has no effect here, unlike in the index, so that a rebuild gives the same
 * result. */
#include "db/settings.h"

#include "db/internal.h"
#include "db/rest.h"

/* Reserved names: no parameter's name contains a space. */
#define KERNEL " kernel"
#define OPERATOR " operator"

static void
hash_settings(const char *op, const char *kernel, const struct lore_kvs *params,
    struct lore_arena *a, char out[33])
{
    struct lore_kvs all = {.v = lore_alloc_array(a, params->n + 2, sizeof *all.v)};

    for (size_t i = 0; i < params->n; i++) {
        struct lore_kv one = params->v[i];

        if (one.value[0] == 't' || one.value[0] == 'f')
            one.value = one.value[0] == 't' ? "1" : "0";
        all.v[all.n++] = one;
    }
    all.v[all.n++] = (struct lore_kv){KERNEL, lore_kvs_quote(a, kernel)};
    all.v[all.n++] = (struct lore_kv){OPERATOR, lore_kvs_quote(a, op)};
    lore_kvs_hash(&all, out);
}

static enum lore_status
insert(
    struct lore_db *db, int64_t version, int64_t kernel, const char *settings, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO drv_version_settings (version, kernel, settings)"
                               " VALUES ($1, $2, $3) ON CONFLICT (kernel, settings) DO NOTHING");

    lore_bind_i64(&q, 1, version);
    lore_bind_i64(&q, 2, kernel);
    lore_bind_text(&q, 3, settings);
    return lore_done(&q, err);
}

enum lore_status
lore_settings_put(struct lore_db *db, int64_t version, const struct lore_version *r,
    struct lore_arena *a, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT seq, operator, name FROM fact_kernel WHERE id = $1");
    enum lore_status status;
    char settings[33];

    if (r->params.n == 0 || r->kind == LORE_V_LIBRARY)
        return LORE_OK;
    lore_bind_text(&q, 1, r->kernel);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "kernel %s: no such kernel", r->kernel);
    hash_settings(lore_col_text(&q, 1, NULL), lore_col_text(&q, 2, NULL), &r->params, a, settings);
    status = insert(db, version, lore_col_i64(&q, 0), settings, err);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_settings_all(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT seq, rest FROM fact_version"
                               " WHERE instr(rest, '\"params\":{') > 0 ORDER BY seq");
    LORE_SCRATCH a = {0};
    enum lore_status status = lore_db_exec(db, "DELETE FROM drv_version_settings", err);

    while (status == LORE_OK && lore_row(&q)) {
        struct lore_submission doc = {0};

        lore_arena_reset(&a);
        status = lore_rest_read(LORE_K_VERSION, "", lore_col_text(&q, 1, NULL), &a, &doc, err);
        if (status == LORE_OK)
            status = lore_settings_put(db, lore_col_i64(&q, 0), &doc.versions[0], &a, err);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}
