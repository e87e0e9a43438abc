/* The sentences of an answer: what was tried where, how often it won, and from how far that comes.
 * They say less rather than more: no number without its count, no place without its name. */
#include "service/recommend/words.h"

#include <limits.h>
#include <string.h>

#include "service/base/text.h"

enum {
    LONGEST = 160, /* of a reason: what a person reads at a glance */
    OLD = 2        /* calendar years: more than twelve months */
};

enum lore_tally_level
lore_words_closest(const struct lore_tried *t)
{
    for (int l = LORE_LEVEL_OPERATOR; l > LORE_LEVEL_ANY; l--) {
        if (t->level[l].tried > 0)
            return (enum lore_tally_level)l;
    }
    return LORE_LEVEL_ANY;
}

/* The chip of the question, or the ISA that stands for it when others of that ISA take part. */
static const char *
chip_text(const struct lore_scan *s, bool exact)
{
    const struct lore_chip *chip = s->q->chip;
    return chip->product && !exact ? chip->isa : chip->name;
}

/* "softmax (sm_86)", "softmax", "norm operators on sm_86", "sm_86", "" */
static const char *
place(const struct lore_scan *s, const char *chip)
{
    const struct lore_question *q = s->q;

    if (q->op)
        return chip ? lore_format(s->arena, "%s (%s)", q->op, chip) : q->op;
    if (q->family && chip)
        return lore_format(s->arena, "%s operators on %s", q->family, chip);
    if (q->family)
        return lore_format(s->arena, "%s operators", q->family);
    return chip ? chip : "";
}

struct counts {
    size_t tried, judged, wins, losses;
};

/* "Won the one time it was tried", "No gain all 3 times"; "Failed" where no loss was timed */
static const char *
score(const struct lore_scan *s, struct counts c, bool measured)
{
    const char *what = c.wins == c.judged     ? "Won"
                       : c.losses == c.judged ? (measured ? "Lost" : "Failed")
                       : c.wins == 0          ? "No gain"
                                              : NULL;

    if (c.judged == 0)
        return c.tried == 1 ? "Tried once without a verdict"
                            : lore_format(s->arena, "Tried %zu times without a verdict", c.tried);
    if (c.judged == 1)
        return lore_format(s->arena, "%s the one time it was tried", what);
    if (what && c.judged == 2)
        return lore_format(s->arena, "%s both times", what);
    if (what)
        return lore_format(s->arena, "%s all %zu times", what, c.judged);
    return lore_format(s->arena, "Won %zu of %zu times", c.wins, c.judged);
}

/* "gemm", "gemm and mha"; NULL when there are more than fit, or none. */
static const char *
names(const struct lore_scan *s, const struct lore_words_names *ops)
{
    const char *a = ops->n > 0 ? lore_evidence_text(s->ix, ops->op[0]) : NULL;

    if (ops->n == 0 || ops->n > LORE_NAMED)
        return NULL;
    if (ops->n == 1)
        return a;
    return lore_format(s->arena, "%s and %s", a, lore_evidence_text(s->ix, ops->op[1]));
}

/* Where the closest evidence is from, when none is from here. */
static const char *
closest_place(
    const struct lore_scan *s, const struct lore_tried *t, const struct lore_words_names *ops)
{
    enum lore_tally_level l = lore_words_closest(t);
    const char *named = names(s, ops);

    if (l == LORE_LEVEL_OPERATOR && !s->q->op && !s->q->family)
        return "other chips";
    if (l == LORE_LEVEL_OPERATOR)
        return lore_format(s->arena, "%s, on other chips", place(s, NULL));
    if (named)
        return named;
    return l == LORE_LEVEL_FAMILY ? lore_format(s->arena, "other %s operators", s->family)
                                  : "other operators";
}

/* What the first sentence is about. */
static struct counts
closest_counts(const struct lore_tried *t)
{
    const struct lore_tally *at = &t->level[lore_words_closest(t)];

    return t->here > 0 ? (struct counts){t->here, t->here_judged, t->won_here, t->lost_here}
                       : (struct counts){at->tried, at->judged, at->wins, at->losses};
}

static const char *
at_closest(
    const struct lore_scan *s, const struct lore_tried *t, const struct lore_words_seen *seen)
{
    const char *chip = s->q->chip != NULL ? chip_text(s, t->here == t->here_exact) : NULL;
    const char *where = t->here > 0 ? place(s, chip) : closest_place(s, t, &seen->near);
    const char *what = score(s, closest_counts(t), seen->measured > 0);

    what = lore_format(s->arena, "%s%s%s", what, *where != '\0' ? " on " : "", where);
    if (seen->measured > 0)
        return lore_format(
            s->arena, "%s; %s%.2fx.", what, seen->measured > 1 ? "median " : "", seen->median);
    return lore_format(s->arena, "%s.", what);
}

static struct counts
total(const struct lore_tried *t)
{
    struct counts c = {0};

    for (int l = 0; l < LORE_LEVEL_COUNT; l++) {
        c.tried += t->level[l].tried;
        c.judged += t->level[l].judged;
        c.wins += t->level[l].wins;
        c.losses += t->level[l].losses;
    }
    return c;
}

