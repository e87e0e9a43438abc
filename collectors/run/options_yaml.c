/* Reads warplore.yaml, which describes the measurement and lies beside the kernel. One table lists
 * the keys; each is an option of `warplore run`. The command line takes precedence: the file fills
 * only members that are not set. */
#include <stddef.h>
#include <string.h>

#include "collectors/import/yamlfile.h"
#include "collectors/run/collect.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/wire/wire.h"

enum type { TEXT, PATH, TEXTS, PATHS, PAIRS, COUNT, SWITCH, LANGUAGE, KIND, ROLE };
struct key {
    const char *name;
    enum type type;
    size_t offset;
};
#define AT(member) offsetof(struct lore_run_options, member)
static const struct key keys[] = {
    {"ablates", TEXT, AT(ablates)},
    {"advice", TEXT, AT(advice)},
    {"author", TEXT, AT(author)},
    {"build", PAIRS, AT(build)},
    {"campaign", TEXT, AT(campaign)},
    {"check", TEXT, AT(correctness)},
    {"dims", PAIRS, AT(dims)},
    {"dtype", TEXT, AT(dtype)},
    {"family", TEXT, AT(family)},
    {"hypothesis_file", PATH, AT(hypothesis)},
    {"iterations", COUNT, AT(iterations)},
    {"kernel", TEXT, AT(kernel)},
    {"kernel_regex", TEXT, AT(kernel_regex)},
    {"label", TEXT, AT(label)},
    {"language", LANGUAGE, AT(language)},
    {"layout", TEXT, AT(layout)},
    {"licence", TEXT, AT(licence)},
    {"max_samples", COUNT, AT(samples)},
    {"no_command", SWITCH, AT(no_command)},
    {"no_isa", SWITCH, AT(no_isa)},
    {"isa", SWITCH, AT(isa)},
    {"operator", TEXT, AT(op)},
    {"param", PAIRS, AT(params)},
    {"parent", PATH, AT(parent)},
    {"project", TEXT, AT(project)},
    {"role", ROLE, AT(role)},
    {"show_host", SWITCH, AT(show_host)},
    {"source", PATHS, AT(version_files)},
    {"summary", TEXT, AT(summary)},
    {"technique", TEXTS, AT(techniques)},
    {"version_kind", KIND, AT(kind)},
    {"warmup", COUNT, AT(warmup)},
};
enum { N_KEYS = sizeof keys / sizeof *keys };

struct reader {
    const char *name; /* of the file */
    struct lore_arena *arena;
    struct lore_run_options *what;
    struct lore_err *err;
};

static enum lore_status
wrong(const struct reader *r, const char *key, const char *code, const char *should)
{
    return lore_fail_at(r->err, LORE_INVALID, code, key, "%s: %s: %s", r->name, key, should);
}

/* A scalar as the text that a person wrote; NULL for anything else. */
static const char *
scalar(const struct reader *r, const struct lore_json *node)
{
    switch (node->type) {
    case LORE_J_STRING:
    case LORE_J_NUMBER:
        return node->str;
    case LORE_J_BOOL:
        return node->i ? "true" : "false";
    default:
        (void)r;
        return NULL;
    }
}

/* PATH relative to the file's own folder. The id of a parent version is not changed. */
static const char *
from_here(const struct reader *r, const char *path)
{
    const char *slash = strrchr(r->name, '/');

    if (path[0] == '/' || !slash || lore_ulid_valid(path))
        return path;
    return lore_format(r->arena, "%.*s/%s", (int)(slash - r->name), r->name, path);
}

static enum lore_status
read_text(const struct reader *r, const struct key *k, const struct lore_json *node)
{
    const char **out = (const char **)((char *)r->what + k->offset);
    const char *text = scalar(r, node);

    if (!text || !*text)
        return wrong(r, k->name, "wrong_type", "text is expected");
    if (!*out)
        *out = k->type == PATH ? from_here(r, text) : text;
    return LORE_OK;
}

static enum lore_status
read_texts(const struct reader *r, const struct key *k, const struct lore_json *node)
{
    struct lore_texts *out = (struct lore_texts *)((char *)r->what + k->offset);
    struct lore_texts list = {0};
    const struct lore_json *item = node->type == LORE_J_ARRAY ? node->child : node;

    for (; item; item = node->type == LORE_J_ARRAY ? item->next : NULL) {
        const char *text = scalar(r, item);
        if (!text || !*text)
            return wrong(r, k->name, "wrong_type", "a text or a list of texts is expected");
        *LORE_PUSH(r->arena, list.v, list.n, list.cap) =
            k->type == PATHS ? from_here(r, text) : text;
    }
    if (out->n == 0)
        *out = list;
    return LORE_OK;
}

static enum lore_status
read_pairs(const struct reader *r, const struct key *k, const struct lore_json *node)
{
    struct lore_kvs *out = (struct lore_kvs *)((char *)r->what + k->offset);
    struct lore_kvs pairs = {0};
    struct lore_err inner = {0};

    if (node->type == LORE_J_STRING) {
        if (lore_dims_parse(node->str, r->arena, &pairs, &inner) != LORE_OK)
            return wrong(r, k->name, "invalid_value", inner.msg);
    } else if (node->type != LORE_J_OBJECT) {
        return wrong(r, k->name, "wrong_type", "expected a mapping of names to values");
    }
    for (const struct lore_json *m = node->type == LORE_J_OBJECT ? node->child : NULL; m;
         m = m->next) {
        const char *text = scalar(r, m);
        if (!text)
            return wrong(r, lore_format(r->arena, "%s.%s", k->name, m->key), "wrong_type",
                "a number or text is expected");
        if (m->type == LORE_J_STRING)
            text = lore_kvs_quote(r->arena, text);
        lore_kvs_set(r->arena, &pairs, m->key, text);
    }
    /* pair by pair: `--dims M=8` changes M and keeps the file's N */
    for (size_t i = 0; i < pairs.n; i++) {
        if (!lore_kvs_get(out, pairs.v[i].key))
            lore_kvs_set(r->arena, out, pairs.v[i].key, pairs.v[i].value);
    }
    return LORE_OK;
}

