/* The tile roofline and the algorithmic roofline. `require` records the unknown inputs of a result;
 * `set_result` sets its value only if there are none. If the bound is unknown, results that depend
 * on it list its unknown inputs. */
#include "service/derive/roofline.h"

#include <math.h>

#include "service/base/text.h"

static const double done_at = 0.9;

static bool
usable(const struct lore_input *in, bool zero_is_fine)
{
    return in->known && isfinite(in->value) && (in->value > 0 || (zero_is_fine && in->value == 0));
}

static void
note_unknown(struct lore_arena *arena, struct lore_result *out, const char *name)
{
    const char **names = lore_alloc_array(arena, out->n_unknown + 1, sizeof *names);

    for (size_t i = 0; i < out->n_unknown; i++) {
        if (lore_streq(out->unknown_inputs[i], name))
            return;
        names[i] = out->unknown_inputs[i];
    }
    names[out->n_unknown] = name;
    out->unknown_inputs = names;
    out->n_unknown++;
}

/* Add the unknown inputs of IN[0..n) to OUT. MAY_BE_ZERO may be 0 (an operator without FLOP); a 0
 * in other inputs counts as unknown. */
static void
require(struct lore_arena *arena, struct lore_result *out, const struct lore_input *const *in,
    size_t n, const struct lore_input *may_be_zero)
{
    for (size_t i = 0; i < n; i++)
        if (!usable(in[i], in[i] == may_be_zero))
            note_unknown(arena, out, in[i]->name != NULL ? in[i]->name : "an unnamed input");
}

static void
copy_unknowns(struct lore_arena *arena, struct lore_result *out, const struct lore_result *from)
{
    for (size_t i = 0; i < from->n_unknown; i++)
        note_unknown(arena, out, from->unknown_inputs[i]);
}

static bool
set_result(struct lore_result *r, double value)
{
    if (r->n_unknown > 0)
        return false;
    r->known = isfinite(value);
    r->value = r->known ? value : 0;
    return r->known;
}

struct lore_result
lore_roofline_ridge(
    const struct lore_input *peak_flops, const struct lore_input *peak_bw, struct lore_arena *arena)
{
    const struct lore_input *in[] = {peak_flops, peak_bw};
    struct lore_result r = {0};

    require(arena, &r, in, 2, NULL);
    set_result(&r, peak_flops->value / peak_bw->value);
    return r;
}

/* Input of both rooflines: FLOP and bytes per piece of work, and the number of pieces. */
struct work {
    const struct lore_input *flops, *bytes, *peak_flops, *peak_bw, *ceiling_bw, *time;
    const struct lore_input *pieces; /* NULL: one */
};

static const struct lore_input *
bandwidth(const struct work *w)
{
    return usable(w->ceiling_bw, false) ? w->ceiling_bw : w->peak_bw;
}

/* Classify the work by the ridge point of the specs. A measured ceiling is not used for it: it
 * shows how much bandwidth is usable, not which side limits the work. */
static void
classify(const struct work *w, struct lore_arena *arena, struct lore_roofline *out)
{
    const struct lore_input *sides[] = {w->flops, w->bytes};

    out->ridge = lore_roofline_ridge(w->peak_flops, w->peak_bw, arena);
    require(arena, &out->ai, sides, 2, w->flops);
    set_result(&out->ai, w->flops->value / w->bytes->value);
    if (out->ai.known && out->ridge.known)
        out->bound = out->ai.value >= out->ridge.value ? LORE_BOUND_COMPUTE : LORE_BOUND_MEMORY;
}

/* AMOUNT over all pieces, divided by TIME. */
static struct lore_result
rate(struct lore_arena *arena, const struct work *w, const struct lore_input *amount,
    const struct lore_result *time)
{
    struct lore_result r = {0};

    require(arena, &r, &amount, 1, w->flops);
    if (w->pieces)
        require(arena, &r, &w->pieces, 1, NULL);
    copy_unknowns(arena, &r, time);
    if (time->known)
        set_result(&r, amount->value * (w->pieces ? w->pieces->value : 1) / time->value);
    return r;
}

