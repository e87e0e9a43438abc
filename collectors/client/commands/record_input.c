/* Other ways to give `record` its options: a YAML or JSON file whose keys are the options' names, a
 * whole submission, or a directory with hypothesis.txt and sources. Options on the command line
 * override the file. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collectors/client/commands/attempt_cmd.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/screen/print.h"
#include "collectors/import/hypothesis_txt.h"
#include "collectors/import/yamlfile.h"
#include "service/base/file.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define MAX_SOURCES 64

static bool
repeats(const char *name)
{
    for (const struct lore_opt *o = lore_record_opts; o->name; o++) {
        if (lore_streq(o->name, name))
            return o->repeat;
    }
    return false;
}

/* Objects are only meant for dims: {M: 4096}. */
static const char *
value_text(struct lore_cli *cli, const struct lore_json *node)
{
    if (node->type == LORE_J_STRING || node->type == LORE_J_NUMBER)
        return node->str;
    if (node->type == LORE_J_OBJECT)
        return lore_build_verbatim(cli->arena, node, NULL, NULL);
    if (node->type == LORE_J_ARRAY)
        return lore_answer_join(cli, node, ",");
    return NULL;
}

static enum lore_status
add_member(struct lore_cli *cli, const struct lore_json *m, const struct lore_args *given,
    struct lore_args *args, struct lore_err *err)
{
    char name[64];
    size_t n = strlen(m->key);

    if (m->type == LORE_J_NULL)
        return LORE_OK;
    for (size_t i = 0; i <= n && i < sizeof name; i++)
        name[i] = m->key[i] == '_' ? '-' : m->key[i];
    name[sizeof name - 1] = '\0';
    if (lore_streq(name, "file") || lore_streq(name, "dry-run"))
        return lore_fail_at(
            err, LORE_INVALID, "usage", m->key, "%s: not allowed in a file", m->key);
    if (lore_args_has(given, name))
        return LORE_OK;
    if (repeats(name) && m->type == LORE_J_ARRAY) {
        enum lore_status status = LORE_OK;
        for (const struct lore_json *v = m->child; v && status == LORE_OK; v = v->next) {
            if (v->type != LORE_J_STRING)
                return lore_fail_at(err, LORE_INVALID, "wrong_type", m->key,
                    "%s[%u]: expected text", m->key, v->index);
            status = lore_args_add(lore_record_opts, name, v->str, cli->arena, args, err);
        }
        return status;
    }
    const char *text = value_text(cli, m);
    if (!text)
        return lore_fail_at(
            err, LORE_INVALID, "wrong_type", m->key, "%s: expected text or a number", m->key);
    if (lore_streq(name, "change")) {
        if (given->words.n == 0)
            *LORE_PUSH(cli->arena, args->words.v, args->words.n, args->words.cap) = text;
        return LORE_OK;
    }
    return lore_args_add(lore_record_opts, name, text, cli->arena, args, err);
}

static enum lore_status
parse_any(struct lore_cli *cli, const char *path, const struct lore_buf *text,
    struct lore_json **root, struct lore_err *err)
{
    const char *data = text->data ? text->data : "";
    size_t skip = strspn(data, " \t\r\n");

    if (data[skip] == '{') {
        struct lore_err inner = {0};
        enum lore_status status = lore_json_parse(data, text->len, NULL, cli->arena, root, &inner);
        const char *what = lore_starts(inner.msg, "$: ") ? inner.msg + 3 : inner.msg;
        if (status != LORE_OK)
            return lore_fail_at(err, status, inner.code, inner.path, "%s: %s", path, what);
        return LORE_OK;
    }
    return lore_yamlfile_parse(data, text->len, path, cli->arena, root, err);
}

enum lore_status
lore_record_file(struct lore_cli *cli, const char *path, struct lore_args *args,
    struct lore_buf *body, struct lore_err *err)
{
    struct lore_buf text = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_args given = *args;
    struct lore_json *root = NULL;

