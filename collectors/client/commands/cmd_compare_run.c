/* `compare A B` for two programs: runs them in turns, judges the difference and prints it.
 * docs/compare.md explains the numbers. */
#include <string.h>

#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/measured_record.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/rows.h"
#include "collectors/run/command_words.h"
#include "service/base/text.h"

const struct lore_opt lore_compare_opts[] = {
    LORE_OPT_KERNEL_REGEX,
    {"kernel-regex-a", 0, "REGEX", false, "Kernels of A, instead of --kernel-regex"},
    {"kernel-regex-b", 0, "REGEX", false, "Kernels of B, instead of --kernel-regex"},
    LORE_OPT_ITERATIONS,
    LORE_OPT_WARMUP,
    {"per-launch", 0, NULL, false, "Compare single launches, however often each program launches"},
    LORE_OPT_ROUNDS,
    LORE_OPT_SECONDS,
    {"confidence", 0, "PCT", false, "Confidence of the verdict, in percent (default 99)"},
    {"min-effect", 0, "PCT", false,
        "Smallest difference that counts (default: the noise floor of `calibrate`, else 0.5)"},
    LORE_OPT_CAPTURE,
    LORE_OPT_SHOW_OUTPUT,
    LORE_OPT_STATE_DIR,
    LORE_OPT_STRICT,
    {"source-a", 0, "FILE", false, "A's source; with --source-b, records the comparison"},
    {"source-b", 0, "FILE", false, "B's source"},
    LORE_OPTS_MEASURED,
    LORE_OPT_TECHNIQUES,
    LORE_OPT_HYPOTHESIS_FILE,
    LORE_OPTS_KEPT,
    LORE_OPT_WORKLOAD,
    LORE_OPT_CHIP,
    {NULL, 0, NULL, false, NULL},
};

static void
print_program(struct lore_cli *cli, const struct lore_measured *m, unsigned i)
{
    const struct lore_abba_program *p = &m->programs.of[i];
    const struct lore_trace_group *g = lore_measured_kernel(m, i);

    lore_buf_printf(&cli->out, "%s  %s\n", p->letter, lore_print_clean(cli, p->shown));
    if (!g)
        return;
    const char *more =
        p->like.n_groups > 1 ? lore_format(cli->arena, " and %zu more", p->like.n_groups - 1) : "";
    lore_buf_printf(&cli->out, "   %s%s, %s per process\n", lore_print_clean(cli, g->name), more,
        lore_answer_show_count(cli, (long long)p->like.iterations, "iteration", "iterations"));
}

static const char *
verdict_sentence(struct lore_cli *cli, const struct lore_comparison *c)
{
    const char *effect = lore_command_show_pct(cli, c->min_effect);

    switch (c->verdict) {
    case LORE_COMPARE_WIN:
        return lore_format(cli->arena, "%s: B is faster, by more than %s",
            lore_print_styled(cli, LORE_GREEN, "win"), effect);
    case LORE_COMPARE_LOSS:
        return lore_format(cli->arena, "%s: B is slower, by more than %s",
            lore_print_styled(cli, LORE_RED, "loss"), effect);
    case LORE_COMPARE_NEUTRAL:
        return lore_format(cli->arena, "no gain: no difference above %s", effect);
    case LORE_COMPARE_INCONCLUSIVE:
        break;
    }
    if (!c->bounded)
        return "inconclusive: too few rounds";
    return lore_format(cli->arena,
        "inconclusive: no difference of %s or more was seen; --rounds measures more precisely",
        lore_command_show_pct(cli, c->detectable));
}

static void
print_answer(struct lore_cli *cli, const struct lore_measured *m)
{
    const struct lore_abba_result *r = &m->result;
    static const char *const ends[] = {"decided", "all rounds used", "out of time"};
    const struct lore_comparison *c = &r->c;
    struct lore_texts notes = {0};
    size_t n;
    struct lore_differs *d = lore_measured_differs(m, &n);

    print_program(cli, m, 0);
    print_program(cli, m, 1);
    lore_rows_line(cli, "verdict", verdict_sentence(cli, c));
    lore_rows_line(cli, "speedup",
        c->bounded ? lore_format(cli->arena, "%s at %.5g %%", lore_command_show_speedup(cli, c),
                         100 * c->confidence)
                   : lore_command_show_speedup(cli, c));
    lore_rows_line(cli, "time",
        lore_format(cli->arena, "%s -> %s", lore_answer_show_ns(cli, r->side[0].median_ns),
            lore_answer_show_ns(cli, r->side[1].median_ns)));
    lore_rows_line(cli, "minimum effect",
        lore_format(
            cli->arena, "%s (%s)", lore_command_show_pct(cli, c->min_effect), m->effect_from));
    if (c->bounded)
        lore_rows_line(cli, "detectable",
            lore_format(
                cli->arena, "%s, in 80 %% of repeats", lore_command_show_pct(cli, c->detectable)));
    lore_rows_line(cli, "pairs",
        lore_format(cli->arena, "%zu in %zu rounds (%s), %.0f s; spread of a pair %s", r->pairs,
            r->rounds, ends[r->end], r->seconds, lore_command_show_pct(cli, c->spread)));
    for (size_t i = 0; i < n; i++)
        lore_rows_line(cli, i == 0 ? "differs" : "",
            lore_print_clean(
                cli, lore_format(cli->arena, "%s: %s -> %s", d[i].fact, d[i].a, d[i].b)));
    lore_measured_notes(m, &notes);
    for (size_t i = 0; i < notes.n; i++)
        lore_rows_line(cli, i == 0 ? "notes" : "", lore_print_clean(cli, notes.v[i]));
}

static int
take_programs(struct lore_cli *cli, const struct lore_args *args, struct lore_measured *m)
{
    struct lore_err err = {0};

    for (unsigned i = 0; i < 2; i++) {
        struct lore_abba_program *p = &m->programs.of[i];
        p->shown = args->words.v[i];
        if (lore_command_words(p->shown, args->words.v + 2, args->words.n - 2, cli->arena, &p->argv,
                &err) != LORE_OK)
            return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    }
    return LORE_EXIT_OK;
}

int
lore_cmd_compare_programs(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_measured *m = lore_alloc(cli->arena, sizeof *m);
    struct lore_recording r = {0};
    const char *message = NULL;
    int code = lore_measured_begin(cli, args, m);

    if (code == LORE_EXIT_OK)
        code = take_programs(cli, args, m);
    if (code == LORE_EXIT_OK)
        code = lore_recording_begin(m, args, &r);
    if (code == LORE_EXIT_OK)
        code = lore_measured_run(m);
    if (code != LORE_EXIT_OK)
        return code;
    if (cli->json)
        lore_measured_json(m, true, &cli->out);
    else
        print_answer(cli, m);
    if (r.wanted && (code = lore_recording_keep(m, &r, &message)) != LORE_EXIT_OK)
        return code;
    if (message && !cli->json)
        lore_rows_line(cli, "record", lore_print_clean(cli, message));
    enum lore_compare_verdict v = m->result.c.verdict;
    bool good = v == LORE_COMPARE_WIN || v == LORE_COMPARE_NEUTRAL;
    return lore_args_has(args, "strict") && !good ? LORE_EXIT_NO : LORE_EXIT_OK;
}
