/* A folder of the cache belongs to one compilation, or one search. It gets its files by renaming,
 * which changes its own time, so the folders of earlier programs are passed over unopened. */
#include "collectors/run/triton_cache.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collectors/isa/cubin.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/json.h"
#include "service/base/text.h"
#include "service/wire/build.h"

enum { KERNELS = 1024, SEARCHES = 64, METADATA_MAX = 1 << 20, SOURCE_MAX = 32 << 20 };
#define SLACK_US 2000000 /* file systems round times */

const char *
lore_triton_folder(struct lore_arena *arena)
{
    const char *dir = getenv("TRITON_CACHE_DIR"), *home = getenv("TRITON_HOME");

    if (dir && *dir)
        return dir;
    home = home && *home ? home : getenv("HOME");
    return home && *home ? lore_format(arena, "%s/.triton/cache", home) : NULL;
}

/* ---- one kernel ---- */

static void
take_number(const struct lore_json *root, const char *key, int64_t *out)
{
    const struct lore_json *node = lore_json_get(root, key);

    if (node && node->type == LORE_J_NUMBER && node->is_int && node->i >= 0)
        *out = node->i;
}

bool
lore_triton_metadata(
    const char *text, size_t n, struct lore_arena *arena, struct lore_triton_kernel *out)
{
    const struct lore_json_limits limits = {16, 64 << 10, 10000, 100000};
    struct lore_json *root = NULL;

    memset(out, 0, sizeof *out);
    if (lore_json_parse(text, n, &limits, arena, &root, NULL) != LORE_OK ||
        root->type != LORE_J_OBJECT)
        return false;
    const struct lore_json *name = lore_json_get(root, "name");
    take_number(root, "num_warps", &out->num_warps);
    take_number(root, "num_stages", &out->num_stages);
    take_number(root, "num_ctas", &out->num_ctas);
    take_number(root, "shared", &out->shared_bytes);
    take_number(lore_json_get(root, "target"), "warp_size", &out->warp_size);
    if (!name || name->type != LORE_J_STRING || name->len == 0 || out->num_warps == 0)
        return false;
    out->symbol = name->str;
    return true;
}

static const char *
hash_of(const char *path, struct lore_arena *arena)
{
    LORE_BUF text = {.max = SOURCE_MAX};
    char hex[LORE_HASH_HEX];

    if (lore_file_read(path, &text, NULL) != LORE_OK)
        return NULL;
    lore_hash_hex(text.data ? text.data : "", text.len, hex);
    return lore_strdup(arena, hex);
}

static void
read_cubin(const char *path, struct lore_arena *arena, struct lore_triton_kernel *k)
{
    LORE_BUF bytes = {.max = SOURCE_MAX};
    struct lore_cubin cubin;

    if (lore_file_read(path, &bytes, NULL) != LORE_OK ||
        lore_cubin_read(bytes.data ? bytes.data : "", bytes.len, arena, &cubin, NULL) != LORE_OK)
        return;
    const struct lore_cubin_kernel *of = lore_cubin_kernel(&cubin, k->symbol);
    k->registers = of ? of->registers : 0;
    k->cubin = path;
}

/* The kernel whose metadata is PATH; its other files have the same name and other ends. */
static void
read_kernel(const char *path, struct lore_arena *arena, struct lore_triton_found *out)
{
    LORE_BUF text = {.max = METADATA_MAX};
    const char *stem = lore_strndup(arena, path, strlen(path) - strlen(".json"));
    struct lore_triton_kernel k;

    if (lore_file_read(path, &text, NULL) != LORE_OK ||
        !lore_triton_metadata(text.data ? text.data : "", text.len, arena, &k))
        return;
    if (out->n_kernels == KERNELS) {
        out->cut = true;
        return;
    }
    k.ttir_hash = hash_of(lore_format(arena, "%s.ttir", stem), arena);
    k.ptx_hash = hash_of(lore_format(arena, "%s.ptx", stem), arena);
    read_cubin(lore_format(arena, "%s.cubin", stem), arena, &k);
    *LORE_PUSH(arena, out->kernels, out->n_kernels, out->cap_kernels) = k;
}

/* ---- the folders ---- */

static bool
ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);

    return n > m && strcmp(s + n - m, end) == 0;
}

static bool
is_new(const char *path, int64_t since_us, bool folder)
{
    struct stat st;

    return lstat(path, &st) == 0 && (folder ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode)) &&
           (int64_t)st.st_mtim.tv_sec * 1000000 + st.st_mtim.tv_nsec / 1000 >= since_us - SLACK_US;
}

/* The names in FOLDER, in order. */
static struct lore_texts
names_in(const char *folder, struct lore_arena *arena)
{
    DIR *d = opendir(folder);
    struct lore_texts all = {0};
    struct dirent *e;

    while (d && (e = readdir(d)))
        if (e->d_name[0] != '.')
            lore_build_text(arena, &all, lore_strdup(arena, e->d_name));
    if (d)
        (void)closedir(d);
    if (all.n > 1)
        qsort(all.v, all.n, sizeof *all.v, lore_by_text);
    return all;
}

static void
read_folder(
    const char *folder, int64_t since_us, struct lore_arena *arena, struct lore_triton_found *out)
{
    const struct lore_texts names = names_in(folder, arena);

    for (size_t i = 0; i < names.n; i++) {
        const char *path = lore_format(arena, "%s/%s", folder, names.v[i]);
        if (!ends_with(path, ".json") || lore_starts(names.v[i], "__grp__") ||
            !is_new(path, since_us, false))
            continue;
        if (!ends_with(path, ".autotune.json"))
            read_kernel(path, arena, out);
        else if (out->tuned.n < SEARCHES)
            lore_build_text(arena, &out->tuned, path);
        else
            out->cut = true;
    }
}

void
lore_triton_left(
    const char *folder, int64_t since_us, struct lore_arena *arena, struct lore_triton_found *out)
{
    memset(out, 0, sizeof *out);
    if (!folder)
        return;
    const struct lore_texts names = names_in(folder, arena);
    for (size_t i = 0; i < names.n; i++) {
        const char *path = lore_format(arena, "%s/%s", folder, names.v[i]);
        if (is_new(path, since_us, true))
            read_folder(path, since_us, arena, out);
    }
}
