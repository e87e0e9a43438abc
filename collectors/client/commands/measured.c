/* Sets up, from options, a session that runs programs in turns. Progress goes straight to the
 * terminal, because the session takes a minute and the command's output is printed at its end. */
#include "collectors/client/commands/measured.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collectors/client/commands/session_defaults.h"
#include "collectors/client/screen/print.h"
#include "collectors/run/command_words.h"
#include "collectors/run/device_of.h"
#include "collectors/run/isa_facts.h"
#include "collectors/upload/upload.h"
#include "service/base/text.h"

bool
lore_measured_version(const char *word)
{
    size_t n = strspn(word, "0123456789ABCDEFGHJKMNPQRSTVWXYZ");
    bool looks = (n >= 6 && word[n] == '\0') || (strchr(word, ':') && !strchr(word, ' '));

    return lore_session_label(word) || (looks && access(word, F_OK) != 0);
}

bool
lore_measured_program(struct lore_cli *cli, const char *word)
{
    const char *first = lore_strndup(cli->arena, word, strcspn(word, " "));

    return strchr(first, '/') || lore_isa_tool_find(cli->arena, first);
}

bool
lore_measured_asked(struct lore_cli *cli, const struct lore_args *args)
{
    for (size_t i = 0; i < 2; i++)
        if (lore_measured_version(args->words.v[i]) ||
            !lore_measured_program(cli, args->words.v[i]))
            return false;
    return true;
}

/* --- options --- */

static bool
number(struct lore_cli *cli, const struct lore_args *args, const char *name, double least,
    double most, double *out)
{
    const char *text = lore_args_get(args, name);
    struct lore_err err = {0};
    double v;

    if (!text)
        return true;
    if (lore_parse_f64(text, name, &v, &err) != LORE_OK || !(v >= least && v <= most)) {
        (void)lore_cli_say(
            cli, LORE_EXIT_USAGE, "--%s: %s is not within %g..%g", name, text, least, most);
        return false;
    }
    *out = v;
    return true;
}

static bool
read_budget(struct lore_cli *cli, const struct lore_args *args, struct lore_measured *m)
{
    double rounds = LORE_COMPARE_ROUNDS, confidence = 100 * LORE_COMPARE_CONFIDENCE;
    double effect = 100 * LORE_COMPARE_MIN_EFFECT;
    struct lore_err err = {0};

    if (!number(cli, args, "rounds", LORE_COMPARE_LEAST, LORE_COMPARE_MOST, &rounds) ||
        !number(cli, args, "seconds", 1, 1e6, &m->session.seconds) ||
        !number(cli, args, "confidence", 50, 99.99, &confidence) ||
        !number(cli, args, "min-effect", 0, 99, &effect))
        return false;
    m->effect_given = lore_args_has(args, "min-effect");
    m->effect_from = m->effect_given ? "--min-effect" : "default";
    m->session.min_effect = effect / 100;
    m->session.every_launch = lore_args_has(args, "per-launch");
    if (lore_compare_plan((size_t)rounds, confidence / 100, &m->session.plan, &err) == LORE_OK)
        return true;
    (void)lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    return false;
}

static bool
read_what(
    struct lore_cli *cli, const struct lore_args *args, unsigned side, struct lore_run_options *w)
{
    const char *own = lore_args_get(args, side ? "kernel-regex-b" : "kernel-regex-a");
    double iterations = 0, warmup = 0;

    if (!number(cli, args, "iterations", 1, 1e12, &iterations) ||
        !number(cli, args, "warmup", 0, 1e12, &warmup))
        return false;
    w->kernel_regex = own ? own : lore_args_get(args, "kernel-regex");
    w->iterations = (int64_t)iterations;
    w->warmup = (int64_t)warmup;
    /* reject an invalid expression before any program runs */
    struct lore_trace none = {0};
    const struct lore_trace_group **groups;
    struct lore_err err = {0};
    size_t n;
    if (lore_measure_match(&none, w->kernel_regex, cli->arena, &groups, &n, &err) == LORE_OK)
        return true;
    (void)lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    return false;
}

/* --- devices --- */

