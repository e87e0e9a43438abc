/* Hypotheses, with their verdicts from measurements and machine code. */
#include <string.h>

#include "collectors/client/report/parts.h"
#include "service/base/text.h"

static const char *
number(const struct lore_story *s, const struct lore_json *row, const char *key)
{
    double v;

    return lore_fetch_number(row, key, &v) ? lore_sheet_say_number(s->fetch->arena, v) : NULL;
}

void
lore_part_claims_begin(const struct lore_story *s, struct lore_sheet *t, struct lore_buf *out)
{
    static const char *const titles[] = {
        "Version", "Claim", "As a whole", "Expectation", "Before", "After", "Verdict", "Why"};

    lore_sheet_begin(t, out, s->fetch->arena, titles, 8);
}

static void
put_claim(struct lore_sheet *t, const struct lore_story_step *step)
{
    const struct lore_json *h = lore_story_hypothesis(step);

    lore_sheet_cell(t, step->shown, NULL);
    lore_sheet_cell(t, lore_fetch_text(h, "claim"), NULL);
    lore_sheet_cell(t, lore_fetch_text(step->x, "claim_verdict"), "not judged");
}

/* A contradiction must not be overlooked. */
static const char *
verdict_text(struct lore_arena *arena, const char *verdict)
{
    const char *words = verdict ? lore_sheet_say_words(arena, verdict) : NULL;

    return lore_streq(verdict, "contradicted") ? lore_format(arena, "**%s**", words) : words;
}

void
lore_part_claims_of(
    const struct lore_story *s, struct lore_sheet *t, const struct lore_story_step *step)
{
    const struct lore_json *first = lore_fetch_first(step->x, "judgements");

    for (const struct lore_json *j = first; j; j = j->next) {
        bool blind = lore_streq(lore_fetch_text(j, "verdict"), "not_measured");
        put_claim(t, step);
        lore_sheet_cell(t, lore_fetch_text(j, "metric"), NULL);
        lore_sheet_cell(t, number(s, j, "before"), blind ? "not measured" : "not needed to judge");
        lore_sheet_cell(t, number(s, j, "after"), "not measured");
        lore_sheet_cell(
            t, verdict_text(s->fetch->arena, lore_fetch_text(j, "verdict")), "not judged");
        lore_sheet_cell(t, lore_fetch_text(j, "why"), "no reason given");
    }
    if (first)
        return;
    put_claim(t, step);
    for (int i = 0; i < 5; i++)
        lore_sheet_cell(t, NULL, "no expectation was stated");
}

void
lore_part_hypotheses(const struct lore_story *s, struct lore_buf *out)
{
    struct lore_sheet t;
    size_t n = 0;

    lore_buf_puts(out, "\n## Hypothesis Outcomes\n\n");
    for (size_t i = 0; i < s->n; i++) {
        if (!lore_story_hypothesis(&s->steps[i]))
            continue;
        if (n++ == 0)
            lore_part_claims_begin(s, &t, out);
        lore_part_claims_of(s, &t, &s->steps[i]);
    }
    if (n == 0)
        lore_buf_puts(out, "No experiment of this kernel has a hypothesis.\n");
    else
        lore_sheet_end(&t, NULL);
}

/* ---- attributions and machine code ---- */

static const struct lore_json *
attribution_of(const struct lore_json *x, const char *technique)
{
    for (const struct lore_json *a = lore_fetch_first(x, "attributions"); a; a = a->next)
        if (lore_streq(lore_fetch_text(a, "technique"), technique))
            return a;
    return NULL;
}

static void
put_attribution(const struct lore_story *s, struct lore_sheet *t,
    const struct lore_story_step *step, const struct lore_json *v)
{
    const char *technique = lore_fetch_text(v, "technique"), *isa = lore_fetch_text(v, "isa");
    const struct lore_json *a = attribution_of(step->x, technique);
    const char *why = a ? "not computed" : "no ablation";
    struct lore_arena *arena = s->fetch->arena;
    double ns, pct, noise;

    lore_sheet_cell(t, step->shown, NULL);
    lore_sheet_cell(t, technique, NULL);
    lore_sheet_cell(t,
        lore_fetch_number(a, "attribution_ns", &ns) ? lore_format(arena, "%.4g ns", ns) : NULL,
        why);
    lore_sheet_cell(t,
        lore_fetch_number(a, "attribution_pct", &pct)
            ? lore_format(arena, "%.3g %% of %s", pct, step->label)
            : NULL,
        why);
    lore_sheet_cell(t,
        lore_fetch_number(a, "noise_pct", &noise) ? lore_format(arena, "%.3g %%", noise) : NULL,
        why);
    lore_sheet_cell(t, lore_fetch_text(v, "contributed"), why);
    lore_sheet_cell(t, isa ? lore_sheet_say_words(arena, isa) : NULL, "not checked");
    lore_sheet_cell(t,
        lore_fetch_text(v, "verdict") ? lore_sheet_say_words(arena, lore_fetch_text(v, "verdict"))
                                      : NULL,
        "not judged");
    lore_sheet_cell(t, lore_fetch_text(v, "why"), "no reason given");
}

