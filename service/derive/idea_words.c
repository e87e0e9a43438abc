/* Words of claims, compared.
 *
 * A claim is short and each engineer has a habit of writing it, so words lose their endings, verbs
 * of raising and lowering become one word each, and words that every claim has are left out. What
 * must not be lost in that is what tells two experiments of one campaign apart: the name of the
 * parameter, its value, and the way it goes. These three can forbid a likeness that words suggest.
 */
#include "service/derive/idea_words.h"

#include <stdlib.h>
#include <string.h>

#include "service/base/fnv.h"
#include "service/base/text.h"

enum {
    BYTES = 2000,
    TOKENS = 256,
    WORD = 48,
    OBJECTS = 256,
    TERMS = 2 * LORE_IDEA_PARTS + 1 /* of a token */
};
#define SHORTER 0.9 /* how much it says that the shorter claim is within the longer */
#define SHORTEST 3  /* weight that it must have for that */

struct token {
    char text[WORD];
    bool number, name;
    double value;
};

static const char *const nothing[] = {"a", "an", "and", "are", "as", "at", "be", "because", "by",
    "can", "do", "each", "for", "from", "has", "have", "help", "helps", "here", "idea", "if", "in",
    "instead", "into", "is", "it", "its", "just", "let", "make", "of", "on", "one", "only", "or",
    "our", "per", "set", "should", "so", "some", "than", "that", "the", "their", "then", "there",
    "this", "thus", "to", "try", "us", "use", "using", "value", "was", "we", "when", "which",
    "will", "with", "would"};
/* as stem() leaves them */
static const char *const raising[] = {"rai", "increa", "enlarg", "grow", "doubl", "widen", "deepen",
    "mor", "larger", "bigger", "higher", "wider", "deeper", "longer", "add", "enabl", "introduc",
    "insert", "up"};
static const char *const lowering[] = {"lower", "decrea", "reduc", "shrink", "halv", "cut", "cutt",
    "narrow", "les", "fewer", "smaller", "shorter", "remov", "disabl", "drop", "dropp", "delet",
    "avoid", "without", "down"};

static bool
among(const char *const *list, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], word) == 0)
            return true;
    return false;
}
#define AMONG(list, word) among(list, sizeof(list) / sizeof *(list), word)

/* "raised", "raising", "raises" -> "rai" */
static void
stem(char *word)
{
    static const char *const endings[] = {
        "izations", "ization", "ations", "ation", "izing", "ized", "ings", "ing", "ed", "es"};
    size_t n = strlen(word);

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t len = strlen(endings[i]);
        if (n >= len + 3 && strcmp(word + n - len, endings[i]) == 0) {
            word[n -= len] = '\0';
            break;
        }
    }
    while (n > 3 && (word[n - 1] == 's' || word[n - 1] == 'e'))
        word[--n] = '\0';
    if (n > 3 && lore_streq(word + n - 2, "iz"))
        word[n - 2] = '\0';
}

static int
way_of(const char *word)
{
    char mine[WORD];

    memcpy(mine, word, WORD);
    stem(mine);
    return AMONG(raising, mine) ? 1 : AMONG(lowering, mine) ? -1 : 0;
}

/* What the token is; false: a gain or a share, which is no part of the change. */
static bool
classify(struct token *t, char next)
{
    size_t n = strlen(t->text), digits = strspn(t->text, "0123456789.");

    while (n > 0 && t->text[n - 1] == '.') /* the end of a sentence */
        t->text[--n] = '\0';
    if (n == 0)
        return false;
    bool times = digits > 0 && digits + 1 == n && t->text[n - 1] == 'x';
    if (next == '%' || (times && strchr(t->text, '.')))
        return false;
    if (times)
        t->text[--n] = '\0';
    t->number = lore_parse_f64(t->text, "number", &t->value, NULL) == LORE_OK;
    t->name = !t->number && (strchr(t->text, '_') || strpbrk(t->text, "0123456789"));
    return true;
}

static size_t
tokens_of(const char *s, struct token *out)
{
    const char *end = s + strnlen(s, BYTES);
    size_t n = 0;

    while (s < end && n < TOKENS) {
        size_t len = 0;
        if (lore_starts(s, "->") || lore_starts(s, "\xe2\x86\x92")) {
            out[n++] = (struct token){.text = "to"};
            s += *s == '-' ? 2 : 3;
            continue;
        }
        struct token *t = &out[n];
        memset(t, 0, sizeof *t);
        for (; s < end && (lore_is_word(*s) || (*s == '.' && len > 0)); s++)
            if (len + 1 < WORD)
                t->text[len++] = *s >= 'A' && *s <= 'Z' ? (char)(*s - 'A' + 'a') : *s;
        if (len == 0)
            s++;
        else if (classify(t, s < end ? *s : '\0'))
            n++;
    }
    return n;
}

