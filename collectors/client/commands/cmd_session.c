/* `warplore session`: what the attempts of this directory belong to. The service keeps the session;
 * the directory remembers which one it is. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/attempt_cmd.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/print.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"
#include "service/wire/build.h"

const struct lore_opt lore_session_opts[] = {
    LORE_OPT_OPERATOR,
    LORE_OPT_LANGUAGE,
    LORE_OPT_CHIP,
    LORE_OPT_DIMS,
    LORE_OPT_DTYPE,
    LORE_OPT_PROJECT,
    LORE_OPT_AUTHOR,
    LORE_OPT_NEW,
    {NULL, 0, NULL, false, NULL},
};

static const char *const place[] = {"operator", "language", "chip", "dims", "dtype", "project"};

static bool
same_place(const struct lore_session *s, const struct lore_args *args, const char *kernel)
{
    const char *const given[] = {s->op, s->language, s->chip, s->dims, s->dtype, s->project};

    if (!lore_streq(s->kernel, kernel) && !lore_streq(s->kernel_id, kernel))
        return false;
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        const char *value = lore_args_get(args, place[i]);
        if (value && !lore_streq(value, given[i]))
            return false;
    }
    return true;
}

static void
print_place(struct lore_cli *cli, const struct lore_session *s)
{
    lore_buf_printf(&cli->out, "session on %s: %s%s%s%s%s\n", s->kernel,
        s->language ? s->language : "", s->language ? ", " : "", s->chip, s->workload ? ", " : "",
        s->workload ? s->workload : "");
}

/* Ask the service for the session with the key of S, which makes it when there is none. */
static int
post_start(struct lore_cli *cli, const struct lore_args *args, struct lore_session *s,
    struct lore_json **receipt)
{
    LORE_BUF body = {.max = 64u << 10};
    struct lore_jsonw w;
    struct lore_err err = {0};
    const char *author = lore_args_get(args, "author");

    lore_jsonw_begin(&w, &body, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "kernel", s->kernel);
    for (size_t i = 0; i < sizeof place / sizeof *place; i++)
        lore_w_kstr_opt(&w, place[i], lore_args_get(args, place[i]));
    lore_w_kstr_opt(&w, "author", author ? author : cli->config.author);
    lore_w_kstr(&w, "idempotency_key", s->key);
    if (lore_args_has(args, "new"))
        lore_w_kbool(&w, "new_kernel", true);
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    return lore_cli_post(cli, "/api/v1/sessions", body.data, body.len, receipt);
}

/* A misspelt operator would be a new one, whose attempts nobody finds. */
static void
note_operator(struct lore_cli *cli, const char *op)
{
    const char *near[LORE_WORDS_NEAREST];

    if (!op || lore_operator_find(op))
        return;
    size_t n = lore_operators_nearest(op, near);
    lore_buf_printf(&cli->out, "note: the operator \"%s\" is new%s%s%s\n", op,
        n ? "; did you mean " : "", n ? near[0] : "", n ? "?" : "");
}

/* The key is on disk before the request, so that a second start after a lost answer is the same
 * session. */
