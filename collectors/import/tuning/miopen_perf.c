/* Reads MIOpen's performance databases: the parameters that were tuned for each problem. They are
 * text, or SQLite with the tables perf_db (solver, config, params) and config (the problems).
 *
 *   128-56-56-3x3-128-56-56-32-1x1-1x1-1x1-0-NCHW-FP32-F=ConvAsm3x3U:12,2,1;ConvOclDirectFwd:16,16
 *
 * They hold no times, so nothing can be ranked or learned of them: a solver with its parameters is
 * a version of the kernel "miopen", which find databases measure without naming the parameters.
 * Which problem has which of them is in the file only. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/index.h"
#include "collectors/import/sqlite/sqlite.h"
#include "collectors/import/tuning/miopen.h"
#include "collectors/import/window.h"
#include "service/base/text.h"
#include "service/wire/build.h"

struct perf {
    struct lore_import *in;
    struct lore_index versions;
    size_t problems, entries;
};

/* The beginning of an SQLite file has the statements that made its tables. */
static bool
is_database(const struct lore_import_file *f)
{
    static const char *const words[] = {"perf_db", "solver", "params"};
    bool is = lore_sqlite_is(f->head, f->head_len);

    for (size_t i = 0; is && i < sizeof words / sizeof *words; i++)
        is = memmem(f->head, f->head_len, words[i], strlen(words[i])) != NULL;
    return is;
}

bool
lore_miopen_perf_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);
    const char *name = f ? strrchr(f->path, '/') : NULL;

    name = name ? name + 1 : f ? f->path : "";
    return f && (is_database(f) || (f->utf8 && !lore_import_json(f) && lore_starts(name, "gfx") &&
                                       (strstr(name, ".pdb.txt") || strstr(name, ".updb.txt") ||
                                           strstr(name, ".cd.pdb"))));
}

static void
map_version(struct perf *p, const char *op, const char *solver, const char *params)
{
    struct lore_submission *doc = p->in->doc;
    struct lore_arena *arena = p->in->arena;
    const char *kernel = lore_build_kernel(arena, doc, op, LORE_LANG_HIP, "miopen");
    const char *id = lore_build_id(arena, 0, "miopen-perf-config|%s|%s|%s", kernel, solver, params);
    size_t *known = lore_index_at(arena, &p->versions, id);

    p->entries++;
    if ((*known)++ > 0)
        return;
    struct lore_version *v = LORE_PUSH(arena, doc->versions, doc->n_versions, doc->cap_versions);
    v->id = id;
    v->kernel = kernel;
    v->kind = LORE_V_CANDIDATE;
    v->label = lore_format(arena, "%.100s %.80s", solver, params);
    lore_kvs_set(arena, &v->params, "solver", lore_build_json_text(arena, solver));
    lore_kvs_set(arena, &v->params, "perf_config", lore_build_json_text(arena, params));
}

/* The two forms of a key: of a find database, or its parts joined by 'x'. */
static const char *
operator_of(struct lore_arena *arena, const char *key)
{
    struct lore_miopen_problem problem;

    if (lore_miopen_key(arena, key, &problem, NULL) == LORE_OK)
        return problem.op;
    return strchr(key, 'x') && key[strspn(key, "0123456789xNCDHWFPBINT-_")] == '\0' ? "conv2d"
                                                                                    : NULL;
}

static enum lore_status
read_line(struct perf *p, char *line, struct lore_err *err)
{
    struct lore_arena *arena = p->in->arena;
    char *values = strchr(line, '=');

    p->in->records++;
    if (!values)
        return lore_fail(err, LORE_INVALID, "expected problem=solver:parameters;…");
    *values++ = '\0';
    const char *op = operator_of(arena, line);
    if (!op)
        return lore_fail(err, LORE_INVALID, "\"%.80s\" is no problem", line);
    for (char *next; values; values = next) {
        next = strchr(values, ';');
        if (next)
            *next++ = '\0';
        char *colon = strchr(values, ':');
        if (!colon || colon == values)
            return lore_fail(err, LORE_INVALID, "\"%.60s\": expected solver:parameters", values);
        *colon = '\0';
        map_version(p, op, values, colon + 1);
    }
    p->problems++;
    return LORE_OK;
}

