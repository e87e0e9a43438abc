/* Drafts an insight from experiments. Its scope is what the experiments share; its body lists
 * what they measured and their lessons, and links back to them. The draft is printed for the
 * user to judge, and stored only with --record. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/insight_doc.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/report/quantity.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"
#include "service/wire/build.h"

const struct lore_opt lore_promote_opts[] = {
    LORE_OPTS_INSIGHT,
    LORE_OPT_RECORD,
    {NULL, 0, NULL, false, NULL},
};

struct gathered {
    const struct lore_json **v; /* answers of GET /api/v1/experiments/{id} */
    size_t n, cap;
    size_t won, lost, no_gain, other, measured, masked, incorrect, rule_broken;
};

static int
gather(struct lore_cli *cli, const struct lore_args *args, struct gathered *g)
{
    for (size_t i = 0; i < args->words.n; i++) {
        struct lore_json *x = NULL;
        struct lore_query q;
        lore_query_start(&q, "/api/v1/experiments");
        lore_query_segment(&q, args->words.v[i]);
        int code = lore_cli_fetch(cli, &q, false, &x);
        if (code == LORE_EXIT_NO)
            return LORE_EXIT_USAGE;
        if (code != LORE_EXIT_OK)
            return code;
        *LORE_PUSH(cli->arena, g->v, g->n, g->cap) = x;
        const char *effect = lore_report_effect(lore_json_get(x, "outcome"));
        const char *evidence = lore_answer_text(x, "evidence");
        const char *correct = lore_rows_at_text(x, "outcome.correctness");
        bool won = lore_streq(effect, "win"), lost = lore_streq(effect, "loss"),
             even = lore_streq(effect, "neutral");
        g->won += won;
        g->lost += lost;
        g->no_gain += even;
        g->other += !won && !lost && !even;
        g->measured += lore_streq(evidence, "measured") || lore_streq(evidence, "confirmed");
        g->masked += lore_answer_true(x, "masked");
        g->incorrect += lore_streq(correct, "fail") || lore_streq(correct, "timeout");
        g->rule_broken += lore_streq(lore_rows_at_text(x, "outcome.process"), "broken");
    }
    return LORE_EXIT_OK;
}

/* The value that all experiments have at KEY; NULL when they differ or one has none. */
static const char *
shared(const struct gathered *g, const char *key)
{
    const char *value = lore_answer_text(g->v[0], key);

    for (size_t i = 1; i < g->n; i++) {
        if (!lore_streq(lore_answer_text(g->v[i], key), value))
            return NULL;
    }
    return value;
}

static bool
uses(const struct lore_json *x, const char *technique)
{
    const struct lore_json *list = lore_json_get(x, "techniques");

    for (const struct lore_json *t = list ? list->child : NULL; t; t = t->next) {
        if (lore_streq(lore_answer_text(t, "name"), technique))
            return true;
    }
    return false;
}

/* The one technique that all of them used; NULL when there is none, or several. */
static const char *
shared_technique(const struct gathered *g)
{
    const struct lore_json *list = lore_json_get(g->v[0], "techniques");
    const char *found = NULL;

    for (const struct lore_json *t = list ? list->child : NULL; t; t = t->next) {
        const char *name = lore_answer_text(t, "name");
        bool all = name;
        for (size_t i = 1; i < g->n && all; i++)
            all = uses(g->v[i], name);
        if (all && found)
            return NULL;
        found = all ? name : found;
    }
    return found;
}

/* "- win 1.77x: title, on sm_86 (measured); 23.1 us -> 13 us. Lesson: … [id]" */
static const char *
draft_line(struct lore_cli *cli, const struct lore_json *x)
{
    const struct lore_json *outcome = lore_json_get(x, "outcome");
    const char *verdict = lore_answer_show_outcome(cli, outcome),
               *title = lore_answer_text(x, "title");
    const char *chip = lore_answer_text(x, "chip"),
               *workload = lore_rows_at_text(x, "workload.label");
    const char *lesson = lore_answer_text(x, "lesson"), *notes = lore_answer_text(x, "notes");
    double before, after;
    const char *line = lore_format(cli->arena, "- %s: %s%s%s%s%s (%s)",
        verdict ? verdict : "no verdict", title ? title : "untitled", chip ? ", on " : "",
        chip ? chip : "", workload ? ", " : "", workload ? workload : "",
        lore_answer_text(x, "evidence") ? lore_answer_text(x, "evidence") : "claimed");

    if (lore_answer_number(outcome, "before_ns", &before) &&
        lore_answer_number(outcome, "after_ns", &after))
        line = lore_format(cli->arena, "%s; %s -> %s", line, lore_answer_show_ns(cli, before),
            lore_answer_show_ns(cli, after));
    if (lesson && *lesson)
        line = lore_format(cli->arena, "%s. Lesson: %s", line, lesson);
    else if (notes && *notes)
        line = lore_format(cli->arena, "%s. Notes: %s", line, notes);
    return lore_format(cli->arena, "%s [%s]\n", line, lore_answer_text(x, "id"));
}

static const char *
draft_body(struct lore_cli *cli, const struct gathered *g)
{
    struct lore_buf b = {.max = 60u << 10};

    lore_buf_printf(&b, "%s: %zu won, %zu lost%s%s.\n",
        lore_answer_show_count(cli, (long long)g->n, "experiment", "experiments"), g->won, g->lost,
        g->no_gain ? lore_format(cli->arena, ", %zu without a gain", g->no_gain) : "",
        g->other ? lore_format(cli->arena, ", %zu without a clear verdict", g->other) : "");
    for (size_t i = 0; i < g->n; i++)
        lore_buf_puts(&b, draft_line(cli, g->v[i]));
    const char *out = lore_strdup(cli->arena, b.data);
    lore_buf_free(&b);
    return out;
}

