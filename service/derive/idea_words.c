/* Similarity of claims by their words.
 *
 * Claims are short, and each author has a style. So words are stemmed, verbs of raising and of
 * lowering are unified, and stop words are dropped. Experiments of one campaign differ in the name
 * of a parameter, its value and the direction of the change. A difference in one of these overrides
 * the similarity of the words. */
#include "service/derive/idea_words.h"

#include <stdlib.h>
#include <string.h>

#include "service/base/fnv.h"
#include "service/base/text.h"
#include "service/catalogue/tokens.h"
#include "service/wire/wire.h"

enum {
    BYTES = 2000,
    TOKENS = 256,
    WORD = 48,
    OBJECTS = 256,
    TERMS = 2 * LORE_IDEA_PARTS + 1 /* most terms per token */
};
#define CONTAINED_FACTOR 0.9 /* factor of the ratio to the shorter claim (idea_words.h) */
#define CONTAINED_MIN 3      /* least weight of the shorter claim for that ratio */

struct token {
    char text[WORD];
    bool number, name;
    bool sets;       /* `=` follows */
    bool listed;     /* in the brackets after it */
    bool denied;     /* said to be absent, in contrast to what is there */
    signed char way; /* of a verb: +1 raise, add; -1 lower, remove; else 0 */
    double value;
    uint64_t hash; /* of its stem; equal for all verbs of one way, and for 4 and 4.0 */
};

/* in the form that lore_tokens_stem() returns */
static const char *const raising[] = {"rai", "increa", "enlarg", "grow", "doubl", "widen", "deepen",
    "mor", "larger", "bigger", "higher", "wider", "deeper", "longer", "add", "enabl", "introduc",
    "insert", "up"};
static const char *const lowering[] = {"lower", "decrea", "reduc", "shrink", "halv", "cut", "cutt",
    "narrow", "les", "fewer", "smaller", "shorter", "remov", "disabl", "drop", "dropp", "delet",
    "avoid", "without", "down"};

/* Words of an expected or measured result; they say nothing about the change. */
static const char *const results[] = {"better", "expect", "expected", "faster", "gain", "gains",
    "get", "gets", "improve", "improves", "kernel", "performance", "profile", "shows", "slower",
    "speedup"};

static bool
in_list(const char *const *list, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (list[i][0] == word[0] && strcmp(list[i], word) == 0)
            return true;
    return false;
}
#define IN_LIST(list, word) in_list(list, sizeof(list) / sizeof *(list), word)

/* Verbs of any change: "do X", "compute X" and "X" are the same one. */
static const char *const makes[] = {"apply", "compute", "computed", "computing", "do", "doing",
    "make", "perform", "performed", "put", "run", "try", "use", "using"};

static bool
says_nothing(const char *word)
{
    return lore_tokens_stop(word) || IN_LIST(results, word) || IN_LIST(makes, word);
}

static uint64_t
hash_append(uint64_t h, const char *s)
{
    return lore_fnv_byte(lore_fnv_text(h, s), 0x1f);
}

/* Set the way and the hash of a token whose kind is known. */
static void
set_hash(struct token *t)
{
    char word[WORD];

    const char *text = t->name ? lore_workload_dtype(t->text) : t->text;
    memcpy(word, text, strlen(text) + 1);
    if (t->number)
        lore_f64_text(t->value, word);
    else if (!t->name) {
        lore_tokens_stem(word);
        t->way = IN_LIST(raising, word) ? 1 : IN_LIST(lowering, word) ? -1 : 0;
    }
    t->hash = hash_append(LORE_FNV, t->way > 0 ? "+" : t->way < 0 ? "-" : word);
}

/* Set the kind of the token. False: a percentage, or a factor with a decimal point. These state the
 * expected gain, not the change. */
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

/* The words V[I..K) of one name, "tile_size_x", as the text has them. */
static void
join(const char *text, const struct lore_token *v, size_t i, size_t k, struct token *out)
{
    const char *s = text + v[i].at;
    size_t n = v[k - 1].at + v[k - 1].len - v[i].at;

    *out = (struct token){.number = false};
    if (k == i + 1) {
        s = v[i].text;
        n = strlen(s);
    }
    for (size_t c = 0; c < n && c + 1 < WORD; c++)
        out->text[c] = s[c] >= 'A' && s[c] <= 'Z' ? (char)(s[c] - 'A' + 'a') : s[c];
}

