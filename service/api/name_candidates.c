/* Candidates of ambiguous names, and hints for unknown ones (name_candidates.h). */
#include "service/api/name_candidates.h"

#include <ctype.h>
#include <string.h>

#include "service/base/text.h"
#include "service/wire/wire.h"

enum { NEAR_NAMES = 4 };

struct candidate {
    const char *kind, *id, *name, *project, *op, *language, *label, *chip, *title;
    int64_t versions;
};

#define ROW struct candidate
static const struct lore_object_member candidate[] = {
    {"!kind", AT(kind)},
    {"!id", AT(id)},
    {"name", AT(name), NULL, "of the kernel"},
    {"project", AT(project)},
    {"operator", AT(op)},
    {"language", AT(language)},
    {"label", AT(label), NULL, "of the version or the campaign"},
    {"chip", AT(chip), NULL, "chips of a kernel's runs, or the chip of an experiment or a run"},
    {"versions", AT(versions)},
    {"title", AT(title)},
};
const struct lore_object lore_candidate_object = LORE_OBJECT("NamedRecord", candidate);
#undef ROW

static enum lore_status
ambiguous(struct lore_naming *f, const struct candidate *v, size_t n, struct lore_err *err)
{
    bool more = n > LORE_CANDIDATES;
    struct lore_buf text = {.max = 64u << 10};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &text, false);
    lore_object_write_list(&w, &lore_candidate_object, v, more ? LORE_CANDIDATES : n);
    if (lore_jsonw_end(&w, NULL) == LORE_OK)
        f->resp->candidates = lore_strndup(f->req->arena, text.data, text.len);
    lore_buf_free(&text);
    enum lore_status status = lore_fail_at(err, LORE_CONFLICT, "ambiguous_name", f->path,
        "%.150s: %s%zu records have this name", f->text, more ? "more than " : "",
        more ? (size_t)LORE_CANDIDATES : n);
    lore_err_hint(err, "give the id of one, or say more: PROJECT/NAME, operator, language");
    return status;
}

static struct candidate
of_kernel(const struct lore_kernel_row *k)
{
    return (struct candidate){.kind = "kernel",
        .id = k->k.id,
        .name = k->k.name,
        .project = k->k.project,
        .op = k->k.op,
        .language = lore_language_name(k->k.language),
        .versions = k->n_versions};
}

static struct candidate
of_version(const struct lore_version_row *v)
{
    return (struct candidate){.kind = "version",
        .id = v->v.id,
        .name = v->kernel_name,
        .project = v->project,
        .op = v->op,
        .language = v->language,
        .label = v->v.label ? v->v.label : v->v.tag,
        .title = v->v.summary};
}

static struct candidate
of_experiment(const struct lore_experiment_row *e)
{
    return (struct candidate){.kind = "experiment",
        .id = e->e.id,
        .name = e->kernel_name,
        .op = e->op,
        .language = e->language,
        .chip = e->e.chip,
        .title = e->e.title};
}

enum lore_status
lore_naming_operator(
    struct lore_naming *f, const char *op, const struct lore_kernel_row *rows, size_t n)
{
    struct lore_arena *arena = f->req->arena;
    const char *names = "";

    for (size_t i = 0; i < n && i < NEAR_NAMES; i++)
        names = lore_format(arena, "%s%s%.80s (%s)", names, i > 0 ? ", " : "", rows[i].k.name,
            lore_language_name(rows[i].k.language));
    f->meant = op;
    if (n > 0)
        f->resp->note =
            lore_format(arena, "%s is taken as the operator; %zu kernels compute it: %s%s", op, n,
                names, n > NEAR_NAMES ? lore_format(arena, " and %zu more", n - NEAR_NAMES) : "");
    return LORE_OK;
}

enum lore_status
lore_naming_ambiguous_kernels(struct lore_naming *f, const char *op,
    const struct lore_kernel_row *rows, size_t n, struct lore_err *err)
{
    struct candidate *v = lore_alloc_array(f->req->arena, n + 1, sizeof *v);
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < n; i++) {
        v[i] = of_kernel(&rows[i]);
        status = lore_db_get_kernel_chips(f->req->db, v[i].id, f->req->arena, &v[i].chip, err);
        if (status != LORE_OK)
            return status;
    }
    status = ambiguous(f, v, n, err);
    if (op && err) {
        lore_fail_at(err, LORE_CONFLICT, "ambiguous_name", f->path,
            "%.150s: %.80s is an operator that %zu kernels compute; one kernel is needed here",
            f->text, op, n);
        lore_err_hint(err, "name one of them; `warplore brief %.80s` answers for the operator", op);
    }
    return status;
}

enum lore_status
lore_naming_ambiguous_versions(
    struct lore_naming *f, const struct lore_version_row *rows, size_t n, struct lore_err *err)
{
    struct candidate *v = lore_alloc_array(f->req->arena, n + 1, sizeof *v);

    for (size_t i = 0; i < n; i++)
        v[i] = of_version(&rows[i]);
    return ambiguous(f, v, n, err);
}

enum lore_status
lore_naming_ambiguous_experiments(
    struct lore_naming *f, const struct lore_experiment_row *rows, size_t n, struct lore_err *err)
{
    struct candidate *v = lore_alloc_array(f->req->arena, n + 1, sizeof *v);

    for (size_t i = 0; i < n; i++)
        v[i] = of_experiment(&rows[i]);
    return ambiguous(f, v, n, err);
}

