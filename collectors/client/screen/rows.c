/* Answers as tables (rows.h). An absent value is shown as "-", never as zero. */
#include "collectors/client/screen/rows.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "service/base/text.h"

const struct lore_json *
lore_rows_at(const struct lore_json *object, const char *path)
{
    char key[64];

    while (object) {
        size_t n = strcspn(path, ".");
        if (n >= sizeof key)
            return NULL;
        memcpy(key, path, n);
        key[n] = '\0';
        object = lore_json_get(object, key);
        if (path[n] == '\0')
            return object;
        path += n + 1;
    }
    return NULL;
}

const char *
lore_rows_at_text(const struct lore_json *object, const char *path)
{
    const struct lore_json *m = lore_rows_at(object, path);
    return m && (m->type == LORE_J_STRING || m->type == LORE_J_NUMBER) ? m->str : NULL;
}

static bool
is_derived(const struct lore_json *object, const char *label)
{
    const struct lore_json *derived = lore_json_get(object, "derived_labels");

    if (lore_streq(lore_rows_at_text(object, "labels_from.source"), "derived"))
        return true;
    for (const struct lore_json *m = derived ? derived->child : NULL; m; m = m->next)
        if (lore_streq(m->str, label))
            return true;
    return false;
}

const char *
lore_rows_limits(struct lore_cli *cli, const struct lore_json *object)
{
    const struct lore_json *labels = lore_json_get(object, "labels"),
                           *earlier = lore_json_get(object, "earlier_labels");
    const char *out = "";

    if (earlier && earlier->child)
        return lore_format(cli->arena, "was %s", lore_answer_join(cli, earlier, "+"));

    for (const struct lore_json *m = labels ? labels->child : NULL; m; m = m->next)
        out = lore_format(cli->arena, "%s%s%s%s", out, *out ? "+" : "", m->str ? m->str : "?",
            is_derived(object, m->str) ? "*" : "");
    return out;
}

void
lore_rows_derived(struct lore_cli *cli, bool any)
{
    if (any)
        lore_buf_puts(&cli->out, "* bottleneck inferred from metrics\n");
}

const char *
lore_rows_number(struct lore_cli *cli, double v)
{
    /* counts and nanoseconds read better whole than as 7.744e+04 */
    return lore_format(cli->arena, fabs(v) >= 1e4 && fabs(v) < 1e8 ? "%.0f" : "%.4g", v);
}

static const char *
show_result(struct lore_cli *cli, const struct lore_json *experiment)
{
    const char *text = lore_answer_show_outcome(cli, lore_json_get(experiment, "outcome"));

    return text && lore_answer_true(experiment, "masked")
               ? lore_format(cli->arena, "%s, hidden", text)
               : text;
}

static const char *
show_value(struct lore_cli *cli, const struct lore_shown *column, const struct lore_json *m)
{
    bool number = m->type == LORE_J_NUMBER, text = number || m->type == LORE_J_STRING;
    double v = !number ? 0 : m->is_int ? (double)m->i : m->f;

    switch (column->how) {
    case LORE_AS_TEXT:
        return text ? m->str : NULL;
    case LORE_AS_WORD:
        return text ? lore_answer_show_word(cli, m->str) : NULL;
    case LORE_AS_DAY:
        return text ? lore_answer_show_day(cli, m->str) : NULL;
    case LORE_AS_NAMES:
        return text ? m->str : lore_answer_join(cli, m, " + ");
    case LORE_AS_LIMITS:
        return lore_rows_limits(cli, m);
    case LORE_AS_OUTCOME:
        return lore_answer_show_outcome(cli, m);
    case LORE_AS_RESULT:
        return show_result(cli, m);
    case LORE_AS_NS:
        return number && v != 0 ? lore_answer_show_ns(cli, v) : NULL; /* 0: nothing was timed */
    case LORE_AS_FACTOR:
        return number ? lore_answer_show_factor(cli, v) : NULL;
    case LORE_AS_NUMBER:
        return number ? lore_rows_number(cli, v) : text ? m->str : NULL;
    case LORE_AS_PERCENT:
        return number ? lore_format(cli->arena, "%.3g %%", v * 100) : NULL;
    case LORE_AS_STATS:
        return lore_answer_show_stats(cli, m);
    case LORE_AS_MEMBERS:
        return lore_answer_show_members(cli, m);
    case LORE_AS_COUNT:
        return m->type == LORE_J_ARRAY ? lore_format(cli->arena, "%u", m->len) : NULL;
    case LORE_AS_YES:
        return m->type == LORE_J_BOOL && m->i ? column->title : NULL;
    case LORE_AS_UNDONE:
        return m->type != LORE_J_BOOL ? NULL : m->i ? "undone" : "in force";
    case LORE_AS_FLAGS: /* looks at the whole row */
        break;
    }
    return NULL;
}

