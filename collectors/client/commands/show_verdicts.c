/* The derived part of an experiment, for `show` (show_verdicts.h): one line per verdict, each with
 * its reason, because a verdict without one is not believed. */
#include "collectors/client/commands/show_verdicts.h"

#include <math.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

/* "1200 -> 950" of before and after; "" when neither is there. */
static const char *
show_move(struct lore_cli *cli, const struct lore_json *o)
{
    double before, after;
    bool b = lore_answer_number(o, "before", &before), a = lore_answer_number(o, "after", &after);

    if (!a && !b)
        return "";
    return lore_format(cli->arena, " (%s -> %s)", b ? lore_rows_number(cli, before) : "?",
        a ? lore_rows_number(cli, after) : "?");
}

void
lore_show_hypothesis_verdicts(struct lore_cli *cli, const struct lore_json *x)
{
    const struct lore_json *judgements = lore_json_get(x, "judgements");
    const struct lore_json *decision = lore_json_get(x, "decision");
    const struct lore_json *watch = lore_json_get(x, "watch");
    const char *word = lore_answer_show_word(cli, lore_answer_text(decision, "decision"));
    const char *why = lore_answer_text(decision, "why"),
               *claim = lore_answer_text(x, "claim_verdict");

    lore_rows_line(
        cli, "claim", lore_streq(claim, "neutral") ? "no gain" : lore_answer_show_word(cli, claim));
    for (const struct lore_json *j = judgements ? judgements->child : NULL; j; j = j->next) {
        const char *verdict = lore_answer_show_word(cli, lore_answer_text(j, "verdict"));
        const char *reason = lore_answer_text(j, "why"), *metric = lore_answer_text(j, "metric");
        lore_rows_line(cli, j == judgements->child ? "expected" : "",
            reason ? lore_format(cli->arena, "%s: %s", verdict ? verdict : "?", reason)
                   : lore_format(cli->arena, "%s: %s%s", verdict ? verdict : "?",
                         metric ? metric : "?", show_move(cli, j)));
    }
    for (const struct lore_json *m = watch ? watch->child : NULL; m; m = m->next) {
        const char *state = lore_answer_show_word(cli, lore_answer_text(m, "state"));
        const char *metric = lore_answer_text(m, "metric");
        lore_rows_line(cli, m == watch->child ? "watched" : "",
            lore_format(cli->arena, "%s: %s%s", metric ? metric : "?", state ? state : "?",
                show_move(cli, m)));
    }
    if (word)
        lore_rows_line(cli, "accept rule",
            lore_format(cli->arena, "%s%s%s", word, why ? ": " : "", why ? why : ""));
}

static void
show_attribution(struct lore_cli *cli, const struct lore_json *a, bool first)
{
    const char *technique = lore_answer_text(a, "technique"),
               *yes = lore_answer_text(a, "contributed");
    double ns, pct;
    const char *line =
        lore_format(cli->arena, "%s: %s", technique ? technique : "?", yes ? yes : "unknown");

    if (lore_answer_number(a, "attribution_ns", &ns))
        line = lore_format(cli->arena, "%s, %s%s without it", line,
            lore_answer_show_ns(cli, fabs(ns)), ns < 0 ? " faster" : " slower");
    if (lore_answer_number(a, "attribution_pct", &pct))
        line = lore_format(cli->arena, "%s (%.3g %%)", line, pct);
    lore_rows_line(cli, first ? "ablation" : "", line);
}

/* Pair by pair, where the samples of both sides were taken in turns. */
static void
show_paired(struct lore_cli *cli, const struct lore_json *p)
{
    const char *verdict = lore_answer_show_word(cli, lore_answer_text(p, "verdict")),
               *n = lore_answer_text(p, "n");
    double median, low, high;

    if (!verdict || !lore_answer_number(p, "median_improvement_pct", &median) ||
        !lore_answer_number(p, "low", &low) || !lore_answer_number(p, "high", &high))
        return;
    bool more = median < 0;

    lore_rows_line(cli, "pair by pair",
        lore_format(cli->arena, "%s: %.3g %% %s time (95 %%: %.3g to %.3g), %s pairs", verdict,
            fabs(median), more ? "more" : "less", more ? -high : low, more ? -low : high,
            n != NULL ? n : "?"));
}

