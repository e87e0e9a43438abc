/* `calibrate -- app args`: measures a program against itself and stores the noise floor. */
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/measured.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/print.h"
#include "collectors/client/screen/rows.h"
#include "service/base/clock.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

const struct lore_opt lore_calibrate_opts[] = {
    {"show", 0, NULL, false, "Show the stored noise floors"},
    LORE_OPT_KERNEL_REGEX,
    LORE_OPT_ITERATIONS,
    LORE_OPT_WARMUP,
    LORE_OPT_ROUNDS,
    LORE_OPT_SECONDS,
    LORE_OPT_CAPTURE,
    LORE_OPT_SHOW_OUTPUT,
    LORE_OPT_STATE_DIR,
    {NULL, 0, NULL, false, NULL},
};

static void
write_floors(struct lore_cli *cli, const struct lore_floor *v, size_t n)
{
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &cli->out, false);
    lore_w_obj(&w);
    lore_w_key(&w, "rows");
    lore_w_arr(&w);
    for (size_t i = 0; i < n; i++)
        lore_floor_write(&w, &v[i]);
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, NULL) == LORE_OK)
        lore_buf_putc(&cli->out, '\n');
}

static void
print_floors(struct lore_cli *cli, const struct lore_floor *v, size_t n)
{
    static const struct lore_print_column columns[] = {{"device", false, true, false},
        {"chip", false, false, false}, {"kernels of", false, false, false},
        {"floor", true, false, false}, {"spread", true, false, true}, {"pairs", true, false, false},
        {"drift", true, false, true}, {"measured", false, false, false},
        {"with", false, true, true}};
    struct lore_table t = LORE_TABLE(columns);
    char at[LORE_TIME_SIZE];

    for (size_t i = 0; i < n; i++) {
        lore_time_format(v[i].measured_at_us, at);
        lore_table_cell(cli, &t, v[i].device);
        lore_table_cell(cli, &t, v[i].chip);
        lore_table_cell(cli, &t, v[i].duration);
        lore_table_cell(cli, &t, lore_command_show_pct(cli, v[i].floor));
        lore_table_cell(cli, &t, lore_command_show_pct(cli, v[i].spread));
        lore_table_cell(cli, &t, lore_format(cli->arena, "%lld", (long long)v[i].pairs));
        lore_table_cell(cli, &t, lore_command_show_pct(cli, v[i].drift));
        lore_table_cell(cli, &t, lore_answer_show_day(cli, at));
        lore_table_cell(cli, &t, v[i].program);
    }
    lore_table_print(cli, &t);
}

static int
show(struct lore_cli *cli, const struct lore_args *args)
{
    const char *dir = lore_measured_state(cli, args);
    struct lore_floors all = {0};
    struct lore_err err = {0};

    if (lore_floors_read(dir, cli->arena, &all, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (cli->json)
        write_floors(cli, all.v, all.n);
    else if (all.n > 0)
        print_floors(cli, all.v, all.n);
    else
        lore_buf_puts(
            &cli->out, "no noise floors are stored here: warplore calibrate -- APP ARGS\n");
    return LORE_EXIT_OK;
}

static const char *
joined(struct lore_arena *arena, const char *const *v, size_t n)
{
    const char *out = "";

    for (size_t i = 0; i < n; i++)
        out = lore_format(arena, "%s%s%s", out, i > 0 ? " " : "", v[i]);
    return out;
}

static int
keep(struct lore_cli *cli, struct lore_measured *m)
{
    const struct lore_trace_group *g = lore_measured_kernel(m, 0);
    struct lore_texts notes = {0};
    struct lore_err err = {0};
    struct lore_floor f = {.time_ns = m->result.side[0].median_ns,
        .duration = lore_floor_class(m->result.side[0].median_ns),
        .kernel = g ? g->name : NULL,
        .program = m->programs.of[0].shown,
        .measured_at_us = lore_now_us()};

    lore_measured_device(m, &f.device, &f.chip);
    lore_floor_of(&m->result.c, &f);
    if (lore_floors_save(m->state_dir, &f, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (cli->json) {
        write_floors(cli, &f, 1);
        return LORE_EXIT_OK;
    }
    lore_buf_printf(&cli->out, "noise floor %s for kernels of %s on %s (n = %lld pairs)\n",
        lore_command_show_pct(cli, f.floor), f.duration, lore_print_clean(cli, f.chip),
        (long long)f.pairs);
    lore_rows_line(cli, "A against A", lore_command_show_speedup(cli, &m->result.c));
    lore_rows_line(cli, "spread", lore_command_show_pct(cli, f.spread));
    lore_rows_line(cli, "time", lore_answer_show_ns(cli, f.time_ns));
    lore_measured_notes(m, &notes);
    for (size_t i = 0; i < notes.n; i++)
        lore_rows_line(cli, i == 0 ? "notes" : "", lore_print_clean(cli, notes.v[i]));
    return LORE_EXIT_OK;
}

/* Use one program for both sides. */
static void
same_program(struct lore_measured *m, const char *const *words, size_t n)
{
    struct lore_arena *arena = m->cli->arena;
    char **argv = lore_alloc_array(arena, n + 1, sizeof *argv);

    for (size_t i = 0; i < n; i++)
        argv[i] = lore_strdup(arena, words[i]);
    for (unsigned i = 0; i < 2; i++) {
        m->programs.of[i].letter = "the program";
        m->programs.of[i].shown = joined(arena, words, n);
        m->programs.of[i].argv = argv;
    }
    m->session.to_the_end = true;
    m->session.min_effect = 0;
    m->session.effect = NULL;
}

int
lore_cmd_calibrate(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_measured *m = lore_alloc(cli->arena, sizeof *m);

    if (lore_args_has(args, "show"))
        return show(cli, args);
    if (args->words.n == 0)
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "calibrate: name a program like those that you measure (warplore calibrate -- "
            "./bench 4096)");
    int code = lore_measured_begin(cli, args, m);
    if (code != LORE_EXIT_OK)
        return code;
    same_program(m, args->words.v, args->words.n);
    code = lore_measured_run(m);
    if (code != LORE_EXIT_OK)
        return code;
    if (m->result.rounds < LORE_COMPARE_LEAST)
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "--seconds: %zu rounds are too few for a noise floor, %d are needed", m->result.rounds,
            LORE_COMPARE_LEAST);
    return keep(cli, m);
}
