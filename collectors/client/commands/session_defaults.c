/* Completes command lines from the session (session_defaults.h). */
#include "collectors/client/commands/session_defaults.h"

#include <ctype.h>
#include <string.h>

#include "collectors/client/commands/session.h"
#include "service/base/text.h"

bool
lore_session_label(const char *word)
{
    static const char *const names[] = {"champion", "last", "first"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lore_streq(names[i], word))
            return true;
    return word[0] == 'v' && isdigit((unsigned char)word[1]) && !strpbrk(word, ":/ ");
}

static const struct lore_opt *
find(const struct lore_cli_command *c, const char *name)
{
    for (const struct lore_opt *o = c->opts; o && o->name; o++)
        if (lore_streq(o->name, name))
            return o;
    return NULL;
}

static void
fill(struct lore_cli *cli, const struct lore_cli_command *c, struct lore_args *args,
    const char *name, const char *value)
{
    const struct lore_opt *opt = find(c, name);

    if (opt && value && !lore_args_has(args, name))
        *LORE_PUSH(cli->arena, args->values, args->n_values, args->cap_values) =
            (struct lore_opt_value){opt, value};
}

/* Whether ARGS say themselves what the command C is about. */
static bool
places_itself(const struct lore_cli_command *c, const struct lore_args *args)
{
    static const char *const names[] = {
        "kernel", "operator", "family", "campaign", "session", "run", "version", "from", "all"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lore_args_has(args, names[i]))
            return true;
    return lore_streq(c->words, "[KERNEL]") && args->words.n > 0;
}

/* Commands about any kernel: their options, not a word, say which. */
static bool
by_options(const struct lore_cli_command *c)
{
    static const char *const names[] = {"check-idea", "recommend", "failures", "brief"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lore_streq(names[i], c->name))
            return true;
    return false;
}

static bool
names_versions(const struct lore_cli_command *c)
{
    return lore_starts(c->words, "A B") || strstr(c->words, "VERSION") || strstr(c->words, "RUN") ||
           strstr(c->words, "EXPERIMENT") || strstr(c->words, "ID");
}

/* Put the kernel before the labels among the words, and among the options of BY_OPTIONS. True:
 * there was one. */
static bool
prefix(struct lore_cli *cli, const struct lore_cli_command *c, const struct lore_session *s,
    struct lore_args *args)
{
    bool any = false;

    for (size_t i = 0; names_versions(c) && i < args->words.n; i++)
        if (lore_session_label(args->words.v[i])) {
            args->words.v[i] = lore_format(cli->arena, "%s:%s", s->kernel_id, args->words.v[i]);
            any = true;
        }
    for (size_t i = 0; by_options(c) && i < args->n_values; i++) {
        struct lore_opt_value *v = &args->values[i];
        if (!v->text || !lore_session_label(v->text) ||
            !(lore_streq(v->opt->arg, "VERSION") || lore_streq(v->opt->arg, "RUN")))
            continue;
        v->text = lore_format(cli->arena, "%s:%s", s->kernel_id, v->text);
        any = true;
    }
    return any;
}

void
lore_session_defaults(
    struct lore_cli *cli, const struct lore_cli_command *c, struct lore_args *args)
{
    struct lore_session *s = lore_alloc(cli->arena, sizeof *s);
    struct lore_err ignored;

    cli->kernel_id = NULL;
    if (lore_session_read(cli, s, &ignored) != LORE_OK || s->ended_at || !s->kernel_id)
        return;
    bool about = prefix(cli, c, s, args);
    if (!about && places_itself(c, args))
        return;
    if (lore_streq(c->words, "KERNEL") && args->words.n == 0) {
        *LORE_PUSH(cli->arena, args->words.v, args->words.n, args->words.cap) = s->kernel_id;
        about = true;
    }
    if (!about && !by_options(c))
        return;
    cli->kernel_id = s->kernel_id;
    cli->kernel_name = s->kernel;
    if (by_options(c) && find(c, "kernel")) {
        fill(cli, c, args, "kernel", s->kernel_id);
    } else if (by_options(c)) {
        fill(cli, c, args, "operator", s->op);
        fill(cli, c, args, "language", s->language);
    }
    fill(cli, c, args, "session", s->id);
    fill(cli, c, args, "chip", s->chip);
    if (find(c, "workload") && !lore_args_has(args, "dims")) {
        fill(cli, c, args, "workload", s->workload_id);
    } else {
        fill(cli, c, args, "dims", s->dims);
        fill(cli, c, args, "dtype", s->dtype);
    }
}