static uint64_t
hash_on(uint64_t h, const char *s)
{
    return lore_fnv_byte(lore_fnv_text(h, s), 0x1f);
}

static const char *
plain(const struct token *t, char out[WORD])
{
    int way = t->number || t->name ? 0 : way_of(t->text);

    if (way != 0)
        return way > 0 ? "+" : "-";
    if (t->number) {
        lore_f64_text(t->value, out);
        return out;
    }
    memcpy(out, t->text, WORD);
    if (!t->name)
        stem(out);
    return out;
}

static void
read_numbers(const struct token *t, size_t n, struct lore_idea_words *w)
{
    double last = 0;
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        if (!t[i].number)
            continue;
        if (w->n_numbers < LORE_IDEA_NUMBERS)
            w->number[w->n_numbers++] = t[i].value;
        bool to = i > 0 && lore_streq(t[i - 1].text, "to");
        bool of =
            i > 1 && any && lore_streq(t[i - 1].text, "of") && lore_streq(t[i - 2].text, "instead");
        if ((to || of) && !w->to_set) {
            w->to_set = true;
            w->to = of ? last : t[i].value;
            w->from_set = any;
            w->from = of ? t[i].value : last;
        }
        last = t[i].value;
        any = true;
    }
}

/* The first verb that says which way; "… to reduce latency" is what it is for. */
static void
read_way(const struct token *t, size_t n, struct lore_idea_words *w)
{
    char word[WORD];
    size_t i = 0;

    while (i < n && (t[i].number || t[i].name || way_of(t[i].text) == 0 ||
                        (i > 0 && lore_streq(t[i - 1].text, "to"))))
        i++;
    if (i == n)
        return;
    w->way = way_of(t[i].text);
    for (i++; i < n && w->n_object < LORE_IDEA_OBJECT; i++)
        if (!AMONG(nothing, t[i].text) && !t[i].number)
            w->object[w->n_object++] = hash_on(LORE_FNV, plain(&t[i], word));
}

static int
by_hash(const void *a, const void *b)
{
    const struct lore_idea_term *x = a, *y = b;

    return (x->hash > y->hash) - (x->hash < y->hash);
}

struct terms {
    struct lore_idea_term *v;
    size_t n;
    uint64_t before; /* the word that stood before; 0: none */
};

static void
put(struct terms *t, uint64_t h, double weight, bool name)
{
    t->v[t->n++] = (struct lore_idea_term){h, weight, name};
    if (t->before != 0)
        t->v[t->n++] = (struct lore_idea_term){(t->before * 31 + h) * 0x100000001b3u, 0.25, false};
    t->before = h;
}

/* tile_size_x is a name, and three words to somebody who writes "tile size x". */
static void
put_parted(struct terms *t, const char *name, struct lore_idea_words *w)
{
    uint64_t part[LORE_IDEA_PARTS];
    size_t n = 0;

    t->v[t->n++] = (struct lore_idea_term){hash_on(LORE_FNV, name), 0, true};
    while (*name && n < LORE_IDEA_PARTS) {
        struct token piece = {.number = false};
        char word[WORD];
        size_t len = strcspn(name, "_.");
        memcpy(piece.text, name, len);
        if (len > 0) {
            part[n] = hash_on(LORE_FNV, plain(&piece, word));
            put(t, part[n++], 1, false);
        }
        name += len + (name[len] != '\0');
    }
    if (n > 1 && w->n_parted < LORE_IDEA_NAMES) {
        memcpy(w->parted[w->n_parted].part, part, sizeof part);
        w->parted[w->n_parted++].n = n;
    }
}

static void
put_terms(const struct token *t, size_t n, struct lore_idea_words *w)
{
    struct terms all = {.v = w->v};
    char word[WORD];

    for (size_t i = 0; i < n; i++) {
        w->order = hash_on(w->order ? w->order : LORE_FNV, t[i].text);
        if (!t[i].number && AMONG(nothing, t[i].text))
            continue;
        if (t[i].name && strchr(t[i].text, '_'))
            put_parted(&all, t[i].text, w);
        else
            put(&all, hash_on(LORE_FNV, plain(&t[i], word)), t[i].name || t[i].number ? 2 : 1,
                t[i].name);
    }
    if (all.n > 0)
        qsort(w->v, all.n, sizeof *w->v, by_hash);
    for (size_t i = 0; i < all.n; i++) {
        if (w->n > 0 && w->v[w->n - 1].hash == w->v[i].hash)
            continue;
        w->n_names += w->v[i].name;
        w->v[w->n++] = w->v[i];
    }
}

