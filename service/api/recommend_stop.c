/* When to stop: little is left by the limits of the chip, or nothing that the memory knows fits. */
#include <string.h>

#include "service/api/recommend_write.h"
#include "service/api/searched.h"
#include "service/base/duration.h"
#include "service/base/text.h"
#include "service/derive/outcome.h"
#include "service/http/app.h"
#include "service/ingest/indexes.h"

enum { ROWS = 16 }; /* of the board at one place: one per language */
#define LITTLE 1.15 /* the speedup that is left, below which an idea must be expected to count */

bool
lore_recommend_pays(const struct lore_advice *a)
{
    bool contradicted = a->against != 0 && !(a->same_operator && a->won > 0);

    return a->p_win.value >= LORE_LEAST_ODDS && !contradicted &&
           (a->hardly_known || a->gain.value > 0);
}

/* Whether so little is left that no idea is expected to gain 5 %, even if it reached the limit. */
static bool
is_little_left(const struct lore_recommended *x)
{
    const struct lore_answer *a = &x->answer;
    const double most = x->question.at_most; /* of a version that was found here */
    bool any = false;

    for (size_t i = 0; i < a->n_advice; i++)
        any |= a->advice[i].p_win.value * (most - 1) >= LORE_WIN_ABOVE - 1 &&
               !(x->start.repeats && x->start.repeats[i]);
    return most > 0 && most < LITTLE && !any;
}

/* "softmax v3": the version by the names that people know. */
static const char *
name_of(const struct lore_version_row *v, struct lore_arena *arena)
{
    const char *label = v->v.label ? v->v.label : v->v.tag;

    if (!v->kernel_name)
        return "this version";
    return label && !strchr(label, '=') /* else it repeats the parameters */
               ? lore_format(arena, "%s %s", v->kernel_name, label)
               : v->kernel_name;
}

/* "L2 busy 93 %, occupancy 14 %": what the counters of its run say; "" for nothing. */
static const char *
counters_of(const struct lore_place_facts *f, struct lore_arena *arena)
{
    static const struct {
        enum lore_place_fact fact;
        const char *name, *unit;
        double least; /* less is nothing to speak of */
    } shown[] = {{LORE_FACT_L2, "L2 busy", " %", 80}, {LORE_FACT_DRAM, "DRAM busy", " %", 80},
        {LORE_FACT_MATRIX_UNITS, "matrix units busy", " %", 1},
        {LORE_FACT_OCCUPANCY, "occupancy", " %", 0},
        {LORE_FACT_BARRIER_WAITS, "barrier stalls", " warps per issued instruction", 1},
        {LORE_FACT_CONFLICTS, "bank conflicts", " per 1,000 instructions", 10}};
    const char *text = "";

    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (f->known[shown[i].fact] && f->v[shown[i].fact] >= shown[i].least)
            text = lore_format(arena, "%s%s%s %.*g%s", text, *text ? ", " : "", shown[i].name,
                f->v[shown[i].fact] < 99.5 ? 2 : 3, f->v[shown[i].fact], shown[i].unit);
    return text;
}

/* The speedup of the version over the library at its place; unset: not known. */
static struct lore_speedup
against_library(struct lore_req *req, const struct lore_about *about)
{
    LORE_INDEXES_VIEW indexes = req->app->indexes;
    const struct lore_board_filter of = {.op = about->version->op,
        .chip = about->chip ? lore_chip_find(about->chip) : NULL,
        .workload = about->workload,
        .limit = ROWS};
    struct lore_board_row *v = NULL;
    size_t n = 0, total;

    if (about->chip && about->workload)
        lore_board(lore_indexes_board(indexes), &of, req->arena, &v, &n, &total);
    for (size_t i = 0; i < n; i++)
        if (lore_streq(v[i].best_version, about->version->v.id))
            return v[i].vs_library;
    return (struct lore_speedup){0};
}

/* What to do where no idea fits. */
static const char *
first_step(struct lore_req *req, const struct lore_start_answer *start)
{
    const struct lore_about *about = &start->about;
    struct lore_arena *arena = req->arena;

    if (!about->timed || about->by == LORE_ABOUT_OTHER_CHIP || about->by == LORE_ABOUT_OTHER_SHAPE)
        return "Measure it here first; later results are compared with it.";
    const char *searched = lore_searched_next(req, start);
    if (searched)
        return searched;
    const struct lore_speedup library = against_library(req, about);
    if (library.set && library.value * LORE_WIN_ABOVE < 1)
        return lore_format(arena, "%s is %s faster here: profile it beside this version.",
            library.base_name ? library.base_name : "The library",
            lore_factor_text(arena, 1 / library.value));
    if (!about->profiled)
        return "Profile it first (`warplore run --metrics basic`) and ask again.";
    const char *counters = counters_of(&about->facts, arena);
    return lore_format(arena, "No stored idea answers its counters%s%s%s.", *counters ? " (" : "",
        counters, *counters ? ")" : "");
}

/* Whether something is to try. */
static bool
is_any_worth(const struct lore_answer *a)
{
    bool any = a->n_untried > 0;

    for (size_t i = 0; i < a->n_advice; i++)
        any |= lore_recommend_pays(&a->advice[i]);
    return any;
}

void
lore_recommend_stop(struct lore_req *req, struct lore_recommended *x)
{
    struct lore_arena *arena = req->arena;
    const struct lore_about *about = &x->start.about;
    struct lore_answer *a = &x->answer;

    if (lore_about_is_done(about)) {
        a->stop =
            lore_format(arena, "Stop: at most %s is left, and a gain counts only above %.2fx.",
                lore_factor_text(arena, about->headroom.at_most), LORE_WIN_ABOVE);
    } else if (is_little_left(x)) {
        a->stop = lore_format(arena,
            "Stop here: at most %s is left, and no stored idea that fits is expected to gain 5 %%.",
            lore_factor_text(arena, about->headroom.at_most));
        a->n_advice = a->n_untried = x->start.n_tune = 0;
    } else if (!is_any_worth(a) && !x->nothing) {
        a->first_step = about->version ? first_step(req, &x->start) : NULL;
        a->stop =
            about->version
                ? lore_format(arena, "Nothing in the memory that fits is expected to beat %s. %s",
                      name_of(about->version, arena), a->first_step)
                : "No technique that fits is known. Measure the unchanged kernel first: "
                  "later results are compared with it.";
    }
}
