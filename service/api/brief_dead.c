/* The dead ends of a brief: attempts on this kernel that failed, the most telling first, and
 * techniques that failed elsewhere. Each cites a failure. */
#include <stdlib.h>

#include "db/attempt.h"
#include "service/api/attempts.h"
#include "service/api/brief_say.h"
#include "service/base/text.h"

enum {
    DEAD = 6,
    OFTEN = 3,          /* failures anywhere that make a dead end */
    ON_OPERATOR = 1000, /* attempts that are read of an operator */
};
#define LEAST_GAIN 1.02 /* less is no gain that counts for a technique */

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

/* The technique of IDEA that the version has all the same: it stayed, and was tuned later; NULL: it
 * has none. */
static const char *
stayed(const struct saying *s, const struct lore_idea *idea)
{
    const struct lore_texts *has = &s->f->x.question.has;

    for (size_t i = 0; i < idea->n_uses; i++)
        for (size_t k = 0; k < has->n; k++)
            if (lore_streq(idea->uses[i].technique, has->v[k]))
                return has->v[k];
    return NULL;
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

/* Whether what failed on the operator were values of TECHNIQUE, and not the attempts that
 * introduced it. */
static bool
only_values_failed(const struct saying *s, const char *technique)
{
    struct lore_brief_facts *f = s->f;
    const struct lore_attempts_scope of = {.op = f->x.question.op, .max = ON_OPERATOR};
    struct lore_repeats_tally t;
    struct lore_err ignored;

    if (!f->asked_operator && of.op &&
        lore_attempts_load(f->req, &of, &f->on_operator, &ignored) != LORE_OK)
        f->on_operator = (struct lore_attempts){0};
    f->asked_operator = true;
    lore_repeats_count(f->on_operator.v, f->on_operator.n, technique, s->arena, &t);
    return t.values > 0 && t.failed < t.tried;
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
    return !had && !failed_here(s, technique) && applies(s, technique) &&
           !only_values_failed(s, technique);
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

/* The value of the parameter NAME in the version: its own, else that of the newest attempt in its
 * line that set it; NULL: not known. */
static const char *
value_now(const struct saying *s, const char *name)
{
    const struct lore_attempts *all = &s->f->x.start.tried;
    const struct lore_version_row *version = s->f->x.start.about.version;
    const char *at = version ? version->v.id : NULL;

    const char *own = version ? lore_attempts_value(s->arena, &version->v.params, name) : NULL;

    if (own)
        return own;
    for (size_t i = all->n; at && i-- > 0;) {
        const struct lore_idea *idea = &all->v[i].idea;
        if (!lore_streq(all->v[i].to_version, at))
            continue;
        for (size_t k = 0; k < idea->n_uses; k++)
            for (size_t n = 0; n < idea->uses[k].n_params; n++)
                if (lore_streq(idea->uses[k].params[n].name, name))
                    return idea->uses[k].params[n].to;
        at = idea->from_version;
    }
    return NULL;
}

/* A without the values that the version has: those were no reason to fail. *OTHER: how many values
 * are left, of *N. */
static struct lore_repeats_attempt
without_own_values(struct saying *s, const struct lore_repeats_attempt *a, size_t *other, size_t *n)
{
    struct lore_repeats_attempt out = *a;
    struct lore_idea_use *uses = lore_alloc_array(s->arena, a->idea.n_uses + 1, sizeof *uses);

    *other = *n = 0;
    for (size_t i = 0; i < a->idea.n_uses; i++) {
        const struct lore_idea_use *u = &a->idea.uses[i];
        struct lore_idea_param *p = lore_alloc_array(s->arena, u->n_params + 1, sizeof *p);
        uses[i] = (struct lore_idea_use){.technique = u->technique, .params = p};
        for (size_t k = 0; k < u->n_params; k++)
            if (!lore_streqi(u->params[k].to, value_now(s, u->params[k].name)))
                p[uses[i].n_params++] = u->params[k];
        *other += uses[i].n_params;
        *n += u->n_params;
    }
    out.idea.uses = uses;
    return out;
}

/* Whether A failed at values that the version has all the same. */
static bool
has_its_values(struct saying *s, const struct lore_repeats_attempt *a)
{
    size_t other, n;

    (void)without_own_values(s, a, &other, &n);
    return n > 0 && other == 0;
}

/* Name where A started from: what failed there may do here. */
static void
say_attempt(struct saying *s, const struct lore_repeats_attempt *a)
{
    const char *what = a->idea.title ? a->idea.title : a->idea.text, *why = reason_of(s, a->id);
    size_t other, n;
    struct lore_repeats_attempt shown = without_own_values(s, a, &other, &n);

    if (!what)
        what = a->idea.n_uses > 0 ? a->idea.uses[0].technique : "a change without words";
    const char *has = n == 0 ? stayed(s, &a->idea) : NULL;
    SAY(s, LORE_BRIEF_DEAD, "Tried on this kernel%s%s, it %s: %s%s%s%s%s%s%s%s [%s].",
        a->base_label ? " from " : "", a->base_label ? a->base_label : "",
        lore_attempt_end_text(&shown, s->arena), lore_brief_sentence(s->arena, what),
        label_of(s, a), why ? " - " : "", why ? why : "", others_text(s, a),
        has ? "; the best version has " : "", has ? has : "", has ? " all the same" : "", a->id);
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

/* What tells most comes first: a measured loss, results that were wrong or late, an attempt that
 * never ran, one that changed nothing. */
static int
telling(const struct lore_repeats_attempt *a)
{
    if (a->end == LORE_ATTEMPT_NO_GAIN || a->end == LORE_ATTEMPT_LOSS)
        return a->speedup > 0 && a->speedup < LORE_BRIEF_SHARE ? 0 : 3;
    return a->end == LORE_ATTEMPT_NOT_RUN || a->end == LORE_ATTEMPT_NOT_BUILT ? 2 : 1;
}

/* By what they tell; those that name a technique first; the largest loss, else the newest. */
static int
by_telling(const void *x, const void *y)
{
    const struct lore_repeats_attempt *a = *(const struct lore_repeats_attempt *const *)x;
    const struct lore_repeats_attempt *b = *(const struct lore_repeats_attempt *const *)y;
    int order = telling(a) - telling(b);

    if (order == 0)
        order = (b->idea.n_uses > 0) - (a->idea.n_uses > 0);
    if (order == 0 && telling(a) == 0)
        order = (a->speedup > b->speedup) - (a->speedup < b->speedup);
    return order != 0 ? order : (a < b) - (a > b);
}

/* Whether one of the N attempts SAID has all techniques of A. */
static bool
is_said(
    const struct lore_repeats_attempt *const *said, size_t n, const struct lore_repeats_attempt *a)
{
    for (size_t i = 0; a->idea.n_uses > 0 && i < n; i++)
        if (lore_idea_techniques_shared(&a->idea, &said[i]->idea) == a->idea.n_uses)
            return true;
    return false;
}

/* Whether attempt A made the version, or one that it was made from. */
static bool
led_here(const struct saying *s, const struct lore_repeats_attempt *a)
{
    const struct lore_history *h = &s->f->history;
    const struct lore_history_version *t = s->f->at;
    const struct lore_experiment_row *e;

    for (size_t steps = 0; t && steps < h->line.n; steps++) {
        if (lore_streq(t->version->v.id, a->to_version))
            return true;
        e = t->experiment;
        t = NULL;
        for (size_t i = 0; e && e->e.claim.base != LORE_BASE_PREVIOUS && i < h->line.n && !t; i++)
            if (lore_streq(h->entries[i].version->v.id, e->e.from_version))
                t = &h->entries[i];
    }
    return false;
}

/* Attempts on this kernel that failed, one per technique. Of a technique that the version has, only
 * a measured loss is said: it is of another value. */
static void
say_failed_here(struct saying *s)
{
    const struct lore_attempts *all = &s->f->x.start.tried;
    const struct lore_repeats_attempt **v = lore_alloc_array(s->arena, all->n + 1, sizeof *v);
    size_t n = 0, said = 0;

    for (size_t i = 0; i < all->n; i++)
        if (all->v[i].end >= LORE_ATTEMPT_NO_GAIN && !is_nameless(&all->v[i].idea) &&
            (telling(&all->v[i]) == 0 || !stayed(s, &all->v[i].idea)) && !led_here(s, &all->v[i]) &&
            !has_its_values(s, &all->v[i]))
            v[n++] = &all->v[i];
    if (n > 1)
        qsort(v, n, sizeof *v, by_telling);
    for (size_t i = 0; i < n && said < DEAD / 2; i++)
        if (!is_said(v, said, v[i])) {
            say_attempt(s, v[i]);
            v[said++] = v[i];
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

/* How well C shows a failure: a measured loss, else a wrong result or no gain; 0: it shows none. */
static int
failure(struct saying *s, const struct lore_cited *c)
{
    bool wrong = c->correctness == LORE_C_FAIL || c->correctness == LORE_C_TIMEOUT, never = false;
    struct lore_err ignored;

    if (c->effect == LORE_X_WIN && !wrong)
        return 0;
    if (c->speedup > 0)
        return wrong || c->effect == LORE_X_LOSS ? 3 : 2;
    return lore_db_never_ran(s->f->req->db, c->experiment, &never, &ignored) == LORE_OK && !never;
}

/* The experiment that shows best that A fails, on the operator if A was tried there; NULL: none
 * does, such as where its attempts never ran. */
static const char *
failure_of(struct saying *s, const struct lore_advice *a)
{
    const char *found = NULL;
    int most = 0;

    for (size_t i = 0; i < a->n_cited; i++) {
        bool near = !a->same_operator || lore_streq(a->cited[i].op, s->f->x.question.op);
        int shows = near ? failure(s, &a->cited[i]) : 0;
        if (shows > most) {
            most = shows;
            found = a->cited[i].experiment;
        }
    }
    return found;
}

/* Which ratio a search states, where CITE is one. */
static const char *
search_text(struct saying *s, const char *cite)
{
    struct lore_found found = {0};
    struct lore_err ignored;

    return lore_db_find_record(s->f->req->db, cite, s->arena, &found, &ignored) == LORE_OK &&
                   found.kind == LORE_K_SWEEP
               ? " In a search that is its best against the best without; `show` has the median "
                 "pair."
               : "";
}

/* Techniques that won somewhere, and are expected to lose here. */
static void
say_losing(struct saying *s)
{
    const struct lore_answer *all = &s->f->x.answer;

    for (size_t i = 0; i < all->n_advice && s->said[LORE_BRIEF_DEAD] < DEAD; i++) {
        const struct lore_advice *a = &all->advice[i];
        const char *cite = a->hardly_known || a->gain.value > 0 || !a->same_operator ||
                                   !is_dead(s, a->technique) || is_contradicted(s, a)
                               ? NULL
                               : failure_of(s, a);
        if (cite)
            SAY(s, LORE_BRIEF_DEAD, "%s: %s %s%s [%s]", a->technique, lore_brief_why(s, a, NULL, 0),
                lore_brief_odds(s, a), search_text(s, cite), cite);
    }
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
    const struct lore_answer *all = &s->f->x.answer;

    for (size_t i = 0; i < all->n_avoid && s->said[LORE_BRIEF_DEAD] < DEAD; i++) {
        const struct lore_advice *a = &all->avoid[i];
        const char *cite = bears(a) && is_dead(s, a->technique) && !is_contradicted(s, a)
                               ? failure_of(s, a)
                               : NULL;
        if (cite)
            SAY(s, LORE_BRIEF_DEAD, "%s: %s%s [%s]", a->technique, lore_brief_why(s, a, NULL, 0),
                search_text(s, cite), cite);
    }
}

void
lore_brief_say_dead(struct saying *s)
{
    say_failed_here(s);
    say_losing(s);
    say_avoid(s);
}
