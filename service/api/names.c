/* Resolves names to ids (names.h). Order: the whole text as a kernel's name, PROJECT/NAME, an
 * operator with one kernel, KERNEL:VERSION, a beginning of an id. */
#include "service/api/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "db/store.h"
#include "service/api/history.h"
#include "service/api/name_candidates.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/base/ulid.h"

enum { PREFIX_MIN = 6, LABELS_SHOWN = 12, KERNELS_READ = 200 /* of one name */ };

static bool
is(const struct lore_naming *f, const char *kind)
{
    return lore_streq(f->kind, kind);
}

/* ---- kernels ---- */

static enum lore_status
list_kernels(struct lore_naming *f, struct lore_list_filter of, struct lore_kernel_row **rows,
    size_t *n, struct lore_err *err)
{
    of.page.limit = KERNELS_READ;
    of.op = of.op ? of.op : f->of.op;
    of.project = of.project ? of.project : f->of.project;
    of.language = f->of.language;
    return lore_db_list_kernels(f->req->db, &of, f->req->arena, rows, n, err);
}

static int
most_versions_first(const void *a, const void *b)
{
    int64_t x = ((const struct lore_kernel_row *)a)->n_versions,
            y = ((const struct lore_kernel_row *)b)->n_versions;

    return (x < y) - (x > y);
}

/* Of several kernels, a library's is not meant, because it has no history; then one without
 * versions is not. OP: the operator of this name; NULL: there is none. */
static enum lore_status
choose_kernel(struct lore_naming *f, const char *op, struct lore_kernel_row *rows, size_t n,
    const char **id, struct lore_err *err)
{
    const struct lore_kernel_row *own = NULL, *filled = NULL;
    size_t n_own = 0, n_filled = 0;

    for (size_t i = 0; i < n; i++) {
        if (rows[i].k.language == LORE_LANG_LIBRARY && n > 1)
            continue;
        own = &rows[i];
        n_own++;
        if (own->n_versions > 0) {
            filled = own;
            n_filled++;
        }
    }
    if (n_own != 1 && n_filled != 1) {
        qsort(rows, n, sizeof *rows, most_versions_first);
        if (op && f->may_be_operator)
            return lore_naming_operator(f, op, rows, n);
        return lore_naming_ambiguous_kernels(f, op, rows, n, err);
    }
    *id = n_own == 1 ? own->k.id : filled->k.id;
    return LORE_OK;
}

/* *id stays NULL when no kernel is called TEXT. */
static enum lore_status
find_kernel(struct lore_naming *f, const char *text, const char **id, struct lore_err *err)
{
    const struct lore_operator *op = lore_operator_find(text);
    struct lore_kernel_row *rows = NULL;
    size_t n = 0;
    enum lore_status status =
        list_kernels(f, (struct lore_list_filter){.name = text}, &rows, &n, err);

    for (const char *at = strrchr(text, '/'); status == LORE_OK && n == 0 && at && at > text;) {
        struct lore_list_filter of = {
            .name = at + 1, .project = lore_strndup(f->req->arena, text, (size_t)(at - text))};
        status = list_kernels(f, of, &rows, &n, err);
        do
            at--;
        while (at > text && *at != '/');
    }
    const char *name = op ? op->name : NULL;
    if (status == LORE_OK && n == 0 && !f->own_name) {
        name = op ? op->name : text;
        status = list_kernels(f, (struct lore_list_filter){.op = name}, &rows, &n, err);
    }
    if (status != LORE_OK)
        return status;
    if (n > 0 && op && f->may_be_operator && lore_streq(rows[0].k.name, text))
        f->resp->note = lore_format(f->req->arena,
            "%s is taken as the kernel of that name; -o %s asks about the operator", text, text);
    if (n == 0 && op && f->may_be_operator)
        return lore_naming_operator(f, name, rows, n);
    return n > 0 ? choose_kernel(f, name, rows, n, id, err) : LORE_OK;
}

/* ---- versions ---- */

