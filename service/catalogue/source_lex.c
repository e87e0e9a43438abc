/* The lexers (source_code.h). They keep no layout but what Python needs, and evaluate the #if of C
 * as far as the source itself says. */
#include <stdlib.h>
#include <string.h>

#include "service/base/fnv.h"
#include "service/base/text.h"
#include "service/catalogue/source_code.h"

enum { CONDITIONS = 32, DEEPEST = 16, CHAIN = 16 };

/* ---- helpers ---- */

bool
lore_code_is(const struct lore_code_token *t, const char *s)
{
    return t->kind != LORE_CODE_TEXT && strlen(s) == t->len && memcmp(t->at, s, t->len) == 0;
}

bool
lore_code_glob(const char *p, size_t np, const char *s, size_t n)
{
    size_t i = 0, k = 0, star = np, mark = 0;

    while (k < n)
        if (i < np && p[i] == '*' && np > 1) {
            star = i++;
            mark = k;
        } else if (i < np && p[i] == s[k]) {
            i++;
            k++;
        } else if (star < np) {
            i = star + 1;
            k = ++mark;
        } else {
            return false;
        }
    while (i < np && p[i] == '*' && np > 1)
        i++;
    return i == np;
}

bool
lore_code_like(const struct lore_code_token *t, const char *s)
{
    if (t->kind == LORE_CODE_TEXT)
        return false;
    for (const char *end = s; *s; s = end + (*end == ' ')) {
        for (end = s; *end && *end != ' ';)
            end++;
        if ((*s == *t->at || *s == '*') && lore_code_glob(s, (size_t)(end - s), t->at, t->len))
            return true;
    }
    return false;
}

/* The place of T in its chain. A chain ends after CHAIN symbols, so that no choice of names makes
 * the search slow; further names are unknown. */
static struct lore_code_symbol **
place_of(const struct lore_code *c, const struct lore_code_token *t, size_t *n)
{
    uint64_t hash = lore_fnv_bytes(LORE_FNV, t->at, t->len);
    struct lore_code_symbol **at =
        (struct lore_code_symbol **)&c->symbols[hash % LORE_CODE_BUCKETS];

    for (*n = 0; *at && ((*at)->len != t->len || memcmp((*at)->at, t->at, t->len) != 0); (*n)++)
        at = &(*at)->next;
    return at;
}

struct lore_code_symbol *
lore_code_find_symbol(const struct lore_code *c, const struct lore_code_token *t)
{
    size_t n;

    return t->kind == LORE_CODE_WORD ? *place_of(c, t, &n) : NULL;
}

struct lore_code_symbol *
lore_code_symbol(struct lore_code *c, const struct lore_code_token *t)
{
    size_t n;
    struct lore_code_symbol **at = place_of(c, t, &n), *s = *at;

    if (s)
        return s;
    s = lore_alloc(c->arena, sizeof *s);
    s->at = t->at;
    s->len = t->len;
    if (n < CHAIN)
        *at = s;
    return s;
}

size_t
lore_code_close(const struct lore_code_token *v, size_t n, size_t i)
{
    size_t depth = 0;

    for (; i < n; i++)
        if (v[i].kind == LORE_CODE_MARK && v[i].len == 1) {
            depth += strchr("([{", *v[i].at) != NULL;
            depth -= depth > 0 && strchr(")]}", *v[i].at) != NULL;
            if (depth == 0)
                return i;
        }
    return n;
}

/* ---- values ---- */

struct value {
    const struct lore_code *c;
    const struct lore_code_token *v;
    size_t n, i;
    bool bad;
};

static long long sum_of(struct value *e, int depth);

