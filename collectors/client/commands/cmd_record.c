/* Records one experiment. The document is built here and sent once. Then the service's verdict
 * is read back, so that the user sees whether it agrees. */
#include <string.h>
#include <sys/stat.h>

#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/duplicates_ask.h"
#include "collectors/client/commands/record_cmd.h"
#include "collectors/client/report/quantity.h"
#include "collectors/client/report/sheet.h"
#include "collectors/client/screen/print.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

const struct lore_opt lore_record_opts[] = {
    {"file", 'f', "FILE", false, NULL,
        "Read these options (or a whole submission) from YAML or JSON"},
    {"kernel", 'k', "OPERATOR", false, NULL, "The operator: softmax, gemm, topk_softmax"},
    {"operator", 0, "OPERATOR", false, "kernel", "Another spelling of --kernel"},
    {"name", 0, "NAME", false, NULL, "The implementation's name (default: the operator's)"},
    {"backend", 'b', "LANGUAGE", false, NULL, "cuda, hip, triton, ck, cutlass, cute_dsl, …"},
    {"language", 0, "LANGUAGE", false, "backend", "Another spelling of --backend"},
    {"project", 'p', "NAME", false, NULL,
        "Project of the kernel: team/attention (default: project in the configuration file)"},
    {"chip", 'c', "CHIP", false, NULL, "mi300x, h100-sxm, sm_86, …"},
    {"dims", 'd', "DIMS", false, NULL, "M=4096,N=4096,K=4096"},
    {"dtype", 0, "TYPE", false, NULL, "Element type: f32, bf16"},
    {"layout", 0, "LAYOUT", false, NULL, "Layout: row, col, nhwc"},
    {"iteration", 'i', "NAME", false, NULL, "Iteration that made the new version: v3"},
    {"bottleneck", 0, "LABELS", false, NULL,
        "Bottleneck before the change: memory, memory+sync, …"},
    {"stall", 0, "TEXT", false, NULL, "The dominant stall, in words"},
    {"memory-sol-before", 0, "PCT", false, NULL, "Memory throughput before, % of peak"},
    {"memory-sol-after", 0, "PCT", false, NULL, "Memory throughput after, % of peak"},
    {"sm-sol-before", 0, "PCT", false, NULL, "Compute throughput before, % of peak"},
    {"sm-sol-after", 0, "PCT", false, NULL, "Compute throughput after, % of peak"},
    {"occupancy-before", 0, "PCT", false, NULL, "Achieved occupancy before, %"},
    {"occupancy-after", 0, "PCT", false, NULL, "Achieved occupancy after, %"},
    {"latency-before", 0, "MS", false, NULL, "Stated time before, milliseconds"},
    {"latency-after", 0, "MS", false, NULL, "Stated time after, milliseconds"},
    {"samples-before", 0, "TIMES", false, NULL,
        "Measured times before, in order: FILE or 12.5us,12.7us"},
    {"samples-after", 0, "TIMES", false, NULL,
        "Measured times after, in order: FILE or 12.5us,12.7us"},
    {"optimization", 'o', "TECHNIQUE", true, NULL,
        "Technique that was applied: name or name{param=value}"},
    {"technique", 0, "TECHNIQUE", true, "optimization", "Another spelling of --optimization"},
    {"hypothesis", 0, "TEXT", false, NULL, "The claim made before the run"},
    {"hypothesis-file", 0, "FILE", false, NULL, "The claim as a hypothesis.txt"},
    {"outcome", 0, "WORD", false, NULL,
        "Your verdict (success, failure, neutral); kept beside the derived one"},
    {"correctness", 0, "WORD", false, NULL, "pass, fail, timeout or not_checked"},
    {"violation", 0, "RULE", true, NULL, "A process rule that was broken"},
    {"title", 0, "TEXT", false, NULL, "One line (default: the techniques, else the hypothesis)"},
    {"notes", 0, "TEXT", false, NULL, "Remarks in free text"},
    {"lesson", 0, "TEXT", false, NULL, "The lesson for later attempts"},
    {"from", 0, "ID", false, NULL, "Id of the stored version it started from"},
    {"to", 0, "ID", false, NULL, "Id of the stored version it made"},
    {"source", 0, "FILE", true, NULL, "Source of the new version"},
    {"parent-source", 0, "FILE", true, NULL, "Source of the version it started from"},
    {"evidence", 0, "CLASS", false, NULL, "confirmed, measured, imported or claimed"},
    {"date", 0, "DATE", false, NULL, "Date of the experiment (RFC 3339 or YYYY-MM-DD)"},
    {"author", 0, "NAME", false, NULL, "The author (default: author in the configuration file)"},
    {"advice", 0, "ID", false, NULL, "The advice it follows: the id that `recommend` printed"},
    {"no-check", 0, NULL, false, NULL, "Do not ask whether this has been tried before"},
    {"dry-run", 0, NULL, false, NULL, "Print the document instead of sending it"},
    {NULL, 0, NULL, false, NULL, NULL},
};

