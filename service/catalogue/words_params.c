/* Parameters in text: the name is found by its phrase, the value behind it ("num_stages=4",
 * "BLOCK_M 128", "stages 3 -> 4") or before it ("4 stages"). */
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/names.h"
#include "service/catalogue/technique_table.h"
#include "service/catalogue/word_table.h"
#include "service/catalogue/words.h"
#include "service/catalogue/words_read.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
enum { LIST = 6, LEAST_TILE = 8, MOST_TILE = 1024 };

/* --- names of parameters --- */

struct search {
    int row;
    size_t n; /* words of the name: the phrase must have as many */
};

static void
found(void *context, const struct lore_pattern_match *m)
{
    struct search *s = context;

    if (m->pattern->kind == LORE_PATTERN_PARAMETER && m->n == s->n)
        s->row = m->pattern->row;
}

/* The row of the parameter NAME[0..LEN); -1: none. */
static int
row_of(const char *name, size_t len)
{
    struct lore_token t[LORE_PATTERN_WORDS];
    size_t n = lore_tokens_unify(t, lore_tokens_read(name, len, t, LORE_PATTERN_WORDS));
    struct search search = {-1, n};

    if (n > 0)
        lore_patterns_at(t, n, 0, found, &search);
    return search.row;
}

bool
lore_words_has_parameter(const char *slug)
{
    for (size_t i = 0; i < lore_n_word_parameters; i++)
        if (strcmp(lore_word_parameters[i].slug, slug) == 0)
            return true;
    return false;
}

const char *
lore_words_parameters_of(const char *slug, struct lore_arena *arena)
{
    const char *text = "";
    size_t n = 0;

    for (size_t i = 0; i < lore_n_word_parameters; i++)
        if (strcmp(lore_word_parameters[i].slug, slug) == 0 && n++ < 3)
            text =
                lore_format(arena, "%s%s%s", text, *text ? ", " : "", lore_word_parameters[i].name);
    return n > 3 ? lore_format(arena, "%s, …", text) : text;
}

bool
lore_words_is_parameter(const char *name)
{
    for (size_t i = 0; name && i < lore_n_word_parameters; i++)
        if (strcmp(lore_word_parameters[i].name, name) == 0)
            return true;
    return false;
}

bool
lore_words_is_counted(const char *name)
{
    for (size_t i = 0; i < lore_n_word_parameters; i++)
        if (strcmp(lore_word_parameters[i].name, name) == 0)
            return lore_word_parameters[i].form == LORE_VALUE_STEPS;
    return false;
}

const char *
lore_words_parameter(const char *name, struct lore_arena *arena)
{
    int row = row_of(name, strlen(name));

    return row >= 0 ? lore_word_parameters[row].name : lore_slug(arena, name);
}

const char *
lore_words_parameter_of(const char *technique, const char *name, struct lore_arena *arena)
{
    const char *known = lore_words_parameter(name, arena);

    return lore_streq(technique, "compute.register_tile") && lore_starts(known, "block_")
               ? lore_format(arena, "thread_%s", known + strlen("block_"))
               : known;
}

/* --- values --- */

static const char *
number_text(struct lore_word_reader *r, const struct lore_token *t)
{
    if (t->kind == LORE_TOKEN_WORD) /* "four" */
        return lore_format(r->arena, "%g", t->value);
    return lore_strndup(r->arena, t->text, strlen(t->text) - t->times);
}

static bool
is_value(const struct lore_word_reader *r, size_t at)
{
    const struct lore_token *t = &r->v[at];

    if (at >= r->n || lore_words_mark(r, at + 1) == '%')
        return false;
    return t->kind == LORE_TOKEN_SHAPE || (t->kind == LORE_TOKEN_NUMBER && !strchr(t->text, '.')) ||
           (t->kind == LORE_TOKEN_WORD && t->value > 0);
}

/* A list such as [128, 256, 64] or (256, 2), as "128x256x64". Returns the token behind it; AT when
 * there is none. */
static size_t
read_list(struct lore_word_reader *r, size_t at, const char **out)
{
    char open = lore_words_mark(r, at), close = open == '[' ? ']' : ')';
    const char *text = NULL;
    size_t i = at + 1, n = 0;

    if (open != '[' && open != '(')
        return at;
    while (n < LIST && is_value(r, i)) {
        text = lore_format(
            r->arena, "%s%s%s", text ? text : "", text ? "x" : "", number_text(r, &r->v[i++]));
        n++;
        if (lore_words_mark(r, i) != ',')
            break;
        i++;
    }
    if (n == 0 || lore_words_mark(r, i) != close)
        return at;
    *out = text;
    return i + 1;
}

/* One value at AT. Returns the token behind it; AT when there is none. */
static size_t
read_one(struct lore_word_reader *r, size_t at, const char **out)
{
    if (at < r->n && r->v[at].kind == LORE_TOKEN_MARK)
        return read_list(r, at, out);
    if (!is_value(r, at))
        return at;
    *out = number_text(r, &r->v[at]);
    return at + 1;
}

