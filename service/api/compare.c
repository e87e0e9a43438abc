/* GET /api/v1/versions/{id}/compare/{other}: what differs between two versions: their times and
 * metrics on a workload both ran on the same chip, the techniques that made them, build facts and
 * parameters, what their compiled code shows, and their sources as unified diffs. */
#include <math.h>
#include <string.h>

#include "db/standing.h"
#include "service/api/api_knowledge.h"
#include "service/api/edge.h"
#include "service/api/history.h"
#include "service/api/objects.h"
#include "service/api/present.h"
#include "service/base/diff.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/derive/outcome.h"

/* LINES: of all files together, so that an answer takes well under a second. */
enum { LINES = 60000 };
enum { RUNS = 100, EXPERIMENTS = 50, VERIFICATIONS = 100, FILES = 50, DIFF_BYTES = 64 << 10 };
#define SAME_WITHIN_PCT 0.5 /* smaller changes of a metric are called the same */

struct side {
    struct lore_version_row v;
    struct lore_run_row run; /* r.id NULL: none in common */
    const char *other;       /* of the first side: what of the other run does not compare; NULL */
    bool same_environment;   /* of the first side: equal hard fields, or neither recorded */
    struct lore_experiment_row *experiments;
    size_t n_experiments;
    struct lore_verification_row *verifications;
    size_t n_verifications;
};

/* A check that was taken back says nothing of the code. */
static enum lore_status
drop_retracted(struct lore_req *req, struct side *s, struct lore_err *err)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->n_verifications; i++) {
        struct lore_standing standing = {0};
        enum lore_status status =
            lore_db_get_standing(req->db, s->verifications[i].r.id, req->arena, &standing, err);

        if (status != LORE_OK)
            return status;
        if (!standing.retracted)
            s->verifications[kept++] = s->verifications[i];
    }
    s->n_verifications = kept;
    return LORE_OK;
}

static enum lore_status
load_side(struct lore_req *req, const char *id, struct side *s, struct lore_err *err)
{
    struct lore_experiment_filter f = {
        .version = id, .disagrees = -1, .masked = -1, .limit = EXPERIMENTS};
    struct lore_page page = {.limit = VERIFICATIONS};
    enum lore_status status = lore_db_get_version(req->db, id, req->arena, &s->v, err);

    if (status == LORE_OK)
        status = lore_db_list_experiments(
            req->db, &f, req->arena, &s->experiments, &s->n_experiments, err);
    if (status == LORE_OK)
        status = lore_db_list_verifications(
            req->db, id, NULL, page, req->arena, &s->verifications, &s->n_verifications, err);
    return status == LORE_OK ? drop_retracted(req, s, err) : status;
}

static bool
timed(const struct lore_run_row *r)
{
    return r->workload.id && !r->retracted && r->r.role != LORE_ROLE_REFERENCE &&
           (r->r.n_samples > 0 || r->r.summary.median_ns.set || r->r.summary.mean_ns.set);
}

/* The runs of a version that may be compared, newest first, and what they compare by. */
struct timed_runs {
    struct lore_run_row *v;
    struct lore_timing *t;
    size_t n;
};

static enum lore_status
load_timed(struct lore_req *req, const struct lore_history_of *of, const char *version,
    struct lore_hards *hards, struct lore_arena *scratch, struct timed_runs *out,
    struct lore_err *err)
{
    struct lore_page page = {.limit = RUNS};
    size_t n = 0;
    enum lore_status status = lore_db_list_runs(
        req->db, version, of->workload, of->chip, page, scratch, &out->v, &n, err);

    out->t = lore_alloc_array(scratch, n + 1, sizeof *out->t);
    for (size_t i = 0; status == LORE_OK && i < n; i++) {
        const struct lore_run_row *r = &out->v[i];
        const char *hard = NULL;

        if (!timed(r))
            continue;
        status = lore_timing_hard(req->db, hards, r->r.environment, scratch, &hard, err);
        out->t[out->n] = (struct lore_timing){.workload = r->workload.id,
            .workload_label = r->workload.label,
            .chip = r->r.chip,
            .environment = r->r.environment,
            .hard = hard,
            .method = r->r.tool};
        out->v[out->n++] = *r;
    }
    return status;
}

/* Of runs on one workload and chip the newest pair, the first version's newest first, but one that
 * compares before one that does not. */
static void
choose_pair(const struct timed_runs *a, const struct timed_runs *b, size_t pair[2], bool *found)
{
    *found = false;
    for (size_t i = 0; i < a->n; i++) {
        for (size_t k = 0; k < b->n; k++) {
            bool same = lore_timing_same(&a->t[i], &b->t[k]);

            if (!lore_streq(a->t[i].workload, b->t[k].workload) ||
                !lore_streq(a->t[i].chip, b->t[k].chip) || (*found && !same))
                continue;
            pair[0] = i;
            pair[1] = k;
            *found = true;
            if (same)
                return;
        }
    }
}

