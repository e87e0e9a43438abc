/* Every fact as canonical text: one line per record, ordered by kind and id, with members sorted by
 * name. Fields that the service adds (order of arrival, times, actors, verdicts) are left out, so a
 * database and a copy made from its export have equal dumps. File contents appear as hashes. */
#include <stdlib.h>
#include <string.h>

#include "db/export.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/read.h"
#include "db/rest.h"
#include "db/sweep.h"

struct dump {
    struct lore_db *db;
    struct lore_arena arena;
    bool (*line)(void *ctx, const char *text);
    void *ctx;
    bool stopped;
};

static int
by_key(const void *a, const void *b)
{
    return strcmp(
        (*(const struct lore_json *const *)a)->key, (*(const struct lore_json *const *)b)->key);
}

/* NODE with the members of objects sorted; the parser bounds the depth. */
static void
write_sorted(struct lore_jsonw *w, struct lore_arena *a, const struct lore_json *node)
{
    const struct lore_json **members;
    size_t n = 0;

    if (node->type == LORE_J_ARRAY) {
        lore_w_arr(w);
        for (const struct lore_json *m = node->child; m != NULL; m = m->next)
            write_sorted(w, a, m);
        lore_w_arr_end(w);
        return;
    }
    if (node->type != LORE_J_OBJECT) {
        lore_w_node(w, node);
        return;
    }
    members = lore_alloc_array(a, node->len + 1, sizeof *members);
    for (const struct lore_json *m = node->child; m != NULL; m = m->next)
        members[n++] = m;
    qsort(members, n, sizeof *members, by_key);
    lore_w_obj(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_key(w, members[i]->key);
        write_sorted(w, a, members[i]);
    }
    lore_w_obj_end(w);
}

static enum lore_status
write_line(struct dump *d, const char *json, struct lore_err *err)
{
    struct lore_json *root = NULL;
    LORE_BUF text = {0};
    struct lore_jsonw w;
    enum lore_status status =
        lore_json_parse(json, strlen(json), &lore_wire_limits, &d->arena, &root, err);

    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &text, false);
    write_sorted(&w, &d->arena, root);
    status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        d->stopped = !d->line(d->ctx, text.data);
    return status;
}

/* ---- records ---- */

static enum lore_status
add_sources(struct dump *d, const char *version, struct lore_jsonw *w, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(d->db, "SELECT file, blob FROM fact_source WHERE version = $1 ORDER BY position");

    lore_bind_text(&q, 1, version);
    lore_w_key(w, "sources");
    lore_w_arr(w);
    while (lore_row(&q)) {
        lore_w_obj(w);
        lore_w_kstr(w, "file", lore_col_text(&q, 0, NULL));
        lore_w_kstr(w, "blob", lore_col_text(&q, 1, NULL));
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
    return lore_done(&q, err);
}

static enum lore_status
add_blob(struct dump *d, const char *id, struct lore_jsonw *w, struct lore_err *err)
{
    LORE_STMT q = lore_sql(d->db, "SELECT blob FROM fact_source_document WHERE id = $1");

    lore_bind_text(&q, 1, id);
    if (lore_row(&q))
        lore_w_kstr(w, "blob", lore_col_text(&q, 0, NULL));
    return lore_done(&q, err);
}

/* A sweep with its configurations as they were submitted. */
static enum lore_status
sweep_text(struct dump *d, const char *id, const char **out, struct lore_err *err)
{
    struct lore_sweep_row row;
    struct lore_sweep_data data;
    enum lore_status status = lore_db_get_sweep(d->db, id, &d->arena, &row, err);

    if (status == LORE_OK)
        status = lore_db_get_configurations(d->db, id, LORE_SWEEP_ALL, &d->arena, &data, err);
    if (status != LORE_OK)
        return status;
    lore_sweep_write(&data, &d->arena, &row.r.configurations);
    return lore_rest_write(LORE_K_SWEEP, &row.r, &d->arena, out, err);
}

/* Runs, experiments and sweeps are assembled from columns. Records of other kinds are in `rest`. */
static enum lore_status
record_text(
    struct dump *d, enum lore_kind kind, const char *id, const char **out, struct lore_err *err)
{
    struct lore_whole whole;
    enum lore_status status;

    if (kind == LORE_K_SWEEP)
        return sweep_text(d, id, out, err);
    if (kind != LORE_K_RUN && kind != LORE_K_EXPERIMENT)
        return LORE_OK;
    status = lore_db_get_whole(d->db, kind, id, &d->arena, &whole, err);
    return status == LORE_OK ? lore_rest_write(kind, whole.record, &d->arena, out, err) : status;
}

/* Q stands on a row of LORE_SQL_DUMP. */
static enum lore_status
dump_record(struct dump *d, enum lore_kind kind, struct lore_stmt *q, struct lore_err *err)
{
    const char *id = lore_col_text(q, 0, &d->arena), *record = lore_col_text(q, 1, &d->arena);
    LORE_BUF text = {0};
    struct lore_jsonw w;
    enum lore_status status = record_text(d, kind, id, &record, err), ended;

    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "kind", lore_kind_name(kind));
    lore_w_key(&w, "record");
    lore_w_raw(&w, record);
    if (kind == LORE_K_VERSION)
        status = add_sources(d, id, &w, err);
    if (kind == LORE_K_SOURCE_DOCUMENT)
        status = add_blob(d, id, &w, err);
    lore_w_obj_end(&w);
    ended = lore_jsonw_end(&w, status == LORE_OK ? err : NULL);
    status = status == LORE_OK ? ended : status;
    if (status == LORE_OK)
        status = write_line(d, text.data, err);
    return status;
}

