/* What is in the version that a brief is about (brief.h): techniques, how each is known, and what
 * each gained. */
#include <string.h>

#include "service/api/brief_say.h"
#include "service/base/text.h"
#include "service/derive/line.h"
#include "service/derive/outcome.h"

enum { AGAIN = 4 /* later gains with one technique */ };

const struct lore_history_version *
lore_brief_entry(const struct lore_history *h, const char *version)
{
    for (size_t i = 0; version && i < h->line.n; i++)
        if (lore_streq(h->entries[i].version->v.id, version))
            return &h->entries[i];
    return NULL;
}

/* The gain of the experiment that brought a technique in: " 1.31x"; "" when it is not known. */
static const char *
gain_of(struct saying *s, const char *experiment)
{
    const struct lore_history *h = &s->f->history;

    for (size_t i = 0; experiment && i < h->line.n; i++)
        for (size_t k = 0; k < h->entries[i].n_made; k++) {
            const struct lore_experiment_row *e = h->entries[i].made[k];
            const char *gain = lore_streq(e->e.id, experiment) ? lore_brief_gain(s, e) : NULL;
            if (gain)
                return lore_format(s->arena, " %s", gain);
        }
    return "";
}

/* Whether E used TECHNIQUE and gained. */
static bool
gained_with(const struct lore_experiment_row *e, const char *technique)
{
    struct lore_f64 gain = e->outcome.gain.set ? e->outcome.gain : e->outcome.speedup;

    for (size_t i = 0; gain.set && gain.v > LORE_WIN_ABOVE && i < e->e.n_techniques; i++)
        if (lore_streq(e->e.techniques[i].name, technique))
            return true;
    return false;
}

/* ", iter003 1.82x": the later steps to the version that gained with the technique of R again. */
static const char *
again_text(struct saying *s, const struct lore_line_row *r)
{
    const struct lore_history *h = &s->f->history;
    const struct lore_history_version *t = lore_brief_entry(h, s->f->x.start.about.version->v.id);
    const char *text = "";
    size_t n = 0;

    for (size_t i = 0; t && i < h->line.n && n < AGAIN; i++) {
        const struct lore_experiment_row *e = t->experiment;
        const char *label = t->version->v.label ? t->version->v.label : t->version->v.tag;
        if (!e || e->e.claim.base == LORE_BASE_PREVIOUS || lore_streq(e->e.id, r->experiment))
            break;
        if (label && !strchr(label, '=') && gained_with(e, r->name)) {
            text = lore_format(s->arena, ", %s%s%s", label, gain_of(s, e->e.id), text);
            n++;
        }
        t = lore_brief_entry(h, e->e.from_version);
    }
    return text;
}

/* Techniques that are known in one other way only: by its source, its parameters, its summary, an
 * experiment that kept them, an ancestor's source, or perhaps by its log. */
static void
say_shown(struct saying *s, unsigned known, const char *what)
{
    const struct lore_line_rows *t = &s->f->x.start.about.techniques;
    const char *in = NULL,
               *own = s->f->x.start.about.version ? s->f->x.start.about.version->v.id : "";

    for (size_t i = 0; i < t->n; i++) {
        const struct lore_line_row *r = &t->v[i];
        if (r->out_version || !(r->known & known) ||
            (r->known & (LORE_KNOWN_TAG | (known - 1))) != 0)
            continue;
        const char *of = r->version && !lore_streq(r->version, own) && r->label
                             ? lore_format(s->arena, " (%s)", r->label)
                             : "";
        if (*of && known == LORE_KNOWN_SUMMARY)
            what = "Summaries of versions in its line name";
        in = lore_format(s->arena, "%s%s%s%s", in ? in : "", in ? ", " : "", r->name, of);
    }
    if (in)
        SAY(s, LORE_BRIEF_HAS, "%s: %s [%s].", what, in,
            lore_brief_cite(s, s->f->x.start.about.version));
}

