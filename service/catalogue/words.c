/* Techniques in text: see words.h. */
#include "service/catalogue/words.h"

#include <stdlib.h>
#include <string.h>

#include "service/base/fnv.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/names.h"
#include "service/catalogue/technique_table.h"
#include "service/catalogue/word_table.h"
#include "service/catalogue/words_read.h"

enum { BYTES = 2000 };
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Words that say nothing beside a name: "add float4 loads", "the swizzle trick". */
static const char *const fillers[] = {"add", "added", "adding", "also", "apply", "applied", "based",
    "change", "enable", "enabled", "explicit", "explicitly", "full", "fully", "implement",
    "implemented", "introduce", "kernel", "kernels", "larger", "more", "new", "now", "optimisation",
    "optimization", "pass", "path", "smaller", "style", "switch", "technique", "trick", "tried",
    "trying", "turn", "used", "version"};

bool
lore_words_is(const struct lore_word_reader *r, size_t at, const char *w)
{
    return at < r->n && r->v[at].kind == LORE_TOKEN_WORD && strcmp(r->v[at].text, w) == 0;
}

bool
lore_words_in(const struct lore_word_reader *r, size_t at, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lore_words_is(r, at, list[i]))
            return true;
    return false;
}

char
lore_words_mark(const struct lore_word_reader *r, size_t at)
{
    return at < r->n && r->v[at].kind == LORE_TOKEN_MARK ? r->v[at].mark : '\0';
}

/* --- choosing among the matches --- */

bool
lore_words_takes(const struct lore_word_parameter *p, const char *slug)
{
    size_t n = strlen(slug);

    if (strcmp(p->slug, slug) == 0)
        return true;
    for (const char *s = p->takers; s && *s != '\0';) {
        size_t len = strcspn(s, ",");
        if (len == n && memcmp(s, slug, n) == 0)
            return true;
        s += len + (s[len] == ',');
    }
    return false;
}

static void
keep_match(void *context, const struct lore_pattern_match *m)
{
    struct lore_word_reader *r = context;

    if (r->n_matches < LORE_WORD_MATCHES)
        r->match[r->n_matches++] = *m;
}

/* More words first; a phrase that means nothing before one that means something; then the denser
 * one, then the earlier. */
static int
by_strength(const void *a, const void *b)
{
    const struct lore_pattern_match *x = a, *y = b;
    int width = (x->token[x->n - 1] - x->token[0]) - (y->token[y->n - 1] - y->token[0]);

    if (x->pattern->weight != y->pattern->weight)
        return x->pattern->weight > y->pattern->weight ? -1 : 1;
    if (x->pattern->kind != y->pattern->kind)
        return x->pattern->kind < y->pattern->kind ? -1 : 1;
    if (x->pattern->any_order != y->pattern->any_order)
        return x->pattern->any_order ? 1 : -1;
    if (width != 0)
        return width;
    if (x->token[0] != y->token[0])
        return x->token[0] < y->token[0] ? -1 : 1;
    return (x->pattern->row > y->pattern->row) - (x->pattern->row < y->pattern->row);
}

static void
take_techniques(struct lore_word_reader *r)
{
    for (size_t i = 0; i < r->n_matches; i++) {
        const struct lore_pattern_match *m = &r->match[i];
        bool nothing = m->pattern->kind == LORE_PATTERN_NOTHING, taken = false;

        if (m->pattern->kind == LORE_PATTERN_PARAMETER)
            continue;
        for (size_t k = 0; k < m->n; k++)
            taken |= r->used[m->token[k]] != LORE_WORD_FREE;
        if (taken || (!nothing && r->n_hits == LORE_WORD_HITS))
            continue;
        if (!nothing)
            r->hit[r->n_hits++] = (struct lore_word_found){.row = m->pattern->row,
                .negated = m->pattern->negated,
                .first = m->token[0],
                .last = m->token[m->n - 1]};
        for (size_t k = 0; k < m->n; k++)
            r->used[m->token[k]] = nothing ? LORE_WORD_BLOCKED : (uint8_t)r->n_hits;
    }
}

/* --- comments --- */

