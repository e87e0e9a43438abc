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
static const struct lore_object lore_failure_object = LORE_OBJECT("Failure", failure);
#undef ROW

struct answer {
    struct lore_failure_group *groups;
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

enum lore_status
lore_api_failures(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct answer x = {0};
    struct lore_failures found = {0};
    struct lore_failed *in;
    enum lore_status status = lore_db_list_failures(
        req->db, lore_arg_text(req, "error_type", NULL), LOOKED_AT, req->arena, &found, err);

    if (status != LORE_OK)
        return status;
    in = lore_alloc_array(req->arena, found.n + 1, sizeof *in);
    for (size_t i = 0; i < found.n; i++) {
        const struct lore_failure_row *r = &found.rows[i];
        in[i] = (struct lore_failed){&r->p, r->experiment, r->run, r->at_us};
    }
    lore_failures_group(in, found.n, req->arena, &x.groups, &x.n_groups);
    x.shown = x.n_groups < ROWS ? x.n_groups : ROWS;
    x.n_failures = found.n;
    return lore_reply_object(resp, &lore_failures_object, &x, err);
}
