/* GET /api/v1/failures: what went wrong how often, what it was, and what fixed it, over the errors
 * of runs and the pitfalls of experiments. Hidden experiments count: they happened. */
#include "service/derive/failures.h"

#include "db/failure.h"
#include "service/api/api_knowledge.h"
#include "service/api/edge.h"
#include "service/api/present.h"

enum { LOOKED_AT = 2000, ROWS = 100 };

static void
put_group(struct lore_jsonw *w, const struct lore_failure_group *g)
{
    lore_w_obj(w);
    lore_w_kstr(w, "error_type", g->type);
    lore_w_kstr_opt(w, "code", g->code);
    lore_w_kstr_opt(w, "words", g->words);
    lore_w_ki64(w, "count", g->count);
    lore_w_ki64(w, "recurrences", g->recurrences);
    lore_w_kstr_opt(w, "message", g->message);
    lore_w_kstr_opt(w, "root_cause", g->root_cause);
    lore_w_kstr_opt(w, "fix", g->fix);
    lore_w_kstr_opt(w, "lesson", g->lesson);
    lore_w_key(w, "experiments");
    lore_w_arr(w);
    for (size_t i = 0; i < g->n_experiments; i++)
        lore_w_str(w, g->experiments[i]);
    lore_w_arr_end(w);
    lore_w_kstr_opt(w, "run", g->run);
    lore_present_time(w, "last_at", g->last_us);
    lore_w_obj_end(w);
}

enum lore_status
lore_api_failures(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_failure_group *groups = NULL;
    struct lore_failure_row *rows = NULL;
    struct lore_failed *in;
    struct lore_jsonw w;
    size_t n = 0, n_groups = 0;
    enum lore_status status = lore_list_failures(
        req->db, lore_arg_text(req, "error_type", NULL), LOOKED_AT, req->arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    in = lore_alloc_array(req->arena, n + 1, sizeof *in);
    for (size_t i = 0; i < n; i++)
        in[i] = (struct lore_failed){&rows[i].p, rows[i].experiment, rows[i].run, rows[i].at_us};
    lore_failures_group(in, n, req->arena, &groups, &n_groups);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n_groups && i < ROWS; i++)
        put_group(&w, &groups[i]);
    lore_rows_end(&w, false, 0);
    lore_w_ki64(&w, "groups", (int64_t)n_groups);
    lore_w_ki64(&w, "failures", (int64_t)n);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}
