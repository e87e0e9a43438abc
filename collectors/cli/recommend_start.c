/* What `recommend` says of versions: where to start, which one-parameter changes of a version are
 * worth a try, what to measure next. Versions of one search have the same ten parameters: the first
 * shows all of them, the others what they have different. */
#include <math.h>
#include <string.h>

#include "commands.h"
#include "print.h"
#include "recommend_start.h"
#include "text.h"

enum { STARTS = 3, MOVES = 4, NEXT = 5 };

static const char *
value_text(struct lore_cli *cli, const struct lore_json *v)
{
    if (v == NULL || v->type == LORE_J_NULL)
        return "?";
    if (v->type == LORE_J_BOOL)
        return v->i ? "true" : "false";
    return v->str != NULL ? lore_clean(cli, v->str) : "?";
}

/* Parameters of ROW that BASE (may be NULL) has otherwise, or not: "tile_size_x=2 use_shmem=1". */
static const char *
different(struct lore_cli *cli, const struct lore_json *row, const struct lore_json *base)
{
    const struct lore_json *params = lore_json_get(row, "params"),
                           *other = lore_json_get(base, "params");
    const char *out = "";

    for (const struct lore_json *p = params ? params->child : NULL; p; p = p->next) {
        const struct lore_json *o = lore_json_get(other, p->key);
        if (o && lore_streq(value_text(cli, p), value_text(cli, o)))
            continue;
        out = lore_format(cli->arena, "%s%s%s=%s", out, *out ? " " : "", lore_clean(cli, p->key),
            value_text(cli, p));
    }
    for (const struct lore_json *o = other ? other->child : NULL; o && params; o = o->next)
        if (!lore_json_get(params, o->key))
            out = lore_format(
                cli->arena, "%s%sno %s", out, *out ? ", " : "", lore_clean(cli, o->key));
    return out;
}

/* "softmax_cuda v4" of a version with a label of its own; that of a search only lists parameters.
 */
static const char *
show_name(struct lore_cli *cli, const struct lore_json *row, bool params)
{
    const char *label = lore_jtext(row, "label"), *kernel = lore_jtext(row, "kernel_name");

    if (params && (!label || strchr(label, '=')))
        return "";
    return lore_format(cli->arena, "%s%s%s%s", kernel ? lore_clean(cli, kernel) : "",
        kernel && label ? " " : "", label ? lore_clean(cli, label) : "", params ? " " : "");
}

/* What a version is, beside FIRST (may be NULL), the one shown in full. */
static const char *
show_version(struct lore_cli *cli, const struct lore_json *row, const struct lore_json *first)
{
    const char *what = different(cli, row, NULL), *less = different(cli, row, first);
    const char *name = show_name(cli, row, *what != '\0');

    if (!*name && first && first != row && *less && strlen(less) + 10 < strlen(what))
        return lore_format(cli->arena, "the first, with %s", less);
    what = lore_format(cli->arena, "%s%s", name, what);
    return *what ? what : "a version without a name";
}

static const char *
show_range(struct lore_cli *cli, const struct lore_json *v)
{
    double value = 0, low = 0, high = 0;

    lore_jnum(v, "value", &value);
    lore_jnum(v, "low", &low);
    lore_jnum(v, "high", &high);
    return lore_format(cli->arena, "%.2f of the best (%.2f-%.2f)", value, low, high);
}

/* "a6000 0.98, a100 0.97, mi250x fails" */
static const char *
show_from(struct lore_cli *cli, const struct lore_json *from)
{
    const char *out = "";
    size_t n = 0;

    for (const struct lore_json *f = from ? from->child : NULL; f && n < 4; f = f->next, n++) {
        double fraction = 0;
        const char *chip = lore_clean(cli, lore_jtext(f, "chip"));
        lore_jnum(f, "fraction", &fraction);
        out = lore_jtrue(f, "failed")
                  ? lore_format(cli->arena, "%s%s%s fails", out, n ? ", " : "", chip)
                  : lore_format(cli->arena, "%s%s%s %.2f", out, n ? ", " : "", chip, fraction);
    }
    return out;
}

static const char *
show_risk(struct lore_cli *cli, const struct lore_json *row)
{
    double p = 0;

    return lore_jnum(row, "p_fail", &p) && p >= 0.05
               ? lore_format(cli->arena, "; may fail (%.0f %%)", p * 100)
               : "";
}

static const char *
show_expected(struct lore_cli *cli, const struct lore_json *row)
{
    const char *from = show_from(cli, lore_json_get(row, "from"));
    double ns;

    if (lore_jtrue(row, "measured_here"))
        return lore_format(cli->arena, "the best measured here%s%s, about %s%s",
            lore_jnum(row, "time_ns", &ns) ? ": " : "",
            lore_jnum(row, "time_ns", &ns) ? lore_show_ns(cli, ns) : "",
            show_range(cli, lore_json_get(row, "fraction")), show_risk(cli, row));
    return lore_format(cli->arena, "expect %s%s%s%s%s",
        show_range(cli, lore_json_get(row, "fraction")), *from ? "; on " : "", from, "",
        show_risk(cli, row));
}

static void
print_place(struct lore_cli *cli, const struct lore_json *place)
{
    const char *label = lore_jtext(lore_json_get(place, "workload"), "label");

    lore_buf_printf(&cli->out, "\n%s", lore_styled(cli, LORE_BOLD, "Start from"));
    if (label && lore_jtrue(place, "workload_assumed"))
        lore_buf_printf(&cli->out, "  (for %s, what most was measured on)", lore_clean(cli, label));
    lore_buf_putc(&cli->out, '\n');
}

