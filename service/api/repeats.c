/* GET /api/v1/kernels/{id}/repeats: whether an idea has failed in this kernel's lineage, to check
 * before an experiment. A warning, never a veto. Hidden experiments are left out. */
#include "service/derive/repeats.h"

#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/attempts.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"

enum { MAX_ATTEMPTS = 400, MAX_USES = 16, SHOWN = 20 };

/* --- the question --- */

static void
read_params(struct lore_arena *arena, const char *text, size_t len, struct lore_idea_use *u)
{
    struct lore_idea_param *p = NULL;
    size_t n = 0, cap = 0;

    for (size_t at = 0; at < len;) {
        size_t part = strcspn(text + at, ",}");
        const char *equals = memchr(text + at, '=', part);
        if (equals != NULL)
            *LORE_PUSH(arena, p, n, cap) = (struct lore_idea_param){
                .name = lore_strndup(arena, text + at, (size_t)(equals - text) - at),
                .to = lore_strndup(arena, equals + 1, part - (size_t)(equals + 1 - text - at))};
        at += part + 1;
    }
    u->params = p;
    u->n_params = n;
}

/* `name{a=1,b=2},other`. */
static enum lore_status
read_uses(struct lore_req *req, struct lore_idea *idea, struct lore_err *err)
{
    struct lore_idea_use *u = lore_alloc_array(req->arena, MAX_USES, sizeof *u);

    for (const char *s = lore_arg_text(req, "technique", ""); *s != '\0';) {
        size_t name = strcspn(s, ",{"), end = name;
        if (idea->n_uses == MAX_USES)
            return lore_fail_at(err, LORE_INVALID, "too_long", "technique",
                "technique: at most %d at once", MAX_USES);
        if (s[name] == '{') {
            end = name + strcspn(s + name, "}");
            if (s[end] != '}')
                return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "technique",
                    "technique: { without }; expected name{param=value}");
            read_params(req->arena, s + name + 1, end - name - 1, &u[idea->n_uses]);
            end++;
        }
        if (name > 0)
            u[idea->n_uses++].technique =
                lore_technique_slug(req->arena, lore_strndup(req->arena, s, name));
        s += end + strcspn(s + end, ",");
        s += *s == ',';
    }
    idea->uses = u;
    return LORE_OK;
}

static enum lore_status
read_idea(struct lore_req *req, struct lore_idea *idea, struct lore_err *err)
{
    const struct lore_chip *chip = NULL;
    enum lore_status status = read_uses(req, idea, err);

    if (status == LORE_OK)
        status = lore_params_chip(req, &chip, err);
    if (status != LORE_OK)
        return status;
    idea->text = lore_arg_text(req, "text", NULL);
    idea->chip = chip ? chip->name : NULL;
    idea->workload = lore_arg_text(req, "workload", NULL);
    idea->from_version = lore_arg_text(req, "from", NULL);
    if (idea->n_uses == 0 && !idea->text)
        return lore_fail_at(err, LORE_INVALID, "missing_parameter", "technique",
            "technique: required, or text: describe the plan");
    return lore_attempts_fill_parameters(req, idea, err);
}

/* --- the answer --- */

#define ROW struct lore_repeats_attempt
static const struct lore_object_member attempt[] = {{"!experiment", AT(id), "ulid"}};
static const struct lore_object_member ended[] = {
    {"!end", NAMED(end, lore_attempt_end_name), "no_gain|wrong|not_run|not_built"},
    {"speedup", AT(speedup)},
};
static const struct lore_object_member claimed[] = {{"claim", AT(idea.text)}};
static const struct lore_object attempt_id = LORE_OBJECT("", attempt);
static const struct lore_object attempt_end = LORE_OBJECT("", ended);
static const struct lore_object attempt_claim = LORE_OBJECT("", claimed);
#undef ROW

#define ROW struct lore_repeat
static const struct lore_object_member repeat[] = {
    {"!", SPREAD(of, attempt_id)},
    {"!kind", NAMED(kind, lore_repeat_kind_name), "near|exact"},
    {"!flagged", AT(flagged), NULL, "the failure still applies"},
    {"!why", AT(why)},
    {"!", SPREAD(of, attempt_end)},
    {"!changes_since", AT(changes), NULL, "accepted changes between that attempt and the plan"},
    {"!words_alike", AT(alike), NULL, "0 to 1"},
    {"", SPREAD(of, attempt_claim)},
};
static const struct lore_object lore_repeat_object = LORE_OBJECT("Repeat", repeat);
#undef ROW

struct answer {
    struct lore_repeats r;
    size_t shown;
    int64_t left_out;
    const char *next; /* NULL: at most SHOWN rows are shown */
};
#define ROW struct answer
static const struct lore_object_member answer[] = {
    {"!rows", LIST(r.v, shown, lore_repeat_object)},
    {"!next", AT(next), "text?"},
    {"!kind", NAMED(r.kind, lore_repeat_kind_name), "none|near|exact"},
    {"!flagged", AT(r.flagged)},
    {"!found", AT(r.n)},
    {"!elsewhere", AT(r.elsewhere), NULL, "on another chip or workload"},
    {"!attempts", AT(r.attempts), NULL, "attempts that ended"},
    {"!left_out", AT(left_out), NULL, "attempts that were not read"},
    {"!since_gain", AT(r.since_gain), NULL, "attempts after the last gain"},
    {"!gained", AT(r.gained)},
    {"!technique_tried", AT(r.technique_tried)},
    {"!technique_failed", AT(r.technique_failed)},
    {"!recent", AT(r.recent), NULL, "the last attempts that ended"},
    {"!recent_not_built", AT(r.recent_not_built)},
};
const struct lore_object lore_repeats_object = LORE_OBJECT("Repeats", answer);
#undef ROW

enum lore_status
lore_api_repeats(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_attempts l = {0};
    struct lore_kernel_row k = {0};
    struct lore_idea idea = {0};
    struct answer x = {0};
    enum lore_status status = lore_db_get_kernel(req->db, req->vars[0], req->arena, &k, err);

    if (status == LORE_OK)
        status = read_idea(req, &idea, err);
    if (status == LORE_OK)
        status = lore_attempts_load(req, req->vars[0], MAX_ATTEMPTS, &l, err);
    if (status != LORE_OK)
        return status;
    lore_repeats_find(&idea, l.v, l.n, req->arena, &x.r);
    x.shown = x.r.n < SHOWN ? x.r.n : SHOWN;
    x.left_out = l.n == MAX_ATTEMPTS ? k.n_experiments - MAX_ATTEMPTS : 0;
    return lore_reply_object(resp, &lore_repeats_object, &x, err);
}
