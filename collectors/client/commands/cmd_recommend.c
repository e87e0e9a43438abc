/* Prints advice: what to try, how sure that is and why, what to avoid, what nobody tried yet.
 * The numbers come from the service; only the words are made here. */
#include <string.h>

#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/commands/recommend_start.h"
#include "collectors/client/report/quantity.h"
#include "collectors/client/screen/print.h"
#include "service/base/text.h"

const struct lore_opt lore_recommend_opts[] = {
    LORE_OPT_OPERATOR,
    LORE_OPT_LANGUAGE,
    LORE_OPT_CHIP,
    LORE_OPT_BOTTLENECK,
    LORE_OPT_DIMS,
    LORE_OPT_DTYPE,
    LORE_OPT_LAYOUT,
    LORE_OPT_LIMIT,
    {"with-masked", 0, NULL, false, "Also use masked experiments"},
    LORE_OPT_RUN,
    LORE_OPT_VERSION,
    {"next", 0, NULL, false, "What to measure next on the chip"},
    LORE_OPT_EVIDENCE,
    {"min-effective-n", 0, "N", false, "Only techniques with evidence worth N experiments or more"},
    {"explain", 0, NULL, false,
        "How each level of evidence changed the odds; with --json: everything"},
    {"method", 0, "NAME", false, "seed-score: rank experiments by the points of kernel-opt-skill"},
    {NULL, 0, NULL, false, NULL},
};

/* One screen: what does not fit is left out by rank (screen.h), unless a number was asked for. */
enum {
    SCREEN_LINES = 39,
    LONG_LIST = 4,
    TRAPS = 3,
    CITED = 2,                /* experiments under a technique */
    FEW_WITHOUT_EVIDENCE = 2, /* techniques shown when nothing is known */
    /* trials that show a tuning search: at least this many, and half as many per shape */
    SEARCH_TRIALS = 100,
    /* smallest effect of a next experiment, in percentage points, that is worth printing */
    LEAST_CHANGE = 5,
};
static const int head_ranks[LONG_LIST] = {2, 9, 15, 22}, cited_ranks[LONG_LIST] = {11, 17, 24, 25},
                 trap_ranks[TRAPS] = {7, 14, 18}, untried_ranks[TRAPS] = {20, 21, 23},
                 lesson_ranks[] = {10, 16};
enum { RANK_WHY = 3, RANK_TEST = 8, RANK_NOTE = 23 };

/* The I-th of N ranks; items beyond the N-th get the last rank. */
static int
rank_of(const int *ranks, size_t n, long long i)
{
    return ranks[i < (long long)n ? i : (long long)n - 1];
}
#define RANK(ranks, i) rank_of(ranks, sizeof(ranks) / sizeof *(ranks), i)

/* "1.30x (1.00-1.90x)" */
static const char *
show_gain(struct lore_cli *cli, const struct lore_json *gain)
{
    double v, low, high;

    if (!lore_answer_number(gain, "value", &v))
        return NULL;
    if (!lore_answer_number(gain, "low", &low) || !lore_answer_number(gain, "high", &high))
        return lore_answer_show_factor(cli, v);
    return lore_format(cli->arena, "%s (%.2f-%.2fx)", lore_answer_show_factor(cli, v), low, high);
}

/* "70 % (40-90 %)" */
static const char *
show_odds(struct lore_cli *cli, const struct lore_json *a)
{
    const struct lore_json *p = lore_json_get(a, "p_win");
    double v, low, high;

    if (!lore_answer_number(p, "value", &v))
        return NULL;
    if (lore_answer_true(a, "hardly_known"))
        return lore_format(cli->arena, "%.0f %% (hardly known)", v * 100);
    if (!lore_answer_number(p, "low", &low) || !lore_answer_number(p, "high", &high))
        return lore_format(cli->arena, "%.0f %%", v * 100);
    return lore_format(cli->arena, "%.0f %% (%.0f-%.0f %%)", v * 100, low * 100, high * 100);
}

