/* GET /api/v1/recommend in short: per technique its odds, why, how, and the experiment to look at.
 * `explain=true` answers with everything (recommend_write.c). */
#include <math.h>

#include "db/query.h"
#include "service/api/api_feedback.h"
#include "service/api/objects.h"
#include "service/api/recommend_write.h"
#include "service/api/tune.h"
#include "service/base/text.h"

enum { SHORT_BYTES = 8192 - 64 /* for the id */, STARTS = 2, LESSONS = 3 };

/* ---- for the brief, too ---- */

const char *
lore_recommend_recipe(struct lore_req *req, const struct lore_question *q, const char *name)
{
    const struct lore_technique *t = lore_technique_find(name);
    const struct lore_technique_place at = lore_question_place(q);
    const char *changes = lore_technique_changes(name, &at);
    const char *asks = lore_technique_asks(name, &at, req->arena);

    if (!t)
        return NULL;
    return lore_format(req->arena, "%s%s%s%s%s%s%s", t->summary,
        changes ? " Changes the result: " : "", changes ? changes : "", changes ? "." : "",
        asks ? " Needs " : "", asks ? asks : "", asks ? ": not known here." : "");
}

static bool
is_gain(const struct lore_cited *c)
{
    return c->effect == LORE_X_WIN && c->share == LORE_SHARE_OPEN &&
           c->correctness != LORE_C_FAIL && c->correctness != LORE_C_TIMEOUT;
}

/* 2: the same operator, 1: of its family. */
static int
nearness(const char *op, const char *other)
{
    const struct lore_operator *a = op ? lore_operator_find(op) : NULL;
    const struct lore_operator *b = a ? lore_operator_find(other) : NULL;

    return lore_streq(op, other) ? 2 : a && b && lore_streq(a->family, b->family);
}

enum lore_status
lore_recommend_witness(struct lore_req *req, const char *op, const struct lore_advice *a,
    struct lore_witness *out, struct lore_err *err)
{
    const char *version = NULL;
    enum lore_status status = LORE_OK;

    *out = (struct lore_witness){0};
    for (size_t i = 0; i < a->n_cited; i++)
        if (is_gain(&a->cited[i]) &&
            (!out->of || nearness(op, a->cited[i].op) > nearness(op, out->of->op)))
            out->of = &a->cited[i];
    if (out->of)
        status = lore_experiment_made(req->db, out->of->experiment, req->arena, &version, err);
    if (status == LORE_OK && version)
        status = lore_db_get_version_head(req->db, version, req->arena, &out->version, err);
    return status;
}

/* ---- the tables ---- */

#define ROW struct lore_recommended
static const struct lore_object_member question[] = {
    {"operator", AT(question.op)},
    {"language", NAMED(question.language, lore_language_name)},
    {"bottleneck", LABELS(question.labels)},
    {"workload", AT(workload.id)},
    {"workload_label", AT(workload.label)},
};
static const struct lore_object asked = LORE_OBJECT("", question);
#undef ROW

#define ROW struct lore_chip
static const struct lore_object_member chip[] = {{"chip", AT(name)}};
static const struct lore_object named_chip = LORE_OBJECT("", chip);
#undef ROW

struct question {
    const struct lore_recommended *of;
    const struct lore_chip *chip;
};
#define ROW struct question
static const struct lore_object_member short_question[] = {
    {"", SPREAD(of, asked)},
    {"", SPREAD(chip, named_chip)},
};
static const struct lore_object lore_short_question_object =
    LORE_OBJECT("ShortQuestion", short_question);
#undef ROW

#define ROW struct lore_version_row
static const struct lore_object_member made[] = {
    {"version", AT(v.id), "ulid"},
    {"label", AT(v.label)},
    {"kernel_name", AT(kernel_name)},
};
static const struct lore_object made_version = LORE_OBJECT("", made);
#undef ROW

#define ROW struct lore_cited
static const struct lore_object_member cited[] = {
    {"!experiment", AT(experiment), "ulid"},
    {"operator", AT(op)},
    {"chip", AT(chip)},
    {"speedup", AT(speedup)},
};
static const struct lore_object cited_shortly = LORE_OBJECT("", cited);
#undef ROW

#define ROW struct lore_witness
static const struct lore_object_member witness[] = {
    {"!", SPREAD(of, cited_shortly)},
    {"", MEMBERS(version, made_version)},
};
static const struct lore_object lore_witness_object = LORE_KEYED_OBJECT("Witness", witness, of);
#undef ROW

