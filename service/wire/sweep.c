/* Reads the texts of a sweep's configurations into arrays, and writes them (sweep.h). */
#include "service/wire/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/decimal.h"
#include "service/base/text.h"
#include "service/stats/select.h"
#include "service/wire/fields.h"

/* ---- reading ---- */

/* Put the name of the member before a message. */
static enum lore_status
in_member(struct lore_err *err, const char *member)
{
    char why[sizeof err->msg];

    if (!err)
        return LORE_INVALID;
    memcpy(why, err->msg, sizeof why);
    return lore_fail(err, LORE_INVALID, "%s: %.180s", member, why);
}

struct columns {
    const char *member; /* of the configurations */
    size_t n;           /* configurations */
    struct lore_arena *arena;
};

static enum lore_status
read_columns(const struct columns *c, const struct lore_sweep_column *from, size_t n,
    struct lore_sweep_values **out, struct lore_err *err)
{
    *out = lore_alloc_array(c->arena, n + 1, sizeof **out);
    for (size_t i = 0; i < n; i++) {
        struct lore_sweep_values *to = &(*out)[i];
        *to = (struct lore_sweep_values){from[i].name, from[i].unit, from[i].technique, {0}};
        if (lore_series_read(from[i].values, c->n, c->arena, &to->s, err) != LORE_OK)
            return in_member(err, lore_format(c->arena, "%s[%zu].values", c->member, i));
        for (size_t k = 0; k < i; k++)
            if (lore_streq(from[k].name, from[i].name))
                return lore_fail(err, LORE_INVALID, "%s[%zu].name: \"%.60s\" is there twice",
                    c->member, i, from[i].name);
    }
    return LORE_OK;
}

static enum lore_status
read_times(
    const char *text, struct lore_sweep_data *d, struct lore_arena *arena, struct lore_err *err)
{
    struct lore_series s;

    if (lore_series_read(text, d->n, arena, &s, err) != LORE_OK)
        return in_member(err, "times_ns");
    for (size_t i = 0; i < d->n; i++) {
        const char *value = lore_series_value(&s, i);
        char *end = NULL;
        if (!value)
            continue;
        d->time_ns[i] = lore_decimal_read(value, &end);
        if (*end != '\0' || !(d->time_ns[i] > 0) || d->time_ns[i] > LORE_MAX_NS)
            return lore_fail(err, LORE_INVALID,
                "times_ns: value %zu, %.40s: expected a time in nanoseconds, above 0", i + 1,
                value);
    }
    return LORE_OK;
}

static const char *
read_sample(const char *p, int64_t *out)
{
    int64_t v = 0;
    const char *from = p;

    for (; lore_is_digit(*p) && v <= (int64_t)LORE_MAX_NS; p++)
        v = 10 * v + (*p - '0');
    *out = v;
    return p > from && v <= (int64_t)LORE_MAX_NS ? p : NULL;
}

static enum lore_status
read_samples(
    const char *text, struct lore_sweep_data *d, struct lore_arena *arena, struct lore_err *err)
{
    size_t cap = 0, i = 0;

    for (const char *p = text + strspn(text, " "); *p != '\0'; p += strspn(p, " ")) {
        int64_t sample;
        if (*p == ';') {
            if (++i >= d->n)
                return lore_fail(err, LORE_INVALID,
                    "samples_ns: more than %zu lists for %zu configurations", d->n, d->n);
            d->first[i] = d->n_samples;
            p++;
            continue;
        }
        p = read_sample(p, &sample);
        if (!p || !strchr(" ;", *p) || d->n_samples - d->first[i] == LORE_MAX_SAMPLES)
            return lore_fail(err, LORE_INVALID,
                "samples_ns: configuration %zu: expected at most %d whole numbers of nanoseconds",
                i, LORE_MAX_SAMPLES);
        *LORE_PUSH(arena, d->samples, d->n_samples, cap) = sample;
    }
    if (i + 1 != d->n)
        return lore_fail(
            err, LORE_INVALID, "samples_ns: has %zu lists for %zu configurations", i + 1, d->n);
    d->first[d->n] = d->n_samples;
    return LORE_OK;
}

/* The numbers of the configurations that failed for one reason, ascending. */
static enum lore_status
read_failed(const struct lore_sweep_failed *f, size_t reason, struct lore_sweep_data *d,
    struct lore_err *err)
{
    struct lore_sweep_why *why = &d->whys[reason];
    int64_t last = -1, i;

    *why = (struct lore_sweep_why){f->type, f->said, 0};
    for (const char *p = f->at + strspn(f->at, " "); *p != '\0'; p += strspn(p, " ")) {
        p = read_sample(p, &i);
        if (!p || (*p != ' ' && *p != '\0') || i <= last || i >= (int64_t)d->n)
            return lore_fail(err, LORE_INVALID,
                "failures[%zu].at: expected numbers of configurations, from 0, in ascending order",
                reason);
        if (d->why[i] > 0)
            return lore_fail(err, LORE_INVALID,
                "failures[%zu].at: configuration %lld has another failure, too", reason,
                (long long)i);
        if (d->time_ns[i] > 0)
            return lore_fail(err, LORE_INVALID,
                "failures[%zu].at: configuration %lld has a time; leave it out (-)", reason,
                (long long)i);
        d->why[i] = (uint32_t)reason + 1;
        why->n++;
        last = i;
    }
    return LORE_OK;
}

