/* The names of a receipt that nobody used before. A typing error would make an operator or
 * technique of its own, so each is printed with the known names that may be meant. */
#include "collectors/client/commands/new_names.h"

#include "collectors/client/ask/ask.h"
#include "collectors/client/screen/rows.h"

void
lore_new_names_print(struct lore_cli *cli, const struct lore_json *receipt)
{
    const struct lore_json *names = lore_json_get(receipt, "new_names");

    for (const struct lore_json *n = names ? names->child : NULL; n; n = n->next) {
        const char *near = lore_answer_join(cli, lore_json_get(n, "near"), " or ");
        lore_buf_printf(&cli->out, "new %s \"%s\"", lore_answer_text(n, "kind"),
            lore_print_clean(cli, lore_answer_text(n, "name")));
        if (*near)
            lore_buf_printf(&cli->out, "; did you mean %s?", near);
        lore_buf_puts(&cli->out, "\n");
    }
}
