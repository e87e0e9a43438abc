/* Capture files made in memory, frame by frame, for tests of what reads them. */
#ifndef LORE_TESTS_UNIT_CAPTURE_BYTES_H
#define LORE_TESTS_UNIT_CAPTURE_BYTES_H

#include <string.h>

#include "collectors/capture/capture.h"
#include "service/base/buf.h"

static inline void
frame(struct lore_buf *b, uint32_t kind, const void *p, size_t n)
{
    struct lore_cap_head h = {LORE_CAP_MAGIC, kind, (uint32_t)n, 0};

    lore_buf_add(b, &h, sizeof h);
    lore_buf_add(b, p, n);
    lore_buf_add(b, "\0\0\0\0\0\0\0", (8 - n % 8) % 8);
}

static inline void
start_frame(struct lore_buf *b, uint32_t pid)
{
    struct lore_cap_start s = {.version = LORE_CAP_VERSION,
        .pid = pid,
        .wall_ns = 1700000000000000000u,
        .vendor_ns = 1000,
        .backend = "fake",
        .driver_version = 13000};
    frame(b, LORE_CAP_START, &s, sizeof s);
}

static inline void
name_frame(struct lore_buf *b, uint32_t id, const char *text, size_t n)
{
    struct lore_buf p = {0};
    struct lore_cap_name h = {id, (uint32_t)n};

    lore_buf_add(&p, &h, sizeof h);
    lore_buf_add(&p, text, n);
    frame(b, LORE_CAP_NAME, p.data, p.len);
    lore_buf_free(&p);
}

static inline void
shape_frame(struct lore_buf *b, uint32_t id, uint32_t name)
{
    struct lore_cap_shape s = {
        .id = id, .name = name, .grid = {id, 1, 1}, .block = {256, 1, 1}, .api = 1};
    frame(b, LORE_CAP_SHAPE, &s, sizeof s);
}

static inline void
launch_frame(struct lore_buf *b, uint32_t shape, uint64_t start, uint64_t dur, uint32_t stream)
{
    struct lore_cap_launch l = {start, dur, shape, stream};
    frame(b, LORE_CAP_LAUNCHES, &l, sizeof l);
}

static inline void
metric_frame(struct lore_buf *b, uint32_t shape, uint32_t metric, uint32_t launch, uint32_t missing,
    double value)
{
    struct lore_cap_metric m = {shape, metric, launch, missing, value};
    frame(b, LORE_CAP_METRIC, &m, sizeof m);
}

#endif
