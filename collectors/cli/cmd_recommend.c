/* Advice as a colleague would give it: what to try, how sure that is and why,
 * what to leave alone, what nobody tried yet. The numbers come from the
 * service; only the words are made here. */
#include <string.h>

#include "commands.h"
#include "print.h"
#include "quantity.h"
#include "recommend_start.h"
#include "text.h"

const struct lore_opt lore_recommend_opts[] = {
    {"kernel", 'k', "OPERATOR", false, NULL, "What is computed: softmax, gemm, topk_softmax"},
    {"operator", 0, "OPERATOR", false, "kernel", "Another spelling of --kernel"},
    {"backend", 'b', "LANGUAGE", false, NULL, "cuda, hip, triton, …"},
    {"language", 0, "LANGUAGE", false, "backend", "Another spelling of --backend"},
    {"chip", 'c', "CHIP", false, NULL, "mi300x, h100-sxm, sm_86, …"},
    {"bottleneck", 0, "LABELS", false, NULL, "What holds it back now: memory, memory+sync, …"},
    {"dims", 'd', "DIMS", false, NULL, "The problem: M=4096,N=4096"},
    {"number", 'n', "N", false, NULL, "Techniques per list (default 4)"},
    {"limit", 0, "N", false, "number", "Another spelling of --number"},
    {"masked", 0, NULL, false, NULL, "Also use masked experiments"},
    {"run", 0, "ID", false, NULL, "Ask for this run: its kernel, chip, workload and bottleneck"},
    {"version", 0, "ID", false, NULL, "Improve this version: which parameters to change"},
    {"next", 0, NULL, false, NULL, "What to measure next on the chip"},
    {"evidence", 0, "CLASS", false, NULL, "At least: confirmed, measured, imported or claimed"},
    {"min-n", 0, "N", false, NULL, "Only what has this much evidence, in experiments"},
    {"method", 0, "NAME", false, NULL,
        "seed-score: the points that experience files were ranked by"},
    {NULL, 0, NULL, false, NULL, NULL},
};

/* One screen: the first piece of advice and contested ones show two
 * experiments, the others one; the second and third list are shorter unless a
 * number was asked for. */
#define SHORT_LIST 3
#define SCREEN_LINES 36 /* the lower lists stop here unless a number was asked for */
#define ADVICE_LINES 6
#define LINE_LINES 2 /* of what is said in a sentence */
#define TITLED_LINES 4

/* "1.30x (1.00-1.90x)" */
static const char *
show_gain(struct lore_cli *cli, const struct lore_json *gain)
{
    double v, low, high;

    if (!lore_jnum(gain, "value", &v))
        return NULL;
    if (!lore_jnum(gain, "low", &low) || !lore_jnum(gain, "high", &high))
        return lore_show_factor(cli, v);
    return lore_format(cli->arena, "%s (%.2f-%.2fx)", lore_show_factor(cli, v), low, high);
}

/* "70 % (40-90 %)" */
static const char *
show_odds(struct lore_cli *cli, const struct lore_json *p)
{
    double v, low, high;

    if (!lore_jnum(p, "value", &v))
        return NULL;
    if (!lore_jnum(p, "low", &low) || !lore_jnum(p, "high", &high))
        return lore_format(cli->arena, "%.0f %%", v * 100);
    return lore_format(cli->arena, "%.0f %% (%.0f-%.0f %%)", v * 100, low * 100, high * 100);
}

