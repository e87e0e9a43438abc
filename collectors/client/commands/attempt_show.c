/* Sends an attempt and prints its receipt: what it came to, and where the kernel stands now. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/attempt_cmd.h"
#include "collectors/client/commands/idea_plan.h"
#include "collectors/client/commands/new_names.h"
#include "collectors/client/report/quantity.h"
#include "collectors/client/screen/print.h"
#include "service/base/text.h"
#include "service/base/ulid.h"

const char *
lore_attempt_champion(struct lore_cli *cli, const struct lore_json *receipt)
{
    const struct lore_json *champion = lore_json_get(receipt, "champion"),
                           *first = lore_json_get(receipt, "first");
    double ns, gain;

    if (!lore_answer_number(champion, "time_ns", &ns))
        return NULL;
    const char *text = lore_format(
        cli->arena, "champion %s, %s", lore_answer_label(champion), lore_answer_show_ns(cli, ns));
    if (lore_answer_number(receipt, "champion_vs_first", &gain))
        text = lore_format(cli->arena, "%s, %s over the first (%s)", text,
            lore_answer_show_factor(cli, gain), lore_answer_label(first));
    return text;
}

/* "win 1.48x over v0", "no gain, 1.01x over v5", "the baseline". */
static const char *
show_verdict(struct lore_cli *cli, const struct lore_args *args, const struct lore_json *receipt)
{
    const struct lore_json *outcome = lore_json_get(receipt, "outcome"),
                           *parent = lore_json_get(receipt, "parent");
    const char *error = lore_report_say_failure(cli->arena, lore_args_get(args, "error"));
    double speedup;

    if (error)
        return parent ? lore_format(
                            cli->arena, "%s; started from %s", error, lore_answer_label(parent))
                      : error;
    if (!outcome)
        return "the baseline";
    const char *effect = lore_report_say_effect(cli->arena, outcome);
    if (!lore_answer_number(outcome, "speedup", &speedup) || !parent)
        return parent ? lore_format(cli->arena, "no verdict: %s has no time to compare with",
                            lore_answer_label(parent))
                      : "no verdict";
    return lore_format(cli->arena, "%s, %s over %s", effect, lore_answer_show_factor(cli, speedup),
        lore_answer_label(parent));
}

/* What the attempt leaves open, in one line: each flag that says that something is missing. */
static void
print_missing(struct lore_cli *cli, const struct lore_json *outcome)
{
    static const struct {
        const char *flag, *text;
    } asks[] = {{"hypothesis_missing", "a hypothesis (--hypothesis)"},
        {"correctness_before_performance", "a check (--checked-against REF)"}};
    const struct lore_json *flags = lore_json_get(outcome, "missing");
    const char *text = NULL;

    for (const struct lore_json *f = flags ? flags->child : NULL; f; f = f->next)
        for (size_t i = 0; i < sizeof asks / sizeof *asks; i++)
            if (f->type == LORE_J_STRING && lore_streq(f->str, asks[i].flag))
                text = text ? lore_format(cli->arena, "%s, %s", text, asks[i].text) : asks[i].text;
    if (text)
        lore_buf_printf(&cli->out, "missing: %s\n", text);
}

/* Why a version that brought no gain leads. */
static void
print_leads(struct lore_cli *cli, const struct lore_json *receipt)
{
    const struct lore_json *version = lore_json_get(receipt, "version"),
                           *champion = lore_json_get(receipt, "champion"),
                           *outcome = lore_json_get(receipt, "outcome");
    long long faster = lore_answer_int(receipt, "faster");
    const char *effect = lore_answer_text(outcome, "effect"), *label = lore_answer_label(version);
    double speedup = 0;

    if (!lore_streq(lore_answer_text(version, "id"), lore_answer_text(champion, "id")))
        return;
    if (lore_streq(effect, "neutral") && lore_answer_number(outcome, "speedup", &speedup) &&
        speedup > 1)
        lore_print_wrapped(cli, "note: ", 6,
            lore_format(cli->arena,
                "%s is faster, but within what counts as no gain; it leads all the same", label));
    if (faster > 0)
        lore_print_wrapped(cli, "note: ", 6,
            lore_format(cli->arena,
                "%s leads, although %s faster: wrong, unchecked, or stated and not measured "
                "(warplore history %s)",
                label, lore_answer_show_count(cli, faster, "version is", "versions are"),
                lore_answer_text(receipt, "kernel")));
}

/* Why a version that is faster than the champion is not the champion. */
static void
print_not_champion(
    struct lore_cli *cli, const struct lore_args *args, const struct lore_json *receipt)
{
    const struct lore_json *version = lore_json_get(receipt, "version"),
                           *champion = lore_json_get(receipt, "champion");
    bool measured = lore_args_get(args, "samples") != NULL,
         checked = lore_args_get(args, "checked-against") != NULL;
    double ours, best;

    if (lore_args_get(args, "error") || !lore_answer_number(version, "time_ns", &ours) ||
        !lore_answer_number(champion, "time_ns", &best) || ours >= best ||
        lore_streq(lore_answer_text(version, "id"), lore_answer_text(champion, "id")))
        return;
    lore_print_wrapped(cli, "note: ", 6,
        lore_format(cli->arena, "%s is faster and not the champion, because %s was measured%s%s",
            lore_answer_label(version), lore_answer_label(champion), measured ? " and checked" : "",
            measured && checked ? ""
            : measured          ? ": add --checked-against REF"
            : checked           ? ": add --samples"
                                : ": add --samples, and --checked-against REF"));
}