static long long
one_of(struct value *e, int depth)
{
    const struct lore_code_token *t = &e->v[e->i];
    const struct lore_code_symbol *s;
    char text[24] = "";
    long long x = 0;

    if (e->i >= e->n || depth > DEEPEST) {
        e->bad = true;
        return 0;
    }
    e->i++;
    if (lore_code_is(t, "-"))
        return -one_of(e, depth + 1);
    if (lore_code_is(t, "(")) {
        x = sum_of(e, depth + 1);
        e->bad |= e->i >= e->n || !lore_code_is(&e->v[e->i], ")");
        e->i++;
        return x;
    }
    s = lore_code_find_symbol(e->c, t);
    if (s && s->flags & LORE_SYMBOL_CONST)
        return s->value;
    if (lore_code_is(t, "true") || lore_code_is(t, "True"))
        return 1;
    if (lore_code_is(t, "false") || lore_code_is(t, "False"))
        return 0;
    e->bad |= t->kind != LORE_CODE_NUMBER || t->len >= sizeof text || memchr(t->at, '.', t->len);
    if (e->bad)
        return 0;
    memcpy(text, t->at, t->len);
    x = strtoll(text, NULL, 0);
    e->bad |= x > INT32_MAX;
    return x;
}

static long long
product_of(struct value *e, int depth)
{
    long long x = one_of(e, depth);

    while (!e->bad && e->i < e->n && lore_code_like(&e->v[e->i], "* / % << >>")) {
        const struct lore_code_token *op = &e->v[e->i++];
        long long y = one_of(e, depth);
        bool shift = op->len == 2;

        e->bad |= (shift && (y < 0 || y > 20)) || (!shift && *op->at != '*' && y == 0) ||
                  x > INT32_MAX || x < INT32_MIN;
        if (e->bad)
            return 0;
        x = shift            ? (*op->at == '<' ? x * (1ll << y) : x / (1ll << y))
            : *op->at == '*' ? x * y
            : *op->at == '/' ? x / y
                             : x % y;
        e->bad |= x > INT32_MAX || x < INT32_MIN;
    }
    return x;
}

static long long
sum_of(struct value *e, int depth)
{
    long long x = product_of(e, depth);

    while (!e->bad && e->i < e->n && lore_code_like(&e->v[e->i], "+ -")) {
        bool minus = *e->v[e->i++].at == '-';
        long long y = product_of(e, depth);
        x += minus ? -y : y;
    }
    return x;
}

bool
lore_code_value(
    const struct lore_code *c, const struct lore_code_token *v, size_t n, long long *out)
{
    struct value e = {c, v, n, 0, n == 0 || n > 64};

    if (!e.bad)
        *out = sum_of(&e, 0);
    return !e.bad && e.i == n;
}

/* ---- one token ---- */

static bool
is_letter(char ch)
{
    return lore_is_word(ch) || ch == '$' || (unsigned char)ch >= 0x80;
}

static size_t
number_len(const char *s, size_t n)
{
    size_t i = 1;

    while (i < n && (lore_is_word(s[i]) || s[i] == '.' ||
                        ((s[i] == '+' || s[i] == '-') && (s[i - 1] == 'e' || s[i - 1] == 'E') &&
                            !(n > 1 && s[0] == '0' && (s[1] | 32) == 'x'))))
        i++;
    return i;
}

static size_t
mark_len(const char *s, size_t n)
{
    static const char *const marks[] = {"<<<", ">>>", "<<=", ">>=", "**=", "//=", "//", "<<", ">>",
        "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "^=", "|=", "&=", "->", "++", "--",
        "::", "&&", "||", "##"};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t len = strlen(marks[i]);
        if (len <= n && memcmp(s, marks[i], len) == 0)
            return len;
    }
    return 1;
}

static void
push(struct lore_code *c, struct lore_code_list *to, const char *s, size_t len, int kind)
{
    *LORE_PUSH(c->arena, to->v, to->n, to->cap) =
        (struct lore_code_token){s, (uint32_t)len, (uint8_t)kind, 0};
}

/* The end of the string whose quote is at S: behind the closing quote, or at a line's end. */
static size_t
string_len(const char *s, size_t n)
{
    size_t i = 1;

    while (i < n && s[i] != s[0] && s[i] != '\n')
        i += s[i] == '\\' && i + 1 < n ? 2 : 1;
    return i < n ? i + 1 : n;
}

