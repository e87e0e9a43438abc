/* The part of `recommend` about versions: starts, one-parameter changes and the next measurements.
 * Versions of one search share their parameters. The first row lists them, without the problem's
 * dimensions; the other rows list the differences. */
#include <math.h>
#include <string.h>

#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/recommend_start.h"
#include "collectors/client/screen/print.h"
#include "service/base/text.h"

enum { STARTS = 3, MOVES = 4, NEXT = 5, PARAMETERS = 10 };

/* A lower rank is more important (screen.h). */
static const int start_ranks[STARTS] = {1, 5, 12}, move_ranks[MOVES] = {4, 6, 13, 19},
                 next_ranks[NEXT] = {1, 5, 6, 12, 19};

static const char *
value_text(struct lore_cli *cli, const struct lore_json *v)
{
    if (!v || v->type == LORE_J_NULL)
        return "?";
    if (v->type == LORE_J_BOOL)
        return v->i ? "true" : "false";
    return v->str ? lore_print_clean(cli, v->str) : "?";
}

/* Whether parameter P is a dimension of the problem, which no version can choose. */
static bool
is_given(struct lore_cli *cli, const struct lore_json *dims, const struct lore_json *p)
{
    const struct lore_json *d = lore_json_get(dims, p->key);

    return d && lore_streq(value_text(cli, d), value_text(cli, p));
}

/* Parameters of ROW, without those that are DIMS of the problem (may be NULL). */
static const char *
parameters(struct lore_cli *cli, const struct lore_json *row, const struct lore_json *dims)
{
    const struct lore_json *params = lore_json_get(row, "params");
    const char *out = "";
    size_t n = 0;

    for (const struct lore_json *p = params ? params->child : NULL; p; p = p->next) {
        if (is_given(cli, dims, p) || n++ >= PARAMETERS)
            continue;
        out = lore_format(cli->arena, "%s%s%s=%s", out, *out ? " " : "",
            lore_print_clean(cli, p->key), value_text(cli, p));
    }
    return n > PARAMETERS ? lore_format(cli->arena, "%s and %zu more", out, n - PARAMETERS) : out;
}

/* Parameters of ROW that differ from BASE: "tile_size_x=2 use_shmem=1, no unroll". */
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
        out = lore_format(cli->arena, "%s%s%s=%s", out, *out ? " " : "",
            lore_print_clean(cli, p->key), value_text(cli, p));
    }
    for (const struct lore_json *o = other ? other->child : NULL; o && params; o = o->next)
        if (!lore_json_get(params, o->key))
            out = lore_format(
                cli->arena, "%s%sno %s", out, *out ? ", " : "", lore_print_clean(cli, o->key));
    return out;
}

/* "softmax_cuda:v4" of a version with a label. "" when PARAMS are shown and the label only repeats
 * them, as in a search. */
static const char *
show_name(struct lore_cli *cli, const struct lore_json *row, bool params)
{
    const char *label = lore_answer_text(row, "label"),
               *kernel = lore_answer_text(row, "kernel_name");

    if (params && (!label || strchr(label, '=')))
        return "";
    return lore_format(cli->arena, "%s%s%s", kernel ? lore_print_clean(cli, kernel) : "",
        kernel && label ? ":" : "", label ? lore_print_clean(cli, label) : "");
}

/* Describe a version by its difference from BASE, which the text calls NAMED ("the first"); BASE
 * may be NULL. */
static const char *
show_version(struct lore_cli *cli, const struct lore_json *row, const struct lore_json *base,
    const char *named, const struct lore_json *dims)
{
    const char *what = parameters(cli, row, dims);
    const char *name = show_name(cli, row, *what != '\0');

    if (!*name && base && base != row && lore_json_get(base, "params")) {
        const char *less = different(cli, row, base);
        if (*less)
            return lore_format(cli->arena, "%s, with %s", named, less);
    }
    what = lore_format(cli->arena, "%s%s%s", name, *name && *what ? " " : "", what);
    return *what ? what : "a version without a name";
}

/* ". Version softmax_cuda:v4", or its id; "" when the text NAMED it already. ". Configuration 17 of
 * sweep 01J…" when no version has the parameters. */
