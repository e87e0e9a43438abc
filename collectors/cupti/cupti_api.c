/* Finds CUPTI in the watched process: a copy that is loaded already, else the one the user named,
 * else one in CUDA's usual folders, of the major version of the CUDA runtime that is loaded. If a
 * copy of an unknown major version is loaded, the program is not watched, because a second copy
 * would break both. */
#include "collectors/cupti/cupti_api.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/capture/capture_env.h"

#define CUPTI "libcupti.so."
#define RUNTIME "libcudart.so."
enum {
    NEWEST = 13,
    OLDEST = 12,
    DRIVER_OF_NEWEST = 13000
}; /* CUPTI 13 needs a driver of CUDA 13 */

const CUpti_CallbackId lore_cupti_launches[] = {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz};
const size_t lore_cupti_n_launches = sizeof lore_cupti_launches / sizeof *lore_cupti_launches;

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
    if (base && strncmp(base, CUPTI, strlen(CUPTI) - 1) == 0)
        set_once(l->cupti, info->dlpi_name);
    else if (base && strncmp(base, RUNTIME, strlen(RUNTIME) - 1) == 0)
        set_once(l->runtime, info->dlpi_name);
    return 0;
}

/* "libcupti.so.MAJOR" in DIR and the folder BELOW it. */
static void *
open_in(const char *dir, const char *below, int major)
{
    char path[PATH_MAX];

    if (!dir || dir[0] == '\0' ||
        snprintf(path, sizeof path, "%s%s/" CUPTI "%d", dir, below, major) >= (int)sizeof path)
        return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *
open_below(const char *root, int major)
{
    void *h = open_in(root, "/lib64", major);

    if (!h)
        h = open_in(root, "/extras/CUPTI/lib64", major);
    return h ? h : open_in(root, "/lib", major);
}

/* Open CUPTI beside the CUDA runtime in FOLDER, or in the cuda_cupti folder of a Python
 * environment. */
static void *
open_beside(const char *folder, int major)
{
    void *h = open_in(folder, "", major);

    return h ? h : open_in(folder, "/../../cuda_cupti/lib", major);
}

static void *
open_major(const char *runtime_folder, int major)
{
    char name[32];
    void *h;

    snprintf(name, sizeof name, CUPTI "%d", major);
    h = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!h)
        h = open_below(secure_getenv("CUDA_HOME"), major);
    if (!h)
        h = open_below(secure_getenv("CUDA_PATH"), major);
    if (!h)
        h = open_below("/usr/local/cuda", major);
    return h ? h : open_beside(runtime_folder, major);
}

/* The major version to try first: that of the runtime, because the program's own profiler would
 * load that one later; else the newest that the driver serves. */
static int
preferred(const struct loaded *l, uint32_t driver)
{
    const char *number = strstr(l->runtime, RUNTIME);
    int major = number ? atoi(number + strlen(RUNTIME)) : 0;

    if (major >= OLDEST && major <= NEWEST)
        return major;
    return driver >= DRIVER_OF_NEWEST || driver == 0 ? NEWEST : OLDEST;
}

static void *
find(struct loaded *l, uint32_t driver)
{
    const char *named = secure_getenv(LORE_ENV_CUPTI);
    int first = preferred(l, driver);
    char *slash = strrchr(l->runtime, '/');
    void *h = NULL;

    if (l->cupti[0])
        return dlopen(l->cupti, RTLD_NOW | RTLD_NOLOAD);
    *(slash ? slash : l->runtime) = '\0'; /* leaves its folder */
    if (named && named[0])
        h = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    if (!h)
        h = open_major(l->runtime, first);
    for (int major = NEWEST; !h && major >= OLDEST; major--)
        if (major != first)
            h = open_major(l->runtime, major);
    return h;
}

/* Take the functions of H. The result: the first of the needed ones that it lacks; NULL: none. */
static const char *
resolve(void *h, struct lore_cupti *out)
{
    const char *lacks = NULL;

#define TAKE(name, lacking)                                                                        \
    *(void **)&out->name = dlsym(h, "cupti" #name);                                                \
    if (!out->name && !(lacking))                                                                  \
        (lacking) = "cupti" #name;
#define NEED(name) TAKE(name, lacks)
#define COUNT(name) TAKE(name, out->no_counters)
    LORE_CUPTI_NEEDED(NEED)
    LORE_CUPTI_COUNTERS(COUNT)
#undef COUNT
#undef NEED
#undef TAKE
    return lacks;
}

static uint32_t
driver_version(void)
{
    CUresult (*ask)(int *) = NULL;
    int version = 0;

    *(void **)&ask = lore_cupti_driver("cuDriverGetVersion");
    return ask && ask(&version) == CUDA_SUCCESS && version > 0 ? (uint32_t)version : 0;
}

/* The releases of CUDA 11.8 to 12.9 number CUPTI 18 to 28; from 13.0 on it is major * 10000. */
static uint32_t
major_of(uint32_t version)
{
    if (version >= LORE_CUPTI_13)
        return version / 10000;
    return version >= LORE_CUPTI_OLDEST ? OLDEST : 0;
}

enum lore_cap_state_code
lore_cupti_open(struct lore_cupti *out, char *why, size_t n)
{
    static struct loaded l; /* large; this runs once */
    const char *lacks;
    void *h;

    memset(out, 0, sizeof *out);
    dl_iterate_phdr(note_library, &l);
    out->driver = driver_version();
    h = find(&l, out->driver);
    if (!h) {
        snprintf(why, n, CUPTI "%d or .%d was not found; set " LORE_ENV_CUPTI " or CUDA_HOME",
            NEWEST, OLDEST);
        return LORE_CAP_VENDOR_MISSING;
    }
    lacks = resolve(h, out);
    if (out->GetVersion && out->GetVersion(&out->version) != CUPTI_SUCCESS)
        out->version = 0;
    if (major_of(out->version) < OLDEST) {
        snprintf(why, n, "CUPTI is version %u, at least %d (CUDA %d) is needed", out->version,
            LORE_CUPTI_OLDEST, OLDEST);
        return LORE_CAP_VENDOR_TOO_OLD;
    }
    if (major_of(out->version) > NEWEST || lacks) {
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
