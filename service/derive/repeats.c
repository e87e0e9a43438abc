/* Compares a plan with each attempt in three steps. Is the change the same? Are kernel, chip and
 * workload the same? Does the failure still apply? */
#include "service/derive/repeats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

#define LOSS_PER_CHANGE 0.15
#define SURE 0.98
enum { PATH = 256, VALUES = 2 /* failed values after which another value is flagged, too */ };

struct lore_repeats_past {
    const struct lore_repeats_attempt *attempts;
    struct lore_idea_parsed *v;
    struct lore_idea_objects objects;
    size_t n;
    size_t *made_by; /* per attempt: the one that made its base version; n: none */
};

const char *
lore_attempt_end_name(enum lore_attempt_end e)
{
    static const char *const names[] = {
        "pending", "gain", "open", "no_gain", "loss", "wrong", "timed_out", "not_run", "not_built"};

    return e <= LORE_ATTEMPT_NOT_BUILT ? names[e] : "pending";
}

const char *
lore_repeat_where_name(enum lore_repeat_where w)
{
    static const char *const names[] = {"here", "other_workload", "other_chip", "other_kernel"};

    return w <= LORE_REPEAT_OTHER_KERNEL ? names[w] : "here";
}

const char *
lore_repeats_answer_name(enum lore_repeats_answer a)
{
    static const char *const names[] = {"new", "stop", "won_here", "known"};

    return a <= LORE_REPEATS_ELSEWHERE ? names[a] : "new";
}

/* --- whether the failure still applies --- */

/* The ancestors that the idea builds on, starting with its from-version. */
struct path {
    const char *v[PATH];
    size_t n;
};

static const char *
made_from(const char *version, const struct lore_repeats_attempt *v, size_t n)
{
    for (size_t i = n; i-- > 0;)
        if (lore_streq(v[i].to_version, version) && !lore_streq(v[i].idea.from_version, version))
            return v[i].idea.from_version;
    return NULL;
}

static struct path
path_of(const struct lore_idea *idea, const struct lore_repeats_attempt *v, size_t n)
{
    struct path p = {.n = 0};

    for (const char *at = idea->from_version; at && p.n < PATH; at = made_from(at, v, n))
        p.v[p.n++] = at;
    return p;
}

/* The number of changes between the from-version of attempt AT and that of the idea. If the
 * versions are not linked, the number of later gains, at least 1 if both versions are known. */
static size_t
changes_since(const struct path *p, const struct lore_repeats_attempt *v, size_t n, size_t at)
{
    const char *from = v[at].idea.from_version;
    size_t gains = 0;

    for (size_t steps = 0; from && steps < p->n; steps++)
        if (lore_streq(p->v[steps], from))
            return steps;
    for (size_t i = at + 1; i < n; i++)
        gains += v[i].end == LORE_ATTEMPT_GAIN;
    return from && p->n > 0 && gains == 0 ? 1 : gains;
}

/* PLACED: the plan says on which version it builds. What another attempt at the same technique did
 * wrong says little of the next one, and a result without a gain nothing of a similar plan. */
static bool
still_applies(const struct lore_repeats_attempt *a, const struct lore_idea_match *s, size_t changes,
    bool placed)
{
    bool exact = s->kind == LORE_REPEAT_EXACT;

    if (s->part || (a->end == LORE_ATTEMPT_NO_GAIN && !exact && !s->always))
        return false;
    if (changes == 0 || s->always)
        return true;
    if (s->words)
        return false;
    if (a->end > LORE_ATTEMPT_LOSS || !placed)
        return exact || !s->technique || a->end <= LORE_ATTEMPT_LOSS;
    return a->speedup > 0 && -log(a->speedup) >= LOSS_PER_CHANGE * (double)changes;
}

/* --- in words --- */

