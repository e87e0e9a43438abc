/* Where an attempt belongs: its session, its kernel, its workload, and the version that it started
 * from. */
#include <math.h>
#include <string.h>

#include "db/query.h"
#include "service/api/attempt_find.h"
#include "service/api/names.h"
#include "service/api/params.h"
#include "service/base/duration.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"
#include "service/stats/stats.h"
#include "service/wire/build.h"

/* ---- times ---- */

static double
read_duration(struct lore_attempt_finding *f, const char *text, const char *path)
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
read_time(struct lore_attempt_finding *f, const struct lore_attempt_time *t, const char *name,
    int64_t **samples, size_t *n)
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
read_times(struct lore_attempt_finding *f)
{
    struct lore_attempt_place *p = f->p;

    p->after_ns = read_time(f, &f->a->after, "time", &p->after, &p->n_after);
    p->before_ns = read_time(f, &f->a->before, "before", &p->before, &p->n_before);
}

/* ---- versions ---- */

static const struct lore_history_version *
at(const struct lore_history *h, size_t step)
{
    return step < h->line.n ? &h->entries[h->line.steps[step].in] : NULL;
}

/* *found: the version that WORD means; NULL: none, and F->err says why. */
static enum lore_status
find_version(struct lore_attempt_finding *f, const char *word, const char *path,
    const struct lore_history_version **found)
{
    const struct lore_history *h = &f->p->history;
    const char *name = f->p->kernel.name ? f->p->kernel.name : "";
    struct lore_naming n = lore_attempt_naming(f, "version", word, path);
    enum lore_status status = LORE_OK;
    const char *id = word;

    *found = lore_streqi(word, "champion") ? at(h, h->line.champion)
             : lore_streqi(word, "first")  ? at(h, h->line.baseline)
                                           : NULL;
    if (*found)
        return LORE_OK;
    if (strchr(word, ':')) {
        status = lore_naming_find(&n, &id, f->err);
    } else if (!lore_ulid_valid(word)) {
        n.text = lore_format(f->req->arena, "%s:%s", name, word);
        status = lore_naming_version(&n, f->p->kernel_id, word, &id, f->err);
    }
    for (size_t i = 0; status == LORE_OK && i < h->line.n && !*found; i++)
        if (lore_streq(at(h, i)->version->v.id, id))
            *found = at(h, i);
    if (status == LORE_OK && !*found)
        status = lore_fail_at(
            f->err, LORE_NOTFOUND, "not_found", path, "%s has no version \"%s\"", name, word);
    return status;
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
static enum lore_status
choose_named(struct lore_attempt_finding *f, const char *word)
{
    struct lore_attempt_place *p = f->p;
    bool described = p->before_ns > 0 || f->a->n_parent_sources > 0;
    bool fixed = lore_streqi(word, "champion") || lore_streqi(word, "last") ||
                 lore_streqi(word, "first") || lore_ulid_valid(word) || strchr(word, ':');

    if (lore_streqi(word, "none")) {
        p->new_before = p->before_ns > 0;
        return LORE_OK;
    }
    enum lore_status status = find_version(f, word, "parent", &p->parent);
    if (status != LORE_NOTFOUND || !described || fixed)
        return lore_attempt_note_name(f, status, "parent");
    p->new_before = true;
    p->before_label = word;
    return LORE_OK;
}

static enum lore_status
choose_parent(struct lore_attempt_finding *f)
{
    struct lore_attempt_place *p = f->p;
    const struct lore_history *h = &p->history;
    enum lore_status status = LORE_OK;

    if (f->a->version)
        status = lore_attempt_note_name(
            f, find_version(f, f->a->version, "version", &p->made), "version");
    if (status != LORE_OK)
        return status;
    if (f->a->parent || f->a->head)
        return choose_named(f, f->a->parent ? f->a->parent : f->a->head);
    if (p->before_ns <= 0) {
        p->parent = at(h, h->line.champion);
        return LORE_OK;
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
    return LORE_OK;
}

/* ---- the same attempt again ---- */

static bool
same_sources(const struct lore_attempt *a, const struct lore_version_row *v)
{
    char hash[LORE_HASH_HEX];

    if (a->n_sources > 0 && a->n_sources != v->n_files)
        return false;
    for (size_t i = 0; i < a->n_sources; i++) {
        lore_hash_hex(a->sources[i].text, strlen(a->sources[i].text), hash);
        if (!lore_streq(v->files[i].file, a->sources[i].file) ||
            !lore_streq(v->files[i].blob, hash))
            return false;
    }
    return true;
}

/* Whether the attempt says the words, parameters and sources of version T again, and neither is a
 * failure. */
static bool
says_again(const struct lore_attempt_finding *f, const struct lore_history_version *t)
{
    const struct lore_attempt *a = f->a;
    const struct lore_version *v = &t->version->v;
    char ours[33], theirs[33];

    if (t->time_ns <= 0 || t->elsewhere || t->retracted || t->check == LORE_C_FAIL ||
        t->check == LORE_C_TIMEOUT || a->error || !a->change ||
        !lore_streqi(v->summary, a->change) || (a->label && !lore_streq(v->label, a->label)))
        return false;
    lore_kvs_hash(&a->params, ours);
    lore_kvs_hash(&v->params, theirs);
    return strcmp(ours, theirs) == 0 && same_sources(a, t->version);
}

/* Whether an attempt in the words of T is T measured again, and not the same idea on another
 * version: it starts where T started, or from T itself, or its time is that of T. A parent that was
 * only implied may have changed, because T may have become the champion. */
static bool
measures_again(const struct lore_attempt_finding *f, const struct lore_history_version *t)
{
    const struct lore_attempt_place *p = f->p;
    const struct lore_version *v = &t->version->v;
    const char *from = v->n_parents > 0 ? v->parents[0].version : NULL;
    bool same_start = lore_streq(from, p->parent ? p->parent->version->v.id : NULL);

    if (f->a->parent || p->before_ns > 0)
        return same_start;
    return same_start || p->parent == t || p->after_ns <= 0 ||
           fabs(t->time_ns / p->after_ns - 1) <= LORE_REMEASURED;
}

/* Samples of a version whose time was only stated: its experiment is to be judged by them. */
static enum lore_status
find_stated(struct lore_attempt_finding *f)
{
    const struct lore_history_version *t = f->p->made;
    struct lore_experiment_row *row = lore_alloc(f->req->arena, sizeof *row);

    if (f->p->n_after == 0 || t->measured || !t->experiment || t->experiment->masked)
        return LORE_OK;
    f->p->stated = row;
    return lore_db_get_experiment(f->req->db, t->experiment->e.id, f->req->arena, row, f->err);
}

/* An attempt that repeats a stored one brings a run, a check or metrics of the version that exists.
 */
static enum lore_status
find_repeated(struct lore_attempt_finding *f)
{
    struct lore_attempt_place *p = f->p;
    const struct lore_attempt *a = f->a;
    const struct lore_history *h = &p->history;
    bool brings =
        p->after_ns > 0 || a->checked_against || a->correctness != LORE_C_NONE || a->metrics.n > 0;

    if (a->again || a->idempotency_key || a->version || !brings || p->new_before)
        return LORE_OK;
    for (size_t i = h->line.n; i-- > 0 && !p->made;)
        if (says_again(f, at(h, i)) && measures_again(f, at(h, i)))
            p->made = at(h, i);
    if (!p->made)
        return LORE_OK;
    p->repeats = true;
    p->note = lore_format(f->req->arena, "%s: one more run recorded%s%s", label_of(p->made),
        p->after_ns <= 0 || near(p->made->time_ns, p->after_ns)
            ? ""
            : ", because the words are the same; --again makes a new version",
        a->hypothesis.claim || a->notes || a->lesson
            ? "; hypothesis, notes and lesson stay those of the first attempt"
            : "");
    return find_stated(f);
}

enum lore_status
lore_attempt_check_label(const struct lore_attempt_place *p, struct lore_err *err)
{
    const struct lore_history *h = &p->history;

    for (size_t i = 0; !p->made && p->a->label && i < h->line.n; i++) {
        const struct lore_version *v = &at(h, i)->version->v;
        if (!lore_streqi(v->label, p->a->label))
            continue;
        enum lore_status status = lore_fail_at(err, LORE_CONFLICT, "conflict", "label",
            "label: \"%s\" is version %s already%s%.100s", p->a->label, v->id,
            v->summary ? ": " : "", v->summary ? v->summary : "");
        lore_err_hint(err, "leave the label out, or choose another one");
        return status;
    }
    return LORE_OK;
}

static enum lore_status
find_versions(struct lore_attempt_finding *f)
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
    enum lore_status status = choose_parent(f);
    if (status != LORE_OK)
        return status;
    status = find_repeated(f);
    if (status != LORE_OK)
        return status;
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
check_members(struct lore_attempt_finding *f)
{
    const struct lore_attempt *a = f->a;
    const struct lore_attempt_place *p = f->p;
    bool outcome = p->after_ns > 0 || a->error || a->version || a->outcome || a->hypothesis.claim ||
                   a->notes || a->lesson || a->n_sources > 0 || a->metrics.n > 0 ||
                   a->correctness != LORE_C_NONE || a->checked_against;

    if (!a->change && a->n_techniques == 0 && !a->hypothesis.claim && !a->notes && !a->lesson &&
        !a->title) {
        struct lore_err *e =
            lore_errs_add(f->errs, "missing_field", "change", "required: the change, in words");
        lore_err_hint(e, "\"float4 loads\"; \"baseline\" for the first version");
    }
    if (!outcome && !lore_attempt_reported(f, "time") && !lore_attempt_reported(f, "error")) {
        struct lore_err *e = lore_errs_add(
            f->errs, "missing_field", "time", "required: a time, samples, or why there is none");
        lore_err_hint(e, "\"time\": \"81us\", or \"error\": \"compile\"");
    }
    const struct lore_attempt_error *error = lore_attempt_error_find(a->error);
    if (error && error->check != LORE_C_FAIL && p->after_ns > 0)
        (void)lore_errs_add(f->errs, "invalid_value", "error",
            "a version that ended in a %s error has no time", a->error);
    if (a->error && a->correctness == LORE_C_PASS)
        (void)lore_errs_add(
            f->errs, "invalid_value", "correctness", "pass contradicts the error \"%s\"", a->error);
    if (a->advice && !lore_ulid_valid(a->advice))
        (void)lore_errs_add(f->errs, "invalid_id", "advice", "expected an id of `recommend`");
}

/* A technique whose name is near a known one is a typing error, unless it was used before. Words
 * ("float4 loads") are not names. */
static enum lore_status
check_techniques(struct lore_attempt_finding *f)
{
    const struct lore_attempt *a = f->a;
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < a->n_techniques && !a->new_technique && status == LORE_OK; i++) {
        const struct lore_use *u = &a->techniques[i];
        const char *near[LORE_WORDS_NEAREST], *text = u->raw ? u->raw : u->name;
        char *name = lore_strndup(f->req->arena, text, strcspn(text, "{"));
        bool used = true;

        if (!strchr(name, '.') || strchr(name, ' ') || lore_technique_find(name) ||
            lore_words_nearest(name, near) == 0)
            continue;
        status = lore_db_technique_used(
            f->req->db, lore_technique_slug(f->req->arena, name), &used, f->err);
        if (status != LORE_OK || used)
            continue;
        struct lore_err *e = lore_errs_add(f->errs, "unknown_technique",
            lore_format(f->req->arena, "techniques[%zu]", i), "no technique is named \"%s\"", name);
        lore_err_hint(e, "did you mean %s? A new one: \"new_technique\": true", near[0]);
    }
    return status;
}

enum lore_status
lore_attempt_find_session(struct lore_req *req, const struct lore_attempt *a,
    struct lore_attempt_place *out, struct lore_errs *errs, struct lore_resp *resp,
    struct lore_err *err)
{
    struct lore_attempt_finding f = {req, a, out, errs, resp, err};

    *out = (struct lore_attempt_place){.a = a};
    enum lore_status status = lore_attempt_find_kernel(&f);
    return status == LORE_OK ? lore_attempt_take_conditions(&f) : status;
}

enum lore_status
lore_attempt_find_place(struct lore_req *req, const struct lore_attempt *a,
    struct lore_attempt_place *out, struct lore_errs *errs, struct lore_resp *resp,
    struct lore_err *err)
{
    struct lore_attempt_finding f = {req, a, out, errs, resp, err};
    enum lore_status status;

    *out = (struct lore_attempt_place){.a = a};
    read_times(&f);
    check_members(&f);
    status = lore_attempt_take_session(&f);
    if (status == LORE_OK)
        status = lore_attempt_find_kernel(&f);
    if (status == LORE_OK)
        status = lore_attempt_take_conditions(&f);
    if (status == LORE_OK)
        status = check_techniques(&f);
    return status != LORE_OK || errs->n > 0 ? status : find_versions(&f);
}
