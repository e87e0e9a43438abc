/* Compares two ideas. Parameters decide if at least half of the techniques are common, and both
 * ideas record parameters of a common technique. Otherwise the words decide. The thresholds were
 * tuned on random lineages made from measured parameter spaces and on sessions of agents
 * (docs/notes/evaluation.md), so new data may give worse results. */
#include "service/derive/idea.h"

#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/words.h"

#define SAME_TECHNIQUE 0.5 /* least share of common techniques */
#define OVERLAP 0.5        /* more than this share of parameters must be equal */
#define WORDS_BESIDE 0.3   /* least similarity of words if the technique is the same */
#define WORDS_ALONE 0.6    /* least similarity of words if an idea records no technique */
#define WORDS_AGAINST 0.8  /* least similarity of words if the recorded techniques differ */

struct overlap {
    size_t equal, different; /* parameters of shared techniques that both ideas have */
    size_t unmatched;        /* those that only one idea has */
    bool opposed, other_from;
    bool both; /* both ideas have parameters of a shared technique */
};

const char *
lore_repeat_kind_name(enum lore_repeat_kind k)
{
    static const char *const names[] = {"none", "near", "exact"};

    return k <= LORE_REPEAT_EXACT ? names[k] : "none";
}

struct lore_idea_parsed
lore_idea_parse(const struct lore_idea *idea, struct lore_arena *arena)
{
    struct lore_idea_parsed r = {.idea = idea, .has_text = idea->text && *idea->text};
    const char *text = NULL;

    for (size_t i = 0; i < idea->n_uses; i++) {
        const struct lore_idea_use *u = &idea->uses[i];
        text = lore_format(arena, "%s %s", text ? text : "", u->technique);
        for (size_t k = 0; k < u->n_params; k++)
            text = lore_format(arena, "%s; %s to %s", text, u->params[k].name, u->params[k].to);
    }
    lore_idea_words_read(text, arena, &r.recorded);
    lore_idea_words_read(idea->title, arena, &r.title);
    if (r.has_text)
        lore_idea_words_read(idea->text, arena, &r.words);
    else
        r.words = r.recorded;
    return r;
}

/* If only one idea records techniques, its record is also compared with the words of the other. */
static double
alike_of(const struct lore_idea_parsed *a, const struct lore_idea_parsed *b,
    const struct lore_idea_objects *objects)
{
    double words = lore_idea_words_similarity(&a->words, &b->words);
    const struct lore_idea_parsed *recorded = a->idea->n_uses > 0 ? a : b,
                                  *other = recorded == a ? b : a;

    if (lore_idea_objects_differ(objects, &a->words, &b->words))
        words = 0;
    if (other->idea->n_uses > 0)
        return words;
    double record = lore_idea_words_similarity(&recorded->recorded, &other->words);
    return words > record ? words : record;
}

/* --- whether the change is the same --- */

const struct lore_idea_use *
lore_idea_use(const struct lore_idea *idea, const char *technique)
{
    for (size_t i = 0; i < idea->n_uses; i++)
        if (lore_streq(idea->uses[i].technique, technique))
            return &idea->uses[i];
    return NULL;
}

size_t
lore_idea_techniques_shared(const struct lore_idea *a, const struct lore_idea *b)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n_uses; i++)
        n += lore_idea_use(b, a->uses[i].technique) != NULL;
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

/* Whether P states that the parameter stays as it was. */
static bool
stays(const struct lore_idea_param *p)
{
    return p->from && p->to && values_equal(p->from, p->to);
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
    o->unmatched += !stays(p);
}

static struct overlap
params_shared(const struct lore_idea *a, const struct lore_idea *b)
{
    struct overlap o = {0};

    for (size_t i = 0; i < a->n_uses; i++) {
        const struct lore_idea_use *u = &a->uses[i], *v = lore_idea_use(b, u->technique);
        size_t found = o.equal + o.different, more = 0;
        for (size_t k = 0; v && k < u->n_params; k++)
            compare_param(&u->params[k], v, &o);
        o.both |= v && u->n_params > 0 && v->n_params > 0;
        found = o.equal + o.different - found;
        for (size_t k = 0; v && k < v->n_params; k++)
            more += !stays(&v->params[k]);
        o.unmatched += more > found ? more - found : 0;
    }
    return o;
}

