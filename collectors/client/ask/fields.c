/* Renames fields to options in messages (fields.h). */
#include "collectors/client/ask/fields.h"

#include <ctype.h>
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "service/base/text.h"

/* Options whose field has another name than the option with '_' for '-'. An option is sent as the
 * field of its first row. */
static const struct {
    const char *option, *field;
} names[] = {{"from", "parent"}, {"technique", "techniques"}, {"source", "sources"},
    {"parent-source", "parent_sources"}, {"samples", "samples_ns"},
    {"samples-before", "samples_before_ns"}, {"violation", "violations"}, {"time", "time"},
    {"time", "time_ns"}, {"before", "before"}, {"before", "before_ns"}, {"new", "new_kernel"}};

/* What the service says to a program, and what the command says instead. */
static const struct {
    const char *theirs, *ours;
} phrases[] = {{"GET /api/v1/chips?all=true", "warplore list chips --all"},
    {"GET /api/v1/techniques", "warplore list techniques"},
    {"GET /api/v1/curations/", "warplore show "},
    {"; other words go into raw_label", "; other words: --notes"},
    {"send the header Authorization: Bearer wl_…",
        "set WARPLORE_TOKEN, or token in the configuration file"}};

const char *
lore_field_of(struct lore_arena *arena, const char *option)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lore_streq(names[i].option, option))
            return names[i].field;
    return lore_ask_param(arena, option);
}

/* The option of the command that runs for the N characters at FIELD; NULL: it has none. */
static const char *
option_of(struct lore_cli *cli, const char *field, size_t n)
{
    const char *name = lore_strndup(cli->arena, field, n);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lore_streq(names[i].field, name))
            name = names[i].option;
    for (const struct lore_opt *o = cli->opts; o && o->name; o++)
        if (lore_streq(lore_ask_param(cli->arena, o->name), lore_ask_param(cli->arena, name)))
            return o->name;
    return NULL;
}

static size_t
name_length(const char *s)
{
    size_t n = 0;

    while (islower((unsigned char)s[n]) || isdigit((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n;
}

/* `"time": "81us"` as `--time 81us`, `"dry_run": true` as `--dry-run`. Returns the length of what
 * was read, 0 when TEXT begins with something else. */
static size_t
put_member(struct lore_cli *cli, const char *text, struct lore_buf *out)
{
    size_t n = *text == '"' ? name_length(text + 1) : 0;
    const char *value = n > 0 && lore_starts(text + 1 + n, "\": ") ? text + n + 4 : NULL;
    const char *option = value ? option_of(cli, text + 1, n) : NULL;

    if (!option)
        return 0;
    lore_buf_printf(out, "--%s", option);
    if (lore_starts(value, "true"))
        return (size_t)(value - text) + strlen("true");
    size_t quoted = *value == '"', length = strcspn(value + quoted, quoted ? "\"" : ",;)} ");
    lore_buf_printf(out, " %.*s", (int)length, value + quoted);
    return (size_t)(value - text) + length + quoted + (value[quoted + length] == '"');
}

static size_t
put_phrase(struct lore_cli *cli, const char *text, struct lore_buf *out)
{
    size_t kernel = cli->kernel_id ? strlen(cli->kernel_id) : 0;

    if (kernel > 0 && lore_starts(text, cli->kernel_id)) {
        lore_buf_puts(out, cli->kernel_name);
        return kernel;
    }
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (lore_starts(text, phrases[i].theirs)) {
            lore_buf_puts(out, phrases[i].ours);
            return strlen(phrases[i].theirs);
        }
    return 0;
}

/* The service puts the field before its message, and a parser may have put it there, too. */
static const char *
skip_field(const char *text, const char *path)
{
    size_t n = path ? strlen(path) : 0;

    while (n > 0 && strncmp(text, path, n) == 0 && lore_starts(text + n, ": "))
        text += n + 2;
    return text;
}

const char *
lore_fields_say(struct lore_cli *cli, const char *path, const char *text)
{
    struct lore_buf out = {.max = 1u << 20};
    const char *rest = skip_field(text, path);
    const char *option = rest > text ? option_of(cli, path, strcspn(path, "[.")) : NULL;

    if (option)
        lore_buf_printf(&out, "--%s: ", option);
    else if (rest > text)
        lore_buf_printf(&out, "%s: ", path);
    while (*rest) {
        size_t n = put_member(cli, rest, &out);
        n = n > 0 ? n : put_phrase(cli, rest, &out);
        if (n == 0)
            lore_buf_putc(&out, *rest);
        rest += n > 0 ? n : 1;
    }
    const char *said = lore_strdup(cli->arena, out.data ? out.data : "");
    lore_buf_free(&out);
    return said;
}
