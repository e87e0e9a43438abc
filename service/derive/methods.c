/* Selection of methods. Any method that was tried before is "already selected", whatever its
 * result. A method whose trigger cannot be evaluated counts as not triggered, and its note says so.
 * A method that passes but loses to a stronger trigger or a coupled method gets the reason
 * "skip_condition", because no other reason fits. */
#include "service/derive/methods.h"

#include <math.h>
#include <stdlib.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

const char *
lore_axis_name(enum lore_axis a)
{
    static const char *const names[] = {"compute", "memory", "latency"};

    return a < LORE_AXIS_COUNT ? names[a] : "unknown";
}

enum lore_axis
lore_axis_find(const char *name)
{
    enum lore_axis a = LORE_AXIS_COMPUTE;

    while (a < LORE_AXIS_COUNT && !lore_streq(name, lore_axis_name(a)))
        a++;
    return a;
}

static const char *const skip_names[LORE_SKIP_COUNT] = {
    [LORE_SKIP_NONE] = "",
    [LORE_SKIP_ALREADY_SELECTED] = "already_selected",
    [LORE_SKIP_ARCH_INCOMPATIBLE] = "arch_incompatible",
    [LORE_SKIP_FEATURE_UNAVAILABLE] = "feature_unavailable",
    [LORE_SKIP_CONDITION] = "skip_condition",
    [LORE_SKIP_NO_TRIGGER] = "no_trigger",
};

const char *
lore_skip_name(enum lore_skip s)
{
    return s < LORE_SKIP_COUNT ? skip_names[s] : "";
}

enum lore_skip
lore_skip_find(const char *name)
{
    enum lore_skip s = LORE_SKIP_ALREADY_SELECTED;

    while (s < LORE_SKIP_COUNT && !lore_streq(name, skip_names[s]))
        s++;
    return s;
}

static bool
same_metric(const struct lore_metric_def *a, const struct lore_metric_def *b)
{
    return a && b && (a == b || (a->canonical && lore_streq(a->canonical, b->canonical)));
}

/* The value of the trigger: under the registry's name, else under any name of that metric. */
static struct lore_f64
value_of(const struct lore_method_row *method, const struct lore_metrics *metrics)
{
    const struct lore_metric_def *want = lore_metric_find(method->trigger_metric);
    struct lore_f64 found = {0};

    if (!want)
        want = lore_metric_find(method->trigger_canonical);
    for (size_t i = 0; i < metrics->n; i++) {
        const struct lore_metric *m = &metrics->v[i];
        if (m->missing != LORE_MISS_NONE || !isfinite(m->value))
            continue;
        if (lore_streq(m->name, method->trigger_metric))
            return (struct lore_f64){true, m->value};
        if (!found.set && same_metric(want, lore_metric_find(m->name)))
            found = (struct lore_f64){true, m->value};
    }
    return found;
}

struct lore_f64
lore_method_trigger(const struct lore_method_row *method, const struct lore_metrics *metrics)
{
    bool high = lore_streq(method->trigger_direction, "high_is_bad");
    bool low = lore_streq(method->trigger_direction, "low_is_bad");
    double good = method->good.v, bad = method->bad.v;

    if (!method->trigger_metric || !method->good.set || !method->bad.set || !(high || low) ||
        (high ? !(bad > good) : !(bad < good)))
        return (struct lore_f64){0};
    struct lore_f64 value = value_of(method, metrics);
    if (!value.set)
        return value;
    return (struct lore_f64){true, fmax(0, fmin(1, (value.v - good) / (bad - good)))};
}

bool
lore_method_ids_have(const struct lore_method_ids *ids, const char *id)
{
    for (size_t i = 0; i < ids->n; i++) {
        if (lore_streq(ids->v[i], id))
            return true;
    }
    return false;
}

static bool
has_features(const struct lore_method_row *m, const struct lore_method_state *state)
{
    for (size_t i = 0; state->features_known && i < m->n_features; i++) {
        if (!lore_method_ids_have(&state->features, m->features[i]))
            return false;
    }
    return true;
}

static void
scan(const struct lore_method_state *state, struct lore_method_scan *s)
{
    const struct lore_method_row *m = s->method;

    s->note = "";
    s->strength = lore_method_trigger(m, &state->metrics);
    if (lore_method_ids_have(&state->selected, m->id) ||
        lore_method_ids_have(&state->ineffective, m->id) ||
        lore_method_ids_have(&state->implementation_failed, m->id)) {
        s->skip = LORE_SKIP_ALREADY_SELECTED;
    } else if (m->min_arch > state->sm) {
        s->skip = LORE_SKIP_ARCH_INCOMPATIBLE;
    } else if (!has_features(m, state)) {
        s->skip = LORE_SKIP_FEATURE_UNAVAILABLE;
    } else if (lore_method_ids_have(&state->skip, m->id)) {
        s->skip = LORE_SKIP_CONDITION;
    } else if (!s->strength.set) {
        s->skip = LORE_SKIP_NO_TRIGGER;
        s->note = "trigger not evaluated";
    } else if (s->strength.v <= 0) {
        s->skip = LORE_SKIP_NO_TRIGGER;
    }
}