/* Whether the words before token AT deny it: "rather than", "instead of", or a "not" behind a mark
 * or "but". */
static bool
denies(const struct lore_token *v, size_t at)
{
    const char *last = at > 0 && v[at - 1].kind != LORE_TOKEN_MARK ? v[at - 1].text : "";
    const char *before = at > 1 && v[at - 2].kind != LORE_TOKEN_MARK ? v[at - 2].text : "";

    if (lore_streqi(last, "not"))
        return at > 1 && (*before == '\0' || lore_streqi(before, "but"));
    return (lore_streqi(last, "than") && lore_streqi(before, "rather")) ||
           (lore_streqi(last, "of") && lore_streqi(before, "instead"));
}

static size_t
tokens_of(const char *text, struct lore_arena *arena, struct token *out)
{
    size_t len = strnlen(text, BYTES), cap = len < TOKENS ? len : TOKENS, n = 0;
    struct lore_token *v = lore_alloc_array(arena, cap + 1, sizeof *v);
    size_t found = lore_tokens_read(text, len, v, cap);
    bool listed = false;

    for (size_t i = 0, k; i < found; i = k) {
        k = i + 1;
        if (v[i].kind == LORE_TOKEN_MARK) {
            char mark = v[i].mark;
            if (mark == '>')
                out[n++] = (struct token){.text = "to"};
            if (mark == '=' && n > 0)
                out[n - 1].sets = true;
            bool opens = mark == '[' || mark == '(';
            listed = opens ? n > 0 && out[n - 1].sets : listed && mark != ']' && mark != ')';
            continue;
        }
        while (k < found && v[k].glued)
            k++;
        join(text, v, i, k, &out[n]);
        out[n].listed = listed;
        out[n].denied = denies(v, i);
        n += classify(&out[n], text[v[k - 1].at + v[k - 1].len]);
    }
    for (size_t i = 0; i < n; i++)
        set_hash(&out[i]);
    return n;
}

/* tile=64, tile=[64,128], layout=nhwc */
static void
read_settings(const struct token *t, size_t n, struct lore_idea_words *w)
{
    for (size_t i = 0; i + 1 < n && w->n_settings < LORE_IDEA_SETTINGS; i++) {
        if (!t[i].sets)
            continue;
        uint64_t value = t[i + 1].hash;
        for (size_t k = i + 2; t[i + 1].listed && k < n && t[k].listed; k++)
            value = value * 31 + t[k].hash;
        w->setting[w->n_settings].name = hash_append(LORE_FNV, t[i].text);
        w->setting[w->n_settings++].value = value;
    }
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
        } else if (i > 0 && t[i - 1].sets && !t[i].listed && w->n_settings == 1 && !w->to_set) {
            w->to_set = true;
            w->to = t[i].value;
        } else if (i > 0 && lore_streq(t[i - 1].text, "was") && w->to_set && !w->from_set) {
            w->from_set = true;
            w->from = t[i].value;
        }
        last = t[i].value;
        any = true;
    }
}

/* Find the first verb with a direction. A verb after "to" states the purpose ("to reduce latency")
 * and is skipped. */
static void
read_direction(const struct token *t, size_t n, struct lore_idea_words *w)
{
    size_t i = 0;

    while (i < n && (t[i].way == 0 || (i > 0 && lore_streq(t[i - 1].text, "to"))))
        i++;
    if (i == n)
        return;
    w->direction = t[i].way;
    for (i++; i < n && w->n_object < LORE_IDEA_OBJECT; i++)
        if (!says_nothing(t[i].text) && !t[i].number)
            w->object[w->n_object++] = t[i].hash;
}

