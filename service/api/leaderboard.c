/* GET /api/v1/leaderboard: best version per operator, language, chip and workload. The rows are
 * copies in the request's arena. Cursors are offsets. */
#include "service/api/api.h"

#include "db/export.h"
#include "db/standing.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/http/app.h"
#include "service/ingest/indexes.h"

#define ROW struct lore_speedup
static const struct lore_object_member speedup[] = {
    {"!value", AT(value)},
    {"low", AT(low), NULL, "typical range, where one is stated: the value is the best case"},
    {"high", AT(high)},
    {"!base", NAMED(base, lore_base_name), LORE_BASE_NAMES},
    {"base_name", AT(base_name)},
    {"base_version", AT(base_version), "ulid"},
};
static const struct lore_object lore_speedup_object = LORE_FLAGGED_OBJECT("Speedup", speedup, set);
#undef ROW

#define ROW struct lore_tied
static const struct lore_object_member tied[] = {
    {"version", AT(version), "ulid"},
    {"label", AT(version_label)},
    {"kernel_name", AT(kernel_name)},
    {"project", AT(project)},
    {"language", NAMED(language, lore_language_name)},
    {"time_ns", AT(time_ns)},
};
static const struct lore_object lore_tied_object = LORE_OBJECT("Tied", tied);
#undef ROW

#define ROW struct lore_claimed
static const struct lore_object_member claim[] = {
    {"version", AT(version), "ulid"},
    {"label", AT(version_label)},
    {"experiment", AT(experiment), "ulid"},
    {"time_ns", AT(time_ns), NULL, "stated without a version"},
    {"!speedup", OBJECT(speedup, lore_speedup_object)},
};
static const struct lore_object lore_board_claim_object = LORE_OBJECT("BoardClaim", claim);
#undef ROW

#define ROW struct lore_excluded
static const struct lore_object_member excluded[] = {
    {"version", AT(version), "ulid"},
    {"label", AT(version_label)},
    {"!reason", AT(reason)},
    {"code", AT(code)},
};
static const struct lore_object lore_excluded_object = LORE_OBJECT("ExcludedVersion", excluded);
#undef ROW

struct row {
    struct lore_board_row r;
    bool withheld; /* a record in it must not be exported */
    struct lore_dispute dispute;
};
#define ROW struct lore_dispute
static const struct lore_object_member dispute[] = {
    {"!record", AT(record), "ulid", "run or experiment with a bare verdict"},
    {"by", AT(by)},
    {"why", AT(why)},
};
const struct lore_object lore_disputed_object = LORE_KEYED_OBJECT("Disputed", dispute, record);
#undef ROW

#define ROW struct row
static const struct lore_object_member workload[] = {
    {"!id", AT(r.workload)},
    {"label", AT(r.workload_label)},
};
static const struct lore_object lore_workload_name_object =
    LORE_KEYED_OBJECT("WorkloadName", workload, r.workload);

static const struct lore_object_member best[] = {
    {"version", AT(r.best_version), "ulid"},
    {"label", AT(r.best_label)},
    {"run", AT(r.best_run), "ulid"},
    {"experiment", AT(r.best_experiment), "ulid"},
};
static const struct lore_object lore_best_object = LORE_OBJECT("Best", best);

static const struct lore_object_member interval[] = {
    {"low_ns", AT(r.interval_low_ns)},
    {"high_ns", AT(r.interval_high_ns)},
    {"!of", AT(r.interval_of), NULL, "median (95 %), or p10..p90 (as stated)"},
};
static const struct lore_object lore_time_interval_object =
    LORE_KEYED_OBJECT("TimeInterval", interval, r.interval_of);

