/* Everybody with a token can read a record for ever. So a word is stored only when it looks
 * harmless: numbers, short names, options. A secret is recognised by its form, as for imports, or
 * by the name of the option before it. Users can store more with --param. */
#include "collectors/run/command_filter.h"

#include <ctype.h>
#include <string.h>

#include "collectors/import/tree.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define HIDDEN "…"
enum { WORDS_MAX = 64, WORD_BYTES = 200 };

/* Whether NAME, of N bytes, names a secret: "password", "token" … */
static bool
names_secret(const char *name, size_t n)
{
    static const char *const words[] = {
        "secret", "passw", "passphrase", "apikey", "api_key", "api-key", "credential"};
    static const char *const ends[] = {"auth", "key", "pwd", "token"}; /* not --max-tokens */

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (size_t k = 0, m = strlen(words[i]); k + m <= n; k++)
            if (strncasecmp(name + k, words[i], m) == 0)
                return true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t m = strlen(ends[i]);
        if (n >= m && strncasecmp(name + n - m, ends[i], m) == 0 &&
            (n == m || !isalpha((unsigned char)name[n - m - 1])))
            return true;
    }
    return false;
}

/* Whether WORD must be hidden as a whole. */
static bool
must_hide(const char *word)
{
    size_t n = strlen(word);

    if (n > WORD_BYTES || !lore_utf8_valid(word, n) || strstr(word, "://"))
        return true;
    for (const unsigned char *p = (const unsigned char *)word; *p; p++)
        if (*p <= ' ' || *p == 0x7f)
            return true;
    return lore_tree_secret("", word, n);
}

/* VALUE without its folders when it is a path from outside this folder. */
static const char *
without_folders(const char *value)
{
    bool far =
        value[0] == '/' || value[0] == '~' || lore_starts(value, "../") || strstr(value, "/../");

    return far ? lore_build_basename(value) : value;
}

/* The part of WORD ("--name=VALUE", "-I/folder") that may be stored; NULL: nothing. */
static const char *
storable_part(const char *word, struct lore_arena *arena)
{
    const char *equals = strchr(word, '='), *slash = strchr(word, '/');

    if (must_hide(word))
        return NULL;
    if (equals && names_secret(word, (size_t)(equals - word)))
        return lore_format(arena, "%.*s=" HIDDEN, (int)(equals - word), word);
    if (equals && equals[1] != '\0')
        return lore_format(
            arena, "%.*s=%s", (int)(equals - word), word, without_folders(equals + 1));
    if (word[0] == '-' && slash && slash > word && !strpbrk(word, ":,;"))
        return lore_format(arena, "%.*s%s", (int)(slash - word), word, without_folders(slash));
    /* a list of paths cannot be reduced to one last part */
    if (slash && strpbrk(word, ":,;"))
        return NULL;
    return without_folders(word);
}

void
lore_command_write(struct lore_jsonw *w, char *const *argv, struct lore_arena *arena)
{
    int64_t hidden = 0;
    bool value_of_secret = false;

    if (!argv || !argv[0])
        return;
    lore_w_key(w, "command");
    lore_w_arr(w);
    for (size_t i = 0; argv[i] != NULL; i++) {
        const char *word = argv[i];
        bool option = word[0] == '-' && !strchr(word, '=');
        const char *text = i >= WORDS_MAX || (value_of_secret && !option) ? NULL
                           : i == 0 ? storable_part(lore_build_basename(word), arena)
                                    : storable_part(word, arena);

        hidden += !text || strstr(text, HIDDEN);
        if (i < WORDS_MAX)
            lore_w_str(w, text != NULL ? text : HIDDEN);
        value_of_secret = option && names_secret(word, strlen(word));
    }
    lore_w_arr_end(w);
    if (hidden > 0)
        lore_w_ki64(w, "command_hidden", hidden);
}
