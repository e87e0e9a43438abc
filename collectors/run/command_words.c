/* One pass and one buffer suffice: the words with their NULs never need more bytes than the text.
 */
#include "collectors/run/command_words.h"

#include <stdbool.h>
#include <string.h>

struct words {
    char **v;
    size_t n, cap;
};

static bool
blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Copy the word at *AT, up to an unquoted blank, to *TO; false: a quote stays open. */
static bool
take_word(const char **at, char **to)
{
    char *word = *to;
    const char *p = *at;
    char quote = '\0';

    for (; *p && (quote || !blank(*p)); p++) {
        if (quote ? *p == quote : *p == '\'' || *p == '"')
            quote = quote ? '\0' : *p;
        else if (*p == '\\' && quote != '\'' && p[1])
            *word++ = *++p;
        else
            *word++ = *p;
    }
    *word++ = '\0';
    *to = word;
    *at = p;
    return quote == '\0';
}

enum lore_status
lore_command_words(const char *text, const char *const *more, size_t n, struct lore_arena *arena,
    char *const **out, struct lore_err *err)
{
    struct words w = {0};
    char *buffer = lore_alloc(arena, strlen(text) + 1);

    for (const char *p = text;;) {
        while (blank(*p))
            p++;
        if (!*p)
            break;
        *LORE_PUSH(arena, w.v, w.n, w.cap) = buffer;
        if (!take_word(&p, &buffer))
            return lore_fail(err, LORE_INVALID, "%.180s: a quote is not closed", text);
    }
    if (w.n == 0 || !*w.v[0])
        return lore_fail(err, LORE_INVALID, "\"%.180s\": names no program", text);
    for (size_t i = 0; i < n; i++)
        *LORE_PUSH(arena, w.v, w.n, w.cap) = lore_strdup(arena, more[i]);
    *LORE_PUSH(arena, w.v, w.n, w.cap) = NULL;
    *out = w.v;
    return LORE_OK;
}
