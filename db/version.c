/* Versions: immutable nodes of the lineage graph, with their parents and source files. */
#include <stdio.h>
#include <string.h>

#include "db/blob.h"
#include "db/cache.h"
#include "db/catalogue_inner.h"
#include "db/copies.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/name_cache.h"
#include "db/rest.h"
#include "db/search.h"
#include "db/settings.h"
#include "db/shown.h"

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
        struct lore_blob blob;

        status = lore_blob_put(c->db, s->text, strlen(s->text), media_type(s->file), &blob, err);
        if (status != LORE_OK)
            break;
        lore_bind_text(&q, 1, r->id);
        lore_bind_i64(&q, 2, (int64_t)i);
        lore_bind_text(&q, 3, s->file);
        lore_bind_text(&q, 4, blob.hash);
        status = lore_done(&q, err);
    }
    return status;
}

/* Only versions with a summary or a tag are searched. */
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
    if (c->db->facts_only)
        return status;
    if (status == LORE_OK)
        status = lore_copies_add_version(c, seq, r, err);
    if (status == LORE_OK && r->shown)
        status = lore_shown_put(c->db, seq, r->shown, err);
    return status == LORE_OK ? lore_settings_put(c->db, seq, r, c->arena, err) : status;
}

#define SELECT                                                                                     \
    "SELECT v.seq, d.received_us, v.created_us, v.created_us, v.id, v.kernel, v.kind, v.ordinal,"  \
    " v.tag, v.label, v.summary, v.git_commit, v.rest, d.id, k.operator, k.name, k.language,"      \
    " k.project FROM fact_version v JOIN fact_kernel k ON k.id = v.kernel"                         \
    " JOIN fact_document d ON d.seq = v.document"

#define ROW struct lore_parent
static const struct lore_row_member parent_members[] = {
    AT(version), AT_ENUM(kind, lore_edge_kind_of)};
static const struct lore_row_shape parent_rows = {LORE_MEMBERS(parent_members)};
#undef ROW
#define ROW struct lore_source_row
static const struct lore_row_member file_members[] = {AT(file), AT(blob), AT(bytes)};
const struct lore_row_shape lore_file_rows = {LORE_MEMBERS(file_members)};
#undef ROW

static enum lore_status
add_parents(struct lore_db *db, struct lore_arena *a, struct lore_version *v, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT parent, kind FROM fact_lineage WHERE child = $1 ORDER BY position");

    v->cap_parents = 0;
    lore_bind_text(&q, 1, v->id);
    return lore_db_collect(&q, &parent_rows, a, &v->parents, &v->n_parents, err);
}

static enum lore_status
add_parents_and_files(struct lore_stmt *of, struct lore_arena *a, void *row, struct lore_err *err)
{
    LORE_STMT q = lore_sql(of->db, "SELECT s.file, s.blob, b.bytes FROM fact_source s"
                                   " JOIN fact_blob b ON b.hash = s.blob"
                                   " WHERE s.version = $1 ORDER BY s.position");
    struct lore_version_row *out = row;
    enum lore_status status = add_parents(of->db, a, &out->v, err);

    lore_bind_text(&q, 1, out->v.id);
    return status == LORE_OK
               ? lore_db_collect(&q, &lore_file_rows, a, &out->files, &out->n_files, err)
               : status;
}

static enum lore_status
add_sources(struct lore_stmt *q, struct lore_arena *a, void *of, struct lore_err *err)
{
    struct lore_version_row *row = of;
    struct lore_version *v = &row->v;
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < row->n_files && status == LORE_OK; i++) {
        struct lore_source *s = LORE_PUSH(a, v->sources, v->n_sources, v->cap_sources);
        LORE_BUF text = {0};

        status = lore_db_get_blob(q->db, row->files[i].blob, &text, NULL, a, err);
        s->file = row->files[i].file;
        s->text = lore_strndup(a, text.data != NULL ? text.data : "", text.len);
    }
    return status;
}

#define ROW struct lore_version_row
static const struct lore_row_member members[] = {AT(seq), AT(received_us), AT(created_us),
    AT_TIME(v.created_at), AT(v.id), AT(v.kernel), AT_ENUM(v.kind, lore_version_kind_of),
    AT(v.ordinal), AT(v.tag), AT(v.label), AT(v.summary), AT(v.git_commit), AT(rest), AT(document),
    AT(op), AT(kernel_name), AT(language), AT(project)};
const struct lore_row_shape lore_version_rows = {LORE_MEMBERS(members), .noun = "version",
    LORE_RECORD(LORE_K_VERSION, LORE_DECODE_WHOLE, v), .happened = offsetof(ROW, created_us),
    .more = add_parents_and_files, .whole = add_sources,
    .get = LORE_LITERAL(SELECT " WHERE v.id = $1"),
    .list =
        LORE_LITERAL(SELECT " WHERE ($kernel IS NULL OR v.kernel = $kernel)"
                            " AND ($project IS NULL OR k.project = $project)"
                            " AND ($name IS NULL OR lower(v.label) = $name OR lower(v.tag) = $name"
                            " OR (v.label IS NULL AND 'v' || v.ordinal = $name))" LORE_PAGE("v"))};
#undef ROW

/* The strings of a cached version head. RECORD is NULL unless the version has parameters. */
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

    if (!lore_cache_get(db, 'v', id, a, head, HEAD)) {
        status = read_head(db, id, a, head, err);
        if (status == LORE_OK)
            lore_cache_put(db, 'v', id, head, HEAD);
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
