/* Reads branch_results.json: the kernels of one iteration, with the same methods but different
 * parameters. The fastest valid kernel is the champion and becomes the version of the iteration.
 * The others become branches of the version that the iteration started from. The run of a failed
 * branch holds the error. */
#include <string.h>

#include "collectors/import/v2_run/v2.h"
#include "service/base/text.h"
#include "service/wire/build.h"

/* The folder is the last but one part of the recorded path. */
const char *
lore_v2_folder(const struct lore_v2 *co, const struct lore_v2_iter *it, const char *where,
    const char *path, const char *const *names)
{
    struct lore_arena *arena = co->in->arena;
    const char *part = NULL;

    if (path && strchr(path, '/')) {
        const char *name = lore_build_basename(path), *end = name - 1;
        const char *begin = end;
        while (begin > path && begin[-1] != '/')
            begin--;
        part = lore_strndup(arena, begin, (size_t)(end - begin));
    }
    const char *dir = part && *part ? lore_format(arena, "%s/%s/%s", it->dir, where, part) : NULL;
    if (dir && lore_tree_next_path(co->in->tree, dir, NULL))
        return dir;
    for (size_t i = 0; names[i]; i++) {
        dir = lore_format(arena, "%s/%s/%s", it->dir, where, names[i]);
        if (lore_tree_next_path(co->in->tree, dir, NULL))
            return dir;
    }
    return NULL;
}

static const char *
branch_name(const struct lore_v2 *co, int64_t iter, int64_t branch)
{
    return lore_format(co->in->arena, "iterv%lld/b%lld", (long long)iter, (long long)branch);
}

static void
add_branch_run(struct lore_v2 *co, struct lore_take *t, const struct lore_json *b, const char *name,
    const char *version)
{
    bool passed = false;
    struct lore_run *r = lore_v2_add_run(
        co, lore_format(co->in->arena, "%s|explored", name), version, LORE_ROLE_BRANCH);

    r->tool = "branch_explore.py";
    lore_kvs_set(co->in->arena, &r->method, "statistic", "\"mean\"");
    if (lore_take_bool(t, b, "passed", &passed)) {
        r->correctness.set = true;
        r->correctness.status = passed ? LORE_C_PASS : LORE_C_FAIL;
    }
    r->summary.set = lore_take_ns(t, b, "ms", 1e6, &r->summary.mean_ns);
    lore_v2_failure(t, b, &r->error);
    if (r->error.set && strcmp(r->error.type, "accuracy") != 0) {
        /* the kernel did not run, so its result was not checked */
        r->correctness.status =
            strcmp(r->error.type, "timeout") == 0 ? LORE_C_TIMEOUT : LORE_C_NOT_CHECKED;
    }
}

static void
take_champion(struct lore_take *t, const struct lore_json *file, struct lore_v2_iter *it)
{
    const struct lore_json *c = lore_json_get(file, "champion");
    struct lore_i64 index = {0};
    struct lore_f64 ms = {0};
    const char *path = NULL;

    if (!c || c->type != LORE_J_OBJECT)
        return;
    if (lore_take_count(t, c, "branch_index", &index))
        it->champion_branch = index.v;
    if (lore_take_amount(t, c, "ms", &ms))
        it->champion_ms = ms.v;
    (void)lore_take_path(t, c, "kernel", &path);
}

static void
take_branch(struct lore_v2 *co, struct lore_take *t, const struct lore_json *b,
    const struct lore_v2_iter *it)
{
    struct lore_i64 index = {0};
    const char *cut = NULL;

    if (b->type != LORE_J_OBJECT || !lore_take_count(t, b, "branch_index", &index)) {
        co->in->records++;
        lore_import_refuse(co->in, b, "branch_index: expected a number from 0");
        return;
    }
    const struct lore_json *kernel = lore_json_get(b, "kernel");
    const char *path = kernel && kernel->type == LORE_J_STRING ? kernel->str : NULL;
    const char *const names[] = {lore_format(co->in->arena, "b%lld", (long long)index.v), NULL};
    const char *name = branch_name(co, it->n, index.v), *version = it->champion;
    (void)lore_take_path(t, b, "kernel", &cut);
    if (index.v != it->champion_branch) {
        const char *id = lore_v2_id(co, lore_format(co->in->arena, "version|%s", name));
        for (size_t i = 0; i < co->in->doc->n_versions; i++) {
            if (strcmp(co->in->doc->versions[i].id, id) == 0) {
                co->in->records++;
                lore_import_refuse(
                    co->in, b, "branch_index: %lld is listed twice", (long long)index.v);
                return;
            }
        }
        version = lore_v2_version(co, name, LORE_V_BRANCH,
            lore_v2_folder(co, it, "branches", path, names), NULL,
            (struct lore_parent){it->input, LORE_E_BRANCH_OF});
        struct lore_version *v = &co->in->doc->versions[co->in->doc->n_versions - 1];
        lore_kvs_set(co->in->arena, &v->params, "branch_index",
            lore_format(co->in->arena, "%lld", (long long)index.v));
    }
    if (version)
        add_branch_run(co, t, b, name, version);
}

