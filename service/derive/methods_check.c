/* Validation of a submitted choice. Every broken rule gives one error. A method that is not in the
 * registry is only counted and checked for duplicates. */
#include "service/derive/methods_check.h"

#include <inttypes.h>

#include "service/base/text.h"

struct checking {
    const struct lore_method_registry *registry;
    const struct lore_method_state *state;
    const struct lore_method_submitted *methods;
    size_t n;
    struct lore_arena *arena;
    struct lore_method_errors *out;
};

static void
add(struct checking *c, const char *code, const char *method, const char *message)
{
    struct lore_method_error *e = LORE_PUSH(c->arena, c->out->v, c->out->n, c->out->cap);

    *e = (struct lore_method_error){code, method, message};
}

static const struct lore_method_row *
find(const struct checking *c, const char *id)
{
    for (size_t i = 0; i < c->registry->n; i++) {
        if (lore_streq(c->registry->v[i].id, id))
            return &c->registry->v[i];
    }
    return NULL;
}

static bool
is_submitted(const struct checking *c, const char *id)
{
    for (size_t i = 0; i < c->n; i++) {
        if (lore_streq(c->methods[i].id, id))
            return true;
    }
    return false;
}

static void
check_counts(struct checking *c)
{
    size_t sum = 0;

    for (int axis = 0; axis < LORE_AXIS_COUNT; axis++) {
        const char *name = lore_axis_name((enum lore_axis)axis);
        unsigned budget = c->state->budget[axis];
        size_t count = 0;
        for (size_t i = 0; i < c->n; i++)
            count += lore_streq(c->methods[i].axis, name);
        sum += budget;
        if (count != budget)
            add(c, "axis_count", NULL,
                lore_format(c->arena, "%s: %zu submitted, the budget is %u", name, count, budget));
        if (count > LORE_AXIS_CAP)
            add(c, "axis_cap", NULL,
                lore_format(c->arena, "%s: %zu submitted, at most %d", name, count, LORE_AXIS_CAP));
    }
    if (c->n != sum)
        add(c, "count", NULL,
            lore_format(c->arena, "%zu submitted, the budgets add up to %zu", c->n, sum));
}

static void
check_identity(
    struct checking *c, const struct lore_method_submitted *s, const struct lore_method_row *known)
{
    const char *axis = lore_axis_name(known->axis);

    if (!lore_streq(s->axis, axis))
        add(c, "axis", s->id,
            lore_format(c->arena, "axis is %s in the registry, not %s", axis,
                s->axis ? s->axis : "absent"));
    if (!s->priority.set)
        add(c, "priority", s->id,
            lore_format(
                c->arena, "priority is missing; the registry has %" PRId64, known->priority));
    else if (s->priority.v != known->priority)
        add(c, "priority", s->id,
            lore_format(c->arena, "priority is %" PRId64 " in the registry, not %" PRId64,
                known->priority, s->priority.v));
}

static void
check_possible(
    struct checking *c, const struct lore_method_submitted *s, const struct lore_method_row *known)
{
    if (known->min_arch > c->state->sm)
        add(c, "arch_incompatible", s->id,
            lore_format(c->arena, "needs architecture %" PRId64 ", the device has %" PRId64,
                known->min_arch, c->state->sm));
    for (size_t i = 0; c->state->features_known && i < known->n_features; i++) {
        if (!lore_method_ids_have(&c->state->features, known->features[i]))
            add(c, "feature_unavailable", s->id,
                lore_format(c->arena, "needs %s, which the device lacks", known->features[i]));
    }
}

static void
check_history(struct checking *c, const struct lore_method_submitted *s, bool allow_ineffective)
{
    bool ineffective = lore_method_ids_have(&c->state->ineffective, s->id);

    if (lore_method_ids_have(&c->state->implementation_failed, s->id))
        add(c, "implementation_failed", s->id, "its implementation failed before");
    if (ineffective && !allow_ineffective)
        add(c, "ineffective", s->id, "it was ineffective before");
    if (lore_method_ids_have(&c->state->selected, s->id) && !(ineffective && allow_ineffective))
        add(c, "already_selected", s->id, "it was selected before");
}

static const char *
skip_reason(const struct lore_method_submitted *s, const char *id, bool *listed)
{
    for (size_t i = 0; i < s->n_skipped; i++) {
        if (lore_streq(s->skipped_higher[i].id, id)) {
            *listed = true;
            return s->skipped_higher[i].reason;
        }
    }
    *listed = false;
    return NULL;
}

static void
check_priority_order(
    struct checking *c, const struct lore_method_submitted *s, const struct lore_method_row *known)
{
    for (size_t i = 0; i < c->registry->n; i++) {
        const struct lore_method_row *m = &c->registry->v[i];
        bool listed;
        if (m->axis != known->axis || m->priority >= known->priority || is_submitted(c, m->id))
            continue;
        const char *reason = skip_reason(s, m->id, &listed);
        if (!listed)
            add(c, "unjustified_skip", s->id,
                lore_format(c->arena,
                    "%s has a higher priority and is neither submitted nor skipped", m->id));
        else if (lore_skip_find(reason) == LORE_SKIP_COUNT)
            add(c, "skip_reason", s->id,
                lore_format(c->arena, "%s is skipped for an unknown reason: %s", m->id,
                    reason ? reason : ""));
    }
}

static void
check_pairs(struct checking *c)
{
    for (size_t i = 0; i < c->n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (lore_streq(c->methods[i].id, c->methods[j].id)) {
                add(c, "duplicate", c->methods[i].id, "submitted twice");
                break;
            }
        }
    }
    for (size_t i = 0; i < c->registry->n_coupled; i++) {
        const struct lore_method_coupling *pair = &c->registry->coupled[i];
        if (is_submitted(c, pair->a) && is_submitted(c, pair->b))
            add(c, "coupled_pair", pair->a,
                lore_format(c->arena, "%s and %s are coupled: submit only one", pair->a, pair->b));
    }
}

void
lore_methods_validate(const struct lore_method_registry *registry,
    const struct lore_method_state *state, const struct lore_method_choice *choice,
    struct lore_arena *arena, struct lore_method_errors *out)
{
    struct checking c = {registry, state, choice->v, choice->n, arena, out};

    *out = (struct lore_method_errors){0};
    check_counts(&c);
    check_pairs(&c);
    for (size_t i = 0; i < choice->n; i++) {
        const struct lore_method_row *known = find(&c, choice->v[i].id);
        if (!known) {
            add(&c, "unknown_method", choice->v[i].id, "not in the registry");
            continue;
        }
        check_identity(&c, &choice->v[i], known);
        check_possible(&c, &choice->v[i], known);
        check_history(&c, &choice->v[i], choice->allow_ineffective);
        check_priority_order(&c, &choice->v[i], known);
    }
}
