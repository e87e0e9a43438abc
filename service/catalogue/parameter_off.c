/* Values that mean "not in use" (parameter_off.h). */
#include "service/catalogue/parameter_off.h"

#include <ctype.h>
#include <string.h>

#include "service/base/text.h"

enum { NAME_MAX_BYTES = 128 };

/* Words of names, and the value that means "none": one slice, one stage, a cluster of one block.
 * One element of padding is padding. The first row that fits counts. */
static const struct {
    const char *words; /* of the name in a row, in lower case, with a blank between */
    const char *off;
} neutral[] = {
    {"cluster", "1"},
    {"coarsening", "1"},
    {"ctas", "1"},
    {"consumer groups", "0"},
    {"group m", "1"},
    {"group size", "1"},
    {"loop unroll", "1"},
    {"pad", "0"},
    {"padding", "0"},
    {"slices", "1"},
    {"split k", "1"},
    {"splitk", "1"},
    {"splits", "1"},
    {"num split", "1"},
    {"stages", "1"},
    {"stage", "1"},
    {"swizzle size", "1"},
    {"swizzle group", "1"},
    {"tile size", "1"},
    {"unroll", "1"},
    {"vec", "1"},
    {"vector", "1"},
    {"vector size", "1"},
    {"vectorize", "1"},
    {"work per thread", "1"},
    {"wpt", "1"},
};

/* First words of a switch. */
static const char switches[] =
    "use|uses|using|enable|enabled|is|has|with|do|no|allow|force|should|want|can";

/* NAME as lower-case words, " split k slices ": at '_', '-', '.', blanks, and before the capital of
 * "splitK". A name that is too long gives none. */
static void
words_of(const char *name, char out[NAME_MAX_BYTES])
{
    size_t n = 0;
    bool lower = false;

    out[n++] = ' ';
    for (const char *p = name; *p && n + 4 < NAME_MAX_BYTES; p++) {
        bool letter = isalnum((unsigned char)*p) != 0;
        if (letter && isupper((unsigned char)*p) && lower && out[n - 1] != ' ')
            out[n++] = ' ';
        if (letter)
            out[n++] = (char)tolower((unsigned char)*p);
        else if (out[n - 1] != ' ')
            out[n++] = ' ';
        lower = letter && islower((unsigned char)*p);
    }
    if (out[n - 1] != ' ')
        out[n++] = ' ';
    out[n] = '\0';
}

static bool
is_switch(const char *words)
{
    char first[16];
    size_t n = strcspn(words + 1, " ");

    if (n == 0 || n >= sizeof first)
        return false;
    memcpy(first, words + 1, n);
    first[n] = '\0';
    return lore_choice(switches, first);
}

/* VALUE without the quotes of JSON in OUT; false: it is too long to mean "none". */
static bool
bare(const char *value, char out[40])
{
    size_t n = strlen(value);
    bool quoted = n >= 2 && value[0] == '"' && value[n - 1] == '"';

    n -= quoted ? 2 : 0;
    if (n >= 40)
        return false;
    memcpy(out, value + quoted, n);
    out[n] = '\0';
    for (char *p = out; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    return true;
}

bool
lore_parameter_none(const char *value)
{
    char text[40];

    return bare(value, text) &&
           (*text == '\0' || lore_choice("0|0.0|false|none|null|no|off|disabled", text));
}

/* "1", "1.0", and a shape of ones: "1x1x1", "(1, 1, 1)". */
static bool
is_one(const char *text)
{
    size_t ones = 0;

    for (const char *p = text; *p; p++) {
        if (p[0] == '1' && !isdigit((unsigned char)p[1]) &&
            (p == text || !isdigit((unsigned char)p[-1])))
            ones++;
        else if (*p == '.' && p[1] == '0' && ones > 0)
            p++;
        else if (!strchr("x,()[] ", *p))
            return false;
    }
    return ones > 0;
}

/* The value that is off for NAME, "1" or "0"; NULL: the table does not say. */
static const char *
neutral_of(const char *name)
{
    char words[NAME_MAX_BYTES], looked[40];

    words_of(name, words);
    if (is_switch(words))
        return "0";
    for (size_t i = 0; i < sizeof neutral / sizeof *neutral; i++) {
        size_t n = strlen(neutral[i].words);
        looked[0] = ' ';
        memcpy(looked + 1, neutral[i].words, n);
        memcpy(looked + n + 1, " ", 2);
        if (strstr(words, looked))
            return neutral[i].off;
    }
    return NULL;
}

bool
lore_parameter_one_is_on(const char *name)
{
    return lore_streq(neutral_of(name), "0");
}

bool
lore_parameter_is_off(const char *name, const char *value)
{
    char text[40];

    if (lore_parameter_none(value))
        return true;
    return bare(value, text) && is_one(text) && lore_streq(neutral_of(name), "1");
}
