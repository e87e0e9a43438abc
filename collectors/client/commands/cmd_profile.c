/* `warplore profiles`, `warplore profile ID` and `warplore adopt ID LINE`: what programs spent
 * their GPU time on, and a run of one of their kernels. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/commands/profile_text.h"
#include "collectors/client/commands/run_cmd.h"
#include "collectors/client/screen/print.h"
#include "collectors/run/adopt.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/wire/wire.h"

const struct lore_opt lore_profiles_opts[] = {
    LORE_OPT_CHIP,
    LORE_OPT_AUTHOR,
    LORE_OPT_SINCE,
    LORE_OPT_LIMIT,
    LORE_OPT_CURSOR,
    {NULL, 0, NULL, false, NULL},
};
const struct lore_opt lore_profile_opts[] = {
    {"line", 0, "N", false, "The launch shapes of this line"},
    LORE_OPT_ALL,
    LORE_OPT_LIMIT,
    {NULL, 0, NULL, false, NULL},
};
const struct lore_opt lore_adopt_opts[] = {
    LORE_OPTS_MEASURED,
    LORE_OPT_SOURCE,
    LORE_OPT_LABEL,
    {"summary", 0, "TEXT", false, "Summary of the version, in one sentence"},
    {"version-kind", 0, "WORD", false, "baseline, candidate, branch, ablation, revert, library"},
    {"role", 0, "WORD", false, "candidate, baseline, reference, ablation, branch"},
    {"param", 0, "NAME=VALUE", true, "A parameter of the version: tile=128"},
    {"build", 0, "NAME=VALUE", true, "A build setting: flags=-O3"},
    LORE_OPT_TECHNIQUES,
    LORE_OPT_AUTHOR,
    LORE_OPT_LICENCE,
    {"config", 0, "FILE", false, "Options from FILE (default: warplore.yaml)"},
    LORE_OPT_DRY_RUN,
    {NULL, 0, NULL, false, NULL},
};

int
lore_cmd_profiles(struct lore_cli *cli, const struct lore_args *args)
{
    static const char *const filters[] = {"chip", "author", "since", "limit", "cursor"};
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/profiles");
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        lore_query_add(&q, filters[i], lore_args_get(args, filters[i]));
    int code = lore_cli_get(cli, &q, &root);
    return code == LORE_EXIT_OK ? lore_cmd_list_answer(cli, "profiles", root) : code;
}

/* The profile in FILE, which `run --out` wrote. */
static int
read_file(struct lore_cli *cli, const char *file, struct lore_json **out)
{
    LORE_BUF text = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_json *root = NULL;
    struct lore_err err = {0};
    enum lore_status status = lore_ask_read(file, &text, &err);

    if (status == LORE_OK)
        status = lore_json_parse(text.data, text.len, &lore_wire_limits, cli->arena, &root, &err);
    if (status != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    const struct lore_json *list = lore_json_get(root, "profiles");
    if (!list || !list->child)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "%s: a record without a profile", file);
    *out = list->child;
    if (cli->json)
        lore_cli_print_json(cli, *out);
    return LORE_EXIT_OK;
}

