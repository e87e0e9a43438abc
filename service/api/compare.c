/* GET /api/v1/versions/{id}/compare/{other}: what differs between two versions: times and metrics
 * on one workload and chip, techniques that made them, build facts and parameters, verifications of
 * the compiled code, and sources as unified diffs. */
#include <math.h>
#include <string.h>

#include "db/standing.h"
#include "service/api/api_knowledge.h"
#include "service/api/history.h"
#include "service/api/line.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/api/present.h"
#include "service/base/diff.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/derive/gain.h"
#include "service/derive/outcome.h"

/* LINES limits the lines of all files together, so that an answer takes well under a second. */
enum { LINES = 60000 };
enum { RUNS = 100, VERIFICATIONS = 100, FILES = 50, DIFF_BYTES = 64 << 10 };
#define SAME_WITHIN_PCT 0.5 /* smaller changes of a metric are called the same */

#define ROW struct lore_verification_row
static const struct lore_object_member isa[] = {
    {"!id", AT(r.id), "ulid"},
    {"!technique", AT(r.technique)},
    {"!status", AT(r.status)},
    {"tool", AT(r.tool)},
    {"!counts", AT(r.counts), NULL, "instructions by opcode"},
};
static const struct lore_object isa_object = LORE_OBJECT("ComparedIsa", isa);
#undef ROW

struct metric {
    const char *name, *unit, *sense;
    struct lore_f64 a, b, delta_pct;
};
#define ROW struct metric
static const struct lore_object_member metric[] = {
    {"!name", AT(name)},
    {"unit", AT(unit)},
    {"a", AT(a)},
    {"b", AT(b)},
    {"delta_pct", AT(delta_pct)},
    {"!sense", AT(sense), "better|worse|same|unknown"},
};
static const struct lore_object metric_object = LORE_OBJECT("ComparedMetric", metric);
#undef ROW

struct text_diff {
    struct lore_i64 added, removed; /* lines; not set when nothing was compared */
    struct lore_diff d;
    const char *text;
};
#define ROW struct text_diff
static const struct lore_object_member text_diff[] = {
    {"added", AT(added)},
    {"removed", AT(removed)},
    {"!cut", AT(d.cut)},
    {"why", AT(d.why), NULL, "reason for the cut"},
    {"!coarse", AT(d.coarse), NULL, "not the shortest difference"},
    {"!diff", AT(text), NULL, "unified"},
};
static const struct lore_object text_diff_object = LORE_OBJECT("", text_diff);
#undef ROW

struct file {
    const char *name, *a, *b; /* blobs; NULL: it has no such file */
    bool same;
    const struct text_diff *diff; /* NULL: not read, or the same */
};
#define ROW struct file
static const struct lore_object_member file[] = {
    {"!file", AT(name)},
    {"!a", AT(a), "text?", "its blob"},
    {"!b", AT(b), "text?", "its blob"},
    {"!same", AT(same)},
    {"", SPREAD(diff, text_diff_object)},
};
static const struct lore_object file_object = LORE_OBJECT("ComparedFile", file);
#undef ROW

struct side {
    struct lore_version_row v;
    struct lore_run_row run; /* r.id NULL: none in common */
    struct lore_verification_row *verifications;
    size_t n_verifications;
    struct lore_line line;
    struct lore_line_rows techniques; /* of its line */
    struct lore_texts only;           /* techniques that the other side lacks */
};
struct comparison {
    struct side a, b;
    struct lore_f64 speedup;
    const char *differs;   /* why the two runs do not compare; NULL: they do */
    bool same_environment; /* equal hard fields, or neither recorded */
    bool same_tool;
    struct metric *metrics;
    size_t n_metrics;
    double same_within_pct;
    struct lore_differences params, build;
    struct file files[FILES];
    size_t n_files, files_left_out;
    const char *without_source; /* "a" or "b"; NULL: neither, or both */
    struct lore_object_reading *reading;
};
static void write_files(struct lore_jsonw *w, const char *key, const void *row);

#define ROW struct comparison
static const struct lore_object_member timing[] = {
    {"!a", OBJECT(a.run, lore_run_object)},
    {"!b", OBJECT(b.run, lore_run_object)},
    {"speedup", AT(speedup)},
    {"not_comparable", AT(differs), NULL, "what differs"},
    {"!same_environment", AT(same_environment)},
    {"!same_tool", AT(same_tool)},
};
static const struct lore_object timing_object =
    LORE_KEYED_OBJECT("ComparedTime", timing, a.run.r.id);

