/* The sections of a brief about what to do: what to try, dead ends, lessons, what to check. */
#include <math.h>
#include <string.h>

#include "service/api/brief_say.h"
#include "service/base/duration.h"
#include "service/base/text.h"
#include "service/derive/outcome.h"

enum {
    NEXT = 3,
    STARTS = 2, /* configurations */
    IDEAS = 2,  /* recorded directions */
    DEAD = 6,
    OFTEN = 3, /* failures anywhere that make a dead end */
    LESSONS = 4,
    PARAMETERS = 220, /* bytes of parameters */
};
#define LEAST_GAIN 1.02  /* expected of a configuration that is worth a measurement */
#define LEAST_SHARE 0.98 /* a version that is 2 % faster is faster */
#define APART 1.39       /* ln 4: an interval of gains that is wider says nothing */
#define WIDE 0.6         /* a wider interval of a forecast says nothing */

/* ---- what to try ---- */

/* "Wins 68 % (42-88 %), expect 1.13x (1.02-1.30x)."; a wide interval says nothing. */
static const char *
odds_text(struct saying *s, const struct lore_advice *a)
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

/* Whether EXPERIMENT started from a version that had TECHNIQUE: it changed it and did not add it.
 */
static bool
was_there(const struct saying *s, const char *experiment, const char *technique)
{
    struct lore_experiment_row *e = lore_alloc(s->arena, sizeof *e);
    struct lore_line line = {0};
    struct lore_err ignored;
    struct lore_db *db = s->f->req->db;

    if (lore_db_get_experiment(db, experiment, s->arena, e, &ignored) != LORE_OK ||
        !e->e.from_version || e->e.claim.base == LORE_BASE_LIBRARY ||
        lore_line_load_id(db, e->e.from_version, s->arena, &line, &ignored) != LORE_OK)
        return false;
    for (size_t i = 0; i < line.n; i++)
        if (!line.v[i]->out && line.v[i]->known & ~(unsigned)LORE_KNOWN_SUMMARY &&
            lore_streq(line.v[i]->name, technique))
            return true;
    return false;
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
    const char *range = w.of ? lore_brief_range(s, w.of->experiment) : NULL;
    if (w.version.v.id)
        cite = lore_format(s->arena, "%s, %s", lore_brief_cite(s, &w.version), cite);
    if (w.of && lore_streq(w.of->experiment, *before))
        look = lore_format(s->arena, " In the same experiment as the one above [%s].", *before);
    else if (w.of)
        look = lore_format(s->arena, " Look at %s%s%s%s%s%s [%s].",
            w.version.v.id ? lore_brief_name(s, &w.version) : w.of->op,
            w.version.v.id && !lore_streq(w.of->op, s->f->x.question.op)
                ? lore_format(s->arena, " (%s)", w.of->op)
                : "",
            w.of->chip ? " on " : "", w.of->chip ? w.of->chip : "", w.of->speedup > 0 ? ", " : "",
            range               ? range
            : w.of->speedup > 0 ? lore_factor_text(s->arena, w.of->speedup)
                                : "",
            cite);
    else if (a->n_cited > 0)
        look = lore_format(s->arena, " [%s]", a->cited[0].experiment);
    *before = w.of ? w.of->experiment : NULL;
    SAY(s, LORE_BRIEF_NEXT, "%zu. %s%s %s%s%s", rank, what_text(s, a),
        lore_brief_why(s, a, range, w.of ? w.of->speedup : 0), odds_text(s, a),
        w.of && was_there(s, w.of->experiment, a->technique)
            ? " That gain is of a change to it: the version before had it already."
            : "",
        look);
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
                return t->time_ns > at->time_ns * LEAST_SHARE;
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
    const char *before = NULL; /* the experiment that the last piece of advice cited */
    size_t rank = 0;

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
    if (status == LORE_OK && a->stop)
        lore_brief_add(s, LORE_BRIEF_NEXT, a->stop);
    say_configurations(s);
    lore_brief_say_tune(s);
    if (status == LORE_OK)
        status = say_directions(s, err);
    if (status == LORE_OK && s->said[LORE_BRIEF_NEXT] == 0)
        SAY(s, LORE_BRIEF_NEXT,
            "Each idea that fits was tried on this kernel already, and none gained over this "
            "version.%s",
            start->about.by == LORE_ABOUT_OTHER_CHIP || start->about.by == LORE_ABOUT_OTHER_SHAPE
                ? " Measure it here first."
                : "");
    lore_brief_say_since_gain(s);
    return status;
}

/* ---- dead ends ---- */

