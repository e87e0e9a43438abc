/* Other versions of the operator that a brief names (brief.h): the one that comes nearest to the
 * limit of the chip at another shape or in another language; and, where none was timed, the newest
 * one that is stored. */
#include <string.h>

#include "db/query.h"
#include "service/api/brief_say.h"
#include "service/api/line.h"
#include "service/base/duration.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/wire/work.h"

enum { ROWS = 256 /* of the board */, KERNELS = 16, VERSIONS = 8, ADDS = 5 /* techniques */ };
#define CLEARLY 1.2 /* times the rate of the version that the brief is about */

/* ---- nearer to the limit ---- */

/* A rate that can be compared: percent of the limit, else operations per nanosecond of one type. */
struct rate {
    double percent, flops;
    const char *dtype;
};

static struct rate
rate_of(struct saying *s, const struct lore_board_row *r)
{
    struct lore_workload_row row = {0};
    struct lore_workload w = {0};
    struct rate out = {.percent = r->peak_pct};
    struct lore_work work;
    struct lore_err ignored;

    if (out.percent > 0 || !r->workload || !(r->time_ns > 0) ||
        lore_db_get_workload(s->f->req->db, r->workload, s->arena, &row, &ignored) != LORE_OK ||
        lore_workload_fill(&row, s->arena, &w, &ignored) != LORE_OK ||
        !lore_work_of(r->op, &w.dims, w.dtype, &work) || !work.flops.set)
        return out;
    out.flops = work.flops.v / r->time_ns;
    out.dtype = w.dtype;
    return out;
}

/* How many times the rate A is the rate B; 0: they do not compare. */
static double
times(const struct rate *a, const struct rate *b)
{
    if (a->percent > 0 && b->percent > 0)
        return a->percent / b->percent;
    return a->flops > 0 && b->flops > 0 && lore_streq(a->dtype, b->dtype) ? a->flops / b->flops : 0;
}

/* "73 % of the compute limit (this one: 57 %)", "412 TFLOP/s (this one: 161)" */
static const char *
rate_text(struct saying *s, const struct lore_board_row *r, struct rate a, struct rate own)
{
    if (a.percent > 0)
        return lore_format(s->arena, "%.0f %% of the %s limit (this one: %.0f %%)", a.percent,
            r->limiter ? r->limiter : "chip's", own.percent);
    return lore_format(s->arena, "%.3g TFLOP/s (this one: %.3g)", a.flops / 1e3, own.flops / 1e3);
}

const char *
lore_brief_adds(struct saying *s, const char *version)
{
    const struct lore_texts *has = &s->f->x.question.has;
    struct lore_line line = {0};
    struct lore_err ignored;
    const char *text = "";
    size_t n = 0;

    if (!s->f->x.start.about.version ||
        lore_line_load_id(s->f->req->db, version, s->arena, &line, &ignored) != LORE_OK)
        return text;
    for (size_t i = 0; i < line.n && n < ADDS; i++) {
        size_t k = 0;
        while (k < has->n && !lore_streq(has->v[k], line.v[i]->name))
            k++;
        if (k == has->n && !line.v[i]->out && !strstr(text, line.v[i]->name))
            text = lore_format(s->arena, "%s%s%s", text,
                n++ == 0 ? "; recorded in it and not in this one: " : ", ", line.v[i]->name);
    }
    return text;
}

void
lore_brief_note_better(struct saying *s, const struct lore_board_row *r)
{
    if (s->better)
        return;
    s->better = lore_format(s->arena, "%s [%s]", r->kernel_name ? r->kernel_name : "that kernel",
        lore_brief_cite_id(s, r->best_version));
    s->may_start =
        lore_streq(lore_language_name(r->language), s->f->x.start.about.version->language);
}

void
lore_brief_say_nearer(struct saying *s)
{
    const struct lore_board_row *own = s->f->row, *best = NULL;
    struct lore_board_row *v = NULL;
    size_t n = 0, total;

    if (!own || !own->chip || !(own->time_ns > 0))
        return;
    {
        LORE_INDEXES_VIEW indexes = s->f->req->app->indexes;
        const struct lore_board_filter of = {.op = own->op,
            .chip = lore_chip_find(own->chip),
            .bests = true,
            .sort = "time",
            .limit = ROWS};
        lore_board(lore_indexes_board(indexes), &of, s->arena, &v, &n, &total);
    }
    const struct rate here = rate_of(s, own);
    struct rate most = here;
    for (size_t i = 0; i < n; i++) {
        if (lore_streq(v[i].workload, own->workload) || v[i].evidence == LORE_EV_CLAIMED ||
            v[i].correctness == LORE_C_FAIL || !v[i].best_version || !(v[i].time_ns > 0))
            continue;
        const struct rate r = rate_of(s, &v[i]);
        if (times(&r, &most) > (best ? 1 : CLEARLY)) {
            best = &v[i];
            most = r;
        }
    }
    if (best)
        lore_brief_note_better(s, best);
    if (best)
        SAY(s, LORE_BRIEF_STANDING, "%s %s, at another shape: %s in %s, %s%s%s, %s%s [%s].",
            most.percent > 0 ? "Nearer to the limit of" : "At a higher rate on", own->chip,
            best->kernel_name ? best->kernel_name : "a kernel", lore_language_name(best->language),
            lore_duration_text(s->arena, best->time_ns), best->workload_label ? ", " : "",
            best->workload_label ? best->workload_label : "", rate_text(s, best, most, here),
            lore_brief_adds(s, best->best_version), lore_brief_cite_id(s, best->best_version));
}