static int
find_backend(struct lore_measured *m, const char *name)
{
    const char *why, *path;
    struct lore_err err = {0};

    if (name && !lore_backend_find(name))
        return lore_cli_say(m->cli, LORE_EXIT_USAGE, "--capture: \"%s\" is not known", name);
    m->programs.backend = lore_backend_probe(name, m->cli->arena, &m->host, &why);
    if (!m->programs.backend)
        return lore_cli_say(m->cli, LORE_EXIT_USAGE, "no GPU to measure on: %s", why);
    if (lore_backend_ready(m->programs.backend, m->cli->arena, &path, &err) != LORE_OK)
        return lore_cli_error(m->cli, LORE_EXIT_USAGE, &err);
    return LORE_EXIT_OK;
}

const struct lore_trace_group *
lore_measured_kernel(const struct lore_measured *m, unsigned i)
{
    const struct lore_measure *like = &m->programs.of[i].like;
    return like->n_groups > 0 ? like->groups[0] : NULL;
}

void
lore_measured_device(const struct lore_measured *m, const char **device, const char **chip)
{
    const struct lore_trace_device *d =
        lore_device_of_group(&m->programs.of[0].trace, lore_measured_kernel(m, 0));
    const struct lore_host_device *h = lore_device_of_host(&m->host, d);

    *device = h && h->uuid ? h->uuid : d && d->uuid ? d->uuid : "not named";
    *chip = h && h->chip ? h->chip : h && h->name ? h->name : d && d->name ? d->name : "not named";
}

/* --- the session --- */

static enum lore_status
measure(void *ctx, unsigned side, size_t nth, struct lore_abba_process *out, struct lore_err *err)
{
    struct lore_measured *m = ctx;

    if (m->progress && nth == 0)
        (void)fprintf(stderr, "\r\033[Kwarming up %c", 'A' + (int)side);
    return lore_abba_process_measure(&m->programs, side, nth, out, err);
}

static void
after_round(void *ctx, size_t rounds, const struct lore_comparison *so_far)
{
    struct lore_measured *m = ctx;
    const struct lore_compare_plan *p = &m->session.plan;

    if (!m->progress)
        return;
    (void)fprintf(stderr, "\r\033[Kround %zu of at most %zu", rounds, p->looks[p->n_looks - 1]);
    if (so_far)
        (void)fprintf(stderr, ": %s", lore_command_show_speedup(m->cli, so_far));
    (void)fflush(stderr);
}

static double
min_effect(void *ctx, double a_ns)
{
    struct lore_measured *m = ctx;
    const char *device, *chip;

    lore_measured_device(m, &device, &chip);
    m->floor = m->effect_given ? NULL : lore_floors_find(&m->floors, device, chip, a_ns);
    if (!m->floor)
        return m->session.min_effect;
    m->effect_from = "noise floor of this machine";
    return m->floor->floor;
}

const char *
lore_measured_state(struct lore_cli *cli, const struct lore_args *args)
{
    const char *given = lore_args_get(args, "state-dir");
    return given ? given : lore_outbox_dir(cli->arena);
}

int
lore_measured_begin(struct lore_cli *cli, const struct lore_args *args, struct lore_measured *m)
{
    struct lore_err err = {0};

    memset(m, 0, sizeof *m);
    m->cli = cli;
    m->programs.arena = cli->arena;
    m->programs.show_output = lore_args_has(args, "show-output");
    m->session.measure = measure;
    m->session.round = after_round;
    m->session.effect = min_effect;
    m->session.ctx = m;
    m->progress = isatty(STDERR_FILENO) && !m->programs.show_output;
    m->state_dir = lore_measured_state(cli, args);
    if (!read_budget(cli, args, m))
        return LORE_EXIT_USAGE;
    for (unsigned i = 0; i < 2; i++) {
        m->programs.of[i].letter = i ? "B" : "A";
        if (!read_what(cli, args, i, &m->programs.of[i].what))
            return LORE_EXIT_USAGE;
    }
    if (lore_floors_read(m->state_dir, cli->arena, &m->floors, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    return find_backend(m, lore_args_get(args, "capture"));
}

int
lore_measured_run(struct lore_measured *m)
{
    struct lore_err err = {0};
    enum lore_status status = lore_abba_run(&m->session, m->cli->arena, &m->result, &err);

    if (m->progress)
        (void)fputs("\r\033[K", stderr);
    return status == LORE_OK ? LORE_EXIT_OK : lore_cli_error(m->cli, LORE_EXIT_USAGE, &err);
}
