/* Where an attempt belongs: its session, its kernel, its workload, and the version that it started
 * from. */
#include <math.h>
#include <string.h>

#include "service/api/attempt.h"
#include "service/api/params.h"
#include "service/base/duration.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/stats/stats.h"
#include "service/wire/build.h"

enum { CANDIDATES = 8 };

struct finding {
    struct lore_req *req;
    const struct lore_attempt *a;
    struct lore_attempt_place *p;
    struct lore_errs *errs;
    struct lore_err *err;
};

static bool
reported(const struct finding *f, const char *path)
{
    for (size_t i = 0; i < f->errs->n; i++)
        if (lore_streq(f->errs->v[i].path, path))
            return true;
    return false;
}

/* ---- times ---- */

static double
read_duration(struct finding *f, const char *text, const char *path)
{
    struct lore_err why = {0};
    double ns = 0;

    if (lore_duration_parse(text, path, &ns, &why) != LORE_OK) {
        struct lore_err *e = lore_errs_add(f->errs, "invalid_time", path, "%s", why.msg);
        lore_err_hint(e, "%s", why.hint);
    }
    return ns;
}

/* Read one side into its time, and into samples when it has them. The time of samples is their
 * median. */
static double
read_time(struct finding *f, const struct lore_attempt_time *t, const char *name, int64_t **samples,
    size_t *n)
{
    const char *list = lore_format(f->req->arena, "samples%s", *name == 't' ? "" : "_before");
    int given = (t->text != NULL) + t->ns.set + (t->samples.n > 0) + (t->n_samples > 0);

    if (given > 1)
        (void)lore_errs_add(f->errs, "invalid_value", name, "give one of %s, %s_ns, %s, %s_ns",
            name, name, list, list);
    if (t->n_samples > 0) {
        *samples = t->samples_ns;
        *n = t->n_samples;
    } else if (t->samples.n > 0) {
        *samples = lore_alloc_array(f->req->arena, t->samples.n, sizeof **samples);
        for (; *n < t->samples.n; ++*n)
            (*samples)[*n] = llround(read_duration(
                f, t->samples.v[*n], lore_format(f->req->arena, "%s[%zu]", list, *n)));
    }
    if (*n > 0)
        return lore_stats_median_ns(*samples, *n, f->req->arena);
    if (t->ns.set && t->ns.v <= 0)
        (void)lore_errs_add(f->errs, "invalid_value", lore_format(f->req->arena, "%s_ns", name),
            "a time is more than 0");
    return t->ns.set ? t->ns.v : t->text ? read_duration(f, t->text, name) : 0;
}

static void
read_times(struct finding *f)
{
    struct lore_attempt_place *p = f->p;

    p->after_ns = read_time(f, &f->a->after, "time", &p->after, &p->n_after);
    p->before_ns = read_time(f, &f->a->before, "before", &p->before, &p->n_before);
}

/* ---- kernel, chip, workload ---- */

static enum lore_status
take_session(struct finding *f)
{
    struct lore_attempt_place *p = f->p;
    struct lore_campaign_row c = {0};

    if (!f->a->session)
        return LORE_OK;
    enum lore_status status =
        lore_db_get_campaign(f->req->db, f->a->session, f->req->arena, &c, f->err);
    if (status == LORE_NOTFOUND) {
        (void)lore_errs_add(
            f->errs, "not_found", "session", "no session has the id %s", f->a->session);
        return LORE_OK;
    }
    if (status != LORE_OK)
        return status;
    if (c.closed)
        (void)lore_errs_add(f->errs, "session_ended", "session", "this session has ended");
    p->session = c.r.id;
    p->chip = c.r.chip;
    p->workload = c.r.workload;
    p->kernel_id = c.r.kernel;
    return LORE_OK;
}

static void
list_candidates(struct finding *f, const struct lore_kernel_row *rows, size_t n, const char *name)
{
    struct lore_err *e =
        lore_errs_add(f->errs, "ambiguous_name", "kernel", "%zu kernels are named \"%s\"", n, name);
    const char *text = "give operator and language, or an id:";

    for (size_t i = 0; i < n; i++)
        text = lore_format(f->req->arena, "%s%s %s %s %s", text, i ? "," : "", rows[i].k.op,
            lore_language_name(rows[i].k.language), rows[i].k.id);
    lore_err_hint(e, "%s", text);
}