/* " with tile=64, stages=3"; "": no parameters. */
static const char *
show_params(const struct lore_idea *idea, struct lore_arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < idea->n_uses; i++)
        for (size_t k = 0; k < idea->uses[i].n_params; k++) {
            const struct lore_idea_param *p = &idea->uses[i].params[k];
            text = lore_format(
                arena, "%s%s%s=%s", text, *text ? ", " : " with ", p->name, p->to ? p->to : "?");
        }
    return text;
}

/* " from v3 of kernel softmax_triton on h200, another workload (2026-04-18, ada)"; OF_KERNEL: name
 * the kernel. */
static const char *
show_origin(const struct lore_repeat *r, bool of_kernel, struct lore_arena *arena)
{
    const struct lore_repeats_attempt *a = r->of;
    const char *where = "", *by = "";

    if (a->base_label)
        where = lore_format(arena, " from %s", a->base_label);
    if (of_kernel || r->where == LORE_REPEAT_OTHER_KERNEL)
        where = lore_format(arena, "%s %s kernel %s", where, a->base_label ? "of" : "on",
            a->kernel ? a->kernel : "?");
    if (a->idea.chip)
        where = lore_format(arena, "%s on %s", where, a->idea.chip);
    if (r->where == LORE_REPEAT_OTHER_WORKLOAD)
        where = lore_format(arena, "%s%s another workload", where, a->idea.chip ? "," : " on");
    if (a->day || a->author)
        by = lore_format(arena, " (%s%s%s)", a->day ? a->day : "", a->day && a->author ? ", " : "",
            a->author ? a->author : "");
    return lore_format(arena, "%s%s", where, by);
}

const char *
lore_attempt_end_text(const struct lore_repeats_attempt *a, struct lore_arena *arena)
{
    bool unsure = a->speedup > 0 && a->speedup < SURE; /* slower, by too few samples to say so */
    const char *const ends[] = {[LORE_ATTEMPT_PENDING] = "has no result",
        [LORE_ATTEMPT_GAIN] = "won",
        [LORE_ATTEMPT_OPEN] = "gained little",
        [LORE_ATTEMPT_NO_GAIN] = unsure ? "was no faster" : "gained nothing",
        [LORE_ATTEMPT_LOSS] = "was slower",
        [LORE_ATTEMPT_WRONG] = "gave wrong results",
        [LORE_ATTEMPT_TIMED_OUT] = "timed out",
        [LORE_ATTEMPT_NOT_RUN] = "crashed",
        [LORE_ATTEMPT_NOT_BUILT] = "did not compile"};
    const char *size = a->end <= LORE_ATTEMPT_LOSS && a->speedup > 0
                           ? lore_format(arena, " (%.3gx)", a->speedup)
                           : "";

    return lore_format(arena, "%s%s%s", ends[a->end], size, show_params(&a->idea, arena));
}

static const char *
explain(const struct lore_repeat *r, const char *how, bool no_kernel, struct lore_arena *arena)
{
    const char *since = r->changes == 0 ? ""
                                        : lore_format(arena, ", %zu change%s ago", r->changes,
                                              r->changes == 1 ? "" : "s");

    return lore_format(arena, "it %s%s: %s%s", lore_attempt_end_text(r->of, arena),
        show_origin(r, no_kernel, arena), how, since);
}

static const char *
times_text(size_t n, struct lore_arena *arena)
{
    return n == 1 ? "once" : n == 2 ? "twice" : lore_format(arena, "%zu times", n);
}

/* "introduced 3 times here: 2 won (best 1.49x from t0 of gemm_triton on h200), 1 failed; 8 times on
 * other chips: 2 won; 9 attempts here at other values of it: 1 won"; "": nobody tried it. */
