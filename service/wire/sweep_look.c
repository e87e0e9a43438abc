/* What a sweep says as a whole: its order, its identity, its label (sweep.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/sweep.h"

/* ---- order ---- */

struct timed {
    double time;
    uint32_t at;
};

static int
by_time(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

void
lore_sweep_set_aside(struct lore_sweep_data *d, double floor_ns, struct lore_arena *arena)
{
    struct lore_sweep_why why = {"accuracy", "faster than the chip can be", 0};

    for (size_t i = 0; i < d->n; i++)
        why.n += d->why[i] == 0 && d->time_ns[i] > 0 && d->time_ns[i] < floor_ns;
    if (why.n == 0)
        return;
    d->time_ns = lore_memdup(arena, d->time_ns, d->n * sizeof *d->time_ns);
    d->why = lore_memdup(arena, d->why, d->n * sizeof *d->why);
    struct lore_sweep_why *whys = lore_alloc_array(arena, d->n_whys + 1, sizeof *whys);
    for (size_t k = 0; k < d->n_whys; k++)
        whys[k] = d->whys[k];
    whys[d->n_whys++] = why;
    d->whys = whys;
    for (size_t i = 0; i < d->n; i++)
        if (d->why[i] == 0 && d->time_ns[i] > 0 && d->time_ns[i] < floor_ns) {
            d->why[i] = (uint32_t)d->n_whys;
            d->time_ns[i] = 0;
        }
}

uint32_t *
lore_sweep_order(const struct lore_sweep_data *d, struct lore_arena *arena, size_t *n)
{
    struct timed *v = lore_alloc_array(arena, d->n + 1, sizeof *v);
    uint32_t *out = lore_alloc_array(arena, d->n + 1, sizeof *out);

    *n = 0;
    for (size_t i = 0; i < d->n; i++)
        if (d->time_ns[i] > 0)
            v[(*n)++] = (struct timed){d->time_ns[i], (uint32_t)i};
    qsort(v, *n, sizeof *v, by_time);
    for (size_t i = 0; i < *n; i++)
        out[i] = v[i].at;
    return out;
}

double
lore_sweep_median(const struct lore_sweep_data *d, const uint32_t *order, size_t n)
{
    return (d->time_ns[order[(n - 1) / 2]] + d->time_ns[order[n / 2]]) / 2;
}

/* ---- identity ---- */

static int
by_name(const void *a, const void *b)
{
    const struct lore_sweep_values *const *x = a, *const *y = b;

    return strcmp((*x)->name, (*y)->name);
}

/* Parameters by name. FIXED: also those that have one value only. */
static const struct lore_sweep_values **
by_names(const struct lore_sweep_data *d, bool fixed, struct lore_arena *arena, size_t *n)
{
    const struct lore_sweep_values **v = lore_alloc_array(arena, d->n_parameters + 1, sizeof *v);

    *n = 0;
    for (size_t p = 0; p < d->n_parameters; p++)
        if (fixed || d->parameters[p].s.n_values > 1)
            v[(*n)++] = &d->parameters[p];
    qsort(v, *n, sizeof *v, by_name);
    return v;
}

static int
by_hash(const void *a, const void *b)
{
    return memcmp(a, b, LORE_HASH_BYTES);
}

void
lore_sweep_print(const struct lore_sweep_data *d, struct lore_arena *arena, char out[33])
{
    unsigned char *hash = lore_alloc_array(arena, d->n + 1, LORE_HASH_BYTES);
    unsigned char all[LORE_HASH_BYTES];
    size_t n;
    const struct lore_sweep_values **p = by_names(d, false, arena, &n);
    LORE_BUF b = {0};

    for (size_t i = 0; i < d->n; i++) {
        lore_buf_reset(&b);
        for (size_t k = 0; k < n; k++) {
            const char *value = lore_series_value(&p[k]->s, i);
            lore_buf_puts(&b, p[k]->name);
            lore_buf_putc(&b, '=');
            lore_buf_puts(&b, value ? value : "");
            lore_buf_putc(&b, '\n');
        }
        if (d->time_ns[i] > 0 && d->first[i + 1] > d->first[i])
            lore_buf_add(
                &b, &d->samples[d->first[i]], (d->first[i + 1] - d->first[i]) * sizeof *d->samples);
        else
            lore_buf_printf(&b, "%.9g", d->time_ns[i]);
        lore_hash(b.data, b.len, hash + i * LORE_HASH_BYTES);
    }
    qsort(hash, d->n, LORE_HASH_BYTES, by_hash);
    lore_hash(hash, d->n * LORE_HASH_BYTES, all);
    lore_hex(all, 16, out);
}

const char *
lore_sweep_label(const struct lore_sweep_data *d, size_t i, struct lore_arena *arena)
{
    size_t n;
    const struct lore_sweep_values **p = by_names(d, true, arena, &n);
    LORE_BUF b = {0};

    for (size_t k = 0; k < n; k++) {
        const char *value = lore_series_value(&p[k]->s, i);
        if (value)
            lore_buf_printf(&b, "%s%s=%s", b.len > 0 ? " " : "", p[k]->name, value);
    }
    return lore_strndup(arena, b.len > 0 ? b.data : "", b.len);
}
