/* GET /api/v1/check-idea: has a plan failed here before, is it known from elsewhere, or is it new?
 * A warning, never a veto. Hidden experiments are left out. */
#include <ctype.h>
#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/attempts.h"
#include "service/api/chip_meant.h"
#include "service/api/idea_lessons.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/catalogue/words.h"
#include "service/derive/repeats.h"
#include "service/http/http.h"

enum { MAX_USES = 16, SHOWN = 20 };

/* --- the question --- */

/* Borrowed text; NULL: not known. Text or techniques are needed, and a kernel, an operator or a
 * version. */
struct lore_plan {
    const char *text;         /* in words */
    const char *techniques;   /* "name{param=value},name" */
    const char *params;       /* "tile=64,stages=3" of the first technique or the text */
    const char *kernel;       /* id */
    const char *op, *chip;    /* canonical names */
    const char *workload;     /* id */
    const char *dims, *dtype; /* in place of the id: "M=4096,N=4096" */
    const char *from_version; /* id */
};

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

/* Parameters that the plan states count before those that its words name. */
static void
state_params(struct lore_arena *arena, const char *text, struct lore_idea_use *u)
{
    struct lore_idea_use stated = {0};

    read_params(arena, text, strlen(text), &stated);
    struct lore_idea_param *p =
        lore_alloc_array(arena, stated.n_params + u->n_params + 1, sizeof *p);
    size_t n = 0;
    for (; n < stated.n_params; n++) {
        p[n] = stated.params[n];
        p[n].name = lore_words_parameter(p[n].name, arena);
    }
    for (size_t i = 0; i < u->n_params; i++) {
        bool known = false;
        for (size_t k = 0; k < stated.n_params; k++)
            known |= lore_streq(p[k].name, lore_words_parameter(u->params[i].name, arena));
        if (!known)
            p[n++] = u->params[i];
    }
    u->params = p;
    u->n_params = n;
}

/* `name{a=1,b=2},other`. */
static enum lore_status
read_uses(struct lore_arena *arena, const char *s, struct lore_idea *idea, struct lore_err *err)
{
    struct lore_idea_use *u = lore_alloc_array(arena, MAX_USES, sizeof *u);

    while (s && *s != '\0') {
        size_t name = strcspn(s, ",{"), end = name;
        if (idea->n_uses == MAX_USES)
            return lore_fail_at(err, LORE_INVALID, "too_long", "technique",
                "technique: at most %d at once", MAX_USES);
        if (s[name] == '{') {
            end = name + strcspn(s + name, "}");
            if (s[end] != '}')
                return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "technique",
                    "technique: { without }; expected name{param=value}");
            read_params(arena, s + name + 1, end - name - 1, &u[idea->n_uses]);
            end++;
        }
        if (name > 0)
            u[idea->n_uses++].technique = lore_technique_slug(arena, lore_strndup(arena, s, name));
        s += end + strcspn(s + end, ",");
        s += *s == ',';
    }
    idea->uses = u;
    return LORE_OK;
}

/* Whether W has the dims of the plan, and its data type if that is given. */
static bool
is_asked_workload(
    struct lore_req *req, const struct lore_plan *plan, const struct lore_kvs *dims, const char *id)
{
    struct lore_workload_row row = {0};
    struct lore_workload w = {0};
    struct lore_err ignored;

    if (lore_db_get_workload(req->db, id, req->arena, &row, &ignored) != LORE_OK ||
        lore_workload_fill(&row, req->arena, &w, &ignored) != LORE_OK || w.dims.n != dims->n ||
        (plan->dtype && w.dtype && !lore_streqi(plan->dtype, w.dtype)))
        return false;
    for (size_t i = 0; i < dims->n; i++)
        if (!lore_streq(dims->v[i].value, lore_kvs_get(&w.dims, dims->v[i].key)))
            return false;
    return true;
}

/* A plan with dims names its workload by an attempt that has them. */
static enum lore_status
find_workload(struct lore_req *req, const struct lore_plan *plan, struct lore_attempts *l,
    struct lore_idea *idea, struct lore_err *err)
{
    struct lore_kvs dims = {0};
    const char *last = NULL;
    bool asked = false;

