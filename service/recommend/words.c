/* The sentences of an answer: what was tried where, how often it won, and from how far that comes.
 * They say less rather than more: no number without its count, no place without its name. */
#include "words.h"

static const char *
times(size_t n)
{
    return n == 1 ? "time" : "times";
}

enum lore_level
lore_closest(const struct lore_tried *t)
{
    for (int l = LORE_LEVEL_OPERATOR; l > LORE_LEVEL_ANY; l--) {
        if (t->level[l].tried > 0)
            return (enum lore_level)l;
    }
    return LORE_LEVEL_ANY;
}

/* "softmax (sm_86)", "softmax", "norm operators on sm_86", "sm_86", "" */
static const char *
place(const struct lore_scan *s, bool with_chip)
{
    const struct lore_question *q = s->q;
    const char *chip = with_chip && q->chip != NULL ? q->chip->name : NULL;

    if (q->op != NULL)
        return chip != NULL ? lore_format(s->arena, "%s (%s)", q->op, chip) : q->op;
    if (q->family != NULL && chip != NULL)
        return lore_format(s->arena, "%s operators on %s", q->family, chip);
    if (q->family != NULL)
        return lore_format(s->arena, "%s operators", q->family);
    return chip != NULL ? chip : "";
}

/* "Won 2 of 3 times", or what to say when nothing was judged. */
static const char *
score(const struct lore_scan *s, size_t tried, size_t judged, size_t wins)
{
    if (judged == 0)
        return lore_format(s->arena, "Tried %zu %s without a verdict", tried, times(tried));
    return lore_format(s->arena, "Won %zu of %zu %s", wins, judged, times(judged));
}

static const char *
at_closest(const struct lore_scan *s, const struct lore_tried *t, double median)
{
    enum lore_level l = lore_closest(t);
    const struct lore_tally *at = &t->level[l];
    const char *where = place(s, true), *what;

    if (t->here > 0) {
        what = score(s, t->here, t->here_judged, t->won_here);
    } else {
        what = score(s, at->tried, at->judged, at->wins);
        if (l == LORE_LEVEL_FAMILY)
            where = lore_format(s->arena, "other %s operators", s->family);
        else if (l == LORE_LEVEL_ANY)
            where = "other operators";
        else if (s->q->op == NULL && s->q->family == NULL)
            where = "other chips";
        else
            where = lore_format(s->arena, "%s, on other chips", place(s, false));
    }
    what = lore_format(s->arena, "%s%s%s", what, *where != '\0' ? " on " : "", where);
    if (median > 0)
        return lore_format(s->arena, "%s; median %.2fx.", what, median);
    return lore_format(s->arena, "%s.", what);
}

struct counts {
    size_t tried, judged, wins;
};

static struct counts
total(const struct lore_tried *t)
{
    struct counts c = {0};

    for (int l = 0; l < LORE_LEVEL_COUNT; l++) {
        c.tried += t->level[l].tried;
        c.judged += t->level[l].judged;
        c.wins += t->level[l].wins;
    }
    return c;
}

static const char *
elsewhere(const struct lore_scan *s, struct counts c)
{
    if (c.judged > 0)
        return lore_format(s->arena, " Elsewhere: won %zu of %zu.", c.wins, c.judged);
    return lore_format(
        s->arena, " Elsewhere: tried %zu %s without a verdict.", c.tried, times(c.tried));
}

/* What the first sentence left out: the same operator on other chips, and other operators. */
static const char *
beyond(const struct lore_scan *s, const struct lore_tried *t)
{
    const struct lore_tally *at = &t->level[lore_closest(t)];
    struct counts c = total(t);

    c.tried -= t->here > 0 ? t->here : at->tried;
    c.judged -= t->here > 0 ? t->here_judged : at->judged;
    c.wins -= t->here > 0 ? t->won_here : at->wins;
    if (c.tried > 0)
        return elsewhere(s, c);
    if (s->q->op == NULL)
        return "";
    if (lore_closest(t) == LORE_LEVEL_OPERATOR)
        return " Not seen on other operators.";
    return lore_format(s->arena, " Never tried on %s.", s->q->op);
}

