/* A rule is split into clauses at AND and OR. Each clause is judged separately, and Kleene's
 * three-valued logic combines the results; "not parsed" takes precedence over "undecided". A clause
 * is decided only if the whole noise interval is on one side of the threshold. */
#include "service/derive/claims_rule.h"

#include <math.h>
#include <string.h>

#include "service/base/text.h"
#include "service/derive/claims_parse.h"
#include "service/derive/noise.h"

const char *
lore_rule_truth_name(enum lore_rule_truth t)
{
    static const char *const names[] = {"not_parsed", "false", "undecided", "true"};

    return t <= LORE_RULE_TRUE ? names[t] : "not_parsed";
}

const char *
lore_decision_name(enum lore_decision d)
{
    static const char *const names[] = {"not_parsed", "accept", "reject", "undecided"};

    return d <= LORE_DECISION_UNDECIDED ? names[d] : "not_parsed";
}

static size_t
word_at(const char *s, size_t i, const char *word)
{
    size_t n = strlen(word);

    if (i > 0 && lore_is_word(s[i - 1]))
        return 0;
    for (size_t k = 0; k < n; k++) {
        if (!s[i + k] || (s[i + k] | 32) != word[k])
            return 0;
    }
    return lore_is_word(s[i + n]) ? 0 : n;
}

/* The length of the AND or OR at S[i], 0 if there is none; *is_or: it is OR. */
static size_t
connective_at(const char *s, size_t i, bool *is_or)
{
    size_t n;

    *is_or = false;
    if (strncmp(s + i, "&&", 2) == 0)
        return 2;
    if (strncmp(s + i, "||", 2) == 0) {
        *is_or = true;
        return 2;
    }
    if (s[i] == ';' || s[i] == '\n' ||
        (s[i] == ',' && !(i > 0 && lore_is_digit(s[i - 1]) && lore_is_digit(s[i + 1]))))
        return 1;
    if ((s[i] | 32) == 'a' && (n = word_at(s, i, "and")) > 0)
        return n;
    *is_or = (s[i] | 32) == 'o' && word_at(s, i, "or") > 0;
    return *is_or ? 2 : 0;
}

static struct lore_rule_clause
answer(enum lore_rule_truth truth, const char *why)
{
    return (struct lore_rule_clause){.truth = truth, .why = why};
}

static struct lore_rule_clause
judge_correctness(const char *slug, enum lore_check found)
{
    bool pass = strstr(slug, "pass") || strstr(slug, "hold") || strstr(slug, "_ok");
    bool fail = strstr(slug, "fail") || strstr(slug, "break");

    if (pass == fail || strstr(slug, "not_") || strstr(slug, "no_") || strstr(slug, "without"))
        return answer(LORE_RULE_NOT_PARSED, "the clause must say that correctness passes or fails");
    if (found != LORE_C_PASS && found != LORE_C_FAIL && found != LORE_C_TIMEOUT)
        return answer(LORE_RULE_UNDECIDED, "correctness was not checked");
    bool passed = found == LORE_C_PASS;
    return answer(passed == pass ? LORE_RULE_TRUE : LORE_RULE_FALSE,
        passed ? "correctness passed" : "correctness failed");
}

static double
noise_of(const struct lore_claim_measured *m, const struct lore_rule_facts *facts)
{
    bool timed = m->kind != LORE_CLAIM_METRIC;
    double stated = timed && facts->noise_pct.set ? facts->noise_pct.v : 0;

    if (m->exact)
        return 0;
    if (m->after_noise_pct.set)
        return fmax(stated, m->after_noise_pct.v);
    return timed && facts->noise_pct.set ? stated : LORE_NOISE_DEFAULT_PCT;
}

/* Compares LOW..HIGH with a threshold. */
static enum lore_rule_truth
compare(const struct lore_movement *m, double low, double high)
{
    if (m->high.set) {
        if (m->inclusive ? high <= m->high.v : high < m->high.v)
            return LORE_RULE_TRUE;
        return (m->inclusive ? low > m->high.v : low >= m->high.v) ? LORE_RULE_FALSE
                                                                   : LORE_RULE_UNDECIDED;
    }
    if (m->inclusive ? low >= m->low.v : low > m->low.v)
        return LORE_RULE_TRUE;
    return (m->inclusive ? high < m->low.v : high <= m->low.v) ? LORE_RULE_FALSE
                                                               : LORE_RULE_UNDECIDED;
}

static struct lore_rule_clause
judge_threshold(const char *text, const struct lore_rule_facts *facts, struct lore_arena *arena)
{
    struct lore_movement m;
    struct lore_claim_measured got;

    lore_claims_read(text, NULL, arena, &m);
    if (m.range != LORE_RANGE_LEVEL || m.low.set == m.high.set)
        return answer(LORE_RULE_NOT_PARSED, "no metric with a threshold");
    lore_claim_measure(m.metric, m.percent, &facts->before, &facts->after, arena, &got);
    if (!got.after.set)
        return answer(LORE_RULE_UNDECIDED, lore_format(arena, "%s was not measured", m.metric));
    if (m.percent && !lore_streq(got.unit, "%"))
        return answer(LORE_RULE_NOT_PARSED,
            lore_format(arena, "a percentage, but %s is in %s", m.metric, got.unit));
    double noise = noise_of(&got, facts), half = fabs(got.after.v) * noise / 100;
    double threshold = m.high.set ? m.high.v : m.low.v;
    struct lore_rule_clause c = answer(compare(&m, got.after.v - half, got.after.v + half),
        lore_format(
            arena, "%.6g %s +- %.3g %% against %.6g", got.after.v, got.unit, noise, threshold));
    return c;
}

