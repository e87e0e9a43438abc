/* What to count. Sets and names come from metric_sets.c; a name that only the chip can refuse is
 * refused by it, after the run, and then we say what is near. */
#include <string.h>

#include "metric_sets.h"
#include "print.h"
#include "run_cmd.h"

enum lore_status
lore_run_metrics(struct lore_run_job *j, const char *text, struct lore_err *err)
{
    enum lore_status st = lore_metric_sets_expand(text, NULL, 0, j->cli->arena, &j->metrics, err);

    if (st != LORE_OK)
        lore_args_err_in(err, "--metrics");
    return st;
}

void
lore_run_metrics_tell(struct lore_run_job *j)
{
    const struct lore_trace *t = &j->c.counters;
    const char *last = "";

    for (size_t i = 0; i < t->n_states; i++) {
        const struct lore_trace_state *s = &t->states[i];
        /* every pass says it again, one after the other */
        if (s->code != LORE_CAP_COUNTER_UNKNOWN || !s->text || strcmp(s->text, last) == 0)
            continue;
        last = s->text;
        const char *near = lore_metric_sets_near(s->text, NULL, 0, j->cli->arena);
        lore_run_tell(
            j, "--metrics: the chip has no %s%s%s", s->text, *near ? "; near it: " : "", near);
    }
}

int
lore_run_metrics_list(struct lore_cli *cli)
{
    size_t n;
    const struct lore_metric_set *sets = lore_metric_sets(&n);

    for (size_t i = 0; i < n; i++) {
        lore_print_wrapped(cli, lore_format(cli->arena, "%-8s ", sets[i].name), 9, sets[i].help);
        for (size_t k = 0; k < sets[i].n; k++)
            lore_buf_printf(&cli->out, "         %s\n", sets[i].names[k]);
    }
    lore_buf_puts(&cli->out, "Also any name the chip has, alone or beside a set: --metrics "
                             "basic,l1tex__t_sectors.sum\n");
    return LORE_EXIT_OK;
}