static int
start(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_session s = {0};
    struct lore_json *receipt = NULL;
    struct lore_err err = {0};
    const char *kernel = args->words.n > 1 ? args->words.v[1] : NULL;
    enum lore_status status = lore_session_read(cli, &s, &err);
    bool there = status == LORE_OK && !s.ended_at;

    if (!kernel)
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "which kernel? warplore session start KERNEL --operator OPERATOR --language LANGUAGE "
            "--chip CHIP --dims DIMS");
    if (status != LORE_OK && status != LORE_NOTFOUND)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (there && s.id && !same_place(&s, args, kernel)) {
        (void)lore_fail(&err, LORE_CONFLICT, "a session on %s is open here (%s)", s.kernel, s.path);
        lore_err_hint(&err, "end it first: warplore session end");
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    }
    s = (struct lore_session){.path = s.path,
        .id = there ? s.id : NULL,
        .key = there && s.key ? s.key : lore_build_new_id(cli->arena),
        .kernel = kernel,
        .op = lore_args_get(args, "operator"),
        .language = lore_args_get(args, "language"),
        .chip = lore_args_get(args, "chip"),
        .dims = lore_args_get(args, "dims"),
        .dtype = lore_args_get(args, "dtype"),
        .project = lore_args_get(args, "project"),
        .head = there ? s.head : NULL,
        .head_id = there ? s.head_id : NULL};
    if (lore_session_write(cli, &s, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    int code = post_start(cli, args, &s, &receipt);
    if (code != LORE_EXIT_OK)
        return code;
    s.id = lore_answer_text(receipt, "session");
    s.kernel = lore_answer_text(receipt, "kernel");
    s.kernel_id = lore_answer_text(receipt, "kernel_id");
    if (!s.op)
        s.op = lore_answer_text(receipt, "operator");
    if (!s.language)
        s.language = lore_answer_text(receipt, "language");
    s.chip = s.chip ? s.chip : lore_answer_text(receipt, "chip");
    s.dims = s.dims ? s.dims : lore_answer_text(receipt, "dims");
    s.dtype = s.dtype ? s.dtype : lore_answer_text(receipt, "dtype");
    s.workload = lore_answer_text(receipt, "workload");
    s.workload_id = lore_answer_text(receipt, "workload_id");
    s.champion_id = lore_answer_text(lore_json_get(receipt, "champion"), "id");
    if (lore_session_write(cli, &s, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (cli->json) {
        lore_cli_print_json(cli, receipt);
        return code;
    }
    print_place(cli, &s);
    if (lore_answer_text(receipt, "note"))
        lore_print_wrapped(cli, "note: ", 6, lore_answer_text(receipt, "note"));
    const char *champion = lore_attempt_champion(cli, receipt);
    if (!champion)
        note_operator(cli, lore_answer_text(receipt, "operator"));
    lore_buf_printf(&cli->out, "%s\n",
        champion ? champion : "no version has a time yet: warplore try baseline --time 120us");
    return code;
}

/* The kernel's history on the session's chip and workload. */
static int
get_history(struct lore_cli *cli, const struct lore_session *s, struct lore_json **root)
{
    struct lore_query q;

    lore_query_start(&q, "/api/v1/kernels");
    lore_query_segment(&q, s->kernel_id);
    lore_buf_puts(&q.path, "/history");
    lore_query_add(&q, "chip", s->chip);
    lore_query_add(&q, "workload", s->workload_id);
    return lore_cli_get(cli, &q, root);
}

static const struct lore_json *
step_of(const struct lore_json *history, const char *mark)
{
    const struct lore_json *rows = lore_json_get(history, "rows");

    for (const struct lore_json *r = rows ? rows->child : NULL; r; r = r->next)
        if (lore_answer_true(r, mark))
            return r;
    return NULL;
}

static int
print_status(struct lore_cli *cli)
{
    struct lore_json *history = NULL;
    int code = LORE_EXIT_OK;
    const struct lore_session *s = lore_session_open(cli, &code);
    double ns, gain;

    if (!s)
        return code;
    code = get_history(cli, s, &history);
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    const struct lore_json *champion = step_of(history, "champion"),
                           *first = step_of(history, "baseline"),
                           *rows = lore_json_get(history, "rows");
    print_place(cli, s);
    if (lore_answer_number(champion, "time_ns", &ns)) {
        lore_buf_printf(&cli->out, "champion %s, %s",
            lore_answer_label(lore_json_get(champion, "version")), lore_answer_show_ns(cli, ns));
        if (lore_answer_number(champion, "speedup_vs_first", &gain))
            lore_buf_printf(&cli->out, ", %s over the first (%s)",
                lore_answer_show_factor(cli, gain),
                lore_answer_label(lore_json_get(first, "version")));
        lore_buf_putc(&cli->out, '\n');
    }
    if (rows && rows->child)
        lore_buf_printf(&cli->out, "%s; the next attempt starts from %s\n",
            lore_answer_show_count(cli, rows->len, "version", "versions"),
            s->head    ? s->head
            : champion ? "the champion"
                       : "nothing: no version has a time");
    else
        lore_buf_puts(&cli->out, "no attempt yet: warplore try baseline --time 120us\n");
    return code;
}

/* Whether the version of STEP was made in the session, whose experiments are ROWS, or is what the
 * kernel began with. */
static bool
in_session(const struct lore_json *step, const struct lore_json *rows)
{
    const char *id = lore_answer_text(lore_json_get(step, "version"), "id");

    if (lore_answer_true(step, "baseline"))
        return true;
    for (const struct lore_json *x = rows ? rows->child : NULL; x; x = x->next)
        if (lore_streq(lore_answer_text(x, "to_version"), id))
            return true;
    return false;
}

static void
print_log(struct lore_cli *cli, const struct lore_json *history, const struct lore_json *rows)
{
    static const struct lore_print_column columns[] = {{"version", false, false, false},
        {"time", true, false, false}, {"first", true, false, false},
        {"outcome", false, false, false}, {"mark", false, false, false},
        {"what", false, true, false}};
    struct lore_table t = LORE_TABLE(columns);
    const struct lore_json *steps = lore_json_get(history, "rows");

    for (const struct lore_json *r = steps ? steps->child : NULL; r; r = r->next) {
        const struct lore_json *x = lore_json_get(r, "experiment");
        const char *title = lore_answer_text(x, "title");
        double v;

        if (!in_session(r, rows))
            continue;
        lore_table_cell(cli, &t, lore_answer_label(lore_json_get(r, "version")));
        lore_table_cell(
            cli, &t, lore_answer_number(r, "time_ns", &v) ? lore_answer_show_ns(cli, v) : NULL);
        lore_table_cell(cli, &t,
            lore_answer_number(r, "speedup_vs_first", &v) ? lore_answer_show_factor(cli, v) : NULL);
        lore_table_cell(cli, &t, lore_answer_show_outcome(cli, lore_json_get(x, "outcome")));
        lore_table_cell(cli, &t,
            lore_answer_true(r, "retracted")  ? "retracted"
            : lore_answer_true(r, "champion") ? "champion"
            : lore_answer_true(r, "baseline") ? "baseline"
                                              : NULL);
        lore_table_cell(
            cli, &t, title ? title : lore_answer_text(lore_json_get(r, "version"), "summary"));
    }
    lore_table_print(cli, &t);
}

static void
print_log_json(struct lore_cli *cli, const struct lore_session *s, const struct lore_json *history,
    const struct lore_json *rows)
{
    const struct lore_json *steps = lore_json_get(history, "rows");
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &cli->out, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "session", s->id);
    lore_w_key(&w, "rows");
    lore_w_arr(&w);
    for (const struct lore_json *r = steps ? steps->child : NULL; r; r = r->next)
        if (in_session(r, rows))
            lore_w_node(&w, r);
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, NULL) == LORE_OK)
        lore_buf_putc(&cli->out, '\n');
}