/* Whether what begins at token AT says how it went, or what the change was compared with or built
 * on, rather than what was changed. */
static bool
starts_comment(const struct lore_word_reader *r, size_t at)
{
    static const char *const compared[] = {"vs", "versus", "compared", "because", "due", "but",
        "since", "hurts", "beats", "indicating", "confirming", "so", "showing", "raised", "held",
        "measured", "nearly", "did", "reducing", "caused", "causes", "causing", "forces",
        "eliminates", "halves", "requires", "need", "needs", "breaks", "exceeds", "preserved",
        "loses", "wastes", "replaces"};
    static const char *const bases[] = {"top", "base", "baseline"};
    static const char *const olds[] = {"proven", "existing", "current", "present", "old"};
    static const char *const aims[] = {"reduce", "increase", "improve", "double", "avoid", "hide",
        "get", "allow", "enable", "minimize", "maximize", "match", "help", "see", "save", "raise",
        "lower", "ensure", "eliminate", "keep", "fit"};
    static const char *const goods[] = {
        "better", "more", "higher", "improved", "fewer", "less", "lower"};
    char mark = lore_words_mark(r, at);

    if ((lore_words_is(r, at, "to") && lore_words_in(r, at + 1, aims, COUNT(aims))) ||
        (lore_words_is(r, at, "for") && lore_words_in(r, at + 1, goods, COUNT(goods))))
        return true;
    if (mark == '|' || mark == '.' || mark == ';')
        return true;
    if (lore_words_is(r, at, "to") &&
        lore_words_in(r, at + 1 + lore_words_is(r, at + 1, "the"), olds, COUNT(olds)))
        return true;
    if (lore_words_is(r, at, "on"))
        for (size_t i = at + 1; i < at + 7; i++)
            if (lore_words_in(r, i, bases, COUNT(bases)))
                return true;
    if (lore_words_is(r, at, "than"))
        return at == 0 || !lore_words_is(r, at - 1, "rather");
    return lore_words_in(r, at, compared, COUNT(compared));
}

/* Leave the tokens before END out. */
static void
block(struct lore_word_reader *r, size_t end)
{
    size_t kept = 0;

    memset(r->used, LORE_WORD_BLOCKED, end);
    for (size_t i = 0; i < r->n_matches; i++)
        if (r->match[i].token[0] >= end)
            r->match[kept++] = r->match[i];
    r->n_matches = kept;
}

/* "Pitfalls of split-K -- 3. Stale scales": the heading is not the change. */
static void
block_heading(struct lore_word_reader *r)
{
    for (size_t i = 0; i + 2 < r->n; i++)
        if (lore_words_mark(r, i) == '|' && r->v[i + 1].kind == LORE_TOKEN_NUMBER &&
            lore_words_mark(r, i + 2) == '.')
            block(r, i + 3);
}

/* Whether the text is the title of a document: "MMA programming guide" names no change. */
static bool
is_document(const struct lore_word_reader *r)
{
    static const char *const nouns[] = {"changelog", "checklist", "evolution", "guide",
        "introduction", "lecture", "overview", "panorama", "primer", "roadmap", "survey",
        "tutorial", "walkthrough"};

    for (size_t i = 1; i < r->n; i++)
        if (lore_words_in(r, i, nouns, COUNT(nouns)) && r->used[i] == LORE_WORD_FREE &&
            !lore_names_another(r->v, r->n, i + 1))
            return true;
    return false;
}

/* "Keeping the swizzle intact but …": what is kept is not the change. */
static void
block_kept(struct lore_word_reader *r)
{
    static const char *const keep[] = {"keep", "keeping", "kept"}, *const ends[] = {"but", "and",
                                                                       "intact", "while"};
    size_t end = 1;

    if (!lore_words_in(r, 0, keep, COUNT(keep)))
        return;
    while (end < r->n && !lore_words_in(r, end, ends, COUNT(ends)))
        end++;
    if (!lore_words_is(r, end, "intact") && !lore_words_is(r, end, "but"))
        return;
    end += lore_words_is(r, end, "intact") && lore_words_is(r, end + 1, "but") ? 2 : 1;
    block(r, end < r->n ? end : r->n);
}