static const struct lore_object_member board[] = {
    {"!operator", AT(r.op)},
    {"family", AT(r.family)},
    {"language", NAMED(r.language, lore_language_name)},
    {"chip", AT(r.chip)},
    {"!workload", PART(lore_workload_name_object)},
    {"kernel", AT(r.kernel), "ulid"},
    {"kernel_name", AT(r.kernel_name)},
    {"project", AT(r.project)},
    {"!best", PART(lore_best_object)},
    {"withheld", AT(withheld), NULL, "a record in it must not be exported"},
    {"time_ns", AT(r.time_ns), NULL, "of the best"},
    {"low_ns", AT(r.low_ns)},
    {"high_ns", AT(r.high_ns)},
    {"n_samples", AT(r.n_samples)},
    {"peak_pct", AT(r.peak_pct), NULL,
        "the time that the chip's peak rates allow over the time of the best, in %"},
    {"limiter", AT(r.limiter), "memory|compute", "the rate that limits it"},
    {"!speedup", OBJECT(r.speedup, lore_speedup_object)},
    {"!vs_library", OBJECT(r.vs_library, lore_speedup_object)},
    {"interval", PART(lore_time_interval_object), NULL, "by which the best is compared"},
    {"rank", AT(r.rank), NULL, "among the rows of this operator, chip and workload"},
    {"rank_high", AT(r.rank_high)},
    {"compared", AT(r.compared), NULL, "versions of the row whose times were compared"},
    {"!tied", LIST(r.tied, r.n_tied, lore_tied_object), NULL,
        "versions that may be as fast as the best"},
    {"method", AT(r.method), NULL, "tool that timed the best"},
    {"correctness", NAMED(r.correctness, lore_check_name), LORE_CHECK_NAMES},
    {"disputed", OBJECT(dispute, lore_disputed_object), NULL,
        "somebody else says, without a reference and numbers, that the best is wrong"},
    {"checked_on", AT(r.checked_on), NULL,
        "other workloads on which the best passed its check, if it did not pass here"},
    {"!failed_attempts", STRINGS(r.attempts, r.n_attempts), "[ulid",
        "experiments that show that the baseline is optimal"},
    {"!labels", LABELS(r.labels), NULL, "bottlenecks"},
    {"derived_labels", LABELS(r.derived_labels), NULL, "labels inferred from metrics"},
    {"earlier_labels", LABELS(r.earlier_labels), NULL,
        "without labels: bottlenecks of versions before the best"},
    {"status", AT(r.status)},
    {"evidence", NAMED(r.evidence, lore_evidence_name), LORE_EVIDENCE_NAMES},
    {"!versions", AT(r.versions)},
    {"!runs", AT(r.runs)},
    {"!experiments", AT(r.experiments)},
    {"!won", AT(r.won)},
    {"!neutral", AT(r.neutral)},
    {"!lost", AT(r.lost)},
    {"!said_lost", AT(r.said_lost), NULL, "not measured; their authors reported a failure"},
    {"!excluded", LIST(r.excluded, r.n_excluded, lore_excluded_object)},
    {"!claims", LIST(r.claims, r.n_claims, lore_board_claim_object), NULL,
        "speedups that were stated without a time of a version; none leads"},
    {"updated_at", TIME(r.updated_us)},
};
const struct lore_object lore_board_row_object = LORE_OBJECT("BoardRow", board);
#undef ROW

/* Every record that R names. */
static size_t
named(struct lore_arena *arena, const struct lore_board_row *r, const char ***out)
{
    const char *const own[] = {r->kernel, r->best_version, r->best_run, r->best_experiment,
        r->speedup.base_version, r->vs_library.base_version};
    size_t n = 0, cap = 0;

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        *LORE_PUSH(arena, *out, n, cap) = own[i];
    for (size_t i = 0; i < r->n_tied; i++)
        *LORE_PUSH(arena, *out, n, cap) = r->tied[i].version;
    for (size_t i = 0; i < r->n_attempts; i++)
        *LORE_PUSH(arena, *out, n, cap) = r->attempts[i];
    for (size_t i = 0; i < r->n_excluded; i++)
        *LORE_PUSH(arena, *out, n, cap) = r->excluded[i].version;
    for (size_t i = 0; i < r->n_claims; i++)
        *LORE_PUSH(arena, *out, n, cap) = r->claims[i].experiment;
    return n;
}

