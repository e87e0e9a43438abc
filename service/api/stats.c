/* GET /api/v1/stats: counts of experiments and outcomes. Masked experiments count: they happened.
 * Copies do not: what they repeat is counted.
 */
#include "service/api/api.h"

#include <stdlib.h>
#include <string.h>

#include "service/api/objects.h"
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

struct totals {
    int64_t experiments, runs, kernels, versions, insights, hypotheses;
    int64_t wins, losses, neutral, inconclusive, not_measured;
    int64_t disagreements, masked, copies, alarms;
};
#define ROW struct totals
static const struct lore_object_member totals[] = {
    {"!experiments", AT(experiments)},
    {"!runs", AT(runs)},
    {"!kernels", AT(kernels)},
    {"!versions", AT(versions)},
    {"!insights", AT(insights)},
    {"!hypotheses", AT(hypotheses)},
    {"!wins", AT(wins)},
    {"!losses", AT(losses)},
    {"!neutral", AT(neutral)},
    {"!inconclusive", AT(inconclusive)},
    {"!not_measured", AT(not_measured)},
    {"!disagreements", AT(disagreements), NULL, "the author's outcome differs from the verdict"},
    {"!masked", AT(masked), NULL, "hidden experiments, in none of the counts of effects"},
    {"!copies", AT(copies), NULL, "experiments and runs that repeat others, and are not counted"},
    {"!alarms", AT(alarms), NULL, "campaigns whose records did not all arrive"},
};
static const struct lore_object totals_object = LORE_OBJECT("Totals", totals);
#undef ROW

struct alarm {
    struct lore_campaign_row c;
    const char *why;
};
#define ROW struct alarm
static const struct lore_object_member alarm_table[] = {
    {"!campaign", AT(c.r.id), "ulid"},
    {"label", AT(c.r.label)},
    {"!arrived", AT(c.arrived)},
    {"!expected_records", AT(c.expected_records), "integer"},
    {"!why", AT(why), "closed|ended|quiet"},
};
static const struct lore_object alarm_object = LORE_OBJECT("CampaignAlarm", alarm_table);
#undef ROW

struct by {
    const char *name;
    int64_t n, wins;
};
#define ROW struct by
static const struct lore_object_member by[] = {
    {"!name", AT(name)}, {"!n", AT(n), NULL, "experiments"}, {"!wins", AT(wins)}};
static const struct lore_object by_object = LORE_OBJECT("CountOf", by);
#undef ROW

#define ROW struct lore_technique_row
static const struct lore_object_member top[] = {
    {"!name", AT(slug)},
    {"!tried", AT(experiments)},
    {"!won", AT(wins)},
    {"!lost", AT(losses)},
};
static const struct lore_object top_object = LORE_OBJECT("TopTechnique", top);
#undef ROW

struct bys {
    struct by *v;
    size_t n;
};
struct statistics {
    struct totals totals;
    struct alarm *alarms; /* the newest */
    struct bys by_operator, by_language, by_chip, by_bottleneck;
    struct lore_technique_row *top;
    size_t n_alarms, n_top;
};
#define ROW struct statistics
static const struct lore_object_member statistics[] = {
    {"!totals", OBJECT(totals, totals_object)},
    {"!alarms", LIST(alarms, n_alarms, alarm_object)},
    {"!by_operator", LIST(by_operator.v, by_operator.n, by_object)},
    {"!by_language", LIST(by_language.v, by_language.n, by_object)},
    {"!by_chip", LIST(by_chip.v, by_chip.n, by_object)},
    {"!by_bottleneck", LIST(by_bottleneck.v, by_bottleneck.n, by_object)},
    {"!top_techniques", LIST(top, n_top, top_object)},
};
const struct lore_object lore_statistics_object = LORE_OBJECT("Statistics", statistics);
#undef ROW

static enum lore_status
read_alarms(struct lore_req *req, struct statistics *x, struct lore_err *err)
{
    int64_t now_us = lore_now_us();
    struct lore_alarms found = {0};
    enum lore_status status =
        lore_db_list_alarms(req->db, now_us, SHOWN_ALARMS, req->arena, &found, err);

    if (status != LORE_OK)
        return status;
    x->n_alarms = found.n;
    x->totals.alarms = found.total;
    x->alarms = lore_alloc_array(req->arena, x->n_alarms + 1, sizeof *x->alarms);
    for (size_t i = 0; i < x->n_alarms; i++)
        x->alarms[i] = (struct alarm){found.rows[i], lore_campaign_alarm(&found.rows[i], now_us)};
    return LORE_OK;
}