/* "tried 3 times: 2 won, 1 lost" */
static const char *
show_record(struct lore_cli *cli, const struct lore_json *a)
{
    static const struct {
        const char *key, *word;
    } parts[] = {{"won", "won"}, {"neutral", "neutral"}, {"lost", "lost"},
        {"inconclusive", "inconclusive"}, {"not_measured", "not measured"}};
    long long tried = lore_jint(a, "tried");
    const char *out;
    bool first = true;

    if (tried == 0)
        return "never tried";
    if (tried > 1 && lore_jint(a, "won") == tried)
        return tried == 2 ? "won both times" : lore_format(cli->arena, "won all %lld times", tried);
    if (tried > 1 && lore_jint(a, "lost") == tried)
        return tried == 2 ? "lost both times"
                          : lore_format(cli->arena, "lost all %lld times", tried);
    out = lore_format(
        cli->arena, "tried %s", tried == 1 ? "once" : lore_show_count(cli, tried, "time", "times"));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        long long n = lore_jint(a, parts[i].key);
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
    const char *nearest = lore_jtext(travel, "nearest");
    const char *where = lore_jtrue(a, "same_operator") ? "this operator"
                        : lore_jtrue(a, "same_family") ? "the same family"
                                                       : "other operators";

    double here;

    if (!nearest)
        return where;
    /* near in both, but never at once: two facts, not one */
    if (lore_jtrue(a, "same_operator") && lore_jnum(a, "tried_here", &here) && here == 0 &&
        (lore_streq(nearest, "same chip") || lore_streq(nearest, "same ISA")))
        return lore_format(cli->arena, "this operator elsewhere, others on the %s", nearest);
    if (strcmp(nearest, "not recorded") == 0 || strcmp(nearest, "unknown") == 0)
        return lore_format(cli->arena, "%s, chip not recorded", where);
    return lore_format(cli->arena, "%s, %s", where, nearest);
}

/* One line for an experiment: id, what happened, where. */
static void
print_cited(struct lore_cli *cli, const char *indent, const struct lore_json *e)
{
    const char *effect = lore_say_effect(cli->arena, e);
    double speedup = 0;
    const char *fact = effect ? effect : "not measured";
    const char *where = lore_jtext(e, "chip") ? lore_jtext(e, "chip") : "chip not recorded";

    if (lore_jnum(e, "speedup", &speedup) && speedup > 0)
        fact = lore_format(cli->arena, "%s %s", fact, lore_show_factor(cli, speedup));
    if (lore_streq(lore_jtext(e, "correctness"), "fail"))
        fact = lore_format(cli->arena, "%s, incorrect", fact);
    if (lore_streq(lore_jtext(e, "process"), "broken"))
        fact = lore_format(cli->arena, "%s, dirty", fact);
    if (lore_jtext(e, "share"))
        fact = lore_format(cli->arena, "%s, but %s", fact,
            lore_streq(lore_jtext(e, "share"), "inert") ? "as fast without it"
                                                        : "without it in the code");
    const char *line = lore_format(cli->arena, "%s: %s on %s [%s], %s", fact,
        lore_jtext(e, "operator"), where, lore_jtext(e, "language"), lore_jtext(e, "evidence"));
    const char *id = lore_jtext(e, "experiment");
    lore_print_wrapped(cli, lore_format(cli->arena, "%s%s  ", indent, id ? id : "?"),
        (int)strlen(indent) + 28, line);
}

/* "; worst 0.80x, 3 shapes" of what was tried more than once; "" otherwise. */
static const char *
show_range(struct lore_cli *cli, const struct lore_json *a)
{
    double worst;

    if (lore_jint(a, "tried") < 2 || !lore_jnum(lore_json_get(a, "worst"), "speedup", &worst))
        return "";
    return lore_format(cli->arena, "; worst %s%s%s", lore_show_factor(cli, worst),
        lore_jint(a, "workloads") > 0 ? ", " : "",
        lore_jint(a, "workloads") > 0
            ? lore_show_count(cli, lore_jint(a, "workloads"), "shape", "shapes")
            : "");
}

