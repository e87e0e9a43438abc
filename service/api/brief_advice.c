/* The sections of a brief about what to do: what to try, what to check. Dead ends are in
 * brief_dead.c. */
#include <math.h>
#include <string.h>

#include "service/api/brief_say.h"
#include "service/base/duration.h"
#include "service/base/text.h"
#include "service/derive/outcome.h"

enum {
    NEXT = 3,
    STARTS = 2,       /* configurations */
    IDEAS = 2,        /* recorded directions */
    PARAMETERS = 220, /* bytes of parameters */
};
#define LEAST_GAIN 1.02 /* expected of a configuration that is worth a measurement */
#define APART 1.39      /* ln 4: an interval of gains that is wider says nothing */
#define WIDE 0.6        /* a wider interval of a forecast says nothing */

/* ---- what to try ---- */

/* "Wins 68 % (42-88 %), expect 1.13x (1.02-1.30x)."; a wide interval says nothing. */
const char *
lore_brief_odds(struct saying *s, const struct lore_advice *a)
{
    const struct lore_interval p = a->p_win, g = a->gain;

    if (a->hardly_known)
        return "Odds hardly known.";
    if (g.high - g.low > APART)
        return lore_format(
            s->arena, "Wins %.0f %% (%.0f-%.0f %%).", p.value * 100, p.low * 100, p.high * 100);
    return lore_format(s->arena, "Wins %.0f %% (%.0f-%.0f %%), expect %s (%.2f-%.2fx).",
        p.value * 100, p.low * 100, p.high * 100, lore_factor_text(s->arena, exp(g.value)),
        exp(g.low), exp(g.high));
}

/* "memory.async_copy: Copy from global to shared memory. ": a technique and what it does. */
static const char *
what_text(struct saying *s, const struct lore_advice *a)
{
    const char *recipe = lore_recommend_recipe(s->f->req, &s->f->x.question, a->technique);

    return lore_format(s->arena, "%s: %s%s", a->technique, recipe ? recipe : "", recipe ? " " : "");
}

/* Whether E started from a version that had TECHNIQUE: it changed it and did not add it. */
static bool
was_there(const struct saying *s, const struct lore_experiment_row *e, const char *technique)
{
    struct lore_line line = {0};
    struct lore_err ignored;

    if (!e->e.from_version || e->e.claim.base == LORE_BASE_LIBRARY ||
        lore_line_load_id(s->f->req->db, e->e.from_version, s->arena, &line, &ignored) != LORE_OK)
        return false;
    for (size_t i = 0; i < line.n; i++)
        if (!line.v[i]->out && line.v[i]->known & ~(unsigned)LORE_KNOWN_SUMMARY &&
            lore_streq(line.v[i]->name, technique))
            return true;
    return false;
}

/* " (the same change brought launch.more_parallelism)": what E did besides TECHNIQUE. */
static const char *
besides_text(struct saying *s, const struct lore_experiment_row *e, const char *technique)
{
    const char *text = "";

    for (size_t i = 0; i < e->e.n_techniques; i++)
        if (!lore_streq(e->e.techniques[i].name, technique) &&
            !lore_technique_is_placeholder(e->e.techniques[i].name))
            text = lore_format(s->arena, "%s%s%s", text,
                *text ? ", " : " (the same change brought ", e->e.techniques[i].name);
    return *text ? lore_format(s->arena, "%s)", text) : "";
}

static enum lore_status
say_advice(struct saying *s, const struct lore_advice *a, size_t rank, const char **before,
    struct lore_err *err)
{
    const char *look = "";
    struct lore_witness w = {0};
    enum lore_status status = lore_recommend_witness(s->f->req, s->f->x.question.op, a, &w, err);

