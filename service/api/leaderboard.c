/* GET /api/v1/leaderboard: best version per operator, language, chip and workload. The rows
 * borrow from the memory, so they are written while its read lock is held. Cursors are offsets. */
#include "service/api/api.h"

#include "db/verdicts.h"
#include "service/api/edge.h"
#include "service/api/present.h"
#include "service/http/app.h"
#include "service/ingest/memory.h"

/* 0 is how the board says "not known". */
static void
known(struct lore_jsonw *w, const char *key, double v)
{
    if (v != 0)
        lore_w_kf64(w, key, v);
}

static void
write_speedup(struct lore_jsonw *w, const char *key, const struct lore_speedup *s)
{
    lore_w_key(w, key);
    if (!s->set) {
        lore_w_null(w);
        return;
    }
    lore_w_obj(w);
    lore_w_kf64(w, "value", s->value);
    lore_w_kstr(w, "base", lore_base_name(s->base));
    lore_w_kstr_opt(w, "base_name", s->base_name);
    lore_w_kstr_opt(w, "base_version", s->base_version);
    lore_w_obj_end(w);
}

static void
write_typical(struct lore_jsonw *w, const struct lore_board_row *r)
{
    lore_w_key(w, "typical");
    if (r->typical_over == NULL) {
        lore_w_null(w);
        return;
    }
    lore_w_obj(w);
    known(w, "low", r->typical_low);
    known(w, "high", r->typical_high);
    lore_w_kstr(w, "over", r->typical_over);
    lore_w_obj_end(w);
}

/* What is compared: the cell and its best version. */
static void
write_cell(struct lore_jsonw *w, const struct lore_board_row *r)
{
    lore_w_kstr(w, "operator", r->op);
    lore_w_kstr_opt(w, "family", r->family);
    if (r->language != LORE_LANG_NONE)
        lore_w_kstr(w, "language", lore_language_name(r->language));
    lore_w_kstr_opt(w, "chip", r->chip);
    lore_w_key(w, "workload");
    if (r->workload == NULL) {
        lore_w_null(w);
    } else {
        lore_w_obj(w);
        lore_w_kstr(w, "id", r->workload);
        lore_w_kstr_opt(w, "label", r->workload_label);
        lore_w_obj_end(w);
    }
    lore_w_kstr_opt(w, "kernel", r->kernel);
    lore_w_kstr_opt(w, "kernel_name", r->kernel_name);
    lore_w_key(w, "best");
    lore_w_obj(w);
    lore_w_kstr_opt(w, "version", r->best_version);
    lore_w_kstr_opt(w, "label", r->best_label);
    lore_w_kstr_opt(w, "run", r->best_run);
    lore_w_kstr_opt(w, "experiment", r->best_experiment);
    lore_w_obj_end(w);
}

