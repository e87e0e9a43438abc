/* Compares a planned idea with each attempt in three steps. Is the change the same? Are chip and
 * workload the same? Does the failure still apply?
 *
 * Parameters decide if at least half of the techniques are common, and both ideas record parameters
 * of a common technique. Otherwise the words decide. The thresholds were tuned on random lineages
 * made from measured parameter spaces. The results in docs/verdicts.md are for the same spaces, so
 * new data may give worse ones. */
#include "service/derive/repeats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/derive/idea_words.h"

#define SAME_TECHNIQUE 0.5 /* least share of common techniques */
#define OVERLAP 0.5        /* least share of equal parameters */
#define WORDS_BESIDE 0.3   /* least similarity of words if the technique is the same */
#define WORDS_ALONE 0.6    /* least similarity of words if an idea records no technique */
#define WORDS_AGAINST 0.8  /* least similarity of words if the recorded techniques differ */
#define LOSS_PER_CHANGE 0.1
#define SLOWER 0.98 /* a speedup below this counts as slower */
enum { PATH = 256 };

/* An idea with its words parsed. */
struct parsed_idea {
    const struct lore_idea *idea;
    struct lore_idea_words words; /* of the claim; without one, the same as `recorded` */
    struct lore_idea_words recorded;
    bool has_text;
};
struct same {
    enum lore_repeat_kind kind;
    double alike;
    const char *how;
    bool words; /* only the words match */
};
struct overlap {
    size_t equal, different; /* parameters of shared techniques that both ideas have */
    size_t unmatched;        /* those that only one idea has */
    bool opposed, other_from;
    bool both; /* both ideas have parameters of a shared technique */
};

const char *
lore_attempt_end_name(enum lore_attempt_end e)
{
    static const char *const names[] = {
        "pending", "gain", "open", "no_gain", "wrong", "not_run", "not_built"};

    return e <= LORE_ATTEMPT_NOT_BUILT ? names[e] : "pending";
}

const char *
lore_repeat_kind_name(enum lore_repeat_kind k)
{
    static const char *const names[] = {"none", "near", "exact"};

    return k <= LORE_REPEAT_EXACT ? names[k] : "none";
}

static struct parsed_idea
parse_idea(const struct lore_idea *idea, struct lore_arena *arena)
{
    struct parsed_idea r = {.idea = idea, .has_text = idea->text && *idea->text};
    const char *text = NULL;

    for (size_t i = 0; i < idea->n_uses; i++) {
        const struct lore_idea_use *u = &idea->uses[i];
        text = lore_format(arena, "%s %s", text ? text : "", u->technique);
        for (size_t k = 0; k < u->n_params; k++)
            text = lore_format(arena, "%s; %s to %s", text, u->params[k].name, u->params[k].to);
    }
    lore_idea_words_read(text, arena, &r.recorded);
    if (r.has_text)
        lore_idea_words_read(idea->text, arena, &r.words);
    else
        r.words = r.recorded;
    return r;
}

/* If only one idea records techniques, its record is also compared with the words of the other. */
static double
alike_of(const struct parsed_idea *a, const struct parsed_idea *b,
    const struct lore_idea_objects *objects)
{
    double words = lore_idea_words_similarity(&a->words, &b->words);
    const struct parsed_idea *recorded = a->idea->n_uses > 0 ? a : b,
                             *other = recorded == a ? b : a;

    if (lore_idea_objects_differ(objects, &a->words, &b->words))
        words = 0;
    if (other->idea->n_uses > 0)
        return words;
    double record = lore_idea_words_similarity(&recorded->recorded, &other->words);
    return words > record ? words : record;
}

/* --- whether the change is the same --- */

static const struct lore_idea_use *
use_of(const struct lore_idea *idea, const char *technique)
{
    for (size_t i = 0; i < idea->n_uses; i++)
        if (lore_streq(idea->uses[i].technique, technique))
            return &idea->uses[i];
    return NULL;
}

static size_t
techniques_shared(const struct lore_idea *a, const struct lore_idea *b)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n_uses; i++)
        n += use_of(b, a->uses[i].technique) != NULL;
    return n;
}

static bool
values_equal(const char *a, const char *b)
{
    double x, y;

    if (lore_parse_f64(a, "value", &x, NULL) == LORE_OK &&
        lore_parse_f64(b, "value", &y, NULL) == LORE_OK)
        return x == y;
    return lore_streqi(a, b);
}

