/* Compares a plan with each attempt in three steps. Is the change the same? Are kernel, chip and
 * workload the same? Does the failure still apply? */
#include "service/derive/repeats.h"

#include <math.h>
#include <stdlib.h>

#include "service/base/text.h"

#define LOSS_PER_CHANGE 0.15
#define SLOWER 0.98 /* a speedup below this counts as slower */
enum { PATH = 256, VALUES = 2 /* failed values after which another value is flagged, too */ };

struct lore_repeats_past {
    const struct lore_repeats_attempt *attempts;
    struct lore_idea_parsed *v;
    struct lore_idea_objects objects;
    size_t n;
};

const char *
lore_attempt_end_name(enum lore_attempt_end e)
{
    static const char *const names[] = {
        "pending", "gain", "open", "no_gain", "wrong", "timed_out", "not_run", "not_built"};

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

/* PLACED: the plan says on which version it builds. */
static bool
still_applies(const struct lore_repeats_attempt *a, const struct lore_idea_match *s, size_t changes,
    bool placed)
{
    if (changes == 0 || s->always || (!placed && !s->words))
        return true;
    if (s->words || a->end != LORE_ATTEMPT_NO_GAIN)
        return !s->words;
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

/* " on h200 (2026-04-18, ada)" */
static const char *
show_origin(const struct lore_repeat *r, struct lore_arena *arena)
{
    const struct lore_repeats_attempt *a = r->of;
    const char *where = "", *by = "";

    if (r->where == LORE_REPEAT_OTHER_KERNEL)
        where = lore_format(arena, " on kernel %s", a->kernel ? a->kernel : "?");
    if (r->where >= LORE_REPEAT_OTHER_CHIP && a->idea.chip)
        where = lore_format(arena, "%s on %s", where, a->idea.chip);
    if (r->where == LORE_REPEAT_OTHER_WORKLOAD)
        where = " on another workload";
    if (a->day || a->author)
        by = lore_format(arena, " (%s%s%s)", a->day ? a->day : "", a->day && a->author ? ", " : "",
            a->author ? a->author : "");
    return lore_format(arena, "%s%s", where, by);
}

const char *
lore_attempt_end_text(const struct lore_repeats_attempt *a, struct lore_arena *arena)
{
    bool slower = a->speedup > 0 && a->speedup < SLOWER;
    const char *const ends[] = {[LORE_ATTEMPT_PENDING] = "has no result",
        [LORE_ATTEMPT_GAIN] = "won",
        [LORE_ATTEMPT_OPEN] = "gained little",
        [LORE_ATTEMPT_NO_GAIN] = slower ? "was slower" : "gained nothing",
        [LORE_ATTEMPT_WRONG] = "gave wrong results",
        [LORE_ATTEMPT_TIMED_OUT] = "timed out",
        [LORE_ATTEMPT_NOT_RUN] = "crashed",
        [LORE_ATTEMPT_NOT_BUILT] = "did not compile"};
    const char *size = a->end <= LORE_ATTEMPT_NO_GAIN && a->speedup > 0
                           ? lore_format(arena, " (%.3gx)", a->speedup)
                           : "";

    return lore_format(arena, "%s%s%s", ends[a->end], size, show_params(&a->idea, arena));
}

static const char *
explain(const struct lore_repeat *r, const char *how, struct lore_arena *arena)
{
    const char *since = r->changes == 0 ? ""
                                        : lore_format(arena, ", %zu change%s ago", r->changes,
                                              r->changes == 1 ? "" : "s");

    return lore_format(arena, "it %s%s: %s%s", lore_attempt_end_text(r->of, arena),
        show_origin(r, arena), how, since);
}

/* A plan unlike all attempts here, whose technique may have been tried all the same. */
static const char *
conclude_without(
    const struct lore_idea *idea, const struct lore_repeats *r, struct lore_arena *arena)
{
    const char *technique = idea->n_uses == 1 ? idea->uses[0].technique : "its techniques";
    const char *among =
        lore_format(arena, "%zu attempt%s here", r->attempts, r->attempts == 1 ? "" : "s");

    if (r->technique_tried > 0)
        return lore_format(arena, "%s failed %zu of %zu times here, with other words or values",
            technique, r->technique_failed, r->technique_tried);
    if (idea->n_uses == 1)
        return lore_format(arena, "nothing like it, and no %s, among %s", technique, among);
    return lore_format(arena, "nothing like it among %s", among);
}

static const char *
conclude(const struct lore_idea *idea, const struct lore_repeats *r, struct lore_arena *arena)
{
    const struct lore_repeat *first = r->v;
    size_t known = r->won_elsewhere + r->failed_elsewhere;

    switch (r->answer) {
    case LORE_REPEATS_STOP:
        return lore_format(arena, "failed here before: %s", first->why);
    case LORE_REPEATS_WON_HERE:
        return first->why;
    case LORE_REPEATS_ELSEWHERE:
        if (r->n == 0)
            return conclude_without(idea, r, arena);
        if (first->where == LORE_REPEAT_HERE)
            return lore_format(
                arena, "failed on an earlier version and may be worth another try: %s", first->why);
        return lore_format(arena, "%zu attempt%s elsewhere, %zu won, %zu failed: %s", known,
            known == 1 ? "" : "s", r->won_elsewhere, r->failed_elsewhere, first->why);
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

static void
count_history(
    const struct lore_idea *idea, const struct lore_repeats_past *p, struct lore_repeats *out)
{
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
        if (lore_idea_techniques_shared(idea, &a->idea) > 0) {
            out->technique_tried++;
            out->technique_failed += a->end >= LORE_ATTEMPT_NO_GAIN;
        }
    }
    out->unordered = is_unordered(p);
    if (out->unordered)
        out->since_gain = 0;
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
    return p;
}

static void
add_repeat(const struct lore_repeats_past *p, size_t i, const struct lore_idea_match *s,
    const struct path *path, enum lore_repeat_where where, struct lore_repeat *out)
{
    const struct lore_repeats_attempt *a = &p->attempts[i];
    bool failed = a->end >= LORE_ATTEMPT_NO_GAIN;

    *out = (struct lore_repeat){.kind = s->kind, .where = where, .of = a, .alike = s->alike};
    if (where == LORE_REPEAT_HERE)
        out->changes = changes_since(path, p->attempts, p->n, i);
    out->flagged =
        where == LORE_REPEAT_HERE && failed && still_applies(a, s, out->changes, path->n > 0);
    out->why = s->how;
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
        out->answer = first->flagged ? LORE_REPEATS_STOP
                      : first->where == LORE_REPEAT_HERE && first->of->end < LORE_ATTEMPT_NO_GAIN
                          ? LORE_REPEATS_WON_HERE
                          : LORE_REPEATS_ELSEWHERE;
    }
    for (size_t i = 0; i < out->n; i++) {
        out->v[i].why = explain(&out->v[i], out->v[i].why, arena);
        if (out->v[i].where != LORE_REPEAT_HERE)
            *(out->v[i].of->end < LORE_ATTEMPT_NO_GAIN ? &out->won_elsewhere
                                                       : &out->failed_elsewhere) += 1;
    }
    out->why = conclude(idea, out, arena);
}

/* The question: a plan, the versions that it builds on, and the objects of all claims. */
struct question {
    const struct lore_idea_parsed *mine;
    const struct lore_repeats_past *past;
    const struct path *path;
    const struct lore_idea_objects *objects;
};

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
        .how = lore_format(arena, "the same words with another value; %zu values failed", failed),
        .words = true,
        .always = true};
    add_repeat(q->past, last, &s, q->path, LORE_REPEAT_HERE, LORE_PUSH(arena, out->v, out->n, cap));
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
    count_history(idea, past, out);
    for (size_t i = 0; i < past->n; i++) {
        if (past->attempts[i].end == LORE_ATTEMPT_PENDING)
            continue;
        struct lore_idea_match s = lore_idea_compare(&mine, &past->v[i], &objects);
        if (s.kind != LORE_REPEAT_NONE)
            add_repeat(past, i, &s, &path, where_of(idea, &past->attempts[i]),
                LORE_PUSH(arena, out->v, out->n, cap));
    }
    if (out->n == 0)
        add_sweep(&(struct question){&mine, past, &path, &objects}, arena, out);
    finish(idea, out, arena);
    if (out->answer == LORE_REPEATS_STOP)
        look_for_mended(past, &path, arena, out);
}