/* Without a pair both stay empty. */
static enum lore_status
find_pair(struct lore_req *req, struct side *a, struct side *b, struct lore_err *err)
{
    LORE_SCRATCH scratch = {0};
    struct lore_hards hards = {0};
    struct timed_runs ra = {0}, rb = {0};
    struct lore_history_of of;
    size_t pair[2];
    bool found = false;
    enum lore_status status = lore_history_asked(req, &of, err);

    if (status == LORE_OK)
        status = load_timed(req, &of, a->v.v.id, &hards, &scratch, &ra, err);
    if (status == LORE_OK)
        status = load_timed(req, &of, b->v.v.id, &hards, &scratch, &rb, err);
    if (status == LORE_OK)
        choose_pair(&ra, &rb, pair, &found);
    if (found) {
        const struct lore_timing *ta = &ra.t[pair[0]], *tb = &rb.t[pair[1]];

        a->other = lore_timing_other(tb, ta, req->arena);
        a->same_environment = lore_streq(ta->hard, tb->hard);
        status = lore_db_get_run(req->db, ra.v[pair[0]].r.id, req->arena, &a->run, err);
    }
    if (found && status == LORE_OK)
        status = lore_db_get_run(req->db, rb.v[pair[1]].r.id, req->arena, &b->run, err);
    return status;
}

static void
put_time(struct lore_jsonw *w, const struct side *a, const struct side *b, struct lore_arena *arena)
{
    double ta, tb;

    lore_w_key(w, "time");
    if (!a->run.r.id) {
        lore_w_null(w);
        return;
    }
    ta = lore_run_time_ns(&a->run.r, arena);
    tb = lore_run_time_ns(&b->run.r, arena);
    lore_w_obj(w);
    lore_w_key(w, "a");
    lore_w_obj(w);
    lore_object_members(w, &lore_run_object, &a->run);
    lore_w_obj_end(w);
    lore_w_key(w, "b");
    lore_w_obj(w);
    lore_object_members(w, &lore_run_object, &b->run);
    lore_w_obj_end(w);
    if (ta > 0 && tb > 0 && !a->other)
        lore_w_kf64(w, "speedup", ta / tb);
    lore_w_kstr_opt(w, "not_comparable", a->other);
    lore_w_kbool(w, "same_environment", a->same_environment);
    lore_w_kbool(w, "same_tool", lore_streq(a->run.r.tool, b->run.r.tool));
    lore_w_obj_end(w);
}

static const struct lore_metric *
metric_of(const struct lore_metrics *m, const char *name)
{
    for (size_t i = 0; i < m->n; i++)
        if (strcmp(m->v[i].name, name) == 0 && m->v[i].missing == LORE_MISS_NONE)
            return &m->v[i];
    return NULL;
}

static const char *
sense_of(const char *name, double delta_pct)
{
    const struct lore_metric_def *def = lore_metric_find(name);
    bool up = delta_pct > 0;

    if (fabs(delta_pct) <= SAME_WITHIN_PCT)
        return "same";
    if (!def || !def->direction || strcmp(def->direction, "neutral") == 0)
        return "unknown";
    return up == (strcmp(def->direction, "higher") == 0) ? "better" : "worse";
}

static void
put_metric(struct lore_jsonw *w, const char *name, const char *unit, const struct lore_metric *a,
    const struct lore_metric *b)
{
    const char *sense = "unknown";

    lore_w_obj(w);
    lore_w_kstr(w, "name", name);
    lore_w_kstr_opt(w, "unit", unit);
    if (a)
        lore_w_kf64(w, "a", a->value);
    if (b)
        lore_w_kf64(w, "b", b->value);
    if (a && b && (a->value < 0 || a->value > 0)) {
        double delta = (b->value - a->value) / fabs(a->value) * 100;

        lore_w_kf64(w, "delta_pct", delta);
        sense = sense_of(name, delta);
    } else if (a && b) {
        sense = b->value < 0 || b->value > 0 ? sense_of(name, b->value > 0 ? 100 : -100) : "same";
    }
    lore_w_kstr(w, "sense", sense);
    lore_w_obj_end(w);
}

