/* Hardware numbers. Each is printed as a citation, "metric: value unit <- path:line" or "metric:
 * UNKNOWN (why)". Users copy these lines, so only the evidence class follows, in brackets.
 * Different values of one metric are a dispute until a curator selects one. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

const struct lore_opt lore_specs_opts[] = {
    LORE_OPT_METRIC,
    LORE_OPT_REASON,
    LORE_OPT_LIMIT,
    LORE_OPT_CURSOR,
    {NULL, 0, NULL, false, NULL},
};

const struct lore_opt lore_chip_opts[] = {
    {"sibling", 0, "CHIP", false,
        "A chip of the same ISA: warn about rates that do not scale with the number of units"},
    {NULL, 0, NULL, false, NULL},
};

/* Headings, in the order of printing. */
static const struct {
    const char *standing, *title;
} standings[] = {{"in_force", "in force"}, {"candidate", "also stated"},
    {"disputed", "disputed (warplore specs disputes)"}, {"unknown", "unknown"},
    {"rejected", "rejected"}, {"retracted", "retracted"}};

/* Print the service's citation unwrapped, followed by the evidence class. */
static void
print_cite(struct lore_cli *cli, const char *indent, const struct lore_json *spec)
{
    const char *cite = lore_answer_text(spec, "cite"),
               *class = lore_answer_text(spec, "evidence_class");

    lore_buf_printf(&cli->out, "%s%s%s\n", indent, cite ? lore_print_clean(cli, cite) : "?",
        class ? lore_format(cli->arena, "  [%s]", lore_print_clean(cli, class)) : "");
}

/* The rows of CHIP with STANDING, under a heading. */
static void
print_standing(struct lore_cli *cli, const struct lore_json *first, const char *chip, size_t which)
{
    bool headed = false;

    for (const struct lore_json *r = first; r; r = r->next) {
        if (!lore_streq(lore_answer_text(r, "standing"), standings[which].standing) ||
            !lore_streq(lore_answer_text(r, "chip"), chip))
            continue;
        if (!headed)
            lore_buf_printf(&cli->out, "%s%s\n", cli->out.len > 0 ? "\n" : "",
                lore_print_styled(cli, LORE_BOLD,
                    lore_format(cli->arena, "%s, %s", lore_print_clean(cli, chip),
                        standings[which].title)));
        headed = true;
        print_cite(cli, "", r);
    }
}

static void
print_specs(struct lore_cli *cli, const struct lore_json *first)
{
    for (const struct lore_json *r = first; r; r = r->next) {
        const char *chip = lore_answer_text(r, "chip");
        bool seen = false;
        for (const struct lore_json *p = first; p != r; p = p->next)
            seen |= lore_streq(lore_answer_text(p, "chip"), chip);
        for (size_t i = 0; !seen && i < sizeof standings / sizeof *standings; i++)
            print_standing(cli, first, chip, i);
    }
}

/* Print a dispute: the value of each source, with the id to select. */
static void
print_dispute(struct lore_cli *cli, const struct lore_json *d)
{
    const char *qualifier = lore_answer_text(d, "qualifier"),
               *reason = lore_answer_text(d, "reason");
    const char *selected = lore_answer_text(d, "selected");
    const struct lore_json *members = lore_json_get(d, "members");
    double low = 0, high = 0, ratio = 0;

    if (!lore_answer_number(d, "ratio", &ratio) && lore_answer_number(d, "low", &low) &&
        lore_answer_number(d, "high", &high) && low > 0)
        ratio = high / low;
    const char *head = lore_format(cli->arena, "%s %s%s%s%s", lore_answer_text(d, "chip"),
        lore_answer_text(d, "metric"), qualifier ? " (" : "", qualifier ? qualifier : "",
        qualifier ? ")" : "");
    lore_buf_printf(&cli->out, "%s%s\n",
        lore_print_styled(cli, LORE_BOLD, lore_print_clean(cli, head)),
        ratio > 1 ? lore_format(cli->arena, ", sources differ by a factor of %.3g", ratio) : "");
    for (const struct lore_json *m = members ? members->child : NULL; m; m = m->next) {
        bool chosen = selected && lore_streq(lore_answer_text(m, "id"), selected);
        lore_buf_printf(&cli->out, "  %s %s", chosen ? "*" : " ", lore_answer_text(m, "id"));
        print_cite(cli, "  ", m);
    }
    if (selected)
        lore_print_wrapped(cli, "    selected: ", 14, reason ? reason : "no reason given");
}