/* The language of the body, else the one that the name of a source tells. */
static enum lore_language
language_of(const struct lore_attempt *a)
{
    const char *file = a->n_sources > 0          ? a->sources[0].file
                       : a->n_parent_sources > 0 ? a->parent_sources[0].file
                                                 : "";
    const char *dot = strrchr(file, '.');

    if (a->language != LORE_LANG_NONE || !dot)
        return a->language;
    return strcmp(dot, ".cu") == 0    ? LORE_LANG_CUDA
           : strcmp(dot, ".hip") == 0 ? LORE_LANG_HIP
                                      : LORE_LANG_NONE;
}

/* A kernel that is not stored yet, from the operator and the language in the body. */
static void
describe_new(struct finding *f, const char *name)
{
    struct lore_submission ignored = {.project = f->a->project};
    const struct lore_attempt *a = f->a;
    enum lore_language language = language_of(a);

    if (!a->op && !reported(f, "operator")) {
        struct lore_err *e = lore_errs_add(f->errs, "missing_field", "operator",
            "no kernel is named \"%s\"; a new one needs its operator", name);
        lore_err_hint(e, "gemm, softmax, topk_softmax");
    }
    if (language == LORE_LANG_NONE && !reported(f, "language")) {
        struct lore_err *e = lore_errs_add(f->errs, "missing_field", "language",
            "no kernel is named \"%s\"; a new one needs its language", name);
        lore_err_hint(e, "cuda, hip, triton, cute_dsl");
    }
    if (!a->op || language == LORE_LANG_NONE)
        return;
    f->p->kernel = (struct lore_kernel){
        .op = a->op, .name = name, .language = language, .project = a->project};
    f->p->kernel_id = lore_build_kernel(f->req->arena, &ignored, a->op, language, name);
}

static enum lore_status
find_kernel(struct finding *f)
{
    const struct lore_attempt *a = f->a;
    struct lore_attempt_place *p = f->p;
    struct lore_kernel_row row = {0}, *rows = NULL;
    enum lore_status status = LORE_OK;
    size_t n = 0;

    if (!p->kernel_id && a->kernel && lore_ulid_valid(a->kernel))
        p->kernel_id = a->kernel;
    if (p->kernel_id) {
        status = lore_db_get_kernel(f->req->db, p->kernel_id, f->req->arena, &row, f->err);
        if (status == LORE_NOTFOUND) {
            (void)lore_errs_add(
                f->errs, "not_found", "kernel", "no kernel has the id %s", p->kernel_id);
            return LORE_OK;
        }
        p->kernel = row.k;
        p->stored = status == LORE_OK;
        return status;
    }
    const char *name = a->kernel ? a->kernel : a->op;
    if (!name) {
        struct lore_err *e =
            lore_errs_add(f->errs, "missing_field", "kernel", "required: the kernel's name");
        lore_err_hint(e, "with operator and language when it is new");
        return LORE_OK;
    }
    struct lore_list_filter of = {.name = name,
        .op = a->op,
        .project = a->project,
        .language = language_of(a) != LORE_LANG_NONE ? lore_language_name(language_of(a)) : NULL,
        .page.limit = CANDIDATES};
    status = lore_db_list_kernels(f->req->db, &of, f->req->arena, &rows, &n, f->err);
    if (status != LORE_OK)
        return status;
    if (n > 1)
        list_candidates(f, rows, n, name);
    else if (n == 0)
        describe_new(f, name);
    if (n != 1)
        return LORE_OK;
    p->kernel = rows[0].k;
    p->kernel_id = rows[0].k.id;
    p->stored = true;
    return LORE_OK;
}

/* The chip and the workload of the body, else those of the session. */
static void
take_conditions(struct finding *f)
{
    struct lore_attempt_place *p = f->p;

    if (f->a->chip)
        p->chip = f->a->chip;
    if (f->a->workload.set)
        p->workload = f->a->workload;
    if (!p->chip && !reported(f, "chip")) {
        struct lore_err *e =
            lore_errs_add(f->errs, "missing_field", "chip", "required: where it was tried");
        lore_err_hint(e, "h100-sxm, mi300x, sm_86");
    }
    p->workload.op = p->kernel.op;
    if (p->workload.set && p->kernel.op)
        lore_workload_id(
            lore_workload_text(f->req->arena, p->kernel.op, &p->workload), p->workload_id);
}