static enum lore_status
dump_kind(struct dump *d, enum lore_kind kind, struct lore_err *err)
{
    LORE_STMT q = lore_kind_open(d->db, lore_db_kind(kind), LORE_SQL_DUMP);
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && !d->stopped && lore_row(&q)) {
        status = dump_record(d, kind, &q, err);
        lore_arena_reset(&d->arena);
    }
    return status == LORE_OK && q.rc != SQLITE_OK ? lore_done(&q, err) : status;
}

/* ---- what has no id ---- */

/* Write each row of Q as an object: its kind, and its text columns under NAMES. */
static enum lore_status
dump_texts(struct dump *d, struct lore_stmt *q, const char *kind, const char *const *names,
    struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && !d->stopped && lore_row(q)) {
        LORE_BUF text = {0};
        struct lore_jsonw w;

        lore_jsonw_begin(&w, &text, false);
        lore_w_obj(&w);
        lore_w_kstr(&w, "kind", kind);
        for (int i = 0; names[i] != NULL; i++)
            lore_w_kstr(&w, names[i], lore_col_text(q, i, NULL));
        lore_w_obj_end(&w);
        status = lore_jsonw_end(&w, err);
        if (status == LORE_OK)
            status = write_line(d, text.data, err);
        lore_arena_reset(&d->arena);
    }
    return status == LORE_OK && q->rc != SQLITE_OK ? lore_done(q, err) : status;
}

static enum lore_status
dump_artifacts(struct dump *d, struct lore_err *err)
{
    static const char *const names[] = {"document", "name", "blob", NULL};
    LORE_STMT q = lore_sql(d->db, "SELECT d.id, f.name, f.blob FROM fact_artifact f"
                                  " JOIN fact_document d ON d.seq = f.document"
                                  " ORDER BY d.id, f.seq");

    return dump_texts(d, &q, "artifact", names, err);
}

/* Masks that are older than the record kind `curation`; no submission holds them. */
static enum lore_status
dump_masks(struct dump *d, struct lore_err *err)
{
    static const char *const names[] = {"experiment", "state", "reason", NULL};
    LORE_STMT q = lore_sql(d->db,
        "SELECT e.id, CASE WHEN m.masked = 1 THEN 'masked' ELSE 'shown' END, m.reason"
        " FROM fact_mask m JOIN fact_experiment e ON e.seq = m.experiment"
        " WHERE m.curation IS NULL ORDER BY e.id, m.seq");

    return dump_texts(d, &q, "mask", names, err);
}

enum lore_status
lore_db_dump(
    struct lore_db *db, bool (*line)(void *ctx, const char *text), void *ctx, struct lore_err *err)
{
    struct dump d = {.db = db, .line = line, .ctx = ctx};
    enum lore_status status = dump_artifacts(&d, err);

    for (int kind = 0; kind < LORE_K_COUNT && status == LORE_OK && !d.stopped; kind++)
        status = dump_kind(&d, (enum lore_kind)kind, err);
    if (status == LORE_OK && !d.stopped)
        status = dump_masks(&d, err);
    lore_arena_free(&d.arena);
    return status;
}