static void
utilisation(const struct work *w, struct lore_arena *arena, struct lore_roofline *out)
{
    struct lore_result time = {0};
    const struct lore_result *actual;

    require(arena, &time, &w->time, 1, NULL);
    set_result(&time, w->time->value);
    out->best_flops = rate(arena, w, w->flops, &out->time_min);
    out->best_bw = rate(arena, w, w->bytes, &out->time_min);
    out->actual_flops = rate(arena, w, w->flops, &time);
    out->actual_bw = rate(arena, w, w->bytes, &time);
    if (out->bound == LORE_BOUND_UNKNOWN) {
        copy_unknowns(arena, &out->utilisation, &out->ai);
        copy_unknowns(arena, &out->utilisation, &out->ridge);
        copy_unknowns(arena, &out->utilisation, &time);
        return;
    }
    out->limit = out->bound == LORE_BOUND_COMPUTE ? w->peak_flops : bandwidth(w);
    actual = out->bound == LORE_BOUND_COMPUTE ? &out->actual_flops : &out->actual_bw;
    copy_unknowns(arena, &out->utilisation, actual);
    set_result(&out->utilisation, actual->value / out->limit->value);
    out->done = out->utilisation.known && out->utilisation.value >= done_at;
}

static void
schedule(const struct lore_tile_in *in, struct lore_arena *arena, struct lore_roofline *out)
{
    const struct lore_input *needs[] = {&in->grid_blocks, &in->units};

    require(arena, &out->waves, needs, 2, NULL);
    out->unit_util = out->waves;
    set_result(&out->waves, ceil(in->grid_blocks.value / in->units.value));
    set_result(&out->unit_util, fmin(in->grid_blocks.value / in->units.value, 1));
}

/* The shortest time of one tile on its limiting side. */
static void
tile_time(const struct lore_tile_in *in, const struct work *w, enum lore_tile_mode mode,
    struct lore_arena *arena, struct lore_roofline *out)
{
    const struct lore_input *units = &in->units;
    double share = mode == LORE_TILE_PER_UNIT ? in->units.value : 1;

    copy_unknowns(arena, &out->tile_time_min, &out->ai);
    copy_unknowns(arena, &out->tile_time_min, &out->ridge);
    if (mode == LORE_TILE_PER_UNIT)
        require(arena, &out->tile_time_min, &units, 1, NULL);
    if (out->bound == LORE_BOUND_COMPUTE)
        set_result(&out->tile_time_min, in->tile_flops.value * share / in->peak_flops.value);
    else
        set_result(&out->tile_time_min, in->tile_bytes.value * share / bandwidth(w)->value);
}

void
lore_roofline_tile(const struct lore_tile_in *in, enum lore_tile_mode mode,
    struct lore_arena *arena, struct lore_roofline *out)
{
    const struct work w = {&in->tile_flops, &in->tile_bytes, &in->peak_flops, &in->peak_bw,
        &in->ceiling_bw, &in->time, &in->grid_blocks};

    *out = (struct lore_roofline){0};
    classify(&w, arena, out);
    schedule(in, arena, out);
    tile_time(in, &w, mode, arena, out);
    copy_unknowns(arena, &out->time_min, &out->waves);
    copy_unknowns(arena, &out->time_min, &out->tile_time_min);
    set_result(&out->time_min, out->waves.value * out->tile_time_min.value);
    utilisation(&w, arena, out);
}

void
lore_roofline_algorithm(
    const struct lore_algo_in *in, struct lore_arena *arena, struct lore_roofline *out)
{
    const struct work w = {
        &in->flops, &in->bytes, &in->peak_flops, &in->peak_bw, &in->ceiling_bw, &in->time, NULL};
    const struct lore_input *needs[] = {&in->flops, &in->bytes, &in->peak_flops, bandwidth(&w)};

    *out = (struct lore_roofline){0};
    classify(&w, arena, out);
    require(arena, &out->time_min, needs, 4, &in->flops);
    set_result(&out->time_min,
        fmax(in->flops.value / in->peak_flops.value, in->bytes.value / bandwidth(&w)->value));
    utilisation(&w, arena, out);
}
