/* Select the methods of the next iteration by the rules of service/derive/methods.h. GET
 * /api/v1/methods/validate checks a caller's choice by the same rules. The registry is the
 * catalogue's. The caller gives earlier results as parameters, because an iteration in progress is
 * not stored yet. Nothing is stored here. */
#include "service/api/api_methods.h"

#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/catalogue/technique_info.h"
#include "service/derive/methods_check.h"

#define SELECTION "method-selection@1"

struct lore_choice_in {
    struct lore_method_registry registry;
    struct lore_method_state state;
    bool has_budget, given; /* given: by the caller, else from the gaps */
    struct lore_gaps gaps;
};

static struct lore_method_ids
list_of(const struct lore_req *req, const char *name)
{
    return lore_methods_features(req->arena, lore_arg_text(req, name, NULL));
}

/* "1,2,0": compute, memory, latency. */
static enum lore_status
read_budget(const struct lore_req *req, struct lore_choice_in *in, struct lore_err *err)
{
    struct lore_method_ids parts = list_of(req, "budget");

    if (parts.n == 0)
        return LORE_OK;
    for (size_t i = 0; i < parts.n && i < LORE_AXIS_COUNT; i++) {
        const char *p = parts.v[i];

        if (p[0] < '0' || p[0] > '3' || p[1] != '\0')
            return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "budget",
                "budget: %.20s is not a number of methods, 0 to 3", p);
        in->state.budget[i] = (unsigned)(p[0] - '0');
    }
    if (parts.n != LORE_AXIS_COUNT)
        return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "budget",
            "budget: expected compute,memory,latency, such as 1,1,1");
    in->has_budget = in->given = true;
    return LORE_OK;
}

static void
budget_of_gaps(const struct lore_run *run, struct lore_choice_in *in, struct lore_arena *arena)
{
    struct lore_axis_budget b;
    bool degraded = run->error.set && lore_streq(run->error.type, "profiling");

    lore_roofline_gaps(&run->metrics, degraded, LORE_GAPS_STRICT, arena, &in->gaps);
    if (in->given || !lore_axis_budget_of(&in->gaps, &b))
        return;
    in->state.budget[LORE_AXIS_COMPUTE] = (unsigned)b.compute;
    in->state.budget[LORE_AXIS_MEMORY] = (unsigned)b.memory;
    in->state.budget[LORE_AXIS_LATENCY] = (unsigned)b.latency;
    in->has_budget = true;
}

/* A chip that is not NVIDIA's has no sm: only methods for any architecture pass. */
static void
read_chip(const struct lore_chip *chip, struct lore_choice_in *in, struct lore_arena *arena)
{
    const char *features = !chip ? NULL : lore_technique_isa_features(chip->isa, NULL);

    if (chip && lore_starts(chip->isa, "sm_"))
        for (const char *p = chip->isa + 3; *p >= '0' && *p <= '9'; p++)
            in->state.sm = in->state.sm * 10 + (*p - '0');
    in->state.features_known = features != NULL;
    in->state.features = lore_methods_features(arena, features);
}

enum lore_status
lore_methods_choice_read(const struct lore_req *req, const struct lore_run *run,
    struct lore_choice_in **out, struct lore_err *err)
{
    struct lore_choice_in *in = lore_alloc_array(req->arena, 1, sizeof *in);
    const struct lore_chip *chip = NULL;
    enum lore_status status = read_budget(req, in, err);

    if (status == LORE_OK)
        status = lore_params_chip(req, &chip, err);
    if (status != LORE_OK)
        return status;
    if (!chip && run && run->chip)
        chip = lore_chip_find(run->chip);
    lore_methods_catalogue(req->arena, &in->registry);
    read_chip(chip, in, req->arena);
    in->state.selected = list_of(req, "selected");
    in->state.ineffective = list_of(req, "ineffective");
    in->state.implementation_failed = list_of(req, "failed");
    in->state.skip = list_of(req, "skip");
    if (run) {
        in->state.metrics = run->metrics;
        budget_of_gaps(run, in, req->arena);
    }
    *out = in;
    return LORE_OK;
}

#define ROW struct lore_choice_made
static const struct lore_object_member choice[] = {
    {"!algorithm", AT(algorithm)},
    {"!budget", POINTER(budget, lore_axis_budget_object)},
    {"!budget_from", AT(budget_from), "given|gaps|unknown"},
};
static const struct lore_object choice_made = LORE_OBJECT("", choice);
#undef ROW

