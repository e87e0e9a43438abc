/* Techniques of a version without its experiments (shown.h). */
#include "service/derive/shown.h"

#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/parameter_off.h"
#include "service/catalogue/source.h"
#include "service/catalogue/words.h"

enum { SCOPE = 128, FILES = 64 };
#define TILING "memory.tiling_smem"

static const char not_had[] =
    "compute.launch_config,compute.autotuning,launch.more_parallelism,latency.increase_occupancy";

static bool
is_in(const char *list, const char *slug)
{
    return list && lore_text_lists(list, slug, strlen(slug));
}

static const char *
joined(struct lore_arena *a, const char *list, const char *slug)
{
    return list && *list ? lore_format(a, "%s,%s", list, slug) : slug;
}

static const char *
list_of(struct lore_arena *a, const char **v, size_t n)
{
    const char *list = "";

    for (size_t i = 0; i < n; i++)
        list = joined(a, list, v[i]);
    return list;
}

static void
read_source(const struct lore_version *v, struct lore_arena *a, struct lore_version_shown *out)
{
    struct lore_source_file files[FILES];
    struct lore_source_shown shown;
    size_t n = v->n_sources < FILES ? v->n_sources : FILES;

    for (size_t i = 0; i < n; i++)
        files[i] = (struct lore_source_file){v->sources[i].file, v->sources[i].text};
    if (n > 0)
        lore_source_read(files, n, a, &shown);
    if (n == 0 || !shown.kernel)
        return;
    out->source = list_of(a, shown.has, shown.n_has);
    out->moot = list_of(a, shown.moot, shown.n_moot);
    out->lacks = list_of(a, shown.lacks, shown.n_lacks);
}

/* Whether the source, when it was read, would show SLUG. */
static bool
source_decides(const struct lore_version_shown *out, const char *slug)
{
    const char *scope[SCOPE];
    size_t n = out->source ? lore_source_scope(scope, SCOPE) : 0;

    for (size_t i = 0; i < n && i < SCOPE; i++)
        if (lore_streq(scope[i], slug))
            return true;
    return false;
}

/* "\"true\"" and "true" -> "true" */
static const char *
bare(struct lore_arena *a, const char *value)
{
    size_t n = strlen(value);

    return n >= 2 && value[0] == '"' ? lore_strndup(a, value + 1, n - 2) : value;
}

/* A kernel whose padding is a parameter, whatever its value, has a tile to pad, unless another
 * parameter says whether there is one. */
static bool
has_tile_to_pad(const struct lore_version *v, struct lore_arena *a)
{
    bool pads = false, tiles = false;

    for (size_t i = 0; i < v->params.n; i++) {
        struct lore_words w;

        lore_words_resolve(lore_format(a, "%s=1", v->params.v[i].key), a, &w);
        for (size_t k = 0; k < w.n; k++) {
            pads |= lore_streq(w.v[k].slug, "memory.smem_padding");
            tiles |= lore_streq(w.v[k].slug, TILING);
        }
    }
    return pads && !tiles;
}

/* Techniques that a parameter says are not in use: split_k of split_k_slices=1. */
static const char *
turned_off(const struct lore_version *v, struct lore_arena *a)
{
    const char *list = "";

    for (size_t i = 0; i < v->params.n; i++) {
        struct lore_words w;

        if (!lore_parameter_is_off(v->params.v[i].key, v->params.v[i].value))
            continue;
        lore_words_resolve(lore_format(a, "%s=2", v->params.v[i].key), a, &w);
        for (size_t k = 0; k < w.n; k++)
            list = joined(a, list, w.v[k].slug);
    }
    return list;
}

static void
read_params(const struct lore_version *v, struct lore_arena *a, struct lore_version_shown *out)
{
    const char *off = turned_off(v, a);

    if (has_tile_to_pad(v, a) && !is_in(out->lacks, TILING))
        out->params = TILING;
    for (size_t i = 0; i < v->params.n; i++) {
        const char *value = bare(a, v->params.v[i].value);
        bool mode = !lore_choice("true|True|yes|on", value) && strcspn(value, "0123456789") > 0;
        struct lore_words w;

        if (strlen(value) > 40 || lore_parameter_is_off(v->params.v[i].key, value))
            continue;
        lore_words_resolve(lore_format(a, "%s=%s", v->params.v[i].key, value), a, &w);
        for (size_t k = 0; k < w.n; k++) {
            bool counts = w.v[k].n_params > 0 && lore_choice("1|1.0", value) &&
                          !lore_parameter_one_is_on(v->params.v[i].key);
            if (!w.v[k].negated && !counts && !(mode && is_in(off, w.v[k].slug)) &&
                !is_in(not_had, w.v[k].slug) && !is_in(out->params, w.v[k].slug) &&
                !is_in(out->lacks, w.v[k].slug))
                out->params = joined(a, out->params, w.v[k].slug);
        }
    }
}

/* Whether the words name a technique, rather than a number such as a block size; "1p2c" names the
 * roles of warps. */
static bool
is_named(const struct lore_word_hit *hit)
{
    bool named = hit->how != LORE_WORD_PARAMETER;

    for (size_t i = 0; i < hit->n_params; i++)
        named |= lore_streq(hit->params[i].name, "producers");
    return named;
}

static void
read_words(const struct lore_version *v, struct lore_arena *a, struct lore_version_shown *out)
{
    struct lore_words w;

    lore_words_resolve(v->summary, a, &w);
    for (size_t i = 0; i < w.n; i++)
        if (!w.v[i].negated && is_named(&w.v[i]) && !is_in(not_had, w.v[i].slug) &&
            !source_decides(out, w.v[i].slug))
            out->words = joined(a, out->words, w.v[i].slug);
}

bool
lore_shown_of(
    const struct lore_version *v, struct lore_arena *arena, struct lore_version_shown *out)
{
    *out = (struct lore_version_shown){.rules = LORE_SHOWN_RULES};
    if (v->kind == LORE_V_LIBRARY)
        return false;
    read_source(v, arena, out);
    read_params(v, arena, out);
    if (v->summary)
        read_words(v, arena, out);
    return out->source || out->params || out->words;
}