static void
read_denied(const struct token *t, size_t n, struct lore_idea_words *w)
{
    for (size_t i = 0; i < n && w->n_denied < LORE_IDEA_DENIED; i++)
        if (t[i].denied && !t[i].number)
            w->denied[w->n_denied++] = t[i].hash;
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

/* Add tile_size_x as a name and also as three words, to match a claim with "tile size x". */
static void
put_compound(struct terms *t, const char *name, struct lore_idea_words *w)
{
    uint64_t part[LORE_IDEA_PARTS];
    size_t n = 0;

    t->v[t->n++] = (struct lore_idea_term){hash_append(LORE_FNV, name), 0, true};
    while (*name && n < LORE_IDEA_PARTS) {
        struct token piece = {.number = false};
        size_t len = strcspn(name, "_.");
        memcpy(piece.text, name, len);
        if (len > 0) {
            set_hash(&piece);
            part[n] = piece.hash;
            put(t, part[n++], 1, false);
        }
        name += len + (name[len] != '\0');
    }
    if (n > 1 && w->n_compound < LORE_IDEA_NAMES) {
        memcpy(w->compound[w->n_compound].part, part, sizeof part);
        w->compound[w->n_compound++].n = n;
    }
}

static void
put_terms(const struct token *t, size_t n, struct lore_idea_words *w)
{
    struct terms all = {.v = w->v};

    for (size_t i = 0; i < n; i++) {
        w->order = hash_append(w->order ? w->order : LORE_FNV, t[i].text);
        if (!t[i].number && (t[i].denied || says_nothing(t[i].text)))
            continue;
        if (t[i].name && strchr(t[i].text, '_'))
            put_compound(&all, t[i].text, w);
        else
            put(&all, t[i].hash, t[i].name || t[i].number ? 2 : 1, t[i].name);
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

static int
by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void
put_set(const struct token *t, size_t n, struct lore_arena *arena, struct lore_idea_words *w)
{
    size_t all = 0;

    w->set = lore_alloc_array(arena, n + 1, sizeof *w->set);
    for (size_t i = 0; i < n; i++)
        if (t[i].number || !t[i].denied)
            w->set[all++] = t[i].hash;
    if (all > 0)
        qsort(w->set, all, sizeof *w->set, by_value);
    for (size_t i = 0; i < all; i++)
        if (w->n_set == 0 || w->set[w->n_set - 1] != w->set[i])
            w->set[w->n_set++] = w->set[i];
}

void
lore_idea_words_read(const char *text, struct lore_arena *arena, struct lore_idea_words *out)
{
    *out = (struct lore_idea_words){0};
    if (!text)
        return;
    LORE_SCRATCH scratch = {0};
    struct token t[TOKENS];
    size_t n = tokens_of(text, &scratch, t);
    out->v = lore_alloc_array(&scratch, n * TERMS + 1, sizeof *out->v);
    read_settings(t, n, out);
    read_numbers(t, n, out);
    read_direction(t, n, out);
    read_denied(t, n, out);
    put_terms(t, n, out);
    out->v = lore_memdup(arena, out->v, out->n * sizeof *out->v);
    put_set(t, n, arena, out);
}

bool
lore_idea_words_same(const struct lore_idea_words *a, const struct lore_idea_words *b)
{
    return a->n > 0 && a->n == b->n && a->order == b->order;
}

/* The direction from the two values, else from the verb. */
static int
direction_of(const struct lore_idea_words *w)
{
    if (w->from_set && w->to_set)
        return (w->to > w->from) - (w->to < w->from);
    return w->direction;
}

bool
lore_idea_words_opposed(const struct lore_idea_words *a, const struct lore_idea_words *b)
{
    if (direction_of(a) * direction_of(b) >= 0)
        return false;
    if (a->from_set || b->from_set) /* a direction from values needs no common object */
        return true;
    for (size_t i = 0; i < a->n_object; i++)
        for (size_t k = 0; k < b->n_object; k++)
            if (a->object[i] == b->object[k])
                return true;
    return false;
}

static bool
in_set(const struct lore_idea_words *w, uint64_t hash)
{
    return w->n_set > 0 && bsearch(&hash, w->set, w->n_set, sizeof hash, by_value);
}

bool
lore_idea_words_denied(const struct lore_idea_words *a, const struct lore_idea_words *b)
{
    for (size_t i = 0; i < a->n_denied; i++)
        if (in_set(b, a->denied[i]) && !in_set(a, a->denied[i]))
            return true;
    for (size_t i = 0; i < b->n_denied; i++)
        if (in_set(a, b->denied[i]) && !in_set(b, b->denied[i]))
            return true;
    return false;
}

/* Numbers of the shorter list that are in the other, and the length of that list. */
static size_t
numbers_shared(const struct lore_idea_words *a, const struct lore_idea_words *b, size_t *of)
{
    size_t common = 0;

    *of = a->n_numbers < b->n_numbers ? a->n_numbers : b->n_numbers;
    for (size_t i = 0; i < a->n_numbers; i++)
        for (size_t k = 0; k < b->n_numbers; k++)
            if (a->number[i] == b->number[k]) {
                common++;
                break;
            }
    return common;
}

/* Whether more settings of common names differ than agree. */
static bool
settings_differ(const struct lore_idea_words *a, const struct lore_idea_words *b)
{
    size_t equal = 0, shared = 0;

    for (size_t i = 0; i < a->n_settings; i++) {
        bool named = false, same = false;
        for (size_t k = 0; k < b->n_settings; k++) {
            bool name = a->setting[i].name == b->setting[k].name;
            named |= name;
            same |= name && a->setting[i].value == b->setting[k].value;
        }
        shared += named;
        equal += same;
    }
    return 2 * equal < shared;
}

bool
lore_idea_words_other_values(const struct lore_idea_words *a, const struct lore_idea_words *b)
{
    size_t of, common = numbers_shared(a, b, &of);

    return (a->to_set && b->to_set && a->to != b->to) || (common == 0 && of > 0);
}

double
lore_idea_words_jaccard(const struct lore_idea_words *a, const struct lore_idea_words *b)
{
    size_t both = 0;

    for (size_t i = 0, k = 0; i < a->n_set && k < b->n_set;) {
        uint64_t x = a->set[i], y = b->set[k];
        both += x == y;
        i += x <= y;
        k += y <= x;
    }
    size_t all = a->n_set + b->n_set - both;
    return all > 0 ? (double)both / (double)all : 0;
}

static bool
has(const struct lore_idea_words *w, uint64_t hash)
{
    struct lore_idea_term key = {.hash = hash};

    return w->n > 0 && bsearch(&key, w->v, w->n, sizeof key, by_hash);
}

/* Whether A contains compound names, B contains none, and B does not spell out any of A's names in
 * words. */
static bool
names_other_object(const struct lore_idea_words *a, const struct lore_idea_words *b)
{
    for (size_t i = 0; i < a->n_compound; i++) {
        size_t found = 0;
        for (size_t k = 0; k < a->compound[i].n; k++)
            found += has(b, a->compound[i].part[k]);
        if (found == a->compound[i].n)
            return false;
    }
    return a->n_compound > 0 && b->n_compound == 0;
}

static bool
unlike(const struct lore_idea_words *a, const struct lore_idea_words *b, size_t names)
{
    return (a->n_names > 0 && b->n_names > 0 && names == 0) || names_other_object(a, b) ||
           names_other_object(b, a);
}

double
lore_idea_words_similarity(const struct lore_idea_words *a, const struct lore_idea_words *b)
{
    double common = 0, mine = 0, theirs = 0;
    size_t names = 0, i = 0, k = 0;

    size_t of, shared = numbers_shared(a, b, &of);

    if (lore_idea_words_other_values(a, b) || settings_differ(a, b) || 2 * shared < of ||
        lore_idea_words_opposed(a, b))
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
    double within = shorter >= CONTAINED_MIN ? CONTAINED_FACTOR * common / shorter : 0;
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
    for (size_t i = 0; i < words->n_compound; i++)
        for (size_t k = 0; k < words->compound[i].n && o->n < OBJECTS; k++)
            if (!known(o, words->compound[i].part[k]))
                *LORE_PUSH(arena, o->v, o->n, o->cap) = words->compound[i].part[k];
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