/* Which versions may be as fast, by which interval, and which ranks the row may have. */
static void
write_ties(struct lore_jsonw *w, const struct lore_board_row *r)
{
    if (r->interval_of != NULL) {
        lore_w_key(w, "interval");
        lore_w_obj(w);
        known(w, "low_ns", r->interval_low_ns);
        known(w, "high_ns", r->interval_high_ns);
        lore_w_kstr(w, "of", r->interval_of);
        lore_w_obj_end(w);
    }
    if (r->rank > 0) {
        lore_w_ki64(w, "rank", (int64_t)r->rank);
        lore_w_ki64(w, "rank_high", (int64_t)r->rank_high);
    }
    if (r->compared > 0)
        lore_w_ki64(w, "compared", (int64_t)r->compared);
    lore_w_key(w, "tied");
    lore_w_arr(w);
    for (size_t i = 0; i < r->n_tied; i++) {
        lore_w_obj(w);
        lore_w_kstr_opt(w, "version", r->tied[i].version);
        lore_w_kstr_opt(w, "label", r->tied[i].version_label);
        lore_w_kstr_opt(w, "kernel_name", r->tied[i].kernel_name);
        if (r->tied[i].language != LORE_LANG_NONE)
            lore_w_kstr(w, "language", lore_language_name(r->tied[i].language));
        known(w, "time_ns", r->tied[i].time_ns);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

/* Whether the best is right, and what proves that nothing beats a baseline. */
static void
write_proof(struct lore_jsonw *w, const struct lore_board_row *r)
{
    lore_w_kstr_opt(w, "method", r->method);
    if (r->correctness != LORE_C_NONE)
        lore_w_kstr(w, "correctness", lore_check_name(r->correctness));
    lore_w_kstr_opt(w, "checked_on", r->checked_on);
    lore_w_key(w, "failed_attempts");
    lore_w_arr(w);
    for (size_t i = 0; i < r->n_attempts; i++)
        lore_w_str(w, r->attempts[i]);
    lore_w_arr_end(w);
}

/* Every record that R names. */
static size_t
named(struct lore_arena *arena, const struct lore_board_row *r, const char ***out)
{
    const char *const own[] = {r->kernel, r->best_version, r->best_run, r->best_experiment,
        r->speedup.base_version, r->vs_library.base_version};
    size_t n = 0, cap = 0;

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        *LORE_PUSH(arena, *out, n, cap) = own[i];
    for (size_t i = 0; i < r->n_tied; i++)
        *LORE_PUSH(arena, *out, n, cap) = r->tied[i].version;
    for (size_t i = 0; i < r->n_attempts; i++)
        *LORE_PUSH(arena, *out, n, cap) = r->attempts[i];
    for (size_t i = 0; i < r->n_excluded; i++)
        *LORE_PUSH(arena, *out, n, cap) = r->excluded[i].version;
    return n;
}

static enum lore_status
write_row(struct lore_req *req, struct lore_jsonw *w, const struct lore_board_row *r, bool look,
    struct lore_err *err)
{
    const char **ids = NULL;
    bool withheld = false;
    size_t n = look ? named(req->arena, r, &ids) : 0;
    enum lore_status status = lore_any_withheld(req->db, ids, n, &withheld, err);

    lore_w_obj(w);
    write_cell(w, r);
    if (withheld)
        lore_w_kbool(w, "withheld", true);
    known(w, "time_ns", r->time_ns);
    known(w, "low_ns", r->low_ns);
    known(w, "high_ns", r->high_ns);
    if (r->n_samples > 0)
        lore_w_ki64(w, "n_samples", (int64_t)r->n_samples);
    write_speedup(w, "speedup", &r->speedup);
    write_speedup(w, "vs_library", &r->vs_library);
    write_typical(w, r);
    write_ties(w, r);
    write_proof(w, r);
    lore_present_labels(w, "labels", r->labels);
    if (r->derived_labels != 0)
        lore_present_labels(w, "derived_labels", r->derived_labels);
    lore_w_kstr_opt(w, "status", r->status);
    if (r->evidence != LORE_EV_NONE)
        lore_w_kstr(w, "evidence", lore_evidence_name(r->evidence));
    lore_w_ki64(w, "versions", (int64_t)r->versions);
    lore_w_ki64(w, "runs", (int64_t)r->runs);
    lore_w_ki64(w, "experiments", (int64_t)r->experiments);
    lore_w_ki64(w, "won", (int64_t)r->won);
    lore_w_ki64(w, "neutral", (int64_t)r->neutral);
    lore_w_ki64(w, "lost", (int64_t)r->lost);
    lore_w_key(w, "excluded");
    lore_w_arr(w);
    for (size_t i = 0; i < r->n_excluded; i++) {
        lore_w_obj(w);
        lore_w_kstr_opt(w, "version", r->excluded[i].version);
        lore_w_kstr_opt(w, "label", r->excluded[i].version_label);
        lore_w_kstr(w, "reason", r->excluded[i].reason);
        lore_w_kstr_opt(w, "code", r->excluded[i].code);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
    lore_present_time(w, "updated_at", r->updated_us);
    lore_w_obj_end(w);
    return status;
}

/* How many rows there would be of kernels that nobody has said anything of. */
static size_t
unclassified(struct lore_req *req, const struct lore_board_index *ix, struct lore_board_filter f)
{
    struct lore_board_row *rows;
    size_t n, total = 0;

    if (f.op != NULL || f.workload != NULL)
        return 0;
    f.op = LORE_UNCLASSIFIED;
    f.offset = 0;
    f.limit = 1;
    lore_board(ix, &f, req->arena, &rows, &n, &total);
    return total;
}

enum lore_status
lore_api_leaderboard(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_board_filter f = {0};
    struct lore_board_row *rows = NULL;
    struct lore_cut cut;
    struct lore_jsonw w;
    size_t n = 0, total = 0, left_out;
    bool look = false; /* is anything withheld at all? */
    enum lore_status status = lore_edge_cut(req, &cut, err);

    if (status == LORE_OK)
        status = lore_edge_chip(req, &f.chip, err);
    if (status == LORE_OK)
        status = lore_edge_language(req, &f.language, err);
    if (status == LORE_OK)
        status = lore_edge_labels(req, &f.labels, err);
    if (status == LORE_OK)
        status = lore_has_withheld(req->db, &look, err);
    if (status != LORE_OK)
        return status;
    f.op = lore_edge_operator(req);
    f.family = lore_arg_text(req, "family", NULL);
    f.workload = lore_arg_text(req, "workload", NULL);
    f.text = lore_arg_text(req, "q", NULL);
    f.at_least = lore_edge_evidence(req);
    f.checked = lore_arg_bool(req, "checked", false);
    f.any_shape = lore_arg_bool(req, "any_shape", false);
    f.sort = lore_arg_text(req, "sort", "operator");
    f.offset = (size_t)cut.at;
    f.limit = cut.limit;
    lore_rows_begin(&w, resp);
    const struct lore_board_index *ix = lore_memory_board(req->app->memory);
    lore_board(ix, &f, req->arena, &rows, &n, &total);
    left_out = unclassified(req, ix, f);
    for (size_t i = 0; i < n && status == LORE_OK; i++)
        status = write_row(req, &w, &rows[i], look, err);
    lore_memory_done(req->app->memory);
    if (status != LORE_OK)
        return status;
    lore_rows_end(&w, f.offset + n < total, (int64_t)(f.offset + n));
    lore_w_ki64(&w, "total", (int64_t)total);
    if (left_out > 0)
        lore_w_ki64(&w, "unclassified", (int64_t)left_out);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}