#define ROW struct lore_interval
static const struct lore_object_member chance[] = {
    {"!value", AT(value)},
    {"low", AT(low), NULL, "absent: the interval is wider than 60 points, so this is hardly known"},
    {"high", AT(high)},
};
const struct lore_object lore_chance_object = LORE_OBJECT("Chance", chance);
#undef ROW

struct row {
    size_t rank;
    struct lore_advice a;
    struct lore_interval gain;           /* a speedup, not its logarithm */
    const char *title, *recipe, *failed; /* failed: an experiment that lost */
    const struct lore_repeat *repeats;
    struct lore_witness witness;
};
#define ROW struct row
static const struct lore_object_member advised[] = {
    {"!rank", AT(rank)},
    {"!technique", AT(a.technique)},
    {"!title", AT(title)},
    {"!p_win", OBJECT(a.p_win, lore_chance_object), NULL, "probability that it wins here"},
    {"!gain", OBJECT(gain, lore_interval_object), NULL, "expected speedup"},
    {"why", AT(a.why)},
    {"recipe", AT(recipe), NULL, "what it does, and what it needs that is not known here"},
    {"witness", OBJECT(witness, lore_witness_object), NULL, "the gain that bears most on this"},
    {"repeats", POINTER(repeats, lore_repeated_idea_object), NULL,
        "a failed idea in the lineage of the version that this is about"},
};
static const struct lore_object lore_short_advice_object = LORE_OBJECT("ShortAdvice", advised);

static const struct lore_object_member avoided[] = {
    {"!technique", AT(a.technique)},
    {"!title", AT(title)},
    {"why", AT(a.why)},
    {"experiment", AT(failed), "ulid"},
};
static const struct lore_object lore_short_avoid_object = LORE_OBJECT("ShortAvoid", avoided);

static const struct lore_object_member untried[] = {
    {"!technique", AT(a.technique)},
    {"!title", AT(title)},
    {"recipe", AT(recipe)},
};
static const struct lore_object lore_short_untried_object = LORE_OBJECT("ShortUntried", untried);
#undef ROW

#define ROW struct lore_shown_lesson
static const struct lore_object_member lesson[] = {
    {"!id", AT(l.id), "ulid"},
    {"kind", AT(l.kind)},
    {"!title", AT(l.title)},
};
static const struct lore_object lore_short_lesson_object = LORE_OBJECT("ShortInsight", lesson);
#undef ROW

#define ROW struct lore_answer
static const struct lore_object_member summary[] = {
    {"!summary", AT(summary)},
    {"!empty", AT(empty), NULL, "no stored experiment is relevant to the question"},
    {"stop", AT(stop), NULL, "nothing is worth a try: why, and what to do first"},
};
static const struct lore_object answer_summary = LORE_OBJECT("", summary);

static const struct lore_object_member telling[] = {
    {"useful_test", AT(telling.why), NULL, "the experiment that would change the answer most"}};
static const struct lore_object answer_telling = LORE_OBJECT("", telling);
#undef ROW

struct answer {
    const struct lore_recommended *of;
    const char *advice_id;
    struct question question;
    const struct lore_answer *a;
    const struct lore_start_answer *start;
    struct row *advice, *avoid, *untried;
    const struct lore_shown_lesson *lessons;
    size_t n_lessons, n_advice, n_avoid, n_untried;
};
#define ROW struct answer
static const struct lore_object_member level[] = {{"!", SPREAD(start, lore_start_level_object)}};
static const struct lore_object lore_short_knowledge_object = LORE_OBJECT("ShortKnowledge", level);

static const struct lore_object_member recommendation[] = {
    {"advice_id", AT(advice_id), "ulid", "absent: the answer is not stored"},
    {"!question", OBJECT(question, lore_short_question_object), NULL, "as understood"},
    {"!", SPREAD(a, answer_summary)},
    {"!knowledge", PART(lore_short_knowledge_object)},
    {"", SPREAD(start, lore_start_short_object)},
    {"!advice", LIST(advice, n_advice, lore_short_advice_object), NULL, "worth trying, best first"},
    {"!avoid", LIST(avoid, n_avoid, lore_short_avoid_object)},
    {"!untried", LIST(untried, n_untried, lore_short_untried_object)},
    {"", SPREAD(a, answer_telling)},
    {"!insights", LIST(lessons, n_lessons, lore_short_lesson_object)},
};
const struct lore_object lore_short_recommendation_object =
    LORE_OBJECT("ShortRecommendation", recommendation);
