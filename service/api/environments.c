/* GET /api/v1/environments, /environments/{id} and /environments/{a}/compare/{b}: what surrounded a
 * run; hard fields, which make times incomparable, apart from soft ones. */
#include "db/ancestry.h"
#include "service/api/api.h"
#include "service/api/api_knowledge.h"
#include "service/api/edge.h"
#include "service/api/present.h"
#include "service/base/text.h"

static void
put_environment(struct lore_jsonw *w, const struct lore_environment_row *r)
{
    lore_w_obj(w);
    lore_w_kstr(w, "id", r->e.id);
    lore_w_kstr_opt(w, "chip", r->e.chip);
    lore_present_kvs(w, "hard", &r->e.hard);
    lore_present_kvs(w, "soft", &r->e.soft);
    lore_w_kstr(w, "hard_hash", r->hard_hash);
    lore_w_kstr(w, "soft_hash", r->soft_hash);
    lore_present_time(w, "captured_at", r->captured_us);
    lore_present_time(w, "received_at", r->received_us);
    lore_present_record(w, LORE_K_ENVIRONMENT, &r->e, r->rest);
    lore_w_kstr_opt(w, "document", r->document);
    lore_w_ki64(w, "seq", r->seq);
    lore_w_obj_end(w);
}

enum lore_status
lore_api_environment(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_environment_row r = {0};
    struct lore_jsonw w;
    enum lore_status status = lore_get_environment(req->db, req->vars[0], req->arena, &r, err);

    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    put_environment(&w, &r);
    return lore_jsonw_end(&w, err);
}

enum lore_status
lore_api_environments(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const struct lore_chip *chip = NULL;
    struct lore_environment_row *rows = NULL;
    struct lore_cut cut;
    struct lore_jsonw w;
    size_t n = 0;
    bool more;
    enum lore_status status = lore_edge_cut(req, &cut, err);

    if (status == LORE_OK)
        status = lore_edge_chip(req, &chip, err);
    if (status == LORE_OK)
        status = lore_list_environments(req->db, chip == NULL ? NULL : chip->name,
            lore_cut_page(&cut), req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    n = lore_cut_rows(&cut, n, &more);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++)
        put_environment(&w, &rows[i]);
    return lore_rows_done(&w, more, n == 0 ? 0 : rows[n - 1].seq, err);
}

static void
put_value(struct lore_jsonw *w, const char *name, const char *a, const char *b)
{
    lore_w_obj(w);
    lore_w_kstr(w, "name", name);
    if (a != NULL) {
        lore_w_key(w, "a");
        lore_w_raw(w, a);
    }
    if (b != NULL) {
        lore_w_key(w, "b");
        lore_w_raw(w, b);
    }
    lore_w_obj_end(w);
}

/* Fields that differ: those of A in its order, then those that only B has. */
static void
put_differences(
    struct lore_jsonw *w, const char *key, const struct lore_kvs *a, const struct lore_kvs *b)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; i < a->n; i++) {
        const char *other = lore_kvs_get(b, a->v[i].key);

        if (other != NULL && lore_streq(other, a->v[i].value))
            continue;
        put_value(w, a->v[i].key, a->v[i].value, other);
    }
    for (size_t i = 0; i < b->n; i++) {
        if (lore_kvs_get(a, b->v[i].key) != NULL)
            continue;
        put_value(w, b->v[i].key, NULL, b->v[i].value);
    }
    lore_w_arr_end(w);
}

enum lore_status
lore_api_environments_compare(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_environment_row a = {0}, b = {0};
    struct lore_jsonw w;
    enum lore_status status = lore_get_environment(req->db, req->vars[0], req->arena, &a, err);

    if (status == LORE_OK)
        status = lore_get_environment(req->db, req->vars[1], req->arena, &b, err);
    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_w_key(&w, "a");
    put_environment(&w, &a);
    lore_w_key(&w, "b");
    put_environment(&w, &b);
    lore_w_kbool(&w, "comparable",
        lore_streq(a.hard_hash, b.hard_hash) &&
            (a.e.chip == NULL || b.e.chip == NULL || lore_streq(a.e.chip, b.e.chip)));
    put_differences(&w, "hard", &a.e.hard, &b.e.hard);
    put_differences(&w, "soft", &a.e.soft, &b.e.soft);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}