    if (!plan->dims)
        return LORE_OK;
    enum lore_status status = lore_dims_parse(plan->dims, req->arena, &dims, err);
    if (status != LORE_OK && err->path[0] == '\0')
        memcpy(err->path, "dims", sizeof "dims");
    idea->workload = plan->dims;
    struct lore_repeats_attempt *v = lore_memdup(req->arena, l->v, l->n * sizeof *v);
    l->v = v;
    for (size_t i = 0; status == LORE_OK && i < l->n; i++) {
        const char *id = l->v[i].idea.workload;
        if (id && !lore_streq(id, last)) {
            last = id;
            asked = is_asked_workload(req, plan, &dims, id);
        }
        if (id && asked)
            v[i].idea.workload = idea->workload;
    }
    return status;
}

/* Find the techniques in the words of PLAN. With parameters, words that name none stand for one, as
 * they do in an attempt. */
static void
resolve(struct lore_arena *arena, const struct lore_plan *plan, struct lore_idea *idea)
{
    struct lore_words w = {0};
    bool negated = false;

    lore_words_resolve(plan->text, arena, &w);
    struct lore_idea_use *u = lore_alloc_array(arena, w.n + 1, sizeof *u);
    for (size_t i = 0; i < w.n; i++) {
        const struct lore_word_hit *h = &w.v[i];
        struct lore_idea_param *p = lore_alloc_array(arena, h->n_params + 1, sizeof *p);
        negated |= h->negated;
        if (h->negated)
            continue;
        for (size_t k = 0; k < h->n_params; k++)
            p[k] = (struct lore_idea_param){h->params[k].name, h->params[k].from, h->params[k].to};
        u[idea->n_uses++] = (struct lore_idea_use){h->slug, p, h->n_params};
    }
    idea->just_techniques = idea->n_uses > 0 && !negated && !*w.rest;
    if (idea->n_uses == 0 && plan->params)
        u[idea->n_uses++].technique = lore_technique_slug(arena, plan->text);
    idea->uses = u;
}

static enum lore_status
read_idea(struct lore_req *req, const struct lore_plan *plan, struct lore_idea *idea,
    struct lore_err *err)
{
    enum lore_status status = read_uses(req->arena, plan->techniques, idea, err);

    if (status != LORE_OK)
        return status;
    idea->text = plan->text && *plan->text ? plan->text : NULL;
    idea->chip = plan->chip;
    idea->workload = plan->workload;
    idea->from_version = plan->from_version;
    if (idea->n_uses == 0 && !idea->text)
        return lore_fail_at(err, LORE_INVALID, "missing_parameter", "text",
            "text: required, or technique: describe the plan");
    if (idea->n_uses == 0)
        resolve(req->arena, plan, idea);
    if (plan->params && idea->n_uses > 0)
        state_params(req->arena, plan->params, (struct lore_idea_use *)&idea->uses[0]);
    return lore_attempts_fill_parameters(req, idea, err);
}

/* The kernel of the plan, or of the version that it starts from, with its operator. */
static enum lore_status
find_kernel(struct lore_req *req, const struct lore_plan *plan, struct lore_attempts_scope *scope,
    struct lore_err *err)
{
    struct lore_kernel_row k = {0};
    struct lore_version_row v = {0};
    enum lore_status status = LORE_OK;

    if (!plan->kernel && plan->from_version) {
        status = lore_db_get_version_head(req->db, plan->from_version, req->arena, &v, err);
        scope->kernel = v.v.kernel;
        if (status == LORE_NOTFOUND && plan->op)
            status = LORE_OK; /* the version is not stored yet */
    }
    if (status == LORE_OK && !scope->kernel && !scope->op)
        return lore_fail_at(
            err, LORE_INVALID, "missing_parameter", "kernel", "kernel: required, or operator");
    if (status == LORE_OK && scope->kernel) {
        status = lore_db_get_kernel(req->db, scope->kernel, req->arena, &k, err);
        scope->op = k.k.op;
    }
    return status;
}

/* Compare PLAN with every attempt on its kernel, and the newest on other kernels of the operator.
 * Without a kernel, all attempts on the operator count as made here. Sets IDEA and SCOPE too: what
 * the plan means and where. LORE_NOTFOUND: no such kernel. */