static const char *
show_id(struct lore_cli *cli, const struct lore_json *row, bool named)
{
    const char *version = lore_answer_text(row, "version"), *sweep = lore_answer_text(row, "sweep");
    const char *name = lore_answer_text(row, "kernel_name") ? show_name(cli, row, true) : "";

    if (!version && sweep)
        return lore_format(cli->arena, ". Configuration %lld of sweep %s",
            lore_answer_int(row, "configuration"), sweep);
    if (*name)
        return named ? "" : lore_format(cli->arena, ". Version %s", name);
    return lore_format(cli->arena, ". Version %s", version ? version : "unknown");
}

static const struct lore_json *
dims_of(const struct lore_json *root)
{
    return lore_json_get(lore_json_get(lore_json_get(root, "place"), "workload"), "dims");
}

static const char *
show_range(struct lore_cli *cli, const struct lore_json *v)
{
    double value = 0, low = 0, high = 0;

    lore_answer_number(v, "value", &value);
    lore_answer_number(v, "low", &low);
    lore_answer_number(v, "high", &high);
    return lore_format(cli->arena, "%.2f of the best (%.2f-%.2f)", value, low, high);
}

/* "a6000 0.98, a100 0.97, mi250x fails". HERE is the chip of the question. Evidence from that chip
 * is of another workload, and the text says so. */
static const char *
show_from(struct lore_cli *cli, const struct lore_json *from, const char *here)
{
    const char *out = "";
    size_t n = 0;

    for (const struct lore_json *f = from ? from->child : NULL; f && n < 4; f = f->next, n++) {
        double fraction = 0;
        const char *chip = lore_print_clean(cli, lore_answer_text(f, "chip"));
        if (here && lore_streq(lore_answer_text(f, "chip"), here))
            chip = lore_format(cli->arena, "another workload (%s)", chip);
        lore_answer_number(f, "fraction", &fraction);
        out = lore_answer_true(f, "failed")
                  ? lore_format(cli->arena, "%s%s%s fails", out, n ? ", " : "", chip)
                  : lore_format(cli->arena, "%s%s%s %.2f", out, n ? ", " : "", chip, fraction);
    }
    return out;
}

static const char *
show_risk(struct lore_cli *cli, const struct lore_json *row)
{
    double p = 0;

    return lore_answer_number(row, "p_fail", &p) && p >= 0.05
               ? lore_format(cli->arena, "; may fail (%.0f %%)", p * 100)
               : "";
}

/* Whether nobody measured the time of ROW. */
static bool
is_stated(const struct lore_json *row)
{
    return lore_streq(lore_answer_text(row, "evidence"), "claimed");
}

static const char *
show_expected(struct lore_cli *cli, const struct lore_json *row, const struct lore_json *root)
{
    const char *here = lore_answer_text(lore_json_get(root, "place"), "chip");
    const char *from = show_from(cli, lore_json_get(row, "from"), here);
    double ns;

    if (lore_answer_true(row, "measured_here"))
        return lore_format(cli->arena, "the best %s here%s%s, about %s%s",
            is_stated(row) ? "stated" : "measured",
            lore_answer_number(row, "time_ns", &ns) ? ": " : "",
            lore_answer_number(row, "time_ns", &ns) ? lore_answer_show_ns(cli, ns) : "",
            show_range(cli, lore_json_get(row, "fraction")), show_risk(cli, row));
    return lore_format(cli->arena, "expect %s%s%s%s",
        show_range(cli, lore_json_get(row, "fraction")), *from ? "; on " : "", from,
        show_risk(cli, row));
}

/* "Start from (for M=4096, the shape with the most results)" */
static const char *
start_title(struct lore_cli *cli, const struct lore_json *place)
{
    const char *label = lore_answer_text(lore_json_get(place, "workload"), "label");

    return label && lore_answer_true(place, "workload_assumed")
               ? lore_format(cli->arena, "Start from  (for %s, the shape with the most results)",
                     lore_print_clean(cli, label))
               : "Start from";
}

static void
take_starts(struct lore_cli *cli, struct lore_screen *screen, const struct lore_json *root)
{
    const struct lore_json *list = lore_json_get(root, "start");
    const char *title = start_title(cli, lore_json_get(root, "place"));
    int n = 0;

    for (const struct lore_json *s = list ? list->child : NULL; s && n < STARTS; s = s->next, n++) {
        lore_print_wrapped(cli, lore_format(cli->arena, "%2d. ", n + 1), 4,
            lore_format(cli->arena, "%s: %s%s",
                show_version(cli, s, list->child, "the first", dims_of(root)),
                show_expected(cli, s, root), show_id(cli, s, true)));
        lore_screen_take(cli, screen, title, start_ranks[n]);
    }
}