/* An unknown version is usually a mistyped --from or --to. The service would name a path in the
 * document, which the user never saw, so name the option. */
static int
check_version(struct lore_cli *cli, const struct lore_args *args, const char *option)
{
    const char *id = lore_args_get(args, option);
    struct lore_json *root = NULL;
    struct lore_query q;

    if (!id || !*id)
        return LORE_EXIT_OK;
    lore_query_start(&q, "/api/v1/versions");
    lore_query_segment(&q, id);
    int code = lore_cli_fetch(cli, &q, true, &root);
    if (code == LORE_EXIT_NO)
        return lore_cli_say(
            cli, LORE_EXIT_USAGE, "--%s: no stored version has the id %s", option, id);
    return code;
}

/* The id of the experiment to show: the last one the service lists. */
static const char *
experiment_of(const struct lore_json *receipt)
{
    const struct lore_json *records = lore_json_get(receipt, "records");
    const char *id = NULL;

    for (const struct lore_json *r = records ? records->child : NULL; r; r = r->next) {
        if (lore_streq(lore_answer_text(r, "kind"), "experiment"))
            id = lore_answer_text(r, "id");
    }
    return id;
}

/* A speedup in words: "a gain of 1.9 %", "taking 0.5 % longer". */
static const char *
show_change(struct lore_cli *cli, double speedup)
{
    if (speedup >= 1)
        return lore_format(cli->arena, "a gain of %.3g %%", (speedup - 1) * 100);
    return lore_format(cli->arena, "taking %.3g %% longer", (1 / speedup - 1) * 100);
}

static void
show_effect(struct lore_cli *cli, const struct lore_json *outcome)
{
    double speedup, ns;
    const char *effect = lore_report_say_effect(cli->arena, outcome);

    lore_buf_printf(&cli->out, "  effect       %s", effect ? effect : "not derived");
    if (lore_answer_number(outcome, "speedup", &speedup)) {
        lore_buf_printf(&cli->out, "  %s  (policy %s)\n", lore_answer_show_factor(cli, speedup),
            lore_answer_text(outcome, "policy"));
        return;
    }
    bool before = lore_answer_number(outcome, "before_ns", &ns),
         after = lore_answer_number(outcome, "after_ns", &ns);
    if (!before || !after)
        lore_buf_printf(&cli->out, ": no time %s (--latency-* or --samples-*)",
            before  ? "after"
            : after ? "before"
                    : "before and after");
    lore_buf_putc(&cli->out, '\n');
}

static void
show_disagreement(struct lore_cli *cli, const struct lore_json *x)
{
    const struct lore_json *outcome = lore_json_get(x, "outcome");
    const char *typed = lore_answer_text(x, "typed_outcome"),
               *policy = lore_answer_text(outcome, "policy");
    const char *effect = lore_report_say_effect(cli->arena, outcome);
    double speedup = 0;

    if (!lore_answer_true(outcome, "disagrees"))
        return;
    const char *said = lore_format(cli->arena, "the numbers say %s", effect);
    if (lore_answer_number(outcome, "speedup", &speedup) && speedup > 0)
        said = lore_format(cli->arena, "by policy %s %s is %s%s", policy, show_change(cli, speedup),
            lore_streq(effect, "win") || lore_streq(effect, "loss") ? "a " : "", effect);
    lore_print_wrapped(cli, "  note: ", 8,
        lore_format(cli->arena,
            "you typed \"%s\"; %s. Both are kept, and warplore list --disagrees shows it.", typed,
            said));
}