/* Add the version of the iteration with its kernel file, else with the files of the champion
 * branch. */
static void
add_champion(struct lore_v2 *co, struct lore_v2_iter *it, const struct lore_json *file)
{
    const char *label = lore_format(co->in->arena, "iterv%lld", (long long)it->n);
    const char *const names[] = {
        lore_format(co->in->arena, "b%lld", (long long)it->champion_branch), NULL};
    const struct lore_json *status = lore_json_get(file, "status");

    if (status && status->type == LORE_J_STRING &&
        strcmp(status->str, "all_branches_failed") == 0 && it->champion_branch < 0)
        return;
    it->champion = lore_v2_version(co, label, LORE_V_CANDIDATE, it->dir, "kernel",
        (struct lore_parent){it->input, LORE_E_DERIVED_FROM});
    struct lore_version *v = &co->in->doc->versions[co->in->doc->n_versions - 1];
    v->ordinal = (struct lore_i64){true, it->n};
    if (it->champion_branch < 0)
        return;
    lore_kvs_set(co->in->arena, &v->params, "branch_index",
        lore_format(co->in->arena, "%lld", (long long)it->champion_branch));
    const char *dir = lore_v2_folder(co, it, "branches", NULL, names);
    struct lore_import_file *f = NULL;
    while (v->n_sources == 0 && dir && (f = lore_tree_next(co->in->tree, dir, f))) {
        if (!f->utf8 || lore_import_json(f) || strstr(f->path, ".log"))
            continue;
        f->read = true;
        struct lore_source *s = LORE_PUSH(co->in->arena, v->sources, v->n_sources, v->cap_sources);
        *s = (struct lore_source){lore_build_basename(f->path), f->text};
    }
}

void
lore_v2_branches(struct lore_v2 *co, struct lore_v2_iter *it, const char **extra)
{
    const struct lore_json *file = lore_v2_file(co, it->dir, "branch_results.json");
    const struct lore_json *list = lore_json_get(file, "branches");
    struct lore_take t = {.in = co->in};
    struct lore_i64 iter = {0};

    if (file) {
        (void)lore_take_count(&t, file, "iter", &iter);
        take_champion(&t, file, it);
    }
    add_champion(co, it, file);
    for (const struct lore_json *b = list ? list->child : NULL; b; b = b->next)
        take_branch(co, &t, b, it);
    if (file)
        *extra = lore_take_rest(&t, file, "branch_results.json");
}

/* state.json lists branches that lost. Add versions for those that no branch_results.json has. */
void
lore_v2_frontier(struct lore_v2 *co)
{
    const struct lore_json *list = lore_json_get(co->state, "frontier");
    struct lore_submission *doc = co->in->doc;

    for (const struct lore_json *f = list ? list->child : NULL; f; f = f->next) {
        struct lore_i64 iter = {0}, index = {0};
        if (!lore_take_count(&co->take, f, "iter", &iter) ||
            !lore_take_count(&co->take, f, "branch_index", &index))
            continue;
        const char *name = branch_name(co, iter.v, index.v), *path = NULL;
        const char *id = lore_v2_id(co, lore_format(co->in->arena, "version|%s", name));
        bool known = false;
        for (size_t i = 0; i < doc->n_versions && !known; i++)
            known = strcmp(doc->versions[i].id, id) == 0;
        (void)lore_take_path(&co->take, f, "kernel", &path);
        if (known)
            continue;
        (void)lore_v2_version(co, name, LORE_V_BRANCH, NULL, NULL, (struct lore_parent){0});
        struct lore_run *r = lore_v2_add_run(
            co, lore_format(co->in->arena, "%s|explored", name), id, LORE_ROLE_BRANCH);
        r->summary.set = lore_take_ns(&co->take, f, "ms", 1e6, &r->summary.mean_ns);
        lore_import_note(co->in, LORE_IL_DOUBTS,
            "%s: only state.json lists this branch; its parent is not recorded", name);
    }
}