/* "tried 3 times: 2 won, 1 lost" */
static const char *
show_record(struct lore_cli *cli, const struct lore_json *a)
{
    static const struct {
        const char *key, *word;
    } parts[] = {{"won", "won"}, {"neutral", "no gain"}, {"lost", "lost"},
        {"inconclusive", "inconclusive"}, {"not_measured", "not measured"}};
    long long tried = lore_answer_int(a, "tried");
    const char *out;
    bool first = true;

    if (tried == 0)
        return "never tried";
    if (tried >= SEARCH_TRIALS)
        return lore_format(cli->arena, "won %lld of %lld", lore_answer_int(a, "won"), tried);
    if (tried > 1 && lore_answer_int(a, "won") == tried)
        return tried == 2 ? "won both times" : lore_format(cli->arena, "won all %lld times", tried);
    if (tried > 1 && lore_answer_int(a, "lost") == tried)
        return tried == 2 ? "lost both times"
                          : lore_format(cli->arena, "lost all %lld times", tried);
    if (tried > 1 && lore_answer_int(a, "neutral") == tried)
        return tried == 2 ? "no gain both times"
                          : lore_format(cli->arena, "no gain all %lld times", tried);
    out = lore_format(cli->arena, "tried %s",
        tried == 1 ? "once" : lore_answer_show_count(cli, tried, "time", "times"));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        long long n = lore_answer_int(a, parts[i].key);
        if (n == 0)
            continue;
        out = tried == 1 ? lore_format(cli->arena, "%s: %s", out, parts[i].word)
                         : lore_format(cli->arena, "%s%s %lld %s", out, first ? ":" : ",", n,
                               parts[i].word);
        first = false;
    }
    return out;
}

static const char *
show_travel(struct lore_cli *cli, const struct lore_json *a)
{
    const struct lore_json *travel = lore_json_get(a, "travel");
    const char *nearest = lore_answer_text(travel, "nearest");
    const char *where = lore_answer_true(a, "same_operator") ? "this operator"
                        : lore_answer_true(a, "same_family") ? "the same family"
                                                             : "other operators";

    double here;

    if (!nearest)
        return where;
    /* the near chip and the same operator are from different experiments: name both */
    if (lore_answer_true(a, "same_operator") && lore_answer_number(a, "tried_here", &here) &&
        here == 0 && (lore_streq(nearest, "same chip") || lore_streq(nearest, "same ISA")))
        return lore_format(
            cli->arena, "this operator on other chips, other operators on the %s", nearest);
    if (strcmp(nearest, "not recorded") == 0 || strcmp(nearest, "unknown") == 0) {
        /* without a chip in the question every distance is unknown: print none */
        const struct lore_json *evidence = lore_json_get(a, "evidence");
        return evidence && evidence->child && lore_answer_text(evidence->child, "chip")
                   ? where
                   : lore_format(cli->arena, "%s, chip not recorded", where);
    }
    return lore_format(cli->arena, "%s, %s", where, nearest);
}

/* One line for an experiment: id, what happened, where. */
static void
print_cited(struct lore_cli *cli, const char *indent, const struct lore_json *e)
{
    const char *fact = lore_answer_show_outcome(cli, e);
    const char *where =
        lore_answer_text(e, "chip") ? lore_answer_text(e, "chip") : "chip not recorded";

    fact = fact ? fact : "not measured";
    if (lore_answer_text(e, "share"))
        fact = lore_format(cli->arena, "%s, but %s", fact,
            lore_streq(lore_answer_text(e, "share"), "inert")
                ? "as fast without the technique"
                : "its machine code does not show the technique");
    const char *line =
        lore_format(cli->arena, "%s: %s on %s [%s], %s", fact, lore_answer_text(e, "operator"),
            where, lore_answer_text(e, "language"), lore_answer_text(e, "evidence"));
    long long years = lore_answer_int(e, "years_older");
    if (years > 0)
        line = lore_format(
            cli->arena, "%s, %s older", line, lore_answer_show_count(cli, years, "year", "years"));
    const char *id = lore_answer_text(e, "experiment");
    lore_print_wrapped(cli, lore_format(cli->arena, "%s%s  ", indent, id ? id : "?"),
        (int)strlen(indent) + 28, line);
}

/* At most MOST rows of EVIDENCE: its first win, which supports the advice, then the others in
 * their order. Returns how many. */
