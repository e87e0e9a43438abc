/* Patterns: compiled once from word_table.c and from the names of techniques with at least two
 * words. A pattern is found by each alternative of its first word; one that starts with a number is
 * tried at every number. */
#include "service/catalogue/words_index.h"

#include <pthread.h>
#include <string.h>

#include "service/base/fnv.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/names.h"
#include "service/catalogue/technique_table.h"
#include "service/catalogue/word_table.h"

enum {
    PATTERNS = 4096,
    ELEMENTS = 3 * PATTERNS,
    STEMS = 4 * PATTERNS,
    ENTRIES = 2 * PATTERNS,
    HEADS = 4096, /* a power of two */
    PHRASE = 160,
};
enum element_kind { WORDS, NUMBER, SHAPE, ANY };
struct element {
    uint8_t kind;
    bool peeked; /* must stand there, but belongs to no match */
    uint8_t n;   /* alternatives */
    uint16_t first;
};
static struct lore_pattern patterns[PATTERNS];
static struct element elements[ELEMENTS];
static uint64_t stems[STEMS];
static struct {
    uint64_t stem;
    uint16_t pattern, next; /* next: index + 1 */
} entries[ENTRIES];
static uint16_t heads[HEADS], numbers; /* index + 1 */
static size_t n_patterns, n_elements, n_stems, n_entries;
static bool overflow;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint16_t *
head_of(uint64_t stem)
{
    return &heads[(stem ^ stem >> 29) & (HEADS - 1)];
}

static void
put_entry(uint16_t *head, uint64_t stem, size_t pattern)
{
    if (n_entries == ENTRIES) {
        overflow = true;
        return;
    }
    entries[n_entries].stem = stem;
    entries[n_entries].pattern = (uint16_t)pattern;
    entries[n_entries].next = *head;
    *head = (uint16_t)++n_entries;
}

/* The stem of one written alternative: a word or a number. */
static void
put_stem(const char *s, size_t len)
{
    struct lore_token t;

    if (n_stems == STEMS || lore_tokens_read(s, len, &t, 1) != 1 || t.len != len) {
        overflow = true;
        return;
    }
    stems[n_stems++] = t.stem;
}

/* The element S[0..LEN): "load/store", "^load", "#", "@", "*". */
static void
put_element(struct lore_pattern *p, const char *s, size_t len)
{
    struct element *e = &elements[n_elements];

    if (n_elements == ELEMENTS || p->n == LORE_PATTERN_WORDS) {
        overflow = true;
        return;
    }
    *e = (struct element){.peeked = *s == '^', .first = (uint16_t)n_stems};
    s += e->peeked;
    len -= e->peeked;
    e->kind = (uint8_t)(*s == '#' ? NUMBER : *s == '@' ? SHAPE : *s == '*' ? ANY : WORDS);
    if (e->kind == WORDS)
        for (size_t at = 0; at < len;) {
            size_t word = 0;
            while (at + word < len && s[at + word] != '/')
                word++;
            put_stem(s + at, word);
            at += word + 1;
        }
    e->n = (uint8_t)(n_stems - e->first);
    n_elements++;
    p->n++;
    p->weight = (uint8_t)(p->weight + (e->kind != ANY && !e->peeked));
}

static void
index_pattern(const struct lore_pattern *p)
{
    size_t at = (size_t)(p - patterns);

    for (size_t k = 0; k < (p->any_order ? p->n : 1); k++) {
        const struct element *e = &elements[p->first + k];
        if (e->kind == NUMBER || e->kind == SHAPE)
            put_entry(&numbers, 0, at);
        for (size_t i = 0; i < e->n; i++)
            put_entry(head_of(stems[e->first + i]), stems[e->first + i], at);
    }
}

static void
put_pattern(enum lore_pattern_kind kind, size_t row, const char *s, size_t len)
{
    struct lore_pattern *p = &patterns[n_patterns];

    if (n_patterns == PATTERNS) {
        overflow = true;
        return;
    }
    *p = (struct lore_pattern){.kind = kind,
        .negated = len > 0 && *s == '!',
        .head = len > 0 && *s == '~',
        .row = (uint16_t)row,
        .first = (uint16_t)n_elements};
    for (size_t at = p->negated || p->head; at < len && !overflow;) {
        size_t word = strspn(s + at, " ");
        at += word;
        word = 0;
        while (at + word < len && s[at + word] != ' ')
            word++;
        if (word == 1 && s[at] == '&')
            p->any_order = true;
        else if (word > 0)
            put_element(p, s + at, word);
        at += word;
    }
    if (p->n == 0)
        return;
    n_patterns++;
    index_pattern(p);
}