static enum lore_status
read_totals(struct lore_req *req, const struct lore_counts *verdicts, struct totals *t,
    struct lore_err *err)
{
    struct lore_experiment_filter odd = {.disagrees = 1, .masked = LORE_NO_COPIES};
    struct lore_experiment_filter hidden = {.disagrees = -1, .masked = 1};
    struct lore_counts rows = {0};
    enum lore_status status = lore_db_stats(req->db, req->arena, &rows.v, &rows.n, err);

    if (status != LORE_OK)
        return status;
    *t = (struct totals){
        .experiments = count_of(&rows, "fact_experiment") - count_of(&rows, "experiment_copies"),
        .runs = count_of(&rows, "fact_run") - count_of(&rows, "run_copies"),
        .copies = count_of(&rows, "experiment_copies") + count_of(&rows, "run_copies"),
        .kernels = count_of(&rows, "fact_kernel"),
        .versions = count_of(&rows, "fact_version"),
        .insights = count_of(&rows, "fact_insight"),
        .hypotheses = count_of(&rows, "fact_hypothesis"),
        .wins = count_of(verdicts, "win"),
        .losses = count_of(verdicts, "loss"),
        .neutral = count_of(verdicts, "neutral"),
        .inconclusive = count_of(verdicts, "inconclusive"),
        .not_measured = count_of(verdicts, "not_measured")};
    status = lore_count_total(req->db, &odd, &t->disagreements, err);
    return status == LORE_OK ? lore_count_total(req->db, &hidden, &t->masked, err) : status;
}

/* Experiments and wins per value of a facet. */
static struct bys
count_by(struct lore_arena *arena, const struct lore_facets *all, const struct lore_facets *wins,
    enum lore_facet facet)
{
    const struct lore_counts *c = &all->of[facet];
    struct bys out = {lore_alloc_array(arena, c->n + 1, sizeof *out.v), c->n};

    for (size_t i = 0; i < c->n; i++)
        out.v[i] = (struct by){c->v[i].name, c->v[i].n, count_of(&wins->of[facet], c->v[i].name)};
    return out;
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
read_techniques(struct lore_req *req, struct statistics *x, struct lore_err *err)
{
    size_t n = 0;
    enum lore_status status = lore_db_list_techniques(req->db, req->arena, &x->top, &n, err);

    if (status == LORE_OK && n > 0)
        qsort(x->top, n, sizeof *x->top, more_tried_first);
    while (status == LORE_OK && x->n_top < n && x->n_top < TOP_TECHNIQUES &&
           x->top[x->n_top].experiments > 0)
        x->n_top++;
    return status;
}

enum lore_status
lore_api_stats(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_experiment_filter any = {.disagrees = -1, .masked = 0};
    struct lore_experiment_filter won = {.disagrees = -1, .masked = 0, .effect = "win"};
    struct lore_facets all, wins;
    struct statistics x = {0};
    enum lore_status status = lore_count_facets(req->db, &any, req->arena, &all, err);

    if (status == LORE_OK)
        status = lore_count_facets(req->db, &won, req->arena, &wins, err);
    if (status == LORE_OK)
        status = read_totals(req, &all.of[LORE_FACET_EFFECT], &x.totals, err);
    if (status == LORE_OK)
        status = read_alarms(req, &x, err);
    if (status == LORE_OK)
        status = read_techniques(req, &x, err);
    if (status != LORE_OK)
        return status;
    x.by_operator = count_by(req->arena, &all, &wins, LORE_FACET_OPERATOR);
    x.by_language = count_by(req->arena, &all, &wins, LORE_FACET_LANGUAGE);
    x.by_chip = count_by(req->arena, &all, &wins, LORE_FACET_CHIP);
    x.by_bottleneck = count_by(req->arena, &all, &wins, LORE_FACET_LABEL);
    return lore_reply_object(resp, &lore_statistics_object, &x, err);
}