static const char *
say_tally(const struct lore_repeats_tally *t, struct lore_arena *arena)
{
    const char *text = "";

    if (t->tried > 0)
        text =
            lore_format(arena, "introduced %s here: %zu won", times_text(t->tried, arena), t->won);
    if (t->best && t->best->speedup > 0)
        text = lore_format(arena, "%s (%s%.3gx%s%s%s%s%s%s)", text, t->won > 1 ? "best " : "",
            t->best->speedup, t->best->base_label ? " from " : "",
            t->best->base_label ? t->best->base_label : "", t->best->kernel ? " of " : "",
            t->best->kernel ? t->best->kernel : "", t->best->idea.chip ? " on " : "",
            t->best->idea.chip ? t->best->idea.chip : "");
    if (t->no_gain > 0)
        text = lore_format(arena, "%s, %zu gained little or nothing", text, t->no_gain);
    if (t->failed > 0)
        text = lore_format(arena, "%s, %zu failed", text, t->failed);
    if (t->other_chips > 0)
        text = lore_format(arena, "%s%s%s on other chips: %zu won", text,
            *text ? "; " : "introduced ", times_text(t->other_chips, arena), t->other_chips_won);
    if (t->values > 0)
        text = lore_format(arena, "%s%s%zu attempt%s here only changed its values: %zu won", text,
            *text ? "; " : "", t->values, t->values == 1 ? "" : "s", t->values_won);
    return text;
}

static const char *
say_tallies(const struct lore_repeats *r, struct lore_arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < r->n_tallies; i++) {
        const struct lore_repeats_tally *t = &r->tallies[i];
        if (*t->text)
            text = lore_format(arena, "%s%s%s: %s", text, *text ? ". " : "", t->technique, t->text);
    }
    return text;
}

/* A plan unlike all attempts here, whose techniques may have been tried all the same. */
static const char *
conclude_without(
    const struct lore_idea *idea, const struct lore_repeats *r, struct lore_arena *arena)
{
    const char *among =
        lore_format(arena, "%zu attempt%s here", r->attempts, r->attempts == 1 ? "" : "s");
    const char *tallies = say_tallies(r, arena);

    if (!*tallies)
        return idea->n_uses == 1 ? lore_format(arena, "nothing like it, and no %s, among %s",
                                       idea->uses[0].technique, among)
                                 : lore_format(arena, "nothing like it among %s", among);
    return lore_format(arena, "nothing like it among %s. %s", among, tallies);
}

/* "3 won, 1 gained nothing, 2 failed" of the attempts that are like the plan. */
static const char *
show_ends(const struct lore_repeats *r, bool here, struct lore_arena *arena)
{
    size_t won = 0, no_gain = 0, failed = 0;

    for (size_t i = 0; i < r->n; i++)
        if ((r->v[i].where == LORE_REPEAT_HERE) == here) {
            won += r->v[i].of->end < LORE_ATTEMPT_NO_GAIN;
            no_gain += r->v[i].of->end == LORE_ATTEMPT_NO_GAIN;
            failed += r->v[i].of->end > LORE_ATTEMPT_NO_GAIN;
        }
    const char *nothing = no_gain > 0 ? lore_format(arena, "%zu gained nothing, ", no_gain) : "";
    return lore_format(arena, "%zu won, %s%zu failed", won, nothing, failed);
}

static const char *
conclude_known(const struct lore_idea *idea, const struct lore_repeats *r, struct lore_arena *arena)
{
    const struct lore_repeat *first = r->v;
    bool here = first->where == LORE_REPEAT_HERE;
    size_t known = 0;

    if (here && !idea->no_kernel)
        return lore_format(arena, "%s and may be worth another try: %s",
            first->of->end == LORE_ATTEMPT_NO_GAIN ? "gained nothing here"
            : first->changes > 0                   ? "failed on an earlier version"
                                                   : "failed here in another form",
            first->why);
    for (size_t i = 0; i < r->n; i++)
        known += (r->v[i].where == LORE_REPEAT_HERE) == here;
    return lore_format(arena, "%zu attempt%s %s, %s: %s", known, known == 1 ? "" : "s",
        here ? "on this operator" : "elsewhere", show_ends(r, here, arena), first->why);
}