/* The direction of a parameter change: +1 up, -1 down, 0 unknown. */
static int
direction_of(const struct lore_idea_param *p)
{
    double from, to;

    if (!p->from || !p->to || lore_parse_f64(p->from, "from", &from, NULL) != LORE_OK ||
        lore_parse_f64(p->to, "to", &to, NULL) != LORE_OK)
        return 0;
    return (to > from) - (to < from);
}

static void
compare_param(const struct lore_idea_param *p, const struct lore_idea_use *u, struct overlap *o)
{
    for (size_t i = 0; i < u->n_params; i++) {
        const struct lore_idea_param *q = &u->params[i];
        if (!lore_streq(p->name, q->name))
            continue;
        bool equal = p->to && q->to && values_equal(p->to, q->to);
        o->equal += equal;
        o->different += !equal;
        o->opposed |= direction_of(p) * direction_of(q) < 0;
        o->other_from |= p->from && q->from && !values_equal(p->from, q->from);
        return;
    }
    o->unmatched++;
}

static struct overlap
params_shared(const struct lore_idea *a, const struct lore_idea *b)
{
    struct overlap o = {0};

    for (size_t i = 0; i < a->n_uses; i++) {
        const struct lore_idea_use *u = &a->uses[i], *v = use_of(b, u->technique);
        size_t found = o.equal + o.different;
        for (size_t k = 0; v && k < u->n_params; k++)
            compare_param(&u->params[k], v, &o);
        o.both |= v && u->n_params > 0 && v->n_params > 0;
        if (v)
            o.unmatched += v->n_params - (o.equal + o.different - found);
    }
    return o;
}

static struct same
by_params(const struct overlap *o, bool all_techniques, double alike)
{
    size_t n = o->equal + o->different + o->unmatched;

    if (o->opposed || o->equal == 0)
        return (struct same){.alike = alike};
    if (all_techniques && o->equal == n)
        return o->other_from ? (struct same){LORE_REPEAT_NEAR, alike,
                                   "the same new values, but other old values", false}
                             : (struct same){LORE_REPEAT_EXACT, alike,
                                   "the same technique and parameters", false};
    if ((double)o->equal >= OVERLAP * (double)n)
        return (struct same){
            LORE_REPEAT_NEAR, alike, "the same technique, parameters overlap", false};
    return (struct same){.alike = alike};
}

/* Compare by words: no common technique has parameters in both ideas. */
static struct same
by_words_beside(
    const struct parsed_idea *a, const struct parsed_idea *b, bool records_equal, double alike)
{
    if (records_equal && lore_idea_words_same(&a->words, &b->words))
        return (struct same){LORE_REPEAT_EXACT, alike, "the same words", false};
    if (records_equal && !(a->has_text && b->has_text) &&
        !lore_idea_words_opposed(&a->words, &b->words))
        return (struct same){
            LORE_REPEAT_NEAR, alike, "the same technique, and no difference is recorded", false};
    if (a->has_text && b->has_text && alike >= WORDS_BESIDE)
        return (struct same){LORE_REPEAT_NEAR, alike, "the same technique in similar words", false};
    return (struct same){.alike = alike};
}