static const char *
show_move(struct lore_cli *cli, const struct lore_json *m)
{
    const struct lore_json *p = lore_json_get(m, "p_win"), *g = lore_json_get(m, "gain");
    double win = 0, gain = 1, low = 0, high = 0;
    const char *title = lore_print_clean(cli, lore_answer_text(m, "title"));
    bool named = title && !lore_streq(title, lore_answer_text(m, "parameter"));

    lore_answer_number(p, "value", &win);
    lore_answer_number(g, "value", &gain);
    lore_answer_number(g, "low", &low);
    lore_answer_number(g, "high", &high);
    return lore_format(cli->arena,
        "%s %s -> %s%s%s%s: wins %.0f %%, expect %s (%.2f-%.2fx); %s%s%s",
        lore_print_clean(cli, lore_answer_text(m, "parameter")),
        value_text(cli, lore_json_get(m, "from")), value_text(cli, lore_json_get(m, "to")),
        named ? " (" : "", named ? title : "", named ? ")" : "", win * 100,
        lore_answer_show_factor(cli, gain), low, high,
        lore_streq(lore_answer_text(m, "reach"), "none") ? "no evidence"
                                                         : lore_answer_text(m, "reach"),
        lore_answer_true(m, "abstains") ? ", little evidence" : "", show_risk(cli, m));
}

/* Why no change is listed, though a version was asked about. */
static const char *
no_moves(const struct lore_json *root)
{
    const struct lore_json *chip = lore_json_get(lore_json_get(root, "question"), "chip");

    if (!lore_answer_text(chip, "name"))
        return "The effect of a parameter depends on the chip: name it with --chip.";
    return "No known version differs from it in exactly one parameter.";
}

/* "num_stages 2 -> 3 (Multi-stage pipeline): wins 12 %. num_stages is 2 now; 4 did not compile" */
static const char *
show_tune(struct lore_cli *cli, const struct lore_json *t)
{
    const char *parameter = lore_print_clean(cli, lore_answer_text(t, "parameter"));
    const char *title = lore_print_clean(cli, lore_answer_text(t, "title"));
    const char *why = lore_print_clean(cli, lore_answer_text(t, "why"));
    const struct lore_json *to = lore_json_get(t, "to");
    double win = 0;

    if (lore_json_get(t, "reach"))
        return show_move(cli, t);
    lore_answer_number(lore_json_get(t, "p_win"), "value", &win);
    const char *what =
        to ? lore_format(cli->arena, "%s %s -> %s (%s)", parameter,
                 value_text(cli, lore_json_get(t, "from")), value_text(cli, to), title)
           : lore_format(cli->arena, "%s%s%s", parameter ? parameter : "another value of ",
                 parameter ? " of " : "", title);
    return lore_format(cli->arena, "%s: wins %.0f %%. %s", what, win * 100, why ? why : "");
}

static const char moves_title[] = "Change a value",
                  no_gain_title[] = "Change a value  (none is expected to gain)";

static bool
gains(const struct lore_json *m)
{
    double gain = 0;

    return !lore_json_get(m, "gain") ||
           (lore_answer_number(lore_json_get(m, "gain"), "value", &gain) && gain > 1);
}

static const char *
title_of_moves(const struct lore_json *list)
{
    for (const struct lore_json *m = list->child; m; m = m->next)
        if (gains(m))
            return moves_title;
    return no_gain_title;
}

/* ASKED: the user named a version. */
static void
take_moves(
    struct lore_cli *cli, struct lore_screen *screen, const struct lore_json *root, bool asked)
{
    const struct lore_json *list = lore_json_get(root, "tune");
    const char *title = list ? title_of_moves(list) : moves_title;
    int n = 0;

    if (!list && asked && !lore_answer_text(root, "start_state")) {
        lore_print_wrapped(cli, "  ", 2, no_moves(root));
        lore_screen_take(cli, screen, title, move_ranks[0]);
    }

    for (const struct lore_json *m = list ? list->child : NULL; m && n < MOVES; m = m->next, n++) {
        lore_print_wrapped(cli, "  - ", 4, show_tune(cli, m));
        /* after the first, a change with little evidence is shown only if there is space */
        lore_screen_take(cli, screen, title,
            n > 0 && lore_answer_true(m, "abstains") ? move_ranks[MOVES - 1] : move_ranks[n]);
    }
}

