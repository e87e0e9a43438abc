/* Kernels, versions, hypotheses, experiments and insights as JSON (present.h). */
#include <string.h>

#include "service/api/present.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

void
lore_present_kernel(struct lore_jsonw *w, const struct lore_kernel_row *r)
{
    lore_w_kstr(w, "id", r->k.id);
    lore_w_kstr(w, "operator", r->k.op);
    lore_w_kstr_opt(w, "family", r->family);
    lore_w_kstr(w, "name", r->k.name);
    lore_w_kstr(w, "language", lore_language_name(r->k.language));
    lore_w_kstr_opt(w, "origin", r->k.origin);
    lore_w_ki64(w, "experiments", r->n_experiments);
    lore_present_time(w, "received_at", r->received_us);
    lore_w_ki64(w, "seq", r->seq);
}

static void
version_parents(struct lore_jsonw *w, const struct lore_version *v)
{
    lore_w_key(w, "parents");
    lore_w_arr(w);
    for (size_t i = 0; i < v->n_parents; i++) {
        enum lore_edge_kind kind = v->parents[i].kind;

        lore_w_obj(w);
        lore_w_kstr(w, "version", v->parents[i].version);
        lore_w_kstr(
            w, "kind", lore_edge_kind_name(kind == LORE_E_NONE ? LORE_E_DERIVED_FROM : kind));
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

void
lore_present_version(struct lore_jsonw *w, const struct lore_version_row *r)
{
    const struct lore_version *v = &r->v;

    lore_w_kstr(w, "id", v->id);
    lore_w_kstr(w, "kernel", v->kernel);
    lore_w_kstr_opt(w, "kernel_name", r->kernel_name);
    lore_w_kstr_opt(w, "operator", r->op);
    lore_w_kstr_opt(w, "language", r->language);
    lore_w_kstr(w, "kind", lore_version_kind_name(v->kind));
    if (v->ordinal.set)
        lore_w_ki64(w, "ordinal", v->ordinal.v);
    lore_w_kstr_opt(w, "tag", v->tag);
    lore_w_kstr_opt(w, "label", v->label);
    lore_w_kstr_opt(w, "summary", v->summary);
    version_parents(w, v);
    lore_w_key(w, "files");
    lore_w_arr(w);
    for (size_t i = 0; i < r->n_files; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "file", r->files[i].file);
        lore_w_kstr(w, "blob", r->files[i].blob);
        lore_w_ki64(w, "bytes", r->files[i].bytes);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
    lore_present_time(w, "created_at", r->created_us);
    lore_present_time(w, "received_at", r->received_us);
    lore_w_ki64(w, "seq", r->seq);
}

void
lore_present_hypothesis(struct lore_jsonw *w, const struct lore_hypothesis_row *r)
{
    lore_w_obj(w);
    lore_w_kstr(w, "id", r->h.id);
    lore_w_kstr_opt(w, "from_version", r->h.from_version);
    lore_w_kstr_opt(w, "to_version", r->h.to_version);
    lore_w_kstr(w, "claim", r->h.claim);
    lore_w_kstr_opt(w, "author", r->h.author);
    lore_present_time(w, "claimed_at", r->claimed_us);
    lore_present_time(w, "received_at", r->received_us);
    lore_present_record(w, LORE_K_HYPOTHESIS, &r->h, r->rest);
    lore_w_kstr_opt(w, "document", r->document);
    lore_w_ki64(w, "seq", r->seq);
    lore_w_obj_end(w);
}

static uint32_t
label_bits(const struct lore_texts *labels)
{
    uint32_t bits = 0;

    for (size_t i = 0; i < labels->n; i++)
        bits |= lore_labels_parse(labels->v[i], NULL);
    return bits;
}

void
lore_present_insight(struct lore_jsonw *w, const struct lore_insight_row *r)
{
    const struct lore_insight *i = &r->i;

    lore_w_kstr(w, "id", i->id);
    lore_w_kstr(w, "kind", i->kind);
    lore_w_kstr(w, "title", i->title);
    lore_w_kstr(w, "body", i->body);
    lore_w_kstr_opt(w, "operator", i->op);
    lore_w_kstr_opt(w, "family", i->family);
    if (i->language != LORE_LANG_NONE)
        lore_w_kstr(w, "language", lore_language_name(i->language));
    lore_w_kstr_opt(w, "chip", i->chip);
    lore_w_kstr_opt(w, "technique", i->technique);
    lore_present_labels(w, "labels", label_bits(&i->labels));
    lore_w_kstr_opt(w, "confidence", i->confidence);
    lore_w_kstr_opt(w, "author", i->author);
    lore_present_time(w, "received_at", r->received_us);
    lore_present_record(w, LORE_K_INSIGHT, i, r->rest);
    lore_w_kstr_opt(w, "document", r->document);
    lore_w_ki64(w, "seq", r->seq);
}

static void
experiment_techniques(struct lore_jsonw *w, const struct lore_experiment *e)
{
    lore_w_key(w, "techniques");
    lore_w_arr(w);
    for (size_t i = 0; i < e->n_techniques; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "name", e->techniques[i].name);
        lore_w_kstr_opt(w, "raw", e->techniques[i].raw);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

/* What was said, or what metrics say where nobody said anything, and which of the two it is. */
static void
bottleneck(struct lore_jsonw *w, const struct lore_diagnosis *said,
    const struct lore_derived_bottleneck *derived)
{
    uint32_t bits = label_bits(&said->labels);

    lore_present_labels(w, "labels", bits | derived->labels);
    lore_w_kstr_opt(w, "raw_label", said->raw_label);
    if ((bits | derived->labels) == 0)
        return;
    lore_w_key(w, "labels_from");
    lore_w_obj(w);
    lore_w_kstr(w, "source", derived->labels != 0 ? "derived" : "said");
    lore_w_kstr_opt(w, "rule_set", derived->rule_set);
    lore_w_kstr_opt(w, "basis", derived->basis);
    lore_w_kstr_opt(w, "run", derived->run);
    lore_w_obj_end(w);
}

void
lore_present_experiment(struct lore_jsonw *w, const struct lore_experiment_row *r)
{
    const struct lore_experiment *e = &r->e;

    lore_w_kstr(w, "id", e->id);
    lore_w_kstr(w, "title", e->title);
    lore_w_kstr_opt(w, "operator", r->op);
    lore_w_kstr_opt(w, "family", r->family);
    lore_w_kstr(w, "kernel", e->kernel);
    lore_w_kstr_opt(w, "kernel_name", r->kernel_name);
    lore_w_kstr_opt(w, "language", r->language);
    lore_w_kstr_opt(w, "chip", e->chip);
    lore_w_key(w, "workload");
    lore_present_workload(w, &r->workload);
    lore_w_kstr_opt(w, "from_version", e->from_version);
    lore_w_kstr_opt(w, "to_version", e->to_version);
    lore_w_kstr_opt(w, "hypothesis", e->hypothesis);
    experiment_techniques(w, e);
    bottleneck(w, &e->bottleneck, &r->derived);
    lore_w_kstr(w, "evidence", lore_evidence_name(e->evidence));
    lore_w_kstr_opt(w, "typed_outcome", e->claim.outcome);
    lore_w_key(w, "outcome");
    lore_present_outcome(w, &r->outcome);
    lore_w_kbool(w, "masked", r->masked);
    if (r->withheld)
        lore_w_kbool(w, "withheld", true);
    lore_w_kstr_opt(w, "notes", e->notes);
    lore_w_kstr_opt(w, "lesson", e->lesson);
    lore_w_kstr_opt(w, "author", e->author);
    lore_present_time(w, "happened_at", r->happened_us);
    lore_present_time(w, "received_at", r->received_us);
    lore_w_ki64(w, "seq", r->seq);
}