enum lore_status
lore_naming_ambiguous_campaigns(
    struct lore_naming *f, const struct lore_campaign_row *rows, size_t n, struct lore_err *err)
{
    struct candidate *v = lore_alloc_array(f->req->arena, n + 1, sizeof *v);

    for (size_t i = 0; i < n; i++)
        v[i] = (struct candidate){.kind = "campaign",
            .id = rows[i].r.id,
            .label = rows[i].r.label,
            .title = rows[i].r.goal};
    return ambiguous(f, v, n, err);
}

/* What the record of IT is, for a person who must choose. */
static enum lore_status
describe(
    struct lore_req *req, const struct lore_id_of *it, struct candidate *out, struct lore_err *err)
{
    struct lore_kernel_row k = {0};
    struct lore_version_row v = {0};
    struct lore_experiment_row e = {0};
    enum lore_status status = LORE_OK;

    *out = (struct candidate){.kind = it->kind, .id = it->id};
    if (lore_streq(it->kind, "kernel")) {
        status = lore_db_get_kernel(req->db, it->id, req->arena, &k, err);
        *out = status == LORE_OK ? of_kernel(&k) : *out;
    } else if (lore_streq(it->kind, "version")) {
        status = lore_db_get_version(req->db, it->id, req->arena, &v, err);
        *out = status == LORE_OK ? of_version(&v) : *out;
    } else if (lore_streq(it->kind, "experiment")) {
        status = lore_db_get_experiment(req->db, it->id, req->arena, &e, err);
        *out = status == LORE_OK ? of_experiment(&e) : *out;
    }
    return status;
}

enum lore_status
lore_naming_by_id(struct lore_naming *f, const char *kind, const char *prefix, const char **id,
    struct lore_err *err)
{
    bool hash = lore_streq(kind, LORE_NAME_WORKLOAD);
    char *start = lore_strdup(f->req->arena, prefix);
    struct candidate v[LORE_IDS_MAX];
    struct lore_ids found = {0};

    for (char *c = start; *c; c++)
        *c = (char)(hash ? tolower((unsigned char)*c) : toupper((unsigned char)*c));
    enum lore_status status = lore_db_list_ids(f->req->db, kind, start, f->req->arena, &found, err);
    if (status != LORE_OK || found.n == 0)
        return status;
    if (found.n == 1) {
        *id = found.v[0].id;
        return LORE_OK;
    }
    for (size_t i = 0; status == LORE_OK && i < found.n; i++)
        status = describe(f->req, &found.v[i], &v[i], err);
    return status == LORE_OK ? ambiguous(f, v, found.n, err) : status;
}

/* Names of kernels like TEXT: those that contain it first, then the nearest ones. If none is near,
 * *some are a few names. */
static enum lore_status
near_names(struct lore_naming *f, const char *text, const char **out, const char **some,
    struct lore_err *err)
{
    const char *const *all = NULL, *near = "";
    const char **left;
    size_t n = 0, shown = 0;
    enum lore_status status = lore_db_list_kernel_names(f->req->db, f->req->arena, &all, &n, err);
    int at;

    if (status != LORE_OK)
        return status;
    left = lore_alloc_array(f->req->arena, n + 1, sizeof *left);
    for (size_t i = 0; i < n; i++) {
        left[i] = all[i];
        if (shown == NEAR_NAMES || strlen(text) < 3 || !strstr(all[i], text))
            continue;
        near = lore_format(f->req->arena, "%s%s%s", near, shown++ ? ", " : "", all[i]);
        left[i] = NULL;
    }
    while (shown < NEAR_NAMES && (at = lore_nearest(text, left, n)) >= 0) {
        near = lore_format(f->req->arena, "%s%s%s", near, shown++ ? ", " : "", left[at]);
        left[at] = NULL;
    }
    *out = near;
    for (size_t i = 0; i < n && i < NEAR_NAMES; i++)
        *some = lore_format(f->req->arena, "%s%s%s", *some, i ? ", " : "", all[i]);
    if (n > NEAR_NAMES)
        *some = lore_format(f->req->arena, "%s, … (%zu in all)", *some, n);
    return LORE_OK;
}

enum lore_status
lore_naming_not_found(struct lore_naming *f, const char *kernel, struct lore_err *err)
{
    const char *kind = f->kind ? f->kind : "record", *near = "", *some = "";
    const char *colon = strrchr(f->text, ':');
    const char *name = colon && colon > f->text
                           ? lore_strndup(f->req->arena, f->text, (size_t)(colon - f->text))
                           : f->text;
    bool named = !f->kind || lore_streq(f->kind, "kernel") || lore_streq(f->kind, "version") ||
                 lore_streq(f->kind, "run") || lore_streq(f->kind, "experiment");
    enum lore_status status = named && !kernel ? near_names(f, name, &near, &some, err) : LORE_OK;

    if (status != LORE_OK)
        return status;
    status = lore_fail_at(
        err, LORE_NOTFOUND, "not_found", f->path, "%s %.150s: no such %s", kind, f->text, kind);
    if (kernel)
        lore_err_hint(err, "this is a kernel; name a %s: %.100s:v1, %.100s:champion, %.100s:last",
            kind, f->text, f->text, f->text);
    else if (*near)
        lore_err_hint(err, "did you mean %.220s?", near);
    else if (*some)
        lore_err_hint(err, "kernels: %.220s", some);
    else if (named)
        lore_err_hint(err, "an id, a beginning of one of 6 characters or more, or a name: "
                           "KERNEL, PROJECT/KERNEL, KERNEL:v4, KERNEL:champion");
    else
        lore_err_hint(err, "an id, or a beginning of one of 6 characters or more");
    return status;
}
