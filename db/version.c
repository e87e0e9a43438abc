/* Versions: immutable nodes of the lineage graph, with their parents and source files. */
#include <stdio.h>
#include <string.h>

#include "db/blob.h"
#include "db/catalogue_inner.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/names_inner.h"
#include "db/rest.h"
#include "db/search.h"
#include "db/seen.h"
#include "db/settings.h"

static enum lore_status
put_parents(const struct lore_put_ctx *c, const struct lore_version *r, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < r->n_parents && status == LORE_OK; i++) {
        LORE_STMT q = lore_sql(c->db, "INSERT INTO fact_lineage (child, parent, kind, position)"
                                      " VALUES ($1, $2, $3, $4)");
        char path[40];

        lore_bind_text(&q, 1, r->id);
        lore_bind_text(&q, 2, r->parents[i].version);
        lore_bind_text(&q, 3, lore_edge_kind_name(r->parents[i].kind));
        lore_bind_i64(&q, 4, (int64_t)i);
        lore_row(&q);
        if (q.rc != SQLITE_CONSTRAINT_FOREIGNKEY) {
            status = lore_done(&q, err);
            continue;
        }
        snprintf(path, sizeof path, "parents[%zu].version", i);
        status = lore_reference(c->db, LORE_K_VERSION, path, r->parents[i].version, err);
        if (status == LORE_INVALID && err)
            lore_err_hint(err, "in one document a parent stands before its child");
    }
    return status;
}

static const char *
media_type(const char *file)
{
    static const struct {
        const char *suffix, *type;
    } types[] = {{".cu", "text/x-cuda"}, {".cuh", "text/x-cuda"}, {".hip", "text/x-hip"},
        {".py", "text/x-python"}, {".cpp", "text/x-c++"}, {".h", "text/x-c"}, {".s", "text/x-asm"},
        {".ptx", "text/x-asm"}, {".json", "application/json"}};
    const char *dot = strrchr(file, '.');

    for (size_t i = 0; dot != NULL && i < sizeof types / sizeof *types; i++)
        if (strcmp(dot, types[i].suffix) == 0)
            return types[i].type;
    return "text/plain";
}

static enum lore_status
put_sources(const struct lore_put_ctx *c, const struct lore_version *r, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < r->n_sources && status == LORE_OK; i++) {
        LORE_STMT q = lore_sql(c->db, "INSERT INTO fact_source (version, position, file, blob)"
                                      " VALUES ($1, $2, $3, $4)");
        const struct lore_source *s = &r->sources[i];
        char hash[65];

        status = lore_blob_put(c->db, s->text, strlen(s->text), media_type(s->file), hash, err);
        if (status != LORE_OK)
            break;
        lore_bind_text(&q, 1, r->id);
        lore_bind_i64(&q, 2, (int64_t)i);
        lore_bind_text(&q, 3, s->file);
        lore_bind_text(&q, 4, hash);
        status = lore_done(&q, err);
    }
    return status;
}

/* Versions are searched when someone gave them words. */
LORE_KIND_SEARCH(version)
{
    const struct lore_version *r = record;
    struct lore_buf *b = &c->db->words;
    const char *title = r->tag != NULL ? r->tag : r->label;
    const struct lore_name *kernel;
    enum lore_status status;

    (void)made;
    if (!r->summary && !r->tag)
        return LORE_OK;
    status = lore_name_kernel(c->db, r->kernel, "kernel", &kernel, err);
    if (status != LORE_OK)
        return status;
    lore_buf_reset(b);
    lore_buf_printf(b, "%s\n%s %s %s", r->summary != NULL ? r->summary : "",
        r->label != NULL ? r->label : "", kernel->a, kernel->b);
    return lore_search_put(c->db, "version", r->id, title != NULL ? title : r->summary, b, err);
}

