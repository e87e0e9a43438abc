/* The records of a submission in words, for --dry-run. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

/* What is printed of each record: a row per member that it may have. */
static const struct {
    const char *list;
    struct lore_shown shown;
} rows[] = {
    {"kernels", {"new kernel", "name|operator", LORE_AS_TEXT, 0}},
    {"campaigns", {"session", "label", LORE_AS_TEXT, 0}},
    {"versions", {"version", "label|id", LORE_AS_TEXT, 0}},
    {"versions", {"change", "summary", LORE_AS_TEXT, 0}},
    {"versions", {"parameters", "params", LORE_AS_MEMBERS, 0}},
    {"runs", {"chip", "chip", LORE_AS_TEXT, 0}},
    {"runs", {"dims", "workload.dims", LORE_AS_MEMBERS, 0}},
    {"runs", {"time", "summary", LORE_AS_STATS, 0}},
    {"runs", {"samples", "samples_ns", LORE_AS_COUNT, 0}},
    {"runs", {"error", "error.type", LORE_AS_OUTCOME, 0}},
    {"runs", {"check", "correctness", LORE_AS_MEMBERS, 0}},
    {"hypotheses", {"hypothesis", "claim", LORE_AS_TEXT, 0}},
    {"experiments", {"techniques", "techniques", LORE_AS_NAMES, 0}},
    {"insights", {"insight", "title", LORE_AS_TEXT, 0}},
    {"insights", {"text", "body", LORE_AS_TEXT, 0}},
};

void
lore_ask_print_records(struct lore_cli *cli, const struct lore_json *submission)
{
    lore_buf_puts(&cli->out, "would be stored (nothing was; --json prints the document):\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct lore_json *list = lore_json_get(submission, rows[i].list);
        for (const struct lore_json *r = list ? list->child : NULL; r; r = r->next)
            lore_rows_line(cli, rows[i].shown.title, lore_shown_cell(cli, &rows[i].shown, r));
    }
}

void
lore_ask_preview(struct lore_cli *cli, const char *text, size_t len)
{
    struct lore_json *root = NULL;
    struct lore_err err;

    if (cli->json || lore_json_parse(text, len, NULL, cli->arena, &root, &err) != LORE_OK) {
        lore_buf_add(&cli->out, text, len);
        lore_buf_putc(&cli->out, '\n');
    } else {
        lore_ask_print_records(cli, root);
    }
}