static size_t
pick_cited(const struct lore_json *evidence, size_t most, const struct lore_json **out)
{
    const struct lore_json *all = evidence ? evidence->child : NULL, *win = all;
    size_t n = 0;

    while (win && !lore_streq(lore_report_effect(win), "win"))
        win = win->next;
    if (win)
        out[n++] = win;
    for (const struct lore_json *e = all; e && n < most; e = e->next)
        if (e != win)
            out[n++] = e;
    return n;
}

/* "; slowest 0.80x over 3 shapes" of a technique that was tried more than once; "" otherwise. */
static const char *
show_range(struct lore_cli *cli, const struct lore_json *a)
{
    double worst, expected;

    if (lore_answer_int(a, "tried") < 2 ||
        !lore_answer_number(lore_json_get(a, "worst"), "speedup", &worst))
        return "";
    if (lore_answer_number(lore_json_get(a, "gain"), "value", &expected) && worst > expected)
        return ""; /* evidence from elsewhere lowers the expectation below all results */
    return lore_format(cli->arena, "; slowest %s%s%s", lore_answer_show_factor(cli, worst),
        lore_answer_int(a, "workloads") > 0 ? " over " : "",
        lore_answer_int(a, "workloads") > 0
            ? lore_answer_show_count(cli, lore_answer_int(a, "workloads"), "shape", "shapes")
            : "");
}

/* Whether nearly all trials of A are steps of tuning searches, because there are many per shape. */
static bool
is_search(const struct lore_json *a)
{
    long long tried = lore_answer_int(a, "tried"), shapes = lore_answer_int(a, "workloads");

    return tried >= SEARCH_TRIALS && shapes > 0 && tried >= shapes * SEARCH_TRIALS / 2;
}

/* "all experiments 46 % -> this operator 57 % (weight 0.7)": the probability after each
 * level of evidence, with its weight in experiments. */
static void
print_steps(struct lore_cli *cli, const struct lore_json *a)
{
    const struct lore_json *steps = lore_json_get(a, "steps");
    const char *out = "";
    double won, lost;

    for (const struct lore_json *s = steps ? steps->child : NULL; s; s = s->next) {
        double p = 0, weight = 0;
        lore_answer_number(s, "p_win", &p);
        lore_answer_number(s, "weight", &weight);
        out = lore_format(cli->arena, "%s%s%s %.0f %%", out, *out ? " -> " : "",
            lore_print_clean(cli, lore_answer_text(s, "level")), p * 100);
        if (weight > 0)
            out = lore_format(cli->arena, "%s (weight %.3g)", out, weight);
    }
    if (*out && lore_answer_number(a, "if_won", &won) && lore_answer_number(a, "if_lost", &lost))
        out = lore_format(cli->arena,
            "%s; after one more win %.0f %%, after any other result %.0f %%", out, won * 100,
            lost * 100);
    if (*out)
        lore_print_wrapped(cli, "    odds: ", 6, lore_format(cli->arena, "%s.", out));
}

static void
print_head(struct lore_cli *cli, const struct lore_json *a, long long rank, bool explain)
{
    const char *gain = show_gain(cli, lore_json_get(a, "gain"));
    const char *odds = show_odds(cli, a);
    const char *for_what = lore_answer_join(cli, lore_json_get(a, "against"), " or ");
    const char *why = lore_answer_text(a, "why");
    bool explained = rank == 1 && why && *why; /* the sentence counts the trials itself */

    lore_buf_printf(&cli->out, "%2lld. %s", rank,
        lore_print_styled(cli, LORE_BOLD, lore_print_clean(cli, lore_answer_text(a, "technique"))));
    if (lore_answer_text(a, "title") &&
        !lore_streq(lore_answer_text(a, "title"), lore_answer_text(a, "technique")))
        lore_buf_printf(&cli->out, "  %s", lore_print_clean(cli, lore_answer_text(a, "title")));
    lore_buf_putc(&cli->out, '\n');
    const char *line = lore_format(cli->arena, "wins %s%s%s; %s%s%s%s%s%s", odds ? odds : "?",
        gain ? ", expect " : "", gain ? gain : "", explained ? "" : show_record(cli, a),
        explained ? "" : "; ", show_travel(cli, a),
        *for_what && !explained
            ? lore_format(cli->arena, "; meant for %s, not for the bottleneck here", for_what)
            : "",
        lore_answer_true(a, "contested") ? "; mixed results" : "", show_range(cli, a));
    lore_print_wrapped(cli, "    ", 4, line);
    if (explain)
        print_steps(cli, a);
}

