/* Match the table of features against the tokens of a source (source.h). Patterns are found by the
 * first letter of their first word. */
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/source.h"
#include "service/catalogue/source_code.h"

enum { GAP = 48, LETTERS = 256, MOST_PATTERNS = 1024, MOST_SLUGS = 128 };

struct pattern {
    const char *at;
    size_t len;
    bool *matched;        /* what it answers */
    struct pattern *next; /* of the same first letter */
};
struct matching {
    const struct lore_code *c;
    struct pattern pattern[MOST_PATTERNS];
    size_t n;
    struct pattern *first[LETTERS]; /* [0]: a pattern whose first word begins with '*' */
};
struct answers { /* of each row of the tables */
    bool own, with, lacked;
};

/* ---- patterns ---- */

/* The length of the word of a pattern at S, and of the blank behind. */
static size_t
word_len(const char *s, size_t n, size_t *step)
{
    size_t len = 0;

    while (len < n && s[len] != ' ')
        len++;
    *step = len + (len < n);
    return len;
}

static bool
is_number(const struct lore_code *c, const struct lore_code_token *t, long long least)
{
    long long x;

    return lore_code_value(c, t, 1, &x) && x >= least;
}

static bool
fits(const struct lore_code *c, const struct lore_code_token *t, const char *s, size_t n)
{
    if (n == 2 && s[0] == '#')
        return is_number(c, t, s[1] - '0');
    if (n == 1 && s[0] == '$')
        return t->kind == LORE_CODE_WORD;
    return t->kind != LORE_CODE_TEXT && lore_code_glob(s, n, t->at, t->len);
}

/* Whether the words S[0..N) follow each other from token I on. */
static bool
follow(const struct lore_code *c, const char *s, size_t n, size_t i)
{
    size_t step;

    for (size_t at = 0; at < n; at += step, i++) {
        size_t len = word_len(s + at, n - at, &step);
        if (len == 2 && memcmp(s + at, "..", 2) == 0) {
            for (size_t end = i + GAP;
                 i < end && i < c->live.n && !lore_code_is(&c->live.v[i], ";"); i++)
                if (follow(c, s + at + step, n - at - step, i))
                    return true;
            return false;
        }
        if (i >= c->live.n || !fits(c, &c->live.v[i], s + at, len))
            return false;
    }
    return true;
}

static bool
has_mark(const struct lore_code *c, const char *s, size_t n)
{
    for (size_t i = 0; i < lore_code_n_marks; i++)
        if (c->found >> i & 1 && strlen(lore_code_marks[i]) == n &&
            memcmp(lore_code_marks[i], s, n) == 0)
            return true;
    return false;
}

/* Add the patterns of LIST, all of which set MATCHED. */
static void
add_patterns(struct matching *m, const char *list, bool *matched)
{
    while (list && *list) {
        size_t len = strcspn(list, "|"), n = len;
        while (n > 0 && list[n - 1] == ' ')
            n--;
        if (*list == '@') {
            *matched |= has_mark(m->c, list, n);
        } else if (m->n < MOST_PATTERNS) {
            struct pattern *p = &m->pattern[m->n++], **to;
            *p = (struct pattern){list, n, matched, NULL};
            to = &m->first[*list == '*' && n > 1 && list[1] != ' ' ? 0 : (unsigned char)*list];
            p->next = *to;
            *to = p;
        }
        list += len + (list[len] == '|');
    }
}

static void
match(struct matching *m)
{
    for (size_t i = 0; i < m->c->live.n; i++) {
        const struct lore_code_token *t = &m->c->live.v[i];
        if (t->kind == LORE_CODE_TEXT || t->kind == LORE_CODE_NUMBER)
            continue;
        for (struct pattern *p = m->first[(unsigned char)*t->at]; p; p = p->next)
            if (!*p->matched)
                *p->matched = follow(m->c, p->at, p->len, i);
        if (t->kind == LORE_CODE_WORD)
            for (struct pattern *p = m->first[0]; p; p = p->next)
                if (!*p->matched)
                    *p->matched = follow(m->c, p->at, p->len, i);
    }
}

/* ---- slugs ---- */

struct slugs {
    const char **v;
    size_t n;
};

static bool
listed(const struct slugs *s, const char *slug)
{
    for (size_t i = 0; i < s->n; i++)
        if (lore_streq(s->v[i], slug))
            return true;
    return false;
}

/* Add the slugs of LIST that are in neither TO nor NOT. */
static void
add_slugs(struct slugs *to, const struct slugs * not, const char *list)
{
    char name[64];

    while (*list) {
        size_t len = strcspn(list, ",");
        if (len < sizeof name && to->n < MOST_SLUGS) {
            memcpy(name, list, len);
            name[len] = '\0';
            const struct lore_technique *t = lore_technique_find(name);
            if (t && !listed(to, t->slug) && !(not &&listed(not, t->slug)))
                to->v[to->n++] = t->slug;
        }
        list += len + (list[len] == ',');
    }
}