static const char *
conclude(const struct lore_idea *idea, const struct lore_repeats *r, struct lore_arena *arena)
{
    const struct lore_repeat *first = r->v;

    switch (r->answer) {
    case LORE_REPEATS_STOP:
        return lore_format(arena, "%s here before: %s",
            first->of->end == LORE_ATTEMPT_NO_GAIN ? "measured" : "failed", first->why);
    case LORE_REPEATS_WON_HERE:
        return first->why;
    case LORE_REPEATS_ELSEWHERE:
        return r->n == 0 ? conclude_without(idea, r, arena) : conclude_known(idea, r, arena);
    default:
        return conclude_without(idea, r, arena);
    }
}

/* --- the search --- */

static bool
differ(const char *a, const char *b)
{
    return a && b && !lore_streq(a, b);
}

/* A build failure on a chip applies to all its workloads. */
static enum lore_repeat_where
where_of(const struct lore_idea *idea, const struct lore_repeats_attempt *a)
{
    if (a->other_kernel)
        return LORE_REPEAT_OTHER_KERNEL;
    if (differ(idea->chip, a->idea.chip))
        return LORE_REPEAT_OTHER_CHIP;
    return a->end != LORE_ATTEMPT_NOT_BUILT && differ(idea->workload, a->idea.workload)
               ? LORE_REPEAT_OTHER_WORKLOAD
               : LORE_REPEAT_HERE;
}

static int
by_weight(const void *a, const void *b)
{
    const struct lore_repeat *x = a, *y = b;

    if (x->flagged != y->flagged)
        return x->flagged ? -1 : 1;
    if (x->where != y->where)
        return x->where < y->where ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind > y->kind ? -1 : 1;
    if (x->changes != y->changes)
        return x->changes < y->changes ? -1 : 1;
    return x->of > y->of ? -1 : 1; /* newer first: attempts are in one array, oldest first */
}

/* Whether the attempts here begin several logs that nothing orders. */
static bool
is_unordered(const struct lore_repeats_past *p)
{
    const char *first = NULL; /* the version that a log begins with */
    bool several = false;

    for (size_t i = 0; i < p->n && !several; i++) {
        const struct lore_repeats_attempt *a = &p->attempts[i];
        const char *from = a->idea.from_version;
        if (!a->loose || a->other_kernel || !from || made_from(from, p->attempts, p->n))
            continue;
        several = first && !lore_streq(first, from);
        first = from;
    }
    return several;
}

/* Whether the version that attempt I started from has TECHNIQUE: it shows it itself, or an attempt
 * that led to it has it. */
static bool
base_has(const struct lore_repeats_past *p, size_t i, const char *technique)
{
    if (lore_text_lists(p->attempts[i].base_has, technique, strlen(technique)))
        return true;
    i = p->made_by[i];
    for (size_t steps = 0; i < p->n && steps < PATH; steps++, i = p->made_by[i])
        if (lore_idea_use(&p->attempts[i].idea, technique))
            return true;
    return false;
}

/* Whether attempt I only changed a value of TECHNIQUE, which its base version has: it states the
 * old value, the base has the technique, or its words name a value and no technique. */
static bool
is_of_value(const struct lore_repeats_past *p, size_t i, const char *technique)
{
    const struct lore_idea *idea = &p->attempts[i].idea;
    const struct lore_idea_use *u = lore_idea_use(idea, technique);

    for (size_t k = 0; k < u->n_params; k++)
        if (u->params[k].from)
            return true;
    return lore_streq(technique, LORE_TECHNIQUE_INHERENT) || base_has(p, i, technique) ||
           (u->n_params > 0 && lore_idea_names_value(idea, technique));
}