static void
take_advice(struct lore_cli *cli, struct lore_screen *s, const struct lore_json *a, long long n,
    bool explain)
{
    static const char title[] = "Worth trying";
    const struct lore_json *cited[CITED];
    const char *why = lore_answer_text(a, "why");
    size_t n_cited = pick_cited(lore_json_get(a, "evidence"),
        n == 0 || lore_answer_true(a, "contested") ? CITED : 1, cited);

    print_head(cli, a, n + 1, explain);
    lore_screen_take(cli, s, title, RANK(head_ranks, n));
    if (n == 0 && why && *why)
        lore_print_wrapped(cli, "    ", 4, why);
    if (is_search(a))
        lore_print_wrapped(cli, "    ", 4,
            lore_format(cli->arena,
                "Nearly all trials are steps of tuning searches, on %s: the odds are for one more "
                "step.",
                lore_answer_show_count(cli, lore_answer_int(a, "workloads"), "shape", "shapes")));
    lore_screen_take(cli, s, title, n == 0 ? RANK_WHY : RANK(head_ranks, n));
    for (size_t i = 0; i < n_cited; i++) {
        print_cited(cli, "      ", cited[i]);
        lore_screen_take(cli, s, title, RANK(cited_ranks, n) + (i > 0 ? 12 : 0));
    }
}

/* Insights that people recorded for this operator or technique: at most two. */
static void
take_lessons(struct lore_cli *cli, struct lore_screen *s, const struct lore_json *list)
{
    long long n = 0;

    for (const struct lore_json *i = list ? list->child : NULL; i && n < 2; i = i->next, n++) {
        const char *id = lore_answer_text(i, "id"), *kind = lore_answer_text(i, "kind");
        const char *title = lore_answer_text(i, "title") ? lore_answer_text(i, "title")
                                                         : lore_answer_text(i, "body");
        const char *word =
            lore_streq(kind, "anti_strategy") ? "trap" : lore_answer_show_word(cli, kind);
        lore_print_wrapped(cli, lore_format(cli->arena, "  %s  ", id ? id : "?"), 4,
            lore_format(cli->arena, "%s: %s", word ? word : "note", title ? title : ""));
        lore_screen_take(cli, s, "Insights", RANK(lesson_ranks, n));
    }
}

/* " (use_shmem: 1 -> 0)": the title of E, if the technique is only a parameter's name and the title
 * begins with it. The name alone does not tell the direction of the change. */
static const char *
show_what(struct lore_cli *cli, const struct lore_json *a, const struct lore_json *e)
{
    const char *name = lore_answer_text(a, "technique"),
               *title = e ? lore_answer_text(e, "title") : NULL;

    if (!name || !title || !lore_streq(name, lore_answer_text(a, "title")) ||
        !lore_starts(title, name) || lore_streq(title, name))
        return "";
    return lore_format(cli->arena, " (%s)", lore_print_clean(cli, title));
}

static void
take_avoid(struct lore_cli *cli, struct lore_screen *s, const struct lore_json *list,
    long long limit, bool explain)
{
    long long n = 0;

    for (const struct lore_json *a = list ? list->child : NULL; a && n < limit; a = a->next, n++) {
        const struct lore_json *evidence = lore_json_get(a, "evidence");
        const struct lore_json *e = evidence ? evidence->child : NULL;
        const char *why = lore_answer_text(a, "why");
        if (!why || !*why)
            why = lore_format(cli->arena, "%s (%s).", show_record(cli, a), show_travel(cli, a));
        const char *line = lore_format(cli->arena, "%s%s%s%s", why, e ? " See " : "",
            e && lore_answer_text(e, "experiment") ? lore_answer_text(e, "experiment") : "",
            show_what(cli, a, e));
        const char *name = lore_format(
            cli->arena, "  - %s: ", lore_print_clean(cli, lore_answer_text(a, "technique")));
        lore_print_wrapped(cli, name, 4, line);
        if (explain)
            print_steps(cli, a);
        lore_screen_take(cli, s, "Avoid", RANK(trap_ranks, n));
    }
}

