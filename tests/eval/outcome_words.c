/* Takes the words of an outcome out of an idea (outcome_words.h).
 * product/outcome_words.py reads the same two lists. */
#include "tests/eval/outcome_words.h"

#include <string.h>

#include "service/base/text.h"

/* A '*' at the end stands for any ending. */
static const char *const outcome_words[] = {
#include "tests/eval/outcome_words.inc"
};
/* "too slow", "no change", "not enough": the first word goes with what follows it. */
static const char *const phrases[] = {
#include "tests/eval/outcome_phrases.inc"
};

static bool
matches(const char *pattern, const char *word, size_t n)
{
    size_t len = strcspn(pattern, "*");

    return (pattern[len] == '*' ? n >= len : n == len) && memcmp(pattern, word, len) == 0;
}

static bool
is_outcome(const char *word, size_t n)
{
    for (size_t i = 0; i < sizeof outcome_words / sizeof *outcome_words; i++)
        if (matches(outcome_words[i], word, n))
            return true;
    return false;
}

static size_t
phrase_at(const char *s)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        size_t n = strlen(phrases[i]);
        if (strncmp(s, phrases[i], n) == 0 && !lore_is_word(s[n]))
            return n;
    }
    return 0;
}

/* The length of a result at S: "+3.5%", "317.43 TFLOPS", "1.2x faster", "0.89x". */
static size_t
result_at(const char *s)
{
    static const char *const units[] = {"%", "tflop", "gflop", "us ", "ms ", "x faster", "x slower",
        "x speedup", "x improvement", "x better", "x worse", "x vs", "x over"};
    size_t sign = strspn(s, "+-~"), n = sign + strspn(s + sign, "0123456789.");
    size_t space = strspn(s + n, " ");

    if (n == sign)
        return 0;
    bool decimal = memchr(s + sign, '.', n - sign) != NULL;
    if (decimal && s[n] == 'x' && !lore_is_word(s[n + 1]))
        return n + 1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (lore_starts(s + n + space, units[i])) {
            n += space + strlen(units[i]);
            while (lore_is_word(s[n]))
                n++;
            return n;
        }
    return 0;
}

char *
outcome_strip(struct lore_arena *arena, const char *text)
{
    char *low = lore_strdup(arena, text), *out = lore_strdup(arena, text);
    size_t len = 0;

    for (char *c = low; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    for (size_t i = 0; text[i] != '\0';) {
        bool starts = i == 0 || !lore_is_word(low[i - 1]);
        size_t cut = starts ? phrase_at(low + i) : 0, word = 0;

        if (cut == 0 && starts)
            cut = result_at(low + i);
        while (cut == 0 && lore_is_word(low[i + word]))
            word++;
        if (word > 0 && starts && is_outcome(low + i, word))
            cut = word;
        word += word == 0 && cut == 0;
        if (cut == 0)
            memcpy(out + len, text + i, word);
        len += cut == 0 ? word : 0;
        i += cut > 0 ? cut : word;
    }
    out[len] = '\0';
    return out;
}