/* WHERE: the names of operators that it won on; NULL: not said. */
static const char *
elsewhere(const struct lore_scan *s, struct counts c, const char *where)
{
    if (c.judged == 0)
        return " Tried elsewhere without a verdict.";
    if (c.wins == 0)
        return c.losses == c.judged ? " Lost elsewhere, too." : " No gain elsewhere, either.";
    if (where && c.wins <= LORE_NAMED)
        return lore_format(
            s->arena, " Won on %s.", lore_streq(where, s->q->op) ? "other chips" : where);
    if (c.judged == 1)
        return " Won once elsewhere.";
    if (where)
        return lore_format(s->arena, " Won all %zu times on %s.", c.wins, where);
    return lore_format(s->arena, " Won %zu of %zu elsewhere.", c.wins, c.judged);
}

/* What the first sentence left out: the same operator on other chips, and other operators. */
static const char *
beyond(const struct lore_scan *s, const struct lore_tried *t, const struct lore_words_seen *seen)
{
    struct counts c = total(t), said = closest_counts(t);

    c.tried -= said.tried;
    c.judged -= said.judged;
    c.wins -= said.wins;
    c.losses -= said.losses;
    /* Only a clean record is of the operators named: losses may be on others. */
    if (c.tried > 0)
        return elsewhere(s, c, c.wins == c.judged ? names(s, &seen->far) : NULL);
    if (!s->q->op)
        return "";
    if (lore_words_closest(t) == LORE_LEVEL_OPERATOR)
        return " Not seen on other operators.";
    return lore_format(s->arena, " Never tried on %s.", s->q->op);
}

/* One more sentence, when there is room for it. */
static const char *
add(const struct lore_scan *s, const char *text, const char *more)
{
    return strlen(text) + strlen(more) <= LONGEST ? lore_format(s->arena, "%s%s", text, more)
                                                  : text;
}

static const char *
note(const struct lore_scan *s, const char *text, size_t n, const char *what)
{
    if (n == 0)
        return text;
    return add(s, text,
        n == 1 ? lore_format(s->arena, " One %s.", what)
               : lore_format(s->arena, " %zu %s.", n, what));
}

static const char *
distance(enum lore_travel t)
{
    static const char *const names[LORE_T_COUNT] = {[LORE_T_SAME_CHIP] = "this chip",
        [LORE_T_SAME_ISA] = "the same ISA",
        [LORE_T_SAME_ARCH] = "the same architecture",
        [LORE_T_SAME_VENDOR] = "the same vendor",
        [LORE_T_OTHER_VENDOR] = "another vendor",
        [LORE_T_UNKNOWN] = "a chip that was not recorded"};

    return names[t];
}

/* Gains that ablation or the machine code do not grant it. */
static const char *
unearned(const struct lore_scan *s, const struct lore_tried *t)
{
    if (t->inert_here > 0)
        return " In the code here, and as fast without it.";
    if (t->inert > 0)
        return " In the code elsewhere, and as fast without it.";
    if (t->absent == 1)
        return " One gain came without it in the code.";
    return t->absent > 0
               ? lore_format(s->arena, " %u gains came without it in the code.", t->absent)
               : "";
}

/* That all of the first sentence is old; nothing of a year, which may be a week. */
static const char *
age(const struct lore_scan *s, const struct lore_tried *t, const struct lore_words_seen *seen)
{
    if (seen->years < OLD || seen->years == INT_MAX)
        return "";
    return lore_format(s->arena, " %s over %d year%s before the newest experiment.",
        closest_counts(t).tried == 1 ? "That was" : "All were", seen->years - 1,
        seen->years == 2 ? "" : "s"); /* calendar years that differ by n */
}

static const char *
against(const struct lore_scan *s, const struct lore_tried *t)
{
    const struct lore_technique *known = lore_technique_find(lore_evidence_text(s->ix, t->name));

    if ((s->q->limits_elsewhere && s->q->labels == 0) || !lore_scan_contradicts(s, known))
        return "";
    return lore_format(s->arena, " It helps kernels limited by %s, which this one is not.",
        lore_labels_text(s->arena, known->triggers));
}

const char *
lore_words_why(
    const struct lore_scan *s, const struct lore_tried *t, const struct lore_words_seen *seen)
{
    enum lore_travel nearest = LORE_T_SAME_CHIP;
    const char *none = unearned(s, t);
    const char *text =
        lore_format(s->arena, "%s%s%s", at_closest(s, t, seen), age(s, t, seen), none);

    text = *none != '\0' ? add(s, text, beyond(s, t, seen))
                         : lore_format(s->arena, "%s%s", text, beyond(s, t, seen));
    while (nearest < LORE_T_UNKNOWN && t->travel[nearest] == 0)
        nearest++;
    text = note(s, text, t->alike,
        t->alike == 1 ? "was on a shape like this one" : "were on shapes like this one");
    text = note(s, text, t->incorrect, "gave no correct result");
    if (s->q->chip && nearest > LORE_T_SAME_ISA)
        text = add(s, text, lore_format(s->arena, " Nearest evidence: %s.", distance(nearest)));
    if (t->said_lost == 1 && total(t).judged == 1)
        text = add(s, text, " It was reported without numbers.");
    else
        text = note(s, text, t->said_lost,
            t->said_lost == 1 ? "failure came without numbers" : "failures came without numbers");
    return lore_format(s->arena, "%s%s", text, against(s, t));
}

