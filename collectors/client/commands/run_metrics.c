/* Chooses the counters. Sets and names come from metric_sets.c. Only the chip can refuse a name;
 * after the run, the refused names are printed with the nearest known ones. */
#include <string.h>

#include "collectors/client/commands/run_cmd.h"
#include "collectors/client/screen/print.h"
#include "collectors/run/metric_sets.h"

enum { NAMED = 3 }; /* most names on the line that lists what the chip lacks */

static struct lore_metric_chip
chip_of(const struct lore_run_job *j)
{
    return (struct lore_metric_chip){j->c.backend ? j->c.backend->vendor : NULL, NULL, 0};
}

enum lore_status
lore_run_metrics(struct lore_run_job *j, struct lore_err *err)
{
    const char *text = lore_args_get(j->args, "metrics");
    struct lore_metric_chip chip = chip_of(j);

    if (!text)
        return LORE_OK;
    enum lore_status status = lore_metric_sets_expand(text, &chip, j->cli->arena, &j->metrics, err);
    if (status != LORE_OK && !j->c.backend) { /* nothing is counted; the program still runs */
        chip.vendor = "amd";
        status = lore_metric_sets_expand(text, &chip, j->cli->arena, &j->metrics, err);
    }
    if (status != LORE_OK)
        lore_args_err_in(err, "--metrics");
    return status;
}

/* Names that the chip refused, each once: every pass says it again. */
static struct lore_texts
refused(struct lore_run_job *j)
{
    const struct lore_trace *t = &j->c.counters;
    struct lore_texts out = {0};

    for (size_t i = 0; i < t->n_states; i++) {
        const char *name = t->states[i].text;
        bool skip = t->states[i].code != LORE_CAP_COUNTER_UNKNOWN || !name;
        for (size_t k = 0; k < out.n && !skip; k++)
            skip = strcmp(out.v[k], name) == 0;
        if (!skip)
            *LORE_PUSH(j->cli->arena, out.v, out.n, out.cap) = name;
    }
    return out;
}

/* A name from a set is spelled correctly, so the chip lacks the counter; one line lists these
 * names. Any other name may be misspelled, so each gets a line with the nearest names. */
void
lore_run_metrics_report(struct lore_run_job *j)
{
    struct lore_texts names = refused(j);
    struct lore_metric_chip chip = chip_of(j);
    const char *list = "";
    size_t lacking = 0;

    for (size_t i = 0; i < names.n; i++) {
        if (lore_metric_sets_contain(names.v[i])) {
            if (lacking++ < NAMED)
                list = lore_format(j->cli->arena, "%s%s%s", list, *list ? ", " : "", names.v[i]);
            continue;
        }
        const char *near = lore_metric_sets_suggest(names.v[i], &chip, j->cli->arena);
        lore_run_message(j, "--metrics: the chip has no %s%s%s", names.v[i],
            *near ? "; similar names: " : "", near);
    }
    if (lacking > 0)
        lore_run_message(j,
            "--metrics: this chip lacks %zu of the metrics asked for, recorded as counter "
            "unsupported: %s%s",
            lacking, list, lacking > NAMED ? ", …" : "");
}

static void
list_sets(struct lore_cli *cli, const char *vendor)
{
    size_t n;
    const struct lore_metric_set *sets = lore_metric_sets(vendor, &n);

    for (size_t i = 0; i < n; i++) {
        lore_print_wrapped(cli, lore_format(cli->arena, "%-8s ", sets[i].name), 9, sets[i].help);
        for (size_t k = 0; k < sets[i].n; k++)
            lore_buf_printf(&cli->out, "         %s\n", sets[i].names[k]);
    }
}

int
lore_run_metrics_list(struct lore_cli *cli)
{
    static const char *const vendors[][2] = {{"nvidia", "NVIDIA"}, {"amd", "AMD"}};

    for (size_t v = 0; v < sizeof vendors / sizeof *vendors; v++) {
        lore_buf_printf(&cli->out, "%s\n", vendors[v][1]);
        list_sets(cli, vendors[v][0]);
    }
    lore_buf_puts(&cli->out,
        "Any counter name of the chip works too, alone or with a set: --metrics "
        "basic,l1tex__t_sectors.sum\n");
    return LORE_EXIT_OK;
}