/* R"x( … )x" */
static size_t
raw_len(const char *s, size_t n)
{
    size_t k = 2;

    while (k < n && k < 20 && s[k] != '(' && s[k] != '\n')
        k++;
    if (k >= n || s[k] != '(')
        return 1;
    for (size_t i = k + 1; i + k - 1 < n; i++)
        if (s[i] == ')' && memcmp(s + i + 1, s + 2, k - 2) == 0 && s[i + k - 1] == '"')
            return i + k;
    return n;
}

/* The length of the comment or blank at S; 0: it is something else. */
static size_t
space_len(const char *s, size_t n)
{
    size_t i = 2;

    if (strchr(" \t\r\n\f\v\\", *s))
        return 1;
    if (n < 2 || s[0] != '/' || (s[1] != '/' && s[1] != '*'))
        return 0;
    if (s[1] == '/') {
        while (i < n && (s[i] != '\n' || s[i - 1] == '\\'))
            i++;
        return i;
    }
    while (i + 1 < n && !(s[i] == '*' && s[i + 1] == '/'))
        i++;
    return i + 1 < n ? i + 2 : n;
}

/* ---- assembly ---- */

static void
lex_assembly(struct lore_code *c, struct lore_code_list *to, const char *s, size_t n, bool inlined)
{
    for (size_t i = 0, len; i < n; i += len) {
        len = inlined && s[i] == '\\' && i + 1 < n ? 2 : space_len(s + i, n - i);
        if (s[i] == '\n' || (inlined && s[i] == '\\'))
            push(c, to, ";", 1, LORE_CODE_MARK);
        if (len > 0)
            continue;
        len = 1;
        if (is_letter(s[i]) || s[i] == '.' || s[i] == '%') {
            while (i + len < n &&
                   (is_letter(s[i + len]) || s[i + len] == '.' ||
                       (s[i + len] == ':' && i + len + 1 < n && s[i + len + 1] == ':') ||
                       (s[i + len] == ':' && s[i + len - 1] == ':')))
                len++;
            push(c, to, s + i, len, lore_is_digit(s[i]) ? LORE_CODE_NUMBER : LORE_CODE_WORD);
        } else {
            push(c, to, s + i, 1, LORE_CODE_MARK);
        }
    }
    push(c, to, ";", 1, LORE_CODE_MARK);
}

void
lore_code_lex_assembly(struct lore_code *c, const char *text, size_t len)
{
    c->assembly = true;
    lex_assembly(c, &c->raw, text, len, false);
}

/* ---- C ---- */

struct conditions {
    struct {
        bool on, taken;
    } at[CONDITIONS];
    size_t n, lost; /* lost: deeper than the array */
};

static bool
is_on(const struct conditions *s)
{
    return s->lost == 0 && (s->n == 0 || s->at[s->n - 1].on);
}

/* 1: true, 0: false, -1: the source does not say. */
static int
condition(const struct lore_code *c, const struct lore_code_token *v, size_t n)
{
    const struct lore_code_symbol *s = n > 1 ? lore_code_find_symbol(c, &v[1]) : NULL;
    bool bare = n == 2 && v[1].kind == LORE_CODE_WORD;
    bool given = bare && (lore_code_like(&v[1], "__* CUDA* HIP* USE_ROCM NDEBUG"));
    long long x;

    if (lore_code_like(&v[0], "ifdef ifndef"))
        return given ? -1 : (s != NULL) == lore_code_is(&v[0], "ifdef");
    if (n > 1 && lore_code_value(c, v + 1, n - 1, &x))
        return x != 0;
    return bare && !given && !s ? 0 : -1;
}

static void
conditional(struct lore_code *c, struct conditions *s, const struct lore_code_token *v, size_t n)
{
    if (lore_code_like(&v[0], "if ifdef ifndef")) {
        if (s->n == CONDITIONS || s->lost > 0) {
            s->lost++;
            return;
        }
        int holds = is_on(s) ? condition(c, v, n) : 0;
        s->at[s->n].taken = holds > 0 || !is_on(s);
        s->at[s->n].on = holds != 0;
        s->n++;
    } else if (lore_code_is(&v[0], "endif")) {
        s->lost -= s->lost > 0;
        s->n -= s->lost == 0 && s->n > 0;
    } else if (s->lost == 0 && s->n > 0) { /* elif, else */
        int holds = s->at[s->n - 1].taken         ? 0
                    : lore_code_is(&v[0], "else") ? 1
                                                  : condition(c, v, n);
        s->at[s->n - 1].on = holds != 0;
        s->at[s->n - 1].taken |= holds > 0;
    }
}