static void
print_advice(struct lore_cli *cli, const struct lore_json *a, long long rank)
{
    const char *gain = show_gain(cli, lore_json_get(a, "gain"));
    const char *odds = show_odds(cli, lore_json_get(a, "p_win"));
    const char *why = lore_jtext(a, "why");
    const struct lore_json *evidence = lore_json_get(a, "evidence");
    size_t shown = 0, cited = rank == 1 || lore_jtrue(a, "contested") ? 2 : 1;

    lore_buf_printf(&cli->out, "%2lld. %s", rank,
        lore_styled(cli, LORE_BOLD, lore_clean(cli, lore_jtext(a, "technique"))));
    if (lore_jtext(a, "title") && !lore_streq(lore_jtext(a, "title"), lore_jtext(a, "technique")))
        lore_buf_printf(&cli->out, "  %s", lore_clean(cli, lore_jtext(a, "title")));
    lore_buf_putc(&cli->out, '\n');
    bool explained = rank == 1 && why && *why; /* the sentence counts the trials itself */
    const char *line = lore_format(cli->arena, "wins %s%s%s; %s%s%s%s%s", odds ? odds : "?",
        gain ? ", expect " : "", gain ? gain : "", explained ? "" : show_record(cli, a),
        explained ? "" : "; ", show_travel(cli, a), lore_jtrue(a, "contested") ? "; contested" : "",
        show_range(cli, a));
    lore_print_wrapped(cli, "    ", 4, line);
    if (explained)
        lore_print_wrapped(cli, "    ", 4, why);
    for (const struct lore_json *e = evidence ? evidence->child : NULL; e && shown < cited;
         e = e->next, shown++)
        print_cited(cli, "      ", e);
}

/* Whether an entry of so many LINES still fits the screen. */
static bool
has_room(const struct lore_cli *cli, size_t more, bool full)
{
    size_t lines = 0;

    for (size_t i = 0; i < cli->out.len; i++)
        lines += cli->out.data[i] == '\n';
    return full || lines + more <= SCREEN_LINES;
}

/* What somebody wrote down for this operator or technique: at most two, one
 * line each. */
static void
print_insights(struct lore_cli *cli, const struct lore_json *list)
{
    size_t n = 0;

    if (!list || !list->child)
        return;
    lore_buf_printf(&cli->out, "\n%s\n", lore_styled(cli, LORE_BOLD, "Insights"));
    for (const struct lore_json *i = list->child; i && n < 2; i = i->next, n++) {
        const char *id = lore_jtext(i, "id"), *kind = lore_show_word(cli, lore_jtext(i, "kind"));
        const char *title = lore_jtext(i, "title") ? lore_jtext(i, "title") : lore_jtext(i, "body");
        lore_print_wrapped(cli, lore_format(cli->arena, "  %s  ", id ? id : "?"), 4,
            lore_format(cli->arena, "%s: %s", kind ? kind : "note", title ? title : ""));
    }
}

static void
print_avoid(struct lore_cli *cli, const struct lore_json *list, long long limit, bool full)
{
    long long n = 0;

    if (!list || !list->child || !has_room(cli, TITLED_LINES, full))
        return;
    lore_buf_printf(&cli->out, "\n%s\n", lore_styled(cli, LORE_BOLD, "Leave alone"));
    for (const struct lore_json *a = list->child; a && n < limit && has_room(cli, LINE_LINES, full);
         a = a->next, n++) {
        const struct lore_json *evidence = lore_json_get(a, "evidence");
        const struct lore_json *e = evidence ? evidence->child : NULL;
        const char *why = lore_jtext(a, "why");
        if (!why || !*why)
            why = lore_format(cli->arena, "%s (%s).", show_record(cli, a), show_travel(cli, a));
        const char *line = lore_format(cli->arena, "%s%s%s", why, e ? " See " : "",
            e && lore_jtext(e, "experiment") ? lore_jtext(e, "experiment") : "");
        const char *name =
            lore_format(cli->arena, "  - %s: ", lore_clean(cli, lore_jtext(a, "technique")));
        lore_print_wrapped(cli, name, 4, line);
    }
}

static void
print_untried(struct lore_cli *cli, const struct lore_json *list, long long limit, bool full)
{
    long long n = 0;

    if (!list || !list->child || !has_room(cli, TITLED_LINES, full))
        return;
    lore_buf_printf(&cli->out, "\n%s\n", lore_styled(cli, LORE_BOLD, "Nobody tried yet"));
    for (const struct lore_json *a = list->child; a && n < limit && has_room(cli, LINE_LINES, full);
         a = a->next, n++) {
        const char *text =
            lore_jtext(a, "summary") ? lore_jtext(a, "summary") : lore_jtext(a, "title");
        const char *name =
            lore_format(cli->arena, "  - %s: ", lore_clean(cli, lore_jtext(a, "technique")));
        lore_print_wrapped(cli, name, 4, text ? text : "");
    }
}