static int
disputes(struct lore_cli *cli, const char *chip)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/specs/disputes");
    lore_query_add(&q, "chip", chip);
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    if (cli->json)
        return code;
    size_t open = 0;
    for (const struct lore_json *d = lore_rows_of(root); d; d = d->next) {
        print_dispute(cli, d);
        open += !lore_answer_text(d, "selected");
    }
    if (open > 0)
        lore_buf_puts(&cli->out, "\nchoose one: warplore specs select ID --reason TEXT\n");
    if (!lore_rows_of(root))
        lore_buf_puts(&cli->out, "no sources disagree\n");
    return code;
}

/* The variants of the chip NAME that have numbers: "h100-sxm, h100-pcie"; "" for none. */
static const char *
variants_with_specs(struct lore_cli *cli, const char *name)
{
    size_t n = 0;
    const struct lore_chip *asked = lore_chip_find(name), *all = lore_chips(&n);
    const char *names = "";

    for (size_t i = 0; asked && i < n; i++) {
        struct lore_json *root = NULL;
        struct lore_query q;
        if (&all[i] == asked || !lore_chip_covers(asked, &all[i]))
            continue;
        lore_query_start(&q, "/api/v1/specs");
        lore_query_add(&q, "chip", all[i].name);
        lore_query_add(&q, "limit", "1");
        if (lore_ask_quietly(cli, &q, &root) && lore_rows_of(root))
            names = lore_format(cli->arena, "%s%s%s", names, *names ? ", " : "", all[i].name);
    }
    return names;
}

/* NAME has no specs: say which of its variants have some. */
static void
say_variants(struct lore_cli *cli, const char *name, const char *otherwise)
{
    const char *names = variants_with_specs(cli, name);

    if (*names)
        lore_print_wrapped(cli, "", 2,
            lore_format(
                cli->arena, "no number of %s itself, but of its variants: %s", name, names));
    else
        lore_buf_puts(&cli->out, otherwise);
}

int
lore_cmd_specs(struct lore_cli *cli, const struct lore_args *args)
{
    static const char *const params[] = {"metric", "cursor", NULL};
    const char *word = args->words.n > 0 ? args->words.v[0] : NULL;
    const char *limit = lore_args_get(args, "limit");
    struct lore_json *root = NULL;
    struct lore_query q;

    if (lore_streq(word, "select") || lore_streq(word, "reject")) {
        if (args->words.n != 2)
            return lore_cli_say(cli, LORE_EXIT_USAGE, "specs %s: give the id of a spec", word);
        return lore_ask_decide(cli, args, 1, "/api/v1/specs", word,
            lore_streq(word, "select") ? "selected" : "rejected");
    }
    if (lore_streq(word, "disputes"))
        return disputes(cli, args->words.n > 1 ? args->words.v[1] : NULL);
    if (args->words.n > 1)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "specs: one chip at a time");
    lore_query_start(&q, "/api/v1/specs");
    lore_query_add(&q, "chip", word);
    lore_ask_params(cli, args, params, &q);
    lore_query_add(&q, "limit", limit ? limit : "200");
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    const struct lore_json *first = lore_rows_of(root);
    if (!cli->json) {
        print_specs(cli, first);
        if (!first)
            say_variants(cli, word, "no specs: values are UNKNOWN until a source is imported\n");
        lore_rows_more(cli, root);
    }
    return code;
}

/* --- one chip --- */