/* Why an attempt failed, in its author's words: lesson, cause, message. */
static const char *
reason_of(struct saying *s, const char *experiment)
{
    struct lore_experiment_row *e = lore_alloc(s->arena, sizeof *e);
    struct lore_err ignored;
    const char *why = NULL;

    if (lore_db_get_experiment(s->f->req->db, experiment, s->arena, e, &ignored) != LORE_OK)
        return NULL;
    why = e->e.lesson;
    for (size_t i = 0; !why && i < e->e.n_pitfalls; i++)
        why = e->e.pitfalls[i].root_cause ? e->e.pitfalls[i].root_cause : e->e.pitfalls[i].message;
    return why ? lore_brief_sentence(s->arena, why) : NULL;
}

/* Whether an earlier attempt (from the newest back to AT) is the same idea by its techniques. */
static bool
is_repeated(const struct lore_attempts *all, size_t at)
{
    const struct lore_idea *idea = &all->v[at].idea;

    for (size_t i = at + 1; idea->n_uses > 0 && i < all->n; i++)
        if (all->v[i].end >= LORE_ATTEMPT_NO_GAIN &&
            lore_idea_techniques_shared(idea, &all->v[i].idea) == idea->n_uses)
            return true;
    return false;
}

/* Whether the version has a technique of IDEA all the same: it stayed, and was tuned later. */
static bool
is_in(const struct saying *s, const struct lore_idea *idea)
{
    const struct lore_texts *has = &s->f->x.question.has;

    for (size_t i = 0; i < idea->n_uses; i++)
        for (size_t k = 0; k < has->n; k++)
            if (lore_streq(idea->uses[i].technique, has->v[k]))
                return true;
    return false;
}

/* Whether TECHNIQUE can be used here: what cannot is no dead end. */
static bool
applies(const struct saying *s, const char *technique)
{
    const struct lore_technique_place at = lore_question_place(&s->f->x.question);

    return lore_technique_lacks(technique, &at) == NULL;
}

/* Whether a failed attempt on this kernel used TECHNIQUE. */
static bool
failed_here(const struct saying *s, const char *technique)
{
    const struct lore_attempts *all = &s->f->x.start.tried;

    for (size_t i = 0; i < all->n; i++)
        for (size_t k = 0; all->v[i].end >= LORE_ATTEMPT_NO_GAIN && k < all->v[i].idea.n_uses; k++)
            if (lore_streq(all->v[i].idea.uses[k].technique, technique))
                return true;
    return false;
}

/* Whether TECHNIQUE may be a dead end: nobody tried it on this kernel, it can be used here, and no
 * version that does as well has it. */
static bool
is_dead(const struct saying *s, const char *technique)
{
    const struct lore_texts *t = &s->f->others_have;
    bool had = false;

    for (size_t i = 0; i < t->n; i++)
        had |= lore_streq(t->v[i], technique);
    return !had && !failed_here(s, technique) && applies(s, technique);
}

/* " (iter011_wn32)": the label of the version that an attempt without a technique made; its words
 * may be no more than an error. */
static const char *
label_of(struct saying *s, const struct lore_repeats_attempt *a)
{
    struct lore_version_row v = {0};
    struct lore_err ignored;

    return a->idea.n_uses == 0 && a->to_version &&
                   lore_db_get_version_head(s->f->req->db, a->to_version, s->arena, &v, &ignored) ==
                       LORE_OK &&
                   v.v.label
               ? lore_format(s->arena, " (%s)", v.v.label)
               : "";
}

/* "; 18 more attempts at compute.compiler_flags did not gain, either": those with the one technique
 * of A, if none of them gained. */
static const char *
others_text(struct saying *s, const struct lore_repeats_attempt *a)
{
    const struct lore_attempts *all = &s->f->x.start.tried;
    size_t n = 0;

    for (size_t i = 0; a->idea.n_uses == 1 && i < all->n; i++) {
        const struct lore_repeats_attempt *other = &all->v[i];
        bool shared = other->end != LORE_ATTEMPT_PENDING &&
                      lore_idea_techniques_shared(&a->idea, &other->idea) > 0;
        if (shared && other->end < LORE_ATTEMPT_NO_GAIN)
            return "";
        n += shared;
    }
    return n < 2 ? ""
                 : lore_format(s->arena, "; %s at %s did not gain, either",
                       lore_brief_count(s, n - 1, "more attempt"), a->idea.uses[0].technique);
}

static void
say_attempt(struct saying *s, const struct lore_repeats_attempt *a)
{
    const char *what = a->idea.title ? a->idea.title : a->idea.text, *why = reason_of(s, a->id);

    if (!what)
        what = a->idea.n_uses > 0 ? a->idea.uses[0].technique : "a change without words";
    SAY(s, LORE_BRIEF_DEAD, "Tried on this kernel, it %s: %s%s%s%s%s [%s].",
        lore_attempt_end_text(a, s->arena), lore_brief_sentence(s->arena, what), label_of(s, a),
        why ? " - " : "", why ? why : "", others_text(s, a), a->id);
}

