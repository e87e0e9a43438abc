/* The file holds percent for people; the structs hold fractions. */
#include "collectors/run/noise_floor.h"

#include <math.h>
#include <string.h>

#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/json.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

static const char file_name[] = "noise_floor.json";

const char *
lore_floor_class(double time_ns)
{
    return time_ns < 1e4   ? "under 10 us"
           : time_ns < 1e5 ? "10 to 100 us"
           : time_ns < 1e6 ? "100 us to 1 ms"
                           : "over 1 ms";
}

void
lore_floor_of(const struct lore_comparison *c, struct lore_floor *out)
{
    out->spread = c->spread;
    out->shift = c->speedup - 1;
    out->drift = c->drift.drifts ? expm1(c->drift.change) : 0;
    out->pairs = (int64_t)c->n;
    out->floor = fmax(LORE_FLOOR_LEAST, fmax(c->spread, fabs(out->shift)));
}

static enum lore_status
read_floor(const struct lore_json *j, struct lore_floor *f, struct lore_err *err)
{
    double floor = -1, spread = 0, shift = 0, drift = 0;
    const char *at = NULL;
    enum lore_status status = lore_json_text(j, "device", &f->device, err);

    if (status == LORE_OK)
        status = lore_json_text(j, "chip", &f->chip, err);
    if (status == LORE_OK)
        status = lore_json_text(j, "duration", &f->duration, err);
    if (status == LORE_OK)
        status = lore_json_f64(j, "floor_pct", &floor, err);
    if (status == LORE_OK)
        status = lore_json_f64(j, "spread_pct", &spread, err);
    if (status == LORE_OK)
        status = lore_json_f64(j, "shift_pct", &shift, err);
    if (status == LORE_OK)
        status = lore_json_f64(j, "drift_pct", &drift, err);
    if (status == LORE_OK)
        status = lore_json_i64(j, "pairs", &f->pairs, err);
    if (status == LORE_OK)
        status = lore_json_f64(j, "time_ns", &f->time_ns, err);
    if (status == LORE_OK)
        status = lore_json_text(j, "kernel", &f->kernel, err);
    if (status == LORE_OK)
        status = lore_json_text(j, "program", &f->program, err);
    if (status == LORE_OK)
        status = lore_json_text(j, "measured_at", &at, err);
    if (status == LORE_OK && at)
        status = lore_time_parse(at, &f->measured_at_us, err);
    if (status != LORE_OK)
        return status;
    if (!f->device || !f->chip || !f->duration || !(floor > 0 && floor < 100))
        return lore_fail(err, LORE_INVALID,
            "a floor needs device, chip, duration and a floor_pct within 0..100");
    f->floor = floor / 100;
    f->spread = spread / 100;
    f->shift = shift / 100;
    f->drift = drift / 100;
    return LORE_OK;
}

enum lore_status
lore_floors_parse(const char *text, size_t n, struct lore_arena *arena, struct lore_floors *out,
    struct lore_err *err)
{
    struct lore_json *root = NULL;
    int64_t format = 0;

    memset(out, 0, sizeof *out);
    enum lore_status status = lore_json_parse(text, n, NULL, arena, &root, err);

    if (status == LORE_OK)
        status = lore_json_i64(root, "format", &format, err);
    if (status == LORE_OK && format != 1)
        status = lore_fail(err, LORE_INVALID, "format: not 1");
    const struct lore_json *list = status == LORE_OK ? lore_json_get(root, "floors") : NULL;
    for (const struct lore_json *j = list ? list->child : NULL; status == LORE_OK && j; j = j->next)
        status = read_floor(j, LORE_PUSH(arena, out->v, out->n, out->cap), err);
    return status;
}

enum lore_status
lore_floors_read(
    const char *dir, struct lore_arena *arena, struct lore_floors *out, struct lore_err *err)
{
    const char *path = lore_format(arena, "%s/%s", dir, file_name);
    struct lore_buf text = {.max = 1u << 20};
    struct lore_err why = {0};

    memset(out, 0, sizeof *out);
    enum lore_status status = lore_file_read(path, &text, err);
    if (status == LORE_OK &&
        lore_floors_parse(text.data ? text.data : "", text.len, arena, out, &why) != LORE_OK) {
        memset(out, 0, sizeof *out);
        status = lore_fail(err, LORE_CORRUPT, "%.160s: %.60s", path, why.msg);
        lore_err_hint(err, "remove it and run warplore calibrate again");
    }
    lore_buf_free(&text);
    return status == LORE_NOTFOUND ? LORE_OK : status;
}

void
lore_floor_write(struct lore_jsonw *w, const struct lore_floor *f)
{
    lore_w_obj(w);
    lore_w_kstr(w, "device", f->device);
    lore_w_kstr(w, "chip", f->chip);
    lore_w_kstr(w, "duration", f->duration);
    lore_w_kf64(w, "floor_pct", 100 * f->floor);
    lore_w_kf64(w, "spread_pct", 100 * f->spread);
    lore_w_kf64(w, "shift_pct", 100 * f->shift);
    lore_w_kf64(w, "drift_pct", 100 * f->drift);
    lore_w_ki64(w, "pairs", f->pairs);
    lore_w_kf64(w, "time_ns", f->time_ns);
    lore_w_kstr_opt(w, "kernel", f->kernel);
    lore_w_kstr_opt(w, "program", f->program);
    lore_w_ktime(w, "measured_at", f->measured_at_us);
    lore_w_obj_end(w);
}

static bool
same_key(const struct lore_floor *f, const char *device, const char *chip, const char *duration)
{
    return lore_streq(f->device, device) && lore_streq(f->chip, chip) &&
           lore_streq(f->duration, duration);
}

const struct lore_floor *
lore_floors_find(
    const struct lore_floors *all, const char *device, const char *chip, double time_ns)
{
    for (size_t i = 0; i < all->n; i++) {
        if (same_key(&all->v[i], device, chip, lore_floor_class(time_ns)))
            return &all->v[i];
    }
    return NULL;
}

static enum lore_status
write_all(const char *path, const struct lore_floors *all, struct lore_err *err)
{
    struct lore_buf text = {0};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &text, true);
    lore_w_obj(&w);
    lore_w_ki64(&w, "format", 1);
    lore_w_key(&w, "floors");
    lore_w_arr(&w);
    for (size_t i = 0; i < all->n; i++)
        lore_floor_write(&w, &all->v[i]);
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    enum lore_status status = lore_jsonw_end(&w, err);
    lore_buf_putc(&text, '\n');
    if (status == LORE_OK)
        status = lore_file_write(path, text.data, text.len, 0600, err);
    lore_buf_free(&text);
    return status;
}

enum lore_status
lore_floors_save(const char *dir, const struct lore_floor *f, struct lore_err *err)
{
    struct lore_arena arena = {0};
    struct lore_floors all;
    size_t i = 0;
    enum lore_status status = lore_mkdirs(dir, 0700, err);

    if (status == LORE_OK)
        status = lore_floors_read(dir, &arena, &all, err);
    if (status == LORE_OK) {
        while (i < all.n && !same_key(&all.v[i], f->device, f->chip, f->duration))
            i++;
        if (i == all.n)
            (void)LORE_PUSH(&arena, all.v, all.n, all.cap);
        all.v[i] = *f;
        status = write_all(lore_format(&arena, "%s/%s", dir, file_name), &all, err);
    }
    lore_arena_free(&arena);
    return status;
}