/* Sources have rows of their own. */
LORE_KIND_BEFORE(version)
{
    const struct lore_version *r = record;
    struct lore_version lean = *r;
    const struct lore_name *kernel;
    enum lore_status status = lore_name_kernel(c->db, r->kernel, "kernel", &kernel, err);

    lean.n_sources = 0;
    made->text[0] = lore_version_kind_name(r->kind);
    made->has_rest = true;
    return status == LORE_OK ? lore_rest_write(LORE_K_VERSION, &lean, c->arena, &made->rest, err)
                             : status;
}

LORE_KIND_AFTER(version)
{
    const struct lore_version *r = record;
    enum lore_status status = put_parents(c, r, err);

    (void)made;
    if (status == LORE_OK)
        status = put_sources(c, r, err);
    return status == LORE_OK ? lore_settings_put(c->db, seq, r, c->arena, err) : status;
}

#define SELECT                                                                                     \
    "SELECT v.seq, d.received_us, v.created_us, v.id, v.kernel, v.kind, v.ordinal, v.tag, "        \
    "v.label,"                                                                                     \
    " v.summary, v.git_commit, v.rest, d.id, k.operator, k.name, k.language"                       \
    " FROM fact_version v JOIN fact_kernel k ON k.id = v.kernel"                                   \
    " JOIN fact_document d ON d.seq = v.document"

static void
columns(struct lore_stmt *q, struct lore_arena *a, struct lore_version_row *out)
{
    int i = 0;

    out->seq = lore_col_i64(q, i++);
    out->received_us = lore_col_i64(q, i++);
    out->v.created_at = lore_col_time(q, i, a);
    out->created_us = lore_col_i64(q, i++);
    out->v.id = lore_col_text(q, i++, a);
    out->v.kernel = lore_col_text(q, i++, a);
    out->v.kind = lore_version_kind_of(lore_col_text(q, i++, NULL));
    out->v.ordinal = lore_col_opt_i64(q, i++);
    out->v.tag = lore_col_text(q, i++, a);
    out->v.label = lore_col_text(q, i++, a);
    out->v.summary = lore_col_text(q, i++, a);
    out->v.git_commit = lore_col_text(q, i++, a);
    out->rest = lore_col_text(q, i++, a);
    out->document = lore_col_text(q, i++, a);
    out->op = lore_col_text(q, i++, a);
    out->kernel_name = lore_col_text(q, i++, a);
    out->language = lore_col_text(q, i++, a);
}

static enum lore_status
add_parents(
    struct lore_db *db, struct lore_arena *a, struct lore_version_row *row, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT parent, kind FROM fact_lineage WHERE child = $1 ORDER BY position");
    struct lore_version *v = &row->v;

    v->parents = NULL;
    v->n_parents = v->cap_parents = 0;
    lore_bind_text(&q, 1, v->id);
    while (lore_row(&q)) {
        struct lore_parent *p = LORE_PUSH(a, v->parents, v->n_parents, v->cap_parents);

        p->version = lore_col_text(&q, 0, a);
        p->kind = lore_edge_kind_of(lore_col_text(&q, 1, NULL));
    }
    return lore_done(&q, err);
}

static enum lore_status
add_files(
    struct lore_db *db, struct lore_arena *a, struct lore_version_row *row, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT s.file, s.blob, b.bytes FROM fact_source s"
                               " JOIN fact_blob b ON b.hash = s.blob"
                               " WHERE s.version = $1 ORDER BY s.position");
    size_t cap = 0;

    lore_bind_text(&q, 1, row->v.id);
    while (lore_row(&q)) {
        struct lore_source_row *f = LORE_PUSH(a, row->files, row->n_files, cap);

        f->file = lore_col_text(&q, 0, a);
        f->blob = lore_col_text(&q, 1, a);
        f->bytes = lore_col_i64(&q, 2);
    }
    return lore_done(&q, err);
}

static enum lore_status
add_sources(
    struct lore_db *db, struct lore_arena *a, struct lore_version_row *row, struct lore_err *err)
{
    struct lore_version *v = &row->v;
    enum lore_status status = LORE_OK;