/* Whether token AT belongs to a phrase. */
static bool
is_matched(const struct lore_word_reader *r, size_t at)
{
    for (size_t i = 0; i < r->n_matches; i++)
        for (size_t k = 0; k < r->match[i].n; k++)
            if (r->match[i].token[k] == at)
                return true;
    return false;
}

/* Cut the text at the first comment behind a technique or parameter. */
static void
cut_comment(struct lore_word_reader *r)
{
    size_t first = r->n;

    for (size_t i = 0; i < r->n_matches; i++) {
        const struct lore_pattern_match *m = &r->match[i];
        if (m->pattern->kind != LORE_PATTERN_NOTHING && m->token[m->n - 1] < first)
            first = m->token[m->n - 1];
    }
    for (size_t i = first + 1; i < r->n; i++)
        if (starts_comment(r, i) && !is_matched(r, i))
            r->n = i;
    size_t kept = 0;
    for (size_t i = 0; i < r->n_matches; i++)
        if (r->match[i].token[r->match[i].n - 1] < r->n)
            r->match[kept++] = r->match[i];
    r->n_matches = kept;
}

/* --- the result --- */

static size_t
hit_of(const struct lore_words *out, const char *slug)
{
    size_t i = 0;

    while (i < out->n && out->v[i].slug != slug)
        i++;
    return i;
}

static int
by_place(const void *a, const void *b)
{
    const struct lore_word_found *x = a, *y = b;

    return (int)x->first - (int)y->first;
}

/* Of two values the first is the one that was set, unless the second stands behind "to". */
static void
put_param(struct lore_word_hit *hit, struct lore_word_param p, bool later)
{
    for (size_t i = 0; i < hit->n_params; i++) {
        struct lore_word_param *q = &hit->params[i];
        if (strcmp(q->name, p.name) != 0)
            continue;
        if (later && !q->from)
            *q = (struct lore_word_param){q->name, q->to, p.to};
        return;
    }
    hit->params[hit->n_params++] = p;
}

/* "Shared-memory tiling, tile size 16": the words of a parameter name no technique of their own
 * when another one takes it. */
static void
drop_parameter_words(struct lore_word_reader *r)
{
    for (size_t i = 0; i < r->n_params; i++) {
        const struct lore_word_value *v = &r->param[i];
        const struct lore_word_parameter *p =
            v->row == LORE_WORD_OTHER ? NULL : &lore_word_parameters[v->row];
        size_t own = r->n_hits, other = r->n_hits;
        for (size_t k = 0; p && k < r->n_hits; k++) {
            const struct lore_word_found *h = &r->hit[k];
            const char *slug = lore_technique_table[h->row].slug;
            if (strcmp(slug, p->slug) == 0 && h->first >= v->first && h->last <= v->last)
                own = k;
            else if (strcmp(slug, p->slug) != 0 && lore_words_takes(p, slug) && !h->negated)
                other = k;
        }
        if (own < r->n_hits && other < r->n_hits)
            r->hit[own] = r->hit[--r->n_hits];
    }
}

/* Whether VALUE of P is the least there is, so that it asks for none of its technique: one block
 * per multiprocessor lowers the occupancy. */
static bool
is_least(const struct lore_word_parameter *p, const char *value)
{
    return strcmp(p->name, "blocks_per_sm") == 0 && lore_streq(value, "1");
}

/* The hit that takes the value: the nearest before it that may, else any, else a new one. */
static struct lore_word_hit *
taker_of(struct lore_word_reader *r, const struct lore_word_value *value, struct lore_words *out)
{
    struct lore_word_hit *best = NULL;

    if (value->row == LORE_WORD_OTHER)
        return out->n > 0 ? &out->v[out->n - 1] : NULL;
    const struct lore_word_parameter *p = &lore_word_parameters[value->row];
    uint32_t at = r->v[value->first].at;
    for (size_t i = 0; i < out->n; i++)
        if (lore_words_takes(p, out->v[i].slug) && !out->v[i].negated &&
            (!best || out->v[i].at <= at))
            best = &out->v[i];
    if (best || is_least(p, value->to))
        return best;
    const struct lore_technique *t = lore_technique_find(p->slug);
    size_t i = hit_of(out, t->slug);
    if (i == out->n)
        out->v[out->n++] = (struct lore_word_hit){.slug = t->slug,
            .how = LORE_WORD_PARAMETER,
            .at = at,
            .len = r->v[value->last].at + r->v[value->last].len - at,
            .params = lore_alloc_array(r->arena, LORE_WORD_PARAMS, sizeof *out->v[i].params)};
    return &out->v[i];
}