void
lore_idea_words_read(const char *text, struct lore_arena *arena, struct lore_idea_words *out)
{
    *out = (struct lore_idea_words){0};
    if (!text)
        return;
    LORE_SCRATCH scratch = {0};
    struct token t[TOKENS];
    size_t n = tokens_of(text, t);
    out->v = lore_alloc_array(&scratch, n * TERMS + 1, sizeof *out->v);
    read_numbers(t, n, out);
    read_way(t, n, out);
    put_terms(t, n, out);
    out->v = lore_memdup(arena, out->v, out->n * sizeof *out->v);
}

bool
lore_idea_words_same(const struct lore_idea_words *a, const struct lore_idea_words *b)
{
    return a->n > 0 && a->n == b->n && a->order == b->order;
}

/* By its numbers, else by its verb. */
static int
way_it_goes(const struct lore_idea_words *w)
{
    if (w->from_set && w->to_set)
        return (w->to > w->from) - (w->to < w->from);
    return w->way;
}

bool
lore_idea_words_opposed(const struct lore_idea_words *a, const struct lore_idea_words *b)
{
    if (way_it_goes(a) * way_it_goes(b) >= 0)
        return false;
    if (a->from_set || b->from_set) /* somebody says it by numbers */
        return true;
    for (size_t i = 0; i < a->n_object; i++)
        for (size_t k = 0; k < b->n_object; k++)
            if (a->object[i] == b->object[k])
                return true;
    return false;
}

static bool
numbers_differ(const struct lore_idea_words *a, const struct lore_idea_words *b)
{
    size_t common = 0, least = a->n_numbers < b->n_numbers ? a->n_numbers : b->n_numbers;

    if (a->to_set && b->to_set && a->to != b->to)
        return true;
    for (size_t i = 0; i < a->n_numbers; i++)
        for (size_t k = 0; k < b->n_numbers; k++)
            if (a->number[i] == b->number[k]) {
                common++;
                break;
            }
    return 2 * common < least;
}

static bool
has(const struct lore_idea_words *w, uint64_t hash)
{
    struct lore_idea_term key = {.hash = hash};

    return w->n > 0 && bsearch(&key, w->v, w->n, sizeof key, by_hash);
}

/* A names things by their names, B does not: does it speak of one of them? */
static bool
speaks_of_another(const struct lore_idea_words *a, const struct lore_idea_words *b)
{
    for (size_t i = 0; i < a->n_parted; i++) {
        size_t found = 0;
        for (size_t k = 0; k < a->parted[i].n; k++)
            found += has(b, a->parted[i].part[k]);
        if (found == a->parted[i].n)
            return false;
    }
    return a->n_parted > 0 && b->n_parted == 0;
}

static bool
unlike(const struct lore_idea_words *a, const struct lore_idea_words *b, size_t names)
{
    return (a->n_names > 0 && b->n_names > 0 && names == 0) || speaks_of_another(a, b) ||
           speaks_of_another(b, a);
}

double
lore_idea_words_alike(const struct lore_idea_words *a, const struct lore_idea_words *b)
{
    double common = 0, mine = 0, theirs = 0;
    size_t names = 0, i = 0, k = 0;

    if (numbers_differ(a, b) || lore_idea_words_opposed(a, b))
        return 0;
    while (i < a->n || k < b->n) {
        bool left = i < a->n && (k == b->n || a->v[i].hash <= b->v[k].hash);
        bool right = k < b->n && (i == a->n || b->v[k].hash <= a->v[i].hash);
        mine += left ? a->v[i].weight : 0;
        theirs += right ? b->v[k].weight : 0;
        common += left && right ? a->v[i].weight : 0;
        names += left && right && a->v[i].name;
        i += left;
        k += right;
    }
    double all = mine + theirs - common, shorter = mine < theirs ? mine : theirs;
    if (all <= 0 || unlike(a, b, names))
        return 0;
    double within = shorter >= SHORTEST ? SHORTER * common / shorter : 0;
    return within > common / all ? within : common / all;
}

static bool
known(const struct lore_idea_objects *o, uint64_t hash)
{
    for (size_t i = 0; i < o->n; i++)
        if (o->v[i] == hash)
            return true;
    return false;
}

void
lore_idea_objects_add(
    struct lore_idea_objects *o, const struct lore_idea_words *words, struct lore_arena *arena)
{
    for (size_t i = 0; i < words->n_parted; i++)
        for (size_t k = 0; k < words->parted[i].n && o->n < OBJECTS; k++)
            if (!known(o, words->parted[i].part[k]))
                *LORE_PUSH(arena, o->v, o->n, o->cap) = words->parted[i].part[k];
}

bool
lore_idea_objects_differ(const struct lore_idea_objects *objects, const struct lore_idea_words *a,
    const struct lore_idea_words *b)
{
    bool mine = false, theirs = false;

    for (size_t i = 0; i < objects->n; i++) {
        bool here = has(a, objects->v[i]), there = has(b, objects->v[i]);
        mine |= here && !there;
        theirs |= there && !here;
    }
    return mine && theirs;
}
