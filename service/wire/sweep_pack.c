/* Packs the configurations of a sweep into a blob and back (sweep.h). Samples are stored as the
 * difference to the one before, because a kernel's times are close to each other. */
#include <string.h>

#include "service/base/file.h"
#include "service/wire/fields.h"
#include "service/wire/sweep.h"

#define FORMAT 1
#define FRAME_MAX ((size_t)256 << 20) /* of an unpacked frame */

/* ---- packing ---- */

static void
pack_columns(struct lore_buf *b, const struct lore_sweep_values *v, size_t n)
{
    lore_pack_u64(b, n);
    for (size_t i = 0; i < n; i++) {
        lore_pack_text(b, v[i].name);
        lore_pack_text(b, v[i].unit);
        lore_pack_text(b, v[i].technique);
        lore_series_pack(b, &v[i].s);
    }
}

static void
pack_failures(struct lore_buf *b, const struct lore_sweep_data *d)
{
    lore_pack_u64(b, d->n_whys);
    for (size_t k = 0; k < d->n_whys; k++) {
        size_t next = 0;
        lore_pack_text(b, d->whys[k].type);
        lore_pack_text(b, d->whys[k].said);
        lore_pack_u64(b, d->whys[k].n);
        for (size_t i = 0; i < d->n; i++) {
            if (d->why[i] != k + 1)
                continue;
            lore_pack_u64(b, i - next);
            next = i + 1;
        }
    }
}

static void
pack_samples(struct lore_buf *b, const struct lore_sweep_data *d)
{
    int64_t before = 0;

    for (size_t i = 0; i < d->n; i++)
        lore_pack_u64(b, d->first[i + 1] - d->first[i]);
    for (size_t k = 0; k < d->n_samples; k++) {
        lore_pack_u64(b, lore_pack_sign(d->samples[k] - before));
        before = d->samples[k];
    }
}

/* Append B as a frame to OUT, and empty it. */
static enum lore_status
add_frame(struct lore_buf *b, struct lore_buf *out, struct lore_err *err)
{
    LORE_BUF packed = {.max = FRAME_MAX};
    enum lore_status status = lore_buf_status(b, "sweep", err);

    if (status == LORE_OK)
        status = lore_zstd_pack(b->len > 0 ? b->data : "", b->len, &packed, err);
    if (status != LORE_OK)
        return status;
    for (unsigned shift = 0; shift < 32; shift += 8)
        lore_buf_putc(out, (char)(packed.len >> shift));
    lore_buf_add(out, packed.data, packed.len);
    lore_buf_reset(b);
    return lore_buf_status(out, "sweep", err);
}

enum lore_status
lore_sweep_pack(const struct lore_sweep_data *d, struct lore_buf *out, struct lore_err *err)
{
    LORE_BUF b = {.max = FRAME_MAX};
    enum lore_status status;

    lore_buf_putc(out, FORMAT);
    lore_pack_u64(&b, d->n);
    pack_columns(&b, d->parameters, d->n_parameters);
    lore_pack_f64s(&b, d->time_ns, d->n);
    pack_failures(&b, d);
    status = add_frame(&b, out, err);
    if (status == LORE_OK) {
        pack_samples(&b, d);
        status = add_frame(&b, out, err);
    }
    if (status == LORE_OK) {
        pack_columns(&b, d->metrics, d->n_metrics);
        status = add_frame(&b, out, err);
    }
    return status;
}

/* ---- unpacking ---- */

/* Unpack the next frame of BLOB into B and let *out read it; without B, go past it. */
static enum lore_status
next_frame(
    struct lore_unpack *blob, struct lore_buf *b, struct lore_unpack *out, struct lore_err *err)
{
    const unsigned char *head = lore_unpack_bytes(blob, 4), *frame;
    enum lore_status status = LORE_OK;
    size_t n = 0;

    for (unsigned k = 0; head && k < 4; k++)
        n |= (size_t)head[k] << 8 * k;
    frame = lore_unpack_bytes(blob, n);
    if (!frame)
        return lore_fail(err, LORE_CORRUPT, "a stored sweep ends too early");
    if (!b)
        return LORE_OK;
    lore_buf_reset(b);
    status = lore_zstd_unpack(frame, n, b, err);
    if (status != LORE_OK)
        return lore_fail(err, LORE_CORRUPT, "a stored sweep cannot be unpacked");
    const unsigned char *bytes = (const unsigned char *)(b->data ? b->data : "");
    *out = (struct lore_unpack){bytes, bytes + b->len, false};
    return LORE_OK;
}

static void
unpack_columns(struct lore_unpack *u, size_t n, struct lore_arena *arena,
    struct lore_sweep_values **out, size_t *count)
{
    uint64_t columns = lore_unpack_u64(u);

