/* Finds the version of the CUDA toolkit or ROCm on this machine. It runs no compiler, because a
 * compiler may be a wrapper that takes seconds. Toolkits have a version.json; those from package
 * registries have only the header. The program may have been built with another toolkit. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/host/vendor.h"
#include "service/base/file.h"
#include "service/base/json.h"
#include "service/base/text.h"

enum { FILE_MAX_BYTES = 4 << 20 };

static const char *
read_text(struct lore_arena *arena, const char *path, size_t *n)
{
    struct lore_buf text = {.max = FILE_MAX_BYTES};
    const char *out = NULL;

    if (lore_file_read(path, &text, NULL) == LORE_OK && text.data) {
        out = lore_strndup(arena, text.data, text.len);
        *n = text.len;
    }
    lore_buf_free(&text);
    return out;
}

static bool
is_version(const char *s)
{
    size_t n = strspn(s, "0123456789.");

    return n > 0 && n < 32 && s[n] == '\0' && lore_is_digit(s[0]);
}

/* {"cuda": {"version": "13.0.1"}} */
static const char *
of_json(struct lore_arena *arena, const char *root)
{
    struct lore_json *json = NULL;
    size_t n = 0;
    const char *text = read_text(arena, lore_format(arena, "%s/version.json", root), &n);

    if (!text || lore_json_parse(text, n, NULL, arena, &json, NULL) != LORE_OK)
        return NULL;
    const struct lore_json *v = lore_json_get(lore_json_get(json, "cuda"), "version");
    return v && v->type == LORE_J_STRING && is_version(v->str) ? v->str : NULL;
}

/* "#define CUDA_VERSION 13000" */
static const char *
of_header(struct lore_arena *arena, const char *root)
{
    static const char define[] = "#define CUDA_VERSION ";
    size_t n = 0;
    const char *text = read_text(arena, lore_format(arena, "%s/include/cuda.h", root), &n);
    const char *at = text != NULL ? strstr(text, define) : NULL;
    long v = at != NULL ? strtol(at + strlen(define), NULL, 10) : 0;

    return v >= 1000 && v < 1000000 ? lore_format(arena, "%ld.%ld", v / 1000, v % 1000 / 10) : NULL;
}

static const char *
of_root(struct lore_arena *arena, const char *root)
{
    const char *version = root != NULL && root[0] == '/' ? of_json(arena, root) : NULL;

    return version || !root || root[0] != '/' ? version : of_header(arena, root);
}

/* The toolkit whose compiler a build from here would find. */
static const char *
of_path(struct lore_arena *arena)
{
    const char *path = getenv("PATH");

    for (const char *p = path; p != NULL && *p != '\0'; p += *p == ':') {
        size_t n = strcspn(p, ":");
        const char *nvcc = lore_format(arena, "%.*s/nvcc", (int)n, p);
        if (n > 0 && access(nvcc, X_OK) == 0)
            return of_root(arena, lore_format(arena, "%.*s/..", (int)n, p));
        p += n;
    }
    return NULL;
}

const char *
lore_host_toolkit(struct lore_arena *arena)
{
    const char *version = of_root(arena, getenv("CUDA_HOME"));

    if (!version)
        version = of_root(arena, getenv("CUDA_PATH"));
    if (!version)
        version = of_path(arena);
    return version ? version : of_root(arena, "/usr/local/cuda");
}

/* "6.3.1-48", of which the last number is the build's. */
const char *
lore_host_rocm(struct lore_arena *arena)
{
    const char *root = getenv("ROCM_PATH");
    size_t n = 0;

    if (!root || root[0] != '/')
        root = "/opt/rocm";
    const char *text = read_text(arena, lore_format(arena, "%s/.info/version", root), &n);
    const char *version = text ? lore_strndup(arena, text, strspn(text, "0123456789.")) : NULL;
    return version && is_version(version) ? version : NULL;
}
