/* `warplore export --flashinfer KERNEL DIR`: a kernel as the files of FlashInfer Trace, which
 * FlashInfer Bench reads: definitions/, solutions/ and traces/ below DIR. A definition is the
 * kernel with one number format, a solution one of its versions, a trace one run of it on a
 * workload. The tensors of a definition follow from its operator where the table below has it; else
 * it has one input, which states the number format. The format has no word for a run that nobody
 * checked: its solution is written, and its workload without a result, for FlashInfer Bench to
 * run. */
#include <string.h>
#include <strings.h>
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
    struct lore_index traces;  /* "traces/gemm_f16.jsonl" -> index into text + 1 */
    struct trace {
        const char *folder, *definition;
        struct lore_buf text;
    } * text;
    size_t n, cap, runs, workloads, unchecked, retracted;
};

/* The tensors of operators: names with the dims of each, outputs behind the arrow. "*": all dims.
 */
static const struct {
    const char *op, *tensors;
} shapes[] = {{"gemm", "A=M,K B=K,N > C=M,N"}, {"batched_gemm", "A=B,M,K B=B,K,N > C=B,M,N"},
    {"gemv", "A=M,N x=N > y=M"}, {"transpose", "x=* > y=*"}, {"copy", "x=* > y=*"},
    {"softmax", "x=* > y=*"}, {"relu", "x=* > y=*"}, {"gelu", "x=* > y=*"}, {"silu", "x=* > y=*"}};

/* The format's names of number formats; others are written as they are. */
static const char *
dtype_of(const struct lore_json *load)
{
    static const struct {
        const char *ours, *theirs;
    } names[] = {{"f64", "float64"}, {"f32", "float32"}, {"fp32", "float32"}, {"f16", "float16"},
        {"fp16", "float16"}, {"bf16", "bfloat16"}, {"fp8_e4m3", "float8_e4m3fn"},
        {"fp8_e5m2", "float8_e5m2"}, {"i8", "int8"}};
    const char *dtype = lore_fetch_text(load, "dtype");

    for (size_t i = 0; dtype && i < sizeof names / sizeof *names; i++)
        if (lore_streqi(dtype, names[i].ours))
            return names[i].theirs;
    return dtype;
}

/* The dim of LOAD that is called NAME in any case; NULL: none. */
static const struct lore_json *
dim_of(const struct lore_json *load, const char *name, size_t n)
{
    const struct lore_json *dims = lore_fetch_object(load, "dims");

    for (const struct lore_json *m = dims ? dims->child : NULL; m; m = m->next)
        if (strlen(m->key) == n && strncasecmp(m->key, name, n) == 0)
            return m;
    return NULL;
}

/* The tensors of D's kernel if LOAD has all dims that they need and states its number format. */
static const char *
tensors_of(const struct dataset *d, const struct lore_json *load)
{
    const char *op = lore_fetch_text(d->kernel, "operator");

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (!lore_streq(shapes[i].op, op) || !dtype_of(load))
            continue;
        for (const char *p = strchr(shapes[i].tensors, '='); p; p = strchr(p, '=')) {
            for (p++; *p && *p != ' '; p += strcspn(p, ", ")) {
                p += *p == ',';
                if (*p != '*' && !dim_of(load, p, strcspn(p, ", ")))
                    return NULL;
            }
        }
        return shapes[i].tensors;
    }
    return NULL;
}

/* The dims at P, up to a space, as names of axes. */
static void
put_shape(struct lore_jsonw *w, const struct lore_json *load, const char *p)
{
    const struct lore_json *dims = lore_fetch_object(load, "dims");

    lore_w_arr(w);
    for (const struct lore_json *m = *p == '*' && dims ? dims->child : NULL; m; m = m->next)
        lore_w_str(w, m->key);
    for (; *p && *p != ' ' && *p != '*'; p += strcspn(p, ", ")) {
        p += *p == ',';
        lore_w_str(w, dim_of(load, p, strcspn(p, ", "))->key);
    }
    lore_w_arr_end(w);
}

/* The tensors of LIST up to '>' or its end: NAME: {shape, dtype}; as INPUTS of a workload NAME:
 * {type: random}. */