/* "=block_ptr", "=true": a word is a value only behind the sign. */
static size_t
read_word_value(struct lore_word_reader *r, size_t at, const char **out)
{
    size_t end = at;

    if (at >= r->n || r->v[at].kind != LORE_TOKEN_WORD)
        return at;
    do
        end++;
    while (end < r->n && r->v[end].glued);
    const struct lore_token *last = &r->v[end - 1];
    *out = lore_strndup(r->arena, r->text + r->v[at].at, last->at + last->len - r->v[at].at);
    return end;
}

/* The value behind the name, which ends before token AT. Returns the token behind; AT: none. */
static size_t
read_after(struct lore_word_reader *r, size_t at, struct lore_word_value *p)
{
    static const char *const links[] = {
        "to", "of", "at", "is", "as", "by", "from", "factor", "size", "count", "depth"};
    size_t i = at, end;
    bool sign = false;

    while (i < at + 3 && i < r->n) {
        char mark = lore_words_mark(r, i);
        if (mark != '=' && mark != ':' && mark != '<' && !lore_words_in(r, i, links, COUNT(links)))
            break;
        sign |= mark == '=';
        i++;
    }
    if (!sign && i < r->n && r->v[i].kind == LORE_TOKEN_WORD &&
        !(i > at && r->v[i].value > 1 && r->v[i - 1].kind == LORE_TOKEN_WORD))
        return at; /* "registers: one barrier", but "stages to four" */
    end = read_one(r, i, &p->to);
    if (end == i && sign)
        end = read_word_value(r, i, &p->to);
    return end == i ? at : end;
}

/* "-> 4", "to 4" behind the value that ends before AT; or "instead of 4" a little later. */
static size_t
read_change(struct lore_word_reader *r, size_t at, struct lore_word_value *p)
{
    const char *other = NULL;
    size_t end;

    if (lore_words_mark(r, at) == '>' || lore_words_is(r, at, "to")) {
        end = read_one(r, at + 1, &other);
        if (end > at + 1) {
            p->from = p->to;
            p->to = other;
            return end;
        }
    }
    for (size_t i = at; i < at + 4 && i < r->n && r->v[i].kind == LORE_TOKEN_WORD; i++)
        if (lore_words_is(r, i, "instead") && lore_words_is(r, i + 1, "of")) {
            end = read_one(r, i + 2, &other);
            if (end > i + 2)
                p->from = other;
            return end > i + 2 ? end : at;
        }
    return at;
}

static bool
is_taken(const struct lore_word_reader *r, size_t first, size_t last)
{
    for (size_t i = 0; i < r->n_params; i++)
        if (r->param[i].first <= last && first <= r->param[i].last)
            return true;
    return false;
}

static void
put_value(struct lore_word_reader *r, struct lore_word_value p)
{
    if (r->n_params == LORE_WORD_PARAMS || is_taken(r, p.first, p.last))
        return;
    r->param[r->n_params++] = p;
    for (size_t i = p.first; i <= p.last && i < r->n; i++)
        if (r->used[i] == LORE_WORD_FREE)
            r->used[i] = LORE_WORD_BLOCKED;
}

/* Whether token AT counts the things that end at token LAST: "eight warps", but not "eight warp
 * maxima", "one warp". Of FORM SHAPE only a shape does. */
static bool
counts(const struct lore_word_reader *r, size_t at, size_t last, enum lore_word_form form)
{
    const struct lore_token *t = &r->v[at];
    size_t n = strlen(r->v[last].text);

    if (!is_value(r, at) || (form == LORE_VALUE_SHAPE) != (t->kind == LORE_TOKEN_SHAPE))
        return false;
    bool plural = r->v[last].text[n - 1] == 's' || last > at + 1;
    return t->kind != LORE_TOKEN_WORD || (plural && t->value > 1);
}

/* Whether token AT means nothing, or belongs to a technique that has no parameter ROW: "group" in
 * "CTA group 2". */
static bool
is_foreign(const struct lore_word_reader *r, size_t at, const struct lore_word_parameter *row)
{
    uint8_t used = r->used[at];

    if (used == LORE_WORD_FREE || used > LORE_WORD_HITS)
        return used == LORE_WORD_BLOCKED;
    return !lore_words_takes(row, lore_technique_table[r->hit[used - 1].row].slug);
}