static enum lore_status
check_plan(struct lore_req *req, const struct lore_plan *plan, struct lore_idea *idea,
    struct lore_attempts_scope *scope, struct lore_repeats *out, struct lore_err *err)
{
    struct lore_attempts l = {0};
    enum lore_status status = read_idea(req, plan, idea, err);

    *scope = (struct lore_attempts_scope){.kernel = plan->kernel, .op = plan->op};
    if (status == LORE_OK)
        status = find_kernel(req, plan, scope, err);
    idea->no_kernel = !scope->kernel;
    if (status == LORE_OK)
        status = lore_attempts_load(req, scope, &l, err);
    if (status == LORE_OK)
        status = find_workload(req, plan, &l, idea, err);
    if (status != LORE_OK)
        return status;
    lore_repeats_find(idea, lore_repeats_read(l.v, l.n, req->arena), req->arena, out);
    if (!scope->kernel) { /* of several kernels, whose attempts have no common order */
        out->unordered = true;
        out->since_gain = 0;
    }
    return LORE_OK;
}

/* --- the answer --- */

#define ROW struct lore_repeats_attempt
static const struct lore_object_member attempt[] = {{"!experiment", AT(id), "ulid"}};
static const struct lore_object_member ended[] = {
    {"!end", NAMED(end, lore_attempt_end_name),
        "gain|open|no_gain|loss|wrong|timed_out|not_run|not_built"},
    {"speedup", AT(speedup)},
};
static const struct lore_object_member described[] = {
    {"words", AT(idea.text), NULL, "its claim, else its title"},
    {"kernel", AT(kernel), NULL, "its name"},
    {"chip", AT(idea.chip)},
    {"version", AT(to_version), "ulid", "the version that it made"},
    {"author", AT(author)},
    {"day", AT(day)},
};
static const struct lore_object attempt_id = LORE_OBJECT("", attempt);
static const struct lore_object attempt_end = LORE_OBJECT("", ended);
static const struct lore_object attempt_words = LORE_OBJECT("", described);
#undef ROW

#define ROW struct lore_repeat
static const struct lore_object_member repeat[] = {
    {"!", SPREAD(of, attempt_id)},
    {"!kind", NAMED(kind, lore_repeat_kind_name), "near|exact"},
    {"!where", NAMED(where, lore_repeat_where_name), "here|other_workload|other_chip|other_kernel"},
    {"!flagged", AT(flagged), NULL, "it failed here, and the failure still applies"},
    {"!why", AT(why)},
    {"!", SPREAD(of, attempt_end)},
    {"!changes_since", AT(changes), NULL,
        "changes between what that attempt and the plan start from"},
    {"!words_alike", AT(alike), NULL, "0 to 1"},
    {"", SPREAD(of, attempt_words)},
    {"label", AT(label), NULL, "of that version"},
};
static const struct lore_object lore_repeat_object = LORE_OBJECT("Repeat", repeat);
#undef ROW

#define ROW struct lore_repeats_attempt
static const struct lore_object_member win[] = {
    {"best_experiment", AT(id), "ulid", "the largest win that introduced it"}};
static const struct lore_object largest_win = LORE_OBJECT("", win);
#undef ROW

#define ROW struct lore_repeats_tally
static const struct lore_object_member tally[] = {
    {"!technique", AT(technique)},
    {"!tried", AT(tried), NULL, "attempts here, on the chip of the plan, that introduced it"},
    {"!won", AT(won)},
    {"!no_gain", AT(no_gain), NULL, "gained little or nothing"},
    {"!failed", AT(failed)},
    {"!values", AT(values), NULL, "attempts at another value of what their base version has"},
    {"!values_won", AT(values_won)},
    {"!other_chips", AT(other_chips), NULL, "attempts here on other chips that introduced it"},
    {"!other_chips_won", AT(other_chips_won)},
    {"", SPREAD(best, largest_win)},
    {"!text", AT(text), NULL, "all of it in words; empty: nobody tried it"},
};
static const struct lore_object lore_tally_object = LORE_OBJECT("TechniqueTally", tally);
#undef ROW

