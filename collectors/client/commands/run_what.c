/* Reads the description of the measured version from the options, then from warplore.yaml. Options
 * override the file. The names of options and of keys in the file are the same. */
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/client/commands/run_cmd.h"
#include "collectors/import/yamlfile.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/wire/wire.h"

#define AT(member) offsetof(struct lore_run_options, member)

static const struct {
    const char *option;
    size_t offset;
} texts[] = {{"operator", AT(op)}, {"family", AT(family)}, {"kernel", AT(kernel)},
    {"project", AT(project)}, {"dtype", AT(dtype)}, {"layout", AT(layout)}, {"label", AT(label)},
    {"summary", AT(summary)}, {"parent", AT(parent)}, {"hypothesis-file", AT(hypothesis)},
    {"kernel-regex", AT(kernel_regex)}, {"ablates", AT(ablates)}, {"check", AT(correctness)},
    {"campaign", AT(campaign)}, {"advice", AT(advice)}, {"author", AT(author)},
    {"licence", AT(licence)}};

static const struct {
    const char *option;
    size_t offset;
} lists[] = {{"source", AT(version_files)}, {"technique", AT(techniques)}};

static enum lore_status
bad(struct lore_err *err, const char *option, const char *text, const char *should)
{
    return lore_fail_at(
        err, LORE_INVALID, "usage", option, "--%s: %.80s: %s", option, text, should);
}

static enum lore_status
count(const struct lore_args *args, const char *option, int64_t *out, struct lore_err *err)
{
    const char *text = lore_args_get(args, option);
    long long v = 0;

    if (!text)
        return LORE_OK;
    if (lore_parse_i64(text, option, &v, NULL) != LORE_OK || v < 0 || v > 1000000000)
        return bad(err, option, text, "a whole number is expected");
    *out = v;
    return LORE_OK;
}

/* "a=1" of --param and --build: a number stays one, anything else is text. */
static enum lore_status
pairs(struct lore_run_job *j, const char *option, struct lore_kvs *out, struct lore_err *err)
{
    struct lore_arena *a = j->cli->arena;
    size_t at = 0;
    const char *text;

    while ((text = lore_args_next(j->args, option, &at))) {
        const char *equals = strchr(text, '=');
        long long whole;
        double number;
        if (!equals || equals == text)
            return bad(err, option, text, "NAME=VALUE is expected");
        const char *value = equals + 1;
        if (lore_parse_i64(value, option, &whole, NULL) == LORE_OK)
            value = lore_format(a, "%lld", whole);
        else if (lore_parse_f64(value, option, &number, NULL) == LORE_OK) {
            char digits[32];
            lore_f64_text(number, digits);
            value = lore_strdup(a, digits);
        } else
            value = lore_kvs_quote(a, value);
        lore_kvs_set(a, out, lore_strndup(a, text, (size_t)(equals - text)), value);
    }
    return LORE_OK;
}

static enum lore_status
shape(struct lore_run_job *j, struct lore_err *err)
{
    const char *text = lore_args_get(j->args, "dims");

    if (!text)
        return LORE_OK;
    enum lore_status status = lore_dims_parse(text, j->cli->arena, &j->c.what.dims, err);
    if (status != LORE_OK)
        lore_args_err_in(err, "--dims");
    return status;
}

/* Find the index of OPTION's value among NAME(1), NAME(2) …. The error's hint lists the names. */
static enum lore_status
word(struct lore_run_job *j, const char *option, const char *(*name)(int), int n, int *out,
    struct lore_err *err)
{
    const char *text = lore_args_get(j->args, option), *all = "";

    if (!text)
        return LORE_OK;
    for (int i = 1; i < n; i++) {
        if (lore_streq(text, name(i))) {
            *out = i;
            return LORE_OK;
        }
        all = lore_format(j->cli->arena, "%s%s%s", all, *all ? ", " : "", name(i));
    }
    enum lore_status status = bad(err, option, text, "unknown");
    lore_err_hint(err, "one of %s", all);
    return status;
}

static const char *
kind_name(int i)
{
    return lore_version_kind_name((enum lore_version_kind)i);
}

static const char *
role_name(int i)
{
    return lore_run_role_name((enum lore_run_role)i);
}

static const char *
language_name(int i)
{
    return lore_language_name((enum lore_language)i);
}

