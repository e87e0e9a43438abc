/* Common objects as JSON: workload, outcome, run and the pieces they share (present.h). */
#include "service/api/present.h"

#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/derive/outcome.h"

void
lore_present_f64(struct lore_jsonw *w, const char *key, struct lore_f64 v)
{
    if (v.set)
        lore_w_kf64(w, key, v.v);
}

void
lore_present_time(struct lore_jsonw *w, const char *key, int64_t us)
{
    if (us != 0)
        lore_w_ktime(w, key, us);
}

void
lore_present_labels(struct lore_jsonw *w, const char *key, uint32_t labels)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (int l = 0; l < LORE_L_COUNT; l++) {
        if (labels & UINT32_C(1) << l)
            lore_w_str(w, lore_label_name(l));
    }
    lore_w_arr_end(w);
}

void
lore_present_kvs(struct lore_jsonw *w, const char *key, const struct lore_kvs *kvs)
{
    lore_w_key(w, key);
    lore_w_obj(w);
    for (size_t i = 0; i < kvs->n; i++) {
        lore_w_key(w, kvs->v[i].key);
        lore_w_raw(w, kvs->v[i].value);
    }
    lore_w_obj_end(w);
}

void
lore_present_workload(struct lore_jsonw *w, const struct lore_workload_row *r)
{
    if (r->id == NULL) {
        lore_w_null(w);
        return;
    }
    lore_w_obj(w);
    lore_w_kstr(w, "id", r->id);
    lore_w_kstr_opt(w, "operator", r->op);
    lore_w_kstr_opt(w, "label", r->label);
    lore_w_key(w, "dims");
    lore_w_raw(w, r->dims == NULL || *r->dims == '\0' ? "{}" : r->dims);
    lore_w_kstr_opt(w, "dtype", r->dtype);
    lore_w_kstr_opt(w, "layout", r->layout);
    lore_w_obj_end(w);
}

/* "one_variable,ncu_symptom_mismatch" as an array. */
static void
names_array(struct lore_jsonw *w, const char *key, const char *rules)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    while (rules != NULL && *rules != '\0') {
        size_t n = strcspn(rules, ",");

        lore_w_strn(w, rules, n);
        rules += n + (rules[n] == ',');
    }
    lore_w_arr_end(w);
}

void
lore_present_outcome(struct lore_jsonw *w, const struct lore_outcome_row *r)
{
    if (r->effect == NULL) {
        lore_w_null(w);
        return;
    }
    lore_w_obj(w);
    lore_w_kstr(w, "effect", r->effect);
    lore_w_kstr(w, "correctness", r->correctness);
    lore_w_kstr(w, "process", r->process);
    names_array(w, "rules", r->rules);
    names_array(w, "flags", r->flags);
    lore_present_f64(w, "speedup", r->speedup);
    lore_present_f64(w, "low", r->low);
    lore_present_f64(w, "high", r->high);
    lore_w_kstr(w, "basis", r->basis);
    lore_present_f64(w, "before_ns", r->before_ns);
    lore_present_f64(w, "after_ns", r->after_ns);
    lore_w_kstr(w, "policy", r->policy);
    lore_w_kbool(w, "disagrees", r->disagrees);
    lore_present_time(w, "at", r->at_us);
    lore_present_time(w, "superseded_at", r->superseded_us);
    lore_w_obj_end(w);
}

static void
summary_members(struct lore_jsonw *w, const struct lore_summary *s)
{
    if (s->n.set)
        lore_w_ki64(w, "n", s->n.v);
    lore_present_f64(w, "median_ns", s->median_ns);
    lore_present_f64(w, "p10_ns", s->p10_ns);
    lore_present_f64(w, "p90_ns", s->p90_ns);
    lore_present_f64(w, "min_ns", s->min_ns);
    lore_present_f64(w, "max_ns", s->max_ns);
    lore_present_f64(w, "mean_ns", s->mean_ns);
    lore_present_f64(w, "std_ns", s->std_ns);
}

static void
run_stats(struct lore_jsonw *w, const struct lore_run *r)
{
    struct lore_arena scratch = {0};
    struct lore_stats s;

    if (r->n_samples == 0 && !r->summary.set)
        return;
    lore_w_key(w, "stats");
    lore_w_obj(w);
    if (r->n_samples == 0) {
        summary_members(w, &r->summary);
    } else {
        lore_stats(r->samples_ns, r->n_samples, &scratch, &s);
        lore_w_ki64(w, "n", (int64_t)s.n);
        lore_w_kf64(w, "median_ns", s.median);
        lore_w_kf64(w, "p10_ns", s.p10);
        lore_w_kf64(w, "p90_ns", s.p90);
        lore_w_kf64(w, "min_ns", s.min);
        lore_w_kf64(w, "max_ns", s.max);
        lore_w_kf64(w, "mean_ns", s.mean);
        lore_w_kf64(w, "std_ns", s.std);
        lore_arena_free(&scratch);
    }
    lore_w_obj_end(w);
}

static uint32_t
run_labels(const struct lore_run *r)
{
    uint32_t labels = 0;

    for (size_t i = 0; i < r->n_diagnoses; i++) {
        for (size_t k = 0; k < r->diagnoses[i].labels.n; k++)
            labels |= lore_labels_parse(r->diagnoses[i].labels.v[k], NULL);
    }
    return labels;
}