int
lore_cmd_profile(struct lore_cli *cli, const struct lore_args *args)
{
    const char *wanted = lore_args_get(args, "line"), *limit = lore_args_get(args, "limit");
    struct lore_program_profile p;
    struct lore_json *root = NULL;
    struct lore_err err = {0};
    size_t line = 0, shape, most = LORE_PROFILE_SHOWN;

    if (wanted && !lore_profile_read_line(wanted, &line, &shape))
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--line %.40s: a number is expected", wanted);
    if (limit && !lore_profile_read_line(limit, &most, &shape))
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--limit %.40s: a number is expected", limit);
    const char *word = args->words.v[0];
    int code = !lore_ulid_valid(word) && access(word, F_OK) == 0
                   ? read_file(cli, word, &root)
                   : lore_ask_get(cli, "/api/v1/profiles", word, NULL, &root);
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    if (lore_profile_read(cli, root, &p, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_SERVICE, &err);
    if (line > p.n_lines)
        return lore_cli_say(
            cli, LORE_EXIT_NO, "line %zu: the profile has lines 1 to %zu", line, p.n_lines);
    if (line > 0)
        lore_profile_print_line(cli, &p, line);
    else
        lore_profile_print(cli, &p, lore_args_has(args, "all") ? p.n_lines : most, &cli->out);
    return LORE_EXIT_OK;
}

/* ---- adopt ---- */

/* The record with its samples. */
static int
fetch(struct lore_cli *cli, const char *id, struct lore_program_profile *out)
{
    struct lore_json *root = NULL;
    struct lore_query q;
    struct lore_err err = {0};

    lore_query_start(&q, "/api/v1/records");
    lore_query_segment(&q, id);
    int code = lore_cli_fetch(cli, &q, false, &root);
    if (code != LORE_EXIT_OK)
        return code;
    if (!lore_streq(lore_answer_text(root, "kind"), "profile"))
        return lore_cli_say(cli, LORE_EXIT_USAGE, "%s is no profile but a %s", id,
            lore_answer_show_word(cli, lore_answer_text(root, "kind")));
    if (lore_profile_read(cli, lore_json_get(root, "record"), out, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_SERVICE, &err);
    return LORE_EXIT_OK;
}

/* A line with several launch shapes needs one named, unless it has only one. */
static int
choose_shape(struct lore_cli *cli, struct lore_adopted *of)
{
    const struct lore_program_profile *p = of->profile;

    if (of->shape > 0)
        return LORE_EXIT_OK;
    of->shape = 1;
    if (of->line > p->n_lines || p->lines[of->line - 1].n_shapes <= 1)
        return LORE_EXIT_OK;
    lore_profile_print_line(cli, p, of->line);
    return lore_cli_say(cli, LORE_EXIT_USAGE,
        "line %zu has %zu launch shapes, probably several problem sizes: name one, %zu.1 to "
        "%zu.%zu",
        of->line, p->lines[of->line - 1].n_shapes, of->line, of->line,
        p->lines[of->line - 1].n_shapes);
}

static int
print_adopted(struct lore_cli *cli, const struct lore_submission *doc,
    const struct lore_adopted *of, const struct lore_json *receipt)
{
    const struct lore_run *run = &doc->runs[0];
    const char *shape = lore_workload_label(cli->arena, &run->workload);

    lore_buf_printf(&cli->out, "run %s of %s%s%s, kernel %s (%s)\n", run->id, run->workload.op,
        *shape ? ": " : "", shape, lore_print_clean(cli, doc->kernels[0].name),
        lore_answer_text(receipt, "status"));
    lore_buf_printf(&cli->out, "%s\n", lore_adopt_medians(of, run, cli->arena));
    return LORE_EXIT_OK;
}

int
lore_cmd_adopt(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_run_job job = {.cli = cli, .args = args};
    struct lore_program_profile p;
    struct lore_adopted of = {.profile = &p};
    struct lore_submission doc;
    struct lore_json *receipt = NULL;
    struct lore_err err = {0};

    if (!lore_profile_read_line(args->words.v[1], &of.line, &of.shape))
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "%.40s: a line of the profile is expected, 3 or 3.2", args->words.v[1]);
    if (lore_run_what(&job, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    int code = fetch(cli, args->words.v[0], &p);
    if (code == LORE_EXIT_OK)
        code = choose_shape(cli, &of);
    if (code != LORE_EXIT_OK)
        return code;
    if (lore_adopt_run(&job.c.what, &of, cli->arena, &doc, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    bool dry = lore_args_has(args, "dry-run");
    code = lore_ask_submit(cli, &doc, dry, &receipt);
    if (code != LORE_EXIT_OK || dry)
        return code;
    if (!cli->json)
        return print_adopted(cli, &doc, &of, receipt);
    lore_cli_print_json(cli, receipt);
    return code;
}
