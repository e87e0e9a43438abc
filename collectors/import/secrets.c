/* Finds files that look like credentials: by their name, or because they contain a private key or a
 * token of a known form. An import skips them, because everybody with a Warplore token can read an
 * uploaded file forever. This protects against accidents; it does not find a password inside a
 * sentence. */
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "collectors/import/tree.h"
#include "service/base/text.h"

static const char *const names[] = {"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "*.pem", "*.p12",
    "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.env", "credentials", "credentials.json",
    "secrets.json", "secrets.yaml", "secrets.yml", "htpasswd"};

/* Forms of tokens: the prefix, a description, the minimum number of characters after the prefix,
 * and the characters allowed besides letters and digits. */
static const struct {
    const char *prefix, *what;
    size_t min_len;
    const char *extra_chars;
} tokens[] = {
    {"wl_", "a token of Warplore", 60, "_-"},
    {"ghp_", "a GitHub token", 36, ""},
    {"github_pat_", "a GitHub token", 60, "_"},
    {"glpat-", "a GitLab token", 20, "_-"},
    {"hf_", "a Hugging Face token", 34, ""},
    {"AKIA", "an AWS key", 16, ""},
};

static bool
in_token(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Return whether a token of KIND starts at P. Text that continues a word is not a token, nor is one
 * without a digit. */
static bool
is_token(const char *text, const char *p, const char *end, size_t kind)
{
    size_t n = strlen(tokens[kind].prefix), digits = 0;
    const char *q = p + n;

    if (p[0] != tokens[kind].prefix[0] || (p > text && in_token(p[-1])) || (size_t)(end - p) < n ||
        memcmp(p, tokens[kind].prefix, n) != 0)
        return false;
    for (; q < end && in_token(*q); q++) {
        if (!isalnum((unsigned char)*q) && !strchr(tokens[kind].extra_chars, *q))
            return false;
        digits += isdigit((unsigned char)*q) != 0;
    }
    return (size_t)(q - p) >= n + tokens[kind].min_len && digits > 0;
}

static const char *
secret_in_text(const char *text, size_t len)
{
    static const char key[] = "PRIVATE KEY-----";
    const char *end = text + len;
    char first[sizeof tokens / sizeof *tokens + 1] = "";

    if (memmem(text, len, "-----BEGIN ", 11) && memmem(text, len, key, sizeof key - 1))
        return "a private key";
    for (size_t k = 0; k < sizeof tokens / sizeof *tokens; k++)
        first[k] = *tokens[k].prefix;
    for (const char *p = text; p < end && (p += strcspn(p, first)) < end; p++)
        for (size_t k = 0; k < sizeof tokens / sizeof *tokens; k++)
            if (is_token(text, p, end, k))
                return tokens[k].what;
    return NULL;
}

const char *
lore_tree_secret(const char *path, const char *text, size_t len)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fnmatch(names[i], name, FNM_CASEFOLD) == 0)
            return "credentials, by its name";
    return secret_in_text(text, len);
}