static void
put_phrases(enum lore_pattern_kind kind, size_t row, const char *list)
{
    while (*list != '\0') {
        size_t len = strcspn(list, "|");
        put_pattern(kind, row, list, len);
        list += len + (list[len] == '|');
    }
}

static bool
is_alone(const char *name, size_t len)
{
    for (const char *s = lore_words_alone; *s != '\0';) {
        size_t n = strcspn(s, "|");
        struct lore_name_slot slots[4] = {0};
        struct lore_names one = {.slots = slots, .n_slots = 4};
        lore_names_add(&one, s, n, 0);
        if (lore_names_find(&one, name, len) == 0)
            return true;
        s += n + (s[n] == '|');
    }
    return false;
}

/* A name of the catalogue as a pattern, when it has at least two words. The axis is no word. */
static void
put_name(size_t row, const char *name, size_t len)
{
    const char *dot = memchr(name, '.', len);

    enum { MOST = LORE_PATTERN_WORDS + 1 };
    struct lore_token t[MOST];
    struct lore_pattern *p = &patterns[n_patterns];
    size_t n;

    if (dot) {
        len -= (size_t)(dot + 1 - name);
        name = dot + 1;
    }
    n = lore_tokens_unify(t, lore_tokens_read(name, len, t, MOST));

    if (n < 2 || n == MOST || is_alone(name, len))
        return;
    if (n_patterns == PATTERNS || n_elements + n > ELEMENTS || n_stems + n > STEMS) {
        overflow = true;
        return;
    }
    *p = (struct lore_pattern){
        .kind = LORE_PATTERN_TECHNIQUE, .row = (uint16_t)row, .first = (uint16_t)n_elements};
    for (size_t i = 0; i < n; i++) {
        if (t[i].kind == LORE_TOKEN_MARK ||
            (t[i].kind == LORE_TOKEN_WORD && t[i].value == 0 && lore_tokens_stop(t[i].text)))
            continue;
        elements[n_elements++] =
            (struct element){.kind = WORDS, .n = 1, .first = (uint16_t)n_stems};
        stems[n_stems++] = t[i].stem;
        p->n++;
        p->weight++;
    }
    if (p->n < 2)
        return;
    n_patterns++;
    index_pattern(p);
}

static void
put_technique(size_t row)
{
    const struct lore_technique *t = &lore_technique_table[row];

    put_name(row, t->title, strlen(t->title));
    put_name(row, t->slug, strlen(t->slug));
    for (const char *s = t->aliases; *s != '\0';) {
        size_t n = strcspn(s, ",");
        put_name(row, s, n);
        s += n + (s[n] == ',');
    }
}

static void
fill(void)
{
    for (size_t i = 0; i < lore_n_word_phrases; i++) {
        const struct lore_word_phrases *w = &lore_word_phrases[i];
        const struct lore_technique *t = w->slug ? lore_technique_find(w->slug) : NULL;
        overflow |= w->slug && !t;
        put_phrases(t ? LORE_PATTERN_TECHNIQUE : LORE_PATTERN_NOTHING,
            t ? (size_t)(t - lore_technique_table) : 0, w->phrases);
    }
    for (size_t i = 0; i < lore_n_word_parameters; i++)
        put_phrases(LORE_PATTERN_PARAMETER, i, lore_word_parameters[i].phrases);
    for (size_t i = 0; i < lore_n_techniques; i++)
        put_technique(i);
}

bool
lore_patterns_whole(void)
{
    pthread_once(&once, fill);
    return !overflow;
}

/* --- matching --- */

bool
lore_names_another(const struct lore_token *v, size_t n, size_t at)
{
    if (at >= n || v[at].kind != LORE_TOKEN_WORD || v[at].value > 0 || v[at].glued)
        return false;
    size_t len = strlen(v[at].text);
    return !lore_tokens_stop(v[at].text) &&
           !(len > 2 && memcmp(v[at].text + len - 2, "ed", 2) == 0); /* "padding reverted" */
}

static bool
fits(const struct element *e, const struct lore_token *t)
{
    switch (e->kind) {
    case NUMBER:
        return t->kind == LORE_TOKEN_NUMBER || t->kind == LORE_TOKEN_SHAPE ||
               (t->kind == LORE_TOKEN_WORD && t->value > 1);
    case SHAPE:
        return t->kind == LORE_TOKEN_SHAPE;
    case ANY:
        return t->kind == LORE_TOKEN_WORD;
    default:
        break;
    }
    for (size_t i = 0; t->kind != LORE_TOKEN_MARK && i < e->n; i++)
        if (stems[e->first + i] == t->stem)
            return true;
    return false;
}