const char *
lore_words_why(const struct lore_scan *s, const struct lore_tried *t, double median)
{
    enum lore_travel nearest = LORE_T_SAME_CHIP;
    const char *text = lore_format(s->arena, "%s%s", at_closest(s, t, median), beyond(s, t));

    while (nearest < LORE_T_UNKNOWN && t->travel[nearest] == 0)
        nearest++;
    if (s->q->chip != NULL && nearest > LORE_T_SAME_ISA)
        text = nearest == LORE_T_UNKNOWN
                   ? lore_format(s->arena, "%s The chip was not recorded.", text)
                   : lore_format(
                         s->arena, "%s Nearest evidence: %s.", text, lore_travel_name(nearest));
    if (t->said_lost > 0)
        text =
            lore_format(s->arena, "%s %u reported as failed, without numbers.", text, t->said_lost);
    if (t->incorrect > 0)
        text = lore_format(s->arena, "%s %u gave wrong results.", text, t->incorrect);
    if (t->process_faults > 0)
        text = lore_format(s->arena, "%s %u broke a process rule.", text, t->process_faults);
    return text;
}

const char *
lore_words_untried(
    const struct lore_scan *s, const struct lore_technique *known, const struct lore_tried *t)
{
    const char *labels = lore_labels_text(s->arena, known->triggers & s->q->labels);
    const char *where = place(s, true);
    const char *text =
        lore_format(s->arena, "Usually tried for %s bottlenecks; no experiment%s%s yet.", labels,
            *where != '\0' ? " on " : "", where);

    if (t == NULL)
        return text;
    return lore_format(s->arena, "%s%s", text, elsewhere(s, total(t)));
}

/* The question as a place: "softmax on sm_86", "sm_86", "this question". */
static const char *
asked(const struct lore_scan *s)
{
    const struct lore_question *q = s->q;
    const char *what = q->op != NULL ? q->op : q->family;

    if (what != NULL && q->chip != NULL)
        return lore_format(s->arena, "%s on %s", what, q->chip->name);
    if (what == NULL && q->chip != NULL)
        return q->chip->name;
    return what != NULL ? what : "this question";
}

static const char *
experiments(const struct lore_scan *s, size_t n)
{
    return lore_format(s->arena, "%zu experiment%s", n, n == 1 ? "" : "s");
}

const char *
lore_words_summary(const struct lore_scan *s, bool empty)
{
    const struct lore_question *q = s->q;
    const char *what = q->op != NULL ? q->op : q->family;

    if (s->considered == 0)
        return "The memory holds no experiments yet.";
    if (empty)
        return lore_format(s->arena, "Nothing here bears on %s: %s in memory, none close enough.",
            asked(s), experiments(s, s->considered));
    if (what != NULL && s->on_operator == 0)
        return lore_format(s->arena,
            "No experiment on %s; what follows comes from other operators (%s%s%s).", what,
            experiments(s, s->matched), q->chip != NULL ? ", nearest: " : "",
            q->chip != NULL ? lore_travel_name(s->nearest) : "");
    if (what == NULL && q->chip == NULL)
        return lore_format(s->arena, "%s on any operator and chip.", experiments(s, s->considered));
    if (q->chip == NULL)
        return lore_format(
            s->arena, "%s on %s, on any chip.", experiments(s, s->on_operator), what);
    if (what == NULL)
        return lore_format(
            s->arena, "%s on %s, on any operator.", experiments(s, s->on_chip), q->chip->name);
    if (s->on_both == 0)
        return lore_format(s->arena,
            "%s on %s, none on %s; what follows comes from other chips (nearest: %s).",
            experiments(s, s->on_operator), what, q->chip->name, lore_travel_name(s->nearest));
    return lore_format(s->arena, "%s on %s, %zu of them on %s.", experiments(s, s->on_operator),
        what, s->on_both, q->chip->name);
}
