/* `warplore eval`: the suites of collectors/eval on data where the truth is known, here and without
 * a service. Prints each suite's tables, then every figure that has a goal; --out writes all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "eval.h"
#include "file.h"
#include "jsonw.h"
#include "text.h"

const struct lore_opt lore_eval_opts[] = {
    {"data", 0, "DIR", false, NULL, "Folder with tuning/ and miopen/ (or WARPLORE_DATA)"},
    {"quick", 0, NULL, false, NULL, "A look in seconds: goals are not judged"},
    {"details", 0, NULL, false, NULL, "Also kernel by kernel and chip by chip"},
    {"states", 0, "N", false, NULL, "States tested per kernel and chip"},
    {"out", 0, "FILE", false, NULL, "Write every figure there, as JSON"},
    {NULL, 0, NULL, false, NULL, NULL},
};

static bool
is_wanted(const struct lore_args *args, const char *suite)
{
    bool wanted = args->words.n == 0;

    for (size_t i = 0; i < args->words.n; i++)
        wanted = wanted || lore_streq(args->words.v[i], suite);
    return wanted;
}

static const char *
unknown_suite(const struct lore_args *args)
{
    for (size_t i = 0; i < args->words.n; i++) {
        const struct lore_eval_suite *s = lore_eval_suites;
        while (s->name != NULL && !lore_streq(s->name, args->words.v[i]))
            s++;
        if (s->name == NULL)
            return args->words.v[i];
    }
    return NULL;
}

static size_t
print_goals(struct lore_cli *cli, const struct lore_eval *e)
{
    size_t missed = 0;

    for (size_t i = 0; i < e->n_figures; i++) {
        const struct lore_eval_figure *f = &e->figure[i];
        if (f->sense == LORE_GOAL_NONE)
            continue;
        bool miss = lore_eval_misses(f);
        missed += miss;
        char value[16] = "not measured";
        if (isfinite(f->value))
            snprintf(value, sizeof value, "%.4f", f->value);
        lore_buf_printf(&cli->out, "%-8s %-24s %-30s %12s  %s %-7g %s\n", f->suite, f->part,
            f->measure, value, f->sense == LORE_GOAL_AT_LEAST ? "at least" : "at most ", f->goal,
            e->quick ? ""
            : miss   ? "MISSED"
                     : "holds");
    }
    return missed;
}

static enum lore_status
write_json(const struct lore_eval *e, const char *path, struct lore_err *err)
{
    struct lore_buf text = {0};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &text, true);
    lore_w_obj(&w);
    lore_w_kbool(&w, "quick", e->quick);
    lore_w_key(&w, "figures");
    lore_w_arr(&w);
    for (size_t i = 0; i < e->n_figures; i++) {
        const struct lore_eval_figure *f = &e->figure[i];
        lore_w_obj(&w);
        lore_w_kstr(&w, "suite", f->suite);
        lore_w_kstr(&w, "part", f->part);
        lore_w_kstr(&w, "method", f->method);
        lore_w_kstr(&w, "measure", f->measure);
        lore_w_key(&w, "value");
        if (isfinite(f->value))
            lore_w_f64(&w, f->value);
        else
            lore_w_null(&w);
        if (f->sense != LORE_GOAL_NONE) {
            lore_w_kf64(&w, f->sense == LORE_GOAL_AT_LEAST ? "at_least" : "at_most", f->goal);
            lore_w_kbool(&w, "holds", !lore_eval_misses(f));
        }
        lore_w_obj_end(&w);
    }
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    enum lore_status st = lore_jsonw_end(&w, err);
    if (st == LORE_OK)
        st = lore_file_write(path, text.data, text.len, 0644, err);
    lore_buf_free(&text);
    return st;
}

/* A suite that nobody named and whose data is not there is left out, and said to be, while there is
 * another that has its own. */
static enum lore_status
run_suites(
    struct lore_cli *cli, const struct lore_args *args, struct lore_eval *e, struct lore_err *err)
{
    enum lore_status st = LORE_OK;
    bool named = args->words.n > 0, some = false;

    for (const struct lore_eval_suite *s = lore_eval_suites; s->name && st == LORE_OK; s++) {
        if (!is_wanted(args, s->name))
            continue;
        lore_buf_printf(
            &cli->out, "%s## %s: %s\n\n", cli->out.len > 0 ? "\n" : "", s->name, s->help);
        st = s->run(e, err);
        some |= st == LORE_OK;
        if (st == LORE_NOTFOUND && !named) {
            lore_buf_printf(&cli->out, "left out: %s\n", err->msg);
            st = LORE_OK;
        }
    }
    return st == LORE_OK && !some ? LORE_NOTFOUND : st;
}

int
lore_cmd_eval(struct lore_cli *cli, const struct lore_args *args)
{
    const char *data = lore_args_get(args, "data"), *file = lore_args_get(args, "out");
    const char *states = lore_args_get(args, "states"), *unknown = unknown_suite(args);
    struct lore_eval e = {.data = data ? data : getenv("WARPLORE_DATA"),
        .quick = lore_args_has(args, "quick"),
        .details = lore_args_has(args, "details"),
        .states = states ? strtoul(states, NULL, 10) : 0,
        .text = &cli->out,
        .arena = cli->arena};
    struct lore_err err = {0};

    if (unknown != NULL)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "there is no suite %s", unknown);
    if (e.data == NULL)
        return lore_cli_say(
            cli, LORE_EXIT_USAGE, "eval needs the data: --data DIR, with tuning/ and miopen/");
    enum lore_status st = run_suites(cli, args, &e, &err);
    if (st == LORE_OK && file != NULL)
        st = write_json(&e, file, &err);
    if (st != LORE_OK) {
        return lore_cli_error(cli, st == LORE_NOTFOUND ? LORE_EXIT_NO : LORE_EXIT_USAGE, &err);
    }
    lore_buf_printf(&cli->out, "\n");
    size_t missed = print_goals(cli, &e);
    return missed > 0 && !e.quick ? LORE_EXIT_NO : LORE_EXIT_OK;
}
