/* The derived part of an experiment, for `show`. */
#ifndef LORE_CLIENT_COMMANDS_SHOW_VERDICTS_H
#define LORE_CLIENT_COMMANDS_SHOW_VERDICTS_H

#include "collectors/client/cli.h"

/* The result of the hypothesis: expectations, its own rule, watched metrics. */
void lore_show_hypothesis_verdicts(struct lore_cli *cli, const struct lore_json *experiment);
/* The results of the techniques: comparison of pairs, verdicts, ablations, unexplained residual. */
void lore_show_technique_verdicts(struct lore_cli *cli, const struct lore_json *experiment);
/* Whether the compiled code of VERSION shows the techniques that were looked for: one more GET;
 * silent when it fails. */
void lore_show_machine_code(struct lore_cli *cli, const char *version);
/* A sweep: how its times are spread, what failed, its parameters and fastest configurations. */
void lore_show_sweep(struct lore_cli *cli, const struct lore_json *sweep);
/* Remarks, reviews and retractions of the record ID: one more GET; silent when it fails. */
void lore_show_decisions(struct lore_cli *cli, const char *id);

#endif