static enum lore_status
read_count(const struct reader *r, const struct key *k, const struct lore_json *node)
{
    void *out = (char *)r->what + k->offset;

    if (node->type != LORE_J_NUMBER || !node->is_int || node->i < 0 || node->i > 1000000000)
        return wrong(r, k->name, "wrong_type", "a whole number from 0 to 1000000000 is expected");
    if (k->offset == AT(samples)) {
        if (!r->what->samples)
            r->what->samples = (size_t)node->i;
    } else if (!*(int64_t *)out) {
        *(int64_t *)out = node->i;
    }
    return LORE_OK;
}

static enum lore_status
read_switch(const struct reader *r, const struct key *k, const struct lore_json *node)
{
    bool *out = (bool *)((char *)r->what + k->offset);

    if (node->type != LORE_J_BOOL)
        return wrong(r, k->name, "wrong_type", "true or false is expected");
    *out = *out || node->i;
    return LORE_OK;
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

/* The index of TEXT among the names 1..N-1; 0 with an error that lists the choices. */
static int
choose(
    const struct reader *r, const struct key *k, const char *text, const char *(*name)(int), int n)
{
    const char *all = "";

    for (int i = 1; i < n; i++) {
        if (lore_streqi(name(i), text))
            return i;
        all = lore_format(r->arena, "%s%s%s", all, *all ? ", " : "", name(i));
    }
    (void)wrong(r, k->name, "invalid_value", lore_format(r->arena, "one of %s", all));
    return 0;
}

static enum lore_status
read_enum(const struct reader *r, const struct key *k, const struct lore_json *node)
{
    const char *text = scalar(r, node);
    struct lore_run_options *w = r->what;
    int v = 0;

    if (!text)
        return wrong(r, k->name, "wrong_type", "text is expected");
    if (k->type == LANGUAGE) {
        enum lore_language l = lore_language_find(text);
        if (l == LORE_LANG_NONE)
            return wrong(r, k->name, "invalid_value", "no language of that name is known");
        w->language = w->language ? w->language : l;
        return LORE_OK;
    }
    v = k->type == KIND ? choose(r, k, text, kind_name, LORE_V_COUNT)
                        : choose(r, k, text, role_name, LORE_ROLE_COUNT);
    if (v == 0)
        return LORE_INVALID;
    if (k->type == KIND && !w->kind)
        w->kind = (enum lore_version_kind)v;
    if (k->type == ROLE && !w->role)
        w->role = (enum lore_run_role)v;
    return LORE_OK;
}

static enum lore_status
read_key(const struct reader *r, const struct key *k, const struct lore_json *node)
{
    if (node->type == LORE_J_NULL)
        return LORE_OK;
    switch (k->type) {
    case TEXT:
    case PATH:
        return read_text(r, k, node);
    case TEXTS:
    case PATHS:
        return read_texts(r, k, node);
    case PAIRS:
        return read_pairs(r, k, node);
    case COUNT:
        return read_count(r, k, node);
    case SWITCH:
        return read_switch(r, k, node);
    default:
        return read_enum(r, k, node);
    }
}

/* Whether KEY is NAME; KEY may have '-' for '_', as options have. */
static bool
is_named(const char *name, const char *key)
{
    while (*name && (*key == *name || (*key == '-' && *name == '_')))
        name++, key++;
    return *name == *key;
}

static enum lore_status
unknown(const struct reader *r, const char *key)
{
    const char *names[N_KEYS];

    for (size_t i = 0; i < N_KEYS; i++)
        names[i] = keys[i].name;
    (void)lore_fail_at(
        r->err, LORE_INVALID, "unknown_field", key, "%s: %s: no such key", r->name, key);
    int near = lore_nearest(key, names, N_KEYS);
    if (near >= 0)
        lore_err_hint(r->err, "did you mean %s?", names[near]);
    return LORE_INVALID;
}

enum lore_status
lore_options_yaml(const char *text, size_t n, const char *name, struct lore_arena *arena,
    struct lore_run_options *what, struct lore_err *err)
{
    struct reader r = {.name = name, .arena = arena, .what = what, .err = err};
    struct lore_json *root = NULL;
    enum lore_status status = lore_yamlfile_parse(text, n, name, arena, &root, err);

    if (status != LORE_OK || root->type == LORE_J_NULL)
        return status;
    if (root->type != LORE_J_OBJECT)
        return lore_fail_at(
            err, LORE_INVALID, "wrong_type", "", "%s: expected a mapping of keys to values", name);
    for (const struct lore_json *m = root->child; m && status == LORE_OK; m = m->next) {
        const struct key *k = NULL;
        for (size_t i = 0; i < N_KEYS && !k; i++)
            k = is_named(keys[i].name, m->key) ? &keys[i] : NULL;
        status = k ? read_key(&r, k, m) : unknown(&r, m->key);
    }
    return status;
}
