/* `recommend --method seed-score`: the ranking that the skill this grew from
 * made by adding points. Kept so that its users can compare; the points say how
 * alike, not how likely. */
#include "commands.h"
#include "rows.h"
#include "text.h"

static const struct lore_shown columns[] = {
    {"experiment", "experiment", LORE_AS_TEXT, 0},
    {"points", "score", LORE_AS_NUMBER, LORE_RIGHT},
    {"for", "terms", LORE_AS_MEMBERS, LORE_FLEXIBLE},
    {"outcome", "outcome", LORE_AS_OUTCOME, LORE_OPTIONAL},
    {"what", "title", LORE_AS_TEXT, LORE_FLEXIBLE},
};

void
lore_print_seed_score(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *most = lore_json_get(root, "most_successful");
    const struct lore_json *failures = lore_json_get(root, "failures");
    const char *fallback = lore_jtext(root, "fallback"), *method = lore_jtext(root, "method");

    if (fallback)
        lore_buf_printf(&cli->out, "nothing matches; %s\n",
            lore_streq(fallback, "last 5") ? "the last five:" : lore_clean(cli, fallback));
    if (!LORE_ROWS_PRINT(cli, columns, lore_jrows(root)) && !fallback)
        lore_buf_puts(&cli->out, "the memory is empty\n");
    if (most && most->type == LORE_J_OBJECT)
        lore_buf_printf(&cli->out, "\nmost often successful: %s (%lld of %lld)\n",
            lore_jtext(most, "technique") ? lore_clean(cli, lore_jtext(most, "technique")) : "?",
            lore_jint(most, "count"), lore_jint(most, "total"));
    if (failures && failures->child)
        lore_say_heading(cli, "Failed");
    for (const struct lore_json *f = failures ? failures->child : NULL; f; f = f->next) {
        const char *id = f->type == LORE_J_STRING ? f->str : lore_jtext(f, "experiment");
        const char *title = lore_jtext(f, "title");
        if (!title)
            title = lore_jtext(f, "technique");
        lore_print_wrapped(
            cli, lore_format(cli->arena, "  %s  ", id ? id : "?"), 4, title ? title : "");
    }
    if (method)
        lore_buf_printf(&cli->out, "\nby %s\n", lore_clean(cli, method));
}