/* Whether a value of METRIC and QUALIFIER is among the valid SPECS. */
static bool
has_value(const struct lore_json *specs, const char *metric, const char *qualifier)
{
    for (const struct lore_json *s = specs ? specs->child : NULL; s; s = s->next) {
        if (lore_streq(lore_answer_text(s, "metric"), metric) &&
            lore_streq(lore_answer_text(s, "qualifier"), qualifier))
            return true;
    }
    return false;
}

/* Print the metrics that a source lists as unknown. Another source may state a value. */
static void
print_unknown(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *list = lore_json_get(root, "unknown");
    const struct lore_json *specs = lore_json_get(root, "specs");

    if (list && list->child)
        lore_rows_heading(cli, "Unknown");
    for (const struct lore_json *s = list ? list->child : NULL; s; s = s->next) {
        const char *metric = lore_answer_text(s, "metric"), *cite = lore_answer_text(s, "cite");
        if (!cite)
            cite = lore_format(cli->arena, "%s: UNKNOWN (no source)", metric ? metric : "?");
        lore_buf_printf(&cli->out, "%s%s\n", lore_print_clean(cli, cite),
            metric && has_value(specs, metric, lore_answer_text(s, "qualifier"))
                ? "; another source states a valid value"
                : "");
    }
}

static void
print_part(struct lore_cli *cli, const struct lore_json *root, const char *key, const char *title)
{
    const struct lore_json *list = lore_json_get(root, key);

    if (!list || !list->child)
        return;
    lore_rows_heading(cli, title);
    for (const struct lore_json *s = list->child; s; s = s->next) {
        const char *metric = lore_answer_text(s, "metric"), *why = lore_answer_text(s, "why");
        if (lore_answer_text(s, "cite"))
            print_cite(cli, "", s);
        else if (metric)
            lore_buf_printf(&cli->out, "%s: UNKNOWN (%s)\n", lore_print_clean(cli, metric),
                why ? lore_print_clean(cli, why) : "no source");
    }
}

static void
print_disputes(struct lore_cli *cli, const struct lore_json *list)
{
    if (!list || !list->child)
        return;
    lore_rows_heading(cli, "Disputed");
    for (const struct lore_json *d = list->child; d; d = d->next) {
        if (d->type == LORE_J_OBJECT)
            print_dispute(cli, d);
        else if (d->type == LORE_J_STRING)
            lore_buf_printf(&cli->out, "%s\n", lore_print_clean(cli, d->str));
    }
}

int
lore_cmd_chip(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/chips");
    lore_query_segment(&q, args->words.v[0]);
    lore_query_add(&q, "sibling", lore_args_get(args, "sibling"));
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    const char *title = lore_answer_text(root, "title");
    lore_buf_printf(&cli->out, "%s%s%s\n", lore_answer_text(root, "name"), title ? "  " : "",
        title ? lore_print_clean(cli, title) : "");
    lore_rows_line(cli, "vendor", lore_answer_text(root, "vendor"));
    lore_rows_line(cli, "architecture", lore_answer_text(root, "arch"));
    lore_rows_line(cli, "isa", lore_answer_text(root, "isa"));
    lore_rows_line(cli, "features", lore_answer_join(cli, lore_json_get(root, "features"), ", "));
    print_part(cli, root, "specs", "In force");
    print_unknown(cli, root);
    print_part(cli, root, "ceilings", "Measured on this chip");
    print_disputes(cli, lore_json_get(root, "disputes"));
    const struct lore_json *specs = lore_json_get(root, "specs");
    if (!specs || !specs->child)
        say_variants(cli, lore_answer_text(root, "name"),
            lore_format(cli->arena,
                "\nno number is in force: import specs, or choose one (warplore specs %s)\n",
                lore_answer_text(root, "name")));
    const struct lore_json *lint = lore_json_get(root, "lint");
    if (lint && lint->child)
        lore_rows_heading(cli, "Numbers that contradict each other");
    for (const struct lore_json *f = lint ? lint->child : NULL; f; f = f->next)
        lore_print_wrapped(cli, "  - ", 4, lore_answer_text(f, "text"));
    return LORE_EXIT_OK;
}