/* Whether row I and the next one that is still in came by the same experiment. */
static bool
came_together(const struct lore_line_rows *t, size_t i)
{
    return i + 1 < t->n && t->v[i].experiment && !t->v[i + 1].out_version &&
           lore_streq(t->v[i].experiment, t->v[i + 1].experiment) &&
           !((t->v[i].known ^ t->v[i + 1].known) & (LORE_KNOWN_TAG | LORE_KNOWN_LOG));
}

/* "memory.a + memory.b (v1 1.44x), sync.c (v2)": techniques in it that are KNOWN so; NULL: none. */
static const char *
came_text(struct saying *s, unsigned known)
{
    const struct lore_line_rows *t = &s->f->x.start.about.techniques;
    const char *in = "";

    for (size_t i = 0; i < t->n; i++) {
        const struct lore_line_row *r = &t->v[i];
        if (r->out_version || !(r->known & known))
            continue;
        if (came_together(t, i))
            in = lore_format(s->arena, "%s%s + ", in, r->name);
        else
            in = lore_format(s->arena, "%s%s (%s%s%s), ", in, r->name,
                !r->label               ? r->version
                : strchr(r->label, '=') ? "tuned"
                                        : r->label,
                gain_of(s, r->experiment), r->experiment ? again_text(s, r) : "");
    }
    return *in ? lore_strndup(s->arena, in, strlen(in) - 2) : NULL;
}

/* Whether a technique called NAME is in. */
static bool
is_in(const struct lore_line_rows *t, const char *name)
{
    size_t i = 0;

    while (i < t->n && (t->v[i].out_version || !lore_streq(t->v[i].name, name)))
        i++;
    return i < t->n;
}

void
lore_brief_say_has(struct saying *s)
{
    const struct lore_version_row *v = s->f->x.start.about.version;
    const struct lore_line_rows *t = &s->f->x.start.about.techniques;
    const char *in = came_text(s, LORE_KNOWN_TAG), *perhaps = came_text(s, LORE_KNOWN_LOG);
    bool loose = s->f->x.start.about.line.loose;
    const char *out = "";

    for (size_t i = 0; i < t->n; i++)
        if (t->v[i].out_version && !is_in(t, t->v[i].name))
            out = lore_format(s->arena, "%s%s%s (gone by %s)", out, *out ? ", " : "", t->v[i].name,
                t->v[i].out_label ? t->v[i].out_label : t->v[i].out_version);
    if (in)
        SAY(s, LORE_BRIEF_HAS, "%s%s [%s].", loose ? "Its own step: " : "", in,
            lore_brief_cite(s, v));
    if (loose)
        SAY(s, LORE_BRIEF_HAS, "Its log does not say what it was made from.%s%s",
            perhaps ? " Earlier attempts of the log gained with these, which may be in it: " : "",
            perhaps ? lore_format(s->arena, "%s.", perhaps) : "");
    say_shown(s, LORE_KNOWN_SOURCE, "Its source shows also");
    say_shown(s, LORE_KNOWN_BEFORE,
        "It has no source stored; the sources of versions in its line show also");
    say_shown(s, LORE_KNOWN_PARAMETER, "Its parameters state");
    say_shown(s, LORE_KNOWN_SUMMARY, "Its summary names");
    say_shown(s, LORE_KNOWN_KEPT, "It kept");
    if (*out)
        SAY(s, LORE_BRIEF_HAS, "Taken out again: %s [%s].", out, lore_brief_cite(s, v));
    if (v && v->v.params.n > 0)
        SAY(s, LORE_BRIEF_HAS, "Parameters: %s [%s].", lore_brief_params(s, &v->v.params),
            lore_brief_cite(s, v));
    else if (v && t->n == 0)
        SAY(s, LORE_BRIEF_HAS, "No technique is recorded for it [%s].", lore_brief_cite(s, v));
}
