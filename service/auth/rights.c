#include "service/auth/rights.h"

#include <string.h>

#include "service/auth/labels.h"
#include "service/base/buf.h"
#include "service/base/text.h"

/* Roles that a project may give, the highest last. */
static const char *const roles[] = {"reader", "contributor"};
enum { ROLES = sizeof roles / sizeof *roles };

static int
rank(const char *role, size_t n)
{
    for (int i = 0; i < ROLES; i++)
        if (strlen(roles[i]) == n && strncmp(roles[i], role, n) == 0)
            return i + 1;
    return 0;
}

static enum lore_status
no_project(const char *text, size_t n, struct lore_err *err)
{
    enum lore_status status = lore_fail_at(err, LORE_INVALID, "invalid_option", "projects",
        "projects: %.*s: expected the name of a project, without a comma or spaces at its ends",
        (int)(n < 80 ? n : 80), text);

    lore_err_hint(err, "team/attention, or team/attention=reader; in a project a credential may be "
                       "reader or contributor");
    return status;
}

bool
lore_rights_bound(const char *rights)
{
    return strchr(rights, '@') != NULL;
}

/* The next part of a list, with its length; NULL: the end. */
static const char *
next_part(const char **at, size_t *n)
{
    const char *part = *at;

    if (*part == '\0')
        return NULL;
    *n = strcspn(part, ",");
    *at = part + *n + (part[*n] == ',');
    return part;
}

/* Whether the N bytes at PART are ROLE@PROJECT; *name: where the project begins. */
static bool
split(const char *part, size_t n, const char **name, int *role)
{
    const char *sign = memchr(part, '@', n);

    *role = sign ? rank(part, (size_t)(sign - part)) : 0;
    *name = sign ? sign + 1 : part;
    return *role > 0;
}

enum lore_status
lore_rights_check(const char *rights, struct lore_err *err)
{
    LORE_SCRATCH arena = {0};
    const char *at = rights, *part, *name;
    size_t n = 0;
    int role;

    if (strlen(rights) > LORE_RIGHTS_MAX)
        return lore_fail_at(err, LORE_INVALID, "too_long", "projects",
            "projects: their names may have %d bytes together", LORE_RIGHTS_MAX);
    while ((part = next_part(&at, &n))) {
        if (!split(part, n, &name, &role) ||
            lore_label_check(lore_strndup(&arena, name, n - (size_t)(name - part)), NULL) !=
                LORE_OK)
            return no_project(part, n, err);
    }
    return *rights != '\0' ? LORE_OK : no_project(rights, 0, err);
}

static enum lore_status
no_role(const char *what, const char *role, size_t n, struct lore_err *err)
{
    enum lore_status status =
        lore_fail_at(err, LORE_INVALID, "invalid_option", what[0] == '=' ? "projects" : "role",
            "%s%.*s: in a project a token may be reader or contributor", what,
            (int)(n < 80 ? n : 80), role);

    lore_err_hint(err, "--role reader --projects team/attention,team/moe=contributor; curators and"
                       " admins are of the whole memory, without --projects");
    return status;
}

enum lore_status
lore_rights_write(const char *role, const char *projects, struct lore_arena *arena,
    const char **out, struct lore_err *err)
{
    LORE_BUF b = {0};
    const char *at = projects, *part;
    size_t n = 0;
    enum lore_status status;

    if (rank(role, strlen(role)) == 0)
        return no_role("--role ", role, strlen(role), err);
    while ((part = next_part(&at, &n))) {
        const char *own = memrchr(part, '=', n);
        size_t of_role = own ? n - (size_t)(own - part) - 1 : 0;

        if (own && rank(own + 1, of_role) == 0)
            return no_role("=", own + 1, of_role, err);
        lore_buf_printf(&b, "%s%.*s@%.*s", b.len > 0 ? "," : "",
            (int)(own ? of_role : strlen(role)), own ? own + 1 : role,
            (int)(own ? (size_t)(own - part) : n), part);
    }
    *out = lore_strndup(arena, b.data ? b.data : "", b.len);
    status = lore_rights_check(*out, err);
    return status;
}

enum lore_status
lore_rights_in(const char *rights, const char *wanted, struct lore_arena *arena,
    struct lore_right *out, struct lore_err *err)
{
    const char *at = rights, *part, *name, *project = wanted && *wanted ? wanted : NULL;
    size_t n = 0;
    int role, best = 0;

    *out = (struct lore_right){.role = rights};
    if (!lore_rights_bound(rights))
        return LORE_OK;
    while ((part = next_part(&at, &n))) {
        if (!split(part, n, &name, &role))
            continue;
        n -= (size_t)(name - part);
        if (!project)
            project = lore_strndup(arena, name, n);
        if (strlen(project) == n && strncmp(project, name, n) == 0 && role > best)
            best = role;
    }
    if (best == 0)
        return lore_fail_at(err, LORE_FORBIDDEN, "other_project", "Warplore-Project",
            "Warplore-Project: this token has no rights in %.100s", project ? project : "it");
    out->role = roles[best - 1];
    out->project = lore_strdup(arena, project);
    return LORE_OK;
}
