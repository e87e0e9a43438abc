/* The sentences of a brief (brief.h). Each is one fact with the records that it rests on. */
#include <stdlib.h>
#include <string.h>

#include "db/query.h"
#include "service/api/brief_say.h"
#include "service/api/names.h"
#include "service/api/present.h"
#include "service/base/duration.h"
#include "service/base/text.h"
#include "service/derive/outcome.h"
#include "service/wire/work.h"

enum {
    SENTENCE = 220, /* bytes of quoted text */
    GAINS = 3,      /* of other logs */
};

/* Importance of the first line of a section, and of each next one: lower is more important. */
static const struct {
    unsigned first, step;
} ranks[LORE_BRIEF_SECTIONS] = {
    [LORE_BRIEF_STANDING] = {0, 1},
    [LORE_BRIEF_HEADROOM] = {1, 2},
    [LORE_BRIEF_HAS] = {4, 4},
    [LORE_BRIEF_NEXT] = {2, 3},
    [LORE_BRIEF_DEAD] = {5, 3},
    [LORE_BRIEF_LESSONS] = {9, 4},
    [LORE_BRIEF_CHECK] = {6, 4},
};

void
lore_brief_add(struct saying *s, enum lore_brief_section section, const char *text)
{
    unsigned rank = ranks[section].first + (unsigned)s->said[section]++ * ranks[section].step;

    *LORE_PUSH(s->arena, s->to->v, s->to->n, s->to->cap) =
        (struct lore_brief_line){text, section, rank, false};
}

/* ---- words ---- */

/* The first sentence of TEXT, at most SENTENCE bytes, on one line. */
const char *
lore_brief_sentence(struct lore_arena *arena, const char *text)
{
    char *out = lore_strdup(arena, text ? text : "");
    size_t n = 0, end = 0;

    for (char *c = out; *c; c++)
        *c = *c == '\n' || *c == '\r' || *c == '\t' ? ' ' : *c;
    out += strspn(out, " #*->");
    while (out[n] && n < SENTENCE) {
        n++;
        bool numbers = n == 2 && strchr("0123456789", out[0]); /* "9. Text": an item of a list */
        if (strchr(".!?", out[n - 1]) && (out[n] == ' ' || out[n] == '\0') && !numbers) {
            end = n;
            break;
        }
    }
    if (end > 0 || !out[n])
        return lore_strndup(arena, out, end > 0 ? end : n);
    while (n > 0 && out[n] != ' ')
        n--;
    return lore_format(arena, "%.*s …", (int)lore_utf8_prefix(out, n > 0 ? n : SENTENCE), out);
}

/* NAME:LABEL where `show` finds this version by it, else its id. */
const char *
lore_brief_cite(struct saying *s, const struct lore_version_row *v)
{
    const char *label = v->v.label ? v->v.label : v->v.tag, *id = NULL;
    struct lore_resp unused = {0};
    struct lore_err ignored;

    if (!label || !v->kernel_name || strpbrk(label, " ,[]") || strpbrk(v->kernel_name, " ,[]"))
        return v->v.id;
    const char *name = lore_format(s->arena, "%s:%s", v->kernel_name, label);
    struct lore_naming f = {
        .req = s->f->req, .resp = &unused, .kind = "version", .text = name, .path = ""};
    return lore_naming_find(&f, &id, &ignored) == LORE_OK && lore_streq(id, v->v.id) ? name
                                                                                     : v->v.id;
}

const char *
lore_brief_cite_id(struct saying *s, const char *version)
{
    struct lore_version_row *v = lore_alloc(s->arena, sizeof *v);
    struct lore_err ignored;

    return lore_db_get_version_head(s->f->req->db, version, s->arena, v, &ignored) == LORE_OK
               ? lore_brief_cite(s, v)
               : version;
}

static const char *
time_text(struct saying *s, double ns)
{
    return lore_duration_text(s->arena, ns);
}

static const char *
factor(struct saying *s, double f)
{
    return lore_factor_text(s->arena, f);
}

/* ---- where it stands ---- */

