/* `warplore export --flashinfer KERNEL DIR`: a kernel as the files of FlashInfer Trace, which
 * FlashInfer Bench reads: definitions/, solutions/ and traces/ below DIR. A definition is the
 * kernel with one number format, a solution one of its versions, a trace one run of it on a
 * workload. The service does not know the tensors of a kernel, so a definition has one input, which
 * states the number format. The format has no word for a run that nobody checked: those are left
 * out. */
#include <string.h>
#include <unistd.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/ask/fetch.h"
#include "collectors/client/commands/export.h"
#include "collectors/client/commands/fetching.h"
#include "collectors/client/screen/rows.h"
#include "collectors/import/index.h"
#include "service/base/file.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

struct dataset {
    struct lore_fetching f;
    struct lore_arena *arena;
    const char *dir;
    const struct lore_json *kernel;
    struct lore_index written; /* files of definitions and solutions */
    struct lore_index traces;  /* definition -> index into text + 1 */
    struct trace {
        const char *definition;
        struct lore_buf text;
    } * text;
    size_t n, cap, runs, left_out;
};

/* A text as the name of a file: letters, digits, '_', '-', '.'. */
static const char *
slug(struct lore_arena *arena, const char *text)
{
    char *out = lore_strdup(arena, text);

    for (char *p = out; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.", *p) ||
            (*p == '.' && p == out))
            *p = '_';
    return *out ? out : "unnamed";
}

static enum lore_status
put_file(struct dataset *d, const char *folder, const char *name, struct lore_buf *out,
    struct lore_err *err)
{
    const char *in = lore_format(d->arena, "%s/%s", d->dir, folder);
    const char *path = lore_format(d->arena, "%s/%s", in, name);
    enum lore_status status = lore_mkdirs(in, 0755, err);

    if (status == LORE_OK && access(path, F_OK) == 0)
        status = lore_fail(err, LORE_CONFLICT, "%s: the file exists; choose an empty folder", path);
    if (status == LORE_OK)
        status = lore_buf_status(out, path, err);
    if (status == LORE_OK)
        status = lore_file_write(path, out->data, out->len, 0644, err);
    return status;
}

/* ---- definition and solution ---- */

static const char *
definition_of(struct dataset *d, const struct lore_json *load)
{
    const char *dtype = lore_fetch_text(load, "dtype"), *name = lore_fetch_text(d->kernel, "name");

    return slug(d->arena, dtype ? lore_format(d->arena, "%s_%s", name, dtype) : name);
}

static enum lore_status
put_definition(
    struct dataset *d, const char *name, const struct lore_json *load, struct lore_err *err)
{
    const struct lore_json *dims = lore_fetch_object(load, "dims");
    struct lore_buf out = {.max = 16u << 20};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &out, true);
    lore_w_obj(&w);
    lore_w_kstr(&w, "name", name);
    lore_w_kstr(&w, "op_type", lore_fetch_text(d->kernel, "operator"));
    lore_w_key(&w, "axes");
    lore_w_obj(&w);
    for (const struct lore_json *m = dims ? dims->child : NULL; m; m = m->next) {
        lore_w_key(&w, m->key);
        lore_w_raw(&w, "{\"type\":\"var\"}");
    }
    lore_w_obj_end(&w);
    lore_w_key(&w, "inputs");
    lore_w_obj(&w);
    if (lore_fetch_text(load, "dtype")) {
        lore_w_key(&w, "data");
        lore_w_obj(&w);
        lore_w_key(&w, "shape");
        lore_w_raw(&w, "null");
        lore_w_kstr(&w, "dtype", lore_fetch_text(load, "dtype"));
        lore_w_obj_end(&w);
    }
    lore_w_obj_end(&w);
    lore_w_key(&w, "outputs");
    lore_w_raw(&w, "{}");
    lore_w_kstr(&w, "reference", "");
    lore_w_obj_end(&w);
    enum lore_status status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        status = put_file(d, "definitions", lore_format(d->arena, "%s.json", name), &out, err);
    lore_buf_free(&out);
    return status;
}