static int
show_log(struct lore_cli *cli)
{
    struct lore_json *history = NULL, *experiments = NULL;
    struct lore_session s = {0};
    struct lore_err err = {0};
    struct lore_query q;

    if (lore_session_read(cli, &s, &err) != LORE_OK || !s.id) /* an ended one has a log, too */
        return lore_cli_say(cli, LORE_EXIT_NO, "no session was started in this directory");
    bool json = cli->json;
    cli->json = false; /* printed below */
    int code = get_history(cli, &s, &history);
    if (code != LORE_EXIT_OK)
        return code;
    lore_query_start(&q, "/api/v1/experiments");
    lore_query_add(&q, "campaign", s.id);
    lore_query_add(&q, "limit", "200");
    code = lore_cli_fetch(cli, &q, false, &experiments);
    if (code == LORE_EXIT_OK && json)
        print_log_json(cli, &s, history, lore_json_get(experiments, "rows"));
    else if (code == LORE_EXIT_OK)
        print_log(cli, history, lore_json_get(experiments, "rows"));
    return code;
}

static int
end(struct lore_cli *cli)
{
    static const char body[] = "{\"reason\":\"the session ended\",\"stop_reason\":\"user\"}";
    struct lore_session s = {0};
    struct lore_json *root = NULL;
    struct lore_err err = {0};
    char now[LORE_TIME_SIZE];

    if (lore_session_read(cli, &s, &err) != LORE_OK || (!s.id && !s.ended_at))
        return lore_cli_say(cli, LORE_EXIT_NO, "no session is open here");
    if (s.ended_at) {
        lore_buf_printf(&cli->out, "the session on %s has ended (%s)\n", s.kernel, s.ended_at);
        return LORE_EXIT_OK;
    }
    int code = lore_cli_post(cli, lore_format(cli->arena, "/api/v1/campaigns/%s/close", s.id), body,
        sizeof body - 1, &root);
    if (code != LORE_EXIT_OK)
        return code;
    lore_time_format(lore_now_us(), now);
    s.ended_at = now;
    if (lore_session_write(cli, &s, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (cli->json && root)
        lore_cli_print_json(cli, root);
    else
        lore_buf_printf(&cli->out, "ended the session on %s\n", s.kernel);
    return LORE_EXIT_OK;
}

int
lore_cmd_session(struct lore_cli *cli, const struct lore_args *args)
{
    const char *verb = args->words.v[0];

    if (lore_streq(verb, "start") || lore_streq(verb, "begin"))
        return start(cli, args);
    if (args->words.n > 1)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "session %s takes no argument", verb);
    if (lore_streq(verb, "status"))
        return print_status(cli);
    if (lore_streq(verb, "log"))
        return show_log(cli);
    if (lore_streq(verb, "end"))
        return end(cli);
    return lore_cli_say(
        cli, LORE_EXIT_USAGE, "session %s: expected start, status, log or end", verb);
}