/* " (95 % interval 80.9 us to 81.5 us, 20 samples)" */
static const char *
spread_text(struct saying *s, const struct lore_board_row *r)
{
    const char *n = r->n_samples > 1 ? lore_format(s->arena, "%zu samples", r->n_samples) : NULL;

    if (r->interval_of && r->interval_low_ns > 0)
        return lore_format(s->arena, " (%s %s to %s%s%s)", r->interval_of,
            time_text(s, r->interval_low_ns), time_text(s, r->interval_high_ns), n ? ", " : "",
            n ? n : "");
    return n ? lore_format(s->arena, " (%s)", n) : "";
}

static const char *
check_text(enum lore_check c)
{
    return c == LORE_C_PASS      ? "; its check passed"
           : c == LORE_C_FAIL    ? "; its results are WRONG"
           : c == LORE_C_TIMEOUT ? "; its check timed out"
                                 : "; its results were not checked here";
}

/* " on h200, M=4096 N=4096 bf16" */
static const char *
place_text(struct saying *s, const char *chip, const char *workload)
{
    return lore_format(s->arena, "%s%s%s%s", chip ? " on " : "", chip ? chip : "",
        workload ? ", " : "", workload ? workload : "");
}

const char *
lore_brief_name(struct saying *s, const struct lore_version_row *v)
{
    const char *label = v->v.label ? v->v.label : v->v.tag;

    if (!v->kernel_name)
        return v->v.id;
    if (label && strchr(label, '=')) /* it repeats the parameters */
        label = NULL;
    return lore_format(s->arena, "%s%s%s", v->kernel_name, label ? " " : "", label ? label : "");
}

/* "the first version", "cuBLAS": what a speedup is over. */
static const char *
base_text(const struct lore_speedup *g)
{
    static const char *const words[LORE_BASE_COUNT] = {[LORE_BASE_PARENT] = "its parent",
        [LORE_BASE_FIRST] = "the first version",
        [LORE_BASE_BEST_SO_FAR] = "the best before it",
        [LORE_BASE_LIBRARY] = "the library",
        [LORE_BASE_PREVIOUS] = "the attempt before it"};

    return g->base_name     ? g->base_name
           : words[g->base] ? words[g->base]
                            : "a base that is not recorded";
}

static void
say_champion(struct saying *s)
{
    const struct lore_brief_facts *f = s->f;
    const struct lore_about *about = &f->x.start.about;
    const struct lore_board_row *r = f->row;
    double ns = r && r->time_ns > 0 ? r->time_ns : f->at ? f->at->time_ns : 0;
    const char *cite = lore_brief_cite(s, about->version);
    const char *language = lore_streq(about->version->language, "other")
                               ? ""
                               : lore_format(s->arena, " in %s", about->version->language);
    const char *place = place_text(s, about->chip ? about->chip : f->history.timing.chip,
        r ? r->workload_label : f->history.timing.workload_label);
    enum lore_check check = r ? r->correctness : f->at ? f->at->check : LORE_C_NONE;
    const char *what =
        f->elsewhere ? "Not measured on this chip. Best version elsewhere"
        : about->by == LORE_ABOUT_GIVEN || about->by == LORE_ABOUT_CHAMPION ? "Best version"
        : about->by == LORE_ABOUT_OTHER_SHAPE ? "Nothing was measured for this shape. Nearest"
                                              : "Nothing was measured on this chip. Nearest";

    if (f->run.r.id)
        cite = lore_format(s->arena, "%s, run %s", cite, f->run.r.id);
    SAY(s, LORE_BRIEF_STANDING, "%s: %s%s, %s%s%s%s%s [%s].", what,
        lore_brief_name(s, about->version), language,
        ns > 0 ? time_text(s, ns) : "no time is recorded",
        ns > 0 && r && r->evidence == LORE_EV_CLAIMED ? " as stated" : "", ns > 0 ? place : "",
        r && ns > 0 ? spread_text(s, r) : "", check_text(check), cite);
}

/* "1.31x", or "typically 1.2 to 4.5x, at best 5.30x". */
static const char *
stated_text(struct saying *s, const struct lore_speedup *g)
{
    return g->low > 0 && g->high > 0 ? lore_format(s->arena, "typically %.3g to %.3gx, at best %s,",
                                           g->low, g->high, factor(s, g->value))
                                     : factor(s, g->value);
}