/* ---- versions ---- */

static const struct lore_history_version *
at(const struct lore_history *h, size_t step)
{
    return step < h->line.n ? &h->entries[h->line.steps[step].in] : NULL;
}

static const struct lore_history_version *
newest(const struct lore_history *h)
{
    const struct lore_history_version *last = NULL;

    for (size_t i = 0; i < h->line.n; i++)
        if (!last || h->entries[i].version->seq > last->version->seq)
            last = &h->entries[i];
    return last;
}

/* Whether WORD names V: its id or a beginning of it, label, tag or number. */
static bool
named(const struct lore_version *v, const char *word)
{
    const char *digits = word + (*word == 'v' || *word == 'V');
    long long number = -1;

    if (strlen(word) >= 6 && lore_starts(v->id, word))
        return true;
    if (lore_streqi(v->label, word) || lore_streqi(v->tag, word))
        return true;
    return !v->label && v->ordinal.set && *digits &&
           lore_parse_i64(digits, "version", &number, NULL) == LORE_OK && number == v->ordinal.v;
}

static void
unknown_version(struct finding *f, const char *path, const char *word)
{
    const struct lore_history *h = &f->p->history;
    struct lore_err *e = lore_errs_add(f->errs, "not_found", path, "%s has no version \"%s\"",
        f->p->kernel.name ? f->p->kernel.name : "the kernel", word);
    const char *text = "";

    for (size_t i = h->line.n > 12 ? h->line.n - 12 : 0; i < h->line.n; i++) {
        const struct lore_version *v = &at(h, i)->version->v;
        text = lore_format(
            f->req->arena, "%s%s%s", text, *text ? ", " : "it has ", v->label ? v->label : v->id);
    }
    lore_err_hint(e, "%s", *text ? text : "it has no versions yet");
}

/* The version that WORD means; NULL: there is none. */
static const struct lore_history_version *
find_version(const struct lore_history *h, const char *word)
{
    const struct lore_history_version *found = NULL;

    if (lore_streqi(word, "champion"))
        found = at(h, h->line.champion);
    else if (lore_streqi(word, "first"))
        found = at(h, h->line.baseline);
    else if (lore_streqi(word, "last"))
        found = newest(h);
    else
        for (size_t i = 0; i < h->line.n && !found; i++) /* the newest of one label */
            if (named(&at(h, h->line.n - 1 - i)->version->v, word))
                found = at(h, h->line.n - 1 - i);
    return found;
}

static bool
near(double x, double y)
{
    return x > 0 && y > 0 && fabs(x / y - 1) <= LORE_STATED_NOISE;
}

/* The version whose time the stated time before is: the champion when it is near, else the newest
 * that is. */
static const struct lore_history_version *
match_before(const struct lore_history *h, double ns)
{
    const struct lore_history_version *champion = at(h, h->line.champion), *found = NULL;

    if (champion && near(champion->time_ns, ns))
        return champion;
    for (size_t i = 0; i < h->line.n; i++) {
        const struct lore_history_version *t = &h->entries[i];
        if (!t->elsewhere && !t->retracted && near(t->time_ns, ns) &&
            (!found || t->version->seq > found->version->seq))
            found = t;
    }
    return found;
}

static const char *
label_of(const struct lore_history_version *t)
{
    return t->version->v.label ? t->version->v.label : t->version->v.id;
}

/* A name that no version has is that of a new one, when the body says something about it. */
static void
choose_named(struct finding *f, const char *word)
{
    struct lore_attempt_place *p = f->p;
    bool described = p->before_ns > 0 || f->a->n_parent_sources > 0;
    bool fixed = lore_streqi(word, "champion") || lore_streqi(word, "last") ||
                 lore_streqi(word, "first") || lore_ulid_valid(word);

    if (lore_streqi(word, "none")) {
        p->new_before = p->before_ns > 0;
        return;
    }
    p->parent = find_version(&p->history, word);
    if (p->parent)
        return;
    if (described && !fixed) {
        p->new_before = true;
        p->before_label = word;
    } else {
        unknown_version(f, "parent", word);
    }
}

