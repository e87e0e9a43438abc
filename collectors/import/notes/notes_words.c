/* The words by which a sentence of notes is read (notes.h). A phrase matches at whole words, in any
 * case; the longest at the earliest place counts. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "collectors/import/notes/notes.h"
#include "service/base/text.h"

static const char *const effects[] = {"did not help", "didn't help", "does not help",
    "doesn't help", "not help", "no help", "no gain", "no gains", "no speedup", "no effect",
    "no difference", "no improvement", "no benefit", "no change", "not worth it", "not faster",
    "regressed", "regresses", "regression", "slower", "slowed down", "slows down", "worse", "hurts",
    "hurt", "spills registers", "spilled registers", "spills", "spilled", "register spills",
    "wrong result", "wrong results", "incorrect", "crashed", "crashes", "crash", "did not compile",
    "does not compile", "failed to compile", "deadlocks", "deadlock", "deadlocked", "hangs", "hang",
    "hung", "faster", "speedup", "speed-up", "speeds up", "sped up", "helped", "helps", "improved",
    "improves", "improvement", "a win", "wins", "won", "paid off", "pays off", "gained", "saves",
    "saved", "doubled", "halved", "reverted", "better", NULL};
static const char *const intentions[] = {"try", "try:", "todo", "todo:", "next", "next:", "idea",
    "idea:", "ideas:", "plan", "plan:", "to try", "to try:", "maybe try", "should try",
    "want to try", "could try", "let's try", "next step", "next steps", "next step:", "ideas",
    "todos", "future work", "next up:", "consider", "hypothesis:", "experiment:", NULL};
static const char *const expectations[] = {"should", "could", "would", "might", "may", "expect",
    "expected", "hope", "hopefully", "probably", "will", NULL};
/* Names of operators that sentences use as everyday words. */
static const char *const everyday[] = {"add", "copy", "scale", "sort", "select", "reduce", "load",
    "store", "fill", "max", "min", "sum", "mean", "dot", "mm", "cast", "split", "cat", "gather",
    "scatter", "index", "mask", "where", "pad", "repeat", "sub", "mul", "div", "linear", "scan",
    "reduction", "transpose", "conv", "norm", "attention", "clamp", "exp", "log", "stack",
    "product", NULL};

static bool
is_word(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || c == '_';
}

static bool
stands_at(const char *text, const char *at, const char *phrase)
{
    size_t n = strlen(phrase);

    return strncasecmp(at, phrase, n) == 0 && (at == text || !is_word(at[-1])) &&
           (!is_word(phrase[n - 1]) || !is_word(at[n]));
}

/* The earliest, longest phrase of LIST in TEXT; *LEN its length. */
static const char *
find(const char *text, const char *const *list, size_t *len)
{
    for (const char *at = text; *at; at++) {
        if (at > text && is_word(at[-1]))
            continue;
        *len = 0;
        for (size_t i = 0; list[i]; i++)
            if (stands_at(text, at, list[i]) && strlen(list[i]) > *len)
                *len = strlen(list[i]);
        if (*len > 0)
            return at;
    }
    return NULL;
}

/* Where a factor or a percentage begins right before AT: "1.3x faster", "12 % slower". */
static const char *
with_number(const char *text, const char *at)
{
    const char *p = at;

    while (p > text && p[-1] == ' ')
        p--;
    const char *unit = p;
    if (p > text && (p[-1] == 'x' || p[-1] == 'X' || p[-1] == '%'))
        p--;
    while (p < unit && p > text && p[-1] == ' ')
        p--;
    const char *end = p;
    while (p > text && (isdigit((unsigned char)p[-1]) || p[-1] == '.'))
        p--;
    return p < end && end < unit && (p == text || !is_word(p[-1])) ? p : at;
}

/* "1.3x" alone: a number and x at a word's end. */
static const char *
find_factor(const char *text, size_t *len)
{
    for (const char *p = text; *p; p++) {
        if (!isdigit((unsigned char)*p) || (p > text && (is_word(p[-1]) || p[-1] == '.')))
            continue;
        size_t n = strspn(p, "0123456789.");
        if ((p[n] == 'x' || p[n] == 'X') && !is_word(p[n + 1])) {
            *len = n + 1;
            return p;
        }
        p += n - 1;
    }
    return NULL;
}

const char *
lore_notes_effect(const char *text, struct lore_arena *arena)
{
    size_t len = 0;
    const char *at = find(text, effects, &len);

    if (at) {
        const char *from = with_number(text, at);
        return lore_strndup(arena, from, (size_t)(at - from) + len);
    }
    at = find_factor(text, &len);
    return at ? lore_strndup(arena, at, len) : NULL;
}

bool
lore_notes_intends(const char *text)
{
    size_t len;

    return find(text, intentions, &len) == text;
}

bool
lore_notes_asks(const char *text)
{
    size_t n = strlen(text);

    return n > 0 && text[n - 1] == '?';
}

bool
lore_notes_expects(const char *text)
{
    size_t len;

    return find(text, expectations, &len) != NULL;
}

/* ---- names of the catalogue ---- */

enum { LONGEST_NAME = 4 /* words */ };

static bool
is_everyday(const char *name)
{
    for (size_t i = 0; everyday[i]; i++)
        if (strcasecmp(everyday[i], name) == 0)
            return true;
    return false;
}

struct naming {
    const void *(*of)(const char *name, bool heading);
    bool heading;
    const void *found;
    bool several;
};

static const void *
operator_of(const char *name, bool heading)
{
    return !heading && (strlen(name) < 3 || is_everyday(name)) ? NULL : lore_operator_find(name);
}

static const void *
chip_of(const char *name, bool heading)
{
    (void)heading;
    return strpbrk(name, "0123456789") ? lore_chip_find(name) : NULL;
}

/* The name of at most LONGEST_NAME words that begins at P, the longest first; returns its end. */
static const char *
take_name(const char *p, struct naming *n, struct lore_arena *arena)
{
    const char *ends[LONGEST_NAME];
    size_t k = 0;

    for (const char *e = p; k < LONGEST_NAME && is_word(*e);) {
        while (is_word(*e) || (*e == '-' && is_word(e[1])))
            e++;
        ends[k++] = e;
        e += *e == ' ';
    }
    while (k-- > 0) {
        const void *found = n->of(lore_strndup(arena, p, (size_t)(ends[k] - p)), n->heading);
        if (!found)
            continue;
        n->several |= n->found && n->found != found;
        n->found = found;
        return ends[k];
    }
    while (is_word(*p))
        p++;
    return p;
}

static const void *
name_in(const char *text, struct naming n, struct lore_arena *arena)
{
    for (const char *p = text; *p;)
        p = is_word(*p) ? take_name(p, &n, arena) : p + 1;
    return n.several ? NULL : n.found;
}

const struct lore_operator *
lore_notes_operator(const char *text, bool heading, struct lore_arena *arena)
{
    return name_in(text, (struct naming){.of = operator_of, .heading = heading}, arena);
}

const struct lore_chip *
lore_notes_chip(const char *text, struct lore_arena *arena)
{
    return name_in(text, (struct naming){.of = chip_of}, arena);
}
