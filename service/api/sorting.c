/* Sorting of lists (params.h). The table of members that describes the rows of an answer names
 * what they can be sorted by: "chip", "workload.label", "-outcome.speedup". */
#include <string.h>

#include "db/sorted.h"
#include "service/api/api.h"
#include "service/api/object.h"
#include "service/api/params.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/wire/fields.h"

enum { HINT = 180 }; /* bytes of names that an error lists */

struct names {
    struct lore_arena *arena;
    enum lore_kind kind;
    struct named_sort {
        const char *name;
        struct lore_sort by;
    } * v;
    size_t n, cap;
};

static void
add(struct names *out, const char *name, size_t at, const char *field)
{
    struct lore_sort by = {.given = true, .at = at, .field = field};

    if (lore_sorted_by(out->kind, &by))
        *LORE_PUSH(out->arena, out->v, out->n, out->cap) = (struct named_sort){name, by};
}

static bool
is_scalar(enum lore_field_type type)
{
    return type != LORE_F_ID && type != LORE_F_REF && type != LORE_F_REFS && type != LORE_F_BODY &&
           type != LORE_F_BASE64 && type != LORE_F_RAW &&
           (type < LORE_F_SAMPLES || type > LORE_F_METRICS);
}

static void
add_fields(struct names *out, const struct lore_record *record, const char *prefix, size_t base)
{
    for (size_t i = 0; i < record->n; i++)
        if (is_scalar(record->fields[i].type))
            add(out, lore_format(out->arena, "%s%s", prefix, record->fields[i].name),
                base + record->fields[i].offset, *prefix ? NULL : record->fields[i].name);
}

static void
add_members(struct names *out, const struct lore_object *o, const char *prefix, size_t base)
{
    for (size_t i = 0; i < o->n; i++) {
        const struct lore_object_member *m = &o->members[i];
        const char *name = lore_format(out->arena, "%s%s", prefix, m->name + (*m->name == '!'));

        if (m->holds == LORE_AT_MEMBERS)
            add_members(out, m->of, prefix, base + m->at);
        else if (m->holds == LORE_AT_OBJECT)
            add_members(out, m->of, lore_format(out->arena, "%s.", name), base + m->at);
        else if (m->holds == LORE_AT_FIELDS)
            add_fields(out, lore_kind_record((enum lore_kind)m->item), prefix, base + m->at);
        else if (m->holds >= LORE_AT_TEXT && m->holds <= LORE_AT_NAMED &&
                 m->holds != LORE_AT_TEXTS && m->holds != LORE_AT_KVS &&
                 !lore_starts(m->type ? m->type : "", "ulid"))
            add(out, name, base + m->at, NULL);
    }
}

/* What the list at the address of REQ can be sorted by. */
static void
list_names(const struct lore_req *req, struct names *out)
{
    const struct lore_route *route = lore_routes;
    char *plural = lore_strdup(req->arena, req->path + strlen("/api/v1/"));

    *out = (struct names){.arena = req->arena};
    for (char *c = plural; *c; c++)
        *c = *c == '-' ? '_' : *c;
    while (out->kind < LORE_K_COUNT && !lore_streq(lore_kind_plural(out->kind), plural))
        out->kind++;
    while (route->path && !(lore_streq(route->path, req->path) && route->rows))
        route++;
    if (route->path)
        add_members(out, route->rows, "", 0);
}

void
lore_params_hint(struct lore_err *err, struct lore_arena *arena, const char *name,
    const char *const *v, size_t n, const char *what)
{
    int near = lore_nearest(name, v, n);
    const char *all = "";

    for (size_t i = 0; i < n; i++)
        if (strlen(all) + strlen(v[i]) < HINT)
            all = lore_format(arena, "%s%s%s", all, *all ? ", " : "", v[i]);
    if (near >= 0)
        lore_err_hint(err, "did you mean %s? %s: %s", v[near], what, all);
    else
        lore_err_hint(err, "%s: %s", what, all);
}

static enum lore_status
read_sort(const struct lore_req *req, const char *text, struct lore_sort *out, struct lore_err *err)
{
    bool down = *text == '-';
    struct names names;
    const char **all;

    list_names(req, &names);
    all = lore_alloc_array(req->arena, names.n + 1, sizeof *all);
    for (size_t i = 0; i < names.n; i++) {
        if (lore_streq(names.v[i].name, text + down)) {
            *out = names.v[i].by;
            out->down = down;
            return LORE_OK;
        }
        all[i] = names.v[i].name;
    }
    (void)lore_fail_at(
        err, LORE_INVALID, "unknown_sort", "sort", "sort: no column \"%.60s\" here", text + down);
    lore_params_hint(err, req->arena, text + down, all, names.n, "columns");
    return LORE_INVALID;
}

enum lore_status
lore_params_time(const struct lore_req *req, const char *name, const char *text, int64_t *out,
    struct lore_err *err)
{
    const char *digits = "0123456789";
    size_t n = text ? strspn(text, digits) : 0;
    struct lore_err ignored;
    long long count = 0;

    if (!text || *text == '\0')
        return LORE_OK;
    if (n > 0 && n < 7 && (lore_streq(text + n, "h") || lore_streq(text + n, "d")) &&
        lore_parse_i64(lore_strndup(req->arena, text, n), name, &count, &ignored) == LORE_OK) {
        *out = lore_now_us() - count * (text[n] == 'h' ? 1 : 24) * INT64_C(3600000000);
        return LORE_OK;
    }
    if (lore_time_parse(text, out, &ignored) == LORE_OK) {
        if (lore_streq(name, "until") && strlen(text) == strlen("2026-11-24"))
            *out += INT64_C(86400000000); /* the whole day */
        return LORE_OK;
    }
    enum lore_status status = lore_fail_at(
        err, LORE_INVALID, "invalid_time", name, "%s: \"%.60s\" is no time", name, text);
    lore_err_hint(err, "2026-11-24, 2026-11-24T08:00:00Z, or how long ago: 36h, 7d");
    return status;
}

static enum lore_status
read_time(const struct lore_req *req, const char *name, int64_t *out, struct lore_err *err)
{
    return lore_params_time(req, name, lore_arg_text(req, name, NULL), out, err);
}

enum lore_status
lore_params_page(const struct lore_req *req, struct lore_paging *paging, struct lore_page *page,
    struct lore_err *err)
{
    struct lore_page out = {.author = lore_arg_text(req, "author", NULL)};
    const char *sort = lore_arg_text(req, "sort", NULL);
    enum lore_status status = LORE_OK;

    *paging = (struct lore_paging){.sort = sort};
    if (sort)
        status = read_sort(req, sort, &out.sort, err);
    if (status == LORE_OK)
        status = read_time(req, "since", &out.since_us, err);
    if (status == LORE_OK)
        status = read_time(req, "until", &out.until_us, err);
    if (status == LORE_OK)
        status = lore_params_paging(req, paging, err);
    if (status != LORE_OK)
        return status;
    out.before = paging->at;
    out.limit = paging->limit + 1;
    *page = out;
    return LORE_OK;
}
