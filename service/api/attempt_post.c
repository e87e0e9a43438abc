/* POST /api/v1/attempts: record one attempt, and answer with what it means: verdict, gains,
 * champion.
 *
 * The ids of an attempt's records follow from its key, so the same attempt twice is stored once,
 * also when the first one won and so changed what the second would start from. Attempts are stored
 * one at a time, because each is numbered after those before it. */
#include <pthread.h>
#include <string.h>

#include "service/api/api.h"
#include "service/api/attempt.h"
#include "service/api/curate.h"
#include "service/api/new_names.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/clock.h"
#include "service/base/guard.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/ingest/ingest.h"
#include "service/wire/build.h"
#include "service/wire/fields.h"

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* ---- the key ---- */

static const char *
digest_times(struct lore_arena *arena, double ns, const int64_t *samples, size_t n)
{
    char hash[LORE_HASH_HEX];

    lore_hash_hex(samples, n * sizeof *samples, hash);
    return lore_format(arena, "%.9g|%s", ns, hash);
}

/* What describes the attempt P of BODY, as a digest. An implied head does not, and times count as
 * what they mean: "0.0949ms" is "94.9us". The place is part of the key (make_ids), and the session
 * is not: a retry in the next session is the same attempt. */
static const char *
digest(struct lore_arena *arena, const struct lore_attempt_place *p, const struct lore_json *body)
{
    static const char *const left_out[] = {"again", "idempotency_key", "dry_run", "head",
        "new_technique", "new_kernel", "session", "kernel", "operator", "language", "project",
        "chip", "dims", "dtype", "layout", "time", "time_ns", "samples", "samples_ns", "before",
        "before_ns", "samples_before", "samples_before_ns"};
    struct lore_json copy = *body, **end = &copy.child;
    unsigned char bytes[LORE_HASH_BYTES];
    char hash[LORE_HASH_HEX];

    copy.child = NULL;
    copy.len = 0;
    for (const struct lore_json *c = body->child; c; c = c->next) {
        bool skip = false;
        for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
            skip = skip || strcmp(c->key, left_out[i]) == 0;
        if (skip)
            continue;
        struct lore_json *member = lore_memdup(arena, c, sizeof *c);
        member->next = NULL;
        *end = member;
        end = &member->next;
        copy.len++;
    }
    lore_json_digest(&copy, bytes);
    lore_hex(bytes, sizeof bytes, hash);
    return lore_format(arena, "%s|%s|%s", hash,
        digest_times(arena, p->after_ns, p->after, p->n_after),
        digest_times(arena, p->before_ns, p->before, p->n_before));
}

/* The document's id follows from the key, those of the records from the key and the content. */
static void
make_ids(struct lore_req *req, const struct lore_attempt_place *p, const struct lore_json *body,
    struct lore_attempt_ids *out)
{
    struct lore_arena *arena = req->arena;
    const char *content = digest(arena, p, body), *key = p->a->idempotency_key;
    const char *owner = req->owner ? req->owner : "";

    if (!key && p->a->again)
        key = lore_build_new_id(arena);
    const char *where =
        lore_format(arena, "%s|%s|%s|%s", owner, p->kernel_id, p->chip, p->workload_id);
    key = lore_format(
        arena, "%s|%s|%s", key ? owner : where, key ? "key" : "content", key ? key : content);
    const char *of = lore_format(arena, "%s|%s|%s", key, where, content);
    *out = (struct lore_attempt_ids){lore_build_id(arena, 0, "attempt|%s", key),
        lore_build_id(arena, 0, "attempt-version|%s", of),
        lore_build_id(arena, 0, "attempt-run|%s", of),
        lore_build_id(arena, 0, "attempt-before|%s", of),
        lore_build_id(arena, 0, "attempt-before-run|%s", of),
        lore_build_id(arena, 0, "attempt-experiment|%s", of),
        lore_build_id(arena, 0, "attempt-hypothesis|%s", of),
        lore_build_id(arena, 0, "attempt-merge|%s", of)};
}

