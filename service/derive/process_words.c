/* Rules about hypotheses, evidence in words, targets and stated numbers (process.h). */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/derive/contradict.h"
#include "service/derive/process_rules.h"

/* A comparison with a library needs no hypothesis, because nothing was changed. */
enum lore_ruling
lore_process_hypothesis(const struct lore_process_in *in)
{
    if (in->has_hypothesis)
        return LORE_RULING_KEPT;
    if (!lore_process_is_timed(in) || in->claim.base == LORE_BASE_LIBRARY)
        return LORE_RULING_UNKNOWN;
    return LORE_RULING_BROKEN;
}

/* Compares the stated times. If the hypothesis has none, the order of the submissions decides. */
enum lore_ruling
lore_process_hypothesis_after_run(const struct lore_process_in *in)
{
    int64_t first_us = 0;

    if (!in->has_hypothesis)
        return LORE_RULING_UNKNOWN;
    if (in->claimed_us == 0)
        return in->claimed_later ? LORE_RULING_BROKEN : LORE_RULING_UNKNOWN;
    for (size_t i = 0; i < in->n_runs; i++) {
        const struct lore_process_run *r = &in->runs[i];

        if (r->side == LORE_P_AFTER && r->measured_us != 0 &&
            (first_us == 0 || r->measured_us < first_us))
            first_us = r->measured_us;
    }
    if (first_us == 0)
        return LORE_RULING_UNKNOWN;
    return in->claimed_us > first_us ? LORE_RULING_BROKEN : LORE_RULING_KEPT;
}

/* A digit that starts a word is a value ("12.5 %", "=4096"); one inside is part of a name
 * ("float4", "v2", "L2"). */
static bool
has_value(const char *text)
{
    for (const char *p = text; *p != '\0'; p++) {
        unsigned char before = p == text ? ' ' : (unsigned char)p[-1];

        if (isdigit((unsigned char)*p) && !isalnum(before) && before != '_' && before != '.')
            return true;
        if (isdigit((unsigned char)*p) && before == '.' && p - text >= 2 &&
            !isalnum((unsigned char)p[-2]))
            return true; /* ".5" */
    }
    return false;
}

/* Whether TEXT contains a number in words: "eight times", "half the barriers", "a third less".
 * "one", "first", "second" and "half precision" do not count. */
static bool
has_number_word(const char *text)
{
    static const char numbers[] =
        " two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
        " sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
        " hundred thousand million billion half quarter quarters twice thirds fourths eighths ";
    static const char parts[] = " third fourth fifth sixth eighth tenth sixteenth ";
    char word[16] = " ";
    bool after_a = false;

    for (const char *p = text; *p != '\0';) {
        size_t n = 0;

        while (isalnum((unsigned char)p[n]) || p[n] == '_')
            n++;
        if (n > 0 && n < sizeof word - 2) {
            for (size_t i = 0; i < n; i++)
                word[i + 1] = (char)tolower((unsigned char)p[i]);
            memcpy(word + n + 1, " ", 2);
            bool type = strcmp(word, " half ") == 0 && strncmp(p + n, " precision", 10) == 0;
            if ((strstr(numbers, word) && !type) || (after_a && strstr(parts, word)))
                return true;
            after_a = strcmp(word, " a ") == 0 || strcmp(word, " one ") == 0;
        } else if (n > 0) {
            after_a = false;
        }
        p += n > 0 ? n : 1;
    }
    return false;
}

enum {
    MOST_WORDS = 5
}; /* words in the longest metric title: "Warp Stall Long Scoreboard" and its unit */

/* Whether one to MOST_WORDS adjacent words of TEXT name a metric. */
static bool
has_metric(const char *text)
{
    char name[160];

    for (const char *p = text; *p != '\0';) {
        const char *end = p;

        for (int words = 0; words < MOST_WORDS && *end != '\0'; words++) {
            end += strspn(end, " \t\n");
            end += strcspn(end, " \t\n,;:=()");
            if (end == p || (size_t)(end - p) >= sizeof name)
                break;
            memcpy(name, p, (size_t)(end - p));
            name[end - p] = '\0';
            if (lore_metric_find(name))
                return true;
            if (*end != ' ')
                break;
        }
        p += strcspn(p, " \t\n,;:=()");
        p += strspn(p, " \t\n,;:=()");
    }
    return false;
}

bool
lore_process_words_concrete(const char *text)
{
    return has_value(text) || has_number_word(text) || has_metric(text);
}

enum lore_ruling
lore_process_figures_in_evidence(const struct lore_process_in *in)
{
    for (size_t i = 0; i < in->n_words; i++) {
        if (lore_process_words_concrete(in->words[i]))
            return LORE_RULING_KEPT;
    }
    return in->n_words == 0 ? LORE_RULING_UNKNOWN : LORE_RULING_BROKEN;
}

enum lore_ruling
lore_process_spec_of_target(const struct lore_process_in *in)
{
    enum lore_ruling found = LORE_RULING_UNKNOWN;

    for (size_t i = 0; i < in->n_targets; i++) {
        if (!in->targets[i].fraction_of_peak.set)
            continue;
        if (!in->targets[i].spec)
            return LORE_RULING_BROKEN;
        found = LORE_RULING_KEPT;
    }
    return found;
}

static const double claim_slack = 0.02;     /* relative tolerance */
static const double claim_rounding = 0.005; /* speedups are printed with two decimals */

/* Only for speedups over the parent: any other base has a time that is not stated. */
enum lore_ruling
lore_process_claim_speedup_differs(const struct lore_process_in *in)
{
    const struct lore_claim *c = &in->claim;
    double ratio, off;

    if (c->base != LORE_BASE_NONE && c->base != LORE_BASE_PARENT)
        return LORE_RULING_UNKNOWN;
    if (!c->speedup.set || !c->latency_before_ns.set || !c->latency_after_ns.set ||
        !(c->latency_before_ns.v > 0) || !(c->latency_after_ns.v > 0))
        return LORE_RULING_UNKNOWN;
    ratio = c->latency_before_ns.v / c->latency_after_ns.v;
    off = fabs(c->speedup.v - ratio);
    return off > claim_slack * ratio && off > claim_rounding ? LORE_RULING_BROKEN
                                                             : LORE_RULING_KEPT;
}

enum lore_ruling
lore_process_label_contradicted(const struct lore_process_in *in)
{
    LORE_SCRATCH scratch = {0};
    size_t n = 0;

    if (in->labels == 0 || in->before.n == 0)
        return LORE_RULING_UNKNOWN;
    (void)lore_label_contradictions(in->labels, &in->before, NULL, &scratch, &n);
    return n > 0 ? LORE_RULING_BROKEN
                 : LORE_RULING_UNKNOWN; /* no contradiction is not a proof of the label */
}

static enum lore_ruling
lint(const struct lore_process_in *in, const char *code)
{
    for (size_t i = 0; i < in->n_lint; i++) {
        if (lore_streq(in->lint[i], code))
            return LORE_RULING_BROKEN;
    }
    return LORE_RULING_UNKNOWN;
}

#define LINT(code)                                                                                 \
    enum lore_ruling lore_process_##code(const struct lore_process_in *in)                         \
    {                                                                                              \
        return lint(in, #code);                                                                    \
    }
LINT(occupancy_above_100)
LINT(percent_out_of_range)
LINT(threads_as_percent)
LINT(ratio_as_percent)
LINT(range_excludes_value)
