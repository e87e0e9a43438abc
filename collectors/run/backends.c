/* The table of backends, in the order in which they are tried, and the search for their libraries.
 */
#include "collectors/run/backends.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/host/child.h"
#include "service/base/text.h"

/* A user sets a script on purpose, so the fake backend comes before the machine's devices. */
const struct lore_backend lore_backends[] = {
    {"fake", "", "libwarplore_fake.so", "LD_PRELOAD", NULL, LORE_BACKEND_LIST, lore_host_fake,
        "A simulated GPU for trials and tests, described by the script in WARPLORE_FAKE"},
    {"cupti", "nvidia", "libwarplore_cupti.so", "CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", 0,
        lore_host_nvidia, "NVIDIA GPUs, by CUPTI"},
    {"hip", "amd", "libwarplore_hip.so", "ROCP_TOOL_LIBRARIES", NULL,
        LORE_BACKEND_LIST | LORE_BACKEND_FATAL | LORE_BACKEND_BY_APP, lore_host_amd,
        "AMD GPUs, by rocprofiler-sdk (ROCm 6.2 and later)"},
    {NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL},
};

const struct lore_backend *
lore_backend_find(const char *name)
{
    for (const struct lore_backend *b = lore_backends; b->name; b++) {
        if (lore_streq(b->name, name))
            return b;
    }
    return NULL;
}

const struct lore_backend *
lore_backend_probe(
    const char *name, struct lore_arena *arena, struct lore_host *out, const char **why)
{
    const char *script = getenv("WARPLORE_FAKE"), *one = NULL;

    *why = NULL;
    for (const struct lore_backend *b = lore_backends; b->name; b++) {
        if (name && !lore_streq(name, b->name))
            continue;
        *out = (struct lore_host){0};
        if (b->probe(arena, out, &one))
            return b;
        if (name || !lore_streq(b->name, "fake") || (script && *script))
            *why = *why ? lore_format(arena, "%s; %s", *why, one) : one;
    }
    if (!*why)
        *why = "no device";
    return NULL;
}

/* The folder of this program's file; NULL when the system does not say. */
static const char *
own_folder(struct lore_arena *arena)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

    if (n <= 0)
        return NULL;
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash)
        return NULL;
    *slash = '\0';
    return lore_strdup(arena, path);
}

enum lore_status
lore_backend_library(
    const struct lore_backend *b, struct lore_arena *arena, const char **path, struct lore_err *err)
{
    static const char *const places[] = {"", "/../lib/warplore", "/../lib"};
    const char *folder = own_folder(arena);

    if (!folder)
        return lore_fail(err, LORE_NOTFOUND, "%s: /proc is needed to find it", b->library);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *try = lore_format(arena, "%s%s/%s", folder, places[i], b->library);
        char *real = access(try, R_OK) == 0 ? realpath(try, NULL) : NULL;
        if (!real)
            continue;
        *path = lore_strdup(arena, real);
        free(real);
        return LORE_OK;
    }
    enum lore_status status = lore_fail_at(err, LORE_NOTFOUND, "library_not_found", "",
        "%s: not found beside warplore, in ../lib/warplore or in ../lib (warplore is in %.120s)",
        b->library, folder);
    if (lore_streq(b->name, "cupti"))
        lore_err_hint(err, "this build may have been made without the CUDA toolkit");
    return status;
}

enum lore_status
lore_backend_ready(
    const struct lore_backend *b, struct lore_arena *arena, const char **path, struct lore_err *err)
{
    enum lore_status status = lore_backend_library(b, arena, path, err);

    return status == LORE_OK && (b->traits & LORE_BACKEND_FATAL) ? lore_host_opens(*path, err)
                                                                 : status;
}