    if (status != LORE_OK)
        return status;
    const char *cite = !w.of ? "" : w.of->experiment;
    const char *range = w.of ? lore_brief_range(s, w.of->experiment) : NULL, *besides = "";
    struct lore_experiment_row *e = lore_alloc(s->arena, sizeof *e);
    struct lore_err ignored;
    bool there = false;
    if (w.of &&
        lore_db_get_experiment(s->f->req->db, w.of->experiment, s->arena, e, &ignored) == LORE_OK) {
        there = was_there(s, e, a->technique);
        besides = besides_text(s, e, a->technique);
    }
    if (w.version.v.id)
        cite = lore_format(s->arena, "%s, %s", lore_brief_cite(s, &w.version), cite);
    if (w.of && lore_streq(w.of->experiment, *before))
        look = lore_format(s->arena, " In the same experiment as the one above [%s].", *before);
    else if (w.of)
        look = lore_format(s->arena, " Look at %s%s%s%s%s%s%s [%s].",
            w.version.v.id ? lore_brief_name(s, &w.version) : w.of->op,
            w.version.v.id && !lore_streq(w.of->op, s->f->x.question.op)
                ? lore_format(s->arena, " (%s)", w.of->op)
                : "",
            w.of->chip ? " on " : "", w.of->chip ? w.of->chip : "", w.of->speedup > 0 ? ", " : "",
            range               ? range
            : w.of->speedup > 0 ? lore_factor_text(s->arena, w.of->speedup)
                                : "",
            besides, cite);
    else if (a->n_cited > 0)
        look = lore_format(s->arena, " [%s]", a->cited[0].experiment);
    *before = w.of ? w.of->experiment : NULL;
    SAY(s, LORE_BRIEF_NEXT, "%zu. %s%s %s%s%s", rank, what_text(s, a),
        lore_brief_why(s, a, range, w.of ? w.of->speedup : 0), lore_brief_odds(s, a),
        there ? " That gain is of a change to it: the version before had it already." : "", look);
    return LORE_OK;
}

/* Whether the experiment that C cites is of this kernel and ended no faster than the version that
 * the brief is about: it gained from a slower start. */
static bool
is_from_slower_start(const struct saying *s, const struct lore_cited *c)
{
    const struct lore_history *h = &s->f->history;
    const struct lore_history_version *at = s->f->at;

    for (size_t i = 0; at && at->time_ns > 0 && i < h->line.n; i++) {
        const struct lore_history_version *t = &h->entries[i];
        for (size_t k = 0; !t->elsewhere && t != at && k < t->n_made; k++)
            if (lore_streq(t->made[k]->e.id, c->experiment))
                return t->time_ns > at->time_ns * LORE_BRIEF_SHARE;
    }
    return false;
}

/* Whether every win of A gained from a slower start, so that none shows a gain over the version. */
static bool
is_surpassed(const struct saying *s, const struct lore_advice *a)
{
    size_t surpassed = 0;

    for (size_t i = 0; i < a->n_cited; i++)
        surpassed += a->cited[i].effect == LORE_X_WIN && is_from_slower_start(s, &a->cited[i]);
    return a->won > 0 && surpassed == a->won;
}

/* A technique that the bottleneck calls for and nobody tried. */
static void
say_untried(struct saying *s, const struct lore_advice *a, size_t rank)
{
    SAY(s, LORE_BRIEF_NEXT, "%zu. %sNever tried here.", rank, what_text(s, a));
}

/* Whether each attempt here at TECHNIQUE that ended did not compile; *ID becomes the newest. */
static bool
never_built(const struct saying *s, const char *technique, const char **id)
{
    const struct lore_attempts *all = &s->f->x.start.tried;

    *id = NULL;
    for (size_t i = 0; i < all->n; i++)
        for (size_t k = 0; k < all->v[i].idea.n_uses; k++) {
            if (!lore_streq(all->v[i].idea.uses[k].technique, technique) ||
                all->v[i].end == LORE_ATTEMPT_PENDING)
                continue;
            if (all->v[i].end != LORE_ATTEMPT_NOT_BUILT)
                return false;
            *id = all->v[i].id;
        }
    return *id != NULL;
}

/* Advice that repeats failures of which none got as far as running. */
static size_t
say_never_built(struct saying *s)
{
    const struct lore_answer *a = &s->f->x.answer;
    const struct lore_start_answer *start = &s->f->x.start;
    const char *id;
    size_t n = 0;

    for (size_t i = 0; start->repeats && i < a->n_advice && n < NEXT; i++)
        if (start->repeats[i] && lore_recommend_pays(&a->advice[i]) &&
            never_built(s, a->advice[i].technique, &id)) {
            SAY(s, LORE_BRIEF_NEXT,
                "%s was tried here only without success in compiling, so what it brings is not "
                "known [%s].",
                a->advice[i].technique, id);
            n++;
        }
    return n;
}

