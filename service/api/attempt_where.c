/* Where an attempt was made: its session, its kernel, its chip and its workload. */
#include <string.h>

#include "db/query.h"
#include "service/api/attempt_find.h"
#include "service/api/names.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

bool
lore_attempt_reported(const struct lore_attempt_finding *f, const char *path)
{
    for (size_t i = 0; i < f->errs->n; i++)
        if (lore_streq(f->errs->v[i].path, path))
            return true;
    return false;
}

struct lore_naming
lore_attempt_naming(
    const struct lore_attempt_finding *f, const char *kind, const char *text, const char *path)
{
    return (struct lore_naming){
        .req = f->req, .resp = f->resp, .kind = kind, .text = text, .path = path};
}

enum lore_status
lore_attempt_note_name(struct lore_attempt_finding *f, enum lore_status status, const char *path)
{
    if (status != LORE_NOTFOUND && status != LORE_CONFLICT)
        return status;
    struct lore_err *e = lore_errs_add(f->errs, f->err->code, path, "%s", f->err->msg);
    lore_err_hint(e, "%s", f->err->hint);
    e->status = status == LORE_CONFLICT ? status : e->status;
    return LORE_OK;
}

enum lore_status
lore_attempt_take_session(struct lore_attempt_finding *f)
{
    struct lore_attempt_place *p = f->p;
    struct lore_naming n = lore_attempt_naming(f, "campaign", f->a->session, "session");
    struct lore_campaign_row c = {0};
    const char *id = f->a->session;

    if (!id)
        return LORE_OK;
    enum lore_status status = lore_ulid_valid(id) ? LORE_OK : lore_naming_find(&n, &id, f->err);
    if (status == LORE_OK)
        status = lore_db_get_campaign(f->req->db, id, f->req->arena, &c, f->err);
    if (status != LORE_OK)
        return lore_attempt_note_name(f, status, "session");
    if (c.closed)
        (void)lore_errs_add(f->errs, "session_ended", "session", "this session has ended");
    p->session = c.r.id;
    p->chip = c.r.chip;
    p->workload = c.r.workload;
    p->kernel_id = c.r.kernel;
    return LORE_OK;
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

/* A kernel of another operator that has the name already; NULL: none. */
static const char *
note_namesake(struct lore_attempt_finding *f, const char *name)
{
    struct lore_naming n = lore_attempt_naming(f, "kernel", name, "kernel");
    struct lore_err ignored = {0};
    struct lore_kernel_row row = {0};
    const char *id = NULL;

    n.of.project = f->a->project;
    if (lore_naming_find(&n, &id, &ignored) != LORE_OK ||
        lore_db_get_kernel(f->req->db, id, f->req->arena, &row, &ignored) != LORE_OK ||
        lore_streq(row.k.op, f->a->op))
        return NULL;
    return lore_format(f->req->arena,
        "%s is a new kernel: the one of that name that is stored is of operator %s", name,
        row.k.op);
}

/* *out: a stored kernel whose name NAME may misspell; NULL: none. */
static enum lore_status
find_misspelt(struct lore_attempt_finding *f, const char *name, const char **out)
{
    const char *const *all = NULL;
    size_t n = 0;
    enum lore_status status =
        lore_db_list_kernel_names(f->req->db, f->req->arena, &all, &n, f->err);

    for (size_t i = 0; status == LORE_OK && !*out && i < n; i++)
        if (lore_misspells(f->req->arena, name, all[i]))
            *out = all[i];
    return status;
}

/* A kernel that is not stored yet, from the operator and the language in the body. */
static enum lore_status
describe_new(struct lore_attempt_finding *f, const char *name)
{
    struct lore_submission ignored = {.project = f->a->project};
    const struct lore_attempt *a = f->a;
    enum lore_language language = language_of(a);
    const char *like = NULL;

    if (!a->op && !lore_attempt_reported(f, "operator")) {
        struct lore_err *e = lore_errs_add(f->errs, "missing_field", "operator",
            "no kernel is named \"%s\"; a new one needs its operator", name);
        bool near = lore_starts(f->err->hint, "did you mean");
        lore_err_hint(e, "%s", near ? f->err->hint : "gemm, softmax, topk_softmax");
    }
    if (language == LORE_LANG_NONE && !lore_attempt_reported(f, "language")) {
        struct lore_err *e = lore_errs_add(f->errs, "missing_field", "language",
            "no kernel is named \"%s\"; a new one needs its language", name);
        lore_err_hint(e, "cuda, hip, triton, cute_dsl");
    }
    if (!a->op || language == LORE_LANG_NONE)
        return LORE_OK;
    enum lore_status status = a->new_kernel ? LORE_OK : find_misspelt(f, name, &like);
    if (like)
        lore_err_hint(
            lore_errs_add(f->errs, "unknown_kernel", "kernel", "no kernel is named \"%s\"", name),
            "did you mean %s? A new one: \"new_kernel\": true", like);
    f->p->where_note = note_namesake(f, name);
    f->p->kernel = (struct lore_kernel){
        .op = a->op, .name = name, .language = language, .project = a->project};
    f->p->kernel_id = lore_build_kernel(f->req->arena, &ignored, a->op, language, name);
    return status;
}

/* The stored kernel P->kernel_id. */
static enum lore_status
read_kernel(struct lore_attempt_finding *f)
{
    struct lore_attempt_place *p = f->p;
    struct lore_kernel_row row = {0};
    enum lore_status status =
        lore_db_get_kernel(f->req->db, p->kernel_id, f->req->arena, &row, f->err);

    p->kernel = row.k;
    p->stored = status == LORE_OK;
    return lore_attempt_note_name(f, status, "kernel");
}

/* A kernel that the body describes is new, unless one has its name. */
enum lore_status
lore_attempt_find_kernel(struct lore_attempt_finding *f)
{
    const struct lore_attempt *a = f->a;
    enum lore_language language = language_of(a);
    const char *name = a->kernel ? a->kernel : a->op;
    struct lore_naming n = lore_attempt_naming(f, "kernel", name, "kernel");

    if (!f->p->kernel_id && a->kernel && lore_ulid_valid(a->kernel))
        f->p->kernel_id = a->kernel;
    if (f->p->kernel_id)
        return read_kernel(f);
    if (!name) {
        struct lore_err *e =
            lore_errs_add(f->errs, "missing_field", "kernel", "required: the kernel's name");
        lore_err_hint(e, "with operator and language when it is new");
        return LORE_OK;
    }
    n.own_name = a->op != NULL;
    n.of = (struct lore_list_filter){.op = a->op,
        .project = a->project,
        .language = language != LORE_LANG_NONE ? lore_language_name(language) : NULL};
    enum lore_status status = lore_naming_find(&n, &f->p->kernel_id, f->err);
    if (status == LORE_OK)
        return read_kernel(f);
    if (status != LORE_NOTFOUND)
        return lore_attempt_note_name(f, status, "kernel");
    return describe_new(f, name);
}

/* ---- chip and workload ---- */

/* Take what is missing from chip and workload FROM; SOURCE says whose they are. */
static void
inherit(struct lore_attempt_finding *f, const char *chip, const struct lore_workload *from,
    const char *source)
{
    struct lore_attempt_place *p = f->p;
    struct lore_workload *w = &p->workload;
    const char *taken = p->chip ? NULL : lore_format(f->req->arena, "chip %s", chip);

    p->chip = p->chip ? p->chip : chip;
    if (w->dims.n == 0 && from->dims.n > 0) {
        struct lore_workload given = *w;
        *w = *from;
        w->dtype = given.dtype ? given.dtype : from->dtype;
        w->layout = given.layout ? given.layout : from->layout;
        const char *label = lore_workload_label(f->req->arena, w);
        taken = taken ? lore_format(f->req->arena, "%s, %s", taken, label) : label;
    }
    if (taken)
        p->where_note = lore_format(f->req->arena, "resumes %s, as in %s", taken, source);
}

static bool
lacks(const struct lore_attempt_place *p)
{
    return p->stored && (!p->chip || p->workload.dims.n == 0);
}

/* From the newest session of the kernel on the chip, if one is given. */
static enum lore_status
inherit_session(struct lore_attempt_finding *f)
{
    struct lore_attempt_place *p = f->p;
    struct lore_list_filter of = {.kernel = p->kernel_id, .page.limit = 50};
    struct lore_campaign_row *rows = NULL;
    size_t n = 0;
    enum lore_status status =
        lore_db_list_campaigns(f->req->db, &of, f->req->arena, &rows, &n, f->err);

    for (size_t i = 0; status == LORE_OK && lacks(p) && i < n; i++) {
        const struct lore_campaign *c = &rows[i].r;
        if (c->chip && (!p->chip || lore_streq(p->chip, c->chip)) &&
            (p->workload.dims.n > 0 || c->workload.dims.n > 0))
            inherit(f, c->chip, &c->workload, "the kernel's last session");
    }
    return status;
}

/* From the conditions of the kernel's most timed versions. */
static enum lore_status
inherit_timing(struct lore_attempt_finding *f)
{
    struct lore_attempt_place *p = f->p;
    struct lore_history_filter of = {.chip = p->chip};
    struct lore_history *h = lore_alloc(f->req->arena, sizeof *h);
    struct lore_workload_row row = {0};
    struct lore_workload w = {0};
    enum lore_status status =
        lore_history_load(f->req->db, p->kernel_id, &of, f->req->arena, h, f->err);

    if (status != LORE_OK || !h->timed || !h->timing.workload || !h->timing.chip)
        return status;
    status = lore_db_get_workload(f->req->db, h->timing.workload, f->req->arena, &row, f->err);
    if (status == LORE_OK)
        status = lore_workload_fill(&row, f->req->arena, &w, f->err);
    if (status == LORE_OK)
        inherit(f, h->timing.chip, &w, "most of its versions");
    return status;
}

/* The chip and the workload of the body, else those of the session, else those of the kernel's
 * last session: an attempt without a workload compares with nothing that has one. */
enum lore_status
lore_attempt_take_conditions(struct lore_attempt_finding *f)
{
    struct lore_attempt_place *p = f->p;
    enum lore_status status = LORE_OK;

    if (f->a->chip)
        p->chip = f->a->chip;
    if (f->a->workload.set)
        p->workload = f->a->workload;
    if (lacks(p))
        status = inherit_session(f);
    if (status == LORE_OK && lacks(p))
        status = inherit_timing(f);
    if (!p->chip && !lore_attempt_reported(f, "chip")) {
        struct lore_err *e =
            lore_errs_add(f->errs, "missing_field", "chip", "required: where it was tried");
        lore_err_hint(e, "h100-sxm, mi300x, sm_86");
    }
    p->workload.op = p->kernel.op;
    if (p->workload.set && p->kernel.op)
        lore_workload_id(
            lore_workload_text(f->req->arena, p->kernel.op, &p->workload), p->workload_id);
    return status;
}