/* Whether the attempt is stored; then it repeats no version but its own. LORE_CONFLICT: another one
 * has its key, or its label. */
static enum lore_status
find_stored(struct lore_req *req, struct lore_attempt_place *p, const struct lore_attempt_ids *ids,
    bool *stored, struct lore_err *err)
{
    struct lore_document_row d = {0};
    struct lore_found found = {0};
    enum lore_status status =
        lore_db_get_document(req->db, ids->document, req->arena, &d, NULL, err);

    *stored = status == LORE_OK;
    if (*stored && p->repeats)
        p->note = NULL;
    if (status == LORE_NOTFOUND)
        return lore_attempt_check_label(p, err);
    if (status != LORE_OK || p->a->version)
        return status;
    status = lore_db_find_record(req->db, ids->version, req->arena, &found, err);
    if (status == LORE_OK) {
        p->made = NULL;
        p->repeats = false;
    }
    if (status != LORE_NOTFOUND || p->repeats)
        return status == LORE_NOTFOUND ? LORE_OK : status;
    status = lore_fail_at(err, LORE_CONFLICT, "idempotency_key", "idempotency_key",
        "idempotency_key: \"%s\" was used for another attempt", p->a->idempotency_key);
    lore_err_hint(err, "a new attempt needs a new key");
    return status;
}

/* ---- the receipt ---- */

struct named {
    const char *id, *label;
    double time_ns;
};
#define ROW struct named
static const struct lore_object_member named[] = {
    {"!id", AT(id), "ulid"},
    {"label", AT(label)},
    {"time_ns", AT(time_ns)},
};
static const struct lore_object named_object = LORE_KEYED_OBJECT("AttemptVersion", named, id);
#undef ROW

struct receipt {
    const char *document, *status, *session, *chip, *run, *note;
    const struct lore_kernel *kernel;
    const char *kernel_id, *workload_label, *workload_id, *dims, *dtype;
    struct named version, parent, first, champion;
    struct lore_lineage_step step;
    double champion_vs_first;
    int64_t faster;               /* versions faster than the champion */
    struct lore_experiment_row x; /* e.id NULL: the baseline, no experiment */
    struct lore_new_names names;
};
static void
write_language(struct lore_jsonw *w, const char *key, const void *row)
{
    lore_w_kstr(w, key, lore_language_name(((const struct receipt *)row)->kernel->language));
}
static void
write_kernel(struct lore_jsonw *w, const char *key, const void *row)
{
    lore_w_kstr(w, key, ((const struct receipt *)row)->kernel->name);
}
static void
write_project(struct lore_jsonw *w, const char *key, const void *row)
{
    lore_w_kstr_opt(w, key, ((const struct receipt *)row)->kernel->project);
}
static void
write_operator(struct lore_jsonw *w, const char *key, const void *row)
{
    lore_w_kstr(w, key, ((const struct receipt *)row)->kernel->op);
}

#define ROW struct receipt
static const struct lore_object_member place[] = {
    {"!status", AT(status), "stored|duplicate|run_added",
        "run_added: the version was stored before"},
    {"session", AT(session), "ulid"},
    {"!operator", WRITTEN(write_operator), "text"},
    {"!language", WRITTEN(write_language), "text"},
    {"!kernel", WRITTEN(write_kernel), "text", "its name"},
    {"project", WRITTEN(write_project), "text"},
    {"!kernel_id", AT(kernel_id), "ulid"},
    {"!chip", AT(chip)},
    {"workload", AT(workload_label)},
    {"workload_id", AT(workload_id)},
    {"dims", AT(dims), NULL, "of the workload: M=4096,N=4096"},
    {"dtype", AT(dtype)},
    {"note", AT(note), NULL, "how kernel and parent were chosen, and how the words were read"},
    {"first", OBJECT(first, named_object)},
    {"champion", OBJECT(champion, named_object), NULL, "the fastest correct version"},
    {"champion_vs_first", AT(champion_vs_first), NULL, "speedup of the champion"},
    {"faster", AT(faster), NULL,
        "versions that are faster than the champion: wrong, not checked, or only stated"},
};
const struct lore_object lore_session_receipt_object = LORE_OBJECT("SessionReceipt", place);