static void
show_recorded(struct lore_cli *cli, const char *status, const struct lore_json *x)
{
    const struct lore_json *outcome = lore_json_get(x, "outcome");

    lore_buf_printf(&cli->out, "%s %s  %s\n",
        lore_streq(status, "duplicate") ? "already there" : "recorded", lore_answer_text(x, "id"),
        lore_print_clean(cli, lore_answer_text(x, "title") ? lore_answer_text(x, "title") : ""));
    show_effect(cli, outcome);
    lore_buf_printf(&cli->out, "  correctness  %s\n",
        lore_answer_show_word(cli, lore_answer_text(outcome, "correctness")));
    const char *rules = lore_answer_join(cli, lore_json_get(outcome, "rules"), ", ");
    lore_buf_printf(&cli->out, "  process      %s%s%s\n", lore_answer_text(outcome, "process"),
        *rules ? ": " : "", rules);
    const char *missing = lore_answer_join(cli, lore_json_get(outcome, "missing"), ", ");
    if (*missing)
        lore_buf_printf(
            &cli->out, "  missing      %s\n", lore_sheet_say_words(cli->arena, missing));
    show_disagreement(cli, x);
}

static int
send_document(struct lore_cli *cli, const char *body, size_t len)
{
    struct lore_json *receipt = NULL, *x = NULL;
    struct lore_query q;
    int code = lore_cli_post(cli, "/api/v1/submissions", body, len, &receipt);

    if (code != LORE_EXIT_OK)
        return code;
    const char *id = experiment_of(receipt);
    if (!id) {
        if (cli->json)
            lore_cli_print_json(cli, receipt);
        else
            lore_buf_printf(&cli->out, "%s %s\n", lore_answer_text(receipt, "status"),
                lore_answer_text(receipt, "id"));
        return code;
    }
    lore_query_start(&q, "/api/v1/experiments");
    lore_query_segment(&q, id);
    code = lore_cli_get(cli, &q, &x);
    if (code == LORE_EXIT_OK && !cli->json)
        show_recorded(cli, lore_answer_text(receipt, "status"), x);
    return code;
}

/* Print past experiments like the one in DOC. DOC is empty when a submission file is sent
 * unchanged. */
static void
warn_of_duplicates(struct lore_cli *cli, const struct lore_submission *doc)
{
    const struct lore_experiment *x = doc->n_experiments > 0 ? &doc->experiments[0] : NULL;
    struct lore_plan plan = {0};

    if (!x || doc->n_kernels == 0)
        return;
    plan.kernel = doc->kernels[0].op;
    plan.chip = x->chip;
    plan.from = x->from_version;
    plan.techniques = "";
    for (size_t i = 0; i < x->n_techniques; i++) {
        const struct lore_technique *known = lore_technique_find(x->techniques[i].name);
        const char *name = known ? known->slug : x->techniques[i].name;
        if (strchr(name, ',')) /* the list that is sent is separated by commas */
            return;
        plan.techniques = lore_format(cli->arena, "%s%s%s", plan.techniques, i ? "," : "", name);
    }
    lore_duplicates_warn(cli, &plan);
}

static enum lore_status
gather(struct lore_cli *cli, struct lore_args *args, struct lore_buf *body, struct lore_err *err)
{
    enum lore_status status = LORE_OK;
    struct stat sb;

    if (args->words.n > 0) {
        const char *path = args->words.v[0];
        if (stat(path, &sb) != 0 || !S_ISDIR(sb.st_mode))
            return lore_fail_at(err, LORE_INVALID, "usage", path,
                "%s: not a directory (use --file for a file)", path);
        status = lore_record_directory(cli, path, args, err);
    }
    if (status == LORE_OK && lore_args_get(args, "file"))
        status = lore_record_file(cli, lore_args_get(args, "file"), args, body, err);
    return status;
}

int
lore_cmd_record(struct lore_cli *cli, const struct lore_args *given)
{
    struct lore_args args = *given;
    struct lore_buf body = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_submission doc = {0};
    struct lore_err err = {0};
    int code;

    enum lore_status status = gather(cli, &args, &body, &err);
    if (status == LORE_OK && body.len == 0) {
        status = lore_record_build(cli, &args, &doc, &err);
        if (status == LORE_OK)
            status = lore_build_encode(&doc, &body, &err);
    }
    if (status != LORE_OK) {
        code = lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    } else if (lore_args_has(&args, "dry-run")) {
        lore_buf_add(&cli->out, body.data, body.len);
        lore_buf_putc(&cli->out, '\n');
        code = LORE_EXIT_OK;
    } else {
        code = check_version(cli, &args, "from");
        if (code == LORE_EXIT_OK)
            code = check_version(cli, &args, "to");
        if (code == LORE_EXIT_OK && !lore_args_has(&args, "no-check"))
            warn_of_duplicates(cli, &doc);
        if (code == LORE_EXIT_OK)
            code = send_document(cli, body.data, body.len);
    }
    lore_buf_free(&body);
    return code;
}