size_t
lore_source_scope(const char **out, size_t cap)
{
    const char *all[MOST_SLUGS];
    struct slugs s = {all, 0};

    for (size_t i = 0; i < lore_code_n_features; i++)
        add_slugs(&s, NULL, lore_code_features[i].slugs);
    for (size_t i = 0; i < s.n && i < cap; i++)
        out[i] = s.v[i];
    return s.n;
}

static void
judge(struct lore_code *c, struct answers *a)
{
    struct matching *m = lore_alloc(c->arena, sizeof *m);

    m->c = c;
    lore_code_shape(c);
    for (size_t i = 0; i < lore_code_n_features; i++) {
        const struct lore_code_feature *f = &lore_code_features[i];
        if (!(f->families & c->family))
            continue;
        add_patterns(m, f->patterns, &a[i].own);
        add_patterns(m, f->with, &a[i].with);
        if (f->lacked && strcmp(f->lacked, "=") != 0)
            add_patterns(m, f->lacked, &a[i].lacked);
    }
    for (size_t i = 0; i < lore_code_n_moot; i++)
        if (lore_code_moot[i].families & c->family)
            add_patterns(m, lore_code_moot[i].patterns, &a[lore_code_n_features + i].own);
    match(m);
}

/* ---- files ---- */

static enum lore_code_family
family_of(const struct lore_source_file *f, bool *assembly)
{
    const char *dot = f->file ? strrchr(f->file, '.') : NULL;

    *assembly = dot && lore_choice(".s|.S|.ptx|.asm|.sass|.gcn", dot);
    if (*assembly || (dot && lore_choice(".cu|.cuh|.hip|.cpp|.cc|.cxx|.c|.h|.hpp|.inl|.cl", dot)))
        return LORE_CODE_C;
    if (dot && lore_streq(dot, ".py"))
        return LORE_CODE_PYTHON;
    if (strstr(f->text, "__global__"))
        return LORE_CODE_C;
    return strstr(f->text, "\ndef ") || strstr(f->text, "import ") ? LORE_CODE_PYTHON : 0;
}

void
lore_source_read(const struct lore_source_file *files, size_t n, struct lore_arena *arena,
    struct lore_source_shown *out)
{
    struct lore_code *c = lore_alloc(arena, sizeof *c), *py = lore_alloc(arena, sizeof *py);
    size_t n_rows = lore_code_n_features + lore_code_n_moot;
    struct answers *a = lore_alloc_array(arena, 2 * n_rows, sizeof *a), *b = a + n_rows;
    struct slugs moot = {lore_alloc_array(arena, MOST_SLUGS, sizeof *moot.v), 0};
    struct slugs has = {lore_alloc_array(arena, MOST_SLUGS, sizeof *has.v), 0};
    struct slugs lacks = {lore_alloc_array(arena, MOST_SLUGS, sizeof *lacks.v), 0};
    size_t left = LORE_SOURCE_MAX_BYTES;

    *c = (struct lore_code){.arena = arena, .family = LORE_CODE_C};
    *py = (struct lore_code){.arena = arena, .family = LORE_CODE_PYTHON};
    for (size_t i = 0; i < n; i++) {
        bool assembly;
        enum lore_code_family family = family_of(&files[i], &assembly);
        size_t len = strnlen(files[i].text, left);
        left -= len;
        if (family == LORE_CODE_PYTHON)
            lore_code_lex_python(py, files[i].text, len, c);
        else if (assembly)
            lore_code_lex_assembly(c, files[i].text, len);
        else if (family == LORE_CODE_C)
            lore_code_lex_c(c, files[i].text, len);
    }
    bool in_c = c->raw.n > 0 && lore_code_find_live(c);
    bool in_python = py->raw.n > 0 && lore_code_find_live(py);
    if (in_c)
        judge(c, a);
    if (in_python)
        judge(py, b);
    for (size_t i = 0; i < lore_code_n_features; i++)
        if ((a[i].own && (!lore_code_features[i].with || a[i].with)) ||
            (b[i].own && (!lore_code_features[i].with || b[i].with)))
            add_slugs(&has, NULL, lore_code_features[i].slugs);
    for (size_t i = 0; i < lore_code_n_features && in_c && !in_python && c->complete; i++)
        if (lore_code_features[i].lacked && !a[i].own && !a[i].lacked)
            add_slugs(&lacks, &has, lore_code_features[i].slugs);
    for (size_t i = 0; i < lore_code_n_moot; i++)
        if (a[lore_code_n_features + i].own || b[lore_code_n_features + i].own) {
            add_slugs(&moot, &has, lore_code_moot[i].slugs);
            if (lore_code_moot[i].lacked && in_c && !in_python && c->complete)
                add_slugs(&lacks, &has, lore_code_moot[i].slugs);
        }
    *out = (struct lore_source_shown){.has = has.v,
        .n_has = has.n,
        .moot = moot.v,
        .n_moot = moot.n,
        .lacks = lacks.v,
        .n_lacks = lacks.n,
        .kernel = in_c || in_python};
}
