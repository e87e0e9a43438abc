/* Finds CUPTI in the watched process: a copy that is loaded already, else the one the user named,
 * else one in CUDA's usual folders. If a copy of another major version is loaded, the program is
 * not watched, because a second copy would break both. */
#include "collectors/cupti/cupti_api.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/capture/capture_env.h"

#define SONAME "libcupti.so.13"

enum { MAJOR = 13 };

struct loaded { /* what dl_iterate_phdr found */
    char cupti[PATH_MAX], runtime[PATH_MAX];
};

static void
set_once(char *out, const char *path)
{
    if (out[0] == '\0')
        snprintf(out, PATH_MAX, "%s", path);
}

static int
note_library(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct loaded *l = arg;
    const char *base = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;

    (void)size;
    base = base ? base + 1 : info->dlpi_name;
    if (base && strncmp(base, "libcupti.so", 11) == 0)
        set_once(l->cupti, info->dlpi_name);
    else if (base && strncmp(base, "libcudart.so", 12) == 0)
        set_once(l->runtime, info->dlpi_name);
    return 0;
}

static void *
open_in(const char *dir, const char *below)
{
    char path[PATH_MAX];

    if (!dir || dir[0] == '\0' ||
        snprintf(path, sizeof path, "%s%s/" SONAME, dir, below) >= (int)sizeof path)
        return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *
open_below(const char *root)
{
    void *h = open_in(root, "/lib64");

    if (!h)
        h = open_in(root, "/extras/CUPTI/lib64");
    return h ? h : open_in(root, "/lib");
}

/* Open CUPTI beside the CUDA runtime, or in the cuda_cupti folder of a Python environment. */
static void *
open_beside(char *runtime)
{
    char *slash = strrchr(runtime, '/');
    void *h;

    if (!slash)
        return NULL;
    *slash = '\0';
    h = open_in(runtime, "");
    return h ? h : open_in(runtime, "/../../cuda_cupti/lib");
}

static void *
find(struct loaded *l)
{
    const char *named = secure_getenv(LORE_ENV_CUPTI);
    void *h = NULL;

    if (l->cupti[0])
        return dlopen(l->cupti, RTLD_NOW | RTLD_NOLOAD);
    if (named && named[0])
        h = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    if (!h)
        h = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);
    if (!h)
        h = open_below(secure_getenv("CUDA_HOME"));
    if (!h)
        h = open_below(secure_getenv("CUDA_PATH"));
    if (!h)
        h = open_below("/usr/local/cuda");
    return h ? h : open_beside(l->runtime);
}

/* The first function of the needed ones that H lacks; NULL: none. */
static const char *
resolve(void *h, struct lore_cupti *out)
{
    const char *lacks = NULL;

#define TAKE(name) *(void **)&out->name = dlsym(h, "cupti" #name);
#define NEED(name) TAKE(name) if (!out->name && !lacks) lacks = "cupti" #name;
    LORE_CUPTI_NEEDED(NEED)
    LORE_CUPTI_COUNTERS(TAKE)
#undef NEED
#undef TAKE
    return lacks;
}

enum lore_cap_state_code
lore_cupti_open(struct lore_cupti *out, char *why, size_t n)
{
    static struct loaded l; /* large; this runs once */
    CUresult (*driver_version)(int *) = NULL;
    const char *lacks;
    int driver = 0;
    void *h;

    memset(out, 0, sizeof *out);
    dl_iterate_phdr(note_library, &l);
    h = find(&l);
    if (!h) {
        snprintf(why, n, "%s was not found; set " LORE_ENV_CUPTI " or CUDA_HOME", SONAME);
        return LORE_CAP_VENDOR_MISSING;
    }
    lacks = resolve(h, out);
    if (out->GetVersion && out->GetVersion(&out->version) != CUPTI_SUCCESS)
        out->version = 0;
    *(void **)&driver_version = lore_cupti_driver("cuDriverGetVersion");
    if (driver_version && driver_version(&driver) == CUDA_SUCCESS)
        out->driver = (uint32_t)driver;
    /* early releases have versions like 18; later ones have major * 10000 */
    if (out->version < LORE_CUPTI_OLDEST) {
        snprintf(
            why, n, "CUPTI is version %u, at least %d is needed", out->version, LORE_CUPTI_OLDEST);
        return LORE_CAP_VENDOR_TOO_OLD;
    }
    if (out->version / 10000 != MAJOR || lacks) {
        snprintf(why, n, "CUPTI %u: %s", out->version, lacks ? lacks : "a newer major version");
        return LORE_CAP_VENDOR_ERROR;
    }
    return LORE_CAP_ATTACHED;
}

void *
lore_cupti_driver(const char *symbol)
{
    void *h = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);

    return h ? dlsym(h, symbol) : NULL;
}

const char *
lore_cupti_words(const struct lore_cupti *api, CUptiResult r)
{
    const char *words = NULL;

    if (!api->GetResultString || api->GetResultString(r, &words) != CUPTI_SUCCESS || !words)
        return "unknown CUPTI result";
    return words;
}
