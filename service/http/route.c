/* Finding the route of a request. Paths are compared segment by segment: `{name}` matches one
 * segment that is not empty, all other segments must be equal. The first row that matches wins.
 * When none does, an {id} may be several segments. HEAD uses the row of GET. The table itself is
 * checked once, at start. */
#include <string.h>

#include "service/base/text.h"
#include "service/http/http.h"

#define MAX_VARS (sizeof(((struct lore_req *)0)->vars) / sizeof(((struct lore_req *)0)->vars[0]))

static const char *
method_name(enum lore_method m)
{
    static const char *const names[] = {"", "GET", "POST", "PUT", "DELETE", "HEAD", "?"};

    return names[m];
}

/* Does PATH match PATTERN? Fills the vars of REQ, which may be NULL. */
static bool
fits(const char *pattern, const char *path, struct lore_req *req)
{
    size_t n_vars = 0;

    while (*pattern != '\0') {
        if (*pattern == '{') {
            size_t n = strcspn(path, "/");
            if (n == 0)
                return false;
            if (req)
                req->vars[n_vars] = lore_strndup(req->arena, path, n);
            n_vars++;
            path += n;
            pattern += strcspn(pattern, "}") + 1;
        } else if (*pattern++ != *path++) {
            return false;
        }
    }
    return *path == '\0';
}

/* As `fits`, but a {part} may be several segments: the name team/attention/softmax. */
static bool
fits_name(const char *pattern, const char *path, struct lore_req *req, size_t var)
{
    for (; *pattern != '{'; pattern++, path++) {
        if (*pattern != *path)
            return false;
        if (*pattern == '\0')
            return true;
    }
    const char *rest = pattern + strcspn(pattern, "}") + 1;
    if (*path == '/')
        return false;
    for (size_t n = strlen(path); n > 0; n--) {
        if ((path[n] == '\0' || path[n] == '/') && path[n - 1] != '/' &&
            fits_name(rest, path + n, req, var + 1)) {
            req->vars[var] = lore_strndup(req->arena, path, n);
            return true;
        }
    }
    return false;
}

/* The row with an {id} for a record whose name has slashes: the one that says most of the path. */
static const struct lore_route *
find_by_name(const struct lore_route *routes, enum lore_method method, struct lore_req *req)
{
    const struct lore_route *found = NULL;

    for (const struct lore_route *r = routes; r->path != NULL; r++) {
        if (r->method == method && r->who != LORE_PUBLIC && strstr(r->path, "/{id}") &&
            fits_name(r->path, req->path, req, 0) &&
            (!found || strlen(r->path) > strlen(found->path)))
            found = r;
    }
    if (found) { /* a later row may have changed the parts */
        memset(req->vars, 0, sizeof req->vars);
        (void)fits_name(found->path, req->path, req, 0);
    }
    return found;
}

enum lore_status
lore_route_find(const struct lore_route *routes, struct lore_req *req,
    const struct lore_route **out, struct lore_err *err)
{
    enum lore_method wanted = req->method == LORE_HEAD ? LORE_GET : req->method;
    bool path_exists = false;

    for (const struct lore_route *r = routes; r->path != NULL; r++) {
        if (!fits(r->path, req->path, NULL))
            continue;
        if (r->method == wanted) {
            (void)fits(r->path, req->path, req);
            *out = r;
            return LORE_OK;
        }
        path_exists = true;
    }
    if (!path_exists && (*out = find_by_name(routes, wanted, req)) != NULL)
        return LORE_OK;
    if (path_exists)
        return lore_fail(err, LORE_METHOD, "%.200s does not take this method", req->path);
    lore_fail(err, LORE_NOTFOUND, "%.200s: no such address", req->path);
    lore_err_hint(err, "GET /api/v1/_routes lists every address");
    return LORE_NOTFOUND;
}

const char *
lore_route_allow(const struct lore_route *routes, const struct lore_req *req)
{
    const char *allow = "";

    for (const struct lore_route *r = routes; r->path != NULL; r++)
        if (fits(r->path, req->path, NULL))
            allow = lore_format(req->arena, "%s%s%s%s", allow, allow[0] != '\0' ? ", " : "",
                method_name(r->method), r->method == LORE_GET ? ", HEAD" : "");
    return allow;
}

static size_t
count_vars(const char *path)
{
    size_t n = 0;

    for (const char *p = path; *p != '\0'; p++)
        n += *p == '{';
    return n;
}

static const char *
params_fault(const struct lore_param *params)
{
    for (const struct lore_param *p = params; p != NULL && p->name; p++) {
        if (p->type == 0 || !p->help || p->help[0] == '\0')
            return "a parameter without type or help";
        if (p->type == LORE_P_ENUM && !p->choices)
            return "an enum without choices";
        for (const struct lore_param *q = params; q < p; q++)
            if (strcmp(p->name, q->name) == 0)
                return "a parameter named twice";
    }
    return NULL;
}

/* The first fault of row R of ROUTES, or NULL. */
static const char *
fault(const struct lore_route *routes, const struct lore_route *r)
{
    if (r->method == 0 || r->method == LORE_HEAD || r->method == LORE_OTHER_METHOD)
        return "no method";
    if (r->path[0] != '/')
        return "a path that does not start with /";
    if (r->who == LORE_NO_ROLE || r->who >= LORE_ROLES)
        return "no permission";
    if (r->who == LORE_PUBLIC && r->method != LORE_GET)
        return "a write that anybody may call";
    if (!r->handler)
        return "no handler";
    if (!r->help || r->help[0] == '\0')
        return "no help";
    if (!r->answer && !r->one && !r->rows)
        return "no answer";
    if (count_vars(r->path) > MAX_VARS)
        return "too many parts";
    if (r->method == LORE_GET && r->max_body > 0)
        return "a body on a read";
    if (r->pooled && (r->method != LORE_GET || r->who == LORE_PUBLIC))
        return "only reads are pooled";
    for (const struct lore_route *q = routes; q < r; q++)
        if (q->method == r->method && strcmp(q->path, r->path) == 0)
            return "the same row twice";
    return params_fault(r->params);
}

enum lore_status
lore_routes_check(const struct lore_route *routes, struct lore_err *err)
{
    for (const struct lore_route *r = routes; r->path != NULL; r++) {
        const char *what = fault(routes, r);
        if (what)
            return lore_fail_at(err, LORE_INVALID, "bad_route", r->path, "route %s %s: %s",
                method_name(r->method), r->path, what);
    }
    return LORE_OK;
}
