/* Makes the kernel's and the version's record from the user's options. The service refuses a known
 * id with other content, so a version's id is derived from its whole record. Equal options and
 * files give the same version; a label added later gives another one. The ledger finds versions by
 * the content of their files alone. */
#include "collectors/run/collect_ids.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

enum { SMALL_FILE = 1 << 20, SOURCES_MAX = 4 << 20, TEXT_MAX_BYTES = 8 << 10 };
#define PROGRAM_MAX (512u << 20)
#define NAME_MAX_BYTES 200 /* of a name on the wire */

void
lore_collect_text(struct lore_arena *arena, struct lore_kvs *kvs, const char *key, const char *text)
{
    size_t n = text ? strlen(text) : 0;

    /* a template's name can be longer than a record's member allows */
    if (n > TEXT_MAX_BYTES)
        text = lore_format(arena, "%.*s…", (int)lore_utf8_prefix(text, TEXT_MAX_BYTES), text);
    if (n > 0)
        lore_kvs_set(arena, kvs, key, lore_kvs_quote(arena, text));
}

void
lore_collect_number(struct lore_arena *arena, struct lore_kvs *kvs, const char *key, uint64_t v)
{
    lore_kvs_set(arena, kvs, key, lore_format(arena, "%llu", (unsigned long long)v));
}

static bool
ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);

    return n >= m && strcmp(s + n - m, end) == 0;
}

/* ---- the program ---- */

static const char *
executable(struct lore_arena *arena, const char *name)
{
    const char *path = getenv("PATH");

    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? name : NULL;
    for (const char *p = path; p && *p; p += *p == ':') {
        size_t n = strcspn(p, ":");
        const char *full = lore_format(arena, "%.*s/%s", (int)n, p, name);
        if (n > 0 && access(full, X_OK) == 0)
            return full;
        p += n;
    }
    return NULL;
}

/* The hash of the file at PATH; NULL when it cannot be read or is larger than MAX. */
static const char *
file_hash(struct lore_arena *arena, const char *path, size_t max)
{
    struct lore_buf text = {.max = max};
    struct stat st;
    char hex[LORE_HASH_HEX];
    const char *out = NULL;

    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || (size_t)st.st_size > max)
        return NULL;
    if (lore_file_read(path, &text, NULL) == LORE_OK) {
        lore_hash_hex(text.data ? text.data : "", text.len, hex);
        out = lore_strdup(arena, hex);
    }
    lore_buf_free(&text);
    return out;
}

void
lore_collect_program(struct lore_arena *arena, char *const *argv, struct lore_program *program)
{
    const char *all = "";
    bool interpreted = false;
    char hex[LORE_HASH_HEX];

    memset(program, 0, sizeof *program);
    program->name = argv && argv[0] ? lore_build_basename(argv[0]) : "program";
    if (!argv || !argv[0])
        return;
    interpreted = lore_starts(program->name, "python") || lore_starts(program->name, "torchrun");
    program->path = executable(arena, argv[0]);
    const char *hash = program->path ? file_hash(arena, program->path, PROGRAM_MAX) : NULL;
    all = hash ? hash : program->name;
    for (size_t i = 1; argv[i]; i++) {
        hash = file_hash(arena, argv[i], SMALL_FILE);
        if (!hash)
            continue;
        all = lore_format(arena, "%s %s", all, hash);
        if (interpreted && ends_with(argv[i], ".py")) {
            program->name = lore_build_basename(argv[i]);
            interpreted = false;
        }
        if (ends_with(argv[i], ".cubin"))
            program->cubin = argv[i];
    }
    lore_hash_hex(all, strlen(all), hex);
    program->content = lore_strdup(arena, hex);
}

/* ---- kernel ---- */

/* If no language is given, guess it from the first version file, else from the vendor. */
enum lore_language
lore_collect_language(const struct lore_observations *c)
{
    const char *file = c->what.version_files.n ? c->what.version_files.v[0] : "";
    const char *vendor = c->backend ? c->backend->vendor : "";
    struct lore_buf text = {.max = SMALL_FILE};
    bool triton = false;

    if (c->what.language)
        return c->what.language;
    if (ends_with(file, ".py") && lore_file_read(file, &text, NULL) == LORE_OK && text.data)
        triton = strstr(text.data, "triton") != NULL;
    lore_buf_free(&text);
    if (ends_with(file, ".py"))
        return triton ? LORE_LANG_TRITON : LORE_LANG_OTHER;
    if (ends_with(file, ".hip") || lore_streq(vendor, "amd"))
        return LORE_LANG_HIP;
    if (ends_with(file, ".cu") || ends_with(file, ".cuh") || lore_streq(vendor, "nvidia"))
        return LORE_LANG_CUDA;
    return LORE_LANG_OTHER;
}

const char *
lore_collect_kernel(struct lore_collecting *b)
{
    const struct lore_run_options *w = &b->c->what;
    const char *op = lore_operator_name(b->arena, w->op);
    enum lore_language language = lore_collect_language(b->c);
    const char *name = w->kernel ? w->kernel : op;

    /* store a family only for an operator that the catalogue does not know; it is then part of
     * the record and of the id */
    b->doc->project = w->project;
    if (!w->family || lore_operator_find(w->op))
        return lore_build_kernel(b->arena, b->doc, op, language, name);
    struct lore_kernel *k =
        LORE_PUSH(b->arena, b->doc->kernels, b->doc->n_kernels, b->doc->cap_kernels);
    k->project = w->project;
    k->op = op;
    k->family = lore_slug(b->arena, w->family);
    k->language = language;
    k->name = name;
    k->id = lore_build_id(b->arena, 0, "kernel|%s|%s|%s|family|%s%s", op,
        lore_language_name(language), name, k->family, lore_build_of_project(b->arena, b->doc));
    return k->id;
}

