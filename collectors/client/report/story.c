/* Fetches a kernel's story. The history gives order, workload and speedups; the full form of each
 * record gives the members that a history row lacks. */
#include "collectors/client/report/story.h"

#include <string.h>

#include "collectors/client/report/quantity.h"
#include "collectors/client/report/sheet.h"
#include "service/base/text.h"

static enum lore_status
one(const struct lore_story *s, const char *noun, const char *id, const struct lore_json **out,
    struct lore_err *err)
{
    if (!id)
        return LORE_OK;
    return lore_fetch_one(
        s->fetch, lore_format(s->fetch->arena, "/api/v1/%s/%s", noun, id), out, err);
}

static const char *
label_of(struct lore_arena *arena, const struct lore_json *version)
{
    const char *label = lore_fetch_text(version, "label"), *tag = lore_fetch_text(version, "tag");
    double ordinal = 0;

    if (label)
        return lore_sheet_line(arena, label, false);
    if (lore_fetch_number(version, "ordinal", &ordinal))
        return lore_format(arena, "v%.0f", ordinal);
    return tag ? lore_sheet_line(arena, tag, false) : lore_fetch_text(version, "id");
}

static double
number(const struct lore_json *row, const char *key)
{
    double v = 0;

    return lore_fetch_number(row, key, &v) && v > 0 ? v : 0;
}

static void
read_row(const struct lore_story *s, const struct lore_json *row, struct lore_story_step *t)
{
    const struct lore_json *version = lore_fetch_object(row, "version");
    const char *kind = lore_fetch_text(version, "kind");

    *t = (struct lore_story_step){.row = row,
        .version = version,
        .id = lore_fetch_text(version, "id"),
        .label = label_of(s->fetch->arena, version),
        .baseline = lore_fetch_bool(row, "baseline"),
        .champion = lore_fetch_bool(row, "champion"),
        .hidden = lore_fetch_bool(row, "hidden"),
        .ablation = lore_streq(kind, "ablation"),
        .library = lore_streq(kind, "library"),
        .time_ns = number(row, "time_ns"),
        .vs_first = number(row, "speedup_vs_first"),
        .vs_parent = number(row, "speedup_vs_parent"),
        .vs_best = number(row, "speedup_vs_best_before"),
        .edge = lore_fetch_text(lore_fetch_first(version, "parents"), "kind")};
    const char *why = lore_fetch_text(row, "hidden_why");
    t->shown = t->hidden ? lore_format(s->fetch->arena, "%s (%s)", t->label, why ? why : "masked")
                         : t->label;
}

static enum lore_status
ask_step(const struct lore_story *s, struct lore_story_step *t, struct lore_err *err)
{
    const struct lore_json *whole = NULL;
    const char *path =
        lore_format(s->fetch->arena, "/api/v1/versions/%s/verifications?cursor=", t->id);
    enum lore_status status = one(s, "versions", t->id, &whole, err);

    t->version = whole ? whole : t->version;
    if (status == LORE_OK)
        status = one(s, "experiments",
            lore_fetch_text(lore_fetch_object(t->row, "experiment"), "id"), &t->x, err);
    if (status == LORE_OK)
        status =
            one(s, "runs", lore_fetch_text(lore_fetch_object(t->row, "run"), "id"), &t->run, err);
    if (status == LORE_OK)
        status = one(s, "environments", lore_fetch_text(t->run, "environment"), &t->env, err);
    if (status == LORE_OK)
        status = lore_fetch_all(s->fetch, path, &t->verifications, err);
    if (status == LORE_OK)
        status = lore_fetch_all(s->fetch,
            lore_format(s->fetch->arena, "/api/v1/runs?version=%s", t->id), &t->runs, err);
    if (status == LORE_OK && t->run)
        status = lore_fetch_one(s->fetch,
            lore_format(
                s->fetch->arena, "/api/v1/runs/%s/diagnosis", lore_fetch_text(t->run, "id")),
            &t->diagnosis, err);
    return status;
}

static enum lore_status
ask_steps(struct lore_story *s, const struct lore_json *history, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (const struct lore_json *r = lore_fetch_first(history, "rows"); r && status == LORE_OK;
         r = r->next) {
        struct lore_story_step *t = LORE_PUSH(s->fetch->arena, s->steps, s->n, s->cap);
        read_row(s, r, t);
        status = ask_step(s, t, err);
    }
    s->baseline = s->champion = s->n;
    for (size_t i = 0; i < s->n; i++) {
        if (s->steps[i].baseline)
            s->baseline = i;
        if (s->steps[i].champion)
            s->champion = i;
    }
    return status;
}

