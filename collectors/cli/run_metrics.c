/* What to count: the chip's own names, comma separated. */
#include <string.h>

#include "run_cmd.h"
#include "text.h"

enum lore_status
lore_run_metrics(struct lore_run_job *j, const char *text, struct lore_err *err)
{
    if (!*text)
        return lore_fail_at(err, LORE_INVALID, "usage", "metrics", "--metrics: names are expected");
    j->metrics = lore_streq(text, "none") ? NULL : text;
    return LORE_OK;
}

int
lore_run_metrics_list(struct lore_cli *cli)
{
    lore_buf_puts(&cli->out, "--metrics takes the chip's own counter names, comma separated\n");
    return LORE_EXIT_OK;
}