static const struct lore_object_member receipt[] = {
    {"", MEMBERS_HERE(lore_session_receipt_object)},
    {"!document", AT(document), "ulid"},
    {"!version", OBJECT(version, named_object), NULL, "the version that the attempt made"},
    {"run", AT(run), "ulid"},
    {"experiment", AT(x.e.id), "ulid", "absent for a baseline"},
    {"parent", OBJECT(parent, named_object), NULL, "what the attempt started from"},
    {"outcome", OBJECT(x.outcome, lore_outcome_object), NULL, "absent for a baseline"},
    {"speedup_vs_parent", AT(step.vs_parent)},
    {"speedup_vs_first", AT(step.vs_first)},
    {"speedup_vs_best_before", AT(step.vs_best), NULL, "over the champion before it"},
    {"new_names", LIST(names.v, names.n, lore_new_name_object), NULL,
        "names that neither the catalogue nor an earlier record has"},
};
const struct lore_object lore_attempt_receipt_object = LORE_OBJECT("AttemptReceipt", receipt);
#undef ROW

static struct named
name_step(const struct lore_history *h, size_t step)
{
    if (step >= h->line.n)
        return (struct named){0};
    const struct lore_history_version *t = &h->entries[h->line.steps[step].in];
    return (struct named){t->version->v.id, t->version->v.label, t->elsewhere ? 0 : t->time_ns};
}

static size_t
step_of(const struct lore_history *h, const char *id)
{
    size_t i = 0;

    while (i < h->line.n && !lore_streq(h->entries[h->line.steps[i].in].version->v.id, id))
        i++;
    return i;
}

static void
fill_steps(const struct lore_history *h, struct receipt *r)
{
    size_t at = step_of(h, r->version.id);

    r->version = name_step(h, at);
    r->first = name_step(h, h->line.baseline);
    r->champion = name_step(h, h->line.champion);
    if (h->line.champion < h->line.n)
        r->champion_vs_first = h->line.steps[h->line.champion].vs_first;
    for (size_t i = 0; i < h->line.n; i++) {
        double ns = name_step(h, i).time_ns;
        r->faster += ns > 0 && ns < r->champion.time_ns;
    }
    if (at == h->line.n)
        return;
    r->step = h->line.steps[at];
    r->run = h->entries[r->step.in].run;
    const struct lore_version *v = &h->entries[r->step.in].version->v;
    if (v->n_parents > 0)
        r->parent = name_step(h, step_of(h, v->parents[0].version));
}

/* How the parent was chosen, and what one sentence was read as when it names several techniques. */
static const char *
note_of(
    struct lore_arena *arena, const struct lore_attempt_place *p, const struct lore_experiment *x)
{
    const char *names = "";
    const char *note = p->where_note && p->note
                           ? lore_format(arena, "%s; %s", p->where_note, p->note)
                       : p->note ? p->note
                                 : p->where_note;

    for (size_t i = 0; i < x->n_techniques; i++)
        names = lore_format(arena, "%s%s%s", names, *names ? ", " : "", x->techniques[i].name);
    if (x->n_techniques < 2 || p->a->n_techniques > 0)
        return note;
    return lore_format(arena, "%s%sread as %zu techniques: %s; state one with `technique`",
        note ? note : "", note ? "; " : "", x->n_techniques, names);
}

static const char *
dims_text(struct lore_arena *arena, const struct lore_kvs *dims)
{
    const char *text = "";

    for (size_t i = 0; i < dims->n; i++)
        text = lore_format(arena, "%s%s%s=%s", text, *text ? "," : "", dims->v[i].key,
            lore_kvs_plain(arena, dims->v[i].value));
    return text;
}

