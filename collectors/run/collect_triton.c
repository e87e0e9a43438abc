/* Joins Triton's cache to the launches. Of several kernels of one name, as an autotuner compiles
 * them, the launched one has as many threads, as much shared memory and as many registers. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/tree.h"
#include "collectors/run/collect_parts.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/wire/build.h"

enum { TUNED_MAX = 3 << 20 };

/* ---- the compiled kernel ---- */

static bool
fits(const struct lore_triton_kernel *k, const struct lore_trace_group *g)
{
    const struct lore_cap_shape *s = &g->shape;
    const struct lore_isa_kernel launched = {
        .registers = s->known & LORE_CAP_HAS_REGISTERS ? s->registers : 0};
    int64_t threads = (int64_t)s->block[0] * s->block[1] * s->block[2];

    return strcmp(k->symbol, g->symbol) == 0 &&
           threads == k->num_warps * (k->warp_size ? k->warp_size : 32) &&
           (int64_t)s->dynamic_shared_bytes + s->static_shared_bytes == k->shared_bytes &&
           lore_isa_registers_fit(k->registers, launched.registers);
}

void
lore_collect_triton_launch(
    struct lore_collecting *b, const struct lore_trace_group *g, struct lore_kvs *launch)
{
    const struct lore_triton_found *cache = &b->triton;
    const struct lore_triton_kernel *k = NULL;

    for (size_t i = 0; i < cache->n_kernels; i++) {
        const struct lore_triton_kernel *one = &cache->kernels[i];
        if (!fits(one, g))
            continue;
        if (k && (!lore_streq(k->ptx_hash, one->ptx_hash) || k->num_stages != one->num_stages))
            return; /* which of them ran is not known */
        k = one;
    }
    if (!k)
        return;
    lore_collect_number(b->arena, launch, "num_warps", (uint64_t)k->num_warps);
    lore_collect_number(b->arena, launch, "num_stages", (uint64_t)k->num_stages);
    if (k->num_ctas > 1)
        lore_collect_number(b->arena, launch, "num_ctas", (uint64_t)k->num_ctas);
    lore_collect_text(b->arena, launch, "ttir_hash", k->ttir_hash);
    lore_collect_text(b->arena, launch, "ptx_hash", k->ptx_hash);
}

void
lore_collect_triton_code(const struct lore_collecting *b, struct lore_texts *out)
{
    for (size_t i = 0; i < b->triton.n_kernels; i++)
        if (b->triton.kernels[i].cubin)
            lore_build_text(b->arena, out, b->triton.kernels[i].cubin);
}

/* ---- the autotuner's search ---- */

/* Whether the file at PATH is a search for KERNEL: "…/matmul_kernel.autotune.json". */
static bool
is_of(const char *path, const char *kernel)
{
    const char *name = lore_build_basename(path), *end = strstr(name, ".autotune.json");

    return end && strlen(kernel) == (size_t)(end - name) &&
           strncmp(name, kernel, (size_t)(end - name)) == 0;
}

/* The sweeps in the file at PATH, as the importer of such files reads them. */
static void
read_search(struct lore_collecting *b, const char *path, struct lore_submission *out)
{
    struct lore_import_tree tree = {.name = lore_build_basename(path)};
    struct lore_import in = {
        .arena = b->arena, .tree = &tree, .unit = tree.name, .doc = out, .chip = NULL};
    LORE_BUF text = {.max = TUNED_MAX};
    struct lore_err err = {0};

    if (lore_file_read(path, &text, NULL) != LORE_OK)
        return;
    lore_tree_add(b->arena, &tree, tree.name, text.data ? text.data : "", text.len);
    lore_tree_sort(&tree);
    if (lore_triton_cache_detect(&tree, tree.name)) {
        lore_import_open(&in, lore_tree_file(&tree, "", tree.name));
        if (lore_triton_cache_read(&in, &err) != LORE_OK)
            out->n_sweeps = 0;
    }
    lore_tree_close(&tree);
}

void
lore_collect_triton_sweeps(
    struct lore_collecting *b, const char *kernel, const struct lore_run *run)
{
    struct lore_submission *doc = b->doc;
    const char *name = lore_kvs_get(&run->launch, "symbol");
    size_t searches = 0;

    name = name ? name : lore_kvs_get(&run->launch, "kernel");
    name = name ? lore_kvs_plain(b->arena, name) : "";
    for (size_t i = 0; i < b->triton.tuned.n; i++)
        searches += is_of(b->triton.tuned.v[i], name);
    for (size_t i = 0; i < b->triton.tuned.n; i++) {
        struct lore_submission found = {0};
        if (!is_of(b->triton.tuned.v[i], name))
            continue;
        read_search(b, b->triton.tuned.v[i], &found);
        for (size_t k = 0; k < found.n_sweeps; k++) {
            struct lore_sweep s = found.sweeps[k];
            if (searches == 1) /* its key is the run's problem, in other words */
                s.workload = run->workload;
            s.workload.op = run->workload.op;
            s.kernel = kernel;
            s.chip = run->chip;
            s.environment = run->environment;
            s.searched_at = b->measured_at;
            s.best = NULL; /* versions of a kernel that only the file names */
            s.n_best = s.cap_best = 0;
            s.id = lore_build_id(b->arena, 0, "sweep|%s|%s|%s", s.id, kernel,
                run->environment ? run->environment : "");
            *LORE_PUSH(b->arena, doc->sweeps, doc->n_sweeps, doc->cap_sweeps) = s;
        }
    }
}