static void
take_next(struct lore_cli *cli, struct lore_screen *screen, const struct lore_json *root)
{
    const struct lore_json *list = lore_json_get(root, "next"), *dims = dims_of(root),
                           *best = lore_json_get(lore_json_get(root, "place"), "best");
    const struct lore_json *base = best ? best : list->child;
    int n = 0;

    if (!list->child && !lore_answer_text(root, "start_state")) {
        lore_print_wrapped(cli, "  ", 2,
            "Nothing to propose: every known version that can run here has a result here. Make a "
            "new one: `warplore recommend` without --next lists techniques.");
        lore_screen_take(cli, screen, "Measure next", next_ranks[0]);
    }
    if (best && list->child)
        lore_print_wrapped(cli, "  best so far: ", 4,
            lore_format(cli->arena, "%s, %s", show_version(cli, best, NULL, "", dims),
                show_expected(cli, best, root)));
    for (const struct lore_json *r = list->child; r && n < NEXT; r = r->next, n++) {
        const struct lore_json *change = lore_json_get(r, "change");
        const char *what =
            change ? lore_format(cli->arena, "the best so far with %s", show_move(cli, change))
                   : lore_format(cli->arena, "%s: %s",
                         show_version(cli, r, base, best ? "the best so far" : "the first", dims),
                         show_expected(cli, r, root));
        lore_print_wrapped(cli, lore_format(cli->arena, "%2d. ", n + 1), 4,
            lore_format(cli->arena, "%s%s", what, show_id(cli, r, !change)));
        lore_screen_take(cli, screen, "Measure next", next_ranks[n]);
    }
}

static void
print_lineage(struct lore_cli *cli, const struct lore_json *l)
{
    long long attempts = lore_answer_int(l, "attempts"), since = lore_answer_int(l, "since_gain");
    long long recent = lore_answer_int(l, "recent"),
              broken = lore_answer_int(l, "recent_not_built");
    const char *line;

    if (attempts == 0)
        return;
    line = lore_answer_true(l, "gained")
               ? lore_format(cli->arena, "%s since the last gain",
                     lore_answer_show_count(cli, since, "attempt", "attempts"))
               : lore_format(cli->arena, "%s, none gained",
                     lore_answer_show_count(cli, attempts, "attempt", "attempts"));
    if (broken > 0)
        line = lore_format(
            cli->arena, "%s; %lld of the last %lld did not build", line, broken, recent);
    lore_print_wrapped(cli, "Its lineage: ", 4, lore_format(cli->arena, "%s.", line));
}

void
lore_command_print_level(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *knowledge = lore_json_get(root, "knowledge");
    const char *level = lore_answer_text(knowledge, "level"),
               *why = lore_answer_text(knowledge, "why");

    if (level && why && !lore_streq(level, "exact") && !lore_streq(level, "none"))
        lore_print_wrapped(cli,
            lore_streq(level, "far") ? "Weak evidence: " : "Indirect evidence: ", 4,
            lore_format(cli->arena, "%s.", why));
    print_lineage(cli, lore_json_get(root, "lineage"));
}

/* "memory.register_cache (v2), compute.fast_exp (v4)": the techniques that the version has, or with
 * OUT those that a version removed again. */
static const char *
show_techniques(struct lore_cli *cli, const struct lore_json *about, bool out)
{
    const struct lore_json *list = lore_json_get(about, "techniques");
    const char *text = "";

    for (const struct lore_json *t = list ? list->child : NULL; t; t = t->next) {
        const char *name = lore_print_clean(cli, lore_answer_text(t, "name"));
        const char *label = lore_answer_text(t, out ? "out_label" : "label");

        if ((lore_answer_text(t, "out_version") != NULL) != out)
            continue;
        text = lore_format(cli->arena, "%s%s%s", text, *text ? ", " : "", name);
        if (label)
            text = lore_format(cli->arena, "%s (%s)", text, lore_print_clean(cli, label));
    }
    return text;
}