static enum lore_status
read_text(struct perf *p, struct lore_err *err)
{
    struct lore_import *in = p->in;
    struct lore_feed feed;
    struct lore_window w;
    const char *text;
    size_t len, line;

    if (lore_feed_open(in, &feed, err) != LORE_OK)
        return LORE_INVALID;
    lore_window_open(&w, &feed);
    while (lore_window_next_line(&w, &text, &len, &line)) {
        struct lore_err inner = {0};
        if (len > 0 && read_line(p, lore_strndup(in->arena, text, len), &inner) != LORE_OK)
            lore_import_refuse_line(in, line, "%s", inner.msg);
    }
    enum lore_status status =
        w.err.status == LORE_OK ? LORE_OK : lore_fail(err, w.err.status, "%s", w.err.msg);
    lore_window_close(&w);
    return status;
}

/* ---- SQLite ---- */

static const char *
text_of(const struct lore_json *row, const char *column)
{
    const struct lore_json *m = lore_json_get(row, column);

    return m && m->type == LORE_J_STRING && m->len > 0 ? m->str : NULL;
}

static void
take_row(struct perf *p, const struct lore_json *row, size_t n)
{
    const struct lore_json *dims = lore_json_get(row, "dims");
    const char *solver = text_of(row, "solver"), *params = text_of(row, "params");

    p->in->records++;
    if (!solver || !params) {
        p->in->refused++;
        lore_import_note(p->in, LORE_IL_ERRORS, "%s: row %zu of perf_db: %s: expected text",
            p->in->at->path, n, solver ? "params" : "solver");
        return;
    }
    map_version(p, dims && dims->type == LORE_J_NUMBER && dims->i == 3 ? "conv3d" : "conv2d",
        lore_strdup(p->in->arena, solver), lore_strdup(p->in->arena, params));
}

/* What is not read, so that the report names it. */
static void
say_tables(struct perf *p, struct lore_sqlite *file)
{
    const struct lore_texts *names = lore_sqlite_names(file);

    if (lore_sqlite_has(file, "perf_db", "arch"))
        lore_import_note(p->in, LORE_IL_EXTRA,
            "%s: arch and num_cu of the tuned solvers are in the file only", p->in->at->path);
    for (size_t i = 0; i < names->n; i++)
        if (!lore_streqi(names->v[i], "perf_db") && !lore_streqi(names->v[i], "config"))
            lore_import_note(
                p->in, LORE_IL_EXTRA, "%s: table %s: not read", p->in->at->path, names->v[i]);
}

static enum lore_status
read_database(struct perf *p, struct lore_err *err)
{
    struct lore_sqlite *file = NULL;
    struct lore_sqlite_rows rows = {0};

    if (lore_sqlite_open(p->in, &file, err) != LORE_OK)
        return LORE_INVALID;
    bool dims = lore_sqlite_has(file, "config", "spatial_dim");
    enum lore_status status = lore_sqlite_query(file,
        dims ? "SELECT p.solver AS solver, p.params AS params, c.spatial_dim AS dims, c.id AS "
               "problem FROM perf_db AS p LEFT JOIN config AS c ON c.id = p.config"
             : "SELECT solver, params FROM perf_db",
        &rows, err);
    while (status == LORE_OK && lore_sqlite_next(&rows))
        take_row(p, rows.row, rows.n);
    enum lore_status end = lore_sqlite_end(&rows, status == LORE_OK ? err : NULL);
    status = status == LORE_OK ? end : status;
    if (status == LORE_OK && lore_sqlite_query(file, "SELECT count(*) AS n FROM config", &rows,
                                 &(struct lore_err){0}) == LORE_OK) {
        if (lore_sqlite_next(&rows) && lore_json_get(rows.row, "n"))
            p->problems = (size_t)lore_json_get(rows.row, "n")->i;
        (void)!lore_sqlite_end(&rows, NULL);
    }
    if (status == LORE_OK)
        say_tables(p, file);
    lore_sqlite_close(file);
    return status;
}

enum lore_status
lore_miopen_perf_read(struct lore_import *in, struct lore_err *err)
{
    struct perf p = {.in = in};
    enum lore_status status =
        in->at && is_database(in->at) ? read_database(&p, err) : read_text(&p, err);

    lore_import_note(in, LORE_IL_DOUBTS,
        "%s: a performance database holds no times: %zu tuned solvers of %zu problems are versions "
        "without a run",
        in->file, p.entries, p.problems);
    lore_import_note(
        in, LORE_IL_EXTRA, "%s: the problems of the tuned solvers are in the file only", in->file);
    return status;
}
