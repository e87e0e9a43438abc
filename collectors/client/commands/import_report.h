/* The report of an import, for people and for programs. */
#ifndef LORE_CLIENT_COMMANDS_IMPORT_REPORT_H
#define LORE_CLIENT_COMMANDS_IMPORT_REPORT_H

#include "collectors/client/cli.h"
#include "collectors/import/intake.h"

/* A document that the service refused. */
struct lore_import_refusal {
    const char *document;
    const char *problem; /* the service's answer as JSON; NULL: there was none */
};
/* The service's receipts for the documents of one format. */
struct lore_import_sent {
    struct lore_import_refusal *refusals;
    size_t failed, cap_refusals;
    long long stored[LORE_K_COUNT], duplicates[LORE_K_COUNT];
    struct lore_texts documents; /* ids */
    struct lore_texts missing;   /* lines: campaigns whose experiments did not all arrive */
};
/* import_arrived.c: add a line to OUT for each campaign of F that lacks experiments. */
void lore_import_arrived(
    struct lore_cli *cli, const struct lore_intake_format *f, bool dry, struct lore_texts *out);
/* SENT has one entry per row of lore_importers. DRY: nothing was sent. ALL: no list is cut. */
void lore_import_print(struct lore_cli *cli, const struct lore_intake *k,
    const struct lore_import_sent *sent, bool dry, bool all);
void lore_import_print_json(struct lore_cli *cli, const struct lore_intake *k,
    const struct lore_import_sent *sent, bool dry);

#endif