static void
take_untried(
    struct lore_cli *cli, struct lore_screen *s, const struct lore_json *list, long long limit)
{
    long long n = 0;

    for (const struct lore_json *a = list ? list->child : NULL; a && n < limit; a = a->next, n++) {
        const char *text = lore_answer_text(a, "summary") ? lore_answer_text(a, "summary")
                                                          : lore_answer_text(a, "title");
        const char *name = lore_format(
            cli->arena, "  - %s: ", lore_print_clean(cli, lore_answer_text(a, "technique")));
        lore_print_wrapped(cli, name, 4, text ? text : "");
        lore_screen_take(cli, s, "Not tried yet", RANK(untried_ranks, n));
    }
}

/* Prints the experiment that would change the ranking most, unless its effect is too small.
 * Where NOTHING is known, that is a baseline. */
static void
take_useful_test(
    struct lore_cli *cli, struct lore_screen *s, const struct lore_json *test, bool nothing)
{
    const char *why = test ? lore_answer_text(test, "why") : NULL;
    double won = 0, lost = 0;

    if (why && lore_answer_number(test, "if_won", &won) &&
        lore_answer_number(test, "if_lost", &lost) && (won - lost) * 100 < LEAST_CHANGE)
        why = NULL;
    if (nothing)
        lore_print_wrapped(cli, "  ", 2,
            "Record the unchanged kernel first (warplore run): later results are compared with "
            "it.");
    if (why)
        lore_print_wrapped(cli, "  ", 2, why);
    lore_screen_take(
        cli, s, nothing ? "Measure first" : "Most useful test", nothing ? 1 : RANK_TEST);
}

static void
print_question(struct lore_cli *cli, const struct lore_json *q)
{
    const struct lore_json *chip = lore_json_get(q, "chip");
    const char *op = lore_answer_text(q, "operator"), *family = lore_answer_text(q, "family");
    const char *labels = lore_answer_join(cli, lore_json_get(q, "bottleneck"), "+");
    const char *line = op ? op : "any operator";

    if (op && family && !lore_streq(op, family))
        line = lore_format(cli->arena, "%s (%s)", line, family);
    if (lore_answer_text(q, "language"))
        line = lore_format(cli->arena, "%s in %s", line, lore_answer_text(q, "language"));
    if (lore_answer_text(chip, "name"))
        line = lore_format(cli->arena, "%s on %s", line, lore_answer_text(chip, "name"));
    if (*labels)
        line = lore_format(cli->arena, "%s, %s-bound", line, labels);
    lore_buf_printf(
        &cli->out, "%s\n", lore_print_styled(cli, LORE_BOLD, lore_print_clean(cli, line)));
}

struct showing {
    long long limit;       /* techniques per list */
    bool number;           /* the user gave --number, so everything is shown */
    bool explain, version; /* asked for */
    const char *least;     /* value of --min-n; NULL: any */
};

static void
take_worth_trying(struct lore_cli *cli, struct lore_screen *s, const struct lore_json *root,
    struct showing how, bool nothing)
{
    const struct lore_json *advice = lore_json_get(root, "advice"),
                           *transfer = lore_json_get(root, "transfer");
    long long n = 0, limit = nothing && !how.number && how.limit > FEW_WITHOUT_EVIDENCE
                                 ? FEW_WITHOUT_EVIDENCE
                                 : how.limit;

    if (how.least && !(advice && advice->child)) {
        lore_print_wrapped(cli, "  ", 2,
            lore_format(cli->arena, "No technique that won has evidence worth %s experiments.",
                lore_print_clean(cli, how.least)));
        lore_screen_take(cli, s, "Worth trying", RANK_WHY);
    }
    for (const struct lore_json *a = advice ? advice->child : NULL; a && n < limit; a = a->next)
        take_advice(cli, s, a, n++, how.explain);
    for (const struct lore_json *t = transfer ? transfer->child : NULL; t; t = t->next) {
        lore_print_wrapped(cli, "  note: ", 4, lore_answer_text(t, "note"));
        lore_screen_take(cli, s, "Worth trying", RANK_NOTE);
    }
}