/* No idea fits: what to do then. OTHER: ideas were named that never compiled. */
static void
say_no_idea(struct saying *s, bool other)
{
    const struct lore_answer *a = &s->f->x.answer;
    enum lore_about_by by = s->f->x.start.about.by;
    const char *step = a->first_step ? a->first_step
                       : by == LORE_ABOUT_OTHER_CHIP || by == LORE_ABOUT_OTHER_SHAPE
                           ? "Measure it here first."
                           : "";

    if (s->better)
        SAY(s, LORE_BRIEF_NEXT,
            "No single stored idea that fits is expected to beat this version. %s %s%s what it has "
            "and this one has not.%s%s",
            s->may_start ? "Start from" : "Take over from", s->better,
            s->may_start ? ", or take over" : "", *step ? " " : "", step);
    else if (a->stop)
        lore_brief_add(s, LORE_BRIEF_NEXT, a->stop);
    else if (s->f->x.start.tried.n == 0)
        SAY(s, LORE_BRIEF_NEXT, "No stored idea that fits is expected to gain here.%s%s",
            *step ? " " : "", step);
    else
        SAY(s, LORE_BRIEF_NEXT,
            "Each %sidea that fits was tried on this kernel already, and none gained over this "
            "version.%s%s",
            other ? "other " : "", *step ? " " : "", step);
}

/* A parameter's JSON value as text. */
static const char *
plain(struct saying *s, const char *json)
{
    size_t n = strlen(json);

    return n >= 2 && json[0] == '"' ? lore_strndup(s->arena, json + 1, n - 2) : json;
}

/* The N parameters NAMES of PARAMS that are there, as "warmup=20 timer=events". */
static const char *
chosen_params(struct saying *s, const struct lore_kvs *params, const char *const *names, size_t n)
{
    const char *text = "";

    for (size_t i = 0; i < n && strlen(text) < PARAMETERS; i++) {
        const char *value = lore_kvs_get(params, names[i]);
        if (value)
            text = lore_format(
                s->arena, "%s%s%s=%s", text, *text ? " " : "", names[i], plain(s, value));
    }
    return text;
}

const char *
lore_brief_params(struct saying *s, const struct lore_kvs *params)
{
    const char **names = lore_alloc_array(s->arena, params->n + 1, sizeof *names);

    for (size_t i = 0; i < params->n; i++)
        names[i] = params->v[i].key;
    return chosen_params(s, params, names, params->n);
}

/* "expect 0.82 of the best time (0.50-1.00)" */
static const char *
forecast_text(struct saying *s, const struct lore_interval f)
{
    return f.high - f.low > WIDE
               ? "what to expect is hardly known"
               : lore_format(s->arena, "expect %.2f of the best possible speed (%.2f-%.2f)",
                     f.value, f.low, f.high);
}

/* The record that has the configuration of a proposed version. */
static const char *
cite_configuration(
    struct saying *s, const struct lore_version_row *v, const struct lore_trial_config *c)
{
    return v->v.id ? lore_brief_cite(s, v) : c->sweep ? c->sweep : "?";
}

/* Whether two configurations are of one kernel with the same parameters. */
static bool
is_same_space(const struct lore_version_row *a, const struct lore_version_row *b)
{
    bool same = lore_streq(a->v.kernel, b->v.kernel) && a->v.params.n == b->v.params.n;

    for (size_t i = 0; same && i < a->v.params.n; i++)
        same = lore_kvs_get(&b->v.params, a->v.params.v[i].key) != NULL;
    return same;
}

/* Configurations of tuned kernels: where nothing ran here, those to start from; else those that may
 * beat the best one. */