void
lore_show_technique_verdicts(struct lore_cli *cli, const struct lore_json *x)
{
    const struct lore_json *verdicts = lore_json_get(x, "technique_verdicts");
    const struct lore_json *attributions = lore_json_get(x, "attributions");
    const struct lore_json *synergy = lore_json_get(x, "synergy");
    double residual;

    show_paired(cli, lore_json_get(x, "paired"));
    for (const struct lore_json *v = verdicts ? verdicts->child : NULL; v; v = v->next) {
        const char *name = lore_answer_text(v, "technique"), *isa = lore_answer_text(v, "isa");
        const char *verdict = lore_answer_show_word(cli, lore_answer_text(v, "verdict"));
        const char *why = lore_answer_text(v, "why");
        lore_rows_line(cli, v == verdicts->child ? "technique" : "",
            lore_format(cli->arena, "%s: %s%s%s%s%s%s", name ? name : "?", verdict ? verdict : "?",
                isa ? "; machine code " : "", isa ? lore_answer_show_word(cli, isa) : "",
                why && *why ? " (" : "", why && *why ? why : "", why && *why ? ")" : ""));
    }
    for (const struct lore_json *a = attributions ? attributions->child : NULL; a; a = a->next)
        show_attribution(cli, a, a == attributions->child);
    if (lore_answer_number(synergy, "residual_ns", &residual))
        lore_rows_line(cli, "unexplained",
            lore_format(cli->arena, "%s%s that no single technique explains",
                residual < 0 ? "-" : "", lore_answer_show_ns(cli, fabs(residual))));
}

void
lore_show_machine_code(struct lore_cli *cli, const char *version)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/versions");
    lore_query_segment(&q, version);
    lore_buf_puts(&q.path, "/verifications");
    const struct lore_json *first = lore_ask_quietly(cli, &q, &root) ? lore_rows_of(root) : NULL;
    for (const struct lore_json *v = first; v; v = v->next) {
        const char *name = lore_answer_text(v, "technique"), *note = lore_answer_text(v, "note");
        lore_rows_line(cli, v == first ? "machine code" : "",
            lore_format(cli->arena, "%s: %s%s%s%s", name ? name : "?",
                lore_answer_show_word(cli, lore_answer_text(v, "status")), note ? " (" : "",
                note ? note : "", note ? ")" : ""));
    }
}

void
lore_show_decisions(struct lore_cli *cli, const char *id)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/curations");
    lore_query_add(&q, "subject", id);
    if (!lore_ask_quietly(cli, &q, &root))
        return;
    for (const struct lore_json *c = lore_rows_of(root); c; c = c->next) {
        const char *action = lore_answer_show_word(cli, lore_answer_text(c, "action"));
        const char *actor = lore_answer_text(c, "actor"), *reason = lore_answer_text(c, "reason");
        const char *state = lore_answer_text(c, "state"), *at = lore_answer_text(c, "decided_at");
        /* masks are printed with the experiment */
        if (lore_streq(action, "mask") || lore_streq(action, "unmask"))
            continue;
        const char *values = lore_answer_show_members(cli, lore_json_get(c, "values"));
        if (lore_streq(action, "retract"))
            action = "retracted";
        if (lore_answer_true(c, "retracted"))
            state = "undone";
        lore_rows_line(cli, action ? action : "decision",
            lore_format(cli->arena, "%s%s%s by %s: %s%s%s%s",
                at ? lore_answer_show_day(cli, at) : "", at && state ? ", " : "",
                state ? state : "", actor ? actor : "?", reason ? reason : "", *values ? " (" : "",
                values, *values ? ")" : ""));
    }
}
