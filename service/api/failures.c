/* GET /api/v1/failures: groups of errors of runs and pitfalls of experiments, with counts and
 * fixes. Hidden experiments count: they happened. */
#include "service/derive/failures.h"

#include "db/failure.h"
#include "service/api/api_knowledge.h"
#include "service/api/objects.h"
#include "service/api/params.h"

enum { LOOKED_AT = 2000, ROWS = 100 };

#define ROW struct lore_failure_group
static const struct lore_object_member failure[] = {
    {"!error_type", AT(type)},
    {"code", AT(code)},
    {"words", AT(words)},
    {"!count", AT(count)},
    {"!recurrences", AT(recurrences), NULL,
        "distinct experiments, and runs without one, in which it occurred"},
    {"message", AT(message)},
    {"root_cause", AT(root_cause)},
    {"fix", AT(fix)},
    {"lesson", AT(lesson)},
    {"!experiments", STRING_ARRAY(experiments, n_experiments), "[ulid"},
    {"run", AT(run), "ulid"},
    {"last_at", TIME(last_us)},
};
static const struct lore_object failure_group_object = LORE_OBJECT("", failure);
#undef ROW

/* A group, and the names of its newest experiment. */
struct shown {
    struct lore_failure_group g;
    const char *title, *kernel, *version, *notes;
};
#define ROW struct shown
static const struct lore_object_member shown[] = {
    {"", MEMBERS(g, failure_group_object)},
    {"title", AT(title), NULL, "title of the newest experiment"},
    {"kernel", AT(kernel), NULL, "its kernel, by name"},
    {"version", AT(version), NULL, "the label of the version that it made"},
    {"notes", AT(notes), NULL, "what its author noted"},
};
static const struct lore_object lore_failure_object = LORE_OBJECT("Failure", shown);
#undef ROW

struct answer {
    struct shown *groups;
    size_t shown, n_groups, n_failures;
    const char *next; /* NULL: at most ROWS groups are shown */
};
#define ROW struct answer
static const struct lore_object_member answer[] = {
    {"!rows", LIST(groups, shown, lore_failure_object)},
    {"!next", AT(next), "text?"},
    {"!groups", AT(n_groups)},
    {"!failures", AT(n_failures)},
};
const struct lore_object lore_failures_object = LORE_OBJECT("Failures", answer);
#undef ROW

static enum lore_status
name_newest(struct lore_req *req, struct shown *g, struct lore_err *err)
{
    struct lore_experiment_row x = {0};
    struct lore_version_row v = {0};

    if (g->g.n_experiments == 0)
        return LORE_OK;
    enum lore_status status =
        lore_db_get_experiment(req->db, g->g.experiments[0], req->arena, &x, err);
    if (status != LORE_OK)
        return status;
    g->title = x.e.title;
    g->kernel = x.kernel_name;
    g->notes = x.e.notes;
    if (!x.e.to_version)
        return LORE_OK;
    status = lore_db_get_version_head(req->db, x.e.to_version, req->arena, &v, err);
    g->version = v.v.label;
    return status;
}

enum lore_status
lore_api_failures(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct answer x = {0};
    struct lore_failures found = {0};
    struct lore_failure_group *groups = NULL;
    struct lore_failed *in;
    struct lore_paging paging;
    struct lore_page page = {0};
    enum lore_status status = lore_params_page(req, &paging, &page, err);

    if (status == LORE_OK)
        status = lore_db_list_failures(req->db,
            &(struct lore_failure_filter){lore_params_error_type(req),
                lore_arg_text(req, "kernel", NULL), lore_arg_text(req, "campaign", NULL),
                page.author, page.since_us, LOOKED_AT},
            req->arena, &found, err);
    if (status != LORE_OK)
        return status;
    in = lore_alloc_array(req->arena, found.n + 1, sizeof *in);
    for (size_t i = 0; i < found.n; i++) {
        const struct lore_failure_row *r = &found.rows[i];
        in[i] = (struct lore_failed){&r->p, r->experiment, r->run, r->at_us};
    }
    lore_failures_group(in, found.n, req->arena, &groups, &x.n_groups);
    x.shown = x.n_groups < ROWS ? x.n_groups : ROWS;
    x.n_failures = found.n;
    x.groups = lore_alloc_array(req->arena, x.shown + 1, sizeof *x.groups);
    for (size_t i = 0; status == LORE_OK && i < x.shown; i++) {
        x.groups[i].g = groups[i];
        status = name_newest(req, &x.groups[i], err);
    }
    if (status != LORE_OK)
        return status;
    return lore_reply_object(resp, &lore_failures_object, &x, err);
}