/* The median of the samples, for configurations that did not fail. */
static void
time_by_samples(struct lore_sweep_data *d, struct lore_arena *arena)
{
    double *v = lore_alloc_array(arena, LORE_MAX_SAMPLES, sizeof *v);

    for (size_t i = 0; i < d->n; i++) {
        size_t n = d->first[i + 1] - d->first[i];
        for (size_t k = 0; k < n; k++)
            v[k] = (double)d->samples[d->first[i] + k];
        d->time_ns[i] = n > 0 && d->why[i] == 0 ? lore_select_median(v, n) : 0;
    }
}

enum lore_status
lore_sweep_read(const struct lore_configurations *s, struct lore_arena *arena,
    struct lore_sweep_data *out, struct lore_err *err)
{
    struct lore_sweep_data d = {.n = (size_t)s->count.v,
        .n_parameters = s->n_parameters,
        .n_metrics = s->n_metrics,
        .n_whys = s->n_failures};
    enum lore_status status = LORE_OK;

    if (!s->times_ns && !s->samples_ns)
        return lore_fail(err, LORE_INVALID, "times_ns: give times_ns or samples_ns");
    d.time_ns = lore_alloc_array(arena, d.n + 1, sizeof *d.time_ns);
    d.why = lore_alloc_array(arena, d.n + 1, sizeof *d.why);
    d.whys = lore_alloc_array(arena, d.n_whys + 1, sizeof *d.whys);
    d.first = lore_alloc_array(arena, d.n + 1, sizeof *d.first);
    status = read_columns(&(struct columns){"parameters", d.n, arena}, s->parameters,
        s->n_parameters, &d.parameters, err);
    if (status == LORE_OK)
        status = read_columns(
            &(struct columns){"metrics", d.n, arena}, s->metrics, s->n_metrics, &d.metrics, err);
    if (status == LORE_OK && s->times_ns)
        status = read_times(s->times_ns, &d, arena, err);
    if (status == LORE_OK && s->samples_ns)
        status = read_samples(s->samples_ns, &d, arena, err);
    for (size_t i = 0; status == LORE_OK && i < s->n_failures; i++)
        status = read_failed(&s->failures[i], i, &d, err);
    if (status == LORE_OK && !s->times_ns)
        time_by_samples(&d, arena);
    if (status == LORE_OK)
        *out = d;
    return status;
}

/* ---- writing ---- */

static const char *
take(struct lore_buf *b, struct lore_arena *arena)
{
    const char *text = lore_strndup(arena, b->len > 0 ? b->data : "", b->len);

    lore_buf_reset(b);
    return text;
}

static void
write_columns(const struct lore_sweep_values *from, size_t n, struct lore_buf *b,
    struct lore_arena *arena, struct lore_sweep_column **out)
{
    *out = lore_alloc_array(arena, n + 1, sizeof **out);
    for (size_t i = 0; i < n; i++) {
        lore_series_write(b, &from[i].s);
        (*out)[i] = (struct lore_sweep_column){
            from[i].name, from[i].unit, from[i].technique, take(b, arena)};
    }
}

static void
write_times(const struct lore_sweep_data *d, struct lore_buf *b)
{
    for (size_t i = 0; i < d->n; i++) {
        char text[32] = "-";
        if (d->time_ns[i] > 0)
            lore_f64_text(d->time_ns[i], text);
        lore_buf_printf(b, "%s%s", i > 0 ? " " : "", text);
    }
}

static void
write_samples(const struct lore_sweep_data *d, struct lore_buf *b)
{
    char text[24];

    for (size_t i = 0; i < d->n; i++) {
        if (i > 0)
            lore_buf_putc(b, ';');
        for (size_t k = d->first[i]; k < d->first[i + 1]; k++) {
            if (k > d->first[i])
                lore_buf_putc(b, ' ');
            lore_buf_add(b, text, lore_decimal_i64(d->samples[k], text));
        }
    }
}

static void
write_failures(const struct lore_sweep_data *d, struct lore_buf *b, struct lore_arena *arena,
    struct lore_configurations *out)
{
    out->failures = lore_alloc_array(arena, d->n_whys + 1, sizeof *out->failures);
    for (size_t k = 0; k < d->n_whys; k++) {
        for (size_t i = 0; i < d->n; i++)
            if (d->why[i] == k + 1)
                lore_buf_printf(b, "%s%zu", b->len > 0 ? " " : "", i);
        out->failures[out->n_failures++] =
            (struct lore_sweep_failed){d->whys[k].type, d->whys[k].said, take(b, arena)};
    }
}

void
lore_sweep_write(
    const struct lore_sweep_data *d, struct lore_arena *arena, struct lore_configurations *out)
{
    LORE_BUF b = {0};

    *out = (struct lore_configurations){.set = true,
        .count = {true, (int64_t)d->n},
        .n_parameters = d->n_parameters,
        .n_metrics = d->n_metrics};
    write_columns(d->parameters, d->n_parameters, &b, arena, &out->parameters);
    write_columns(d->metrics, d->n_metrics, &b, arena, &out->metrics);
    write_times(d, &b);
    out->times_ns = take(&b, arena);
    write_samples(d, &b);
    out->samples_ns = d->n_samples > 0 ? take(&b, arena) : NULL;
    lore_buf_reset(&b);
    write_failures(d, &b, arena, out);
}