/* "It has no tensor cores" is a fact, not a change. */
static bool
is_lack(const struct lore_word_reader *r, size_t first)
{
    static const char *const has[] = {"has", "have", "had"};

    return first > 1 && lore_words_is(r, first - 1, "no") &&
           lore_words_in(r, first - 2, has, COUNT(has));
}

/* Drop what another technique of the text implies, what is lacking, and a choice that is said to be
 * absent: there is always some launch configuration and some layout. */
static void
drop_implied(struct lore_word_reader *r)
{
    size_t kept = 0;

    for (size_t i = 0; i < r->n_hits; i++) {
        const char *slug = lore_technique_table[r->hit[i].row].slug;
        bool drop = r->hit[i].negated &&
                    (strcmp(slug, "compute.launch_config") == 0 ||
                        strcmp(slug, "memory.data_layout") == 0 || is_lack(r, r->hit[i].first));
        for (size_t k = 0; k < lore_n_words_implied && !drop; k++)
            for (size_t m = 0; m < r->n_hits && !drop; m++)
                drop = strcmp(lore_words_implied[k].implied, slug) == 0 &&
                       r->hit[m].negated == r->hit[i].negated &&
                       strcmp(lore_words_implied[k].slug,
                           lore_technique_table[r->hit[m].row].slug) == 0;
        if (!drop)
            r->hit[kept++] = r->hit[i];
    }
    r->n_hits = kept;
}

static void
put_hits(struct lore_word_reader *r, struct lore_words *out)
{
    if (r->n_hits > 1)
        qsort(r->hit, r->n_hits, sizeof *r->hit, by_place);
    out->v = lore_alloc_array(r->arena, r->n_hits + r->n_params, sizeof *out->v);
    for (size_t i = 0; i < r->n_hits; i++) {
        const struct lore_word_found *f = &r->hit[i];
        const char *slug = lore_technique_table[f->row].slug;
        size_t k = hit_of(out, slug);
        if (k < out->n) {
            out->v[k].negated &= f->negated;
            continue;
        }
        out->v[out->n++] = (struct lore_word_hit){.slug = slug,
            .how = f->alias ? LORE_WORD_ALIAS : LORE_WORD_PHRASE,
            .negated = f->negated,
            .at = r->v[f->first].at,
            .len = r->v[f->last].at + r->v[f->last].len - r->v[f->first].at,
            .params = r->n_params > 0
                          ? lore_alloc_array(r->arena, LORE_WORD_PARAMS, sizeof *out->v->params)
                          : NULL};
    }
    for (size_t i = 0; i < r->n_params; i++) {
        const struct lore_word_value *p = &r->param[i];
        struct lore_word_hit *hit = taker_of(r, p, out);
        if (hit)
            put_param(hit,
                (struct lore_word_param){
                    p->name ? p->name : lore_word_parameters[p->row].name, p->from, p->to},
                p->later);
    }
}

static void
put_rest(struct lore_word_reader *r, struct lore_words *out)
{
    size_t n = 0;
    char *rest = lore_alloc(r->arena, r->n * LORE_TOKEN_TEXT + 1);

    for (size_t i = 0; i < r->n; i++) {
        const struct lore_token *t = &r->v[i];
        if (r->used[i] != LORE_WORD_FREE || t->kind != LORE_TOKEN_WORD || t->value > 0 ||
            lore_tokens_stop(t->text) || lore_words_in(r, i, fillers, COUNT(fillers)))
            continue;
        size_t len = strlen(t->text);
        if (n > 0)
            rest[n++] = t->glued ? '_' : ' ';
        memcpy(rest + n, t->text, len);
        n += len;
    }
    rest[n] = '\0';
    out->rest = rest;
}