static void
put_sources(struct lore_jsonw *w, const struct lore_json *record)
{
    const struct lore_json *list = lore_json_get(record, "sources");

    lore_w_key(w, "sources");
    lore_w_arr(w);
    for (const struct lore_json *s = list ? list->child : NULL; s; s = s->next) {
        const char *text = lore_fetch_text(s, "text");
        if (!text)
            continue;
        lore_w_obj(w);
        lore_w_kstr(w, "path", lore_fetch_text(s, "file"));
        lore_w_kstr(w, "content", text);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static enum lore_status
put_solution(struct dataset *d, const char *name, const char *definition,
    const struct lore_json *run, struct lore_err *err)
{
    const struct lore_json *version = NULL;
    struct lore_buf out = {.max = 64u << 20};
    struct lore_jsonw w;
    enum lore_status status = lore_fetch_one(&d->f.fetch,
        lore_format(d->arena, "/api/v1/versions/%s", lore_fetch_text(run, "version")), &version,
        err);

    if (status == LORE_OK && !version)
        status = lore_fail(err, LORE_NOTFOUND, "version %s: the service does not have it", name);
    if (status != LORE_OK)
        return status;
    const struct lore_json *record = lore_fetch_object(version, "record");
    const char *entry = lore_fetch_text(lore_fetch_object(record, "build"), "entry_point");
    lore_jsonw_begin(&w, &out, true);
    lore_w_obj(&w);
    lore_w_kstr(&w, "name", name);
    lore_w_kstr(&w, "definition", definition);
    lore_w_kstr(&w, "author", "warplore");
    lore_w_kstr_opt(&w, "description", lore_fetch_text(version, "summary"));
    lore_w_key(&w, "spec");
    lore_w_obj(&w);
    lore_w_kstr(&w, "language", lore_fetch_text(d->kernel, "language"));
    lore_w_key(&w, "target_hardware");
    lore_w_arr(&w);
    if (lore_fetch_text(run, "chip"))
        lore_w_str(&w, lore_fetch_text(run, "chip"));
    lore_w_arr_end(&w);
    lore_w_kstr(&w, "entry_point", entry ? entry : "");
    lore_w_obj_end(&w);
    put_sources(&w, record);
    lore_w_kstr(&w, "entry_point", entry ? entry : "");
    lore_w_obj_end(&w);
    status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        status = put_file(d, "solutions", lore_format(d->arena, "%s.json", name), &out, err);
    lore_buf_free(&out);
    return status;
}

/* ---- traces ---- */

/* The format's word for how a run ended; NULL: nobody checked it. */
static const char *
status_of(const struct lore_json *run)
{
    const char *error = lore_fetch_text(run, "error_type"),
               *checked = lore_fetch_text(run, "correctness");

    if (error)
        return lore_streq(error, "compilation") ? "COMPILE_ERROR"
               : lore_streq(error, "timeout")   ? "TIMEOUT"
                                                : "RUNTIME_ERROR";
    return lore_streq(checked, "pass")      ? "PASSED"
           : lore_streq(checked, "timeout") ? "TIMEOUT"
           : lore_streq(checked, "fail")    ? "INCORRECT_NUMERICAL"
                                            : NULL;
}

static void
put_trace(struct lore_jsonw *w, const char *definition, const char *solution, const char *status,
    const struct lore_json *run)
{
    const struct lore_json *load = lore_fetch_object(run, "workload"),
                           *record = lore_fetch_object(run, "record");
    const struct lore_json *dims = lore_fetch_object(load, "dims");
    const char *log = lore_fetch_text(lore_fetch_object(record, "error"), "message");
    double ns, error;

    lore_w_obj(w);
    lore_w_kstr(w, "definition", definition);
    lore_w_kstr(w, "solution", solution);
    lore_w_key(w, "workload");
    lore_w_obj(w);
    lore_w_kstr(w, "uuid", lore_fetch_text(run, "id"));
    lore_w_key(w, "axes");
    if (dims)
        lore_w_node(w, dims);
    else
        lore_w_raw(w, "{}");
    lore_w_key(w, "inputs");
    lore_w_raw(w, "{}");
    lore_w_obj_end(w);
    lore_w_key(w, "evaluation");
    lore_w_obj(w);
    lore_w_kstr(w, "status", status);
    lore_w_key(w, "environment");
    lore_w_obj(w);
    lore_w_kstr(w, "hardware", lore_fetch_text(run, "chip") ? lore_fetch_text(run, "chip") : "");
    lore_w_obj_end(w);
    lore_w_kstr_opt(w, "timestamp", lore_fetch_text(run, "measured_at"));
    lore_w_kstr(w, "log", log ? log : "");
    lore_w_key(w, "correctness");
    lore_w_obj(w);
    if (lore_fetch_number(lore_fetch_object(record, "correctness"), "max_abs_err", &error))
        lore_w_kf64(w, "max_absolute_error", error);
    if (lore_fetch_number(lore_fetch_object(record, "metrics"), "max_relative_error", &error))
        lore_w_kf64(w, "max_relative_error", error);
    lore_w_obj_end(w);
    if (lore_fetch_number(run, "time_ns", &ns)) {
        lore_w_key(w, "performance");
        lore_w_obj(w);
        lore_w_kf64(w, "latency_ms", ns / 1e6);
        lore_w_obj_end(w);
    }
    lore_w_obj_end(w);
    lore_w_obj_end(w);
}

static struct lore_buf *
trace_of(struct dataset *d, const char *definition)
{
    size_t *at = lore_index_at(d->arena, &d->traces, definition);

    if (*at == 0) {
        *LORE_PUSH(d->arena, d->text, d->n, d->cap) =
            (struct trace){definition, {.max = (size_t)1 << 30}};
        *at = d->n;
    }
    return &d->text[*at - 1].text;
}

static enum lore_status
add_run(struct dataset *d, const struct lore_json *row, struct lore_err *err)
{
    const struct lore_json *run = NULL;
    const char *status_word = status_of(row), *id = lore_fetch_text(row, "id");
    struct lore_jsonw w;

    if (!status_word || lore_fetch_bool(row, "retracted")) {
        d->left_out++;
        return LORE_OK;
    }
    enum lore_status status =
        lore_fetch_one(&d->f.fetch, lore_format(d->arena, "/api/v1/runs/%s", id), &run, err);
    if (status != LORE_OK || !run)
        return status;
    const struct lore_json *from =
        lore_fetch_object(lore_fetch_object(run, "record"), "provenance");
    if (lore_streq(lore_fetch_text(from, "redistribution"), "forbidden"))
        return lore_fail(
            err, LORE_FORBIDDEN, "run %s: withheld, its licence forbids redistribution", id);
    const struct lore_json *load = lore_fetch_object(run, "workload");
    const char *definition = definition_of(d, load), *label = lore_fetch_text(run, "version_label");
    const char *version = lore_fetch_text(run, "version");
    size_t tail = strlen(version) > 6 ? strlen(version) - 6 : 0;
    const char *solution = lore_format(d->arena, "%s_%s_%s", definition,
        slug(d->arena, label ? label : "version"), version + tail);
    if ((*lore_index_at(d->arena, &d->written, definition))++ == 0)
        status = put_definition(d, definition, load, err);
    if (status == LORE_OK && (*lore_index_at(d->arena, &d->written, solution))++ == 0)
        status = put_solution(d, solution, definition, run, err);
    if (status != LORE_OK)
        return status;
    struct lore_buf *out = trace_of(d, definition);
    lore_jsonw_begin(&w, out, false);
    put_trace(&w, definition, solution, status_word, run);
    status = lore_jsonw_end(&w, err);
    lore_buf_putc(out, '\n');
    d->runs++;
    return status;
}

static enum lore_status
add_version(struct dataset *d, const struct lore_json *version, struct lore_err *err)
{
    struct lore_fetched rows = {0};
    enum lore_status status = lore_fetch_all(&d->f.fetch,
        lore_format(d->arena, "/api/v1/runs?version=%s", lore_fetch_text(version, "id")), &rows,
        err);

    for (size_t i = 0; i < rows.n && status == LORE_OK; i++)
        status = add_run(d, rows.v[i], err);
    return status;
}

static enum lore_status
put_all(struct dataset *d, const char *id, struct lore_err *err)
{
    struct lore_fetched versions = {0};
    enum lore_status status = lore_fetch_one(
        &d->f.fetch, lore_format(d->arena, "/api/v1/kernels/%s", id), &d->kernel, err);

    if (status == LORE_OK && !d->kernel)
        status = lore_fail(err, LORE_NOTFOUND, "%s: no such kernel", id);
    if (status == LORE_OK)
        status = lore_fetch_all(
            &d->f.fetch, lore_format(d->arena, "/api/v1/versions?kernel=%s", id), &versions, err);
    for (size_t i = 0; i < versions.n && status == LORE_OK; i++)
        status = add_version(d, versions.v[i], err);
    for (size_t i = 0; i < d->n && status == LORE_OK; i++)
        status = put_file(d, "traces", lore_format(d->arena, "%s.jsonl", d->text[i].definition),
            &d->text[i].text, err);
    if (status == LORE_OK && d->left_out > 0)
        lore_fetch_note(&d->f.fetch,
            "%zu runs that nobody checked, or that were retracted, are left out: the format has "
            "no word for them",
            d->left_out);
    return status;
}

int
lore_export_flashinfer(struct lore_cli *cli, const char *kernel, const char *dir)
{
    struct dataset d = {.arena = cli->arena, .dir = dir};
    struct lore_err err = {0};
    const char *id = NULL;

    lore_fetching_begin(&d.f, cli);
    d.f.code = lore_ask_named(cli, "/api/v1/kernels", kernel, &id);
    enum lore_status status = d.f.code == LORE_EXIT_OK
                                  ? put_all(&d, id, &err)
                                  : lore_fail(&err, LORE_NOTFOUND, "%s: no such kernel", kernel);
    for (size_t i = 0; i < d.n; i++)
        lore_buf_free(&d.text[i].text);
    if (status != LORE_OK)
        return lore_fetching_end(&d.f, status, &err);
    lore_buf_printf(&cli->out, "%s in %s/traces\n",
        lore_answer_show_count(cli, (long long)d.runs, "run", "runs"), dir);
    return LORE_EXIT_OK;
}
