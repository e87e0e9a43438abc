/* The parameter `fields` of lists: which members the rows of the answer have. */
#include <string.h>

#include "service/api/names.h"
#include "service/api/object.h"
#include "service/api/params.h"
#include "service/base/text.h"

struct names {
    struct lore_arena *arena;
    const char **v;
    size_t n, cap;
};

/* The names of the members that an object O has in an answer. */
static void
add_members(struct names *out, const struct lore_object *o)
{
    for (size_t i = 0; i < o->n; i++) {
        const struct lore_object_member *m = &o->members[i];
        const char *field;
        bool required;

        if (m->holds == LORE_AT_MEMBERS || m->holds == LORE_AT_SPREAD)
            add_members(out, m->of);
        else if (m->holds != LORE_AT_FIELDS)
            *LORE_PUSH(out->arena, out->v, out->n, out->cap) = m->name + (*m->name == '!');
        for (size_t k = 0; m->holds == LORE_AT_FIELDS &&
                           (field = lore_kind_field((enum lore_kind)m->item, k, &required));
             k++)
            *LORE_PUSH(out->arena, out->v, out->n, out->cap) = field;
    }
}

/* The rows of an answer, which may have other members beside them. */
static const struct lore_object *
rows_of(const struct lore_route *route)
{
    for (size_t i = 0; !route->rows && i < route->one->n; i++)
        if (strcmp(route->one->members[i].name, "!rows") == 0)
            return route->one->members[i].of;
    return route->rows;
}

enum lore_status
lore_fields_read(const struct lore_route *route, struct lore_req *req, struct lore_resp *resp,
    struct lore_err *err)
{
    const char *text = lore_arg_text(req, "fields", NULL);
    struct names known = {.arena = req->arena}, only = {.arena = req->arena};

    if (!text)
        return LORE_OK;
    add_members(&known, rows_of(route));
    while (*text) {
        size_t n = strcspn(text, ","), at = 0;
        const char *name = lore_strndup(req->arena, text, n);

        while (at < known.n && !lore_streq(known.v[at], name))
            at++;
        if (at == known.n) {
            (void)lore_fail_at(err, LORE_INVALID, "unknown_field", "fields",
                "fields: the rows have no member \"%.60s\"", name);
            lore_params_hint(err, req->arena, name, known.v, known.n, "members");
            return LORE_INVALID;
        }
        *LORE_PUSH(req->arena, only.v, only.n, only.cap) = name;
        text += n + (text[n] == ',');
    }
    resp->only = only.v;
    resp->n_only = only.n;
    return LORE_OK;
}