static const struct lore_object_member techniques[] = {
    {"!a", LIST(a.techniques.v, a.techniques.n, lore_line_technique_object)},
    {"!b", LIST(b.techniques.v, b.techniques.n, lore_line_technique_object)},
    {"!only_a", AT(a.only), NULL, "A has them, B lacks them"},
    {"!only_b", AT(b.only), NULL, "B has them, A lacks them"},
};
static const struct lore_object techniques_object = LORE_OBJECT("BothTechniques", techniques);

static const struct lore_object_member both_isa[] = {
    {"!a", LIST(a.verifications, a.n_verifications, isa_object)},
    {"!b", LIST(b.verifications, b.n_verifications, isa_object)},
};
static const struct lore_object both_isa_object = LORE_OBJECT("BothIsa", both_isa);

static const struct lore_object_member comparison[] = {
    {"!a", OBJECT(a.v, lore_version_object)},
    {"!b", OBJECT(b.v, lore_version_object)},
    {"!time", PART(timing_object), NULL,
        "of each version the time that counts where both were timed"},
    {"!metrics", LIST(metrics, n_metrics, metric_object)},
    {"!same_within_pct", AT(same_within_pct)},
    {"!techniques", PART(techniques_object)},
    {"!params", LIST(params.v, params.n, lore_compared_value_object)},
    {"!build", LIST(build.v, build.n, lore_compared_value_object)},
    {"!isa", PART(both_isa_object), NULL, "what the compiled code shows"},
    {"!files", WRITTEN_LIST(write_files, file_object)},
    {"!files_left_out", AT(files_left_out)},
    {"without_source", AT(without_source), "a|b", "the only side without a source: no diff"},
};
const struct lore_object lore_comparison_object = LORE_OBJECT("Comparison", comparison);
#undef ROW

/* Leave out retracted verifications. */
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
    struct lore_list_filter of = {.version = id, .page.limit = VERIFICATIONS};
    enum lore_status status = lore_db_get_version(req->db, id, req->arena, &s->v, err);

    if (status == LORE_OK)
        status = lore_line_load(req->db, &s->v.v, req->arena, &s->line, err);
    if (status == LORE_OK)
        status = lore_db_list_verifications(
            req->db, &of, req->arena, &s->verifications, &s->n_verifications, err);
    return status == LORE_OK ? drop_retracted(req, s, err) : status;
}

static bool
timed(const struct lore_run_row *r)
{
    return r->workload.id && lore_run_counts(r) && r->r.role != LORE_ROLE_REFERENCE &&
           (r->r.n_samples > 0 || r->r.summary.median_ns.set || r->r.summary.mean_ns.set ||
               r->r.summary.min_ns.set);
}

/* The timed runs of a version, newest first, and their timing conditions. */
struct timed_runs {
    struct lore_run_row *v;
    struct lore_timing *t;
    size_t n;
};

/* Filter for the runs of both versions, and a cache of environment hashes. */
struct search {
    struct lore_req *req;
    struct lore_history_filter of;
    struct lore_environment_hashes hards;
    struct lore_arena *scratch;
};

static enum lore_status
load_timed(struct search *s, const char *version, struct timed_runs *out, struct lore_err *err)
{
    struct lore_db *db = s->req->db;
    struct lore_list_filter f = {
        .version = version, .workload = s->of.workload, .chip = s->of.chip, .page.limit = RUNS};
    size_t n = 0;
    enum lore_status status = lore_db_list_runs(db, &f, s->scratch, &out->v, &n, err);

    out->t = lore_alloc_array(s->scratch, n + 1, sizeof *out->t);
    for (size_t i = 0; status == LORE_OK && i < n; i++) {
        const struct lore_run_row *r = &out->v[i];
        const char *hard = NULL;

        if (!timed(r))
            continue;
        status =
            lore_timing_environment_hash(db, &s->hards, r->r.environment, s->scratch, &hard, err);
        out->t[out->n] = (struct lore_timing){.workload = r->workload.id,
            .workload_label = r->workload.label,
            .chip = r->r.chip,
            .environment = r->r.environment,
            .hard = hard,
            .method = r->r.tool,
            .measured = lore_timing_is_measured(r->r.evidence)};
        out->v[out->n++] = *r;
    }
    return status;
}

/* Whether run I of S rather than run K gives its time: measured before stated, then fastest. */
static bool
counts_before(const struct timed_runs *s, size_t i, size_t k, struct lore_arena *scratch)
{
    if (s->t[i].measured != s->t[k].measured)
        return s->t[i].measured;
    return lore_run_time_ns(&s->v[i].r, scratch) < lore_run_time_ns(&s->v[k].r, scratch);
}

/* The run of S that counts (derive/gain.h) among those that compare with run AT of it and with
 * OTHER. */
static size_t
counting(const struct timed_runs *s, size_t at, const struct lore_timing *other,
    struct lore_arena *scratch)
{
    size_t best = at;

