/* Lists doubtful entries of a strategy memory in the report. No record changes. */
#include <string.h>

#include "collectors/import/kernelflow/kernelflow.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

#define SLOW_BASE 1.05 /* a base slower than this factor times the scope's baseline is doubtful */

static const char *
tags_text(struct lore_import *in, const struct lore_kernelflow_entry *e)
{
    const char *out = "";

    for (size_t i = 0; i < e->tags.n; i++)
        out = lore_format(in->arena, "%s%s%s", out, i ? "+" : "", e->tags.v[i]);
    return *out ? out : e->fingerprint;
}

static bool
is_base_of(const struct lore_kernelflow_entry *result, const struct lore_kernelflow_entry *next)
{
    return result != next && result->after_ms.set && next->before_ms.set &&
           result->after_ms.v == next->before_ms.v && result->iteration == next->base_iteration;
}

static double
baseline_ms(const struct lore_kernelflow_scope *scope)
{
    for (size_t i = 0; i < scope->n_entries; i++) {
        const struct lore_kernelflow_entry *e = &scope->entries[i];
        if (lore_kernelflow_is_baseline(e) && e->after_ms.set && strcmp(e->bucket, "positive") == 0)
            return e->after_ms.v;
    }
    return 0;
}

/* Note a win over a base that was itself a regression or is slower than the baseline: it says
 * little. */
static void
doubt_base(struct lore_import *in, const struct lore_kernelflow_scope *scope,
    const struct lore_kernelflow_entry *e)
{
    double baseline = baseline_ms(scope);

    if (strcmp(e->outcome, "positive") != 0 || !e->before_ms.set || !e->after_ms.set)
        return;
    for (size_t i = 0; i < scope->n_entries; i++) {
        const struct lore_kernelflow_entry *base = &scope->entries[i];
        if (!is_base_of(base, e) || !base->before_ms.set || base->after_ms.v <= base->before_ms.v)
            continue;
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s %s: positive only against a regressed iteration %lld "
            "(%.4f -> %.4f ms; that iteration had regressed from %.4f ms)",
            scope->op, tags_text(in, e), (long long)e->base_iteration, e->before_ms.v,
            e->after_ms.v, base->before_ms.v);
        return;
    }
    if (baseline > 0 && e->before_ms.v > baseline * SLOW_BASE)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s %s: compared with %.4f ms, slower than the recorded baseline (%.4f ms)", scope->op,
            tags_text(in, e), e->before_ms.v, baseline);
}

static void
doubt_tags(struct lore_import *in, const struct lore_kernelflow_scope *scope,
    const struct lore_kernelflow_entry *e)
{
    for (size_t i = 0; i < e->tags.n; i++) {
        if (lore_technique_is_placeholder(e->tags.v[i]))
            lore_import_note(in, LORE_IL_DOUBTS, "%s %s/%s: placeholder tag \"%s\"", scope->op,
                e->bucket, e->fingerprint, e->tags.v[i]);
    }
    if (e->tags.n > 1)
        lore_import_note(in, LORE_IL_DOUBTS, "%s %s/%s: %zu techniques in one record (%s)",
            scope->op, e->bucket, e->fingerprint, e->tags.n, tags_text(in, e));
    if (lore_kernelflow_is_baseline(e) && strcmp(e->bucket, "rejected") == 0)
        lore_import_note(in, LORE_IL_DOUBTS, "%s: the baseline itself is listed as rejected (%s)",
            scope->key, e->reason);
}

static void
find_conflict(struct lore_import *in, const struct lore_kernelflow_scope *scope, size_t at)
{
    const struct lore_kernelflow_entry *a = &scope->entries[at];

    if (strcmp(a->bucket, "positive") != 0)
        return;
    for (size_t i = 0; i < scope->n_entries; i++) {
        const struct lore_kernelflow_entry *b = &scope->entries[i];
        if (strcmp(b->bucket, "negative") != 0 || strcmp(a->fingerprint, b->fingerprint) != 0)
            continue;
        lore_import_note(in, LORE_IL_CONFLICTS, "%s %s (%s): both positive and negative in %s",
            scope->op, a->fingerprint, tags_text(in, a), scope->key);
    }
}

void
lore_kernelflow_doubts(struct lore_import *in, const struct lore_kernelflow_scope *scope)
{
    for (size_t i = 0; i < scope->n_entries; i++) {
        const struct lore_kernelflow_entry *e = &scope->entries[i];
        find_conflict(in, scope, i);
        doubt_tags(in, scope, e);
        doubt_base(in, scope, e);
        if (lore_streq(e->outcome, e->bucket))
            continue;
        lore_import_note(in, LORE_IL_CONFLICTS, "%s/%s/%s: last_outcome says %s", scope->key,
            e->bucket, e->fingerprint, e->outcome);
    }
}