static struct lore_choice_made
choice_of(const struct lore_choice_in *in, struct lore_arena *arena)
{
    struct lore_axis_budget b = {(int)in->state.budget[LORE_AXIS_COMPUTE],
        (int)in->state.budget[LORE_AXIS_MEMORY], (int)in->state.budget[LORE_AXIS_LATENCY]};

    return (struct lore_choice_made){.algorithm = SELECTION,
        .budget = in->has_budget ? lore_memdup(arena, &b, sizeof b) : NULL,
        .budget_from = in->given        ? "given"
                       : in->has_budget ? "gaps"
                                        : "unknown"};
}

#define ROW struct lore_scanned_method
static const struct lore_object_member scan[] = {
    {"!method", AT(m.id)},
    {"!technique", AT(technique)},
    {"!axis", NAMED(m.axis, lore_axis_name)},
    {"!priority", AT(m.priority)},
    {"strength", AT(strength)},
    {"reason", AT(reason), NULL, "why it was skipped"},
    {"note", AT(note)},
};
static const struct lore_object lore_scanned_method_object = LORE_OBJECT("MethodScan", scan);
#undef ROW

#define ROW struct lore_selection
static const struct lore_object_member selection[] = {
    {"", MEMBERS(choice, choice_made)},
    {"!gaps", OBJECT(gaps, lore_gaps_object)},
    {"!chosen", LIST(chosen, n_chosen, lore_scanned_method_object)},
    {"!skipped", LIST(skipped, n_skipped, lore_scanned_method_object)},
};
const struct lore_object lore_selection_object = LORE_OBJECT("MethodSelection", selection);
#undef ROW

static struct lore_scanned_method
scanned(const struct lore_method_scan *s)
{
    const struct lore_ranked_method *m = lore_method_find(s->method->id);

    return (struct lore_scanned_method){.m = *s->method,
        .technique = m != NULL ? m->slug : s->method->id,
        .strength = s->strength,
        .reason = s->taken ? NULL : lore_skip_name(s->skip),
        .note = s->taken ? NULL : s->note};
}

struct lore_selection *
lore_methods_choice_select(const struct lore_choice_in *in, struct lore_arena *arena)
{
    struct lore_selection *out = lore_alloc(arena, sizeof *out);
    struct lore_method_selection s = {0};

    if (in->has_budget)
        lore_methods_select(&in->registry, &in->state, arena, &s);
    out->choice = choice_of(in, arena);
    out->gaps = in->gaps;
    out->chosen = lore_alloc_array(arena, s.n + 1, sizeof *out->chosen);
    out->skipped = lore_alloc_array(arena, s.n + 1, sizeof *out->skipped);
    for (size_t i = 0; i < s.n; i++) {
        if (s.v[i].taken)
            out->chosen[out->n_chosen++] = scanned(&s.v[i]);
        else
            out->skipped[out->n_skipped++] = scanned(&s.v[i]);
    }
    return out;
}

/* Collect skipped methods with reasons: those in parameter `skipped` ("id:reason") and, if SCANNED,
 * those that the selection for the run skips. */
static void
read_skipped(const struct lore_req *req, const struct lore_choice_in *in, bool scanned,
    struct lore_method_submitted *all)
{
    struct lore_method_ids given = list_of(req, "skipped");
    struct lore_method_skipped *v = NULL;
    struct lore_method_selection s = {0};
    size_t n = 0, cap = 0;

    for (size_t i = 0; i < given.n; i++) {
        const char *colon = strchr(given.v[i], ':');
        size_t len = colon != NULL ? (size_t)(colon - given.v[i]) : strlen(given.v[i]);

        *LORE_PUSH(req->arena, v, n, cap) = (struct lore_method_skipped){
            lore_strndup(req->arena, given.v[i], len), colon != NULL ? colon + 1 : NULL};
    }
    if (scanned)
        lore_methods_select(&in->registry, &in->state, req->arena, &s);
    for (size_t i = 0; i < s.n; i++)
        if (!s.v[i].taken)
            *LORE_PUSH(req->arena, v, n, cap) =
                (struct lore_method_skipped){s.v[i].method->id, lore_skip_name(s.v[i].skip)};
    all->skipped_higher = v;
    all->n_skipped = n;
}