static void
put_synergy(const struct lore_story *s, struct lore_buf *out, const struct lore_story_step *step)
{
    const struct lore_json *y = lore_fetch_object(step->x, "synergy");
    struct lore_arena *a = s->fetch->arena;
    double total, sum, rest;

    if (!lore_fetch_number(y, "total_ns", &total) || !lore_fetch_number(y, "sum_ns", &sum) ||
        !lore_fetch_number(y, "residual_ns", &rest))
        return;
    lore_buf_printf(out,
        "\n%s gained %s over %s; ablations attribute %s to single techniques; %s%s remains "
        "unexplained.\n",
        step->shown, lore_sheet_say_us(a, total), step->parent ? step->parent : "its parent",
        lore_sheet_say_us(a, sum), rest < 0 ? "-" : "",
        lore_sheet_say_us(a, rest < 0 ? -rest : rest));
}

static void
put_verification(const struct lore_story *s, struct lore_sheet *t,
    const struct lore_story_step *step, const struct lore_json *v)
{
    struct lore_arena *a = s->fetch->arena;
    const char *status = lore_fetch_text(v, "status");
    bool looked = lore_streq(status, "verified") || lore_streq(status, "missing");

    lore_sheet_cell(t, step->shown, NULL);
    lore_sheet_cell(t, lore_fetch_text(v, "technique"), NULL);
    lore_sheet_cell(t, status ? lore_sheet_say_words(a, status) : NULL, "not recorded");
    lore_sheet_cell(t, lore_fetch_text(v, "tool"), "not recorded");
    lore_sheet_cell(t, lore_fetch_list(a, lore_json_get(v, "found"), NULL, ", "),
        looked ? "none of its patterns was found" : "the code was not searched");
    lore_sheet_cell(t, lore_fetch_list(a, lore_json_get(v, "missing"), NULL, ", "),
        looked ? "nothing was missing" : "the code was not searched");
    lore_sheet_cell(t, lore_fetch_text(v, "note"), "no remark");
}

static void
put_verifications(const struct lore_story *s, struct lore_buf *out)
{
    static const char *const titles[] = {
        "Version", "Technique", "ISA check", "Tool", "Found", "Missing", "Remark"};
    struct lore_sheet t;
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = 0; k < s->steps[i].verifications.n; k++) {
            if (n++ == 0) {
                lore_buf_puts(out, "\nMachine code checks:\n\n");
                lore_sheet_begin(&t, out, s->fetch->arena, titles, 7);
            }
            put_verification(s, &t, &s->steps[i], s->steps[i].verifications.v[k]);
        }
    }
    if (n == 0)
        lore_buf_puts(out, "\nNo machine code of this kernel was checked.\n");
    else
        lore_sheet_end(&t, NULL);
}

void
lore_part_attributions(const struct lore_story *s, struct lore_buf *out)
{
    static const char *const titles[] = {"Version", "Technique", "Gain", "Share", "Noise",
        "Contributed", "ISA check", "Verdict", "Why"};
    struct lore_sheet t;
    size_t n = 0;

    lore_buf_puts(out, "\n## Attributions and ISA\n\n");
    for (size_t i = 0; i < s->n; i++) {
        const struct lore_json *v = lore_fetch_first(s->steps[i].x, "technique_verdicts");
        for (; v; v = v->next) {
            if (n++ == 0)
                lore_sheet_begin(&t, out, s->fetch->arena, titles, 9);
            put_attribution(s, &t, &s->steps[i], v);
        }
    }
    if (n == 0)
        lore_buf_puts(out, "No experiment of this kernel names a technique.\n");
    else
        lore_sheet_end(&t, "Not known");
    for (size_t i = 0; i < s->n; i++)
        put_synergy(s, out, &s->steps[i]);
    put_verifications(s, out);
}