const char *
lore_words_untried(
    const struct lore_scan *s, const struct lore_technique *known, const struct lore_tried *t)
{
    const char *labels =
        lore_labels_text(s->arena, known->triggers & (s->q->labels ? s->q->labels : s->q->limits));
    const char *where = place(s, s->q->chip != NULL ? s->q->chip->name : NULL);
    const char *text =
        lore_format(s->arena, "Usually tried for %s bottlenecks; no experiment%s%s yet.", labels,
            *where != '\0' ? " on " : "", where);

    if (!t)
        return text;
    return lore_format(s->arena, "%s%s", text, elsewhere(s, total(t), NULL));
}

/* What is asked about: "softmax", "norm operators"; NULL: anything. */
static const char *
subject(const struct lore_scan *s)
{
    return s->q->op || s->q->family ? place(s, NULL) : NULL;
}

/* The question as a place: "softmax on sm_86", "sm_86", "this question". */
static const char *
asked(const struct lore_scan *s)
{
    const struct lore_question *q = s->q;
    const char *what = subject(s);

    if (what && q->chip)
        return lore_format(s->arena, "%s on %s", what, q->chip->name);
    if (!what && q->chip)
        return q->chip->name;
    return what ? what : "this question";
}

static const char *
experiments(const struct lore_scan *s, size_t n)
{
    return lore_format(s->arena, "%zu experiment%s", n, n == 1 ? "" : "s");
}

/* What the chip of a question covers: "a6000", "sm_86 devices". */
static const char *
devices(const struct lore_scan *s)
{
    bool exact = s->on_both == s->on_both_exact;

    if (s->q->chip->product && exact)
        return s->q->chip->name;
    return lore_format(s->arena, "%s devices", chip_text(s, exact));
}

/* Experiments on the operator, some of them on the chip or its ISA. */
static const char *
both_known(const struct lore_scan *s, const char *what)
{
    const char *where = devices(s);

    if (s->on_operator == 1)
        return lore_format(s->arena, "1 experiment on %s, on %s.", what, where);
    if (s->on_both == s->on_operator)
        return lore_format(
            s->arena, "%s on %s, all on %s.", experiments(s, s->on_operator), what, where);
    return lore_format(s->arena, "%s on %s, %zu of them on %s.", experiments(s, s->on_operator),
        what, s->on_both, where);
}

/* Why the question leaves out every experiment of a memory that holds some (weigh.c: looks_at). */
static const char *
none_counts(const struct lore_scan *s)
{
    const struct lore_question *q = s->q;
    const char *reasons[3], *each = "";
    size_t n = 0;

    if (!q->include_masked)
        reasons[n++] = "hidden";
    if (s->ix->steps)
        reasons[n++] = "a step of a search on another operator";
    if (q->at_least != LORE_EV_NONE)
        reasons[n++] = lore_format(s->arena, "less than %s", lore_evidence_name(q->at_least));
    for (size_t i = 0; i < n; i++)
        each = lore_format(s->arena, "%s%s%s", each, i > 0 ? ", or " : "", reasons[i]);
    return lore_format(
        s->arena, "No experiment in memory counts for this question: each is %s.", each);
}

const char *
lore_words_summary(const struct lore_scan *s, bool empty)
{
    const struct lore_question *q = s->q;
    const char *what = subject(s);

    if (lore_evidence_count(s->ix) == 0)
        return "No experiment is stored that names a technique.";
    if (s->considered == 0)
        return none_counts(s);
    if (empty)
        return lore_format(s->arena, "Nothing here bears on %s: %s in memory, none close enough.",
            asked(s), experiments(s, s->considered));
    if (what && s->on_operator == 0 && s->matched == 0)
        return lore_format(s->arena,
            "No experiment on %s, nor on anything close; what follows is how techniques did on"
            " other operators.",
            asked(s));
    if (what && s->on_operator == 0)
        return lore_format(s->arena,
            "No experiment on %s; what follows comes from other operators (%s%s%s).", what,
            experiments(s, s->matched), q->chip != NULL ? ", nearest: " : "",
            q->chip != NULL ? distance(s->nearest) : "");
    if (!what && !q->chip)
        return lore_format(s->arena, "%s on any operator and chip.", experiments(s, s->considered));
    if (!q->chip)
        return lore_format(
            s->arena, "%s on %s, on any chip.", experiments(s, s->on_operator), what);
    if (!what)
        return lore_format(
            s->arena, "%s on %s, on any operator.", experiments(s, s->on_chip), devices(s));
    if (s->on_both == 0)
        return lore_format(s->arena,
            "%s on %s, none on %s; what follows comes from other chips and operators.",
            experiments(s, s->on_operator), what, q->chip->name);
    return both_known(s, what);
}