/* Whether both ideas set a parameter, under whatever technique, and no value is the same. */
static bool
values_differ(const struct lore_idea *a, const struct lore_idea *b)
{
    struct overlap o = {0};

    for (size_t i = 0; i < a->n_uses; i++)
        for (size_t k = 0; k < a->uses[i].n_params; k++)
            for (size_t n = 0; n < b->n_uses; n++)
                compare_param(&a->uses[i].params[k], &b->uses[n], &o);
    return o.equal == 0 && o.different > 0;
}

static struct lore_idea_match
by_params(const struct overlap *o, bool all_techniques, double alike)
{
    size_t n = o->equal + o->different + o->unmatched;

    if (o->opposed || o->equal == 0 || o->different > 0)
        return (struct lore_idea_match){.alike = alike};
    if (all_techniques && o->equal == n)
        return o->other_from ? (struct lore_idea_match){.kind = LORE_REPEAT_NEAR,
                                   .alike = alike,
                                   .how = "the same new values, but other old values"}
                             : (struct lore_idea_match){.kind = LORE_REPEAT_EXACT,
                                   .alike = alike,
                                   .how = "the same technique and parameters"};
    if ((double)o->equal > OVERLAP * (double)n)
        return (struct lore_idea_match){.kind = LORE_REPEAT_NEAR,
            .alike = alike,
            .how = "the same technique, parameters overlap"};
    return (struct lore_idea_match){.alike = alike};
}

/* Compare by words: no common technique has parameters in both ideas. RECORDS_MATCH: the techniques
 * are equal, and so are the parameters, or one idea records none. */
static struct lore_idea_match
by_words_beside(const struct lore_idea_parsed *a, const struct lore_idea_parsed *b,
    bool records_match, double alike)
{
    if (records_match && !(a->has_text && b->has_text && !a->idea->just_techniques) &&
        !lore_idea_words_opposed(&a->words, &b->words))
        return (struct lore_idea_match){.kind = a->has_text || b->has_text ||
                                                        lore_idea_has_params(a->idea) ||
                                                        lore_idea_has_params(b->idea)
                                                    ? LORE_REPEAT_NEAR
                                                    : LORE_REPEAT_EXACT,
            .alike = alike,
            .how = "the same technique, and no difference is recorded",
            .technique = true};
    if (a->has_text && b->has_text && alike >= WORDS_BESIDE)
        return (struct lore_idea_match){.kind = LORE_REPEAT_NEAR,
            .alike = alike,
            .how = "the same technique in similar words",
            .technique = true};
    return (struct lore_idea_match){.alike = alike};
}

/* Whether the phrase TEXT[0..LEN) is the name of a parameter, with or without its value: "6
 * stages", "num_stages". */
static bool
is_parameter(const char *text, size_t len, struct lore_arena *arena)
{
    while (len > 0 && (lore_is_digit(*text) || !lore_is_word(*text))) {
        text++;
        len--;
    }
    const char *name = lore_strndup(arena, text, len);

    return *name && !strpbrk(name, " -") &&
           lore_words_is_parameter(lore_words_parameter(name, arena));
}

/* How TEXT names TECHNIQUE. Each phrase is looked at in turn. */
enum named { NOT_NAMED, BY_VALUE, BY_NAME };
static enum named
named_in(const char *text, const char *technique, struct lore_arena *arena)
{
    enum named how = NOT_NAMED;

    while (text && *text) {
        struct lore_words w = {0};
        const struct lore_word_hit *hit = NULL;

        lore_words_resolve(text, arena, &w);
        for (size_t i = 0; i < w.n && !hit; i++)
            hit = lore_streq(w.v[i].slug, technique) ? &w.v[i] : NULL;
        if (!hit)
            return how;
        if (hit->how == LORE_WORD_PARAMETER || hit->len == 0)
            return BY_VALUE;
        if (!is_parameter(text + hit->at, hit->len, arena))
            return BY_NAME;
        how = BY_VALUE;
        text += hit->at + hit->len;
    }
    return how;
}