/* The same of a plan. What its base version shows is known from an attempt that started from it. */
static bool
plans_value(const struct lore_idea *plan, const struct lore_repeats_past *p,
    const struct path *path, const char *technique)
{
    const struct lore_idea_use *u = lore_idea_use(plan, technique);

    for (size_t k = 0; k < u->n_params; k++)
        if (u->params[k].from)
            return true;
    for (size_t i = 0; i < p->n && path->n > 0; i++) {
        const struct lore_repeats_attempt *a = &p->attempts[i];
        if (lore_streq(a->idea.from_version, path->v[0]) && base_has(p, i, technique))
            return true;
        for (size_t k = 0; k < path->n && lore_idea_use(&a->idea, technique); k++)
            if (lore_streq(a->to_version, path->v[k]))
                return true;
    }
    return lore_streq(technique, LORE_TECHNIQUE_INHERENT) ||
           (u->n_params > 0 && lore_idea_names_value(plan, technique));
}

/* Count attempt I in the tally OUT of a technique. Returns whether it introduced the technique, on
 * the chip of the plan. */
static bool
count_technique(const struct lore_idea *plan, const struct lore_repeats_past *p, size_t i,
    struct lore_repeats_tally *out)
{
    const struct lore_repeats_attempt *a = &p->attempts[i];
    bool won = a->end == LORE_ATTEMPT_GAIN, there = differ(plan->chip, a->idea.chip);

    if (!lore_idea_use(&a->idea, out->technique))
        return false;
    if (is_of_value(p, i, out->technique)) {
        out->values += !there;
        out->values_won += !there && won;
        return false;
    }
    if (there) {
        out->other_chips++;
        out->other_chips_won += won;
        return false;
    }
    out->tried++;
    out->won += won;
    out->failed += a->end > LORE_ATTEMPT_NO_GAIN;
    out->no_gain = out->tried - out->won - out->failed;
    if (won && (!out->best || a->speedup > out->best->speedup))
        out->best = a;
    return true;
}

static void
count_history(const struct lore_idea *idea, const struct lore_repeats_past *p,
    struct lore_arena *arena, struct lore_repeats *out)
{
    out->tallies = lore_alloc_array(arena, idea->n_uses + 1, sizeof *out->tallies);
    for (; out->n_tallies < idea->n_uses; out->n_tallies++)
        out->tallies[out->n_tallies] =
            (struct lore_repeats_tally){.technique = idea->uses[out->n_tallies].technique};
    for (size_t i = p->n; i-- > 0;) {
        const struct lore_repeats_attempt *a = &p->attempts[i];
        if (a->end == LORE_ATTEMPT_PENDING || a->other_kernel)
            continue;
        out->attempts++;
        out->gained |= a->end == LORE_ATTEMPT_GAIN;
        out->gains += a->end == LORE_ATTEMPT_GAIN;
        out->since_gain += !out->gained;
        if (out->recent < LORE_REPEAT_RECENT) {
            out->recent++;
            out->recent_not_built += a->end == LORE_ATTEMPT_NOT_BUILT;
        }
        bool introduced = false;
        for (size_t k = 0; k < idea->n_uses; k++)
            introduced |= count_technique(idea, p, i, &out->tallies[k]);
        out->technique_tried += introduced;
        out->technique_failed += introduced && a->end > LORE_ATTEMPT_NO_GAIN;
    }
    out->unordered = is_unordered(p);
    if (out->unordered)
        out->since_gain = 0;
}

struct made {
    const char *version;
    size_t by;
};

static int
by_version(const void *x, const void *y)
{
    const struct made *a = x, *b = y;
    int order = strcmp(a->version, b->version);

    return order != 0 ? order : (a->by > b->by) - (a->by < b->by);
}

/* Find which attempt made the base version of each; of several the newest. */
static void
link_attempts(struct lore_repeats_past *p, struct lore_arena *arena)
{
    struct made *v = lore_alloc_array(arena, p->n + 1, sizeof *v);
    size_t n = 0;

    for (size_t i = 0; i < p->n; i++)
        if (p->attempts[i].to_version &&
            !lore_streq(p->attempts[i].to_version, p->attempts[i].idea.from_version))
            v[n++] = (struct made){p->attempts[i].to_version, i};
    if (n > 1)
        qsort(v, n, sizeof *v, by_version);
    p->made_by = lore_alloc_array(arena, p->n + 1, sizeof *p->made_by);
    for (size_t i = 0; i < p->n; i++) {
        const char *from = p->attempts[i].idea.from_version;
        size_t low = 0, high = from ? n : 0;
        while (low < high) { /* the first after those that made it */
            size_t middle = (low + high) / 2;
            if (strcmp(v[middle].version, from) <= 0)
                low = middle + 1;
            else
                high = middle;
        }
        p->made_by[i] = low > 0 && lore_streq(v[low - 1].version, from) ? v[low - 1].by : p->n;
    }
}