/* A macro is a part of its own, and a constant when its body has a value. */
static void
define(struct lore_code *c, const struct lore_code_token *v, size_t n)
{
    struct lore_code_symbol *s;
    size_t body = 2;

    if (n < 2 || v[1].kind != LORE_CODE_WORD)
        return;
    if (n > 2 && lore_code_is(&v[2], "(") && v[2].at == v[1].at + v[1].len)
        body = lore_code_close(v, n, 2) + 1;
    body = body > n ? n : body;
    s = lore_code_symbol(c, &v[1]);
    if (lore_code_value(c, v + body, n - body, &s->value))
        s->flags |= LORE_SYMBOL_CONST;
    *LORE_PUSH(c->arena, c->parts, c->n_parts, c->cap_parts) =
        (struct lore_code_part){.name = v[1].at,
            .len = v[1].len,
            .first = c->aside.n,
            .n = n - body,
            .fixed = true,
            .macro = true};
    for (size_t i = body; i < n; i++)
        *LORE_PUSH(c->arena, c->aside.v, c->aside.n, c->aside.cap) = v[i];
}

struct c_lexer {
    struct lore_code *c;
    const char *s;
    size_t n, i;
    size_t asm_end; /* tokens of the asm statement that is being read are behind; 0: none */
};

/* One token at I of S, appended to TO. */
static void
lex_one(struct c_lexer *x, struct lore_code_list *to)
{
    const char *s = x->s + x->i;
    size_t left = x->n - x->i, len = 1;

    if (*s == 'R' && left > 1 && s[1] == '"' && (len = raw_len(s, left)) > 1) {
        push(x->c, to, s + 2, len - 3, LORE_CODE_TEXT);
    } else if (lore_is_digit(*s) || (*s == '.' && left > 1 && lore_is_digit(s[1]))) {
        len = number_len(s, left);
        push(x->c, to, s, len, LORE_CODE_NUMBER);
    } else if (is_letter(*s)) {
        while (len < left && is_letter(s[len]))
            len++;
        push(x->c, to, s, len, LORE_CODE_WORD);
        if (lore_code_like(&to->v[to->n - 1], "asm __asm__ __asm"))
            x->asm_end = to->n; /* its first string follows */
    } else if (*s == '"' || *s == '\'') {
        len = string_len(s, left);
        if (*s == '"' && x->asm_end > 0 && len > 2)
            lex_assembly(x->c, to, s + 1, len - 2, true);
        else
            push(x->c, to, s + 1, len > 1 ? len - 2 : 0, LORE_CODE_TEXT);
    } else {
        len = mark_len(s, left);
        if (x->asm_end > 0 && (*s == ':' || *s == ';')) /* operands are no instructions */
            x->asm_end = 0;
        push(x->c, to, s, len, LORE_CODE_MARK);
    }
    x->i += len;
}

/* The directive at I: read its logical line and act on it. */
static void
directive(struct c_lexer *x, struct conditions *state)
{
    struct lore_code_list line = {0};

    for (x->i++; x->i < x->n && (x->s[x->i] != '\n' || x->s[x->i - 1] == '\\');) {
        size_t len = x->s[x->i] == '\n' ? 1 : space_len(x->s + x->i, x->n - x->i);
        if (len > 0)
            x->i += len;
        else
            lex_one(x, &line);
    }
    x->asm_end = 0;
    if (line.n == 0)
        return;
    if (lore_code_like(&line.v[0], "if ifdef ifndef elif else endif"))
        conditional(x->c, state, line.v, line.n);
    else if (is_on(state) && lore_code_is(&line.v[0], "define"))
        define(x->c, line.v, line.n);
    else if (is_on(state) && lore_code_is(&line.v[0], "pragma"))
        for (size_t i = 0; i < line.n; i++)
            *LORE_PUSH(x->c->arena, x->c->raw.v, x->c->raw.n, x->c->raw.cap) = line.v[i];
}

