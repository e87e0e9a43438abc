/* Are repeats of failed ideas recognised in what agents really wrote? Each session of agent-logs is
 * replayed in order: before an attempt is stored, the lineage is asked about it. Texts are stripped
 * of their outcomes first, in the question and in the store alike.
 *
 * An attempt succeeds when it is more than 2 % faster than the best so far. A repeat is exact when
 * a failed attempt had the same words in the same order, and near when the sets of words have a
 * Jaccard index of 0.7 or more. The sessions are few, so each share has its 95 % Wilson interval.
 */
#include "tests/eval/eval.h"

#include <math.h>
#include <string.h>

#include "service/base/fnv.h"
#include "service/base/text.h"
#include "service/derive/repeats.h"
#include "tests/eval/agent_logs.h"

#define GAIN 1.02   /* a success */
#define WIN 1.05    /* what the policy of verdicts calls a win */
#define JACCARD 0.7 /* a near repeat */
enum { WORDS = 400 };

struct word_list {
    uint64_t v[WORDS]; /* hashes in order */
    size_t n;
};
enum asked { EXACT, NEAR, SUCCESS, OTHER, ASKED };
static const char *const asked_names[ASKED] = {"exact", "near", "successes", "others"};
struct share {
    size_t n, flagged;
};
struct session {
    const struct agent_log *log;
    struct lore_repeats_attempt *v;
    struct word_list *words;
    size_t n;
    double best;          /* of the session, TFLOP/s */
    const char *champion; /* its version; NULL: nothing was measured yet */
};

static struct word_list
words_of(const char *text)
{
    struct word_list w = {.n = 0};

    for (const char *s = text; *s && w.n < WORDS;) {
        uint64_t h = LORE_FNV;
        const char *from = s;
        for (; lore_is_word(*s); s++)
            h = lore_fnv_byte(h, (unsigned char)(*s >= 'A' && *s <= 'Z' ? *s - 'A' + 'a' : *s));
        if (s > from)
            w.v[w.n++] = h;
        else
            s++;
    }
    return w;
}

static size_t
distinct(const struct word_list *w, const struct word_list *in)
{
    size_t n = 0;

    for (size_t i = 0; i < w->n; i++) {
        bool seen = false, found = !in;
        for (size_t k = 0; k < i; k++)
            seen |= w->v[k] == w->v[i];
        for (size_t k = 0; in && k < in->n; k++)
            found |= in->v[k] == w->v[i];
        n += !seen && found;
    }
    return n;
}

static double
jaccard(const struct word_list *a, const struct word_list *b)
{
    size_t both = distinct(a, b), all = distinct(a, NULL) + distinct(b, NULL) - both;

    return all > 0 ? (double)both / (double)all : 0;
}

static bool
same_words(const struct word_list *a, const struct word_list *b)
{
    return a->n == b->n && a->n > 0 && memcmp(a->v, b->v, a->n * sizeof *a->v) == 0;
}

static bool
failed(const struct lore_repeats_attempt *a)
{
    return a->end >= LORE_ATTEMPT_NO_GAIN;
}

static enum asked
what_is_asked(const struct session *s, const struct word_list *w, bool success)
{
    enum asked kind = OTHER;

    for (size_t i = 0; i < s->n && !success; i++) {
        if (!failed(&s->v[i]))
            continue;
        if (same_words(w, &s->words[i]))
            return EXACT;
        if (jaccard(w, &s->words[i]) >= JACCARD)
            kind = NEAR;
    }
    return success ? SUCCESS : kind;
}

static enum lore_attempt_end
end_of(const struct agent_attempt *a, double speedup)
{
    if (a->end == AGENT_NOT_BUILT)
        return LORE_ATTEMPT_NOT_BUILT;
    if (a->end == AGENT_NOT_RUN || !(a->tflops > 0))
        return LORE_ATTEMPT_NOT_RUN;
    return speedup > WIN    ? LORE_ATTEMPT_GAIN
           : speedup > GAIN ? LORE_ATTEMPT_OPEN
                            : LORE_ATTEMPT_NO_GAIN;
}

static void
attempt(struct lore_eval *e, struct session *s, const struct agent_attempt *a,
    struct share share[ASKED])
{
    struct word_list w = words_of(a->asked);
    bool measured = a->tflops > 0 && a->end != AGENT_NOT_BUILT && a->end != AGENT_NOT_RUN;
    double speedup = measured && s->best > 0 ? a->tflops / s->best : 0;
    const char *version = lore_format(e->arena, "v%zu", s->n);
    struct lore_idea idea = {.text = a->asked, .from_version = s->champion, .workload = "w"};
    struct lore_repeats r;