/* In "the median of the duration falls by more than the noise of the pair", the words before "by
 * more than". NULL: a clause of another kind, or a multiple of the noise, which is not
 * supported. */
static const char *
beyond_noise(const char *clause, struct lore_arena *arena)
{
    static const char *const cuts[] = {"by more than", "more than", "beyond", "outside"};
    const char *slug = lore_slug(arena, clause);

    if (strstr(slug, "not_") || strstr(slug, "no_") || !strstr(slug, "noise"))
        return NULL;
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++)
        for (size_t i = 0, n; clause[i]; i++) {
            if ((n = word_at(clause, i, cuts[c])) == 0)
                continue;
            slug = lore_slug(arena, clause + i + n);
            return strstr(slug, "noise") && !strpbrk(slug, "0123456789")
                       ? lore_strndup(arena, clause, i)
                       : NULL;
        }
    return NULL;
}

/* Skip "the median of", because every time is a median. */
static const char *
skip_fillers(const char *words)
{
    static const char *const fillers[] = {"the", "median", "of"};
    size_t i = 0;

    for (size_t f = 0; f < sizeof fillers / sizeof *fillers;) {
        size_t n = word_at(words, i, fillers[f]);

        f = n > 0 ? 0 : f + 1;
        i += n;
        i += n > 0 ? strspn(words + i, " \t") : 0;
    }
    return words + i;
}

/* Judge whether the change in CLAIM's direction exceeds the combined noise of both sides. */
static struct lore_rule_clause
judge_beyond_noise(const char *claim, const struct lore_rule_facts *facts, struct lore_arena *arena)
{
    struct lore_movement m;
    struct lore_claim_measured got;
    struct lore_f64 noise;

    lore_claims_read(skip_fillers(claim), NULL, arena, &m);
    bool down = lore_streq(m.direction, "down");
    if (!down && !lore_streq(m.direction, "up"))
        return answer(LORE_RULE_NOT_PARSED, "no direction");
    lore_claim_measure(m.metric, false, &facts->before, &facts->after, arena, &got);
    if (!got.before.set || !got.after.set || got.before.v == 0)
        return answer(LORE_RULE_UNDECIDED, lore_format(arena, "%s was not measured", m.metric));
    noise = got.exact ? (struct lore_f64){true, 0} : got.noise_pct;
    if (got.kind != LORE_CLAIM_METRIC && facts->noise_pct.set)
        noise = (struct lore_f64){
            true, noise.set ? fmax(noise.v, facts->noise_pct.v) : facts->noise_pct.v};
    if (!noise.set)
        return answer(
            LORE_RULE_UNDECIDED, lore_format(arena, "the noise of %s is not known", m.metric));
    double change = 100 * (got.after.v - got.before.v) / fabs(got.before.v);
    return answer((down ? -change : change) > noise.v ? LORE_RULE_TRUE : LORE_RULE_FALSE,
        lore_format(arena, "%+.3g %% with %.3g %% noise", change, noise.v));
}

/* The clause without remarks in parentheses; NULL when a parenthesis is not closed. */
static const char *
without_remarks(const char *text, struct lore_arena *arena)
{
    char *out = lore_strdup(arena, text), *end = out;
    int depth = 0;

    for (; *text; text++) {
        depth += *text == '(';
        if (depth == 0 && *text != ')')
            *end++ = *text;
        if (*text == ')' && --depth < 0)
            return NULL;
    }
    *end = '\0';
    return depth == 0 ? out : NULL;
}

static struct lore_rule_clause
judge_clause(const char *text, const struct lore_rule_facts *facts, struct lore_arena *arena)
{
    const char *plain = without_remarks(text, arena), *claim;
    struct lore_rule_clause c;

    if (!plain)
        return (struct lore_rule_clause){
            .text = text, .truth = LORE_RULE_NOT_PARSED, .why = "unbalanced parentheses"};
    const char *slug = lore_slug(arena, plain);
    if (strstr(slug, "correctness") || lore_starts(slug, "tests_") || lore_starts(slug, "correct_"))
        c = judge_correctness(slug, facts->correctness);
    else if ((claim = beyond_noise(plain, arena)))
        c = judge_beyond_noise(claim, facts, arena);
    else
        c = judge_threshold(plain, facts, arena);
    c.text = text;
    return c;
}

/* A false clause decides an AND, a true clause an OR. A clause that was not parsed makes the result
 * "not parsed", unless another clause decides. */