/* A time so far from that of the parent is more often a wrong unit than a result. */
static void
print_unit(struct lore_cli *cli, const struct lore_json *receipt)
{
    const double most = 100;
    const struct lore_json *version = lore_json_get(receipt, "version"),
                           *parent = lore_json_get(receipt, "parent");
    double ours, theirs;

    if (!lore_answer_number(version, "time_ns", &ours) ||
        !lore_answer_number(parent, "time_ns", &theirs) ||
        (ours < most * theirs && theirs < most * ours))
        return;
    lore_print_wrapped(cli, "note: ", 6,
        lore_format(cli->arena,
            "%s takes %s, %s took %s: is the unit right? If not: warplore retract %s --reason "
            "'wrong unit', and record it anew",
            lore_answer_label(version), lore_answer_show_ns(cli, ours), lore_answer_label(parent),
            lore_answer_show_ns(cli, theirs), lore_answer_label(version)));
}

static void
print_disagreement(struct lore_cli *cli, const struct lore_args *args, const struct lore_json *o)
{
    if (!lore_answer_true(o, "disagrees"))
        return;
    lore_print_wrapped(cli, "note: ", 6,
        lore_format(cli->arena, "you said \"%s\"; the numbers say %s. Both are kept.",
            lore_args_get(args, "outcome"), lore_report_say_effect(cli->arena, o)));
}

static void
print_receipt(struct lore_cli *cli, const struct lore_args *args, const struct lore_json *receipt)
{
    const struct lore_json *version = lore_json_get(receipt, "version"),
                           *outcome = lore_json_get(receipt, "outcome");
    const char *note = lore_answer_text(receipt, "note"),
               *rules = lore_answer_join(cli, lore_json_get(outcome, "rules"), ", "),
               *champion = lore_attempt_champion(cli, receipt);
    bool again = lore_streq(lore_answer_text(receipt, "status"), "duplicate");
    double ns;

    lore_buf_printf(&cli->out, "%s", lore_answer_label(version));
    if (lore_answer_number(version, "time_ns", &ns))
        lore_buf_printf(&cli->out, "  %s", lore_answer_show_ns(cli, ns));
    lore_buf_printf(&cli->out, "  %s%s%s%s\n", show_verdict(cli, args, receipt),
        *rules ? "; rule broken: " : "", rules,
        again ? "  (recorded before; --again records it anew)" : "");
    lore_buf_printf(&cli->out, "%s on %s%s%s: %s\n", lore_answer_text(receipt, "kernel"),
        lore_answer_text(receipt, "chip"), lore_answer_text(receipt, "workload") ? ", " : "",
        lore_answer_text(receipt, "workload") ? lore_answer_text(receipt, "workload") : "",
        champion ? champion : "no version has a time yet");
    print_unit(cli, receipt);
    print_leads(cli, receipt);
    print_not_champion(cli, args, receipt);
    if (note)
        lore_print_wrapped(cli, "note: ", 6, note);
    print_disagreement(cli, args, outcome);
    print_missing(cli, outcome);
    lore_new_names_print(cli, receipt);
}

int
lore_attempt_send(struct lore_cli *cli, const struct lore_args *args, const struct lore_buf *body,
    struct lore_json **receipt)
{
    int code = lore_cli_post(cli, "/api/v1/attempts", body->data, body->len, receipt);

    if (code != LORE_EXIT_OK)
        return code;
    if (cli->json)
        lore_cli_print_json(cli, *receipt);
    else if (lore_args_has(args, "dry-run"))
        lore_ask_print_records(cli, lore_json_get(*receipt, "submission"));
    else
        print_receipt(cli, args, *receipt);
    return code;
}

const char *
lore_attempt_warn(struct lore_cli *cli, const struct lore_args *args, const char *change,
    const struct lore_session *s)
{
    const char *claim = lore_args_get(args, "hypothesis"), *kernel = lore_args_get(args, "kernel");
    struct lore_idea_plan plan = {.text = change ? change : claim,
        .techniques = lore_idea_option(cli, args, "technique"),
        .params = lore_idea_option(cli, args, "params"),
        .kernel = s                         ? s->kernel_id
                  : lore_ulid_valid(kernel) ? kernel
                                            : NULL,
        .op = s ? s->op : lore_args_get(args, "operator"),
        .chip = s ? s->chip : lore_args_get(args, "chip"),
        .workload = s ? s->workload_id : NULL,
        .dims = s ? NULL : lore_args_get(args, "dims"),
        .dtype = s ? NULL : lore_args_get(args, "dtype")};

    if (lore_args_has(args, "no-check") || lore_args_has(args, "dry-run"))
        return NULL;
    return lore_idea_warn(cli, &plan);
}

void
lore_attempt_warned(struct lore_cli *cli, const char *warning, const struct lore_json *receipt)
{
    if (warning && lore_streq(lore_answer_text(receipt, "status"), "stored"))
        lore_buf_printf(&cli->err, "warplore: recorded; %s\n", warning);
}