    for (size_t i = 0; i < s->n; i++)
        if (lore_timing_comparable(&s->t[i], &s->t[at]) &&
            lore_timing_comparable(&s->t[i], other) && counts_before(s, i, best, scratch))
            best = i;
    return best;
}

/* Find the newest pair of runs on one workload and chip; of comparable pairs the measured one, and
 * of both sides the fastest run that compares. */
static void
choose_pair(const struct timed_runs *a, const struct timed_runs *b, struct lore_arena *scratch,
    size_t pair[2], bool *found)
{
    int rank = -1;

    *found = false;
    for (size_t i = 0; i < a->n; i++) {
        for (size_t k = 0; k < b->n; k++) {
            bool same = lore_timing_comparable(&a->t[i], &b->t[k]);
            int fit = same ? 1 + a->t[i].measured + b->t[k].measured : 0;

            if (!lore_streq(a->t[i].workload, b->t[k].workload) ||
                !lore_streq(a->t[i].chip, b->t[k].chip) || fit <= rank)
                continue;
            pair[0] = i;
            pair[1] = k;
            rank = fit;
            *found = true;
        }
    }
    if (rank > 0) {
        size_t first = counting(a, pair[0], &b->t[pair[1]], scratch);

        pair[1] = counting(b, pair[1], &a->t[pair[0]], scratch);
        pair[0] = first;
    }
}

/* Without a pair both runs stay empty. */
static enum lore_status
find_pair(struct lore_req *req, struct comparison *x, struct lore_err *err)
{
    LORE_SCRATCH scratch = {0};
    struct search s = {.req = req, .scratch = &scratch};
    struct timed_runs a = {0}, b = {0};
    size_t pair[2] = {0, 0};
    bool found = false;
    enum lore_status status = lore_history_read_filter(req, &s.of, err);

    if (status == LORE_OK)
        status = load_timed(&s, x->a.v.v.id, &a, err);
    if (status == LORE_OK)
        status = load_timed(&s, x->b.v.v.id, &b, err);
    if (status == LORE_OK)
        choose_pair(&a, &b, &scratch, pair, &found);
    if (found) {
        const struct lore_timing *ta = &a.t[pair[0]], *tb = &b.t[pair[1]];

        x->differs = lore_timing_differences(tb, ta, req->arena);
        x->same_environment = lore_streq(ta->hard, tb->hard);
        status = lore_db_get_run(req->db, a.v[pair[0]].r.id, req->arena, &x->a.run, err);
    }
    if (found && status == LORE_OK)
        status = lore_db_get_run(req->db, b.v[pair[1]].r.id, req->arena, &x->b.run, err);
    return status;
}