/* Read what the stored attempt means now. */
static enum lore_status
read_receipt(struct lore_req *req, const struct lore_attempt_place *p,
    const struct lore_attempt_ids *ids, struct receipt *r, struct lore_err *err)
{
    struct lore_history h = {0};
    struct lore_history_filter of = {
        .workload = *p->workload_id ? p->workload_id : NULL, .chip = p->chip};
    struct lore_experiment_row x = {0};
    enum lore_status status = lore_history_load(req->db, p->kernel_id, &of, req->arena, &h, err);

    if (status == LORE_OK && ids->experiment)
        status = lore_db_get_experiment(req->db, ids->experiment, req->arena, &x, err);
    if (status == LORE_NOTFOUND && p->repeats && p->made->experiment)
        status = lore_db_get_experiment(req->db, p->made->experiment->e.id, req->arena, &x, err);
    if (status == LORE_OK)
        r->x = x;
    if (status != LORE_OK && status != LORE_NOTFOUND)
        return status;
    r->document = ids->document;
    r->session = p->session;
    r->chip = p->chip;
    r->kernel = &p->kernel;
    r->kernel_id = p->kernel_id;
    r->workload_id = p->workload_id;
    r->workload_label = p->workload.set ? lore_workload_label(req->arena, &p->workload) : NULL;
    r->dims = p->workload.dims.n > 0 ? dims_text(req->arena, &p->workload.dims) : NULL;
    r->dtype = p->workload.dtype;
    r->version.id = p->made ? p->made->version->v.id : ids->version;
    r->note = note_of(req->arena, p, &r->x.e);
    fill_steps(&h, r);
    return LORE_OK;
}

/* ---- the request ---- */

struct dry_run {
    const char *submission;
};
#define ROW struct dry_run
static const struct lore_object_member dry_run[] = {
    {"!submission", RAW(submission), "object", "the document that would be stored"},
};
const struct lore_object lore_dry_run_object = LORE_OBJECT("DryRun", dry_run);
#undef ROW

/* Store the document TEXT as the sender of REQ. DECIDES: it has a decision of the service. */
static enum lore_status
submit(struct lore_req *req, const struct lore_buf *text, bool decides, struct lore_receipt *got,
    struct lore_err *err)
{
    return lore_ingest_submit(req->app->ingest,
        &(struct lore_ingest_doc){
            text->data, text->len, req->actor, decides || req->role >= LORE_CURATOR, req->owner, 0},
        req->arena, got, err);
}

/* Whether NAME has more words than a technique's name has. */
static bool
is_sentence(const char *name)
{
    size_t words = 1;

    for (const char *at = strpbrk(name, " _"); at; at = strpbrk(at + 1, " _"))
        words++;
    return words > 3;
}

/* A change in words may be a sentence, which is reported only when a known name is near it. */
static void
drop_sentences(struct lore_new_names *names)
{
    size_t n = 0;

    for (size_t i = 0; i < names->n; i++)
        if (!lore_streq(names->v[i].kind, "technique") || names->v[i].near.n > 0 ||
            !is_sentence(names->v[i].name))
            names->v[n++] = names->v[i];
    names->n = n;
}

static enum lore_status
store(struct lore_req *req, const struct lore_attempt_place *p, const struct lore_attempt_ids *ids,
    struct lore_resp *resp, struct lore_new_names *names, struct lore_err *err)
{
    LORE_BUF text = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_submission doc;
    struct lore_receipt got = {0};

    lore_attempt_build(req, p, ids, &doc);
    enum lore_status status = lore_build_encode(&doc, &text, err);
    if (status == LORE_OK && p->a->dry_run)
        return lore_reply_object(resp, &lore_dry_run_object, &(struct dry_run){text.data}, err);
    if (status == LORE_OK)
        status = submit(req, &text, p->stated != NULL, &got, err);
    *names = lore_new_names_of(&got, req->arena);
    if (p->a->n_techniques == 0)
        drop_sentences(names);
    return status;
}