/* Those of A in its order, then those that only B has. */
static void
put_metrics(struct lore_jsonw *w, const struct lore_metrics *a, const struct lore_metrics *b)
{
    lore_w_key(w, "metrics");
    lore_w_arr(w);
    for (size_t i = 0; i < a->n; i++)
        if (a->v[i].missing == LORE_MISS_NONE)
            put_metric(w, a->v[i].name, a->v[i].unit, &a->v[i], metric_of(b, a->v[i].name));
    for (size_t i = 0; i < b->n; i++)
        if (b->v[i].missing == LORE_MISS_NONE && !metric_of(a, b->v[i].name))
            put_metric(w, b->v[i].name, b->v[i].unit, NULL, &b->v[i]);
    lore_w_arr_end(w);
    lore_w_kf64(w, "same_within_pct", SAME_WITHIN_PCT);
}

static void
put_raw(struct lore_jsonw *w, const char *key, const char *value)
{
    if (!value)
        return;
    lore_w_key(w, key);
    lore_w_raw(w, value);
}

/* Members that differ. */
static void
put_kvs(struct lore_jsonw *w, const char *key, const struct lore_kvs *a, const struct lore_kvs *b)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (int pass = 0; pass < 2; pass++) {
        const struct lore_kvs *of = pass == 0 ? a : b;

        for (size_t i = 0; i < of->n; i++) {
            const char *va = lore_kvs_get(a, of->v[i].key), *vb = lore_kvs_get(b, of->v[i].key);

            if (lore_streq(va, vb) || (pass == 1 && va))
                continue;
            lore_w_obj(w);
            lore_w_kstr(w, "name", of->v[i].key);
            put_raw(w, "a", va);
            put_raw(w, "b", vb);
            lore_w_obj_end(w);
        }
    }
    lore_w_arr_end(w);
}

/* Techniques of the experiments that made the version. */
static void
put_techniques(struct lore_jsonw *w, const char *key, const struct side *s)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; i < s->n_experiments; i++) {
        const struct lore_experiment *e = &s->experiments[i].e;

        for (size_t k = 0; lore_streq(e->to_version, s->v.v.id) && k < e->n_techniques; k++) {
            lore_w_obj(w);
            lore_w_kstr(w, "name", e->techniques[k].name);
            lore_w_kstr_opt(w, "raw", e->techniques[k].raw);
            lore_w_kstr(w, "experiment", e->id);
            lore_w_obj_end(w);
        }
    }
    lore_w_arr_end(w);
}