/* "champion, hidden": those of "champion|hidden" that are true or have a text. */
static const char *
show_flags(struct lore_cli *cli, const char *path, const struct lore_json *row)
{
    const char *out = NULL;

    while (*path) {
        size_t n = strcspn(path, "|");
        const char *name = lore_strndup(cli->arena, path, n);
        if ((lore_answer_true(row, name) || lore_answer_text(row, name)))
            out = out ? lore_format(cli->arena, "%s, %s", out, name) : name;
        path += n + (path[n] == '|');
    }
    return out;
}

const char *
lore_shown_cell(struct lore_cli *cli, const struct lore_shown *column, const struct lore_json *row)
{
    char path[128];

    if (column->how == LORE_AS_FLAGS)
        return show_flags(cli, column->path, row);
    for (const char *p = column->path; *p;) {
        size_t n = strcspn(p, "|");
        if (n >= sizeof path)
            return NULL;
        memcpy(path, p, n);
        path[n] = '\0';
        const struct lore_json *m = lore_streq(path, ".") ? row : lore_rows_at(row, path);
        const char *cell = m && m->type != LORE_J_NULL ? show_value(cli, column, m) : NULL;
        if (cell && *cell)
            return cell;
        p += n + (p[n] == '|');
    }
    return NULL;
}

const struct lore_json *
lore_rows_of(const struct lore_json *root)
{
    const struct lore_json *rows = lore_json_get(root, "rows");
    return rows ? rows->child : NULL;
}

size_t
lore_rows_print(
    struct lore_cli *cli, const struct lore_shown *columns, size_t n, const struct lore_json *first)
{
    struct lore_print_column *heads = lore_alloc_array(cli->arena, n, sizeof *heads);
    struct lore_table t = {.columns = heads, .n_columns = n};
    size_t rows = 0;
    bool derived = false;

    for (size_t c = 0; c < n; c++)
        heads[c] = (struct lore_print_column){.title = columns[c].title,
            .right = columns[c].flags & LORE_RIGHT,
            .flexible = columns[c].flags & LORE_FLEXIBLE,
            .optional = columns[c].flags & LORE_OPTIONAL};
    for (const struct lore_json *r = first; r; r = r->next, rows++) {
        for (size_t c = 0; c < n; c++) {
            const char *cell = lore_shown_cell(cli, &columns[c], r);

            derived = derived || (cell && columns[c].how == LORE_AS_LIMITS && strchr(cell, '*'));
            lore_table_cell(cli, &t, cell);
        }
    }
    if (rows > 0)
        lore_table_print(cli, &t);
    lore_rows_derived(cli, derived);
    return rows;
}

void
lore_rows_variants(struct lore_cli *cli, const char *chip, const struct lore_json *first)
{
    size_t len = chip ? strlen(chip) : 0, n = 0, cap = 0;
    const char **seen = NULL, *all = "";

    for (const struct lore_json *r = first; len > 0 && r; r = r->next) {
        const char *name = lore_rows_at_text(r, "chip");
        size_t i = 0;

        if (!name || strncasecmp(name, chip, len) != 0 || name[len] != '-')
            continue;
        while (i < n && strcmp(seen[i], name) != 0)
            i++;
        if (i < n)
            continue;
        *LORE_PUSH(cli->arena, seen, n, cap) = name;
        all =
            lore_format(cli->arena, "%s%s%s", all, n > 1 ? ", " : "", lore_print_clean(cli, name));
    }
    if (n > 0)
        lore_buf_printf(&cli->out, "%s covers its variants: %s\n", chip, all);
}

void
lore_rows_more(struct lore_cli *cli, const struct lore_json *root)
{
    if (lore_answer_text(root, "next"))
        lore_buf_printf(&cli->out, "more: --cursor %s\n", lore_answer_text(root, "next"));
}

int
lore_rows_answer(struct lore_cli *cli, const struct lore_shown *columns, size_t n,
    const struct lore_json *root, const char *empty)
{
    const struct lore_json *first = lore_rows_of(root);

    if (!cli->json && first) {
        (void)lore_rows_print(cli, columns, n, first);
        lore_rows_more(cli, root);
    } else if (!cli->json) {
        lore_buf_printf(&cli->out, "%s\n", empty);
    }
    return LORE_EXIT_OK;
}

void
lore_rows_line(struct lore_cli *cli, const char *name, const char *value)
{
    while (value && *value) {
        size_t n = strcspn(value, "\n");
        lore_print_wrapped(
            cli, lore_format(cli->arena, "  %-15s ", name), 18, lore_strndup(cli->arena, value, n));
        value += n + strspn(value + n, "\n");
        name = "";
    }
}

void
lore_rows_heading(struct lore_cli *cli, const char *text)
{
    lore_buf_printf(
        &cli->out, "\n%s\n", lore_print_styled(cli, LORE_BOLD, lore_print_clean(cli, text)));
}