struct answer {
    struct lore_repeats r;
    struct lore_idea_lessons lessons;
    size_t shown;
    const char *next; /* NULL: at most SHOWN rows are shown */
};
#define ROW struct answer
static const struct lore_object_member answer[] = {
    {"!answer", NAMED(r.answer, lore_repeats_answer_name), "new|stop|won_here|known"},
    {"!why", AT(r.why), NULL, "one sentence"},
    {"!rows", LIST(r.v, shown, lore_repeat_object)},
    {"!next", AT(next), "text?"},
    {"!found", AT(r.n), NULL, "similar attempts"},
    {"!won_elsewhere", AT(r.won_elsewhere), NULL, "on another kernel, chip or workload"},
    {"!no_gain_elsewhere", AT(r.no_gain_elsewhere), NULL, "no faster and no slower"},
    {"!failed_elsewhere", AT(r.failed_elsewhere)},
    {"!attempts", AT(r.attempts), NULL, "attempts here that ended"},
    {"!since_gain", AT(r.since_gain), NULL, "attempts after the last gain; 0 if unordered"},
    {"!gained", AT(r.gained)},
    {"unordered", AT(r.unordered), NULL,
        "true: of several kernels or logs, so the last gain is not known"},
    {"!technique_tried", AT(r.technique_tried), NULL,
        "attempts here, on the chip of the plan, that introduced a technique of it"},
    {"!technique_failed", AT(r.technique_failed)},
    {"!techniques", LIST(r.tallies, r.n_tallies, lore_tally_object), NULL,
        "what became of each technique of the plan"},
    {"!insights", ARRAY(lessons.v, lessons.n, lore_idea_lesson_object), NULL,
        "about a technique of the plan"},
    {"!recent", AT(r.recent), NULL, "the last attempts that ended"},
    {"!recent_not_built", AT(r.recent_not_built)},
};
const struct lore_object lore_checked_idea_object = LORE_OBJECT("CheckedIdea", answer);
#undef ROW

/* The labels of the versions that the first N attempts made: people know an attempt by it. */
static enum lore_status
read_labels(struct lore_req *req, struct lore_repeat *v, size_t n, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; status == LORE_OK && i < n; i++) {
        struct lore_version_row row = {0};
        if (!v[i].of->to_version)
            continue;
        status = lore_db_get_version_head(req->db, v[i].of->to_version, req->arena, &row, err);
        v[i].label = row.v.label;
    }
    return status;
}

enum lore_status
lore_api_check_idea(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const struct lore_chip *chip = NULL;
    struct lore_attempts_scope scope;
    struct lore_idea idea = {0};
    struct answer x = {0};
    const char *note = NULL;
    enum lore_status status = lore_params_chip(req, &chip, err);

    if (status != LORE_OK)
        return status;
    chip = lore_chip_meant(req, lore_params_operator(req), chip, &note);
    struct lore_plan plan = {.text = lore_arg_text(req, "text", NULL),
        .techniques = lore_arg_text(req, "technique", NULL),
        .params = lore_arg_text(req, "params", NULL),
        .kernel = lore_arg_text(req, "kernel", NULL),
        .op = lore_params_operator(req),
        .chip = chip ? chip->name : NULL,
        .workload = lore_arg_text(req, "workload", NULL),
        .dims = lore_arg_text(req, "dims", NULL),
        .from_version = lore_arg_text(req, "from", NULL)};
    status = lore_params_dtype(req, &plan.dtype, err);
    if (status == LORE_OK)
        status = check_plan(req, &plan, &idea, &scope, &x.r, err);
    if (status == LORE_OK)
        status = lore_idea_lessons_find(req, &idea, scope.op, &x.lessons, err);
    if (status != LORE_OK)
        return status;
    if (note)
        x.r.why = lore_format(
            req->arena, "%s %c%s", note, toupper((unsigned char)x.r.why[0]), x.r.why + 1);
    x.shown = x.r.n < SHOWN ? x.r.n : SHOWN;
    status = read_labels(req, x.r.v, x.shown, err);
    if (status != LORE_OK)
        return status;
    return lore_reply_object(resp, &lore_checked_idea_object, &x, err);
}
