/* What the values of columns tell beyond their names (suggest.h). */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "collectors/import/maps/suggest.h"
#include "collectors/import/maps/value.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/wire.h"

typedef struct lore_suggest_column column;

bool
lore_suggest_all(const column *c, bool (*is)(const char *text))
{
    size_t yes = 0;

    for (size_t i = 0; i < c->n_distinct; i++)
        yes += is(c->distinct[i]);
    return c->n_distinct > 0 && yes * 4 >= c->n_distinct * 3; /* some rows may be odd */
}

bool
lore_suggest_numeric(const column *c)
{
    return c->numbers > 0 && c->numbers * 10 >= c->n * 9;
}

/* Names of products have few words, and digits in one or two of them. */
static bool
is_chip(const char *text)
{
    enum { MOST_UNDERSCORES = 3 };
    struct lore_arena arena = {0};
    size_t underscores = 0;

    for (const char *p = text; *p; p++)
        underscores += *p == '_';
    bool found = underscores <= MOST_UNDERSCORES && lore_chip_in(&arena, text) != NULL;
    lore_arena_free(&arena);
    return found;
}

bool
lore_suggest_chips(const column *c)
{
    return c->n > 0 && !lore_suggest_numeric(c) && lore_suggest_all(c, is_chip);
}

/* ---- element types ---- */

static bool
type_before(const char *text, size_t n)
{
    char word[24];

    if (n == 0 || n >= sizeof word)
        return false;
    memcpy(word, text, n);
    word[n] = '\0';
    return lore_workload_is_dtype(word);
}
static bool
is_before_colon(const char *text)
{
    return text[strcspn(text, ":")] == ':' && type_before(text, strcspn(text, ":"));
}
static bool
is_real(const char *text)
{
    size_t n = strlen(text);

    return n > 2 && strcmp(text + n - 2, "_r") == 0 && type_before(text, n - 2);
}

bool
lore_suggest_dtypes(column *c)
{
    if (c->n == 0 || lore_suggest_numeric(c))
        return false;
    c->match = lore_suggest_all(c, is_before_colon) ? "^([^:]*)"
               : lore_suggest_all(c, is_real)       ? "^(.*)_r$"
                                                    : NULL;
    return c->match || lore_suggest_all(c, lore_workload_is_dtype);
}

/* ---- names of operators within words ---- */

const char *
lore_suggest_word_of(struct lore_arena *arena, const char *text)
{
    enum { LEAST = 3 };
    const char *found = NULL;
    size_t best = LEAST - 1;

    for (const char *p = text; *p; p++) {
        if (p > text && isalnum((unsigned char)p[-1]))
            continue;
        for (size_t n = strcspn(p, " [(<"); n > best; n--) { /* the longest name counts */
            const char *word = lore_strndup(arena, p, n);
            if (isalnum((unsigned char)p[n]) || !lore_operator_find(word))
                continue;
            found = word;
            best = n;
        }
    }
    return found;
}

const char *
lore_suggest_operator_in(struct lore_arena *arena, const char *text)
{
    const char *word = lore_suggest_word_of(arena, text);

    return word ? lore_operator_find(word)->name : NULL;
}

/* ---- one column for each implementation ---- */

/* The implementation that NAME begins with: "cuBLAS (TFLOPS)"; NULL: none. */
static const char *
provider_in(struct lore_arena *arena, const char *name)
{
    static const char others[] = "torch|pytorch|naive|native|eager|compile|compiled|inductor|jax|"
                                 "xla|tvm|liger|flash|fa2|fa3|xformers|vllm|sglang|apex|aiter|"
                                 "baseline|reference|ours|cublas|cublaslt|cudnn|rocblas|hipblaslt|"
                                 "miopen|onednn|flashinfer|deepgemm";
    const char *word = lore_slug(arena, lore_strndup(arena, name, strcspn(name, " ([-_")));
    enum lore_language language = lore_language_find(word);

    return lore_choice(others, word) || (language != LORE_LANG_NONE && language != LORE_LANG_OTHER)
               ? word
               : NULL;
}

static bool
is_library(struct lore_arena *arena, const column *c)
{
    enum lore_language language = lore_language_find(provider_in(arena, c->name));

    return language == LORE_LANG_NONE || language == LORE_LANG_LIBRARY;
}

static const char *
rate_or_time(const column *c, const char **unit)
{
    const char *open = strpbrk(c->name, "([");

    *unit = open && strcasestr(open, "tflop")   ? "TFLOPS"
            : open && strcasestr(open, "gflop") ? "GFLOPS"
                                                : NULL;
    return *unit ? "rate" : "time";
}

void
lore_suggest_providers(struct lore_suggestion *s)
{
    column *first = NULL; /* a kernel counts before a library */
    const char *all = "", *unit = NULL;
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++) {
        column *c = &s->columns[i];
        if (!lore_suggest_numeric(c) || !provider_in(s->arena, c->name))
            continue;
        if (!first || (is_library(s->arena, first) && !is_library(s->arena, c)))
            first = c;
        all = lore_format(s->arena, "%s%s%s", all, *all ? ", " : "", c->name);
        n++;
        c->field = "metrics";
        c->why = "another implementation";
    }
    if (n < 2) {
        if (first)
            first->field = first->why = NULL;
        return;
    }
    first->field = rate_or_time(first, &unit);
    first->unit = unit;
    first->why = "one implementation of several";
    s->version = lore_strndup(s->arena, first->name, strcspn(first->name, "(["));
    for (size_t end = strlen(s->version); end > 0 && s->version[end - 1] == ' '; end--)
        s->version = lore_strndup(s->arena, s->version, end - 1);
    enum lore_language language = lore_language_find(provider_in(s->arena, first->name));
    s->language = language != LORE_LANG_NONE && language != LORE_LANG_OTHER
                      ? lore_language_name(language)
                      : NULL;
    s->remark = lore_format(s->arena,
        "One column for each implementation (%s). A map reads one as the time or rate: this one "
        "reads %s; copy it for the others, or give the table one row for each.",
        all, first->name);
}

/* ---- units ---- */

const char *
lore_suggest_unit(const struct lore_suggestion *s, const column *time)
{
    for (size_t i = 0; i < s->n; i++) {
        const column *c = &s->columns[i];
        if (!lore_choice("ops|ops_s|per_second", c->slug) || c->numbers == 0 || time->least <= 0)
            continue;
        if (fabs(c->most * time->least - 1) < 0.02)
            return "s";
    }
    return NULL;
}