static enum lore_status
write_row(struct lore_req *req, struct lore_jsonw *w, const struct lore_board_row *r,
    bool any_withheld, struct lore_err *err)
{
    struct row row = {.r = *r};
    const char **ids = NULL;
    size_t n = any_withheld ? named(req->arena, r, &ids) : 0;
    enum lore_status status = lore_db_any_withheld(req->db, ids, n, &row.withheld, err);

    if (status == LORE_OK && r->disputed)
        status = lore_db_get_dispute(req->db, r->disputed, req->arena, &row.dispute, err);

    lore_object_write(w, &lore_board_row_object, &row);
    return status;
}

/* Number of rows of unclassified kernels. */
static size_t
unclassified(struct lore_req *req, const struct lore_board *ix, struct lore_board_filter f)
{
    struct lore_board_row *rows;
    size_t n, total = 0;

    if (f.op || f.workload)
        return 0;
    f.op = LORE_UNCLASSIFIED;
    f.offset = 0;
    f.limit = 1;
    lore_board(ix, &f, req->arena, &rows, &n, &total);
    return total;
}

/* The rows of one page, and how many there are in all. */
struct page {
    struct lore_board_row *rows;
    size_t n, total, unclassified;
};

/* Read a page from the index. Its records may be newer than the current snapshot, so start a new
 * snapshot afterwards. */
static enum lore_status
ask_index(
    struct lore_req *req, const struct lore_board_filter *f, struct page *out, struct lore_err *err)
{
    {
        LORE_INDEXES_VIEW indexes = req->app->indexes;
        const struct lore_board *ix = lore_indexes_board(indexes);

        lore_board(ix, f, req->arena, &out->rows, &out->n, &out->total);
        out->unclassified = unclassified(req, ix, *f);
    }
    lore_db_snapshot_end(req->db);
    return lore_db_snapshot(req->db, err);
}

enum lore_status
lore_api_leaderboard(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_board_filter f = {0};
    struct page page = {0};
    struct lore_paging paging = {0};
    struct lore_jsonw w;
    bool any_withheld = false;
    enum lore_status status = lore_params_paging(req, &paging, err);

    if (status == LORE_OK)
        status = lore_params_chip(req, &f.chip, err);
    if (status == LORE_OK)
        status = lore_params_language(req, &f.language, err);
    if (status == LORE_OK)
        status = lore_params_labels(req, &f.labels, err);
    if (status != LORE_OK)
        return status;
    f.op = lore_params_operator(req);
    f.variants = true;
    f.family = lore_arg_text(req, "family", NULL);
    f.workload = lore_arg_text(req, "workload", NULL);
    f.project = lore_arg_text(req, "project", NULL);
    f.text = lore_arg_text(req, "words", NULL);
    f.at_least = lore_params_evidence(req);
    f.checked = lore_arg_bool(req, "checked", false);
    f.any_shape = lore_arg_bool(req, "any_shape", false);
    f.sort = lore_arg_text(req, "sort", "operator");
    f.offset = (size_t)paging.at;
    f.limit = paging.limit;
    status = ask_index(req, &f, &page, err);
    if (status == LORE_OK)
        status = lore_db_has_withheld(req->db, &any_withheld, err);
    if (status != LORE_OK)
        return status;
    lore_paging_begin(&w, resp);
    for (size_t i = 0; i < page.n && status == LORE_OK; i++)
        status = write_row(req, &w, &page.rows[i], any_withheld, err);
    if (status != LORE_OK)
        return status;
    lore_paging_end(&w, f.offset + page.n < page.total, (int64_t)(f.offset + page.n));
    lore_w_ki64(&w, "total", (int64_t)page.total);
    if (page.unclassified > 0)
        lore_w_ki64(&w, "unclassified", (int64_t)page.unclassified);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}