static enum lore_rule_truth
combine(enum lore_rule_truth a, enum lore_rule_truth b, bool is_or)
{
    enum lore_rule_truth decides = is_or ? LORE_RULE_TRUE : LORE_RULE_FALSE;

    if (a == decides || b == decides)
        return decides;
    if (a == LORE_RULE_NOT_PARSED || b == LORE_RULE_NOT_PARSED)
        return LORE_RULE_NOT_PARSED;
    if (a == LORE_RULE_UNDECIDED || b == LORE_RULE_UNDECIDED)
        return LORE_RULE_UNDECIDED;
    return a; /* both are true (AND) or both false (OR) */
}

static const char *
trimmed(const char *s, size_t n, struct lore_arena *arena)
{
    while (n > 0 && strchr(" \t\r.", s[0]))
        s++, n--;
    while (n > 0 && strchr(" \t\r.", s[n - 1]))
        n--;
    return lore_strndup(arena, s, n);
}

/* Evaluation state: the result of the finished alternatives of OR, and of the current AND. */
struct evaluation {
    bool has_or, has_and;
    enum lore_rule_truth or_truth, and_truth;
};

static void
close_and(struct evaluation *s)
{
    if (!s->has_and)
        return;
    s->or_truth = s->has_or ? combine(s->or_truth, s->and_truth, true) : s->and_truth;
    s->has_or = true;
    s->has_and = false;
}

static void
add_clause(struct evaluation *s, const char *text, const struct lore_rule_facts *facts,
    struct lore_arena *arena, struct lore_claims_rule *out)
{
    if (!*text || out->n == LORE_RULE_CLAUSES_MAX)
        return;
    struct lore_rule_clause *c = &out->clauses[out->n++];
    *c = judge_clause(text, facts, arena);
    s->and_truth = s->has_and ? combine(s->and_truth, c->truth, false) : c->truth;
    s->has_and = true;
}

void
lore_claims_rule(const char *text, const struct lore_rule_facts *facts, struct lore_arena *arena,
    struct lore_claims_rule *out)
{
    struct evaluation s = {0};
    size_t start = 0, i = 0, n;
    bool is_or;

    *out = (struct lore_claims_rule){
        .clauses = lore_alloc_array(arena, LORE_RULE_CLAUSES_MAX, sizeof *out->clauses)};
    if (!text || strlen(text) > LORE_RULE_TEXT_MAX)
        return;
    while (text[i]) {
        if ((n = connective_at(text, i, &is_or)) == 0) {
            i++;
            continue;
        }
        add_clause(&s, trimmed(text + start, i - start, arena), facts, arena, out);
        if (is_or)
            close_and(&s);
        start = i += n;
    }
    add_clause(&s, trimmed(text + start, i - start, arena), facts, arena, out);
    close_and(&s);
    bool cut = out->n == LORE_RULE_CLAUSES_MAX; /* clauses may be missing, so do not decide */
    out->truth = s.has_or && !cut ? s.or_truth : LORE_RULE_NOT_PARSED;
}

static bool
is_blank(const char *s)
{
    return !s || s[strspn(s, " \t\r\n.")] == '\0';
}

static enum lore_decision
decide(const struct lore_rule_decision *d, bool has_accept, bool has_reject, const char **reason)
{
    enum lore_rule_truth a = d->accept.truth, r = d->reject.truth;
    bool accepts = has_accept && a == LORE_RULE_TRUE, rejects = has_reject && r == LORE_RULE_TRUE;

    if (accepts && rejects) {
        *reason = "both rules hold";
        return LORE_DECISION_UNDECIDED;
    }
    if (accepts && (!has_reject || r == LORE_RULE_FALSE)) {
        *reason = "the accept rule holds";
        return LORE_DECISION_ACCEPT;
    }
    if (rejects) {
        *reason = "the reject rule holds";
        return LORE_DECISION_REJECT;
    }
    if (has_accept && !has_reject && a == LORE_RULE_FALSE) {
        *reason = "the accept rule does not hold";
        return LORE_DECISION_REJECT;
    }
    if ((!has_accept || a == LORE_RULE_NOT_PARSED) && (!has_reject || r == LORE_RULE_NOT_PARSED)) {
        *reason = has_accept || has_reject ? "the rules are not understood" : "there is no rule";
        return LORE_DECISION_NOT_PARSED;
    }
    *reason = a == LORE_RULE_UNDECIDED || r == LORE_RULE_UNDECIDED
                  ? "noise or missing measurements leave it open"
                  : "neither rule decides";
    return LORE_DECISION_UNDECIDED;
}

void
lore_claims_decide(const char *accept_if, const char *reject_if,
    const struct lore_rule_facts *facts, struct lore_arena *arena, struct lore_rule_decision *out)
{
    *out = (struct lore_rule_decision){0};
    lore_claims_rule(accept_if, facts, arena, &out->accept);
    lore_claims_rule(reject_if, facts, arena, &out->reject);
    out->decision = decide(out, !is_blank(accept_if), !is_blank(reject_if), &out->reason);
}
