/* `recommend --method seed-score`: the ranking of kernel-opt-skill, which adds points. It is kept
 * so that users of that tool can compare. Points say how similar an experiment is, not how likely a
 * win is. */
#include <string.h>

#include "collectors/client/commands/commands.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

#define MAX_FAILED 5u /* as many as the hits above */

/* "kernel 40, bottleneck 30": the terms that gave points. */
static const char *
show_terms(struct lore_cli *cli, const struct lore_json *terms)
{
    const char *out = "";

    for (const struct lore_json *t = terms ? terms->child : NULL; t; t = t->next) {
        if (t->type == LORE_J_NUMBER && strcmp(t->str, "0") != 0)
            out = lore_format(cli->arena, "%s%s%s %s", out, *out ? ", " : "", t->key, t->str);
    }
    return out;
}

static size_t
print_hits(struct lore_cli *cli, const struct lore_json *first)
{
    static const struct lore_print_column columns[] = {{"experiment", false, false, false},
        {"points", true, false, false}, {"for", false, false, false}, {"what", false, true, false}};
    struct lore_table t = LORE_TABLE(columns);

    for (const struct lore_json *r = first; r; r = r->next) {
        lore_table_cell(cli, &t, lore_answer_text(r, "experiment"));
        lore_table_cell(cli, &t, lore_answer_text(r, "score"));
        lore_table_cell(cli, &t, show_terms(cli, lore_json_get(r, "terms")));
        lore_table_cell(cli, &t, lore_answer_text(r, "title"));
    }
    if (t.n_cells > 0)
        lore_table_print(cli, &t);
    return t.n_cells;
}

void
lore_command_print_seed_score(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *most = lore_json_get(root, "most_successful");
    const struct lore_json *failures = lore_json_get(root, "failures");
    const char *fallback = lore_answer_text(root, "fallback"),
               *method = lore_answer_text(root, "method");

    if (fallback)
        lore_buf_printf(&cli->out, "nothing matches; %s\n",
            lore_streq(fallback, "last 5") ? "the last five:" : lore_print_clean(cli, fallback));
    if (print_hits(cli, lore_rows_of(root)) == 0 && !fallback)
        lore_buf_puts(&cli->out, "there is no visible experiment\n");
    if (most && most->type == LORE_J_OBJECT)
        lore_buf_printf(&cli->out, "\nmost often successful: %s (%lld of %lld)\n",
            lore_answer_text(most, "technique")
                ? lore_print_clean(cli, lore_answer_text(most, "technique"))
                : "?",
            lore_answer_int(most, "count"), lore_answer_int(most, "total"));
    if (failures && failures->child)
        lore_rows_heading(cli, "Failed");
    size_t n = 0;
    for (const struct lore_json *f = failures ? failures->child : NULL; f; f = f->next) {
        if (n++ == MAX_FAILED) {
            lore_buf_printf(
                &cli->out, "  %u more (--json names them)\n", failures->len - MAX_FAILED);
            break;
        }
        const char *id = f->type == LORE_J_STRING ? f->str : lore_answer_text(f, "experiment");
        const char *title = lore_answer_text(f, "title");
        if (!title)
            title = lore_answer_text(f, "technique");
        lore_print_wrapped(
            cli, lore_format(cli->arena, "  %s  ", id ? id : "?"), 4, title ? title : "");
    }
    if (method)
        lore_buf_printf(&cli->out, "\nby %s\n", lore_print_clean(cli, method));
}