/* "the best on h200 for rows=8192 cols=4096 f32, 62.3 us" */
static const char *
show_standing(struct lore_cli *cli, const struct lore_json *about)
{
    const char *by = lore_answer_text(about, "by"), *chip = lore_answer_text(about, "chip");
    const char *workload = lore_answer_text(about, "workload_label");
    double ns;

    if (!chip)
        return "";
    const char *text = lore_format(cli->arena, ", the best %son %s",
        is_stated(about) ? "" : "measured ", lore_print_clean(cli, chip));
    if (workload)
        text = lore_format(cli->arena, "%s for %s", text, lore_print_clean(cli, workload));
    if (lore_streq(by, "other_shape"))
        text = lore_format(cli->arena, "%s (nothing ran on the asked shape)", text);
    if (lore_streq(by, "other_chip"))
        text = lore_format(cli->arena, "%s (nothing ran on the asked chip)", text);
    if (lore_answer_number(about, "time_ns", &ns))
        text = lore_format(cli->arena, "%s: %s%s", text, lore_answer_show_ns(cli, ns),
            is_stated(about) ? ", as stated" : "");
    return text;
}

/* "at 89 % of what memory allows: at most 1.12x" */
static void
print_headroom(struct lore_cli *cli, const struct lore_json *about)
{
    const struct lore_json *h = lore_json_get(about, "headroom");
    const char *bound = lore_answer_text(h, "bound");
    double fraction, at_most;

    if (!bound || !lore_answer_number(h, "fraction", &fraction) ||
        !lore_answer_number(h, "at_most", &at_most))
        return;
    lore_print_wrapped(cli, "  Headroom: ", 4,
        fraction > 1
            ? lore_format(cli->arena,
                  "none that is known: it ran at %.0f %% of what %s allows, so the work, the time "
                  "or the peak is wrong.",
                  fraction * 100, lore_print_clean(cli, bound))
            : lore_format(cli->arena, "it runs at %.0f %% of what %s allows: at most %.2fx.%s",
                  fraction * 100, lore_print_clean(cli, bound), at_most,
                  lore_answer_true(about, "done") ? " Stop here: a gain above 5 % is not possible."
                                                  : ""));
}

/* The version that the advice is about, and what it has already. */
static void
take_about(struct lore_cli *cli, struct lore_screen *s, const struct lore_json *about)
{
    const char *has = show_techniques(cli, about, false), *out = show_techniques(cli, about, true);
    const char *name = lore_answer_text(about, "kernel_name");
    const char *label = lore_answer_text(about, "label");

    lore_print_wrapped(cli, "  ", 2,
        lore_format(cli->arena, "%s%s%s%s.", name ? lore_print_clean(cli, name) : "version",
            label ? " " : "", label ? lore_print_clean(cli, label) : "",
            show_standing(cli, about)));
    print_headroom(cli, about);
    if (*has)
        lore_print_wrapped(cli, "  Already in it: ", 4, lore_format(cli->arena, "%s.", has));
    if (*out)
        lore_print_wrapped(cli, "  Taken out again: ", 4, lore_format(cli->arena, "%s.", out));
    lore_screen_take(cli, s, "The advice is about", 0);
}

/* Whether the first forecast only repeats the version that the advice is about. */
static bool
repeats_about(const struct lore_json *root, const struct lore_json *about)
{
    const struct lore_json *start = lore_json_get(root, "start");

    return lore_streq(lore_answer_text(about, "by"), "champion") && start && start->child &&
           lore_streq(
               lore_answer_text(start->child, "version"), lore_answer_text(about, "version"));
}

void
lore_recommend_add_start(
    struct lore_cli *cli, struct lore_screen *s, const struct lore_json *root, bool version)
{
    const char *state = lore_answer_text(root, "start_state");
    if (state) {
        lore_print_wrapped(cli, "  ", 2,
            lore_streq(state, "behind")
                ? "A record was retracted or came back, and the versions do not show it yet: ask "
                  "again in a few seconds."
                : "The service has just started and has not read all versions yet: ask again in a "
                  "few seconds.");
        lore_screen_take(cli, s, start_title(cli, lore_json_get(root, "place")), 0);
    }
    const struct lore_json *next = lore_json_get(root, "next");
    if (next)
        take_next(cli, s, root);
    const struct lore_json *about = lore_json_get(root, "about");
    if (about && about->child)
        take_about(cli, s, about);
    if ((!next || !next->child) && !repeats_about(root, about))
        take_starts(cli, s, root);
    take_moves(cli, s, root, version);
}
