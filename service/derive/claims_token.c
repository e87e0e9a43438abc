/* A hand-written scanner. A word consists of letters and digits, with . _ : / - inside, so that
 * names of counters stay in one piece. Non-ASCII signs (arrows, dashes, ≤) are matched as UTF-8
 * bytes. A number includes its sign and unit. A dash after a number is a range; a dash before one
 * is a sign. */
#include "service/derive/claims_token.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"

static const struct {
    const char *bytes;
    enum lore_claim_token_kind kind;
    bool inclusive;
} signs[] = {
    {"↑", LORE_TOK_UP, false},
    {"↓", LORE_TOK_DOWN, false},
    {"→", LORE_TOK_TO, false},
    {"->", LORE_TOK_TO, false},
    {"=>", LORE_TOK_TO, false},
    {"≤", LORE_TOK_BELOW, true},
    {"≥", LORE_TOK_ABOVE, true},
    {"<=", LORE_TOK_BELOW, true},
    {">=", LORE_TOK_ABOVE, true},
    {"<", LORE_TOK_BELOW, false},
    {">", LORE_TOK_ABOVE, false},
    {"=", LORE_TOK_EQUAL, false},
    {"–", LORE_TOK_DASH, false},
    {"—", LORE_TOK_DASH, false},
    {"−", LORE_TOK_DASH, false},
    {"-", LORE_TOK_DASH, false},
};

static const struct {
    enum lore_claim_token_kind kind;
    const char *words; /* between spaces */
} meanings[] = {
    {LORE_TOK_UP, " up increase increases increased increasing rise rises rising raise raises "
                  "higher grow grows more "},
    {LORE_TOK_DOWN, " down decrease decreases decreased decreasing drop drops dropping fall falls "
                    "falling reduce reduces reduced reducing lower lowers less fewer shrink "
                    "shrinks "},
    {LORE_TOK_SAME, " same unchanged stable constant flat "},
    {LORE_TOK_BETTER, " improve improves improved improving improvement better "},
    {LORE_TOK_WORSE, " worse worsens regress regresses "},
    {LORE_TOK_FASTER, " faster "},
    {LORE_TOK_BELOW, " below under "},
    {LORE_TOK_ABOVE, " above over "},
    {LORE_TOK_EQUAL, " equals "},
    {LORE_TOK_TO, " to reach reaches towards "},
    {LORE_TOK_BY, " by "},
    {LORE_TOK_FROM, " from "},
    {LORE_TOK_FILLER, " stay stays remain remains about around roughly approximately target is "
                      "should will be the "},
};

static bool
is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t
word_length(const char *s)
{
    size_t n = 0;

    while (is_alpha(s[n]) || lore_is_digit(s[n]) || (n > 0 && s[n] == '-' && is_alpha(s[n + 1])) ||
           (s[n] && strchr("._:/", s[n]) && (is_alpha(s[n + 1]) || lore_is_digit(s[n + 1]))))
        n++;
    return n;
}

/* Write " word " in lower case; false if the word is longer than all known ones. */
static bool
padded(const char *word, size_t n, char out[32])
{
    if (n == 0 || n > 29)
        return false;
    out[0] = ' ';
    for (size_t i = 0; i < n; i++)
        out[i + 1] = (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] + 32 : word[i]);
    memcpy(out + n + 1, " ", 2);
    return true;
}

static enum lore_claim_token_kind
word_kind(const char *word, size_t n)
{
    char text[32];

    for (size_t i = 0; padded(word, n, text) && i < sizeof meanings / sizeof *meanings; i++) {
        if (strstr(meanings[i].words, text))
            return meanings[i].kind;
    }
    return LORE_TOK_WORD;
}

/* The factor and kind of a unit at S; *n its length, 0 when there is none. */
static double
scan_unit(const char *s, char *unit, size_t *n)
{
    static const struct {
        const char *name;
        char unit;
        double factor;
    } units[] = {{"%", '%', 1}, {"×", 'x', 1}, {"µs", 'n', 1e3}, {"μs", 'n', 1e3}, {"x", 'x', 1},
        {"ns", 'n', 1}, {"us", 'n', 1e3}, {"ms", 'n', 1e6}, {"s", 'n', 1e9}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t len = strlen(units[i].name);
        bool letters = is_alpha(units[i].name[len - 1]);
        if (strncmp(s, units[i].name, len) == 0 &&
            !(letters && (is_alpha(s[len]) || lore_is_digit(s[len])))) {
            *unit = units[i].unit;
            *n = len;
            return units[i].factor;
        }
    }
    *unit = 0;
    *n = 0;
    return 1;
}

/* Parse digits as in "1,234.5", without an exponent. Returns the length; 0: no number, or too many
 * digits. */