static enum lore_status
no_version(struct lore_naming *f, const char *kernel, const char *word, struct lore_err *err)
{
    struct lore_list_filter of = {.kernel = kernel, .page.limit = LABELS_SHOWN + 1};
    struct lore_version_row *rows = NULL;
    const char *labels = "";
    size_t n = 0;
    enum lore_status status = lore_db_list_versions(f->req->db, &of, f->req->arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    for (size_t i = n > LABELS_SHOWN ? LABELS_SHOWN : n; i-- > 0;) {
        const struct lore_version *v = &rows[i].v;
        labels = lore_format(
            f->req->arena, "%s%s%s", labels, *labels ? ", " : "", v->label ? v->label : v->id);
    }
    status = lore_fail_at(
        err, LORE_NOTFOUND, "not_found", f->path, "%.150s: no such version \"%s\"", f->text, word);
    lore_err_hint(err, "it has %s%.200s%s", *labels ? "champion, last, " : "no versions", labels,
        n > LABELS_SHOWN ? " and older ones" : "");
    return status;
}

/* The champion and the first version, on the workload and chip of the request. */
static enum lore_status
find_in_history(struct lore_naming *f, const char *kernel, const char *word, const char **id,
    struct lore_err *err)
{
    struct lore_history_filter of = {0};
    struct lore_history *h = lore_alloc(f->req->arena, sizeof *h);
    enum lore_status status = lore_history_read_filter(f->req, &of, err);

    if (status == LORE_OK)
        status = lore_history_load(f->req->db, kernel, &of, f->req->arena, h, err);
    if (status != LORE_OK)
        return status;
    size_t at = lore_streqi(word, "champion") ? h->line.champion : h->line.baseline;
    if (at < h->line.n) {
        *id = h->entries[h->line.steps[at].in].version->v.id;
        return LORE_OK;
    }
    status = lore_fail_at(err, LORE_NOTFOUND, "not_found", f->path,
        "%.150s: this kernel has no %s yet", f->text, word);
    lore_err_hint(err, "a champion is the fastest timed version whose check did not fail");
    return status;
}

enum lore_status
lore_naming_version(struct lore_naming *f, const char *kernel, const char *word, const char **id,
    struct lore_err *err)
{
    bool last = lore_streqi(word, "last");
    char *name = lore_strdup(f->req->arena, word);
    struct lore_list_filter of = {
        .kernel = kernel, .name = last ? NULL : name, .page.limit = LORE_CANDIDATES + 1};
    struct lore_version_row *rows = NULL;
    size_t n = 0;

    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    enum lore_status status = lore_db_list_versions(f->req->db, &of, f->req->arena, &rows, &n, err);
    if (status == LORE_OK && n == 0 && lore_is_digit(*name)) { /* :4 means :v4 */
        of.name = lore_format(f->req->arena, "v%s", name);
        status = lore_db_list_versions(f->req->db, &of, f->req->arena, &rows, &n, err);
    }
    if (status != LORE_OK)
        return status;
    if (n == 0)
        return no_version(f, kernel, word, err);
    if (n > 1 && !last)
        return lore_naming_ambiguous_versions(f, rows, n, err);
    *id = rows[0].v.id;
    return LORE_OK;
}

/* *id stays NULL when TEXT is not KERNEL:WORD with a kernel that is stored. */
static enum lore_status
find_version(struct lore_naming *f, const char **id, struct lore_err *err)
{
    const char *colon = strrchr(f->text, ':');
    const char *kernel = NULL;

    if (!colon || colon == f->text || colon[1] == '\0')
        return LORE_OK;
    const char *name = lore_strndup(f->req->arena, f->text, (size_t)(colon - f->text));
    enum lore_status status = LORE_OK;
    if (lore_ulid_valid(name))
        kernel = name;
    else
        status = find_kernel(f, name, &kernel, err);
    if (status == LORE_OK && !kernel)
        status = lore_naming_by_id(f, "kernel", name, &kernel, err);
    if (status != LORE_OK || !kernel)
        return status;
    if (lore_streqi(colon + 1, "champion") || lore_streqi(colon + 1, "first"))
        return find_in_history(f, kernel, colon + 1, id, err);
    return lore_naming_version(f, kernel, colon + 1, id, err);
}

/* ---- what a version's name means elsewhere ---- */

static enum lore_status
run_of(struct lore_naming *f, const char *version, const char **id, struct lore_err *err)
{
    struct lore_list_filter of = {.version = version, .page.limit = 1};
    struct lore_run_row *rows = NULL;
    size_t n = 0;
    enum lore_status status = lore_db_list_runs(f->req->db, &of, f->req->arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    if (n == 0)
        return lore_fail_at(
            err, LORE_NOTFOUND, "not_found", f->path, "%.150s: this version has no run", f->text);
    *id = rows[0].r.id;
    return LORE_OK;
}

static enum lore_status
experiment_of(struct lore_naming *f, const char *version, const char **id, struct lore_err *err)
{
    struct lore_experiment_filter of = {
        .version = version, .disagrees = -1, .masked = -1, .page.limit = 50};
    struct lore_experiment_row *rows = NULL;
    size_t n = 0, made = 0;
    enum lore_status status =
        lore_db_list_experiments(f->req->db, &of, f->req->arena, &rows, &n, err);

    for (size_t i = 0; status == LORE_OK && i < n; i++) {
        if (lore_streq(rows[i].e.to_version, version))
            rows[made++] = rows[i];
    }
    if (status != LORE_OK)
        return status;
    if (made == 0)
        return lore_fail_at(err, LORE_NOTFOUND, "not_found", f->path,
            "%.150s: no experiment made this version", f->text);
    if (made > 1)
        return lore_naming_ambiguous_experiments(f, rows, made, err);
    *id = rows[0].e.id;
    return LORE_OK;
}

static enum lore_status
campaign_of(struct lore_naming *f, const char **id, struct lore_err *err)
{
    struct lore_list_filter of = {.name = f->text, .page.limit = LORE_CANDIDATES + 1};
    struct lore_campaign_row *rows = NULL;
    size_t n = 0;
    enum lore_status status =
        lore_db_list_campaigns(f->req->db, &of, f->req->arena, &rows, &n, err);

    if (status == LORE_OK && n > 1)
        status = lore_naming_ambiguous_campaigns(f, rows, n, err);
    else if (status == LORE_OK && n == 1)
        *id = rows[0].r.id;
    return status;
}

/* ---- the whole text ---- */

static bool
may_be_prefix(const char *text)
{
    size_t n = strlen(text);

    return n >= PREFIX_MIN &&
           strspn(text, "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz") == n;
}

/* Try the meanings in order, until *id is set or an error is certain. */
static enum lore_status
find(struct lore_naming *f, const char **id, struct lore_err *err)
{
    bool any = !f->kind;
    bool about_version = any || is(f, "version") || is(f, "run") || is(f, "experiment");
    enum lore_status status = LORE_OK;

    if (any || is(f, "kernel"))
        status = find_kernel(f, f->text, id, err);
    if (status == LORE_OK && f->meant)
        return LORE_OK;
    if (status == LORE_OK && !*id && is(f, "campaign"))
        status = campaign_of(f, id, err);
    if (status == LORE_OK && !*id && about_version) {
        status = find_version(f, id, err);
        if (status == LORE_OK && *id && is(f, "run"))
            status = run_of(f, *id, id, err);
        else if (status == LORE_OK && *id && is(f, "experiment"))
            status = experiment_of(f, *id, id, err);
    }
    if (status == LORE_OK && !*id && may_be_prefix(f->text))
        status = lore_naming_by_id(f, f->kind, f->text, id, err);
    return status;
}

enum lore_status
lore_naming_find(struct lore_naming *f, const char **id, struct lore_err *err)
{
    const char *found = NULL, *kernel = NULL;
    enum lore_status status = find(f, &found, err);

    if (status != LORE_OK || f->meant)
        return status;
    if (found) {
        *id = found;
        return LORE_OK;
    }
    if (is(f, "version") || is(f, "run") || is(f, "experiment"))
        status = find_kernel(f, f->text, &kernel, err);
    return status == LORE_OK ? lore_naming_not_found(f, kernel, err) : status;
}

/* ---- requests ---- */

/* The kind of the ids in the paths of ROUTE: "run" for /api/v1/runs/{id}/triggers, "" for any;
 * NULL: it has no ids of records. */
static const char *
kind_of(const struct lore_route *route, struct lore_arena *arena)
{
    static const char v1[] = "/api/v1/";
    const char *noun = route->path + sizeof v1 - 1;

    if (!lore_starts(route->path, v1) || !strstr(route->path, "/{id}"))
        return NULL;
    char *plural = lore_strndup(arena, noun, strcspn(noun, "/"));
    for (char *c = plural; *c; c++)
        *c = *c == '-' ? '_' : *c;
    if (lore_streq(plural, "records"))
        return "";
    if (lore_streq(plural, "merges"))
        return lore_kind_name(LORE_K_CURATION);
    if (lore_streq(plural, "submissions"))
        return LORE_NAME_SUBMISSION;
    if (lore_streq(plural, "workloads"))
        return LORE_NAME_WORKLOAD;
    for (int k = 0; k < LORE_K_COUNT; k++)
        if (lore_streq(lore_kind_plural((enum lore_kind)k), plural))
            return lore_kind_name((enum lore_kind)k);
    return NULL;
}

static bool
is_id(const char *kind, const char *text)
{
    if (lore_streq(kind, LORE_NAME_WORKLOAD))
        return strlen(text) == 32;
    return lore_ulid_valid(text);
}

static enum lore_status
resolve_one(struct lore_naming *f, const char **text, struct lore_err *err)
{
    f->text = *text;
    if (!*text || **text == '\0' || is_id(f->kind, *text))
        return LORE_OK;
    if (*f->kind == '\0')
        f->kind = NULL;
    return lore_naming_find(f, text, err);
}

static const struct lore_param *
operator_param(const struct lore_route *route)
{
    for (const struct lore_param *p = route->params; p && p->name; p++)
        if (lore_streq(p->name, "operator"))
            return p;
    return NULL;
}

/* The name in argument I of REQ; where it means an operator, it becomes the argument `operator`. */
static enum lore_status
resolve_arg(const struct lore_route *route, struct lore_req *req, struct lore_resp *resp,
    const struct lore_list_filter *of, size_t i, struct lore_err *err)
{
    const struct lore_param *p = req->args[i].param, *op = operator_param(route);
    struct lore_naming f = {.req = req,
        .resp = resp,
        .kind = p->choices,
        .path = p->name,
        .of = *of,
        .may_be_operator = op && !of->op && lore_streq(p->choices, "kernel")};
    enum lore_status status = resolve_one(&f, &req->args[i].text, err);

    if (status == LORE_OK && f.meant)
        req->args[i] = (struct lore_arg){.param = op, .text = f.meant};
    return status;
}

static enum lore_status
resolve_all(const struct lore_route *route, struct lore_req *req, struct lore_resp *resp,
    struct lore_err *err)
{
    const char *kind = kind_of(route, req->arena);
    enum lore_language language = lore_language_find(lore_arg_text(req, "language", ""));
    struct lore_list_filter of = {.op = lore_params_operator(req),
        .project = lore_arg_text(req, "project", NULL),
        .language = language != LORE_LANG_NONE ? lore_language_name(language) : NULL};
    enum lore_status status = LORE_OK;

    for (size_t i = 0; status == LORE_OK && kind && i < sizeof req->vars / sizeof *req->vars; i++)
        status = resolve_one(
            &(struct lore_naming){.req = req, .resp = resp, .kind = kind, .path = "", .of = of},
            &req->vars[i], err);
    for (size_t i = 0; status == LORE_OK && i < req->n_args; i++) {
        if (req->args[i].param->type == LORE_P_NAME)
            status = resolve_arg(route, req, resp, &of, i, err);
    }
    return status;
}

static bool
has_names(const struct lore_route *route, struct lore_req *req)
{
    const char *kind = kind_of(route, req->arena);

    for (size_t i = 0; kind && i < sizeof req->vars / sizeof *req->vars; i++)
        if (req->vars[i] && !is_id(kind, req->vars[i]))
            return true;
    for (size_t i = 0; i < req->n_args; i++)
        if (req->args[i].param->type == LORE_P_NAME &&
            !is_id(req->args[i].param->choices, req->args[i].text))
            return true;
    return false;
}

enum lore_status
lore_names_resolve(const struct lore_route *route, struct lore_req *req, struct lore_resp *resp,
    struct lore_err *err)
{
    bool connected = req->db != NULL;
    enum lore_status status = lore_fields_read(route, req, resp, err);

    if (status != LORE_OK || !has_names(route, req))
        return status;
    if (!connected)
        status = lore_req_read(req, NULL, err);
    if (status != LORE_OK)
        return status;
    status = resolve_all(route, req, resp, err);
    if (!connected)
        lore_req_read_end(req);
    return status;
}