bool
lore_idea_names_value(const struct lore_idea *idea, const char *technique)
{
    LORE_SCRATCH scratch = {0};
    enum named text = named_in(idea->text, technique, &scratch);
    enum named title = named_in(idea->title, technique, &scratch);

    return (text == BY_VALUE || title == BY_VALUE) && text != BY_NAME && title != BY_NAME;
}

bool
lore_idea_has_params(const struct lore_idea *idea)
{
    for (size_t i = 0; i < idea->n_uses; i++)
        if (idea->uses[i].n_params > 0)
            return true;
    return false;
}

/* Compare by techniques and parameters, and by the words beside them. */
static struct lore_idea_match
by_record(const struct lore_idea_parsed *a, const struct lore_idea_parsed *b, double alike)
{
    const struct lore_idea *x = a->idea, *y = b->idea;
    size_t shared = lore_idea_techniques_shared(x, y), all = x->n_uses + y->n_uses - shared;
    bool recorded = x->n_uses > 0 && y->n_uses > 0;

    if (recorded && (double)shared >= SAME_TECHNIQUE * (double)all) {
        struct overlap o = params_shared(x, y);
        if (o.equal + o.different > 0 || o.both) {
            struct lore_idea_match m = by_params(&o, shared == all, alike);
            m.other_values = m.kind == LORE_REPEAT_NONE;
            return m;
        }
        bool named = o.unmatched == 0 || !lore_idea_has_params(x) || !lore_idea_has_params(y);
        struct lore_idea_match m = by_words_beside(a, b, named && shared == all, alike);
        m.part = shared < all;
        if (m.part && m.kind != LORE_REPEAT_NONE)
            m.how = "only a part of the techniques is the same, in similar words";
        return m;
    }
    if (alike >= (recorded ? WORDS_AGAINST : WORDS_ALONE))
        return (struct lore_idea_match){
            .kind = LORE_REPEAT_NEAR, .alike = alike, .how = "similar words", .words = true};
    return (struct lore_idea_match){.alike = alike};
}

/* Compare the plan A with the text of an attempt. Words that differ in a value, a direction or an
 * object are another change, however many are the same. */
static struct lore_idea_match
by_text(const struct lore_idea_words *a, const struct lore_idea_words *b,
    const struct lore_idea_objects *objects)
{
    double alike = lore_idea_words_jaccard(a, b);

    if (lore_idea_words_same(a, b))
        return (struct lore_idea_match){.kind = LORE_REPEAT_EXACT,
            .alike = 1,
            .how = "the same words",
            .words = true,
            .always = true};
    if (alike < LORE_IDEA_CLOSE || lore_idea_words_opposed(a, b) ||
        lore_idea_words_other_values(a, b) || lore_idea_objects_differ(objects, a, b))
        return (struct lore_idea_match){.alike = alike};
    return (struct lore_idea_match){.kind = LORE_REPEAT_NEAR,
        .alike = alike,
        .how = "nearly the same words",
        .words = true,
        .always = true};
}

struct lore_idea_match
lore_idea_compare(const struct lore_idea_parsed *a, const struct lore_idea_parsed *b,
    const struct lore_idea_objects *objects)
{
    struct lore_idea_match text = {0}, title = {0};
    struct lore_idea_match record = by_record(a, b, alike_of(a, b, objects));

    if (a->has_text && b->has_text)
        text = by_text(&a->words, &b->words, objects);
    if (a->has_text)
        title = by_text(&a->words, &b->title, objects);
    if (title.kind > text.kind)
        text = title;
    record.other_values |=
        values_differ(a->idea, b->idea) || lore_idea_words_denied(&a->words, &b->words);
    if (record.other_values)
        return (struct lore_idea_match){.alike = record.alike, .other_values = true};
    if (text.kind > LORE_REPEAT_NONE && text.kind >= record.kind)
        return text;
    record.always |= text.always;
    return record;
}