static void
say_configurations(struct saying *s)
{
    const struct lore_start_answer *start = &s->f->x.start;
    bool here = start->best != NULL;

    for (size_t i = 0; !here && i < start->n_start && i < STARTS; i++) {
        const struct lore_start_row *r = &start->start[i];
        const char *params = lore_brief_params(s, &r->row.v.params);
        if (*params)
            SAY(s, LORE_BRIEF_NEXT, "Start from %s: %s [%s].", params,
                forecast_text(s, r->s.fraction), cite_configuration(s, &r->row, &r->s.config));
    }
    for (size_t i = 0; here && i < start->n_next && i < STARTS; i++) {
        const struct lore_next_row *r = &start->next[i];
        const char *params = lore_brief_params(s, &r->version->v.params);
        if (*params && r->gain > LEAST_GAIN && is_same_space(&start->best->row, r->version))
            SAY(s, LORE_BRIEF_NEXT, "Measure %s: expect %s over the best here [%s].", params,
                lore_factor_text(s->arena, r->gain), cite_configuration(s, r->version, &r->config));
    }
}

static enum lore_status
say_directions(struct saying *s, struct lore_err *err)
{
    struct lore_list_filter of = {
        .kernel = s->f->kernel.k.id, .state = "open", .page.limit = IDEAS};
    struct lore_direction_row *v = NULL;
    size_t n = 0;
    enum lore_status status = LORE_OK;

    if (of.kernel)
        status = lore_db_list_directions(s->f->req->db, &of, s->arena, &v, &n, err);
    for (size_t i = 0; status == LORE_OK && i < n && i < IDEAS; i++)
        SAY(s, LORE_BRIEF_NEXT, "Recorded idea: %s [%s].",
            lore_brief_sentence(s->arena, v[i].r.text), v[i].r.id);
    return status;
}

static enum lore_status
say_next(struct saying *s, struct lore_err *err)
{
    const struct lore_answer *a = &s->f->x.answer;
    const struct lore_start_answer *start = &s->f->x.start;
    enum lore_status status = LORE_OK;
    const char *before = NULL;    /* the experiment that the last piece of advice cited */
    size_t rank = 0, unbuilt = 0; /* ideas that were named; those that never compiled */

    if (lore_about_is_done(&start->about)) {
        lore_brief_add(s, LORE_BRIEF_NEXT, a->stop);
        return LORE_OK;
    }
    for (size_t i = 0; status == LORE_OK && i < a->n_advice && rank < NEXT; i++)
        if ((!start->repeats || !start->repeats[i]) && lore_recommend_pays(&a->advice[i]) &&
            !is_surpassed(s, &a->advice[i]))
            status = say_advice(s, &a->advice[i], ++rank, &before, err);
    for (size_t i = 0; status == LORE_OK && i < a->n_untried && rank < NEXT; i++)
        say_untried(s, &a->untried[i], ++rank);
    if (status == LORE_OK)
        unbuilt = say_never_built(s);
    if (status == LORE_OK && a->stop)
        a->first_step ? say_no_idea(s, unbuilt > 0) : lore_brief_add(s, LORE_BRIEF_NEXT, a->stop);
    say_configurations(s);
    lore_brief_say_tune(s);
    if (status == LORE_OK)
        status = say_directions(s, err);
    if (status == LORE_OK)
        status = lore_brief_say_noted(s, err);
    if (status == LORE_OK && s->said[LORE_BRIEF_NEXT] == unbuilt && !a->stop)
        say_no_idea(s, unbuilt > 0);
    lore_brief_say_since_gain(s);
    return status;
}

/* ---- checks ---- */

/* "rtol 0.01, atol 0.001" */
static const char *
tolerance_text(struct saying *s, const struct lore_correctness *c)
{
    const struct {
        const char *name;
        struct lore_f64 v;
    } all[] = {{"rtol", c->rtol}, {"atol", c->atol}, {"relative error", c->rel_err_limit}};
    const char *text = "";

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].v.set)
            text = lore_format(s->arena, "%s, %s at most %.3g", text, all[i].name, all[i].v.v);
    return text;
}

/* The last line of TEXT. */
static const char *
last_line(struct saying *s, const char *text)
{
    size_t end = strlen(text), start;

    while (end > 0 && strchr("\n\r ", text[end - 1]))
        end--;
    for (start = end; start > 0 && text[start - 1] != '\n';)
        start--;
    return lore_brief_sentence(s->arena, lore_strndup(s->arena, text + start, end - start));
}

