/* An insight as a document: `note` and `promote` make one each. */
#ifndef LORE_CLIENT_COMMANDS_INSIGHT_DOC_H
#define LORE_CLIENT_COMMANDS_INSIGHT_DOC_H

#include "collectors/client/cli.h"
#include "service/wire/record.h"

/* Fill kind, title, body and scope of *OUT from --kind (DEFAULT_KIND without), --title, --body,
 * --operator, --family, --chip, --technique, --language, --bottleneck; members without an option
 * keep their value. */
enum lore_status lore_insight_options(struct lore_cli *cli, const struct lore_args *args,
    const char *default_kind, struct lore_insight *out, struct lore_err *err) LORE_MUST;
/* Send INSIGHT as a document of its own, or preview it (DRY). Its id follows from what it says, so
 * that the same insight is stored once. */
int lore_insight_send(
    struct lore_cli *cli, struct lore_insight *insight, bool dry, struct lore_json **receipt);

#endif
