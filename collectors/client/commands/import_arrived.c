/* Finds the campaigns of an import that lack experiments. Counts those in the files, and after
 * sending asks the service, which may have the others from an earlier import. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/import_report.h"
#include "collectors/client/screen/rows.h"
#include "service/wire/build.h"

enum { ASKED = 50 /* campaigns; the service is asked about at most this many */ };

/* Read the campaign's counts from the service, if it has them. */
static void
ask_arrived(struct lore_cli *cli, const char *campaign, long long *arrived, long long *expected)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/campaigns");
    lore_query_segment(&q, campaign);
    if (!lore_ask_quietly(cli, &q, &root))
        return;
    const struct lore_json *standing = lore_json_get(root, "standing");
    if (!lore_answer_text(standing, "arrived") || !lore_answer_text(standing, "expected_records"))
        return;
    *arrived = lore_answer_int(standing, "arrived");
    *expected = lore_answer_int(standing, "expected_records");
}

void
lore_import_arrived(
    struct lore_cli *cli, const struct lore_intake_format *f, bool dry, struct lore_texts *out)
{
    size_t asked = 0;

    for (size_t i = 0; i < f->n_campaigns; i++) {
        const struct lore_intake_campaign *c = &f->campaigns[i];
        long long expected = c->expected, arrived = (long long)*c->read;

        if (arrived >= expected)
            continue;
        if (!dry && asked++ < ASKED)
            ask_arrived(cli, c->id, &arrived, &expected);
        if (arrived < expected)
            lore_build_text(cli->arena, out,
                lore_cmd_arrived_text(cli, c->label, lore_format(cli->arena, "%lld", arrived),
                    lore_format(cli->arena, "%lld", expected)));
    }
}