/* The whole text is a known name. */
static bool
resolve_name(const char *text, size_t len, struct lore_arena *arena, struct lore_words *out)
{
    int row = lore_names_find(lore_technique_names(), text, len);

    if (row < 0)
        return false;
    const struct lore_technique *t = &lore_technique_table[row];
    bool exact = strcmp(t->slug, text) == 0 || lore_names_equal(t->title, text);
    out->v = lore_alloc(arena, sizeof *out->v);
    out->v[out->n++] = (struct lore_word_hit){
        .slug = t->slug, .how = exact ? LORE_WORD_EXACT : LORE_WORD_ALIAS, .len = (uint32_t)len};
    return true;
}

/* "name{k=v}": a known name before the brace is taken whole, whatever its words mean. */
static void
take_braced_name(struct lore_word_reader *r)
{
    size_t bare = strcspn(r->text, "{"), n = 0;
    int row = r->text[bare] == '\0' ? -1 : lore_names_find(lore_technique_names(), r->text, bare);

    if (row < 0)
        return;
    while (n < r->n && lore_words_mark(r, n) != '{')
        n++;
    if (n == 0)
        return;
    r->hit[r->n_hits++] =
        (struct lore_word_found){.row = (uint16_t)row, .alias = true, .last = (uint16_t)(n - 1)};
    memset(r->used, 1, n);
}

void
lore_words_resolve(const char *text, struct lore_arena *arena, struct lore_words *out)
{
    struct lore_word_reader mine, *r = &mine; /* 16 KB: not cleared as a whole */

    *out = (struct lore_words){.rest = ""};
    if (!text || *text == '\0' || resolve_name(text, strlen(text), arena, out))
        return;
    r->text = text;
    r->arena = arena;
    r->n = lore_tokens_read(text, strnlen(text, BYTES), r->v, LORE_WORD_TOKENS);
    r->n = lore_tokens_unify(r->v, r->n);
    r->n_matches = r->n_hits = r->n_params = 0;
    memset(r->used, LORE_WORD_FREE, r->n);
    for (size_t i = 0; i < r->n; i++)
        lore_patterns_at(r->v, r->n, i, keep_match, r);
    block_heading(r);
    block_kept(r);
    if (is_document(r))
        block(r, r->n);
    cut_comment(r);
    if (r->n_matches > 1)
        qsort(r->match, r->n_matches, sizeof *r->match, by_strength);
    take_braced_name(r);
    take_techniques(r);
    lore_words_read_params(r);
    lore_words_negate(r);
    drop_parameter_words(r);
    drop_implied(r);
    put_hits(r, out);
    put_rest(r, out);
}

static const char *
read_name(const char *text)
{
    LORE_SCRATCH scratch = {0};
    struct lore_words w;

    lore_words_resolve(text, &scratch, &w);
    return w.n == 1 && !w.v[0].negated && *w.rest == '\0' ? w.v[0].slug : NULL;
}

/* Reading a name that the catalogue lacks costs as much as inserting a record, and the names of an
 * import repeat. So each thread caches its recent ones; slugs are static. */
enum { CACHED_NAMES = 256, CACHED_BYTES = 64 };
struct cached_name {
    char text[CACHED_BYTES];
    const char *slug;
};

const char *
lore_words_name(const char *text)
{
    static _Thread_local struct cached_name cached[CACHED_NAMES];
    const struct lore_technique *known = lore_technique_find(text);

    if (known || !text)
        return known ? known->slug : NULL;
    struct cached_name *c = &cached[lore_fnv_text(LORE_FNV, text) % CACHED_NAMES];
    size_t n = strlen(text);
    if (strcmp(c->text, text) == 0)
        return c->slug;
    const char *slug = read_name(text);
    if (n < CACHED_BYTES) {
        memcpy(c->text, text, n + 1);
        c->slug = slug;
    }
    return slug;
}