static struct same
compare(const struct parsed_idea *a, const struct parsed_idea *b,
    const struct lore_idea_objects *objects)
{
    const struct lore_idea *x = a->idea, *y = b->idea;
    size_t shared = techniques_shared(x, y), all = x->n_uses + y->n_uses - shared;
    double alike = alike_of(a, b, objects);
    bool recorded = x->n_uses > 0 && y->n_uses > 0;

    if (recorded && (double)shared >= SAME_TECHNIQUE * (double)all) {
        struct overlap o = params_shared(x, y);
        if (o.equal + o.different > 0 || o.both)
            return by_params(&o, shared == all, alike);
        return by_words_beside(a, b, o.unmatched == 0 && shared == all, alike);
    }
    if (!recorded && lore_idea_words_same(&a->words, &b->words))
        return (struct same){LORE_REPEAT_EXACT, alike, "the same words", false};
    if (alike >= (recorded ? WORDS_AGAINST : WORDS_ALONE))
        return (struct same){LORE_REPEAT_NEAR, alike, "nearly the same words", true};
    return (struct same){.alike = alike};
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

static bool
still_counts(const struct lore_repeats_attempt *a, size_t changes)
{
    if (changes == 0 || a->end != LORE_ATTEMPT_NO_GAIN)
        return true;
    return a->speedup > 0 && -log(a->speedup) >= LOSS_PER_CHANGE * (double)changes;
}

static const char *
explain(const struct lore_repeat *r, const char *how, struct lore_arena *arena)
{
    bool slower = r->of->speedup > 0 && r->of->speedup < SLOWER;
    const char *const ends[] = {[LORE_ATTEMPT_NO_GAIN] = slower ? "was slower" : "gained nothing",
        [LORE_ATTEMPT_WRONG] = "gave wrong results",
        [LORE_ATTEMPT_NOT_RUN] = "ended in an error",
        [LORE_ATTEMPT_NOT_BUILT] = "did not compile"};
    const struct lore_repeats_attempt *a = r->of;
    const char *size = a->end == LORE_ATTEMPT_NO_GAIN && a->speedup > 0
                           ? lore_format(arena, " (%.3gx)", a->speedup)
                           : "";
    const char *since = r->changes == 0 ? ""
                                        : lore_format(arena, ", %zu accepted change%s ago",
                                              r->changes, r->changes == 1 ? "" : "s");

    return lore_format(arena, "%s: it %s%s%s%s", how, ends[a->end], size, since,
        r->flagged ? "" : "; it may be worth another try");
}

/* --- the search --- */

static bool
differ(const char *a, const char *b)
{
    return a && b && !lore_streq(a, b);
}

/* Whether the attempt was on another chip or workload. A build failure on a chip applies to all its
 * workloads. */
static bool
other_target(const struct lore_idea *idea, const struct lore_repeats_attempt *a)
{
    return differ(idea->chip, a->idea.chip) ||
           (a->end != LORE_ATTEMPT_NOT_BUILT && differ(idea->workload, a->idea.workload));
}

static int
by_weight(const void *a, const void *b)
{
    const struct lore_repeat *x = a, *y = b;

    if (x->flagged != y->flagged)
        return x->flagged ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind > y->kind ? -1 : 1;
    if (x->changes != y->changes)
        return x->changes < y->changes ? -1 : 1;
    return x->of > y->of ? -1 : 1; /* newer first: attempts are in one array, oldest first */
}

static void
count_history(const struct lore_idea *idea, const struct lore_repeats_attempt *v, size_t n,
    struct lore_repeats *out)
{
    for (size_t i = n; i-- > 0;) {
        if (v[i].end == LORE_ATTEMPT_PENDING)
            continue;
        out->attempts++;
        out->gained |= v[i].end == LORE_ATTEMPT_GAIN;
        out->since_gain += !out->gained;
        if (out->recent < LORE_REPEAT_RECENT) {
            out->recent++;
            out->recent_not_built += v[i].end == LORE_ATTEMPT_NOT_BUILT;
        }
        if (techniques_shared(idea, &v[i].idea) > 0) {
            out->technique_tried++;
            out->technique_failed += v[i].end >= LORE_ATTEMPT_NO_GAIN;
        }
    }
}

void
lore_repeats_find(const struct lore_idea *idea, const struct lore_repeats_attempt *attempts,
    size_t n, struct lore_arena *arena, struct lore_repeats *out)
{
    struct parsed_idea mine = parse_idea(idea, arena);
    struct path path = path_of(idea, attempts, n);
    struct parsed_idea *theirs = lore_alloc_array(arena, n + 1, sizeof *theirs);
    struct lore_idea_objects objects = {0};
    size_t cap = 0;

    *out = (struct lore_repeats){0};
    lore_idea_objects_add(&objects, &mine.words, arena);
    for (size_t i = 0; i < n; i++) {
        theirs[i] = parse_idea(&attempts[i].idea, arena);
        lore_idea_objects_add(&objects, &theirs[i].words, arena);
    }
    count_history(idea, attempts, n, out);
    for (size_t i = 0; i < n; i++) {
        const struct lore_repeats_attempt *a = &attempts[i];
        if (a->end < LORE_ATTEMPT_NO_GAIN)
            continue;
        struct same s = compare(&mine, &theirs[i], &objects);
        if (s.kind == LORE_REPEAT_NONE)
            continue;
        if (other_target(idea, a)) {
            out->elsewhere++;
            continue;
        }
        struct lore_repeat *r = LORE_PUSH(arena, out->v, out->n, cap);
        *r = (struct lore_repeat){.kind = s.kind, .of = a, .alike = s.alike};
        r->changes = changes_since(&path, attempts, n, i);
        r->flagged = still_counts(a, r->changes) && (r->changes == 0 || !s.words);
        r->why = explain(r, s.how, arena);
    }
    if (out->n > 0) {
        qsort(out->v, out->n, sizeof *out->v, by_weight);
        out->kind = out->v[0].kind;
        out->flagged = out->v[0].flagged;
    }
}
