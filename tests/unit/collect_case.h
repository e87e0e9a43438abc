/* Hand-made traces for the tests of lore_collect: groups with given launches, a device, an
 * environment, and a document as text with its new ids masked. Include after cmocka.h. */
#ifndef LORE_TESTS_UNIT_COLLECT_CASE_H
#define LORE_TESTS_UNIT_COLLECT_CASE_H

#include <string.h>

#include "collectors/run/collect.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

#define COLLECT_FILES SOURCE_DIR "/tests/fixtures/collect/"

static struct lore_arena arena;

static bool
no_probe(struct lore_arena *a, struct lore_host *out, const char **why)
{
    (void)a;
    (void)out;
    *why = "no device";
    return false;
}

static const struct lore_backend case_backend = {
    .name = "cupti", .vendor = "nvidia", .library = "x.so", .variable = "X", .probe = no_probe};

static inline int
case_free(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

/* A group of N launches; the i-th takes BASE + STEP * (i % 7) ns and starts every 20 us. */
static inline struct lore_trace_group *
case_group(struct lore_trace *t, const char *name, size_t n, int64_t base, int64_t step)
{
    struct lore_trace_group *g = LORE_PUSH(&arena, t->groups, t->n_groups, t->cap_groups);

    g->symbol = lore_format(&arena, "_Z%zu%sPf", strlen(name), name);
    g->name = lore_format(&arena, "%s(float *)", name);
    g->shape = (struct lore_cap_shape){.id = (uint32_t)t->n_groups,
        .grid = {1024, 1, 1},
        .block = {256, 1, 1},
        .api = LORE_CAP_API_STREAM,
        .registers = 32,
        .dynamic_shared_bytes = 1024,
        .known = LORE_CAP_HAS_REGISTERS | LORE_CAP_HAS_SHARED};
    g->pid = 100;
    g->streams = 1;
    g->launches = n;
    g->samples = lore_alloc_array(&arena, n + 1, sizeof *g->samples);
    g->n_samples = n;
    for (size_t i = 0; i < n; i++) {
        int64_t ns = i == 0 ? 2 * base : base + step * (int64_t)(i % 7);
        g->samples[i] = (struct lore_trace_sample){i, 1000000 + 20000 * (uint64_t)i, ns};
        g->total_ns += ns;
    }
    g->first_ns = n ? g->samples[0].dur_ns : 0;
    return g;
}

static inline struct lore_observations
case_collected(void)
{
    static char *argv[] = {"./no-such-bench", NULL};
    struct lore_observations c = {
        .backend = &case_backend, .argv = argv, .state_dir = "/nonexistent/warplore"};

    c.trace.processes = lore_alloc(&arena, sizeof *c.trace.processes);
    c.trace.processes[0] = (struct lore_trace_process){
        .pid = 100, .backend = "cupti", .backend_version = 28, .ended = true};
    c.trace.n_processes = 1;
    c.trace.devices = lore_alloc(&arena, sizeof *c.trace.devices);
    c.trace.devices[0] = (struct lore_trace_device){
        .name = "NVIDIA H200", .uuid = "0011aabb", .major = 9, .units = 132, .warp = 32};
    c.trace.n_devices = 1;
    c.app = (struct lore_launch_result){
        .started = true, .wall_us = 1500000, .started_at_us = 1795000000000000};
    c.what.no_isa = true;
    return c;
}

static inline void
case_host(struct lore_observations *c)
{
    struct lore_host *h = lore_alloc(&arena, sizeof *h);
    struct lore_host_device *d = lore_alloc(&arena, sizeof *d);

    d->name = "NVIDIA H200";
    d->uuid = "GPU-0011-aabb";
    d->chip = "h200";
    d->isa = "sm_90";
    lore_kvs_set(&arena, &d->hard, "power_cap_w", "700");
    h->devices = d;
    h->n_devices = 1;
    c->host = h;
}

static inline void
case_add(struct lore_texts *list, const char *text)
{
    *LORE_PUSH(&arena, list->v, list->n, list->cap) = text;
}

/* softmax of a given shape, version v1.cu. */
static inline void
case_operator(struct lore_observations *c, const char *file)
{
    c->what.op = "softmax";
    lore_kvs_set(&arena, &c->what.dims, "rows", "8192");
    lore_kvs_set(&arena, &c->what.dims, "cols", "4096");
    c->what.dtype = "f32";
    c->what.version_files = (struct lore_texts){0};
    case_add(&c->what.version_files, lore_format(&arena, COLLECT_FILES "%s", file));
}

static inline const char *
case_file(const char *name)
{
    return lore_format(&arena, COLLECT_FILES "%s", name);
}

/* The document as JSON; it must read back. */
static inline char *
case_encode(const struct lore_submission *doc)
{
    struct lore_buf b = {0};
    struct lore_submission *again = lore_alloc(&arena, sizeof *again);
    struct lore_json *root = NULL;
    struct lore_err err = {0};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &b, true);
    lore_wire_encode(&w, doc);
    if (lore_jsonw_end(&w, &err) != LORE_OK ||
        lore_json_parse(b.data, b.len, &lore_wire_limits, &arena, &root, &err) != LORE_OK ||
        lore_wire_decode(root, &arena, again, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    char *out = lore_strndup(&arena, b.data, b.len);
    lore_buf_free(&b);
    return out;
}

static inline struct lore_submission *
case_collect(struct lore_observations *c)
{
    struct lore_submission *doc = lore_alloc(&arena, sizeof *doc);
    struct lore_err err = {0};

    if (lore_collect_check(&c->what, &arena, &err) != LORE_OK ||
        lore_collect(c, &arena, doc, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    (void)case_encode(doc);
    return doc;
}

static inline char *
case_story(const struct lore_observations *c, const struct lore_submission *doc)
{
    struct lore_buf b = {0};

    lore_collect_summary(c, doc, &arena, &b);
    char *out = lore_strdup(&arena, b.data);
    lore_buf_free(&b);
    return out;
}

#endif