/* Find the place, store the attempt unless it is there, read the receipt. Called with the lock. */
static enum lore_status
record(struct lore_req *req, const struct lore_json *body, const struct lore_attempt *a,
    struct lore_errs *errs, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_attempt_place p;
    struct lore_attempt_ids ids;
    struct receipt r = {.status = "duplicate"};
    bool stored = false;
    enum lore_status status = lore_req_read(req, NULL, err);

    if (status != LORE_OK)
        return status;
    status = lore_attempt_find_place(req, a, &p, errs, resp, err);
    if (status == LORE_OK && errs->n == 0) {
        make_ids(req, &p, body, &ids);
        status = find_stored(req, &p, &ids, &stored, err);
    }
    if (status == LORE_OK && errs->n == 0 && !stored) {
        lore_req_read_end(req); /* a write gives its reader back */
        status = store(req, &p, &ids, resp, &r.names, err);
        if (status != LORE_OK || a->dry_run)
            return status;
        status = lore_req_read(req, NULL, err);
        if (status != LORE_OK)
            return status;
        resp->status = 201;
        r.status = p.repeats ? "run_added" : "stored";
    }
    if (status == LORE_OK && errs->n == 0)
        status = read_receipt(req, &p, &ids, &r, err);
    if (status == LORE_OK && errs->n == 0)
        status = lore_reply_object(resp, &lore_attempt_receipt_object, &r, err);
    lore_req_read_end(req);
    return status;
}

/* Decode the body and call ACT with the lock held. Errors of the body are all reported at once. */
static enum lore_status
answer(struct lore_req *req, const struct lore_record *as,
    enum lore_status (*act)(struct lore_req *, const struct lore_json *,
        const struct lore_attempt *, struct lore_errs *, struct lore_resp *, struct lore_err *),
    struct lore_resp *resp, struct lore_err *err)
{
    struct lore_errs *errs = lore_alloc(req->arena, sizeof *errs);
    struct lore_err why = {0};
    struct lore_attempt a;
    struct lore_json *body = NULL;
    enum lore_status status = lore_params_body(req, &body, err);

    if (status != LORE_OK)
        return status;
    /* act looks for more errors when there are some, and stores nothing */
    if (lore_wire_decode_attempt(as, body, req->arena, &a, errs) != LORE_OK ||
        lore_wire_possible(as, body, lore_now_us(), &why) != LORE_OK)
        a.dry_run = true;
    if (!a.project)
        a.project = req->project;
    if (why.code)
        (void)lore_errs_add(errs, why.code, why.path, "%s", why.msg);
    LORE_LOCKED(&one_at_a_time);
    status = act(req, body, &a, errs, resp, err);
    if (status == LORE_OK && errs->n > 0)
        lore_problem_all(errs, req->request_id, resp);
    return status;
}

enum lore_status
lore_api_attempt(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    return answer(req, &lore_attempt_record, record, resp, err);
}

/* ---- sessions ---- */

static enum lore_status
store_session(struct lore_req *req, const struct lore_attempt_place *p, const char *id,
    bool *duplicate, struct lore_err *err)
{
    LORE_BUF text = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_submission doc = {.format = LORE_WIRE_VERSION,
        .project = p->kernel.project,
        .stated_project = p->kernel.project,
        .id = lore_build_id(req->arena, 0, "session-document|%s", id),
        .author.name = p->a->author ? p->a->author : req->actor};
    struct lore_receipt got = {0};
    struct lore_campaign *c =
        LORE_PUSH(req->arena, doc.campaigns, doc.n_campaigns, doc.cap_campaigns);

    if (!p->stored)
        (void)lore_build_kernel(req->arena, &doc, p->kernel.op, p->kernel.language, p->kernel.name);
    c->id = id;
    c->label = lore_format(req->arena, "%s on %s", p->kernel.name, p->chip);
    c->kernel = p->kernel_id;
    c->chip = p->chip;
    c->workload = p->workload;
    c->author = doc.author.name;
    enum lore_status status = lore_build_encode(&doc, &text, err);
    if (status == LORE_OK)
        status = submit(req, &text, false, &got, err);
    *duplicate = got.duplicate;
    return status;
}

