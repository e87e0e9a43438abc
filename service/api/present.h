/* The common objects of docs/api.md as JSON. Each writes one whole value unless its comment says
 * "members". What was not recorded is left out; where docs/api.md says `|null`, it is null. */
#ifndef LORE_API_PRESENT_H
#define LORE_API_PRESENT_H

#include "db/store.h"
#include "service/base/jsonw.h"
#include "service/derive/work.h"
#include "service/wire/wire.h"

void lore_present_workload(struct lore_jsonw *w, const struct lore_workload_row *r);
void lore_present_outcome(struct lore_jsonw *w, const struct lore_outcome_row *r);
/* Members of the list form; the caller opens and closes the object. */
void lore_present_experiment(struct lore_jsonw *w, const struct lore_experiment_row *r);
/* Members of the list form. Statistics are computed from the samples, or are the summary. */
void lore_present_run(struct lore_jsonw *w, const struct lore_run_row *r);
/* What the shape of its workload asks for at least; false: not known. */
bool lore_run_work(const struct lore_run_row *r, struct lore_work *out);
/* Members of the single form: the list form, then record and document. */
void lore_present_run_whole(struct lore_jsonw *w, const struct lore_run_row *r);
/* Members but `versions`, which lists count and the single form names. */
void lore_present_kernel(struct lore_jsonw *w, const struct lore_kernel_row *r);
void lore_present_version(struct lore_jsonw *w, const struct lore_version_row *r); /* members */
void lore_present_hypothesis(struct lore_jsonw *w, const struct lore_hypothesis_row *r);
/* Members. */
void lore_present_insight(struct lore_jsonw *w, const struct lore_insight_row *r);

/* `"record"`: the record in the submission format. REST is what was stored as submitted and wins
 * over what the columns can rebuild. */
void lore_present_record(
    struct lore_jsonw *w, enum lore_kind kind, const void *record, const char *rest);
/* `KEY: ["memory", …]` from bits; empty array for none. */
void lore_present_labels(struct lore_jsonw *w, const char *key, uint32_t labels);
void lore_present_f64(
    struct lore_jsonw *w, const char *key, struct lore_f64 v); /* nothing when absent */
/* Nothing when 0: the store's way to say "not recorded" for a time. */
void lore_present_time(struct lore_jsonw *w, const char *key, int64_t us);
/* Members of one flat object: `KEY: {"M": 4096}`. */
void lore_present_kvs(struct lore_jsonw *w, const char *key, const struct lore_kvs *kvs);

#endif