static void
choose_parent(struct finding *f)
{
    struct lore_attempt_place *p = f->p;
    const struct lore_history *h = &p->history;
    const char *word = f->a->parent;

    if (f->a->version && (p->made = find_version(h, f->a->version)) == NULL)
        unknown_version(f, "version", f->a->version);
    if (word) {
        choose_named(f, word);
        return;
    }
    if (p->before_ns <= 0) {
        p->parent = at(h, h->line.champion);
        return;
    }
    p->parent = match_before(h, p->before_ns);
    p->new_before = !p->parent;
    if (p->parent)
        p->note = lore_format(f->req->arena, "the time before is that of %s (%.4g us)",
            label_of(p->parent), p->parent->time_ns / 1e3);
    else if (h->line.champion < h->line.n)
        p->note = lore_format(f->req->arena,
            "the time before is not that of a stored version (champion: %s, %.4g us): it is stored "
            "as one",
            label_of(at(h, h->line.champion)), at(h, h->line.champion)->time_ns / 1e3);
}

static enum lore_status
find_versions(struct finding *f)
{
    struct lore_attempt_place *p = f->p;

    if (p->stored) {
        struct lore_history_filter of = {
            .workload = *p->workload_id ? p->workload_id : NULL, .chip = p->chip};
        enum lore_status status =
            lore_history_load(f->req->db, p->kernel_id, &of, f->req->arena, &p->history, f->err);
        if (status != LORE_OK)
            return status;
    }
    choose_parent(f);
    p->next = p->history.older_versions;
    for (size_t i = 0; i < p->history.line.n; i++) {
        struct lore_i64 ordinal = p->history.entries[i].version->v.ordinal;
        int64_t number = ordinal.set ? ordinal.v + 1 : (int64_t)i + 1;
        if (number > p->next)
            p->next = number;
    }
    return LORE_OK;
}

/* Members that need each other. */
static void
check_members(struct finding *f)
{
    const struct lore_attempt *a = f->a;
    const struct lore_attempt_place *p = f->p;
    bool outcome = p->after_ns > 0 || a->error || a->version || a->outcome || a->hypothesis.claim ||
                   a->notes || a->lesson || a->n_sources > 0 || a->metrics.n > 0 ||
                   a->correctness != LORE_C_NONE;

    if (!a->change && a->n_techniques == 0 && !a->hypothesis.claim && !a->notes && !a->lesson &&
        !a->title) {
        struct lore_err *e =
            lore_errs_add(f->errs, "missing_field", "change", "required: the change, in words");
        lore_err_hint(e, "\"float4 loads\"; \"baseline\" for the first version");
    }
    if (!outcome && !reported(f, "time") && !reported(f, "error")) {
        struct lore_err *e = lore_errs_add(
            f->errs, "missing_field", "time", "required: a time, samples, or why there is none");
        lore_err_hint(e, "\"time\": \"81us\", or \"error\": \"compile\"");
    }
    if (a->error && strcmp(a->error, "wrong") != 0 && p->after_ns > 0)
        (void)lore_errs_add(f->errs, "invalid_value", "error",
            "a version that ended in a %s error has no time", a->error);
    if (a->error && a->correctness == LORE_C_PASS)
        (void)lore_errs_add(
            f->errs, "invalid_value", "correctness", "pass contradicts the error \"%s\"", a->error);
    if (a->advice && !lore_ulid_valid(a->advice))
        (void)lore_errs_add(f->errs, "invalid_id", "advice", "expected an id of `recommend`");
}

enum lore_status
lore_attempt_find_session(struct lore_req *req, const struct lore_attempt *a,
    struct lore_attempt_place *out, struct lore_errs *errs, struct lore_err *err)
{
    struct finding f = {req, a, out, errs, err};

    *out = (struct lore_attempt_place){.a = a};
    enum lore_status status = find_kernel(&f);
    if (status == LORE_OK)
        take_conditions(&f);
    return status;
}

enum lore_status
lore_attempt_find_place(struct lore_req *req, const struct lore_attempt *a,
    struct lore_attempt_place *out, struct lore_errs *errs, struct lore_err *err)
{
    struct finding f = {req, a, out, errs, err};
    enum lore_status status;

    *out = (struct lore_attempt_place){.a = a};
    read_times(&f);
    check_members(&f);
    status = take_session(&f);
    if (status == LORE_OK)
        status = find_kernel(&f);
    if (status != LORE_OK)
        return status;
    take_conditions(&f);
    return errs->n > 0 ? LORE_OK : find_versions(&f);
}