void
lore_code_lex_c(struct lore_code *c, const char *text, size_t len)
{
    struct c_lexer x = {.c = c, .s = text, .n = len};
    struct conditions state = {.n = 0};
    struct lore_code_list off = {0}; /* what a false condition hides */
    bool begins = true;              /* a line */

    while (x.i < len) {
        size_t skip = space_len(text + x.i, len - x.i);
        if (skip > 0) {
            begins |= memchr(text + x.i, '\n', skip) != NULL;
            x.i += skip;
        } else if (text[x.i] == '#' && begins) {
            directive(&x, &state);
        } else {
            begins = false;
            off.n = 0;
            lex_one(&x, is_on(&state) ? &c->raw : &off);
        }
    }
    push(c, &c->raw, ";", 1, LORE_CODE_MARK);
}

/* ---- Python ---- */

struct python {
    struct lore_code *c, *embedded;
    const char *s;
    size_t n, i, depth; /* depth: of brackets, in which lines do not count */
    size_t indent;
    bool begins;
};

static void
python_string(struct python *x)
{
    const char *s = x->s + x->i;
    size_t left = x->n - x->i, len, quotes = 1;

    if (left > 5 && s[1] == s[0] && s[2] == s[0]) {
        quotes = 3;
        for (len = 3;
             len + 2 < left && !(s[len] == s[0] && s[len + 1] == s[0] && s[len + 2] == s[0]);)
            len += s[len] == '\\' ? 2 : 1;
        len = len + 3 < left ? len + 3 : left;
    } else {
        len = string_len(s, left);
    }
    size_t inner = len > 2 * quotes ? len - 2 * quotes : 0;
    if (inner > 10 && quotes == 3 && memmem(s + 3, inner, "__global__", 10))
        lore_code_lex_c(x->embedded, s + 3, inner);
    push(x->c, &x->c->raw, s + quotes, inner, LORE_CODE_TEXT);
    x->i += len;
}

static void
python_line(struct python *x)
{
    x->i++;
    if (x->depth == 0) {
        x->begins = true;
        x->indent = 0;
    }
}

static void
python_one(struct python *x)
{
    const char *s = x->s + x->i;
    size_t left = x->n - x->i, len = 1;

    if (x->begins) {
        push(x->c, &x->c->raw, ";", 1, LORE_CODE_MARK);
        x->c->raw.v[x->c->raw.n - 1].indent = (uint16_t)(x->indent < 9999 ? x->indent : 9999);
        x->begins = false;
    }
    if (*s == '"' || *s == '\'') {
        python_string(x);
        return;
    }
    if (lore_is_digit(*s)) {
        len = number_len(s, left);
        push(x->c, &x->c->raw, s, len, LORE_CODE_NUMBER);
    } else if (is_letter(*s)) {
        while (len < left && is_letter(s[len]))
            len++;
        push(x->c, &x->c->raw, s, len, LORE_CODE_WORD);
    } else {
        len = mark_len(s, left);
        x->depth += strchr("([{", *s) != NULL;
        x->depth -= x->depth > 0 && strchr(")]}", *s) != NULL;
        push(x->c, &x->c->raw, s, len, LORE_CODE_MARK);
    }
    x->i += len;
}

void
lore_code_lex_python(struct lore_code *c, const char *text, size_t len, struct lore_code *embedded)
{
    struct python x = {.c = c, .embedded = embedded, .s = text, .n = len, .begins = true};

    while (x.i < len)
        if (text[x.i] == '\n') {
            python_line(&x);
        } else if (strchr(" \t\r\f\\", text[x.i])) {
            x.indent += x.begins;
            x.i += 1 + (text[x.i] == '\\' && x.i + 1 < len); /* a joined line */
        } else if (text[x.i] == '#') {
            while (x.i < len && text[x.i] != '\n')
                x.i++;
        } else {
            python_one(&x);
        }
    push(c, &c->raw, ";", 1, LORE_CODE_MARK);
}
