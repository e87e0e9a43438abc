/* Known names near an unknown one. A name is compared by its edit distance and by its words:
 * "floot4 lods" is two letters away from "float4 loads", "loads by float4 words" shares two words
 * with it. */
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/technique_table.h"
#include "service/catalogue/words.h"

enum { LETTERS = 48 };
#define LEAST 0.55 /* below it a name is not near */

struct name {
    char s[LETTERS];
    size_t n;
    uint32_t letters; /* a bit for each letter and digit */
};
struct nearest {
    const char *v[LORE_WORDS_NEAREST];
    double score[LORE_WORDS_NEAREST];
    size_t n;
    struct name want;
};

/* Letters and digits of S[0..LEN), folded. */
static struct name
read_name(const char *s, size_t len)
{
    struct name out = {.n = 0};

    for (size_t i = 0; i < len && out.n < LETTERS; i++) {
        char c = s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] | 32) : s[i];
        if ((c < 'a' || c > 'z') && !lore_is_digit(c))
            continue;
        out.s[out.n++] = c;
        out.letters |= UINT32_C(1) << (lore_is_digit(c) ? 26 + (c - '0') % 6 : c - 'a');
    }
    return out;
}

static size_t
least(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;

    return m < c ? m : c;
}

/* Edits from A to B, or more than MOST. */
static size_t
distance(const struct name *a, const struct name *b, size_t most)
{
    size_t row[LETTERS + 1];

    for (size_t k = 0; k <= b->n; k++)
        row[k] = k;
    for (size_t i = 1; i <= a->n; i++) {
        size_t corner = row[0], lowest = row[0] = i;
        for (size_t k = 1; k <= b->n; k++) {
            size_t above = row[k];
            row[k] = least(above + 1, row[k - 1] + 1, corner + (a->s[i - 1] != b->s[k - 1]));
            corner = above;
            lowest = row[k] < lowest ? row[k] : lowest;
        }
        if (lowest > most)
            return most + 1;
    }
    return row[b->n];
}

static size_t
bits(uint32_t v)
{
    size_t n = 0;

    for (; v != 0; v &= v - 1)
        n++;
    return n;
}

/* 1: equal; 0: nothing in common. */
static double
likeness(const struct name *a, const struct name *b)
{
    size_t longer = a->n > b->n ? a->n : b->n, shorter = a->n + b->n - longer;
    size_t most = longer * 45 / 100;

    if (shorter == 0 || longer - shorter > most ||
        (bits(a->letters & ~b->letters) + bits(b->letters & ~a->letters)) / 2 > most)
        return 0;
    size_t d = distance(a, b, most);
    return d > most ? 0 : 1 - (double)d / (double)longer;
}

/* NAME (LEN bytes) stands for ROW, a static text. */
static void
consider(struct nearest *best, const char *name, size_t len, const char *row)
{
    struct name n = read_name(name, len);
    double score = likeness(&best->want, &n);
    size_t at = 0;

    if (score < LEAST)
        return;
    while (at < best->n && best->v[at] != row)
        at++;
    if (at < best->n && best->score[at] >= score)
        return;
    if (at == best->n && best->n < LORE_WORDS_NEAREST)
        best->n++;
    else if (at == best->n) {
        if (best->score[--at] >= score)
            return;
    }
    for (; at > 0 && best->score[at - 1] < score; at--) {
        best->v[at] = best->v[at - 1];
        best->score[at] = best->score[at - 1];
    }
    best->v[at] = row;
    best->score[at] = score;
}

static void
consider_list(struct nearest *best, const char *list, const char *row)
{
    while (*list != '\0') {
        size_t n = strcspn(list, ",");
        consider(best, list, n, row);
        list += n + (list[n] == ',');
    }
}

static size_t
put_out(const struct nearest *best, const char *out[LORE_WORDS_NEAREST])
{
    for (size_t i = 0; i < best->n; i++)
        out[i] = best->v[i];
    return best->n;
}

/* Techniques whose words TEXT contains come first. */
static void
consider_words(struct nearest *best, const char *text)
{
    LORE_SCRATCH scratch = {0};
    struct lore_words w;

    lore_words_resolve(text, &scratch, &w);
    for (size_t i = 0; i < w.n && best->n < LORE_WORDS_NEAREST; i++) {
        best->v[best->n] = w.v[i].slug;
        best->score[best->n++] = 1;
    }
}

size_t
lore_words_nearest(const char *text, const char *out[LORE_WORDS_NEAREST])
{
    struct nearest best = {.want = read_name(text, strcspn(text, "{"))};

    consider_words(&best, text);
    for (size_t i = 0; i < lore_n_techniques; i++) {
        const struct lore_technique *t = &lore_technique_table[i];
        const char *dot = strchr(t->slug, '.');
        consider(&best, t->slug, strlen(t->slug), t->slug);
        consider(&best, t->title, strlen(t->title), t->slug);
        if (dot)
            consider(&best, dot + 1, strlen(dot + 1), t->slug);
        consider_list(&best, t->aliases, t->slug);
    }
    return put_out(&best, out);
}

size_t
lore_operators_nearest(const char *text, const char *out[LORE_WORDS_NEAREST])
{
    struct nearest best = {.want = read_name(text, strlen(text))};
    size_t n;
    const struct lore_operator *o = lore_operators(&n);

    for (size_t i = 0; i < n; i++) {
        consider(&best, o[i].name, strlen(o[i].name), o[i].name);
        consider_list(&best, o[i].aliases, o[i].name);
    }
    return put_out(&best, out);
}
