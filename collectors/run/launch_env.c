/* Makes a copy of our environment with a few changes. Variables of an outer `warplore run` are
 * removed, so that only the innermost one watches a program. */
#include "collectors/run/launch_env.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/capture/capture_env.h"
#include "service/base/text.h"

struct env {
    struct lore_arena *arena;
    char **v;
    size_t n, cap;
};

static const char *
get(const struct env *e, const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 0; i < e->n; i++) {
        if (strncmp(e->v[i], name, len) == 0 && e->v[i][len] == '=')
            return e->v[i] + len + 1;
    }
    return NULL;
}

static void
drop(struct env *e, const char *name)
{
    size_t len = strlen(name), kept = 0;

    for (size_t i = 0; i < e->n; i++) {
        if (strncmp(e->v[i], name, len) != 0 || e->v[i][len] != '=')
            e->v[kept++] = e->v[i];
    }
    e->n = kept;
}

/* Set NAME to VALUE, or remove it when VALUE is NULL. */
static void
set(struct env *e, const char *name, const char *value)
{
    drop(e, name);
    if (value)
        *LORE_PUSH(e->arena, e->v, e->n, e->cap) = lore_format(e->arena, "%s=%s", name, value);
}

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Tools that put their own library into a process. ncu refuses to start where ours is set. */
static const char *const profilers[] = {"ncu", "nsys", "compute-sanitizer", "cuda-gdb", "rocprof",
    "rocprofv2", "rocprofv3", "rocprof-compute", "rocgdb"};

const char *
lore_launch_profiler(const char *program)
{
    const char *name = base_name(program);

    for (size_t i = 0; i < sizeof profilers / sizeof *profilers; i++)
        if (strcmp(name, profilers[i]) == 0)
            return profilers[i];
    return NULL;
}

/* Remove the library of an outer run; keep the user's. */
static enum lore_status
unload_library(struct env *e, const struct lore_backend *b, struct lore_err *err)
{
    const char *path = NULL, *user_value = get(e, b->variable);
    enum lore_status status = lore_backend_library(b, e->arena, &path, err);

    if (status == LORE_OK && user_value && lore_streq(base_name(user_value), base_name(path)))
        drop(e, b->variable);
    user_value = b->ranges ? get(e, b->ranges) : NULL;
    if (status == LORE_OK && user_value && lore_streq(base_name(user_value), base_name(path)))
        drop(e, b->ranges);
    return status;
}

/* PATH followed by the user's preload list. A list that begins with PATH is an outer run's and
 * stays as it is. */
static const char *
preload(struct env *e, const char *path, const char *user_value)
{
    size_t n = strlen(path);

    if (!user_value || !*user_value)
        return path;
    if (strncmp(user_value, path, n) == 0 && (user_value[n] == '\0' || user_value[n] == ':'))
        return user_value;
    return lore_format(e->arena, "%s:%s", path, user_value);
}

static enum lore_status
load_library(struct env *e, const struct lore_backend *b, const char **other, struct lore_err *err)
{
    const char *path = NULL, *user_value = get(e, b->variable);
    enum lore_status status = lore_backend_library(b, e->arena, &path, err);

    if (status != LORE_OK)
        return status;
    if (b->traits & LORE_BACKEND_LIST) {
        set(e, b->variable, preload(e, path, user_value));
    } else if (user_value && *user_value && !lore_streq(base_name(user_value), base_name(path))) {
        *other = getenv(b->variable); /* our own environment's: it outlives the arena */
    } else {
        set(e, b->variable, path);
    }
    if (b->ranges && !*other && !get(e, b->ranges)) /* else the ranges are another tool's */
        set(e, b->ranges, path);
    return LORE_OK;
}

enum lore_status
lore_launch_env(const struct lore_capture_env *c, const char *program, struct lore_arena *arena,
    char *const **out, const char **other, struct lore_err *err)
{
    struct env e = {.arena = arena};
    enum lore_status status = LORE_OK;

    *other = NULL;
    for (char **v = environ; *v; v++)
        *LORE_PUSH(arena, e.v, e.n, e.cap) = *v;
    bool profiler = lore_launch_profiler(program);
    if (c->backend)
        status = profiler ? unload_library(&e, c->backend, err)
                          : load_library(&e, c->backend, other, err);
    if (status != LORE_OK)
        return status;
    bool watch = c->backend && !profiler && !*other;
    bool count = watch && c->counters;
    set(&e, LORE_ENV_CAPTURE, watch ? c->dir : NULL);
    set(&e, LORE_ENV_CODE, watch ? c->code : NULL);
    set(&e, LORE_ENV_COUNTERS, count ? c->counters : NULL);
    set(&e, LORE_ENV_COUNTERS_KERNELS, count ? c->kernels : NULL);
    set(&e, LORE_ENV_REPLAY, count ? c->replay : NULL);
    set(&e, LORE_ENV_COUNTERS_CACHE, count ? c->cache : NULL);
    set(&e, LORE_ENV_COUNTERS_LAUNCHES,
        count && c->counter_launches > 0
            ? lore_format(arena, "%lld", (long long)c->counter_launches)
            : NULL);
    set(&e, LORE_ENV_COUNTERS_SKIP,
        count && c->counter_skip > 0 ? lore_format(arena, "%lld", (long long)c->counter_skip)
                                     : NULL);
    *LORE_PUSH(arena, e.v, e.n, e.cap) = NULL;
    *out = e.v;
    return LORE_OK;
}