/* Times on another product, or under other hard conditions, do not compare with the baseline. */
static const char *
why_not_comparable(
    struct lore_arena *arena, const struct lore_story_step *base, const struct lore_story_step *t)
{
    const char *chip = lore_fetch_text(t->run, "chip"), *first = lore_fetch_text(base->run, "chip");
    const char *hard = lore_fetch_text(t->env, "hard_hash"),
               *hard_first = lore_fetch_text(base->env, "hard_hash");

    if (chip && first && strcmp(chip, first) != 0)
        return lore_format(arena, "timed on %s, %s on %s", chip, base->label, first);
    if (hard && hard_first && strcmp(hard, hard_first) != 0)
        return lore_format(arena, "timed in another environment than %s", base->label);
    return NULL;
}

static void
relate(struct lore_story *s)
{
    for (size_t i = 0; i < s->n; i++) {
        struct lore_story_step *t = &s->steps[i];
        const char *parent = lore_fetch_text(lore_fetch_first(t->version, "parents"), "version");

        if (parent)
            t->parent = lore_story_label(s, parent);
        if (s->baseline < s->n && i != s->baseline)
            t->not_comparable = why_not_comparable(s->fetch->arena, &s->steps[s->baseline], t);
    }
}

/* Experiments that are not the origin of a step: those that failed before there was a version,
 * or were repeated. */
static enum lore_status
ask_other_experiments(struct lore_story *s, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < s->experiments.n && status == LORE_OK; i++) {
        const struct lore_json *x = NULL;
        const char *id = lore_fetch_text(s->experiments.v[i], "id");
        bool is_step = false;
        for (size_t k = 0; k < s->n; k++)
            is_step |= lore_streq(lore_fetch_text(s->steps[k].x, "id"), id);
        if (!is_step)
            status = one(s, "experiments", id, &x, err);
        if (x)
            *LORE_PUSH(s->fetch->arena, s->other_experiments.v, s->other_experiments.n,
                s->other_experiments.cap) = x;
    }
    return status;
}

static enum lore_status
ask_related(struct lore_story *s, struct lore_err *err)
{
    struct lore_arena *a = s->fetch->arena;
    struct lore_fetched newest = {0};
    enum lore_status status = lore_fetch_all(
        s->fetch, lore_format(a, "/api/v1/experiments?kernel=%s", s->kernel_id), &newest, err);

    for (size_t i = newest.n; i > 0; i--)
        *LORE_PUSH(a, s->experiments.v, s->experiments.n, s->experiments.cap) = newest.v[i - 1];
    if (status == LORE_OK)
        status = ask_other_experiments(s, err);
    if (status == LORE_OK)
        status = lore_fetch_all(s->fetch,
            lore_format(a, "/api/v1/campaigns?kernel=%s", s->kernel_id), &s->campaigns, err);
    if (status == LORE_OK)
        status = lore_fetch_all(s->fetch,
            lore_format(a, "/api/v1/directions?kernel=%s", s->kernel_id), &s->directions, err);
    if (status == LORE_OK)
        status = lore_fetch_all(s->fetch,
            lore_format(a, "/api/v1/curations?action=restart&subject=%s", s->kernel_id),
            &s->restarts, err);
    for (size_t i = 0; i < s->campaigns.n && status == LORE_OK; i++)
        status = lore_fetch_all(s->fetch,
            lore_format(a, "/api/v1/curations?action=close&subject=%s",
                lore_fetch_text(s->campaigns.v[i], "id")),
            &s->closings, err);
    return status;
}

/* The chip of the first timed version, and how the bottleneck drifted. */
static enum lore_status
ask_hardware(struct lore_story *s, struct lore_err *err)
{
    struct lore_arena *a = s->fetch->arena;
    const char *chip = NULL;

    for (size_t i = 0; i < s->n && !chip; i++)
        chip = lore_fetch_text(s->steps[i].run, "chip");
    for (size_t i = 0; i < s->experiments.n && !chip; i++)
        chip = lore_fetch_text(s->experiments.v[i], "chip");
    enum lore_status status =
        chip ? one(s, "chips", lore_fetch_escape(a, chip), &s->chip, err) : LORE_OK;
    if (status != LORE_OK)
        return status;
    return lore_fetch_one(s->fetch,
        lore_format(a, "/api/v1/kernels/%s/drift%s%s", s->kernel_id,
            s->workload_id ? "?workload=" : "", s->workload_id ? s->workload_id : ""),
        &s->drift, err);
}

