/* When to stop: little is left by the limits of the chip, or nothing that the memory knows fits. */
#include <string.h>

#include "service/api/recommend_write.h"
#include "service/base/duration.h"
#include "service/base/text.h"
#include "service/derive/outcome.h"

#define LEAST_ODDS 0.05 /* of what is worth a try */
#define LITTLE 1.15 /* the speedup that is left, below which an idea must be expected to count */

bool
lore_recommend_pays(const struct lore_advice *a)
{
    return a->p_win.value >= LEAST_ODDS && (a->hardly_known || a->gain.value > 0);
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

    return v->kernel_name && label && !strchr(label, '=')
               ? lore_format(arena, "%s %s", v->kernel_name, label)
               : "the version above";
}

/* What to do where no idea fits. */
static const char *
first_step(const struct lore_start_answer *start, struct lore_arena *arena)
{
    const struct lore_about *about = &start->about;

    if (!about->timed)
        return "Measure it here first; later results are compared with it.";
    if (start->placed && start->place.measured > 1 && about->version->v.params.n > 0)
        return lore_format(arena,
            "%zu configurations of it were measured here: change its code, not its parameters.",
            start->place.measured);
    return about->profiled ? "Its profile is stored: look for an idea that is not."
                           : "Profile it first (`warplore run --metrics basic`) and ask again.";
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
lore_recommend_stop(struct lore_recommended *x, struct lore_arena *arena)
{
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
        a->n_advice = a->n_untried = 0;
    } else if (!is_any_worth(a) && !x->nothing) {
        a->stop =
            about->version
                ? lore_format(arena, "Nothing in the memory that fits is expected to beat %s. %s",
                      name_of(about->version, arena), first_step(&x->start, arena))
                : "No technique that fits is known. Measure the unchanged kernel first: "
                  "later results are compared with it.";
    }
}