#undef ROW

/* ---- the answer ---- */

/* Three digits after the point say all that is known. */
static struct lore_interval
rounded(struct lore_interval i)
{
    return (struct lore_interval){
        round(i.value * 1e3) / 1e3, round(i.low * 1e3) / 1e3, round(i.high * 1e3) / 1e3};
}

static struct row *
show(struct lore_req *req, const struct lore_question *q, const struct lore_advice *v, size_t n,
    const struct lore_repeat *const *repeats)
{
    struct row *out = lore_alloc_array(req->arena, n + 1, sizeof *out);

    for (size_t i = 0; i < n; i++) {
        const struct lore_interval g = v[i].gain;

        out[i] = (struct row){.a = v[i],
            .gain = rounded((struct lore_interval){exp(g.value), exp(g.low), exp(g.high)}),
            .title = v[i].known ? v[i].known->title : v[i].technique,
            .recipe = lore_recommend_recipe(req, q, v[i].technique),
            .failed = v[i].n_cited > 0 ? v[i].cited[0].experiment : NULL,
            .repeats = repeats ? repeats[i] : NULL};
        out[i].a.p_win = rounded(v[i].p_win);
        if (v[i].hardly_known)
            out[i].a.p_win.low = out[i].a.p_win.high = 0;
        else /* 0 would be left out */
            out[i].a.p_win.low = fmax(out[i].a.p_win.low, 1e-3);
    }
    return out;
}

static void
cut(size_t *n, size_t most)
{
    if (*n > most)
        *n = most;
}

/* Leave at most MOST rows in the main lists of X, and OTHERS in the rest. */
static void
cut_lists(struct lore_recommended *x, size_t most, size_t others)
{
    cut(&x->answer.n_advice, most);
    cut(&x->start.n_next, most);
    cut(&x->start.n_tune, most);
    cut(&x->answer.n_avoid, others);
    cut(&x->answer.n_untried, others);
    cut(&x->start.n_moves, most);
    cut(&x->start.n_start, others < STARTS ? others : STARTS);
    cut(&x->lessons.n, others < LESSONS ? others : LESSONS);
}

static enum lore_status
write(struct lore_resp *resp, struct lore_recommended *x, struct answer *out, struct lore_err *err)
{
    out->n_advice = x->answer.n_advice;
    out->n_avoid = x->answer.n_avoid;
    out->n_untried = x->answer.n_untried;
    out->n_lessons = x->lessons.n;
    lore_tune_rank(&x->answer, &x->start);
    for (size_t i = 0; i < out->n_advice; i++)
        out->advice[i].rank = x->start.ranks[i];
    out->advice_id = x->advice_id;
    lore_buf_reset(&resp->body);
    return lore_reply_object(resp, &lore_short_recommendation_object, out, err);
}

enum lore_status
lore_recommended_short(
    struct lore_req *req, struct lore_resp *resp, struct lore_recommended *x, struct lore_err *err)
{
    const struct lore_answer *a = &x->answer;
    struct answer out = {.of = x,
        .question = {x, x->question.chip},
        .a = a,
        .start = &x->start,
        .advice = show(req, &x->question, a->advice, a->n_advice, x->start.repeats),
        .avoid = show(req, &x->question, a->avoid, a->n_avoid, NULL),
        .untried = show(req, &x->question, a->untried, a->n_untried, NULL),
        .lessons = x->lessons.v};
    bool fixed = lore_arg_text(req, "limit", NULL);
    enum lore_status status = LORE_OK;

    for (size_t i = 0; status == LORE_OK && i < a->n_advice; i++)
        status =
            lore_recommend_witness(req, x->question.op, &a->advice[i], &out.advice[i].witness, err);
    for (size_t most = x->question.limit; status == LORE_OK && most > 0; most--) {
        cut_lists(x, most, fixed ? most : (most + 1) / 2);
        status = write(resp, x, &out, err);
        if (fixed || resp->body.len <= SHORT_BYTES)
            break;
    }
    if (status != LORE_OK)
        return status;
    x->advice_id = lore_feedback_store(req, &x->question, &x->answer, &x->start);
    return x->advice_id ? write(resp, x, &out, err) : LORE_OK;
}