bool
lore_run_work(const struct lore_run_row *row, struct lore_work *out)
{
    struct lore_arena a = {0};
    struct lore_kvs dims = {0};
    struct lore_err ignored;
    const struct lore_workload_row *on = &row->workload;
    bool known = on->dims != NULL && lore_dims_parse(on->dims, &a, &dims, &ignored) == LORE_OK &&
                 lore_work_of(on->op, &dims, on->dtype, out);

    lore_arena_free(&a);
    return known;
}

/* What the shape and the time say together. */
static void
derived(struct lore_jsonw *w, const struct lore_run_row *row)
{
    struct lore_arena a = {0};
    struct lore_stats s = {0};
    struct lore_work work;
    const struct lore_summary *said = &row->r.summary;

    if (!lore_run_work(row, &work))
        return;
    if (row->r.n_samples > 0)
        lore_stats(row->r.samples_ns, row->r.n_samples, &a, &s);
    else
        s.median = said->median_ns.set ? said->median_ns.v : 0;
    lore_w_key(w, "derived");
    lore_w_obj(w);
    lore_present_f64(w, "flops", work.flops);
    lore_present_f64(w, "bytes", work.bytes);
    if (s.median > 0) {
        lore_present_f64(w, "tflops",
            (struct lore_f64){work.flops.set && work.flops.v > 0, work.flops.v / s.median / 1e3});
        lore_present_f64(w, "gbps", (struct lore_f64){work.bytes.set, work.bytes.v / s.median});
    }
    lore_w_kstr(w, "rule", work.rule);
    lore_w_obj_end(w);
    lore_arena_free(&a);
}

void
lore_present_run(struct lore_jsonw *w, const struct lore_run_row *row)
{
    const struct lore_run *r = &row->r;

    lore_w_kstr(w, "id", r->id);
    lore_w_kstr(w, "version", r->version);
    lore_w_kstr_opt(w, "version_label", row->version_label);
    lore_w_kstr_opt(w, "operator", row->op);
    lore_w_kstr_opt(w, "kernel", row->kernel);
    lore_w_kstr_opt(w, "kernel_name", row->kernel_name);
    lore_w_kstr_opt(w, "language", row->language);
    lore_w_kstr_opt(w, "chip", r->chip);
    lore_w_kstr_opt(w, "environment", r->environment);
    lore_w_key(w, "workload");
    lore_present_workload(w, &row->workload);
    lore_w_kstr(w, "role", lore_run_role_name(r->role));
    lore_w_kstr(w, "evidence", lore_evidence_name(r->evidence));
    lore_present_time(w, "measured_at", row->measured_us);
    lore_present_time(w, "received_at", row->received_us);
    lore_w_kstr_opt(w, "tool", r->tool);
    run_stats(w, r);
    derived(w, row);
    lore_w_kstr(w, "correctness",
        lore_check_name(r->correctness.set ? r->correctness.status : LORE_C_NOT_CHECKED));
    lore_w_kstr(w, "error_type", r->error.set ? r->error.type : NULL);
    lore_present_labels(w, "labels", run_labels(r));
    lore_w_kbool(w, "retracted", row->retracted);
    lore_w_ki64(w, "seq", row->seq);
}

void
lore_present_run_whole(struct lore_jsonw *w, const struct lore_run_row *row)
{
    lore_present_run(w, row);
    lore_present_record(w, LORE_K_RUN, &row->r, row->rest);
    lore_w_kstr_opt(w, "document", row->document);
}

/* The object a record's known fields make, as a tree. NULL when it cannot be written. */
static struct lore_json *
rebuild(struct lore_arena *arena, enum lore_kind kind, const void *record)
{
    struct lore_buf text = {0};
    struct lore_jsonw w;
    struct lore_json *tree = NULL;
    struct lore_err ignored;

    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    lore_wire_members(&w, kind, record);
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, &ignored) != LORE_OK ||
        lore_json_parse(text.data, text.len, NULL, arena, &tree, &ignored) != LORE_OK)
        tree = NULL;
    lore_buf_free(&text);
    return tree;
}

static void
write_member(struct lore_jsonw *w, const struct lore_json *m)
{
    lore_w_key(w, m->key);
    lore_w_node(w, m);
}

void
lore_present_record(struct lore_jsonw *w, enum lore_kind kind, const void *record, const char *rest)
{
    struct lore_arena scratch = {0}; /* a list may hold many large records */
    struct lore_json *known = rebuild(&scratch, kind, record), *kept = NULL;
    struct lore_err ignored;

    if (rest != NULL &&
        lore_json_parse(rest, strlen(rest), NULL, &scratch, &kept, &ignored) != LORE_OK)
        kept = NULL;
    lore_w_key(w, "record");
    lore_w_obj(w);
    for (const struct lore_json *m = known == NULL ? NULL : known->child; m != NULL; m = m->next) {
        const struct lore_json *as_submitted = lore_json_get(kept, m->key);

        write_member(w, as_submitted == NULL ? m : as_submitted);
    }
    for (const struct lore_json *m = kept == NULL ? NULL : kept->child; m != NULL; m = m->next) {
        if (lore_json_get(known, m->key) == NULL)
            write_member(w, m);
    }
    lore_w_obj_end(w);
    lore_arena_free(&scratch);
}
