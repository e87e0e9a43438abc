/* GET /api/v1/records/{id}: any stored record by its id, with the decisions about it. Some kinds
 * have an address of their own with more data; technique definitions, verifications and
 * attributions are read one by one only here. */
#include "service/api/records.h"

#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/objects.h"
#include "service/base/text.h"

/* The route with this path: "/api/v1/source-documents/{id}". */
static bool
has_route(const char *path)
{
    for (const struct lore_route *r = lore_routes; r->path; r++)
        if (strcmp(r->path, path) == 0)
            return true;
    return false;
}

/* The address of its own that a record of KIND has; NULL: none. */
static const char *
own_address(struct lore_arena *arena, enum lore_kind kind, const char *id)
{
    char *folder = lore_format(arena, "/api/v1/%s/", lore_kind_plural(kind));

    for (char *c = folder; *c; c++)
        *c = *c == '_' ? '-' : *c;
    return has_route(lore_format(arena, "%s{id}", folder)) ? lore_format(arena, "%s%s", folder, id)
                                                           : NULL;
}

const char *
lore_record_address(struct lore_arena *arena, const char *kind, const char *id)
{
    const char *own = NULL;

    for (int k = 0; k < LORE_K_COUNT; k++)
        if (lore_streq(lore_kind_name(k), kind))
            own = own_address(arena, k, id);
    return own ? own : lore_format(arena, "/api/v1/records/%s", id);
}

#define ROW struct lore_standing
static const struct lore_object_member review[] = {
    {"!state", AT(review), "draft|reviewed|rejected"},
    {"by", AT(reviewer)},
    {"reason", AT(review_reason)},
};
static const struct lore_object lore_review_object = LORE_KEYED_OBJECT("Review", review, review);

static const struct lore_object_member decided[] = {
    {"!review", PART(lore_review_object)},
    {"!retracted", AT(retracted)},
    {"retraction", AT(retraction), NULL, "why"},
    {"beyond_ceiling", AT(beyond), NULL, "why its time is impossible, so that it does not count"},
};
const struct lore_object lore_standing_object = LORE_OBJECT("", decided);
#undef ROW

/* A record of any kind. Only an experiment can be hidden or be in a merge group. */
struct record {
    struct lore_found found;
    const char *id, *address;
    struct lore_standing standing;
    const char *hidden_why, *merge, *canonical;
    struct lore_whole whole;
};

static void
write_masked(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct record *r = row;

    if (r->found.kind == LORE_K_EXPERIMENT)
        lore_w_kbool(w, key, r->hidden_why != NULL);
}

static void
write_record(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct record *r = row;

    (void)key;
    lore_present_record(w, r->found.kind, r->whole.record, r->whole.rest);
}

#define ROW struct record
static const struct lore_object_member standing[] = {
    {"", MEMBERS(standing, lore_standing_object)},
    {"masked", WRITTEN(write_masked), "boolean", "hidden from recommendations"},
    {"hidden_why", AT(hidden_why), "masked|merged|retracted|copy|beyond_ceiling"},
    {"merge", AT(merge), "ulid"},
    {"canonical", AT(canonical), "ulid", "the experiment that counts for its merge group"},
};
static const struct lore_object lore_record_standing_object =
    LORE_OBJECT("RecordStanding", standing);

static const struct lore_object_member record[] = {
    {"!kind", NAMED(found.kind, lore_kind_name)},
    {"!id", AT(id), "ulid"},
    {"!document", AT(found.document), "ulid"},
    {"!actor", AT(found.actor)},
    {"address", AT(address), NULL, "address with more data, if its kind has one"},
    {"!standing", PART(lore_record_standing_object)},
    {"!record", WRITTEN(write_record), "object"},
};
const struct lore_object lore_any_record_object = LORE_OBJECT("AnyRecord", record);
#undef ROW

static enum lore_status
load_hidden(struct lore_req *req, struct record *r, struct lore_err *err)
{
    enum lore_status status = lore_db_get_hidden_why(req->db, r->id, &r->hidden_why, err);

    return status == LORE_OK
               ? lore_db_get_merge(req->db, r->id, req->arena, &r->merge, &r->canonical, err)
               : status;
}

enum lore_status
lore_api_record(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct record r = {.id = req->vars[0]};
    enum lore_status status = lore_db_find_record(req->db, r.id, req->arena, &r.found, err);

    if (status == LORE_OK)
        status = lore_db_get_whole(req->db, r.found.kind, r.id, req->arena, &r.whole, err);
    if (status == LORE_OK)
        status = lore_db_get_standing(req->db, r.id, req->arena, &r.standing, err);
    if (status == LORE_OK && r.found.kind == LORE_K_EXPERIMENT)
        status = load_hidden(req, &r, err);
    if (status != LORE_OK)
        return status;
    r.address = own_address(req->arena, r.found.kind, r.id);
    return lore_reply_object(resp, &lore_any_record_object, &r, err);
}