/* Whether all that IDEA names is a placeholder: it says nothing of what was tried. */
static bool
is_nameless(const struct lore_idea *idea)
{
    size_t n = 0;

    while (n < idea->n_uses && lore_technique_is_placeholder(idea->uses[n].technique))
        n++;
    return idea->n_uses > 0 && n == idea->n_uses;
}

/* Attempts on this kernel that failed, the newest first; one per technique. Those that name a
 * technique come first. */
static void
say_failed_here(struct saying *s)
{
    const struct lore_attempts *all = &s->f->x.start.tried;

    for (int named = 1; named >= 0; named--)
        for (size_t i = all->n; i-- > 0 && s->said[LORE_BRIEF_DEAD] < DEAD / 2;) {
            const struct lore_repeats_attempt *a = &all->v[i];

            if ((a->idea.n_uses > 0) == named && a->end >= LORE_ATTEMPT_NO_GAIN &&
                !is_nameless(&a->idea) && !is_repeated(all, i) && !is_in(s, &a->idea))
                say_attempt(s, a);
        }
}

/* Whether an ablation on a kernel where A failed found that it contributes all the same. */
static bool
is_contradicted(const struct saying *s, const struct lore_advice *a)
{
    struct lore_err ignored;
    bool yes = false;

    for (size_t i = 0; i < a->n_cited && !yes; i++)
        if (lore_streq(a->cited[i].op, s->f->x.question.op) &&
            lore_db_contributes(
                s->f->req->db, a->cited[i].experiment, a->technique, &yes, &ignored) != LORE_OK)
            yes = false;
    return yes;
}

/* Techniques that won somewhere, and are expected to lose here. */
static void
say_losing(struct saying *s)
{
    const struct lore_answer *a = &s->f->x.answer;

    for (size_t i = 0; i < a->n_advice && s->said[LORE_BRIEF_DEAD] < DEAD; i++)
        if (!a->advice[i].hardly_known && a->advice[i].gain.value <= 0 &&
            a->advice[i].same_operator && is_dead(s, a->advice[i].technique) &&
            !is_contradicted(s, &a->advice[i]))
            SAY(s, LORE_BRIEF_DEAD, "%s: %s %s [%s]", a->advice[i].technique,
                a->advice[i].why ? a->advice[i].why : "", odds_text(s, &a->advice[i]),
                a->advice[i].n_cited > 0 ? a->advice[i].cited[0].experiment : "no experiment");
}

/* Whether A was tried on several operators. */
static bool
is_general(const struct lore_advice *a)
{
    size_t i = 1;

    while (i < a->n_cited && lore_streq(a->cited[i].op, a->cited[0].op))
        i++;
    return a->same_family || i < a->n_cited;
}

/* Whether each experiment that A cites gained, too little to count. */
static bool
gains_little(const struct lore_advice *a)
{
    size_t i = 0;

    while (i < a->n_cited && a->cited[i].speedup > LEAST_GAIN)
        i++;
    return a->n_cited > 0 && i == a->n_cited;
}

/* Whether it failed on the operator, or often on several others, and never gained. */
static bool
bears(const struct lore_advice *a)
{
    bool often = a->won == 0 && a->tried >= OFTEN && is_general(a);

    return (a->same_operator || often) && !gains_little(a);
}

static void
say_avoid(struct saying *s)
{
    const struct lore_answer *a = &s->f->x.answer;

    for (size_t i = 0; i < a->n_avoid && s->said[LORE_BRIEF_DEAD] < DEAD; i++)
        if (bears(&a->avoid[i]) && is_dead(s, a->avoid[i].technique) &&
            !is_contradicted(s, &a->avoid[i]))
            SAY(s, LORE_BRIEF_DEAD, "%s: %s%s%s%s", a->avoid[i].technique,
                a->avoid[i].why ? a->avoid[i].why : "", a->avoid[i].n_cited > 0 ? " [" : "",
                a->avoid[i].n_cited > 0 ? a->avoid[i].cited[0].experiment : "",
                a->avoid[i].n_cited > 0 ? "]" : "");
}

/* ---- lessons, checks ---- */

static void
say_lessons(struct saying *s)
{
    const struct lore_lessons *l = &s->f->x.lessons;

    for (size_t i = 0; i < l->n && i < LESSONS; i++) {
        const char *words = lore_brief_sentence(s->arena, l->v[i].words);
        bool trap = lore_streq(l->v[i].l.kind, "anti_strategy");
        bool same = lore_starts(words, l->v[i].l.title);

        SAY(s, LORE_BRIEF_LESSONS, "%s%s%s%s [%s].", trap ? "Trap: " : "", l->v[i].l.title,
            same ? "" : ": ", same ? "" : words, l->v[i].l.id);
    }
}

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

    say_failed_here(s);
    say_losing(s);
    say_avoid(s);
    say_lessons(s);
    say_check(s);
    return status;
}
