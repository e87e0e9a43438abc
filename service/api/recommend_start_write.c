/* Versions to start from, changes to make and what to measure next, as JSON (docs/api.md). */
#include <math.h>

#include "service/api/objects.h"
#include "service/api/present.h"
#include "service/api/recommend_start.h"

static void
write_interval(struct lore_jsonw *w, const char *key, struct lore_interval v, bool logs)
{
    lore_w_key(w, key);
    lore_w_obj(w);
    lore_w_kf64(w, "value", logs ? exp(v.value) : v.value);
    lore_w_kf64(w, "low", logs ? exp(v.low) : v.low);
    lore_w_kf64(w, "high", logs ? exp(v.high) : v.high);
    lore_w_obj_end(w);
}

void
lore_start_write_repeat(struct lore_jsonw *w, const struct lore_repeat *r)
{
    if (r == NULL)
        return;
    lore_w_key(w, "repeats");
    lore_w_obj(w);
    lore_w_kstr(w, "verdict", lore_repeat_kind_name(r->kind));
    lore_w_kstr(w, "reason", r->why);
    lore_w_kstr(w, "experiment", r->of->id);
    lore_w_obj_end(w);
}

void
lore_start_write_level(struct lore_jsonw *w, const struct lore_start_answer *a)
{
    lore_w_kstr_opt(w, "level", a->level);
    lore_w_kstr_opt(w, "why", a->level_why);
}

static void
write_version(struct lore_jsonw *w, const struct lore_version_row *row)
{
    lore_w_kstr(w, "version", row->v.id);
    lore_w_kstr_opt(w, "label", row->v.label != NULL ? row->v.label : row->v.tag);
    lore_present_kvs(w, "params", &row->v.params);
    lore_w_kstr(w, "kernel", row->v.kernel);
    lore_w_kstr_opt(w, "kernel_name", row->kernel_name);
    lore_w_kstr_opt(w, "language", row->language);
}

static void
write_start(struct lore_jsonw *w, const struct lore_start_row *r)
{
    write_version(w, &r->row);
    write_interval(w, "fraction", r->s.fraction, false);
    lore_w_kf64(w, "p_fail", r->s.p_fail);
    lore_w_kbool(w, "measured_here", r->s.measured_here);
    if (r->s.time_ns > 0)
        lore_w_kf64(w, "time_ns", r->s.time_ns);
    lore_w_key(w, "from");
    lore_w_arr(w);
    for (size_t i = 0; i < r->s.n_from; i++) {
        const struct lore_start_from *f = &r->s.from[i];
        lore_w_obj(w);
        lore_w_kstr(w, "chip", f->chip);
        lore_w_kstr_opt(w, "workload", f->workload);
        lore_w_kf64(w, "fraction", f->fraction);
        lore_w_kbool(w, "failed", !(f->fraction > 0));
        lore_w_kstr_opt(w, "run", r->run[i]);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
write_value(struct lore_jsonw *w, const char *key, const char *json)
{
    lore_w_key(w, key);
    lore_w_raw(w, json);
}

static void
write_move(struct lore_jsonw *w, const struct lore_move_row *r)
{
    const struct lore_technique *known = lore_technique_find(r->m.technique);

    lore_w_kstr(w, "technique", r->m.technique);
    lore_w_kstr(w, "title", known != NULL ? known->title : r->m.technique);
    lore_w_kstr(w, "parameter", r->m.parameter);
    write_value(w, "from", r->from_value);
    write_value(w, "to", r->to_value);
    lore_w_kstr(w, "to_version", r->to.v.id);
    write_interval(w, "p_win", r->m.p_win, false);
    write_interval(w, "gain", r->m.gain, true);
    lore_w_kf64(w, "expected", exp(r->m.expected));
    lore_w_kf64(w, "p_fail", r->m.p_fail);
    lore_w_kbool(w, "abstains", r->m.abstains);
    lore_w_kstr(w, "reach", lore_moves_reach_name(r->m.reach));
    lore_w_kf64(w, "effective_n", r->m.effective);
    lore_start_write_repeat(w, r->repeats);
}

static void
write_next(struct lore_jsonw *w, const struct lore_next_row *r, bool best)
{
    lore_w_obj(w);
    lore_w_kstr(w, "kind", r->start != NULL ? "start" : "move");
    if (best)
        lore_w_kf64(w, "expected_gain", exp(r->n.expected));
    if (r->start != NULL) {
        write_start(w, r->start);
    } else {
        write_version(w, &r->move->to);
        lore_w_kstr(w, "from_version", r->n.from);
        lore_w_key(w, "change");
        lore_w_obj(w);
        write_move(w, r->move);
        lore_w_obj_end(w);
    }
    lore_w_obj_end(w);
}

static void
write_place(struct lore_jsonw *w, const struct lore_start_answer *a)
{
    lore_w_key(w, "place");
    lore_w_obj(w);
    lore_w_kstr(w, "chip", a->place.chip->name);
    if (a->workload.id != NULL) {
        lore_w_key(w, "workload");
        lore_w_object(w, &lore_workload_object, &a->workload);
    }
    lore_w_kbool(w, "workload_assumed", a->place.assumed);
    lore_w_ki64(w, "measured", (int64_t)a->place.measured);
    lore_w_ki64(w, "known", (int64_t)a->place.n_states);
    if (a->best != NULL) {
        lore_w_key(w, "best");
        lore_w_obj(w);
        write_start(w, a->best);
        lore_w_obj_end(w);
    }
    lore_w_obj_end(w);
}

static void
write_lineage(struct lore_jsonw *w, const struct lore_start_answer *a)
{
    lore_w_key(w, "lineage");
    lore_w_obj(w);
    lore_w_kstr(w, "version", a->version->v.id);
    lore_w_kstr_opt(
        w, "label", a->version->v.label != NULL ? a->version->v.label : a->version->v.tag);
    lore_w_ki64(w, "attempts", (int64_t)a->lineage.attempts);
    lore_w_ki64(w, "since_gain", (int64_t)a->lineage.since_gain);
    lore_w_kbool(w, "gained", a->lineage.gained);
    lore_w_ki64(w, "recent", (int64_t)a->lineage.recent);
    lore_w_ki64(w, "recent_not_built", (int64_t)a->lineage.recent_not_built);
    lore_w_obj_end(w);
}

void
lore_start_write(struct lore_jsonw *w, const struct lore_start_answer *a)
{
    if (a->reading)
        lore_w_kstr(w, "start_state", "reading");
    if (a->placed)
        write_place(w, a);
    if (a->n_start > 0) {
        lore_w_key(w, "start");
        lore_w_arr(w);
        for (size_t i = 0; i < a->n_start; i++) {
            lore_w_obj(w);
            write_start(w, &a->start[i]);
            lore_w_obj_end(w);
        }
        lore_w_arr_end(w);
    }
    if (a->n_moves > 0) {
        lore_w_key(w, "moves");
        lore_w_arr(w);
        for (size_t i = 0; i < a->n_moves; i++) {
            lore_w_obj(w);
            write_move(w, &a->moves[i]);
            lore_w_obj_end(w);
        }
        lore_w_arr_end(w);
    }
    if (a->asked_next) {
        lore_w_key(w, "next");
        lore_w_arr(w);
        for (size_t i = 0; i < a->n_next; i++)
            write_next(w, &a->next[i], a->best != NULL);
        lore_w_arr_end(w);
    }
    if (a->version != NULL)
        write_lineage(w, a);
}