static void
print_answer(struct lore_cli *cli, const struct lore_json *root, struct showing how)
{
    const char *summary = lore_answer_text(root, "summary");
    bool nothing = lore_streq(lore_answer_text(lore_json_get(root, "knowledge"), "level"), "none");
    long long others = how.number ? how.limit : TRAPS;
    struct lore_screen s = {0};

    print_question(cli, lore_json_get(root, "question"));
    lore_print_wrapped(cli, "", 0, summary ? summary : "There is no evidence about this.");
    lore_command_print_level(cli, root);
    lore_screen_take(cli, &s, NULL, 0);
    lore_recommend_add_start(cli, &s, root, how.version);
    if (!nothing && lore_answer_text(root, "stop")) {
        lore_print_wrapped(cli, "  ", 2, lore_answer_text(root, "stop"));
        lore_screen_take(cli, &s, "Worth trying", RANK_WHY);
    }
    if (nothing)
        take_useful_test(cli, &s, lore_json_get(root, "telling"), true);
    take_worth_trying(cli, &s, root, how, nothing);
    if (!nothing)
        take_useful_test(cli, &s, lore_json_get(root, "telling"), false);
    take_avoid(cli, &s, lore_json_get(root, "avoid"), others, how.explain);
    take_lessons(cli, &s, lore_json_get(root, "insights"));
    take_untried(cli, &s, lore_json_get(root, "untried"), others);
    lore_cmd_print_advice_id(cli, root);
    lore_screen_take(cli, &s, NULL, 0);
    lore_screen_print(
        cli, &s, how.number ? SIZE_MAX : SCREEN_LINES, "More: -n 10; everything: --json --explain");
}

int
lore_cmd_recommend(struct lore_cli *cli, const struct lore_args *args)
{
    const char *number = lore_args_get(args, "limit");
    struct lore_json *root = NULL;
    struct lore_err err = {0};
    struct lore_query q;
    long long limit = LONG_LIST;

    if (number && lore_parse_i64(number, "--number", &limit, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (limit < 1 || limit > 50)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--number: 1 to 50");
    lore_query_start(&q, "/api/v1/recommend");
    lore_query_add(&q, "kernel", args->words.n > 0 ? args->words.v[0] : NULL);
    lore_query_add(&q, "operator", lore_args_get(args, "operator"));
    lore_query_add(&q, "language", lore_args_get(args, "language"));
    lore_query_add(&q, "chip", lore_args_get(args, "chip"));
    lore_query_add(&q, "bottleneck", lore_args_get(args, "bottleneck"));
    lore_query_add(&q, "dims", lore_args_get(args, "dims"));
    lore_query_add(&q, "dtype", lore_args_get(args, "dtype"));
    lore_query_add(&q, "layout", lore_args_get(args, "layout"));
    lore_query_add(&q, "limit", number);
    lore_query_add(&q, "with_masked", lore_args_has(args, "with-masked") ? "true" : NULL);
    lore_query_add(&q, "run", lore_args_get(args, "run"));
    lore_query_add(&q, "version", lore_args_get(args, "version"));
    lore_query_add(&q, "next", lore_args_has(args, "next") ? "true" : NULL);
    lore_query_add(&q, "evidence", lore_args_get(args, "evidence"));
    lore_query_add(&q, "min_effective_n", lore_args_get(args, "min-effective-n"));
    lore_query_add(&q, "method", lore_args_get(args, "method"));
    if (!lore_args_has(args, "method") && (!cli->json || lore_args_has(args, "explain")))
        lore_query_add(&q, "explain", "true");
    int code = lore_cli_get(cli, &q, &root);
    if (code == LORE_EXIT_OK && !cli->json && lore_args_get(args, "method"))
        lore_command_print_seed_score(cli, root);
    else if (code == LORE_EXIT_OK && !cli->json)
        print_answer(cli, root,
            (struct showing){limit, number != NULL, lore_args_has(args, "explain"),
                lore_args_get(args, "version") != NULL, lore_args_get(args, "min-effective-n")});
    return code;
}
