/* Query parameters: a route's row declares them, this file checks them, handlers read them. Unknown
 * names, names given twice and values of the wrong type are errors. */
#include <stdio.h>
#include <string.h>

#include "service/base/text.h"
#include "service/http/http.h"

#define TEXT_MAX 200

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Decode N bytes with percent signs and pluses. NULL when they are malformed, not UTF-8 or have a
 * NUL. */
static char *
decode(struct lore_arena *arena, const char *s, size_t n)
{
    char *out = lore_alloc(arena, n + 1);
    size_t len = 0;

    for (size_t i = 0; i < n; i++) {
        if (s[i] != '%') {
            out[len++] = s[i] == '+' ? ' ' : s[i];
            continue;
        }
        if (i + 2 >= n || hex_digit(s[i + 1]) < 0 || hex_digit(s[i + 2]) < 0)
            return NULL;
        out[len] = (char)(hex_digit(s[i + 1]) * 16 + hex_digit(s[i + 2]));
        if (out[len++] == '\0')
            return NULL;
        i += 2;
    }
    return lore_utf8_valid(out, len) ? out : NULL;
}

static enum lore_status
invalid(struct lore_err *err, const struct lore_param *p, const char *wanted)
{
    return lore_fail_at(
        err, LORE_INVALID, "invalid_parameter", p->name, "%s: expected %s", p->name, wanted);
}

static enum lore_status
check_int(const struct lore_param *p, struct lore_arg *arg, struct lore_err *err)
{
    long long v = 0;
    char wanted[80];

    if (lore_parse_i64(arg->text, p->name, &v, NULL) != LORE_OK || v < p->min || v > p->max) {
        snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld", (long long)p->min,
            (long long)p->max);
        return invalid(err, p, wanted);
    }
    arg->i = v;
    return LORE_OK;
}

static enum lore_status
check_text(const struct lore_param *p, const struct lore_arg *arg, struct lore_err *err)
{
    int64_t n = (int64_t)strlen(arg->text), max = p->max > 0 ? p->max : TEXT_MAX;
    char wanted[80];

    if (n >= p->min && n <= max)
        return LORE_OK;
    snprintf(wanted, sizeof wanted, "%lld to %lld bytes", (long long)(p->min > 0 ? p->min : 1),
        (long long)max);
    return invalid(err, p, wanted);
}

static enum lore_status
check(const struct lore_param *p, struct lore_arg *arg, struct lore_err *err)
{
    switch (p->type) {
    case LORE_P_INT:
        return check_int(p, arg, err);
    case LORE_P_BOOL:
        arg->i = strcmp(arg->text, "true") == 0 || strcmp(arg->text, "1") == 0;
        if (!arg->i && strcmp(arg->text, "false") != 0 && strcmp(arg->text, "0") != 0)
            return invalid(err, p, "true or false");
        return LORE_OK;
    case LORE_P_ENUM:
        if (!lore_choice(p->choices, arg->text)) {
            (void)invalid(err, p, "one of the choices");
            lore_err_hint(err, "one of %s", p->choices);
            return LORE_INVALID;
        }
        return LORE_OK;
    default:
        return check_text(p, arg, err);
    }
}

static enum lore_status
unknown(const struct lore_param *params, const char *name, struct lore_arena *arena,
    struct lore_err *err)
{
    const char **names;
    size_t n = 0;
    int near;

    while (params && params[n].name)
        n++;
    names = lore_alloc_array(arena, n + 1, sizeof *names);
    for (size_t i = 0; i < n; i++)
        names[i] = params[i].name;
    (void)lore_fail_at(err, LORE_INVALID, "unknown_parameter", name,
        "%.100s: this address has no such parameter", name);
    near = lore_nearest(name, names, n);
    if (near >= 0)
        lore_err_hint(err, "did you mean %s?", names[near]);
    else if (n == 0)
        lore_err_hint(err, "this address takes no parameters");
    return LORE_INVALID;
}

static const struct lore_param *
find_param(const struct lore_param *params, const char *name)
{
    for (const struct lore_param *p = params; p != NULL && p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

static const struct lore_arg *
find_arg(const struct lore_req *req, const char *name)
{
    for (size_t i = 0; i < req->n_args; i++)
        if (strcmp(req->args[i].param->name, name) == 0)
            return &req->args[i];
    return NULL;
}

/* One `name=value` of N bytes. */
static enum lore_status
parse_one(const struct lore_param *params, struct lore_req *req, const char *s, size_t n,
    size_t *cap, struct lore_err *err)
{
    const char *eq = memchr(s, '=', n);
    size_t name_len = eq != NULL ? (size_t)(eq - s) : n;
    const char *name = decode(req->arena, s, name_len);
    const char *value =
        eq != NULL ? decode(req->arena, eq + 1, n - name_len - 1) : lore_strdup(req->arena, "");
    const struct lore_param *p;
    struct lore_arg *arg;

    if (!name || !value)
        return lore_fail_at(err, LORE_INVALID, "bad_query", name != NULL ? name : "",
            "the query is not valid percent-encoded UTF-8");
    p = find_param(params, name);
    if (!p)
        return unknown(params, name, req->arena, err);
    if (find_arg(req, name))
        return lore_fail_at(
            err, LORE_INVALID, "duplicate_parameter", p->name, "%s: given twice", p->name);
    arg = LORE_PUSH(req->arena, req->args, req->n_args, *cap);
    arg->param = p;
    arg->text = value;
    return value[0] != '\0' ? check(p, arg, err) : LORE_OK;
}

enum lore_status
lore_args_parse(const struct lore_param *params, struct lore_req *req, struct lore_err *err)
{
    size_t cap = 0;
    enum lore_status status;

    req->args = NULL;
    req->n_args = 0;
    if (params && params->name && strcmp(params->name, "*") == 0)
        return LORE_OK;
    for (const char *s = req->query; s != NULL && *s != '\0';) {
        size_t n = strcspn(s, "&");
        if (n > 0 && (status = parse_one(params, req, s, n, &cap, err)) != LORE_OK)
            return status;
        s += n + (s[n] == '&');
    }
    return LORE_OK;
}

/* The argument NAME; NULL when it is missing or empty. Empty ones are stored only to detect a name
 * that was given twice. */
static const struct lore_arg *
given(const struct lore_req *req, const char *name)
{
    const struct lore_arg *arg = find_arg(req, name);

    return arg && arg->text[0] != '\0' ? arg : NULL;
}

const char *
lore_arg_text(const struct lore_req *req, const char *name, const char *otherwise)
{
    const struct lore_arg *arg = given(req, name);

    return arg ? arg->text : otherwise;
}

int64_t
lore_arg_i64(const struct lore_req *req, const char *name, int64_t otherwise)
{
    const struct lore_arg *arg = given(req, name);

    return arg ? arg->i : otherwise;
}

bool
lore_arg_bool(const struct lore_req *req, const char *name, bool otherwise)
{
    return lore_arg_i64(req, name, otherwise) != 0;
}
