/* Finds entry points in C-like and Python-like sources (sources.h). Comments and strings are
 * blanked first, so that what is left can be searched as text. */
#include <ctype.h>
#include <string.h>

#include "collectors/import/index.h"
#include "collectors/import/sources/sources.h"
#include "service/base/text.h"
#include "service/wire/build.h"

/* MARK stands before an entry point. NEEDS: a text that the file must have, too, because the ending
 * alone does not say the language. The first row that fits counts. */
static const struct kind {
    const char *ending, *mark, *needs;
    enum lore_language language;
} kinds[] = {
    {".hip", "__global__", NULL, LORE_LANG_HIP},
    {".cu", "__global__", "hip/hip_runtime", LORE_LANG_HIP},
    {".cu", "__global__", NULL, LORE_LANG_CUDA},
    {".cpp", "__global__", "hip/hip_runtime", LORE_LANG_HIP},
    {".cpp", "__global__", "cuda_runtime", LORE_LANG_CUDA},
    {".cc", "__global__", "hip/hip_runtime", LORE_LANG_HIP},
    {".cc", "__global__", "cuda_runtime", LORE_LANG_CUDA},
    {".py", "@gluon.jit", NULL, LORE_LANG_GLUON},
    {".py", "@triton.jit", NULL, LORE_LANG_TRITON},
    {".py", "@cute.kernel", NULL, LORE_LANG_CUTE_DSL},
    {".py", "@helion.kernel", NULL, LORE_LANG_HELION},
    {".py", "@T.prim_func", NULL, LORE_LANG_TILELANG},
};

static bool
is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The end of the string or comment that begins at P; P: none begins there. */
static char *
skip(char *p, bool python)
{
    if (*p == '"' || *p == '\'') {
        bool three = python && p[1] == *p && p[2] == *p;
        char *e = p + (three ? 3 : 1);
        while (*e && !(*e == *p && (!three || (e[1] == *p && e[2] == *p))) && (three || *e != '\n'))
            e += *e == '\\' && e[1] ? 2 : 1;
        return *e ? e + (three ? 3 : 1) : e;
    }
    if (python ? *p == '#' : p[0] == '/' && p[1] == '/')
        return p + strcspn(p, "\n");
    if (!python && p[0] == '/' && p[1] == '*') {
        char *e = strstr(p + 2, "*/");
        return e ? e + 2 : p + strlen(p);
    }
    return p;
}

static char *
without_comments(const char *text, bool python, struct lore_arena *arena)
{
    char *out = lore_strdup(arena, text);

    for (char *p = out; *p;) {
        char *end = skip(p, python);
        for (; p < end; p++)
            *p = *p == '\n' ? '\n' : ' ';
        p += *p != '\0' && p == end && skip(p, python) == p;
    }
    return out;
}

struct finding {
    struct lore_source_kernels *out;
    struct lore_arena *arena;
    struct lore_index known;
};

static void
add(struct finding *f, const char *name, size_t n)
{
    if (n == 0 || n > 200)
        return;
    const char *text = lore_strndup(f->arena, name, n);
    size_t *known = lore_index_at(f->arena, &f->known, text);
    if (*known == 0)
        lore_build_text(f->arena, &f->out->names, text);
    *known = 1;
}

/* Behind the parenthesis that P opens. */
static const char *
close_parenthesis(const char *p)
{
    size_t depth = 0;

    for (; *p; p++) {
        depth += *p == '(';
        depth -= *p == ')';
        if (depth == 0)
            return p + 1;
    }
    return p;
}

/* P stands behind `__global__`: the name before the parameters, behind attributes with arguments.
 */
static const char *
take_c(const char *p, struct finding *f)
{
    static const char *const attributes[] = {
        "__launch_bounds__", "__attribute__", "__cluster_dims__", "__maxnreg__"};

    for (;;) {
        const char *open = p + strcspn(p, "(;{}"), *end = open, *name;
        if (*open != '(')
            return open;
        while (end > p && isspace((unsigned char)end[-1]))
            end--;
        for (name = end; name > p && is_word(name[-1]);)
            name--;
        bool attribute = false;
        for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
            attribute |= (size_t)(end - name) == strlen(attributes[i]) &&
                         memcmp(name, attributes[i], (size_t)(end - name)) == 0;
        if (!attribute) {
            add(f, name, (size_t)(end - name));
            return open;
        }
        p = close_parenthesis(open);
    }
}

/* P stands behind a decorator's name: the function that it decorates, behind further decorators. */
static const char *
take_python(const char *p, struct finding *f)
{
    for (;;) {
        p += strspn(p, " \t");
        p = *p == '(' ? close_parenthesis(p) : p;
        p += strspn(p, " \t\r\n");
        if (*p != '@')
            break;
        p += 1 + strspn(p + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
    }
    if (!lore_starts(p, "def "))
        return p;
    p += 4 + strspn(p + 4, " \t");
    size_t n = 0;
    while (is_word(p[n]))
        n++;
    add(f, p, n);
    return p + n;
}

static bool
ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);

    return n > m && lore_streqi(name + n - m, ending);
}

void
lore_source_kernels(
    const char *name, const char *text, struct lore_arena *arena, struct lore_source_kernels *out)
{
    bool python = ends_with(name, ".py");
    struct finding f = {.out = out, .arena = arena};
    const char *code = NULL;

    *out = (struct lore_source_kernels){0};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && out->names.n == 0; i++) {
        const struct kind *k = &kinds[i];
        if (!ends_with(name, k->ending) || !strstr(text, k->mark) ||
            (k->needs && !strstr(text, k->needs)))
            continue;
        code = code ? code : without_comments(text, python, arena);
        for (const char *p = code; (p = strstr(p, k->mark)) != NULL;) {
            bool whole = (p == code || !is_word(p[-1])) && !is_word(p[strlen(k->mark)]);
            p += strlen(k->mark);
            if (whole)
                p = python ? take_python(p, &f) : take_c(p, &f);
        }
        out->language = out->names.n > 0 ? k->language : LORE_LANG_NONE;
    }
}