static void
compare_times(struct comparison *x, struct lore_arena *arena)
{
    double a = lore_run_time_ns(&x->a.run.r, arena), b = lore_run_time_ns(&x->b.run.r, arena);

    if (a > 0 && b > 0 && !x->differs)
        x->speedup = (struct lore_f64){true, lore_gain(a, b)};
    x->same_tool = lore_streq(x->a.run.r.tool, x->b.run.r.tool);
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

/* OF is A or B and gives name and unit; the other one may be NULL. */
static struct metric
compare_metric(
    const struct lore_metric *of, const struct lore_metric *a, const struct lore_metric *b)
{
    struct metric m = {.name = of->name, .unit = of->unit, .sense = "unknown"};

    if (a)
        m.a = (struct lore_f64){true, a->value};
    if (b)
        m.b = (struct lore_f64){true, b->value};
    if (a && b && (a->value < 0 || a->value > 0)) {
        m.delta_pct = (struct lore_f64){true, (b->value - a->value) / fabs(a->value) * 100};
        m.sense = sense_of(of->name, m.delta_pct.v);
    } else if (a && b) {
        m.sense =
            b->value < 0 || b->value > 0 ? sense_of(of->name, b->value > 0 ? 100 : -100) : "same";
    }
    return m;
}

/* Compare the metrics of A in its order, then those that only B has. */
static void
compare_metrics(struct comparison *x, struct lore_arena *arena)
{
    const struct lore_metrics *a = &x->a.run.r.metrics, *b = &x->b.run.r.metrics;

    x->metrics = lore_alloc_array(arena, a->n + b->n + 1, sizeof *x->metrics);
    for (size_t i = 0; i < a->n; i++)
        if (a->v[i].missing == LORE_MISS_NONE)
            x->metrics[x->n_metrics++] =
                compare_metric(&a->v[i], &a->v[i], metric_of(b, a->v[i].name));
    for (size_t i = 0; i < b->n; i++)
        if (b->v[i].missing == LORE_MISS_NONE && !metric_of(a, b->v[i].name))
            x->metrics[x->n_metrics++] = compare_metric(&b->v[i], NULL, &b->v[i]);
    x->same_within_pct = SAME_WITHIN_PCT;
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

/* *lines counts the lines compared so far, in all files. */
static struct text_diff
diff_texts(const struct lore_buf *a, const struct lore_buf *b, struct lore_arena *scratch,
    struct lore_buf *out, size_t *lines)
{
    struct text_diff x = {.d = {.cut = true, .why = "too many lines in all"}};

    *lines += lines_in(a) + lines_in(b);
    if (*lines <= LINES)
        lore_diff_unified(a, b, scratch, out, &x.d);
    if (!x.d.why || out->len > 0) {
        x.added = (struct lore_i64){true, (int64_t)x.d.added};
        x.removed = (struct lore_i64){true, (int64_t)x.d.removed};
    }
    x.text = !out->data ? "" : out->data;
    return x;
}

/* Read and compare one file at a time, so that only its blobs are in memory. */
static enum lore_status
write_file(struct lore_jsonw *w, struct file f, struct lore_object_reading *r, size_t *lines)
{
    LORE_BUF before = {0}, after = {0}, out = {.max = DIFF_BYTES};
    LORE_SCRATCH scratch = {0};
    struct text_diff diff;
    const char *media = NULL;
    enum lore_status status = LORE_OK;

    if (!f.same && f.a)
        status = lore_db_get_blob(r->db, f.a, &before, &media, &scratch, &r->err);
    if (!f.same && f.b && status == LORE_OK)
        status = lore_db_get_blob(r->db, f.b, &after, &media, &scratch, &r->err);
    if (!f.same && status == LORE_OK) {
        diff = diff_texts(&before, &after, &scratch, &out, lines);
        f.diff = &diff;
    }
    lore_object_write(w, &file_object, &f);
    return status;
}

static void
write_files(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct comparison *x = row;
    struct lore_object_reading *r = x->reading;
    size_t lines = 0;

    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; r->status == LORE_OK && i < x->n_files; i++)
        r->status = write_file(w, x->files[i], r, &lines);
    lore_w_arr_end(w);
}

/* Whether each version has one file, with different names (v1.cu, v2.cu): compare these as one
 * file. */
static bool
renamed(const struct lore_version_row *a, const struct lore_version_row *b)
{
    return a->n_files == 1 && b->n_files == 1 && !file_of(b, a->files[0].file);
}

static void
add_file(struct comparison *x, const char *name, const struct lore_source_row *a,
    const struct lore_source_row *b)
{
    struct file f = {.name = name, .a = !a ? NULL : a->blob, .b = !b ? NULL : b->blob};

    f.same = lore_streq(f.a, f.b);
    if (x->n_files < FILES)
        x->files[x->n_files++] = f;
    else
        x->files_left_out++;
}

static void
list_files(struct comparison *x, struct lore_arena *arena)
{
    const struct lore_version_row *a = &x->a.v, *b = &x->b.v;

    if ((a->n_files == 0) != (b->n_files == 0)) {
        x->without_source = a->n_files == 0 ? "a" : "b";
        return;
    }
    if (renamed(a, b)) {
        add_file(x, lore_format(arena, "%s -> %s", a->files[0].file, b->files[0].file),
            &a->files[0], &b->files[0]);
        return;
    }
    for (size_t i = 0; i < a->n_files; i++)
        add_file(x, a->files[i].file, &a->files[i], file_of(b, a->files[i].file));
    for (size_t i = 0; i < b->n_files; i++)
        if (!file_of(a, b->files[i].file))
            add_file(x, b->files[i].file, NULL, &b->files[i]);
}

enum lore_status
lore_api_compare(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_object_reading reading = {.db = req->db};
    struct comparison x = {.reading = &reading};
    enum lore_status status = load_side(req, req->vars[0], &x.a, err);

    if (status == LORE_OK)
        status = load_side(req, req->vars[1], &x.b, err);
    if (status == LORE_OK)
        status = find_pair(req, &x, err);
    if (status != LORE_OK)
        return status;
    x.a.techniques = lore_line_rows(&x.a.line, req->arena);
    x.b.techniques = lore_line_rows(&x.b.line, req->arena);
    x.a.only = lore_line_only(&x.a.line, &x.b.line, req->arena);
    x.b.only = lore_line_only(&x.b.line, &x.a.line, req->arena);
    compare_times(&x, req->arena);
    compare_metrics(&x, req->arena);
    x.params = lore_present_differences(req->arena, &x.a.v.v.params, &x.b.v.v.params);
    x.build = lore_present_differences(req->arena, &x.a.v.v.build, &x.b.v.v.build);
    list_files(&x, req->arena);
    return lore_reply_reading(resp, &lore_comparison_object, &x, &reading, err);
}