static enum lore_status
words(struct lore_run_job *j, struct lore_err *err)
{
    const char *language = lore_args_get(j->args, "language");
    struct lore_run_options *w = &j->c.what;
    int kind = 0, role = 0, lang = language ? (int)lore_language_find(language) : 0;

    enum lore_status status = word(j, "version-kind", kind_name, LORE_V_COUNT, &kind, err);
    if (status == LORE_OK)
        status = word(j, "role", role_name, LORE_ROLE_COUNT, &role, err);
    if (status == LORE_OK && language && lang == LORE_LANG_NONE)
        status = word(j, "language", language_name, LORE_LANG_COUNT, &lang, err);
    w->kind = (enum lore_version_kind)kind;
    w->role = (enum lore_run_role)role;
    w->language = (enum lore_language)lang;
    return status;
}

static enum lore_status
numbers(struct lore_run_job *j, struct lore_err *err)
{
    struct lore_run_options *w = &j->c.what;
    int64_t samples = 0, limit = 1;

    enum lore_status status = count(j->args, "warmup", &w->warmup, err);
    if (status == LORE_OK)
        status = count(j->args, "iterations", &w->iterations, err);
    if (status == LORE_OK)
        status = count(j->args, "max-samples", &samples, err);
    if (status == LORE_OK)
        status = count(j->args, "metrics-launches", &j->counter_launches, err);
    if (status == LORE_OK)
        status = count(j->args, "metrics-skip", &j->counter_skip, err);
    if (status == LORE_OK)
        status = count(j->args, "check-limit", &limit, err);
    if (status == LORE_OK && limit == 0)
        status = bad(err, "check-limit", "0", "at least one second is expected");
    w->samples = (size_t)samples;
    return status;
}

/* --- warplore.yaml --- */

/* --config, else warplore.yaml beside the first version file, else here; NULL: there is none. */
static const char *
config_file(struct lore_run_job *j)
{
    struct lore_arena *a = j->cli->arena;
    const char *given = lore_args_get(j->args, "config"), *file = "warplore.yaml";
    struct stat sb;

    if (given)
        return given;
    if (j->c.what.version_files.n > 0) {
        const char *first = j->c.what.version_files.v[0], *slash = strrchr(first, '/');
        if (slash)
            file = lore_format(a, "%.*s/warplore.yaml", (int)(slash - first), first);
    }
    /* a default name: skip what is not a regular file, since reading a pipe would block */
    return stat(file, &sb) == 0 && S_ISREG(sb.st_mode) ? file : NULL;
}

static enum lore_status
read_config(struct lore_run_job *j, struct lore_err *err)
{
    const char *path = config_file(j);
    struct lore_buf text = {.max = LORE_YAML_MAX};

    if (!path)
        return LORE_OK;
    enum lore_status status = lore_file_read(path, &text, err);
    if (status == LORE_OK)
        status = lore_buf_status(&text, path, err);
    if (status == LORE_OK)
        status = lore_options_yaml(
            text.data ? text.data : "", text.len, path, j->cli->arena, &j->c.what, err);
    lore_buf_free(&text);
    if (status != LORE_OK && !lore_starts(err->msg, path)) /* name the file: there may be several */
        lore_args_err_in(err, path);
    return status;
}

enum lore_status
lore_run_what(struct lore_run_job *j, struct lore_err *err)
{
    struct lore_run_options *w = &j->c.what;
    const char *text;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *(const char **)((char *)w + texts[i].offset) = lore_args_get(j->args, texts[i].option);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct lore_texts *list = (struct lore_texts *)((char *)w + lists[i].offset);
        for (size_t at = 0; (text = lore_args_next(j->args, lists[i].option, &at)) != NULL;)
            *LORE_PUSH(j->cli->arena, list->v, list->n, list->cap) = text;
    }
    w->show_host = lore_args_has(j->args, "show-host");
    w->isa = lore_args_has(j->args, "isa");
    w->no_isa = lore_args_has(j->args, "no-isa");
    w->no_command = lore_args_has(j->args, "no-command");
    w->new_experiment = lore_args_has(j->args, "new-experiment");
    enum lore_status status = shape(j, err);
    if (status == LORE_OK)
        status = pairs(j, "param", &w->params, err);
    if (status == LORE_OK)
        status = pairs(j, "build", &w->build, err);
    if (status == LORE_OK)
        status = words(j, err);
    if (status == LORE_OK)
        status = numbers(j, err);
    if (status == LORE_OK)
        status = read_config(j, err);
    if (status == LORE_OK)
        status = lore_run_session(j, err);
    if (status == LORE_OK)
        lore_run_parent(j);
    if (!w->author)
        w->author = j->cli->config.author;
    if (!w->project)
        w->project = j->cli->config.project;
    return status;
}
