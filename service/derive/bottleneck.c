/* The label that metrics give to an experiment without a stated one. It comes from findings that
 * are neither signals nor of low confidence, minus the labels that the metrics contradict.
 *
 * Specs of the chip are not used, because curators may change them at any time and the label would
 * then change without new metrics. Quantities that need a spec (docs/diagnosis.md, canonical
 * metrics on AMD) stay unknown here. */
#include "service/derive/bottleneck.h"

#include "service/derive/contradict.h"

static const char *const sets[] = {"speed-of-light@2", "sync@1"};

static uint32_t
verdicts(const struct lore_rule_set_result *r, bool *answered)
{
    uint32_t labels = 0;

    for (size_t i = 0; i < r->n_findings; i++) {
        const struct lore_finding *f = &r->findings[i];

        if (f->signal)
            continue;
        *answered = true;
        if (f->confidence > LORE_CONF_LOW)
            labels |= f->labels;
    }
    return labels;
}

/* Memory and compute are found from the same metrics that could contradict them. No metric
 * contradicts sync. */
static const uint32_t never_contradicted =
    UINT32_C(1) << LORE_L_MEMORY | UINT32_C(1) << LORE_L_COMPUTE | UINT32_C(1) << LORE_L_SYNC;

static uint32_t
without_contradicted(
    uint32_t labels, const struct lore_metrics *metrics, struct lore_arena *scratch)
{
    size_t n = 0;

    if ((labels & ~never_contradicted) == 0)
        return labels;
    const struct lore_contradiction *c =
        lore_label_contradictions(labels, metrics, NULL, scratch, &n);

    for (size_t i = 0; i < n; i++)
        labels &= ~(UINT32_C(1) << c[i].label);
    return labels;
}

void
lore_bottleneck_from_metrics(const struct lore_metrics *metrics, struct lore_arena *scratch,
    struct lore_shown_bottleneck *out)
{
    const struct lore_diagnosis_session *d;

    *out = (struct lore_shown_bottleneck){0};
    if (metrics->n == 0)
        return;
    d = lore_diagnosis_session_open(metrics, NULL, scratch);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct lore_rule_set_result r;
        struct lore_err err;
        uint32_t labels;

        if (lore_diagnosis_session_verdicts(d, sets[i], &r, &err) != LORE_OK)
            continue;
        labels = verdicts(&r, &out->answered);
        if (labels != 0)
            labels = without_contradicted(labels, metrics, scratch);
        if (labels == 0)
            continue;
        out->labels = labels;
        out->rule_set = r.rule_set;
        return;
    }
}