static size_t
scan_digits(const char *s, double *value)
{
    char text[40];
    size_t n = 0, kept = 0;
    bool point = false;

    for (; kept < sizeof text - 1; n++) {
        if (lore_is_digit(s[n]))
            text[kept++] = s[n];
        else if (s[n] == '.' && !point && lore_is_digit(s[n + 1]))
            text[kept++] = '.', point = true;
        else if (!(s[n] == ',' && !point && lore_is_digit(s[n + 1]) && lore_is_digit(s[n + 2]) &&
                     lore_is_digit(s[n + 3]) && !lore_is_digit(s[n + 4])))
            break;
    }
    text[kept] = '\0';
    if (kept == 0 || kept == sizeof text - 1)
        return 0;
    *value = strtod(text, NULL);
    return n;
}

static size_t
scan_number(const char *s, struct lore_claim_token *t)
{
    size_t n = scan_digits(s, &t->plain), spaces = 0, unit;

    if (n == 0)
        return 0;
    t->value = t->plain;
    while (s[n + spaces] == ' ')
        spaces++;
    double factor = scan_unit(s + n + spaces, &t->unit, &unit);
    if (unit > 0) {
        n += spaces + unit;
        t->value *= factor;
    }
    t->kind = LORE_TOK_NUMBER;
    return n;
}

static size_t
scan_sign(const char *s, struct lore_claim_token *t)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t n = strlen(signs[i].bytes);
        if (strncmp(s, signs[i].bytes, n) == 0) {
            t->kind = signs[i].kind;
            t->inclusive = signs[i].inclusive;
            return n;
        }
    }
    return 0;
}

/* Two words with one meaning: "less than", "at least", "no change". */
static size_t
scan_phrase(const char *s, struct lore_claim_token *t)
{
    static const struct {
        const char *text;
        enum lore_claim_token_kind kind;
        bool inclusive;
    } phrases[] = {{"less than", LORE_TOK_BELOW, false}, {"lower than", LORE_TOK_BELOW, false},
        {"fewer than", LORE_TOK_BELOW, false}, {"more than", LORE_TOK_ABOVE, false},
        {"higher than", LORE_TOK_ABOVE, false}, {"greater than", LORE_TOK_ABOVE, false},
        {"at least", LORE_TOK_ABOVE, true}, {"at most", LORE_TOK_BELOW, true},
        {"up to", LORE_TOK_TO, false}, {"down to", LORE_TOK_TO, false},
        {"no change", LORE_TOK_SAME, false}, {"not change", LORE_TOK_SAME, false}};

    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        size_t n = strlen(phrases[i].text), k = 0;
        while (k < n && s[k] && (s[k] | 32) == phrases[i].text[k])
            k++;
        if (k == n && !is_alpha(s[n]) && !lore_is_digit(s[n])) {
            t->kind = phrases[i].kind;
            t->inclusive = phrases[i].inclusive;
            return n;
        }
    }
    return 0;
}

/* Read one token at S and return its length; 0: no token starts here. */
static size_t
scan(const char *s, struct lore_claim_token *t)
{
    size_t n;

    if (is_alpha(*s)) {
        if ((n = scan_phrase(s, t)) > 0)
            return n;
        n = word_length(s);
        t->kind = word_kind(s, n);
        return n;
    }
    if (lore_is_digit(*s) || (*s == '.' && lore_is_digit(s[1])))
        return scan_number(s, t);
    return scan_sign(s, t);
}

/* Whether a dash is the sign of NUMBER: directly before it, and not after another number. */
static bool
is_sign_of(const struct lore_claim_token *v, size_t n, const struct lore_claim_token *number)
{
    const struct lore_claim_token *dash = n > 0 ? &v[n - 1] : NULL;

    return dash && dash->kind == LORE_TOK_DASH && dash->at + dash->len == number->at &&
           !(n > 1 && v[n - 2].kind == LORE_TOK_NUMBER);
}

size_t
lore_claims_tokens(const char *text, struct lore_claim_token *out, size_t max)
{
    size_t n = 0, depth = 0;

    for (size_t i = 0; text[i] && n < max;) {
        struct lore_claim_token t = {.at = i, .inside = depth > 0};
        t.len = scan(text + i, &t);
        if (t.len == 0) {
            depth += text[i] == '(';
            depth -= text[i] == ')' && depth > 0;
            i++;
            continue;
        }
        i += t.len;
        if (t.kind == LORE_TOK_NUMBER && is_sign_of(out, n, &t)) {
            t.sign = '-';
            n--;
        } else if (t.kind == LORE_TOK_NUMBER && t.at > 0 && text[t.at - 1] == '+') {
            t.sign = '+';
        }
        out[n++] = t;
    }
    return n;
}