static void
read_param(struct lore_word_reader *r, const struct lore_pattern_match *m)
{
    const struct lore_word_parameter *row = &lore_word_parameters[m->pattern->row];
    size_t first = m->token[0], last = m->token[m->n - 1], after = last + 1;
    struct lore_word_value p = {
        .row = m->pattern->row, .first = (uint16_t)first, .last = (uint16_t)last};
    char mark = lore_words_mark(r, after);

    for (size_t i = 0; i < m->n; i++)
        if (is_foreign(r, m->token[i], row))
            return;
    if (row->form != LORE_VALUE_BEHIND && mark != '=' && mark != ':' && first > 0 &&
        counts(r, first - 1, last, row->form) && !is_taken(r, first - 1, first - 1)) {
        p.to = number_text(r, &r->v[first - 1]);
        p.first--;
    } else {
        after = read_after(r, last + 1, &p);
        if (after == last + 1 ||
            (row->form != LORE_VALUE_BEHIND && row->form != LORE_VALUE_SHAPE && strchr(p.to, 'x')))
            return;
    }
    after = read_change(r, after, &p);
    p.last = (uint16_t)(after - 1);
    p.later = p.first > 0 && (lore_words_mark(r, (size_t)p.first - 1) == '>' ||
                                 lore_words_is(r, (size_t)p.first - 1, "to"));
    put_value(r, p);
}

/* Whether the shape at AT is a tile: its sides are neither tiny nor a problem's, and no noun
 * follows that it would count. */
static bool
is_tile(const struct lore_word_reader *r, size_t at)
{
    static const char *const tiles[] = {
        "tile", "tiles", "config", "with", "and", "for", "wgmma", "wmma", "mma"};
    const char *s = r->v[at].text;

    for (;;) {
        size_t n = strspn(s, "0123456789");
        long side = 0;
        for (size_t i = 0; i < n && side <= MOST_TILE; i++)
            side = 10 * side + (s[i] - '0');
        if (side < LEAST_TILE || side > MOST_TILE)
            return false;
        if (s[n] == '\0')
            break;
        s += n + 1;
    }
    if (at > 0 && r->v[at - 1].kind == LORE_TOKEN_WORD && !lore_tokens_stop(r->v[at - 1].text))
        return false;
    return at + 1 == r->n || r->v[at + 1].kind != LORE_TOKEN_WORD ||
           lore_words_in(r, at + 1, tiles, COUNT(tiles));
}

/* "1p2c", "p1c2": one producer, two consumers. */
static void
read_roles(struct lore_word_reader *r, size_t at)
{
    static const char *const names[] = {"producers", "consumers"};
    const char *s = r->v[at].text, *letters = "pc";
    bool first = lore_is_digit(s[0]); /* the number stands before its letter */
    const char *values[2];

    if (r->v[at].kind != LORE_TOKEN_WORD || r->used[at] != LORE_WORD_FREE ||
        r->n_params + 2 > LORE_WORD_PARAMS)
        return;
    for (size_t i = 0; i < 2; i++) {
        size_t n = strspn(s + !first, "0123456789");
        if (n == 0 || s[first ? n : 0] != letters[i])
            return;
        values[i] = lore_strndup(r->arena, s + !first, n);
        s += n + 1;
    }
    if (*s != '\0' || row_of("producers", strlen("producers")) < 0)
        return;
    for (size_t i = 0; i < 2; i++)
        r->param[r->n_params++] =
            (struct lore_word_value){.row = (uint16_t)row_of(names[i], strlen(names[i])),
                .first = (uint16_t)at,
                .last = (uint16_t)at,
                .to = values[i]};
    r->used[at] = LORE_WORD_BLOCKED;
}

/* Inside "name{…}" every "word=value" is a parameter. */
static void
read_braced(struct lore_word_reader *r)
{
    size_t i = 0;

    while (i < r->n && lore_words_mark(r, i) != '{')
        i++;
    for (i++; i < r->n && lore_words_mark(r, i) != '}'; i++) {
        struct lore_word_value p = {.row = LORE_WORD_OTHER, .first = (uint16_t)i};
        const char *name = NULL;
        size_t sign = read_word_value(r, i, &name);
        if (sign == i || lore_words_mark(r, sign) != '=' || is_taken(r, i, sign))
            continue;
        size_t end = read_one(r, sign + 1, &p.to);
        if (end == sign + 1)
            end = read_word_value(r, sign + 1, &p.to);
        if (end == sign + 1)
            continue;
        p.name = lore_words_parameter(name, r->arena);
        p.last = (uint16_t)(end - 1);
        put_value(r, p);
        i = end - 1;
    }
}

void
lore_words_read_params(struct lore_word_reader *r)
{
    for (size_t i = 0; i < r->n_matches; i++)
        if (r->match[i].pattern->kind == LORE_PATTERN_PARAMETER)
            read_param(r, &r->match[i]);
    read_braced(r);
    int tile = row_of("tile", 4);
    for (size_t i = 0; i < r->n; i++) {
        read_roles(r, i);
        if (r->v[i].kind == LORE_TOKEN_SHAPE && r->used[i] == LORE_WORD_FREE && is_tile(r, i))
            put_value(r, (struct lore_word_value){.row = (uint16_t)tile,
                             .first = (uint16_t)i,
                             .last = (uint16_t)i,
                             .to = number_text(r, &r->v[i])});
    }
}