    v->sources = NULL;
    v->n_sources = v->cap_sources = 0;
    for (size_t i = 0; i < row->n_files && status == LORE_OK; i++) {
        struct lore_source *s = LORE_PUSH(a, v->sources, v->n_sources, v->cap_sources);
        LORE_BUF text = {0};

        status = lore_db_get_blob(db, row->files[i].blob, &text, NULL, a, err);
        s->file = row->files[i].file;
        s->text = lore_strndup(a, text.data != NULL ? text.data : "", text.len);
    }
    return status;
}

enum lore_status
lore_db_get_version(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_version_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE v.id = $1");
    struct lore_submission doc = {0};
    struct lore_version_row row = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "version %s: no such version", id);
    columns(&q, a, &row);
    status = lore_rest_read(LORE_K_VERSION, "", row.rest, a, &doc, err);
    if (status != LORE_OK)
        return status;
    row.v = doc.versions[0];
    status = add_parents(db, a, &row, err);
    if (status == LORE_OK)
        status = add_files(db, a, &row, err);
    if (status == LORE_OK)
        status = add_sources(db, a, &row, err);
    if (status == LORE_OK)
        *out = row;
    return status;
}

/* What is kept of a head; the record itself only where it has parameters, for most have none. */
enum { KERNEL, TAG, LABEL, OPERATOR, KERNEL_NAME, LANGUAGE, RECORD, HEAD };

static enum lore_status
read_head(struct lore_db *db, const char *id, struct lore_arena *a, const char *head[HEAD],
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT v.kernel, v.tag, v.label, k.operator, k.name, k.language, CASE WHEN instr(v.rest,"
        " '\"params\":{') > 0 THEN v.rest END FROM fact_version v"
        " JOIN fact_kernel k ON k.id = v.kernel WHERE v.id = $1");

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "version %s: no such version", id);
    for (int i = 0; i < HEAD; i++)
        head[i] = lore_col_text(&q, i, a);
    return lore_done(&q, err);
}

enum lore_status
lore_db_get_version_head(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_version_row *out, struct lore_err *err)
{
    const char *head[HEAD] = {0};
    struct lore_submission doc = {0};
    enum lore_status status = LORE_OK;

    if (!lore_seen_get(db, 'v', id, a, head, HEAD)) {
        status = read_head(db, id, a, head, err);
        if (status == LORE_OK)
            lore_seen_put(db, 'v', id, head, HEAD);
    }
    if (status == LORE_OK && head[RECORD])
        status = lore_rest_read(LORE_K_VERSION, "", head[RECORD], a, &doc, err);
    if (status != LORE_OK)
        return status;
    *out = (struct lore_version_row){.v = {.id = lore_strdup(a, id),
                                         .kernel = head[KERNEL],
                                         .tag = head[TAG],
                                         .label = head[LABEL]},
        .op = head[OPERATOR],
        .kernel_name = head[KERNEL_NAME],
        .language = head[LANGUAGE]};
    if (head[RECORD])
        out->v.params = doc.versions[0].params;
    return LORE_OK;
}

enum lore_status
lore_db_list_versions(struct lore_db *db, const char *kernel, struct lore_page page,
    struct lore_arena *a, struct lore_version_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE ($1 IS NULL OR v.kernel = $1)"
                                      " AND ($2 = 0 OR v.seq < $2) ORDER BY v.seq DESC LIMIT $3");
    struct lore_version_row *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status;

    lore_bind_text(&q, 1, kernel);
    lore_bind_i64(&q, 2, page.before);
    lore_bind_i64(&q, 3, (int64_t)page.limit);
    while (lore_row(&q))
        columns(&q, a, LORE_PUSH(a, rows, count, cap));
    status = lore_done(&q, err);
    for (size_t i = 0; i < count && status == LORE_OK; i++) {
        status = add_parents(db, a, &rows[i], err);
        if (status == LORE_OK)
            status = add_files(db, a, &rows[i], err);
    }
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}
