/* Rows that are configurations of a tuner. Rows of one place are one search. What the map does not
 * name is a further value of the configuration, so that nothing is lost. */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/maps/job.h"
#include "service/base/text.h"
#include "service/wire/build.h"

enum { LABEL_MAX = 180 };

void
lore_map_sweep_begin(struct lore_map_job *j)
{
    const struct lore_map_value *time = j->map->fields[LORE_MF_TIME];
    const struct lore_map_list *params = &j->map->lists[LORE_ML_PARAMETERS];

    lore_search_begin(&j->search, j->in, j->map->name);
    if (time && time->statistic)
        j->search.statistic = time->statistic;
    for (size_t i = 0; i < params->n; i++) {
        const struct lore_map_value *v = &params->v[i];
        if (v->technique)
            *LORE_PUSH(j->in->arena, j->search.meanings, j->search.n_meanings,
                j->search.cap_meanings) = (struct lore_search_meaning){.name = v->name,
                .technique = lore_streq(v->technique, "none") ? NULL : v->technique};
    }
    j->r.arena = &j->search.scratch;
}

static void
set_parameters(struct lore_map_job *j, struct lore_search_config *c)
{
    struct lore_kvs params = {.n = 0};

    lore_map_kvs(j, LORE_ML_PARAMETERS, &params);
    lore_map_kvs_from(j, LORE_MF_PARAMETERS_FROM, &params);
    for (size_t i = 0; i < params.n; i++)
        lore_search_param(&j->search, c, params.v[i].key, params.v[i].value);
}

static void
set_result(struct lore_map_job *j, struct lore_search_config *c)
{
    const struct lore_map_value *v = j->map->fields[LORE_MF_SAMPLES];
    const char *text = NULL;
    struct lore_f64 ns = {false, 0};
    double ms = v ? lore_map_unit_ns(v->unit) / 1e6 : 0;

    if (lore_map_has(j, LORE_MF_ERROR, LORE_TAKE_LINE, &text))
        lore_search_fail(&j->search, c, text);
    if (lore_map_has(j, LORE_MF_CORRECT, LORE_TAKE_NAME, &text)) {
        c->check = lore_map_check(text);
        if (c->check == LORE_C_FAIL && !c->error)
            lore_search_fail(&j->search, c, "incorrect");
    }
    if (lore_map_ns(&j->r, j->map->fields[LORE_MF_TIME], &ns)) {
        char written[32];
        (void)lore_f64_text(ns.v / 1e6, written);
        if (c->error) /* the time of a wrong result counts for nothing, and is kept */
            lore_search_sample(&j->search, c, ns.v / 1e6);
        else
            lore_search_timed(&j->search, c, ns.v / 1e6, lore_strdup(&j->search.scratch, written));
    }
    if (!lore_map_text(&j->r, v, LORE_TAKE_TEXT, &text))
        return;
    for (const char *p = text + strcspn(text, "-.0123456789"); *p && ms > 0;) {
        char *end;
        double one = strtod(p, &end);
        if (end == p)
            break;
        lore_search_sample(&j->search, c, one * ms);
        p = end + strcspn(end, "-.0123456789");
    }
}

static void
set_values(struct lore_map_job *j, struct lore_search_config *c)
{
    const struct lore_map_list *metrics = &j->map->lists[LORE_ML_METRICS];
    const char *json = NULL;

    for (size_t i = 0; i < metrics->n; i++)
        if (lore_map_scalar(&j->r, &metrics->v[i], &json))
            (void)lore_search_value(&j->search, c, metrics->v[i].name, metrics->v[i].unit, json);
    for (size_t i = 0; i < j->map->ignore.n; i++)
        lore_take_mark(&j->take, lore_map_node(&j->r, j->map->ignore.v[i]));
    for (const struct lore_json *m = j->r.row->child; m; m = m->next)
        if (!lore_take_marked(&j->take, m) && m->key && strlen(m->key) <= LORE_TAKE_NAME)
            lore_search_node(&j->search, c, m->key, NULL, m);
}

void
lore_map_configuration(struct lore_map_job *j)
{
    struct lore_map_place *p = lore_map_place(j);
    struct lore_err err = {.status = LORE_OK};
    const char *date = NULL;
    struct lore_search_config c = {
        .place = lore_search_place(&j->search, &(struct lore_search_place){.kernel = p->name,
                                                   .op = p->op,
                                                   .chip = p->chip,
                                                   .variant = p->session,
                                                   .workload = p->workload,
                                                   .language = p->language})};

    set_parameters(j, &c);
    (void)lore_map_has(j, LORE_MF_VERSION, LABEL_MAX, &c.label);
    set_result(j, &c);
    if (lore_map_has(j, LORE_MF_DATE, LORE_TAKE_NAME, &date))
        lore_search_time(&j->search, &c, date);
    set_values(j, &c);
    if (lore_search_add(&j->search, &c, &err) != LORE_OK)
        lore_search_refuse_line(&j->search, j->r.line, &err);
}