/* Whether the best of row R has a stated range of gains: its one stated time is the best case. */
static bool
is_range(const struct lore_board_row *r)
{
    return r && r->speedup.set && r->speedup.low > 0 && r->speedup.high > 0;
}

/* Whether another version is known to be faster at the place. */
static bool
is_faster(const struct lore_brief_facts *f)
{
    double ns = f->row ? f->row->time_ns : f->at ? f->at->time_ns : 0;

    return f->leader && ns > 0 && f->leader->time_ns < ns &&
           !(f->row && f->row->rank == 1 && lore_streq(f->row->workload, f->leader->workload));
}

/* Whether version T began another log of the kernel at the place of version AT, with another time
 * than FIRST. */
static bool
is_other_first(const struct lore_history_version *t, const struct lore_history_version *first,
    const struct lore_history_version *at)
{
    return t != at && t->version->v.kind == LORE_V_BASELINE && t->time_ns > 0 && !t->elsewhere &&
           !t->hidden && lore_streq(t->chip, at->chip) &&
           (t->time_ns < first->time_ns || t->time_ns > first->time_ns);
}

/* "Over the first version: 2.26x"; where the kernel has several logs, over that of its own, and
 * with which times the others began. */
static void
say_over_first(struct saying *s)
{
    const struct lore_brief_facts *f = s->f;
    const struct lore_history *h = &f->history;
    const struct lore_history_version *first = &h->entries[h->line.steps[f->step->first].in];
    const struct lore_history_version *low = NULL, *high = NULL;

    for (size_t i = 0; i < h->line.n; i++) {
        const struct lore_history_version *t = &h->entries[i];
        if (!is_other_first(t, first, f->at))
            continue;
        low = !low || t->time_ns < low->time_ns ? t : low;
        high = !high || t->time_ns > high->time_ns ? t : high;
    }
    SAY(s, LORE_BRIEF_STANDING, "Over the first version%s: %s [%s].",
        low ? lore_format(s->arena, " of its own log (%s)", time_text(s, first->time_ns)) : "",
        factor(s, f->step->vs_first), lore_brief_cite(s, first->version));
    if (low)
        SAY(s, LORE_BRIEF_STANDING, "Other logs of this kernel began at %s%s%s [%s].",
            time_text(s, low->time_ns), high != low ? " to " : "",
            high != low ? time_text(s, high->time_ns) : "", lore_brief_cite(s, low->version));
}

static void
say_gains(struct saying *s)
{
    const struct lore_brief_facts *f = s->f;
    const struct lore_board_row *r = f->row;

    if (r && r->disputed)
        SAY(s, LORE_BRIEF_STANDING,
            "Disputed: somebody else says, without a reference and numbers, that its results are "
            "wrong [%s].",
            r->disputed);
    if (r && r->vs_library.set)
        SAY(s, LORE_BRIEF_STANDING, "Against %s%s: %s%s%s%s.%s",
            r->vs_library.base_version ? "the fastest library here, " : "",
            r->vs_library.base_name ? r->vs_library.base_name : "the library",
            factor(s, r->vs_library.value), r->vs_library.base_version ? " [" : "",
            r->vs_library.base_version ? lore_brief_cite_id(s, r->vs_library.base_version) : "",
            r->vs_library.base_version ? "]" : "", lore_brief_doubt_library(s, r));
    if (f->step && f->step->vs_first > 0 && !is_range(r))
        say_over_first(s);
    else if (r && r->speedup.set && !lore_streq(r->speedup.base_version, r->best_version))
        SAY(s, LORE_BRIEF_STANDING, "Gain, as stated: %s over %s [%s].",
            stated_text(s, &r->speedup), base_text(&r->speedup),
            r->best_experiment ? r->best_experiment : lore_brief_cite(s, f->x.start.about.version));
    if (is_faster(f)) {
        lore_brief_note_better(s, f->leader);
        SAY(s, LORE_BRIEF_STANDING, "Faster%s%s: %s in %s, %s%s%s [%s].",
            f->leader->workload_label ? " on " : "",
            f->leader->workload_label ? f->leader->workload_label : "",
            f->leader->kernel_name ? f->leader->kernel_name : "a kernel",
            lore_language_name(f->leader->language), time_text(s, f->leader->time_ns),
            f->leader->evidence == LORE_EV_CLAIMED ? " as stated" : "",
            lore_brief_adds(s, f->leader->best_version),
            lore_brief_cite_id(s, f->leader->best_version));
    }
    lore_brief_say_nearer(s);
}