/* ---- stored without a time ---- */

static bool
can_run(const struct lore_question *q, enum lore_language language)
{
    const char *vendor = lore_language_vendor(language);

    return language != LORE_LANG_LIBRARY &&
           (q->language == LORE_LANG_NONE || q->language == language) &&
           (!vendor || !q->chip || lore_streq(vendor, q->chip->vendor));
}

/* The newest version of kernel K that is no library and no ablation. A kernel with many versions
 * has attempts of all kinds: then the version has no id. */
static struct lore_version_row *
newest_of(struct saying *s, const struct lore_kernel_row *k)
{
    const struct lore_list_filter of = {.kernel = k->k.id, .page.limit = VERSIONS};
    struct lore_version_row *v = NULL;
    struct lore_err ignored;
    size_t n = 0;

    if (lore_db_list_versions(s->f->req->db, &of, s->arena, &v, &n, &ignored) != LORE_OK)
        return NULL;
    for (size_t i = 0; i < n && i < VERSIONS; i++)
        if (v[i].v.kind != LORE_V_LIBRARY && v[i].v.kind != LORE_V_ABLATION) {
            v[i].v.id = n < VERSIONS ? v[i].v.id : NULL;
            return &v[i];
        }
    return NULL;
}

/* The version that the largest claim is about. */
static void
say_claimed(struct saying *s)
{
    struct lore_version_row v = {0};
    struct lore_experiment_row e = {0};
    struct lore_err ignored;
    struct lore_db *db = s->f->req->db;

    if (lore_db_get_experiment(db, s->f->leader->claims->experiment, s->arena, &e, &ignored) !=
            LORE_OK ||
        !e.e.to_version ||
        lore_db_get_version(db, e.e.to_version, s->arena, &v, &ignored) != LORE_OK)
        return;
    SAY(s, LORE_BRIEF_STANDING, "The claim is about: %s%s%s%s%s [%s].", lore_brief_name(s, &v),
        lore_streq(v.language, "other") ? "" : " in ",
        lore_streq(v.language, "other") ? "" : v.language, v.v.summary ? ": " : "",
        v.v.summary ? lore_brief_sentence(s->arena, v.v.summary) : "", lore_brief_cite(s, &v));
}

/* The best version of each other operator of the same family. */
static void
say_family(struct saying *s)
{
    const struct lore_operator *own = lore_operator_find(s->f->x.question.op), *all;
    struct lore_board_row *v = NULL;
    size_t n_operators = 0, n, total;

    all = lore_operators(&n_operators);
    for (size_t i = 0; own && i < n_operators; i++) {
        if (&all[i] == own || !lore_streq(all[i].family, own->family))
            continue;
        LORE_INDEXES_VIEW indexes = s->f->req->app->indexes;
        const struct lore_board_filter of = {
            .op = all[i].name, .bests = true, .sort = "time", .limit = 1};
        n = total = 0;
        lore_board(lore_indexes_board(indexes), &of, s->arena, &v, &n, &total);
        if (n > 0 && v->best_version && v->chip)
            SAY(s, LORE_BRIEF_STANDING, "Stored of the same family: %s on %s, %s%s%s [%s].",
                all[i].name, v->chip, lore_duration_text(s->arena, v->time_ns),
                v->workload_label ? ", " : "", v->workload_label ? v->workload_label : "",
                lore_brief_cite_id(s, v->best_version));
    }
}

void
lore_brief_say_stored(struct saying *s)
{
    const struct lore_question *q = &s->f->x.question;
    const struct lore_list_filter of = {.op = q->op, .page.limit = KERNELS};
    const struct lore_version_row *v = NULL;
    struct lore_kernel_row *k = NULL;
    struct lore_err ignored;
    size_t n = 0, i = 0;

    if (s->f->leader) {
        say_claimed(s);
        return;
    }
    if (lore_db_list_kernels(s->f->req->db, &of, s->arena, &k, &n, &ignored) != LORE_OK)
        n = 0;
    for (; i < n && i < KERNELS && !v; i++)
        if (can_run(q, k[i].k.language))
            v = newest_of(s, &k[i]);
    if (!v) {
        SAY(s, LORE_BRIEF_STANDING, "No version of %s that can run here is stored.", q->op);
        say_family(s);
    } else if (!v->v.id)
        SAY(s, LORE_BRIEF_STANDING, "Stored, without a measured time: %s in %s with %s [%s].",
            k[i - 1].k.name, v->language,
            lore_brief_count(s, (size_t)k[i - 1].n_versions, "version"), k[i - 1].k.id);
    else
        SAY(s, LORE_BRIEF_STANDING, "Stored, without a measured time: %s in %s%s%s [%s].",
            lore_brief_name(s, v), v->language, v->v.summary ? ": " : "",
            v->v.summary ? lore_brief_sentence(s->arena, v->v.summary) : "", lore_brief_cite(s, v));
}