static void
put_tensors(struct lore_jsonw *w, struct lore_arena *arena, const struct lore_json *load,
    const char *list, bool random)
{
    lore_w_obj(w);
    for (const char *p = list; p && *p && *p != '>'; p += strspn(p, " ")) {
        size_t n = strcspn(p, "=");
        lore_w_key(w, lore_strndup(arena, p, n));
        lore_w_obj(w);
        if (random) {
            lore_w_kstr(w, "type", "random");
        } else {
            lore_w_key(w, "shape");
            put_shape(w, load, p + n + 1);
            lore_w_kstr(w, "dtype", dtype_of(load));
        }
        lore_w_obj_end(w);
        p += strcspn(p, " ");
    }
    lore_w_obj_end(w);
}

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
    const char *tensors = tensors_of(d, load);
    if (tensors)
        lore_w_kstr(&w, "description", "Tensors by the operator; no record states their layout.");
    lore_w_key(&w, "inputs");
    if (!tensors && dtype_of(load)) {
        lore_w_obj(&w);
        lore_w_key(&w, "data");
        lore_w_obj(&w);
        lore_w_key(&w, "shape");
        lore_w_raw(&w, "null");
        lore_w_kstr(&w, "dtype", dtype_of(load));
        lore_w_obj_end(&w);
        lore_w_obj_end(&w);
    } else {
        put_tensors(&w, d->arena, load, tensors, false);
    }
    lore_w_key(&w, "outputs");
    put_tensors(&w, d->arena, load, tensors ? strchr(tensors, '>') + 2 : NULL, false);
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

/* A run on its workload. STATUS NULL: the workload alone, for others to run. */
static void
put_trace(struct dataset *d, struct lore_jsonw *w, const char *definition, const char *solution,
    const char *status, const struct lore_json *run)
{
    const struct lore_json *load = lore_fetch_object(run, "workload"),
                           *record = lore_fetch_object(run, "record");
    const struct lore_json *dims = lore_fetch_object(load, "dims");
    const char *log = lore_fetch_text(lore_fetch_object(record, "error"), "message");
    double ns, error;

    lore_w_obj(w);
    lore_w_kstr(w, "definition", definition);
    lore_w_kstr(w, "solution", status ? solution : NULL);
    lore_w_key(w, "workload");
    lore_w_obj(w);
    lore_w_kstr(w, "uuid", lore_fetch_text(run, "id"));
    lore_w_key(w, "axes");
    if (dims)
        lore_w_node(w, dims);
    else
        lore_w_raw(w, "{}");
    lore_w_key(w, "inputs");
    put_tensors(w, d->arena, load, tensors_of(d, load), true);
    lore_w_obj_end(w);
    lore_w_key(w, "evaluation");
    if (!status) {
        lore_w_raw(w, "null");
        lore_w_obj_end(w);
        return;
    }
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
trace_of(struct dataset *d, const char *folder, const char *definition)
{
    size_t *at =
        lore_index_at(d->arena, &d->traces, lore_format(d->arena, "%s/%s", folder, definition));

    if (*at == 0) {
        *LORE_PUSH(d->arena, d->text, d->n, d->cap) =
            (struct trace){folder, definition, {.max = (size_t)1 << 30}};
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

    if (lore_fetch_bool(row, "retracted")) {
        d->retracted++;
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
    d->unchecked += !status_word;
    const char *place =
        lore_format(d->arena, "workload %s of %s", lore_fetch_text(load, "id"), definition);
    if (!status_word && (*lore_index_at(d->arena, &d->written, place))++ > 0)
        return LORE_OK;
    struct lore_buf *out = trace_of(d, status_word ? "traces" : "workloads", definition);
    lore_jsonw_begin(&w, out, false);
    put_trace(d, &w, definition, solution, status_word, run);
    status = lore_jsonw_end(&w, err);
    lore_buf_putc(out, '\n');
    d->runs += status_word != NULL;
    d->workloads += !status_word;
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
        status = put_file(d, d->text[i].folder,
            lore_format(d->arena, "%s.jsonl", d->text[i].definition), &d->text[i].text, err);
    if (status == LORE_OK && d->unchecked > 0)
        lore_fetch_note(&d->f.fetch,
            "%zu runs that nobody checked have no trace, because the format has no word for them: "
            "their solutions are written, and their workloads in %s/workloads",
            d->unchecked, d->dir);
    if (status == LORE_OK && d->retracted > 0)
        lore_fetch_note(&d->f.fetch, "%zu retracted runs are left out", d->retracted);
    if (status == LORE_OK && d->n == 0)
        status = lore_fail(err, LORE_NOTFOUND,
            "%s has no run that could be exported; nothing is "
            "written",
            lore_fetch_text(d->kernel, "name"));
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
    lore_buf_printf(&cli->out, "%s in %s/traces, %s in %s/workloads\n",
        lore_answer_show_count(cli, (long long)d.runs, "run", "runs"), dir,
        lore_answer_show_count(cli, (long long)d.workloads, "workload", "workloads"), dir);
    return LORE_EXIT_OK;
}