static void
put_isa(struct lore_jsonw *w, const char *key, const struct side *s)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; i < s->n_verifications; i++) {
        const struct lore_verification *v = &s->verifications[i].r;

        lore_w_obj(w);
        lore_w_kstr(w, "id", v->id);
        lore_w_kstr(w, "technique", v->technique);
        lore_w_kstr(w, "status", v->status);
        lore_w_kstr_opt(w, "tool", v->tool);
        lore_w_key(w, "counts");
        lore_w_obj(w);
        for (size_t k = 0; k < v->counts.n; k++)
            put_raw(w, v->counts.v[k].key, v->counts.v[k].value);
        lore_w_obj_end(w);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
put_both(struct lore_jsonw *w, const char *key, const struct side *a, const struct side *b,
    void (*put)(struct lore_jsonw *w, const char *key, const struct side *s))
{
    lore_w_key(w, key);
    lore_w_obj(w);
    put(w, "a", a);
    put(w, "b", b);
    lore_w_obj_end(w);
}

static const struct lore_source_row *
file_of(const struct lore_version_row *v, const char *name)
{
    for (size_t i = 0; i < v->n_files; i++)
        if (lore_streq(v->files[i].file, name))
            return &v->files[i];
    return NULL;
}

static size_t
lines_in(const struct lore_buf *text)
{
    size_t n = 1;

    for (size_t i = 0; i < text->len; i++)
        n += text->data[i] == '\n';
    return n;
}

static void
put_text_diff(struct lore_jsonw *w, const struct lore_buf *a, const struct lore_buf *b,
    struct lore_arena *scratch, size_t *lines)
{
    LORE_BUF out = {.max = DIFF_BYTES};
    struct lore_diff d = {.cut = true, .why = "too many lines in all"};

    *lines += lines_in(a) + lines_in(b);
    if (*lines <= LINES)
        lore_diff_unified(
            !a->data ? "" : a->data, a->len, !b->data ? "" : b->data, b->len, scratch, &out, &d);
    if (!d.why || out.len > 0) {
        lore_w_ki64(w, "added", (int64_t)d.added);
        lore_w_ki64(w, "removed", (int64_t)d.removed);
    }
    lore_w_kbool(w, "cut", d.cut);
    lore_w_kstr_opt(w, "why", d.why);
    lore_w_kbool(w, "coarse", d.coarse);
    lore_w_kstr(w, "diff", !out.data ? "" : out.data);
}

/* Blobs are read, compared and forgotten, file by file. */
static enum lore_status
put_diff(struct lore_jsonw *w, struct lore_db *db, const struct lore_source_row *a,
    const struct lore_source_row *b, size_t *lines, struct lore_err *err)
{
    LORE_BUF before = {0}, after = {0};
    struct lore_buf *text[2] = {&before, &after};
    const struct lore_source_row *of[2] = {a, b};
    LORE_SCRATCH scratch = {0};
    enum lore_status status = LORE_OK;

    for (int i = 0; status == LORE_OK && i < 2; i++) {
        const char *media = NULL;

        if (of[i])
            status = lore_db_get_blob(db, of[i]->blob, text[i], &media, &scratch, err);
    }
    if (status == LORE_OK)
        put_text_diff(w, &before, &after, &scratch, lines);
    return status;
}

static enum lore_status
put_file(struct lore_jsonw *w, struct lore_db *db, const char *name,
    const struct lore_source_row *a, const struct lore_source_row *b, size_t *lines,
    struct lore_err *err)
{
    bool same = a && b && lore_streq(a->blob, b->blob);
    enum lore_status status = LORE_OK;

    lore_w_obj(w);
    lore_w_kstr(w, "file", name);
    lore_w_kstr(w, "a", !a ? NULL : a->blob);
    lore_w_kstr(w, "b", !b ? NULL : b->blob);
    lore_w_kbool(w, "same", same);
    if (!same)
        status = put_diff(w, db, a, b, lines, err);
    lore_w_obj_end(w);
    return status;
}

/* One file each under different names (v1.cu, then v2.cu): the same file that goes on. */
static bool
renamed(const struct lore_version_row *a, const struct lore_version_row *b)
{
    return a->n_files == 1 && b->n_files == 1 && !file_of(b, a->files[0].file);
}

static enum lore_status
put_files(struct lore_jsonw *w, struct lore_req *req, const struct lore_version_row *a,
    const struct lore_version_row *b, struct lore_err *err)
{
    bool one = renamed(a, b);
    enum lore_status status = LORE_OK;
    size_t n = 0, lines = 0;

    lore_w_key(w, "files");
    lore_w_arr(w);
    if (one)
        status = put_file(w, req->db,
            lore_format(req->arena, "%s -> %s", a->files[0].file, b->files[0].file), &a->files[0],
            &b->files[0], &lines, err);
    for (size_t i = 0; !one && status == LORE_OK && i < a->n_files; i++)
        if (n++ < FILES)
            status = put_file(w, req->db, a->files[i].file, &a->files[i],
                file_of(b, a->files[i].file), &lines, err);
    for (size_t i = 0; !one && status == LORE_OK && i < b->n_files; i++)
        if (!file_of(a, b->files[i].file) && n++ < FILES)
            status = put_file(w, req->db, b->files[i].file, NULL, &b->files[i], &lines, err);
    lore_w_arr_end(w);
    lore_w_ki64(w, "files_left_out", n > FILES ? (int64_t)(n - FILES) : 0);
    return status;
}

static enum lore_status
put_all(struct lore_jsonw *w, struct lore_req *req, const struct side *a, const struct side *b,
    struct lore_err *err)
{
    lore_w_key(w, "a");
    lore_w_obj(w);
    lore_object_members(w, &lore_version_object, &a->v);
    lore_w_obj_end(w);
    lore_w_key(w, "b");
    lore_w_obj(w);
    lore_object_members(w, &lore_version_object, &b->v);
    lore_w_obj_end(w);
    put_time(w, a, b, req->arena);
    put_metrics(w, &a->run.r.metrics, &b->run.r.metrics);
    put_both(w, "techniques", a, b, put_techniques);
    put_kvs(w, "params", &a->v.v.params, &b->v.v.params);
    put_kvs(w, "build", &a->v.v.build, &b->v.v.build);
    put_both(w, "isa", a, b, put_isa);
    return put_files(w, req, &a->v, &b->v, err);
}

enum lore_status
lore_api_compare(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct side a = {0}, b = {0};
    struct lore_err later; /* of a reply that is not sent any more */
    struct lore_jsonw w;
    enum lore_status status = load_side(req, req->vars[0], &a, err), written;

    if (status == LORE_OK)
        status = load_side(req, req->vars[1], &b, err);
    if (status == LORE_OK)
        status = find_pair(req, &a, &b, err);
    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    status = put_all(&w, req, &a, &b, err);
    lore_w_obj_end(&w);
    written = lore_jsonw_end(&w, status == LORE_OK ? err : &later);
    return status != LORE_OK ? status : written;
}
