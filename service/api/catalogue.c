/* Names the memory knows, with how often they are used: operators, chips, techniques, metrics. */
#include "service/api/api.h"

#include <string.h>

#include "service/api/edge.h"
#include "service/api/present.h"

/* Comma-separated text as an array. */
static void
write_list(struct lore_jsonw *w, const char *key, const char *text)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    while (text != NULL && *text != '\0') {
        size_t n = strcspn(text, ",");

        lore_w_strn(w, text, n);
        text += n + (text[n] == ',');
    }
    lore_w_arr_end(w);
}

enum lore_status
lore_api_operators(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_operator_row *rows = NULL;
    struct lore_jsonw w;
    size_t n = 0;
    enum lore_status status = lore_list_operators(req->db, req->arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_w_kstr(&w, "name", rows[i].name);
        lore_w_kstr(&w, "family", rows[i].family);
        lore_w_kstr_opt(&w, "summary", rows[i].summary);
        write_list(&w, "aliases", rows[i].aliases);
        lore_w_kbool(&w, "known", rows[i].known);
        lore_w_ki64(&w, "kernels", rows[i].kernels);
        lore_w_ki64(&w, "experiments", rows[i].experiments);
        lore_w_obj_end(&w);
    }
    return lore_rows_done(&w, false, 0, err);
}

static void
write_chip(struct lore_jsonw *w, const struct lore_chip *c, int64_t runs, int64_t experiments)
{
    lore_w_obj(w);
    lore_w_kstr(w, "name", c->name);
    lore_w_kstr(w, "title", c->title);
    lore_w_kstr(w, "vendor", c->vendor);
    lore_w_kstr(w, "arch", c->arch);
    lore_w_kstr(w, "isa", c->isa);
    lore_w_kstr(w, "unit", c->unit);
    lore_w_kbool(w, "product", c->product);
    lore_w_ki64(w, "runs", runs);
    lore_w_ki64(w, "experiments", experiments);
    lore_w_obj_end(w);
}

enum lore_status
lore_api_chips(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    bool all = lore_arg_bool(req, "all", false);
    size_t n_used = 0, n_chips;
    const struct lore_chip *chips = lore_chips(&n_chips);
    struct lore_chip_row *used = NULL;
    struct lore_jsonw w;
    enum lore_status status = lore_list_chips(req->db, req->arena, &used, &n_used, err);

    if (status != LORE_OK)
        return status;
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n_chips; i++) {
        size_t k = 0;

        while (k < n_used && strcmp(used[k].name, chips[i].name) != 0)
            k++;
        if (k < n_used)
            write_chip(&w, &chips[i], used[k].runs, used[k].experiments);
        else if (all)
            write_chip(&w, &chips[i], 0, 0);
    }
    return lore_rows_done(&w, false, 0, err);
}

enum lore_status
lore_api_techniques(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_technique_row *rows = NULL;
    struct lore_jsonw w;
    size_t n = 0;
    enum lore_status status = lore_list_techniques(req->db, req->arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++) {
        const struct lore_technique *t = lore_technique_find(rows[i].slug);

        lore_w_obj(&w);
        lore_w_kstr(&w, "slug", rows[i].slug);
        lore_w_kstr(&w, "title", rows[i].title);
        lore_w_kstr_opt(&w, "axis", rows[i].axis);
        lore_w_kstr_opt(&w, "layer", rows[i].layer);
        lore_w_kstr_opt(&w, "summary", rows[i].summary);
        lore_present_labels(&w, "triggers", t == NULL ? 0 : t->triggers);
        lore_w_kbool(&w, "known", rows[i].known);
        lore_w_ki64(&w, "experiments", rows[i].experiments);
        lore_w_ki64(&w, "wins", rows[i].wins);
        lore_w_ki64(&w, "losses", rows[i].losses);
        lore_w_obj_end(&w);
    }
    return lore_rows_done(&w, false, 0, err);
}

enum lore_status
lore_api_metric_defs(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    size_t n;
    const struct lore_metric_def *defs = lore_metrics(&n);
    struct lore_jsonw w;

    (void)req;
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_w_kstr(&w, "name", defs[i].name);
        lore_w_kstr_opt(&w, "vendor", defs[i].vendor);
        lore_w_kstr_opt(&w, "unit", defs[i].unit);
        lore_w_kstr_opt(&w, "kind", defs[i].kind);
        lore_w_kstr_opt(&w, "direction", defs[i].direction);
        lore_w_kstr_opt(&w, "canonical", defs[i].canonical);
        lore_w_kstr_opt(&w, "title", defs[i].title);
        lore_w_obj_end(&w);
    }
    return lore_rows_done(&w, false, 0, err);
}
