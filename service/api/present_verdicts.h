/* What is derived about an experiment beside its outcome, as members of its JSON object. */
#ifndef LORE_API_PRESENT_VERDICTS_H
#define LORE_API_PRESENT_VERDICTS_H

#include "db/verdicts.h"
#include "service/base/jsonw.h"
#include "service/derive/calibration.h"

/* `"judgements": […]`, `"technique_verdicts": […]`; empty for none. */
void lore_present_judgements(struct lore_jsonw *w, const struct lore_judgement_row *rows, size_t n);
void lore_present_technique_verdicts(
    struct lore_jsonw *w, const struct lore_technique_verdict_row *rows, size_t n);
/* `"claim_verdict"`, `"decision"`, `"watch"`: of the hypothesis as a whole. */
void lore_present_claim_check(struct lore_jsonw *w, const struct lore_claim_check *c);
/* `"synergy": {…}`; null without any ablation, or without a measured gain. */
void lore_present_synergy(struct lore_jsonw *w, bool known, const struct lore_synergy *s);
/* judgements.c: one object; `author` null for none. */
void lore_present_calibration(struct lore_jsonw *w, const struct lore_calibration *c);

#endif