enum lore_status
lore_story_read(const struct lore_fetch *fetch, const char *kernel, const char *workload,
    struct lore_story *out, struct lore_err *err)
{
    struct lore_story s = {.fetch = fetch, .kernel_id = kernel};
    const struct lore_json *history = NULL;
    const char *path = lore_format(fetch->arena, "/api/v1/kernels/%s/history%s%s", kernel,
        workload ? "?workload=" : "", workload ? lore_fetch_escape(fetch->arena, workload) : "");
    enum lore_status status = one(&s, "kernels", kernel, &s.kernel, err);

    if (status == LORE_OK && !s.kernel)
        status = lore_fail(err, LORE_NOTFOUND, "%s: no such kernel", kernel);
    if (status == LORE_OK)
        status = lore_fetch_one(fetch, path, &history, err);
    if (status == LORE_OK && !history)
        status = lore_fail(err, LORE_NOTFOUND, "%s: the service has no history", kernel);
    if (status == LORE_OK)
        status = ask_steps(&s, history, err);
    s.workload = lore_fetch_text(history, "workload_label");
    s.workload_id = lore_fetch_text(history, "workload");
    if (status == LORE_OK)
        status = ask_related(&s, err);
    if (status == LORE_OK)
        status = ask_hardware(&s, err);
    if (status != LORE_OK)
        return status;
    if (s.workload_id && !s.workload)
        s.workload = s.workload_id;
    s.title = lore_format(fetch->arena, "%s [%s]", lore_fetch_text(s.kernel, "operator"),
        lore_fetch_text(s.kernel, "language"));
    relate(&s);
    *out = s;
    return LORE_OK;
}

/* ---- accessors ---- */

bool
lore_story_shows(const struct lore_story_step *s)
{
    return !s->ablation && !s->library;
}

const char *
lore_story_label(const struct lore_story *s, const char *id)
{
    for (size_t i = 0; i < s->n; i++)
        if (lore_streq(s->steps[i].id, id))
            return s->steps[i].label;
    return id;
}

const struct lore_json *
lore_story_hypothesis(const struct lore_story_step *s)
{
    const struct lore_json *row = lore_fetch_object(s->x, "hypothesis_record");

    return lore_fetch_object(row, "record") ? lore_fetch_object(row, "record") : row;
}

const char *
lore_story_no_time(const struct lore_story *story, const struct lore_story_step *s)
{
    const char *error = lore_fetch_text(s->row, "error_type");

    if (s->not_comparable)
        return s->not_comparable;
    if (error)
        return lore_report_say_failure(story->fetch->arena, error);
    return s->run ? "not measured in its run" : "not timed on this workload";
}

const char *
lore_story_checked(const struct lore_story_step *s)
{
    const char *run = lore_fetch_text(s->run, "correctness");
    const char *x = lore_fetch_text(lore_fetch_object(s->x, "outcome"), "correctness");

    if (run && strcmp(run, "not_checked") != 0)
        return run;
    return x && strcmp(x, "not_checked") != 0 ? x : NULL;
}

static const char *
also(struct lore_arena *a, const char *all, const char *labels, const char *who)
{
    const char *one = labels ? lore_format(a, "%s (%s)", labels, who) : NULL;

    return all && one ? lore_format(a, "%s; %s", all, one) : one ? one : all;
}

const char *
lore_story_bottleneck(const struct lore_story *story, const struct lore_story_step *s)
{
    struct lore_arena *a = story->fetch->arena;
    const char *all = NULL;

    for (const struct lore_json *r = lore_fetch_first(s->diagnosis, "rule_sets"); r; r = r->next)
        all = also(a, all, lore_fetch_list(a, lore_json_get(r, "labels"), NULL, "+"),
            lore_fetch_text(r, "name") ? lore_fetch_text(r, "name") : "a rule set");
    all = also(a, all, lore_fetch_list(a, lore_json_get(s->run, "labels"), NULL, "+"), "recorded");
    for (size_t i = 0; i < story->experiments.n; i++) {
        const struct lore_json *x = story->experiments.v[i];
        const char *labels = lore_fetch_stated_labels(a, x);
        if (labels && !lore_fetch_bool(x, "masked") &&
            lore_streq(lore_fetch_text(x, "from_version"), s->id))
            return also(a, all, labels, "declared");
    }
    return all;
}