/* The session that ended last of the same author on the same kernel, chip and workload; its id
 * NULL: none. */
static enum lore_status
find_ended(struct lore_req *req, const struct lore_attempt_place *p, struct lore_campaign_row *out,
    struct lore_err *err)
{
    struct lore_list_filter of = {.kernel = p->kernel_id, .page.limit = 50};
    const char *author = p->a->author ? p->a->author : req->actor;
    struct lore_campaign_row *rows = NULL;
    size_t n = 0;
    enum lore_status status = lore_db_list_campaigns(req->db, &of, req->arena, &rows, &n, err);

    for (size_t i = 0; status == LORE_OK && i < n; i++) {
        char workload[33] = "";
        struct lore_campaign *c = &rows[i].r;
        if (c->workload.set)
            lore_workload_id(lore_workload_text(req->arena, p->kernel.op, &c->workload), workload);
        if (!lore_streq(c->chip, p->chip) || !lore_streq(c->author, author) ||
            strcmp(workload, p->workload_id) != 0)
            continue;
        if (rows[i].decision && !c->ended_at && !c->stop_reason)
            *out = rows[i];
        break;
    }
    return status;
}

/* Withdraw the decision that ended session C. */
static enum lore_status
resume(struct lore_req *req, struct lore_attempt_place *p, const struct lore_campaign_row *c,
    struct lore_err *err)
{
    struct lore_curation again = {.action = "retract", .reason = "the session goes on"};

    lore_build_text(req->arena, &again.subjects, c->decision);
    p->session = c->r.id;
    p->where_note = lore_format(req->arena, "%s%sthe last session goes on; --new begins another",
        p->where_note ? p->where_note : "", p->where_note ? "; " : "");
    return lore_curate_submit(req, &again, 1, true, NULL, err);
}

static enum lore_status
start_session(struct lore_req *req, const struct lore_json *body, const struct lore_attempt *a,
    struct lore_errs *errs, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_attempt_place p;
    struct receipt r = {.status = "stored"};
    struct lore_campaign_row ended = {0};
    bool duplicate = false;
    enum lore_status status = lore_req_read(req, NULL, err);

    (void)body;
    if (status != LORE_OK)
        return status;
    status = lore_attempt_find_session(req, a, &p, errs, resp, err);
    if (status == LORE_OK && errs->n == 0 && p.stored && !a->new_kernel)
        status = find_ended(req, &p, &ended, err);
    lore_req_read_end(req);
    if (status != LORE_OK || errs->n > 0)
        return status;
    if (!p.workload.set && !p.where_note)
        p.where_note = "no dims: these times compare only with each other; dims (M=4096,N=8192) "
                       "say the problem's size";
    p.session = a->idempotency_key ? lore_build_id(req->arena, 0, "session|%s|%s",
                                         req->owner ? req->owner : "", a->idempotency_key)
                                   : lore_build_new_id(req->arena);
    duplicate = ended.r.id != NULL;
    status = duplicate ? resume(req, &p, &ended, err)
                       : store_session(req, &p, p.session, &duplicate, err);
    if (status == LORE_OK)
        status = lore_req_read(req, NULL, err);
    if (status != LORE_OK)
        return status;
    status = read_receipt(req, &p, &(struct lore_attempt_ids){0}, &r, err);
    lore_req_read_end(req);
    if (duplicate)
        r.status = "duplicate";
    resp->status = duplicate ? 200 : 201;
    return status == LORE_OK ? lore_reply_object(resp, &lore_session_receipt_object, &r, err)
                             : status;
}

enum lore_status
lore_api_session(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    return answer(req, &lore_session_record, start_session, resp, err);
}