/* "id", "id:axis" or "id:axis:priority"; missing parts come from the registry. */
static struct lore_method_submitted
submitted(const struct lore_req *req, const char *text)
{
    const char *axis = strchr(text, ':');
    const char *priority = axis != NULL ? strchr(axis + 1, ':') : NULL;
    struct lore_method_submitted out = {0};
    const struct lore_ranked_method *known;
    struct lore_err ignored = {0};
    long long p;

    out.id = !axis ? text : lore_strndup(req->arena, text, (size_t)(axis - text));
    known = lore_method_find(out.id);
    if (known) {
        out.axis = known->axis;
        out.priority = (struct lore_i64){true, known->priority};
    }
    if (axis)
        out.axis = !priority ? axis + 1
                             : lore_strndup(req->arena, axis + 1, (size_t)(priority - axis - 1));
    if (priority) {
        bool number = lore_parse_i64(priority + 1, "priority", &p, &ignored) == LORE_OK;

        out.priority = number ? (struct lore_i64){true, p} : (struct lore_i64){0};
    }
    return out;
}

#define ROW struct lore_method_error
static const struct lore_object_member error[] = {
    {"!code", AT(code)},
    {"method", AT(method)},
    {"!message", AT(message)},
};
static const struct lore_object lore_method_error_object = LORE_OBJECT("MethodError", error);
#undef ROW

struct checked {
    bool ok;
    struct lore_choice_made choice;
    struct lore_method_errors errors;
};
#define ROW struct checked
static const struct lore_object_member checked[] = {
    {"!ok", AT(ok)},
    {"", MEMBERS(choice, choice_made)},
    {"!errors", LIST(errors.v, errors.n, lore_method_error_object)},
};
const struct lore_object lore_methods_checked_object = LORE_OBJECT("MethodsChecked", checked);
#undef ROW

enum { MOST_METHODS = 32 };

/* Require a budget and 1 to MOST_METHODS methods. */
static enum lore_status
check_choice(const struct lore_choice_in *in, bool has_run, size_t n, struct lore_err *err)
{
    if (n == 0)
        return lore_fail_at(err, LORE_INVALID, "missing_parameter", "methods",
            "methods: required: ids of methods, comma-separated");
    if (n > MOST_METHODS)
        return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "methods",
            "methods: %zu, at most %d", n, MOST_METHODS);
    if (in->has_budget)
        return LORE_OK;
    return lore_fail_at(err, LORE_INVALID, "missing_parameter", "budget",
        has_run ? "budget: required, because a gap of the run is unknown: compute,memory,latency, "
                  "such as 1,1,1"
                : "budget: required without a run: compute,memory,latency, such as 1,1,1");
}

enum lore_status
lore_api_methods_validate(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const char *id = lore_arg_text(req, "run", NULL);
    struct lore_method_ids ids = list_of(req, "methods");
    struct checked x = {0};
    struct lore_method_submitted all = {0}, *v = NULL;
    struct lore_choice_in *in = NULL;
    struct lore_run_row run = {0};
    enum lore_status status = LORE_OK;

    if (id)
        status = lore_db_get_run(req->db, id, req->arena, &run, err);
    if (status == LORE_OK)
        status = lore_methods_choice_read(req, id != NULL ? &run.r : NULL, &in, err);
    if (status == LORE_OK)
        status = check_choice(in, id != NULL, ids.n, err);
    if (status != LORE_OK)
        return status;
    read_skipped(req, in, id != NULL, &all);
    v = lore_alloc_array(req->arena, ids.n, sizeof *v);
    for (size_t i = 0; i < ids.n; i++) {
        v[i] = submitted(req, ids.v[i]);
        v[i].skipped_higher = all.skipped_higher;
        v[i].n_skipped = all.n_skipped;
    }
    const struct lore_method_choice chosen = {
        v, ids.n, lore_arg_bool(req, "allow_ineffective", false)};
    lore_methods_validate(&in->registry, &in->state, &chosen, req->arena, &x.errors);
    x.ok = x.errors.n == 0;
    x.choice = choice_of(in, req->arena);
    return lore_reply_object(resp, &lore_methods_checked_object, &x, err);
}