void
lore_repeats_count(const struct lore_repeats_attempt *attempts, size_t n, const char *technique,
    struct lore_arena *arena, struct lore_repeats_tally *out)
{
    const struct lore_idea plan = {.no_kernel = true};
    struct lore_repeats_past p = {.attempts = attempts, .n = n};

    *out = (struct lore_repeats_tally){.technique = technique};
    link_attempts(&p, arena);
    for (size_t i = 0; i < n; i++)
        if (attempts[i].end != LORE_ATTEMPT_PENDING)
            (void)count_technique(&plan, &p, i, out);
}

struct lore_repeats_past *
lore_repeats_read(const struct lore_repeats_attempt *attempts, size_t n, struct lore_arena *arena)
{
    struct lore_repeats_past *p = lore_alloc(arena, sizeof *p);

    *p = (struct lore_repeats_past){
        .attempts = attempts, .v = lore_alloc_array(arena, n + 1, sizeof *p->v), .n = n};
    for (size_t i = 0; i < n; i++) {
        p->v[i] = lore_idea_parse(&attempts[i].idea, arena);
        lore_idea_objects_add(&p->objects, &p->v[i].words, arena);
    }
    link_attempts(p, arena);
    return p;
}

/* The question: a plan, the versions that it builds on, and the objects of all claims. */
struct question {
    const struct lore_idea_parsed *mine;
    const struct lore_repeats_past *past;
    const struct path *path;
    const struct lore_idea_objects *objects;
    const bool *value; /* per technique of the plan: it only changes a value of it */
};

static void
add_repeat(
    const struct question *q, size_t i, const struct lore_idea_match *s, struct lore_repeat *out)
{
    const struct lore_repeats_past *p = q->past;
    const struct lore_repeats_attempt *a = &p->attempts[i];
    enum lore_repeat_where where = where_of(q->mine->idea, a);
    bool line = where == LORE_REPEAT_HERE && !q->mine->idea->no_kernel;
    bool failed = a->end >= LORE_ATTEMPT_NO_GAIN;

    *out = (struct lore_repeat){.kind = s->kind, .where = where, .of = a, .alike = s->alike};
    if (line)
        out->changes = changes_since(q->path, p->attempts, p->n, i);
    out->flagged = line && failed && still_applies(a, s, out->changes, q->path->n > 0);
    out->why = s->how;
}

/* Whether the plan and attempt I, which share techniques, are not about the same: one introduces
 * these and the other only changes a value of them, or the attempt does and the plan says of no
 * value. */
static bool
is_of_another_kind(const struct question *q, size_t i)
{
    const struct lore_idea *plan = q->mine->idea;
    bool bare = !lore_idea_has_params(plan) && (!q->mine->has_text || plan->just_techniques);

    for (size_t k = 0; k < plan->n_uses; k++) {
        const char *t = plan->uses[k].technique;
        bool value = lore_idea_use(&q->past->attempts[i].idea, t) && is_of_value(q->past, i, t);
        if (lore_idea_use(&q->past->attempts[i].idea, t) && value == q->value[k] &&
            !(value && bare))
            return false;
    }
    return true;
}

static bool
is_on(const struct path *p, const char *version)
{
    for (size_t i = 0; version && i < p->n; i++)
        if (lore_streq(p->v[i], version))
            return true;
    return false;
}