static void
print_question(struct lore_cli *cli, const struct lore_json *q)
{
    const struct lore_json *chip = lore_json_get(q, "chip");
    const char *op = lore_jtext(q, "operator"), *family = lore_jtext(q, "family");
    const char *labels = lore_jjoin(cli, lore_json_get(q, "bottleneck"), "+");
    const char *line = op ? op : "any operator";

    if (op && family && !lore_streq(op, family))
        line = lore_format(cli->arena, "%s (%s)", line, family);
    if (lore_jtext(q, "language"))
        line = lore_format(cli->arena, "%s in %s", line, lore_jtext(q, "language"));
    if (lore_jtext(chip, "name"))
        line = lore_format(cli->arena, "%s on %s", line, lore_jtext(chip, "name"));
    if (*labels)
        line = lore_format(cli->arena, "%s, %s-bound", line, labels);
    lore_buf_printf(&cli->out, "%s\n", lore_styled(cli, LORE_BOLD, lore_clean(cli, line)));
}

static void
print_answer(struct lore_cli *cli, const struct lore_json *root, long long limit, bool number)
{
    const struct lore_json *advice = lore_json_get(root, "advice");
    const char *summary = lore_jtext(root, "summary");
    long long n = 0;

    print_question(cli, lore_json_get(root, "question"));
    lore_print_wrapped(cli, "", 0, summary ? summary : "The memory has nothing on this.");
    lore_print_start(cli, root);
    if (advice && advice->child)
        lore_buf_printf(&cli->out, "\n%s\n", lore_styled(cli, LORE_BOLD, "Worth trying"));
    for (const struct lore_json *a = advice ? advice->child : NULL;
         a && n < limit && (n == 0 || has_room(cli, ADVICE_LINES, number)); a = a->next)
        print_advice(cli, a, ++n);
    const struct lore_json *transfer = lore_json_get(root, "transfer");
    for (const struct lore_json *t = transfer ? transfer->child : NULL; t; t = t->next)
        lore_print_wrapped(cli, "  note: ", 4, lore_jtext(t, "note"));
    print_insights(cli, lore_json_get(root, "insights"));
    print_avoid(cli, lore_json_get(root, "avoid"), number ? limit : SHORT_LIST, number);
    print_untried(cli, lore_json_get(root, "untried"), number ? limit : SHORT_LIST, number);
    lore_print_advice_id(cli, root);
}

int
lore_cmd_recommend(struct lore_cli *cli, const struct lore_args *args)
{
    const char *number = lore_args_get(args, "number");
    struct lore_json *root = NULL;
    struct lore_err err = {0};
    struct lore_query q;
    long long limit = 4;

    if (number && lore_parse_i64(number, "--number", &limit, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (limit < 1 || limit > 50)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--number: 1 to 50");
    lore_query_start(&q, "/api/v1/recommend");
    lore_query_add(&q, "operator", lore_args_get(args, "kernel"));
    lore_query_add(&q, "language", lore_args_get(args, "backend"));
    lore_query_add(&q, "chip", lore_args_get(args, "chip"));
    lore_query_add(&q, "bottleneck", lore_args_get(args, "bottleneck"));
    lore_query_add(&q, "dims", lore_args_get(args, "dims"));
    lore_query_add(&q, "limit", number);
    lore_query_add(&q, "masked", lore_args_has(args, "masked") ? "true" : NULL);
    lore_query_add(&q, "run", lore_args_get(args, "run"));
    lore_query_add(&q, "version", lore_args_get(args, "version"));
    lore_query_add(&q, "next", lore_args_has(args, "next") ? "true" : NULL);
    lore_query_add(&q, "evidence", lore_args_get(args, "evidence"));
    lore_query_add(&q, "min_effective_n", lore_args_get(args, "min-n"));
    lore_query_add(&q, "method", lore_args_get(args, "method"));
    int code = lore_cli_get(cli, &q, &root);
    if (code == LORE_EXIT_OK && !cli->json && lore_args_get(args, "method"))
        lore_print_seed_score(cli, root);
    else if (code == LORE_EXIT_OK && !cli->json)
        print_answer(cli, root, limit, number != NULL);
    return code;
}