/* How the best version was checked. */
static void
say_correctness(struct saying *s)
{
    const struct lore_run *r = &s->f->run.r;
    const struct lore_correctness *c = &r->correctness;
    bool passed = c->set && c->status == LORE_C_PASS;

    if (!r->id) {
        if (s->f->x.start.about.version)
            SAY(s, LORE_BRIEF_CHECK,
                "No run of this version is stored: measure and check it first "
                "[%s].",
                lore_brief_cite(s, s->f->x.start.about.version));
        return;
    }
    if (passed && c->reference)
        SAY(s, LORE_BRIEF_CHECK, "Correctness: compare with %s%s, as this version was [%s].",
            c->reference, tolerance_text(s, c), r->id);
    else if (passed && c->message)
        SAY(s, LORE_BRIEF_CHECK, "Correctness: this version passed; its check printed \"%s\" [%s].",
            last_line(s, c->message), r->id);
    else if (passed)
        SAY(s, LORE_BRIEF_CHECK,
            "Correctness: this version passed a check that names no reference%s [%s].",
            tolerance_text(s, c), r->id);
    else
        SAY(s, LORE_BRIEF_CHECK,
            "Correctness: no check of this version passed here: check it "
            "first [%s].",
            r->id);
}

/* How the best version was timed. */
static void
say_method(struct saying *s)
{
    static const char *const names[] = {"timer", "statistic", "warmup", "iterations", "repeat",
        "l2_flush", "flush_l2", "cold_cache"};
    const struct lore_run *r = &s->f->run.r;
    const char *how = chosen_params(s, &r->method, names, sizeof names / sizeof *names);
    const char *throttle = lore_kvs_get(&r->method, "throttle");

    if (!r->id || !r->tool)
        return;
    SAY(s, LORE_BRIEF_CHECK,
        "Time as this version was: %s%s%s. Times of other tools do not compare [%s].", r->tool,
        *how ? ", " : "", how, r->id);
    if (throttle && !lore_streq(plain(s, throttle), "none"))
        SAY(s, LORE_BRIEF_CHECK,
            "Its clocks were limited while it was timed (%s): time both versions in turns "
            "(`warplore compare`) [%s].",
            plain(s, throttle), r->id);
}

/* What went wrong most often on this kernel. */
static void
say_faults(struct saying *s)
{
    const struct lore_attempts *all = &s->f->x.start.tried;
    size_t wrong = 0, not_built = 0, last = 0, ended = 0;

    for (size_t i = 0; i < all->n; i++) {
        ended += all->v[i].end != LORE_ATTEMPT_PENDING;
        not_built += all->v[i].end == LORE_ATTEMPT_NOT_BUILT;
        if (all->v[i].end == LORE_ATTEMPT_WRONG) {
            wrong++;
            last = i;
        }
    }
    const char *part = s->f->kernel.n_experiments > LORE_ATTEMPTS_READ ? "last " : "";
    if (wrong > 0)
        SAY(s, LORE_BRIEF_CHECK,
            "%zu of the %s%s on this kernel gave wrong results, the newest in [%s].", wrong, part,
            lore_brief_count(s, ended, "attempt"), all->v[last].id);
    if (not_built > 0)
        SAY(s, LORE_BRIEF_CHECK, "%zu of the %s%s on this kernel did not compile [%s].", not_built,
            part, lore_brief_count(s, ended, "attempt"), s->f->kernel.k.id);
}

static void
say_check(struct saying *s)
{
    say_correctness(s);
    say_method(s);
    say_faults(s);
    SAY(s, LORE_BRIEF_CHECK,
        "A gain counts above %.2fx with its interval above 1: give 5 samples or more of each "
        "version.",
        LORE_WIN_ABOVE);
}

enum lore_status
lore_brief_say_advice(struct saying *s, struct lore_err *err)
{
    enum lore_status status = say_next(s, err);

    lore_brief_say_dead(s);
    lore_brief_say_lessons(s);
    say_check(s);
    return status;
}