/* The line that the plan builds on, else that of the last gain here. */
static struct path
line_of(const struct lore_repeats_past *past, const struct path *path)
{
    struct lore_idea last = {0};

    for (size_t i = past->n; i-- > 0 && path->n == 0 && !last.from_version;)
        if (past->attempts[i].end == LORE_ATTEMPT_GAIN && !past->attempts[i].other_kernel)
            last.from_version = past->attempts[i].to_version;
    return path->n > 0 ? *path : path_of(&last, past->attempts, past->n);
}

/* A later form of the failed attempt V[0] that is in the line; NULL: none is. */
static const struct lore_repeat *
mended_form(const struct lore_repeats *r, const struct path *line)
{
    for (size_t i = 1; i < r->n; i++)
        if (r->v[i].where == LORE_REPEAT_HERE && r->v[i].of > r->v[0].of &&
            r->v[i].of->end <= LORE_ATTEMPT_NO_GAIN && is_on(line, r->v[i].of->to_version))
            return &r->v[i];
    return NULL;
}

/* A failure does not stop a plan whose mended form is in the line already; the same words again
 * still fail. */
static void
look_for_mended(const struct lore_repeats_past *past, const struct path *path,
    struct lore_arena *arena, struct lore_repeats *out)
{
    struct path line = line_of(past, path);
    const struct lore_repeat *m = mended_form(out, &line);

    if (!m)
        return;
    out->why = lore_format(arena, "%s; in its mended form it is in the line already (%s)", out->why,
        m->of->idea.text ? m->of->idea.text : m->why);
    if (out->v[0].kind == LORE_REPEAT_EXACT)
        return;
    out->answer = LORE_REPEATS_WON_HERE;
    out->flagged = false;
}

/* Whether the attempt that is most like the plan gained here. For a plan on a whole operator, no
 * other attempt here may have failed. */
static bool
won_here(const struct lore_idea *idea, const struct lore_repeats *r)
{
    size_t lost = 0;

    for (size_t i = 0; i < r->n && idea->no_kernel; i++)
        lost += r->v[i].where == LORE_REPEAT_HERE && r->v[i].of->end >= LORE_ATTEMPT_NO_GAIN;
    return r->v[0].where == LORE_REPEAT_HERE && r->v[0].of->end < LORE_ATTEMPT_NO_GAIN && lost == 0;
}

static void
finish(const struct lore_idea *idea, struct lore_repeats *out, struct lore_arena *arena)
{
    if (out->technique_tried > 0 && out->technique_failed == out->technique_tried)
        out->answer = LORE_REPEATS_ELSEWHERE;
    if (out->n > 0) {
        const struct lore_repeat *first = out->v;
        qsort(out->v, out->n, sizeof *out->v, by_weight);
        out->kind = first->kind;
        out->flagged = first->flagged;
        out->answer = first->flagged        ? LORE_REPEATS_STOP
                      : won_here(idea, out) ? LORE_REPEATS_WON_HERE
                                            : LORE_REPEATS_ELSEWHERE;
    }
    for (size_t i = 0; i < out->n; i++) {
        enum lore_attempt_end end = out->v[i].of->end;
        out->v[i].why = explain(&out->v[i], out->v[i].why, idea->no_kernel, arena);
        if (out->v[i].where != LORE_REPEAT_HERE)
            *(end < LORE_ATTEMPT_NO_GAIN      ? &out->won_elsewhere
                : end == LORE_ATTEMPT_NO_GAIN ? &out->no_gain_elsewhere
                                              : &out->failed_elsewhere) += 1;
    }
    for (size_t i = 0; i < out->n_tallies; i++)
        out->tallies[i].text = say_tally(&out->tallies[i], arena);
    out->why = conclude(idea, out, arena);
}