static void
draft(struct lore_cli *cli, const struct gathered *g, struct lore_insight *out)
{
    out->op = shared(g, "operator");
    out->family = out->op ? NULL : shared(g, "family");
    out->chip = shared(g, "chip");
    out->technique = shared_technique(g);
    out->body = draft_body(cli, g);
    out->confidence = g->measured == g->n ? "experimental" : "source_reported";
    for (size_t i = 0; i < g->n; i++)
        lore_build_text(cli->arena, &out->experiments, lore_answer_text(g->v[i], "id"));
}

/* A technique card or a playbook when all experiments won, an anti-strategy when none gained, else
 * a note. */
static const char *
kind_of(const struct gathered *g, const struct lore_insight *drafted)
{
    if (g->won == g->n)
        return drafted->technique ? "technique_card" : "playbook";
    return g->lost + g->no_gain == g->n ? "anti_strategy" : "note";
}

/* Print doubts about the experiments behind the draft. */
static void
warn(struct lore_cli *cli, const struct gathered *g)
{
    const struct {
        size_t n;
        const char *what;
    } doubts[] = {{g->won && g->lost + g->no_gain > 0 ? g->n : 0,
                      "their outcomes differ: say when each one holds"},
        {g->masked, "masked: hidden from recommendations"}, {g->incorrect, "gave a wrong result"},
        {g->rule_broken, "broke a process rule"}};

    if (doubts[0].n)
        lore_print_wrapped(cli, "  note: ", 8, doubts[0].what);
    for (size_t i = 1; i < sizeof doubts / sizeof *doubts; i++) {
        if (doubts[i].n)
            lore_print_wrapped(cli, "  note: ", 8,
                lore_format(cli->arena, "%zu of %zu %s", doubts[i].n, g->n, doubts[i].what));
    }
}

/* Lists insights about this operator and technique: confirm or contradict those first. */
static void
name_existing(struct lore_cli *cli, const struct lore_insight *insight)
{
    struct lore_json *root = NULL;
    struct lore_query q;
    size_t n = 0;

    if (!insight->op && !insight->technique)
        return;
    lore_query_start(&q, "/api/v1/insights");
    lore_query_add(&q, "operator", insight->op);
    lore_query_add(&q, "technique", insight->technique);
    lore_query_add(&q, "limit", "3");
    if (!lore_ask_quietly(cli, &q, &root))
        return;
    for (const struct lore_json *r = lore_rows_of(root); r && n < 3; r = r->next, n++) {
        if (n == 0)
            lore_buf_puts(&cli->out, "\nexisting insights on this subject:\n");
        const char *id = lore_answer_text(r, "id"), *title = lore_answer_text(r, "title");
        lore_print_wrapped(
            cli, lore_format(cli->arena, "  %s  ", id ? id : "?"), 4, title ? title : "");
    }
}

/* Bodies keep their lines. */
static void
print_body(struct lore_cli *cli, const char *body)
{
    while (*body) {
        size_t n = strcspn(body, "\n");
        lore_print_wrapped(cli, "  ", 4, lore_strndup(cli->arena, body, n));
        body += n + (body[n] == '\n');
    }
}

static void
show(struct lore_cli *cli, const struct lore_insight *i, const struct gathered *g)
{
    const char *labels = "";

    for (size_t k = 0; k < i->labels.n; k++)
        labels = lore_format(cli->arena, "%s%s%s", labels, k ? "+" : "", i->labels.v[k]);
    lore_buf_printf(
        &cli->out, "%s\n", lore_print_styled(cli, LORE_BOLD, lore_print_clean(cli, i->title)));
    lore_rows_line(cli, "kind", lore_answer_show_word(cli, i->kind));
    lore_rows_line(cli, "operator", i->op);
    lore_rows_line(cli, "family", i->family);
    lore_rows_line(cli, "chip", i->chip);
    lore_rows_line(cli, "technique", i->technique);
    lore_rows_line(cli, "bottleneck", labels);
    lore_rows_line(cli, "confidence", lore_answer_show_word(cli, i->confidence));
    lore_buf_putc(&cli->out, '\n');
    print_body(cli, i->body);
    warn(cli, g);
    name_existing(cli, i);
}

int
lore_cmd_promote(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_insight insight = {0};
    struct lore_json *receipt = NULL;
    struct gathered g = {0};
    struct lore_err err = {0};
    bool store = lore_args_has(args, "record");

    int code = gather(cli, args, &g);
    if (code != LORE_EXIT_OK)
        return code;
    draft(cli, &g, &insight);
    if (lore_insight_options(cli, args, kind_of(&g, &insight), &insight, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (!cli->json)
        show(cli, &insight, &g);
    if (store || cli->json)
        code = lore_insight_send(cli, &insight, !store, &receipt);
    if (code != LORE_EXIT_OK)
        return code;
    if (cli->json && receipt)
        lore_cli_print_json(cli, receipt);
    else if (store && !cli->json)
        lore_buf_printf(&cli->out, "\nrecorded %s\n", insight.id);
    else if (!cli->json)
        lore_buf_puts(&cli->out, "\nnot stored: add --record to store it\n");
    return code;
}