    u->bad |= columns > LORE_SWEEP_SERIES;
    *out = lore_alloc_array(arena, LORE_SWEEP_SERIES + 1, sizeof **out);
    for (*count = 0; *count < columns && !u->bad; ++*count) {
        struct lore_sweep_values *v = &(*out)[*count];
        v->name = lore_unpack_text(u, arena);
        v->unit = lore_unpack_text(u, arena);
        v->technique = lore_unpack_text(u, arena);
        u->bad |= !v->name;
        lore_series_unpack(u, n, arena, &v->s);
    }
}

static void
unpack_failures(struct lore_unpack *u, struct lore_arena *arena, struct lore_sweep_data *d)
{
    uint64_t whys = lore_unpack_u64(u);

    u->bad |= whys > d->n;
    if (u->bad)
        return;
    d->whys = lore_alloc_array(arena, whys + 1, sizeof *d->whys);
    for (; d->n_whys < whys && !u->bad; d->n_whys++) {
        struct lore_sweep_why *why = &d->whys[d->n_whys];
        uint64_t at = 0;
        why->type = lore_unpack_text(u, arena);
        why->said = lore_unpack_text(u, arena);
        uint64_t n = lore_unpack_u64(u);
        u->bad |= !why->type || n > d->n;
        for (; why->n < n && !u->bad; why->n++, at++) {
            uint64_t step = lore_unpack_u64(u);
            at += step;
            u->bad |= step >= d->n || at >= d->n || d->why[at] != 0;
            if (!u->bad)
                d->why[at] = (uint32_t)d->n_whys + 1;
        }
    }
}

static void
unpack_samples(struct lore_unpack *u, struct lore_arena *arena, struct lore_sweep_data *d)
{
    int64_t before = 0;

    for (size_t i = 0; i < d->n && !u->bad; i++) {
        uint64_t n = lore_unpack_u64(u);
        u->bad |= n > LORE_MAX_SAMPLES;
        d->first[i + 1] = d->first[i] + (size_t)n;
    }
    u->bad |= d->first[d->n] > (size_t)(u->end - u->p); /* a sample has a byte or more */
    if (u->bad)
        return;
    d->samples = lore_alloc_array(arena, d->first[d->n] + 1, sizeof *d->samples);
    for (; d->n_samples < d->first[d->n] && !u->bad; d->n_samples++) {
        before = (int64_t)((uint64_t)before + (uint64_t)lore_unpack_sign(lore_unpack_u64(u)));
        u->bad |= before < 0 || before > (int64_t)LORE_MAX_NS;
        d->samples[d->n_samples] = before;
    }
}

static void
unpack_configurations(struct lore_unpack *u, struct lore_arena *arena, struct lore_sweep_data *d)
{
    uint64_t n = lore_unpack_u64(u);

    u->bad |= n > LORE_SERIES_MAX;
    d->n = u->bad ? 0 : (size_t)n;
    d->first = lore_alloc_array(arena, d->n + 1, sizeof *d->first);
    d->why = lore_alloc_array(arena, d->n + 1, sizeof *d->why);
    unpack_columns(u, d->n, arena, &d->parameters, &d->n_parameters);
    d->time_ns = lore_unpack_f64s(u, d->n, arena);
    unpack_failures(u, arena, d);
}

static enum lore_status
whole(const struct lore_unpack *u, struct lore_err *err)
{
    return u->bad || u->p != u->end
               ? lore_fail(err, LORE_CORRUPT, "a stored sweep has values that make no sense")
               : LORE_OK;
}

enum lore_status
lore_sweep_unpack(const void *p, size_t n, unsigned what, struct lore_arena *arena,
    struct lore_sweep_data *out, struct lore_err *err)
{
    struct lore_unpack blob = {p, p ? (const unsigned char *)p + n : NULL, false}, u = {0};
    const unsigned char *format = p ? lore_unpack_bytes(&blob, 1) : NULL;
    LORE_BUF b = {.max = FRAME_MAX};
    struct lore_sweep_data d = {0};

    if (!format || *format != FORMAT)
        return lore_fail(err, LORE_CORRUPT, "a stored sweep has an unknown form");
    enum lore_status status = next_frame(&blob, &b, &u, err);
    if (status == LORE_OK) {
        unpack_configurations(&u, arena, &d);
        status = whole(&u, err);
    }
    if (status == LORE_OK && what != 0)
        status = next_frame(&blob, what & LORE_SWEEP_SAMPLES ? &b : NULL, &u, err);
    if (status == LORE_OK && (what & LORE_SWEEP_SAMPLES) != 0) {
        unpack_samples(&u, arena, &d);
        status = whole(&u, err);
    }
    if (status == LORE_OK && (what & LORE_SWEEP_METRICS) != 0)
        status = next_frame(&blob, &b, &u, err);
    if (status == LORE_OK && (what & LORE_SWEEP_METRICS) != 0) {
        unpack_columns(&u, d.n, arena, &d.metrics, &d.n_metrics);
        status = whole(&u, err);
    }
    if (status == LORE_OK)
        *out = d;
    return status;
}