/* ---- version ---- */

static enum lore_status
bad_file(struct lore_err *err, enum lore_status status, const char *path, const char *why)
{
    return lore_fail_at(err, status, status == LORE_NOTFOUND ? "not_found" : "invalid_value",
        "--source", "--source %s: %s", path, why);
}

static enum lore_status
read_source(struct lore_arena *arena, const char *path, struct lore_source *out, size_t *bytes,
    struct lore_err *err)
{
    struct lore_buf text = {.max = SMALL_FILE};
    struct lore_err inner = {0};
    enum lore_status status = lore_file_read(path, &text, &inner);

    out->file = lore_build_basename(path);
    out->text = lore_strndup(arena, text.data ? text.data : "", text.len);
    *bytes += text.len;
    bool good = lore_utf8_valid(out->text, text.len) && strlen(out->text) == text.len;
    lore_buf_free(&text);
    if (status == LORE_TOOBIG || *bytes > SOURCES_MAX)
        return bad_file(err, LORE_TOOBIG, path, "more than 1 MiB, or 4 MiB in all");
    if (status != LORE_OK)
        return bad_file(err, status, path, status == LORE_NOTFOUND ? "no such file" : inner.msg);
    return good ? LORE_OK : bad_file(err, LORE_INVALID, path, "not UTF-8 text");
}

enum lore_status
lore_collect_content(struct lore_arena *arena, const struct lore_texts *files,
    struct lore_source **sources, const char **content, struct lore_err *err)
{
    struct lore_source *v = lore_alloc_array(arena, files->n + 1, sizeof *v);
    const char *all = "files";
    char hex[LORE_HASH_HEX];
    size_t bytes = 0;

    for (size_t i = 0; i < files->n; i++) {
        enum lore_status status = read_source(arena, files->v[i], &v[i], &bytes, err);
        if (status != LORE_OK)
            return status;
        lore_hash_hex(v[i].text, strlen(v[i].text), hex);
        all = lore_format(arena, "%s %s", all, hex);
    }
    lore_hash_hex(all, strlen(all), hex);
    *content = lore_strdup(arena, hex);
    if (sources)
        *sources = v;
    return LORE_OK;
}

/* "v3.cu" -> "v3" */
static const char *
stem(struct lore_arena *arena, const char *path)
{
    const char *base = lore_build_basename(path), *dot = strrchr(base, '.');
    size_t n = dot && dot > base ? (size_t)(dot - base) : strlen(base);

    return lore_strndup(
        arena, base, lore_utf8_prefix(base, n < NAME_MAX_BYTES ? n : NAME_MAX_BYTES));
}

static const char *
version_id(struct lore_arena *arena, const struct lore_version *v, const char *content)
{
    char params[33], build[33];
    const char *files = "";

    lore_kvs_hash(&v->params, params);
    lore_kvs_hash(&v->build, build);
    for (size_t i = 0; i < v->n_sources; i++)
        files = lore_format(arena, "%s/%s", files, v->sources[i].file);
    const char *parent = v->n_parents ? v->parents[0].version : "";
    const char *edge = v->n_parents ? lore_edge_kind_name(v->parents[0].kind) : "";
    return lore_build_id(arena, 0, "version|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s", v->kernel, content,
        files, params, build, lore_version_kind_name(v->kind), v->label,
        v->summary ? v->summary : "", v->provenance.licence ? v->provenance.licence : "", parent,
        edge);
}

static void
fill_version(struct lore_arena *arena, const struct lore_version_spec *s, const char *content,
    struct lore_version *v)
{
    v->kernel = s->kernel;
    v->kind = s->kind;
    v->summary = s->summary;
    v->provenance.licence = s->licence;
    v->label = s->label     ? s->label
               : s->files.n ? stem(arena, s->files.v[0])
                            : stem(arena, s->program->name);
    if (s->params)
        v->params = *s->params;
    for (size_t i = 0; s->build && i < s->build->n; i++)
        lore_kvs_set(arena, &v->build, s->build->v[i].key, s->build->v[i].value);
    if (s->files.n == 0)
        lore_collect_text(arena, &v->build, "program_hash", content);
    if (s->parent.version)
        *LORE_PUSH(arena, v->parents, v->n_parents, v->cap_parents) = s->parent;
}

enum lore_status
lore_collect_version(struct lore_collecting *b, const struct lore_version_spec *s, const char **id,
    const char **content)
{
    struct lore_version v = {0};

    if (s->files.n > 0) {
        enum lore_status status =
            lore_collect_content(b->arena, &s->files, &v.sources, content, b->err);
        if (status != LORE_OK)
            return status;
        v.n_sources = v.cap_sources = s->files.n;
    } else {
        *content = s->program->content ? s->program->content : "unknown";
    }
    fill_version(b->arena, s, *content, &v);
    v.id = *id = version_id(b->arena, &v, *content);
    for (size_t i = 0; i < b->doc->n_versions; i++)
        if (strcmp(b->doc->versions[i].id, v.id) == 0)
            return LORE_OK;
    *LORE_PUSH(b->arena, b->doc->versions, b->doc->n_versions, b->doc->cap_versions) = v;
    return LORE_OK;
}
