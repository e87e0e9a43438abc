/* What is derived about an experiment beside its outcome, as JSON (present_verdicts.h). */
#include "service/api/present_verdicts.h"

#include "service/api/present.h"

void
lore_present_judgements(struct lore_jsonw *w, const struct lore_judgement_row *rows, size_t n)
{
    lore_w_key(w, "judgements");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "metric", rows[i].metric);
        lore_w_kstr(w, "verdict", rows[i].verdict);
        lore_present_f64(w, "before", rows[i].before);
        lore_present_f64(w, "after", rows[i].after);
        lore_w_kstr(w, "why", rows[i].why);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
rule(struct lore_jsonw *w, const char *key, const struct lore_rule *r)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; i < r->n; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "clause", r->clauses[i].text);
        lore_w_kstr(w, "truth", lore_rule_truth_name(r->clauses[i].truth));
        lore_w_kstr_opt(w, "why", r->clauses[i].why);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

void
lore_present_claim_check(struct lore_jsonw *w, const struct lore_claim_check *c)
{
    lore_w_kstr(w, "claim_verdict", c->verdict);
    lore_w_key(w, "decision");
    if (!c->has_rule) {
        lore_w_null(w);
    } else {
        lore_w_obj(w);
        lore_w_kstr(w, "decision", lore_decision_name(c->decided.decision));
        lore_w_kstr_opt(w, "why", c->decided.reason);
        rule(w, "accept", &c->decided.accept);
        rule(w, "reject", &c->decided.reject);
        lore_w_obj_end(w);
    }
    lore_w_key(w, "watch");
    lore_w_arr(w);
    for (size_t i = 0; i < c->n_watch; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "metric", c->watch[i].words);
        lore_w_kstr(w, "state", lore_watch_name(c->watch[i].state));
        lore_present_f64(w, "before", c->watch[i].measured.before);
        lore_present_f64(w, "after", c->watch[i].measured.after);
        lore_present_f64(w, "change_pct", c->watch[i].change_pct);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

void
lore_present_technique_verdicts(
    struct lore_jsonw *w, const struct lore_technique_verdict_row *rows, size_t n)
{
    lore_w_key(w, "technique_verdicts");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "technique", rows[i].technique);
        lore_w_kstr(w, "verdict", rows[i].verdict);
        lore_w_kstr(w, "contributed", rows[i].contributed);
        lore_w_kstr(w, "isa", rows[i].isa);
        lore_w_kstr(w, "policy", rows[i].policy);
        lore_w_kstr(w, "why", rows[i].why);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

void
lore_present_synergy(struct lore_jsonw *w, bool known, const struct lore_synergy *s)
{
    lore_w_key(w, "synergy");
    if (!known || !s->total_ns.set) {
        lore_w_null(w);
        return;
    }
    lore_w_obj(w);
    lore_present_f64(w, "total_ns", s->total_ns);
    lore_present_f64(w, "sum_ns", s->sum_ns);
    lore_present_f64(w, "residual_ns", s->residual_ns);
    lore_present_f64(w, "residual_pct", s->residual_pct);
    lore_w_ki64(w, "unknown", (int64_t)s->n_unknown);
    lore_w_kbool(w, "gain_from_parameters", s->gain_from_parameters);
    lore_w_obj_end(w);
}