    enum lore_status status = lore_file_read(path, &text, err);
    if (status == LORE_OK)
        status = lore_buf_status(&text, path, err);
    if (status == LORE_OK)
        status = parse_any(cli, path, &text, &root, err);
    if (status == LORE_OK && root->type != LORE_J_OBJECT)
        status =
            lore_fail(err, LORE_INVALID, "%s: expected options like `operator: softmax`", path);
    bool whole = status == LORE_OK && lore_json_get(root, "warplore");
    if (whole && text.data[strspn(text.data, " \t\r\n")] == '{') {
        lore_buf_add(body, text.data, text.len);
    } else if (whole) {
        struct lore_jsonw w;
        lore_jsonw_begin(&w, body, false);
        lore_w_node(&w, root);
        status = lore_jsonw_end(&w, err);
    } else {
        for (const struct lore_json *m = status == LORE_OK ? root->child : NULL;
             m && status == LORE_OK; m = m->next) {
            status = add_member(cli, m, &given, args, err);
            if (status != LORE_OK)
                lore_args_err_in(err, path);
        }
    }
    lore_buf_free(&text);
    return status;
}

/* ---- a directory ---- */

static bool
is_source(const char *name)
{
    static const char *const endings[] = {
        ".cu", ".cuh", ".hip", ".cpp", ".cc", ".c", ".h", ".hpp", ".py", ".s", ".asm", ".mlir"};
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++) {
        if (strcmp(dot, endings[i]) == 0)
            return name[0] != '.';
    }
    return false;
}

static int
by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int
only_sources(const struct dirent *d)
{
    return is_source(d->d_name);
}

static enum lore_status
add_sources(struct lore_cli *cli, const char *path, const char *option, struct lore_args *args,
    struct lore_err *err)
{
    struct dirent **names = NULL;
    int n = scandir(path, &names, only_sources, by_name);
    enum lore_status status = LORE_OK;

    if (n < 0)
        return lore_fail(err, LORE_IO, "%s: cannot be read", path);
    if (n > MAX_SOURCES)
        status = lore_fail(err, LORE_TOOBIG, "%s: more than %d sources", path, MAX_SOURCES);
    for (int i = 0; i < n; i++) {
        const char *file = lore_format(cli->arena, "%s/%s", path, names[i]->d_name);
        if (status == LORE_OK)
            status = lore_args_add(lore_record_opts, option, file, cli->arena, args, err);
        free(names[i]);
    }
    free(names);
    return status;
}

/* "…/v3/" -> "v3" when it looks like a version; else NULL. */
static const char *
version_of(struct lore_cli *cli, const char *path)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/')
        n--;
    const char *name = lore_build_basename(lore_strndup(cli->arena, path, n));
    size_t digits = strspn(name + 1, "0123456789");
    return (name[0] == 'v' || name[0] == 'V') && digits > 0 && !name[1 + digits] ? name : NULL;
}

static enum lore_status
read_text(
    struct lore_cli *cli, const char *file, struct lore_hypothesis_txt *out, struct lore_err *err)
{
    struct lore_buf b = {.max = LORE_HYPOTHESIS_MAX};
    enum lore_status status = lore_file_read(file, &b, err);

    if (status != LORE_OK)
        lore_err_hint(err, "a directory needs hypothesis.txt; without one, use options or --file");
    if (status == LORE_OK)
        status = lore_buf_status(&b, file, err);
    if (status == LORE_OK)
        status = lore_hypothesis_txt_parse(b.data ? b.data : "", b.len, cli->arena, out, err);
    if (status == LORE_INVALID)
        lore_args_err_in(err, file);
    lore_buf_free(&b);
    return status;
}

/* The sources are the parent's when hypothesis.txt names the directory as the version that it
 * starts from. Otherwise they are those of the new version. */
enum lore_status
lore_record_directory(
    struct lore_cli *cli, const char *path, struct lore_args *args, struct lore_err *err)
{
    const char *file = lore_format(cli->arena, "%s/hypothesis.txt", path);
    const char *version = version_of(cli, path);
    struct lore_hypothesis_txt text;

    enum lore_status status = read_text(cli, file, &text, err);
    if (status != LORE_OK)
        return status;
    status = lore_args_add(lore_record_opts, "hypothesis-file", file, cli->arena, args, err);
    bool parent = version && text.source && lore_streqi(version, text.source);
    if (status == LORE_OK && version && !parent && !lore_args_has(args, "label"))
        status = lore_args_add(lore_record_opts, "label", version, cli->arena, args, err);
    if (status == LORE_OK)
        status = add_sources(cli, path, parent ? "parent-source" : "source", args, err);
    return status;
}
