/* Finds files that look like credentials, by their names and by private keys and tokens of a
 * known form in them. An import leaves them out, because everybody with a token can read what is
 * uploaded, for ever. This guards against importing one folder too many; it does not find a
 * password in a sentence. */
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "collectors/import/tree.h"
#include "service/base/text.h"

static const char *const names[] = {"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "*.pem", "*.p12",
    "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.env", "credentials", "credentials.json",
    "secrets.json", "secrets.yaml", "secrets.yml", "htpasswd"};

/* How a token starts, how many more characters it has at least, and which beside letters and
 * digits. */
static const struct {
    const char *start, *of;
    size_t more;
    const char *also;
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

/* Does a token of KIND start at P? Not when it is part of a longer word. */
static bool
is_token(const char *text, const char *p, const char *end, size_t kind)
{
    const char *q = p + strlen(tokens[kind].start);
    size_t digits = 0;

    if (p > text && in_token(p[-1]))
        return false;
    for (; q < end && in_token(*q); q++) {
        if (!isalnum((unsigned char)*q) && !strchr(tokens[kind].also, *q))
            return false;
        digits += isdigit((unsigned char)*q) != 0;
    }
    return (size_t)(q - p) >= strlen(tokens[kind].start) + tokens[kind].more && digits > 0;
}

static const char *
inside(const char *text, size_t len)
{
    static const char key[] = "PRIVATE KEY-----";
    const char *end = text + len;

    if (memmem(text, len, "-----BEGIN ", 11) && memmem(text, len, key, sizeof key - 1))
        return "a private key";
    for (size_t k = 0; k < sizeof tokens / sizeof *tokens; k++) {
        size_t n = strlen(tokens[k].start);

        for (const char *p = text; (p = memmem(p, (size_t)(end - p), tokens[k].start, n)); p += n)
            if (is_token(text, p, end, k))
                return tokens[k].of;
    }
    return NULL;
}

const char *
lore_tree_secret(const char *path, const char *text, size_t len)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fnmatch(names[i], name, FNM_CASEFOLD) == 0)
            return "credentials, by its name";
    return inside(text, len);
}
