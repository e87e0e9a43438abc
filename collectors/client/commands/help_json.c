/* `warplore help --json`: the table of commands for programs that read it: agents, the manual page,
 * a shell's completion. */
#include "collectors/client/commands/commands.h"
#include "service/base/jsonw.h"

static void
write_options(struct lore_jsonw *w, const struct lore_opt *opts)
{
    for (const struct lore_opt *o = opts; o && o->name; o++) {
        const char letter[] = {o->letter, '\0'};
        lore_w_obj(w);
        lore_w_kstr(w, "name", o->name);
        lore_w_kstr_opt(w, "letter", o->letter ? letter : NULL);
        lore_w_kstr_opt(w, "value", o->arg);
        if (o->repeat)
            lore_w_kbool(w, "repeat", true);
        lore_w_kstr(w, "help", o->help);
        lore_w_obj_end(w);
    }
}

static void
write_command(struct lore_jsonw *w, const struct lore_cli_command *c)
{
    lore_w_obj(w);
    lore_w_kstr(w, "name", c->name);
    lore_w_kstr(w, "words", c->words);
    lore_w_kstr(w, "help", c->help);
    lore_w_kstr_opt(w, "notes", c->notes);
    lore_w_key(w, "options");
    lore_w_arr(w);
    write_options(w, c->opts);
    write_options(w, lore_common_opts);
    lore_w_arr_end(w);
    lore_w_obj_end(w);
}

int
lore_help_json(struct lore_cli *cli, const struct lore_cli_command *only)
{
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &cli->out, false);
    if (only) {
        write_command(&w, only);
    } else {
        lore_w_obj(&w);
        lore_w_kstr(&w, "version", WARPLORE_VERSION);
        lore_w_key(&w, "commands");
        lore_w_arr(&w);
        for (const struct lore_cli_command *c = lore_commands; c->name; c++)
            write_command(&w, c);
        lore_w_arr_end(&w);
        lore_w_obj_end(&w);
    }
    struct lore_err err = {0};
    if (lore_jsonw_end(&w, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_SERVICE, &err);
    lore_buf_putc(&cli->out, '\n');
    return LORE_EXIT_OK;
}