static bool
is_skipped(const struct lore_token *t)
{
    static const char *const kept[] = {"per", "one", "than", "instead", "all", "if", "not", "of"};

    if (t->kind != LORE_TOKEN_WORD || !lore_tokens_stop(t->text))
        return false;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (strcmp(kept[i], t->text) == 0)
            return false;
    return true;
}

/* Whether clauses end at T. */
static bool
ends_clause(const struct lore_token *t)
{
    return t->kind == LORE_TOKEN_MARK && strchr(";.|:,()", t->mark);
}

static bool
match_sequence(const struct lore_pattern *p, const struct lore_token *v, size_t n, size_t at,
    struct lore_pattern_match *m)
{
    size_t skipped = 0;

    for (size_t k = 0; k < p->n; k++) {
        const struct element *e = &elements[p->first + k];
        if (e->kind == ANY) {
            bool next = k + 1 < p->n && at < n && fits(&elements[p->first + k + 1], &v[at]);
            at += at < n && !next && v[at].kind == LORE_TOKEN_WORD;
            continue;
        }
        while (k > 0 && at < n && !fits(e, &v[at]) && is_skipped(&v[at]) && skipped < 3) {
            at++;
            skipped++;
        }
        if (at == n || !fits(e, &v[at]))
            return false;
        if (!e->peeked)
            m->token[m->n++] = (uint16_t)at;
        at++;
    }
    return true;
}

/* The token within reach of AT that fits E and is not in M yet; N: none. */
static size_t
find_near(const struct element *e, const struct lore_token *v, size_t n, size_t at,
    const struct lore_pattern_match *m)
{
    for (int way = 1; way >= -1; way -= 2)
        for (size_t i = at, left = LORE_PATTERN_SPAN; left > 0; left--) {
            if (way > 0 ? i + 1 >= n : i == 0)
                break;
            i = way > 0 ? i + 1 : i - 1;
            if (ends_clause(&v[i]))
                break;
            bool taken = false;
            for (size_t k = 0; k < m->n; k++)
                taken |= m->token[k] == i;
            if (!taken && fits(e, &v[i]))
                return i;
        }
    return n;
}

static bool
match_any_order(const struct lore_pattern *p, const struct lore_token *v, size_t n, size_t at,
    struct lore_pattern_match *m)
{
    size_t own = p->n;

    for (size_t k = 0; k < p->n && own == p->n; k++)
        if (fits(&elements[p->first + k], &v[at]))
            own = k;
    if (own == p->n)
        return false;
    m->token[m->n++] = (uint16_t)at;
    for (size_t k = 0; k < p->n; k++) {
        size_t i = k == own ? n : find_near(&elements[p->first + k], v, n, at, m);
        if (k == own)
            continue;
        if (i == n)
            return false;
        m->token[m->n++] = (uint16_t)i;
    }
    for (size_t i = 1; i < m->n; i++) /* few: insertion sort */
        for (size_t k = i; k > 0 && m->token[k] < m->token[k - 1]; k--) {
            uint16_t t = m->token[k];
            m->token[k] = m->token[k - 1];
            m->token[k - 1] = t;
        }
    return true;
}

struct visitor {
    void (*found)(void *context, const struct lore_pattern_match *m);
    void *context;
};

static void
try_list(uint16_t head, uint64_t stem, const struct lore_token *v, size_t n, size_t at,
    const struct visitor *to)
{
    for (; head != 0; head = entries[head - 1].next) {
        const struct lore_pattern *p = &patterns[entries[head - 1].pattern];
        struct lore_pattern_match m = {.pattern = p};
        if (entries[head - 1].stem != stem)
            continue;
        if ((p->any_order ? match_any_order(p, v, n, at, &m) : match_sequence(p, v, n, at, &m)) &&
            !(p->head && lore_names_another(v, n, m.token[m.n - 1] + 1u)))
            to->found(to->context, &m);
    }
}

void
lore_patterns_at(const struct lore_token *v, size_t n, size_t at,
    void (*found)(void *, const struct lore_pattern_match *), void *context)
{
    const struct visitor to = {found, context};

    pthread_once(&once, fill);
    if (v[at].kind == LORE_TOKEN_MARK)
        return;
    try_list(*head_of(v[at].stem), v[at].stem, v, n, at, &to);
    if (v[at].kind != LORE_TOKEN_WORD || v[at].value > 0)
        try_list(numbers, 0, v, n, at, &to);
}