/* What was tried is not new, although its result was withdrawn. */
static void
say_withdrawn(struct lore_repeats *r, struct lore_arena *arena)
{
    if (r->withdrawn == 0)
        return;
    if (r->answer == LORE_REPEATS_NEW)
        r->answer = LORE_REPEATS_ELSEWHERE;
    r->why = lore_format(arena, "tried here %s, and the result was withdrawn; else %s",
        times_text(r->withdrawn, arena), r->why);
}

/* Whether attempt I is here and differs from the plan in nothing but values, which no parameters
 * state. */
static bool
is_other_value(const struct question *q, size_t i)
{
    const struct lore_idea_words *a = &q->mine->words, *b = &q->past->v[i].words;
    const struct lore_repeats_attempt *of = &q->past->attempts[i];

    return of->end != LORE_ATTEMPT_PENDING && where_of(q->mine->idea, of) == LORE_REPEAT_HERE &&
           !(lore_idea_has_params(q->mine->idea) && lore_idea_has_params(&of->idea)) &&
           lore_idea_words_jaccard(a, b) >= LORE_IDEA_CLOSE && !lore_idea_words_opposed(a, b) &&
           !lore_idea_objects_differ(q->objects, a, b);
}

/* A sweep: when other values failed on this version and none gained, this value is flagged, too. */
static void
add_sweep(const struct question *q, struct lore_arena *arena, struct lore_repeats *out)
{
    size_t failed = 0, gained = 0, last = 0, cap = 0;

    for (size_t i = 0; i < q->past->n; i++) {
        if (!is_other_value(q, i))
            continue;
        if (q->past->attempts[i].end < LORE_ATTEMPT_NO_GAIN) {
            gained++;
        } else if (changes_since(q->path, q->past->attempts, q->past->n, i) == 0) {
            failed++;
            last = i;
        }
    }
    if (failed < VALUES || gained > 0)
        return;
    struct lore_idea_match s = {.kind = LORE_REPEAT_NEAR,
        .alike = lore_idea_words_jaccard(&q->mine->words, &q->past->v[last].words),
        .how = lore_format(
            arena, "the same words with another value; none of %zu values gained", failed),
        .words = true,
        .always = true};
    add_repeat(q, last, &s, LORE_PUSH(arena, out->v, out->n, cap));
}

void
lore_repeats_find(const struct lore_idea *idea, const struct lore_repeats_past *past,
    struct lore_arena *arena, struct lore_repeats *out)
{
    struct lore_idea_parsed mine = lore_idea_parse(idea, arena);
    struct path path = path_of(idea, past->attempts, past->n);
    struct lore_idea_objects objects = {0};
    size_t cap = 0;

    *out = (struct lore_repeats){0};
    lore_idea_objects_add(&objects, &mine.words, arena);
    for (size_t i = 0; i < past->objects.n; i++)
        *LORE_PUSH(arena, objects.v, objects.n, objects.cap) = past->objects.v[i];
    count_history(idea, past, arena, out);
    bool *value = lore_alloc_array(arena, idea->n_uses + 1, sizeof *value);
    for (size_t k = 0; k < idea->n_uses; k++)
        value[k] = plans_value(idea, past, &path, idea->uses[k].technique);
    const struct question q = {&mine, past, &path, &objects, value};
    for (size_t i = 0; i < past->n; i++) {
        const struct lore_repeats_attempt *a = &past->attempts[i];
        bool pending = a->end == LORE_ATTEMPT_PENDING;
        if (pending && (!a->withdrawn || a->other_kernel))
            continue;
        struct lore_idea_match s = lore_idea_compare(&mine, &past->v[i], &objects);
        if (s.kind == LORE_REPEAT_NONE || (s.technique && is_of_another_kind(&q, i)))
            continue;
        out->withdrawn += pending;
        if (!pending)
            add_repeat(&q, i, &s, LORE_PUSH(arena, out->v, out->n, cap));
    }
    if (out->n == 0)
        add_sweep(&q, arena, out);
    finish(idea, out, arena);
    say_withdrawn(out, arena);
    if (out->answer == LORE_REPEATS_STOP)
        look_for_mended(past, &path, arena, out);
}