static void
print_starts(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *list = lore_json_get(root, "start");
    int n = 0;

    if (!list || !list->child)
        return;
    print_place(cli, lore_json_get(root, "place"));
    for (const struct lore_json *s = list->child; s && n < STARTS; s = s->next) {
        lore_print_wrapped(cli, lore_format(cli->arena, "%2d. ", ++n), 4,
            lore_format(cli->arena, "%s: %s. Version %s", show_version(cli, s, list->child),
                show_expected(cli, s), lore_jtext(s, "version")));
    }
}

static const char *
show_move(struct lore_cli *cli, const struct lore_json *m)
{
    const struct lore_json *p = lore_json_get(m, "p_win"), *g = lore_json_get(m, "gain");
    double win = 0, gain = 1, low = 0, high = 0;
    const char *title = lore_clean(cli, lore_jtext(m, "title"));
    bool named = title && !lore_streq(title, lore_jtext(m, "parameter"));

    lore_jnum(p, "value", &win);
    lore_jnum(g, "value", &gain);
    lore_jnum(g, "low", &low);
    lore_jnum(g, "high", &high);
    return lore_format(cli->arena,
        "%s %s -> %s%s%s%s: wins %.0f %%, expect %s (%.2f-%.2fx); %s%s%s",
        lore_clean(cli, lore_jtext(m, "parameter")), value_text(cli, lore_json_get(m, "from")),
        value_text(cli, lore_json_get(m, "to")), named ? " (" : "", named ? title : "",
        named ? ")" : "", win * 100, lore_show_factor(cli, gain), low, high,
        lore_streq(lore_jtext(m, "reach"), "none") ? "no evidence" : lore_jtext(m, "reach"),
        lore_jtrue(m, "abstains") ? ", hardly more than a guess" : "", show_risk(cli, m));
}

static void
print_moves(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *list = lore_json_get(root, "moves");
    int n = 0;

    if (!list || !list->child)
        return;
    lore_buf_printf(&cli->out, "\n%s\n", lore_styled(cli, LORE_BOLD, "Change one parameter"));
    for (const struct lore_json *m = list->child; m && n < MOVES; m = m->next, n++) {
        const char *why = lore_jtext(lore_json_get(m, "repeats"), "reason");
        lore_print_wrapped(cli, "  - ", 4,
            why ? lore_format(cli->arena, "%s. Failed before: %s", show_move(cli, m), why)
                : show_move(cli, m));
    }
}

static void
print_next(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *list = lore_json_get(root, "next"),
                           *best = lore_json_get(lore_json_get(root, "place"), "best");
    int n = 0;

    if (!list || !list->child)
        return;
    lore_buf_printf(&cli->out, "\n%s\n", lore_styled(cli, LORE_BOLD, "Measure next"));
    if (best)
        lore_print_wrapped(cli, "  so far: ", 4,
            lore_format(
                cli->arena, "%s, %s", show_version(cli, best, NULL), show_expected(cli, best)));
    for (const struct lore_json *r = list->child; r && n < NEXT; r = r->next) {
        const struct lore_json *change = lore_json_get(r, "change");
        const char *what = change ? lore_format(cli->arena, "so far's %s", show_move(cli, change))
                                  : lore_format(cli->arena, "%s: %s",
                                        show_version(cli, r, list->child), show_expected(cli, r));
        lore_print_wrapped(cli, lore_format(cli->arena, "%2d. ", ++n), 4,
            lore_format(cli->arena, "%s. Version %s", what, lore_jtext(r, "version")));
    }
}

static void
print_lineage(struct lore_cli *cli, const struct lore_json *l)
{
    long long attempts = lore_jint(l, "attempts"), since = lore_jint(l, "since_gain");
    long long recent = lore_jint(l, "recent"), broken = lore_jint(l, "recent_not_built");
    const char *line;

    if (attempts == 0)
        return;
    line = lore_jtrue(l, "gained") ? lore_format(cli->arena, "%s since the last gain",
                                         lore_show_count(cli, since, "attempt", "attempts"))
                                   : lore_format(cli->arena, "%s, none gained",
                                         lore_show_count(cli, attempts, "attempt", "attempts"));
    if (broken > 0)
        line = lore_format(
            cli->arena, "%s; %lld of the last %lld did not build", line, broken, recent);
    lore_print_wrapped(cli, "Its lineage: ", 4, lore_format(cli->arena, "%s.", line));
}

/* How little is known, unless results are from here. */
static void
print_level(struct lore_cli *cli, const struct lore_json *knowledge)
{
    const char *level = lore_jtext(knowledge, "level"), *why = lore_jtext(knowledge, "why");

    if (level && why && !lore_streq(level, "exact"))
        lore_print_wrapped(cli,
            lore_format(cli->arena, "Known is %s: ", lore_streq(level, "none") ? "nothing" : level),
            4, lore_format(cli->arena, "%s.", why));
}

void
lore_print_start(struct lore_cli *cli, const struct lore_json *root)
{
    print_level(cli, lore_json_get(root, "knowledge"));
    print_lineage(cli, lore_json_get(root, "lineage"));
    if (lore_json_get(root, "next"))
        print_next(cli, root);
    else
        print_starts(cli, root);
    print_moves(cli, root);
}
