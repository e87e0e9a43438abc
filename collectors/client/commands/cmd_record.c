/* `warplore record`: one attempt, with everything that says where it belongs. Also the options of
 * `try`, which says it by its session. */
#include <string.h>
#include <sys/stat.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/attempt_cmd.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/new_names.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/print.h"
#include "service/base/text.h"
#include "service/wire/attempt.h"

/* What `try` and `record` say about an attempt. */
/* clang-format off */
#define ATTEMPT_OPTIONS \
    LORE_OPT_TIME, \
    {"samples", 0, "TIMES", false, "Measured times in order: FILE or 12.5us,12.7us"}, \
    {"error", 'e', "KIND", false, "compile, runtime, wrong or timeout"}, \
    {"log", 0, "FILE", false, "Output that shows the error"}, \
    LORE_OPT_HYPOTHESIS, \
    LORE_OPT_HYPOTHESIS_FILE, \
    LORE_OPT_TECHNIQUES, \
    {"params", 0, "PARAMS", true, "Parameters: tile=64,stages=3"}, \
    LORE_OPT_FROM, \
    LORE_OPT_LABEL, \
    LORE_OPT_SOURCE, \
    {"checked-against", 0, "REF", false, "Reference that the result agreed with"}, \
    {"tolerance", 0, "X", false, "Allowed difference of that check: 1e-3"}, \
    LORE_OPT_BOTTLENECK, \
    {"notes", 0, "TEXT", false, "Remarks in free text"}, \
    {"lesson", 0, "TEXT", false, "The lesson for later attempts"}, \
    LORE_OPT_ADVICE, \
    LORE_OPT_AUTHOR, \
    {"new-technique", 0, NULL, false, "The technique is new, although a known name is near"}, \
    {"again", 0, NULL, false, "Record it anew, although the same attempt is stored"}, \
    {"no-check", 0, NULL, false, "Do not ask whether this has been tried before"}, \
    LORE_OPT_DRY_RUN
/* clang-format on */

const struct lore_opt lore_try_opts[] = {
    ATTEMPT_OPTIONS,
    {"keep", 0, NULL, false, "The next attempt starts from this one, although it did not win"},
    {NULL, 0, NULL, false, NULL},
};
const struct lore_opt lore_record_opts[] = {
    {"file", 'f', "FILE", false, "Read these options (or a whole submission) from YAML or JSON"},
    LORE_OPT_OPERATOR,
    LORE_OPT_KERNEL,
    LORE_OPT_PROJECT,
    LORE_OPT_LANGUAGE,
    LORE_OPT_CHIP,
    LORE_OPT_DIMS,
    LORE_OPT_DTYPE,
    LORE_OPT_LAYOUT,
    LORE_OPT_NEW,
    {"before", 0, "TIME", false, "Time before the change: 0.9ms"},
    {"samples-before", 0, "TIMES", false, "Measured times before, in order: FILE or 12.5us,12.7us"},
    ATTEMPT_OPTIONS,
    LORE_OPT_VERSION,
    {"parent-source", 0, "FILE", true, "Source of the version it started from"},
    {"stall", 0, "TEXT", false, "The dominant stall, in words"},
    {"memory-sol-before", 0, "PCT", false, "Memory throughput before, % of peak"},
    {"memory-sol-after", 0, "PCT", false, "Memory throughput after, % of peak"},
    {"sm-sol-before", 0, "PCT", false, "Compute throughput before, % of peak"},
    {"sm-sol-after", 0, "PCT", false, "Compute throughput after, % of peak"},
    {"occupancy-before", 0, "PCT", false, "Achieved occupancy before, %"},
    {"occupancy-after", 0, "PCT", false, "Achieved occupancy after, %"},
    LORE_OPT_CORRECTNESS,
    {"outcome", 0, "WORD", false,
        "Your verdict (success, failure, neutral); kept beside the derived one"},
    {"violation", 0, "RULE", true, "A process rule that was broken"},
    LORE_OPT_TITLE,
    LORE_OPT_EVIDENCE,
    {"date", 0, "DATE", false, "Date of the experiment (RFC 3339 or YYYY-MM-DD)"},
    {NULL, 0, NULL, false, NULL},
};

/* A whole submission from a file, as it is. */
static int
send_submission(struct lore_cli *cli, const struct lore_args *args, const struct lore_buf *body)
{
    struct lore_json *receipt = NULL;

    if (lore_args_has(args, "dry-run")) {
        lore_ask_preview(cli, body->data, body->len);
        return LORE_EXIT_OK;
    }
    int code = lore_cli_post(cli, "/api/v1/submissions", body->data, body->len, &receipt);
    if (code == LORE_EXIT_OK && cli->json)
        lore_cli_print_json(cli, receipt);
    else if (code == LORE_EXIT_OK)
        lore_buf_printf(&cli->out, "%s %s\n", lore_answer_text(receipt, "status"),
            lore_answer_text(receipt, "id"));
    if (code == LORE_EXIT_OK && !cli->json)
        lore_new_names_print(cli, receipt);
    return code;
}

/* The word is a directory with hypothesis.txt, or says what was tried. Options may come from a
 * file, too. */
static enum lore_status
gather(struct lore_cli *cli, struct lore_args *args, struct lore_buf *body, const char **change,
    struct lore_err *err)
{
    const char *word = args->words.n > 0 ? args->words.v[0] : NULL;
    enum lore_status status = LORE_OK;
    struct stat sb;

    if (word && stat(word, &sb) == 0 && S_ISDIR(sb.st_mode))
        status = lore_record_directory(cli, word, args, err);
    else
        *change = word;
    if (status == LORE_OK && lore_args_get(args, "file"))
        status = lore_record_file(cli, lore_args_get(args, "file"), args, body, err);
    if (status == LORE_OK && !word && args->words.n > 0) /* `change` in the file */
        *change = args->words.v[0];
    return status;
}

int
lore_cmd_record(struct lore_cli *cli, const struct lore_args *given)
{
    LORE_BUF body = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_args args = *given;
    struct lore_json *receipt = NULL;
    const char *change = NULL;
    struct lore_err err = {0};
    enum lore_status status = gather(cli, &args, &body, &change, &err);

    if (status == LORE_OK && body.len > 0)
        return send_submission(cli, &args, &body);
    if (status == LORE_OK)
        status = lore_attempt_write(cli, &args, change, NULL, &body, &err);
    if (status != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    const char *warning = lore_attempt_warn(cli, &args, change, NULL);
    int code = lore_attempt_send(cli, &args, &body, &receipt);
    lore_attempt_warned(cli, warning, receipt);
    return code;
}
