/* GET /api/v1/stats: how much experience there is and how it went. Masked experiments count:
 * they happened. */
#include "service/api/api.h"

#include <stdlib.h>
#include <string.h>

#include "service/api/edge.h"
#include "service/api/present.h"
#include "service/base/clock.h"

#define TOP_TECHNIQUES 20
#define SHOWN_ALARMS 20

static int64_t
count_of(const struct lore_counts *c, const char *name)
{
    for (size_t i = 0; i < c->n; i++) {
        if (strcmp(c->v[i].name, name) == 0)
            return c->v[i].n;
    }
    return 0;
}

/* Campaigns whose records did not all arrive: the newest, and in `totals` how many. */
static enum lore_status
write_alarms(struct lore_req *req, struct lore_jsonw *w, struct lore_err *err)
{
    int64_t now_us = lore_now_us(), total = 0;
    struct lore_campaign_row *rows = NULL;
    size_t n = 0;
    enum lore_status status =
        lore_list_alarms(req->db, now_us, SHOWN_ALARMS, req->arena, &rows, &n, &total, err);

    if (status != LORE_OK)
        return status;
    lore_w_ki64(w, "alarms", total);
    lore_w_obj_end(w); /* of totals */
    lore_w_key(w, "alarms");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "campaign", rows[i].r.id);
        lore_w_kstr_opt(w, "label", rows[i].r.label);
        lore_w_ki64(w, "arrived", rows[i].arrived);
        lore_w_ki64(w, "expected_records", rows[i].expected_records.v);
        lore_w_kstr(w, "why", lore_campaign_alarm(&rows[i], now_us));
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
    return LORE_OK;
}

/* The last member is followed by the alarms. */
static enum lore_status
write_totals(struct lore_req *req, struct lore_jsonw *w, const struct lore_counts *verdicts,
    struct lore_err *err)
{
    static const char *const tables[][2] = {{"experiments", "fact_experiment"},
        {"runs", "fact_run"}, {"kernels", "fact_kernel"}, {"versions", "fact_version"},
        {"insights", "fact_insight"}, {"hypotheses", "fact_hypothesis"}};
    static const char *const effects[][2] = {{"wins", "win"}, {"losses", "loss"},
        {"neutral", "neutral"}, {"inconclusive", "inconclusive"}, {"not_measured", "not_measured"}};
    struct lore_experiment_filter odd = {.disagrees = 1, .masked = -1};
    struct lore_experiment_filter hidden = {.disagrees = -1, .masked = 1};
    struct lore_counts rows = {0};
    int64_t disagreements = 0, masked = 0;
    enum lore_status status = lore_db_stats(req->db, req->arena, &rows.v, &rows.n, err);

    if (status == LORE_OK)
        status = lore_count_total(req->db, &odd, &disagreements, err);
    if (status == LORE_OK)
        status = lore_count_total(req->db, &hidden, &masked, err);
    if (status != LORE_OK)
        return status;
    lore_w_key(w, "totals");
    lore_w_obj(w);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        lore_w_ki64(w, tables[i][0], count_of(&rows, tables[i][1]));
    for (size_t i = 0; i < sizeof effects / sizeof effects[0]; i++)
        lore_w_ki64(w, effects[i][0], count_of(verdicts, effects[i][1]));
    lore_w_ki64(w, "disagreements", disagreements);
    lore_w_ki64(w, "masked", masked);
    return write_alarms(req, w, err);
}

/* One `by_…` list: experiments and wins per value of a facet. */
static void
write_by(struct lore_jsonw *w, const char *key, const struct lore_counts *all,
    const struct lore_counts *wins)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; i < all->n; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "name", all->v[i].name);
        lore_w_ki64(w, "n", all->v[i].n);
        lore_w_ki64(w, "wins", count_of(wins, all->v[i].name));
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static int
more_tried_first(const void *a, const void *b)
{
    const struct lore_technique_row *x = a, *y = b;

    if (x->experiments != y->experiments)
        return x->experiments < y->experiments ? 1 : -1;
    return strcmp(x->slug, y->slug);
}

static enum lore_status
write_techniques(struct lore_req *req, struct lore_jsonw *w, struct lore_err *err)
{
    struct lore_technique_row *rows = NULL;
    size_t n = 0;
    enum lore_status status = lore_list_techniques(req->db, req->arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    if (n > 0)
        qsort(rows, n, sizeof *rows, more_tried_first);
    lore_w_key(w, "top_techniques");
    lore_w_arr(w);
    for (size_t i = 0; i < n && i < TOP_TECHNIQUES && rows[i].experiments > 0; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "name", rows[i].slug);
        lore_w_ki64(w, "tried", rows[i].experiments);
        lore_w_ki64(w, "won", rows[i].wins);
        lore_w_ki64(w, "lost", rows[i].losses);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
    return LORE_OK;
}

enum lore_status
lore_api_stats(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    static const struct {
        const char *key;
        enum lore_facet facet;
    } lists[] = {{"by_operator", LORE_FACET_OPERATOR}, {"by_language", LORE_FACET_LANGUAGE},
        {"by_chip", LORE_FACET_CHIP}, {"by_bottleneck", LORE_FACET_LABEL}};
    struct lore_experiment_filter any = {.disagrees = -1, .masked = -1};
    struct lore_experiment_filter won = {.disagrees = -1, .masked = -1, .effect = "win"};
    struct lore_facets all, wins;
    struct lore_jsonw w;
    struct lore_err ignored;
    enum lore_status status, written;

    status = lore_count_facets(req->db, &any, req->arena, &all, err);
    if (status == LORE_OK)
        status = lore_count_facets(req->db, &won, req->arena, &wins, err);
    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    status = write_totals(req, &w, &all.of[LORE_FACET_EFFECT], err);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        write_by(&w, lists[i].key, &all.of[lists[i].facet], &wins.of[lists[i].facet]);
    if (status == LORE_OK)
        status = write_techniques(req, &w, err);
    lore_w_obj_end(&w);
    written = lore_jsonw_end(&w, status == LORE_OK ? err : &ignored);
    return status == LORE_OK ? written : status;
}