static int
by_priority(const void *a, const void *b)
{
    const struct lore_method_row *x = ((const struct lore_method_scan *)a)->method;
    const struct lore_method_row *y = ((const struct lore_method_scan *)b)->method;

    if (x->priority != y->priority)
        return x->priority < y->priority ? -1 : 1;
    return (x > y) - (x < y);
}

static bool
is_coupled(const struct lore_method_registry *registry, const char *a, const char *b)
{
    for (size_t i = 0; i < registry->n_coupled; i++) {
        const struct lore_method_coupling *c = &registry->coupled[i];
        if ((lore_streq(c->a, a) && lore_streq(c->b, b)) ||
            (lore_streq(c->a, b) && lore_streq(c->b, a)))
            return true;
    }
    return false;
}

static bool
is_coupled_to_taken(const struct lore_method_registry *registry,
    const struct lore_method_selection *s, const char *id)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->v[i].taken && is_coupled(registry, s->v[i].method->id, id))
            return true;
    }
    return false;
}

/* The passing row with the strongest trigger, from FIRST on, that is not taken yet; NULL: none.
 * Also marks rows as skipped that are coupled to a taken one. */
static struct lore_method_scan *
strongest(
    const struct lore_method_registry *registry, struct lore_method_selection *s, size_t first)
{
    struct lore_method_scan *best = NULL;

    for (size_t i = first; i < s->n; i++) {
        struct lore_method_scan *row = &s->v[i];
        if (row->taken || row->skip != LORE_SKIP_NONE)
            continue;
        if (is_coupled_to_taken(registry, s, row->method->id)) {
            row->skip = LORE_SKIP_CONDITION;
            row->note = "coupled to a chosen method";
        } else if (!best || row->strength.v > best->strength.v) {
            best = row;
        }
    }
    return best;
}

/* Budget 1: the first that passes ends the scan. */
static void
take_first(
    const struct lore_method_registry *registry, struct lore_method_selection *s, size_t first)
{
    for (size_t i = first; i < s->n; i++) {
        struct lore_method_scan *row = &s->v[i];
        if (row->skip != LORE_SKIP_NONE)
            continue;
        if (is_coupled_to_taken(registry, s, row->method->id)) {
            row->skip = LORE_SKIP_CONDITION;
            row->note = "coupled to a chosen method";
            continue;
        }
        row->taken = true;
        s->n_taken++;
        s->n = i + 1;
        return;
    }
}

static void
take_strongest(const struct lore_method_registry *registry, struct lore_method_selection *s,
    size_t first, unsigned budget)
{
    struct lore_method_scan *row;

    for (unsigned k = 0; k < budget && (row = strongest(registry, s, first)); k++) {
        row->taken = true;
        s->n_taken++;
    }
    for (size_t i = first; i < s->n; i++) {
        if (!s->v[i].taken && s->v[i].skip == LORE_SKIP_NONE) {
            s->v[i].skip = LORE_SKIP_CONDITION;
            s->v[i].note = "weaker trigger than the chosen ones";
        }
    }
}

void
lore_methods_select(const struct lore_method_registry *registry,
    const struct lore_method_state *state, struct lore_arena *arena,
    struct lore_method_selection *out)
{
    *out =
        (struct lore_method_selection){.v = lore_alloc_array(arena, registry->n, sizeof *out->v)};
    for (int axis = 0; axis < LORE_AXIS_COUNT; axis++) {
        unsigned budget = state->budget[axis];
        size_t first = out->n;
        if (budget == 0)
            continue;
        for (size_t i = 0; i < registry->n; i++) {
            if ((int)registry->v[i].axis == axis)
                out->v[out->n++] = (struct lore_method_scan){.method = &registry->v[i]};
        }
        if (out->n == first)
            continue;
        qsort(out->v + first, out->n - first, sizeof *out->v, by_priority);
        for (size_t i = first; i < out->n; i++)
            scan(state, &out->v[i]);
        if (budget == 1)
            take_first(registry, out, first);
        else
            take_strongest(registry, out, first, budget < LORE_AXIS_CAP ? budget : LORE_AXIS_CAP);
    }
}