const char *
lore_brief_count(struct saying *s, size_t n, const char *noun)
{
    return lore_format(s->arena, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}

/* Whether experiment ID brought in, or perhaps brought in, a technique of the version. */
static bool
is_of_version(const struct saying *s, const char *id)
{
    const struct lore_line_rows *t = &s->f->x.start.about.techniques;
    size_t i = 0;

    while (i < t->n && !lore_streq(t->v[i].experiment, id))
        i++;
    return i < t->n;
}

static int
by_speedup(const void *a, const void *b)
{
    double x = (*(const struct lore_repeats_attempt *const *)a)->speedup;
    double y = (*(const struct lore_repeats_attempt *const *)b)->speedup;

    return (x < y) - (x > y);
}

/* Gains of logs that do not say what they start from: the version need not have them. */
static void
say_other_gains(struct saying *s)
{
    const struct lore_attempts *all = &s->f->x.start.tried;
    const struct lore_repeats_attempt **v = lore_alloc_array(s->arena, all->n + 1, sizeof *v);
    const char *text = "";
    size_t n = 0;

    for (size_t i = 0; i < all->n; i++)
        if (all->v[i].end == LORE_ATTEMPT_GAIN && all->v[i].loose &&
            !is_of_version(s, all->v[i].id))
            v[n++] = &all->v[i];
    if (n > 1)
        qsort(v, n, sizeof *v, by_speedup);
    for (size_t i = 0; i < n && i < GAINS; i++) {
        const char *what = v[i]->idea.title ? v[i]->idea.title : v[i]->idea.text;
        text = lore_format(s->arena, "%s%s%s%s%s [%s]", text, i > 0 ? "; " : "",
            what ? lore_brief_sentence(s->arena, what) : "a change without words",
            v[i]->speedup > 0 ? " " : "",
            v[i]->speedup > 0 ? lore_factor_text(s->arena, v[i]->speedup) : "", v[i]->id);
    }
    if (n > 0)
        SAY(s, LORE_BRIEF_STANDING, "Gained in another log of this kernel: %s.", text);
}

/* " (smaller steps since then add 1.13x)": what the version gained after the last attempt that is a
 * gain by itself, if that would be one. */
static const char *
steps_text(struct saying *s)
{
    const struct lore_attempts *all = &s->f->x.start.tried;
    const struct lore_history_version *at = s->f->at, *t = NULL;
    size_t i = all->n;
    bool later = false; /* the version was made after the last gain */

    for (; i > 0 && all->v[i - 1].end != LORE_ATTEMPT_GAIN; i--)
        later |= at && lore_streq(all->v[i - 1].to_version, at->version->v.id);
    if (later && i > 0)
        t = lore_brief_entry(&s->f->history, all->v[i - 1].to_version);
    return t && t->time_ns > at->time_ns * LORE_WIN_ABOVE && at->time_ns > 0 && !t->elsewhere
               ? lore_format(s->arena, " (smaller steps since then add %s)",
                     factor(s, t->time_ns / at->time_ns))
               : "";
}

static void
say_effort(struct saying *s)
{
    const struct lore_brief_facts *f = s->f;
    const struct lore_repeats *l = &f->x.start.lineage;

    if (f->session)
        SAY(s, LORE_BRIEF_STANDING, "Session %s: %s%s [%s].", f->session->r.label,
            lore_brief_count(s, (size_t)f->session->arrived, "attempt"),
            f->session->closed || f->session->r.ended_at ? ", ended" : "", f->session->r.id);
    if (l->attempts > 0)
        SAY(s, LORE_BRIEF_STANDING, "%s%s on this kernel: %s [%s].",
            f->kernel.n_experiments > LORE_ATTEMPTS_READ ? "The last " : "",
            lore_brief_count(s, l->attempts, "attempt"),
            !l->gained     ? "none gained"
            : l->unordered ? lore_format(s->arena, "%zu gained, in several logs", l->gains)
            : l->since_gain == 0
                ? "the last one gained"
                : lore_format(s->arena, "%zu since the last gain%s", l->since_gain, steps_text(s)),
            f->kernel.k.id);
    if (l->unordered)
        say_other_gains(s);
}

/* The best version of a kernel whose log states gains and no times. */
static void
say_stated(struct saying *s)
{
    const struct lore_brief_stated *t = &s->f->stated;
    const struct lore_experiment_row *e = t->best->experiment;
    const struct lore_chip *asked = s->f->x.question.chip;

    SAY(s, LORE_BRIEF_STANDING,
        "Best version, by stated gains: %s, %s over the first version (%s)%s; no time %sis stored "
        "[%s, %s].",
        lore_brief_name(s, t->best->version), factor(s, t->over_first),
        lore_brief_name(s, t->first), place_text(s, e->e.chip, e->workload.label),
        asked && !lore_streq(asked->name, e->e.chip) ? lore_format(s->arena, "on %s ", asked->name)
                                                     : "",
        lore_brief_cite(s, t->best->version), lore_brief_cite(s, t->first));
}

static void
say_standing(struct saying *s)
{
    const struct lore_brief_facts *f = s->f;
    const struct lore_board_row *l = f->leader;

    if (f->untimed)
        SAY(s, LORE_BRIEF_STANDING,
            "No version of the kernel %s has a time; what follows is about the operator %s.",
            f->untimed, f->x.question.op);
    if (f->x.chip_note)
        SAY(s, LORE_BRIEF_STANDING, "%s", f->x.chip_note);
    if (f->x.start.about.version && f->stated.best) {
        say_stated(s);
    } else if (f->x.start.about.version) {
        say_champion(s);
        say_gains(s);
    } else if (l && f->stated.best) {
        say_stated(s);
    } else if (l) {
        SAY(s, LORE_BRIEF_STANDING,
            "No version has a time. The largest gain that is stated: %s over %s%s [%s].",
            stated_text(s, &l->claims->speedup), base_text(&l->claims->speedup),
            place_text(s, l->chip, l->workload_label), l->claims->experiment);
    }
    if (!f->x.start.about.version && !f->stated.best)
        lore_brief_say_stored(s);
    say_effort(s);
    if (f->searched.sweep)
        SAY(s, LORE_BRIEF_STANDING, "%s %s timed%s [%s].",
            lore_brief_count(s, f->searched.timed, "configuration"),
            f->searched.timed == 1 ? "was" : "were",
            f->searched.failed > 0 ? lore_format(s->arena, ", %zu more failed", f->searched.failed)
                                   : "",
            f->searched.sweep);
    else if (f->x.start.placed && f->x.start.place.measured > 1 && f->x.start.best &&
             f->kernel.k.id && f->x.start.best->row.v.params.n > 0)
        SAY(s, LORE_BRIEF_STANDING, "%s have a result here [%s].",
            lore_brief_count(s, f->x.start.place.measured, "configuration"), f->kernel.k.id);
    if (f->x.answer.summary)
        lore_brief_add(s, LORE_BRIEF_STANDING, f->x.answer.summary);
}

/* ---- what is left ---- */

static bool
is_here(const struct lore_brief_facts *f)
{
    return f->x.start.about.by != LORE_ABOUT_OTHER_CHIP || !f->x.start.about.chip;
}

/* What is missing for a headroom. */
static const char *
missing_text(struct saying *s)
{
    const struct lore_run_row *r = &s->f->run;
    struct lore_work work;

    if (s->f->elsewhere)
        return "nothing was timed on this chip";
    if (!r->r.id || !(lore_run_time_ns(&r->r, s->arena) > 0))
        return s->f->at && s->f->at->time_ns > 0 ? "its time is only stated, without a run"
                                                 : "no timed run of it is stored";
    const char *dims = lore_work_dims(r->op);
    if (!lore_run_work(r, &work) && dims)
        return lore_format(s->arena,
            "to count its FLOP and bytes, %s needs a data type and as dims %s; its run states "
            "others",
            r->op, dims);
    if (!lore_run_work(r, &work))
        return lore_format(s->arena,
            "no rule counts the FLOP and bytes of %s, and no run measured "
            "its bytes",
            r->op);
    return lore_format(s->arena, "%s has no peak rate with a source for this data type",
        r->r.chip ? r->r.chip : "its chip");
}

static void
say_headroom(struct saying *s)
{
    const struct lore_brief_facts *f = s->f;
    const struct lore_headroom *h = &f->x.start.about.headroom;

    if (!f->x.start.about.version)
        return;
    if (!h->known) {
        SAY(s, LORE_BRIEF_HEADROOM, "Not known: %s [%s].", missing_text(s),
            f->run.r.id ? f->run.r.id : lore_brief_cite(s, f->x.start.about.version));
        return;
    }
    if (h->counter) {
        SAY(s, LORE_BRIEF_HEADROOM,
            "%s%s is at %.0f %% of its peak by this run's own counter %s: at most %s faster%s, "
            "unless "
            "it does less work [%s].",
            lore_streq(h->bound, "memory") ? "DRAM" : "The matrix unit",
            is_here(f) ? "" : lore_format(s->arena, " of %s", f->x.start.about.chip),
            h->fraction * 100, h->counter, factor(s, h->at_most), is_here(f) ? "" : " there",
            f->run.r.id ? f->run.r.id : "");
        return;
    }
    SAY(s, LORE_BRIEF_HEADROOM, "%s%s%s %.0f %% of the %s limit (%s%s%s): at most %s faster%s%s%s.",
        is_here(f) ? "At" : "On ", is_here(f) ? "" : f->x.start.about.chip,
        is_here(f) ? "" : " it is at", h->fraction * 100, h->bound, h->limit ? h->limit : "",
        h->rule ? "; FLOP " : "", h->rule ? h->rule : "; bytes measured", factor(s, h->at_most),
        f->run.r.id ? " [" : "", f->run.r.id ? f->run.r.id : "", f->run.r.id ? "]" : "");
}

/* ---- what is in it ---- */

/* "gemm_bf16_cuda (gemm, cuda) on h200, M=4096 N=4096 K=4096 bf16 tn" */
static const char *
title_of(struct saying *s)
{
    const struct lore_brief_facts *f = s->f;
    const struct lore_question *q = &f->x.question;
    bool here = f->x.start.about.by <= LORE_ABOUT_CHAMPION;
    const char *label = f->x.workload.label || !here ? f->x.workload.label
                        : f->row                     ? f->row->workload_label
                                                     : f->history.timing.workload_label;
    const char *language = q->language != LORE_LANG_NONE && q->language != LORE_LANG_OTHER
                               ? lore_language_name(q->language)
                               : NULL;
    if (!f->x.workload.label && f->session && f->session->r.workload.set)
        label = lore_workload_label(s->arena, &f->session->r.workload);
    else if (!f->x.workload.label && q->shape)
        label = lore_workload_label(s->arena,
            &(struct lore_workload){
                .dims = *q->shape->dims, .dtype = q->shape->dtype, .layout = q->shape->layout});
    const char *what =
        f->kernel.k.name && !f->untimed && lore_arg_text(f->req, "operator", NULL) == NULL
            ? lore_format(s->arena, "%s (%s%s%s)", f->kernel.k.name, q->op, language ? ", " : "",
                  language ? language : "")
            : lore_format(
                  s->arena, "%s%s%s", q->op, language ? " in " : "", language ? language : "");

    return lore_format(
        s->arena, "%s%s", what, place_text(s, q->chip ? q->chip->name : NULL, label));
}

enum lore_status
lore_brief_say(struct lore_brief_facts *f, struct lore_brief *out, struct lore_err *err)
{
    struct saying s = {.f = f, .to = out, .arena = f->req->arena};

    out->title = title_of(&s);
    say_standing(&s);
    say_headroom(&s);
    lore_brief_say_has(&s);
    return lore_brief_say_advice(&s, err);
}