    if (s->champion) {
        lore_repeats_find(&idea, lore_repeats_read(s->v, s->n, e->arena), e->arena, &r);
        enum asked kind = what_is_asked(s, &w, speedup > GAIN);
        share[kind].n++;
        share[kind].flagged += r.flagged;
        if (e->details && (kind <= NEAR ? !r.flagged : r.flagged))
            lore_buf_printf(e->text, "  line %zu, %s %s: %s\n", a->line, asked_names[kind],
                r.flagged ? "flagged" : "missed", r.why);
        s->words[s->n] = w;
        s->v[s->n++] = (struct lore_repeats_attempt){.id = a->iter,
            .idea = idea,
            .to_version = version,
            .end = end_of(a, speedup),
            .speedup = speedup};
    }
    if (measured && a->tflops > s->best) {
        s->best = a->tflops;
        s->champion = version;
    }
}

static void
interval(const struct share *s, double out[2])
{
    double n = (double)s->n, z = 1.96, p = n > 0 ? (double)s->flagged / n : 0;
    double mid = p + z * z / (2 * n), half = z * sqrt((p * (1 - p) + z * z / (4 * n)) / n);

    out[0] = n > 0 ? (mid - half) / (1 + z * z / n) : 0;
    out[1] = n > 0 ? (mid + half) / (1 + z * z / n) : 1;
}

static double
ratio(const struct share *s)
{
    return s->n > 0 ? (double)s->flagged / (double)s->n : NAN;
}

static void
print_row(struct lore_eval *e, const char *name, const struct share share[ASKED])
{
    lore_buf_printf(e->text, "%-60.60s", name);
    for (size_t k = 0; k < ASKED; k++)
        lore_buf_printf(e->text, " %4zu of %-4zu", share[k].flagged, share[k].n);
    lore_buf_printf(e->text, "\n");
}

static void
add_figures(struct lore_eval *e, const struct share share[ASKED])
{
    static const struct {
        const char *measure;
        enum lore_eval_goal sense;
        double goal;
    } rows[ASKED] = {
        {"exact repeats flagged", LORE_GOAL_AT_LEAST, 1},
        {"near repeats flagged", LORE_GOAL_AT_LEAST, 0.8},
        {"false alarms on later successes", LORE_GOAL_AT_MOST, 0.05},
        {"other attempts flagged", LORE_GOAL_NONE, 0},
    };

    for (size_t k = 0; k < ASKED; k++) {
        double at[2];
        interval(&share[k], at);
        lore_buf_printf(e->text, "%s: %zu of %zu, %.1f %% (95 %% interval %.1f to %.1f)\n",
            rows[k].measure, share[k].flagged, share[k].n, 100 * ratio(&share[k]), 100 * at[0],
            100 * at[1]);
        lore_eval_add(e, (struct lore_eval_figure){"repeats_logs", "all", "lineage check",
                             rows[k].measure, ratio(&share[k]), rows[k].sense, rows[k].goal});
    }
}

enum lore_status
lore_eval_repeats_logs(struct lore_eval *e, struct lore_err *err)
{
    struct share all[ASKED] = {{0}};
    struct agent_log *logs = NULL;
    size_t n = 0;
    enum lore_status status =
        agent_logs_read(lore_format(e->arena, "%s/agent-logs", e->data), e->arena, &logs, &n, err);

    if (status != LORE_OK)
        return status;
    lore_buf_printf(e->text, "%-60s %-12s %-12s %-12s %-12s\n", "flagged, of", "exact", "near",
        "successes", "others");
    for (size_t i = 0; i < n; i++) {
        struct share share[ASKED] = {{0}};
        struct session s = {.log = &logs[i],
            .v = lore_alloc_array(e->arena, logs[i].n + 1, sizeof *s.v),
            .words = lore_alloc_array(e->arena, logs[i].n + 1, sizeof *s.words)};
        for (size_t k = 0; k < logs[i].n; k++)
            if (logs[i].v[k].end != AGENT_REFERENCE)
                attempt(e, &s, &logs[i].v[k], share);
        print_row(e, logs[i].name, share);
        for (size_t k = 0; k < ASKED; k++) {
            all[k].n += share[k].n;
            all[k].flagged += share[k].flagged;
        }
    }
    print_row(e, "all", all);
    add_figures(e, all);
    return LORE_OK;
}
