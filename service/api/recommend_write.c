/* GET /api/v1/recommend as JSON: advice, techniques to avoid, untried techniques, and the evidence
 * (docs/api.md). */
#include "service/api/recommend_write.h"

#include <math.h>

#include "service/api/objects.h"

/* ---- the question ---- */

struct question {
    struct lore_question q;
    struct lore_workload_row workload;
};
#define ROW struct lore_chip
static const struct lore_object_member chip[] = {
    {"!name", AT(name)},
    {"!arch", AT(arch)},
    {"!vendor", AT(vendor)},
    {"!isa", AT(isa)},
};
static const struct lore_object lore_asked_chip_object = LORE_OBJECT("AskedChip", chip);
#undef ROW

#define ROW struct question
static const struct lore_object_member question[] = {
    {"operator", AT(q.op)},
    {"family", AT(q.family)},
    {"language", NAMED(q.language, lore_language_name)},
    {"!chip", POINTER(q.chip, lore_asked_chip_object)},
    {"!bottleneck", LABELS(q.labels)},
    {"evidence", NAMED(q.at_least, lore_evidence_name), LORE_EVIDENCE_NAMES, "at least this class"},
    {"min_effective_n", AT(q.min_effective_n)},
    {"!workload", OBJECT(workload, lore_workload_object)},
};
static const struct lore_object lore_question_object = LORE_OBJECT("Question", question);
#undef ROW

/* ---- one piece of advice ---- */

struct cited {
    struct lore_cited c;
    struct lore_title title;
    const char *process, *share;
    uint32_t derived_labels;
};
#define ROW struct cited
static const struct lore_object_member cited[] = {
    {"!experiment", AT(c.experiment), "ulid"},
    {"operator", AT(c.op)},
    {"language", NAMED(c.language, lore_language_name)},
    {"chip", AT(c.chip)},
    {"!effect", NAMED(c.effect, lore_effect_name), LORE_EFFECT_NAMES},
    {"!correctness", NAMED(c.correctness, lore_present_check), LORE_CHECK_NAMES},
    {"!process", AT(process), "clean|broken"},
    {"evidence", NAMED(c.evidence, lore_evidence_name), LORE_EVIDENCE_NAMES},
    {"speedup", AT(c.speedup)},
    {"!labels", LABELS(c.labels), NULL, "bottlenecks before the change"},
    {"derived_labels", LABELS(derived_labels), NULL, "labels inferred from metrics"},
    {"!travel", NAMED(c.travel, lore_travel_name), NULL, "how far the evidence had to travel"},
    {"!weight", AT(c.weight), NULL, "in the estimate, 0 to 1"},
    {"alike", AT(c.alike), NULL, "similarity of its shape to the requested one, 0 to 1"},
    {"years_older", AT(c.years_older), NULL, "than the newest experiment"},
    {"share", AT(share), "inert|absent", "why the gain was not this technique's"},
    {"error_type", AT(title.error_type), NULL, "how it failed"},
    {"title", AT(title.text)},
    {"!sweep", AT(title.sweep), NULL, "experiment is the id of a sweep"},
};
static const struct lore_object lore_cited_object = LORE_OBJECT("Cited", cited);
#undef ROW

#define ROW struct lore_advice_step
static const struct lore_object_member step[] = {
    {"!level", AT(level)},
    {"!weight", AT(weight), NULL, "of its experiments; 0: there are none at this level"},
    {"!won", AT(won)},
    {"!p_win", AT(p), NULL, "after this level"},
};
static const struct lore_object lore_step_object = LORE_OBJECT("Step", step);
#undef ROW

/* A technique as the answer shows it. */
struct shown {
    size_t rank;
    struct lore_advice a;
    struct lore_interval gain; /* a speedup, not its logarithm */
    const char *title, *axis, *layer, *summary;
    uint32_t triggers;
    const struct lore_repeat *repeats; /* NULL: nothing like it failed in the lineage */
    struct cited *cited;
};

static void
write_travel_counts(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_advice *a = &((const struct shown *)row)->a;

    lore_w_key(w, key);
    lore_w_obj(w);
    for (int t = 0; t < LORE_T_COUNT; t++)
        if (a->by_travel[t] > 0)
            lore_w_ki64(w, lore_travel_name(t), (int64_t)a->by_travel[t]);
    lore_w_obj_end(w);
}

#define ROW struct shown
static const struct lore_object_member travel[] = {
    {"!nearest", NAMED(a.nearest, lore_travel_name)},
    {"!counts", WRITTEN(write_travel_counts), "{integer", "experiments by distance"},
};
static const struct lore_object lore_travel_object = LORE_OBJECT("Travel", travel);

static const struct lore_object_member worst[] = {
    {"!speedup", AT(a.worst)},
    {"!experiment", AT(a.worst_in), "ulid"},
};
static const struct lore_object lore_worst_object = LORE_KEYED_OBJECT("Worst", worst, a.worst_in);

static const struct lore_object_member odds[] = {
    {"!technique", AT(a.technique)},
    {"!title", AT(title)},
    {"!p_win", OBJECT(a.p_win, lore_interval_object), NULL, "probability that it wins here"},
    {"!gain", OBJECT(gain, lore_interval_object), NULL, "expected speedup"},
    {"hardly_known", AT(a.hardly_known), NULL, "the interval of p_win is too wide to act on"},
    {"against", LABELS(a.against), NULL, "bottlenecks that it is for; absent: one of them is here"},
};
static const struct lore_object advice_odds = LORE_OBJECT("", odds);

static const struct lore_object_member counts[] = {
    {"!tried", AT(a.tried)},
    {"!won", AT(a.won)},
    {"!neutral", AT(a.neutral)},
    {"!lost", AT(a.lost)},
    {"!inconclusive", AT(a.inconclusive)},
    {"!not_measured", AT(a.not_measured)},
    {"!said_lost", AT(a.said_lost), NULL, "of not_measured: its author wrote that it failed"},
    {"!tried_here", AT(a.tried_here), NULL, "on the requested operator and chip"},
    {"!won_here", AT(a.won_here)},
    {"!lost_here", AT(a.lost_here)},
    {"!effective_n", AT(a.effective_n), NULL, "sum of the weights, in experiments"},
    {"!travel", PART(lore_travel_object)},
    {"!same_operator", AT(a.same_operator), NULL, "some evidence is from the requested operator"},
    {"!same_family", AT(a.same_family)},
    {"!contested", AT(a.contested), NULL, "wins and losses at the nearest distance"},
    {"!process_faults", AT(a.process_faults)},
    {"!incorrect", AT(a.incorrect)},
    {"!inert", AT(a.inert), NULL, "as fast without it"},
    {"!absent", AT(a.absent), NULL, "not in the compiled code"},
    {"!workloads", AT(a.workloads), NULL, "workloads that it was tried on"},
    {"!alike", AT(a.alike), NULL, "experiments on a shape similar to the requested one"},
    {"sampled", AT(a.sampled), NULL, "counts cover only a sample of the experiments"},
    {"!worst", PART(lore_worst_object), NULL, "the smallest speedup of a correct result"},
};
static const struct lore_object advice_counts = LORE_OBJECT("", counts);

static const struct lore_object_member about[] = {
    {"axis", AT(axis)},
    {"layer", AT(layer)},
    {"summary", AT(summary)},
};
static const struct lore_object advice_about = LORE_OBJECT("", about);

static const struct lore_object_member reasons[] = {
    {"why", AT(a.why)},
    {"repeats", POINTER(repeats, lore_repeated_idea_object), NULL,
        "a failed idea in the lineage of the requested version"},
    {"!steps", ARRAY(a.steps, a.n_steps, lore_step_object), NULL,
        "how evidence of each level moved the probability"},
    {"!if_won", AT(a.if_won), NULL, "p_win after one more win here"},
    {"!if_lost", AT(a.if_lost)},
};
static const struct lore_object advice_reasons = LORE_OBJECT("", reasons);

static const struct lore_object_member advice[] = {
    {"rank", AT(rank), NULL, "of advice: among it and `tune`, by odds"},
    {"", MEMBERS_HERE(advice_odds)},
    {"", MEMBERS_HERE(advice_counts)},
    {"", MEMBERS_HERE(advice_about)},
    {"", MEMBERS_HERE(advice_reasons)},
    {"!evidence", LIST(cited, a.n_cited, lore_cited_object), NULL, "most relevant first"},
};
static const struct lore_object lore_advice_object = LORE_OBJECT("Advice", advice);

/* Untried techniques have no counts and no evidence. */
static const struct lore_object_member untried[] = {
    {"", MEMBERS_HERE(advice_odds)},
    {"", MEMBERS_HERE(advice_about)},
    {"!triggers", LABELS(triggers), NULL, "bottlenecks that call for it"},
    {"", MEMBERS_HERE(advice_reasons)},
};
static const struct lore_object lore_untried_object = LORE_OBJECT("Untried", untried);
#undef ROW

/* ---- the whole answer ---- */

#define ROW struct lore_telling
static const struct lore_object_member telling[] = {
    {"!technique", AT(technique)},
    {"!if_won", AT(if_won)},
    {"!if_lost", AT(if_lost)},
    {"!leads", AT(leads), NULL, "it is the first recommendation now"},
    {"!would_lead", AT(would_lead), NULL, "a win would make it the first recommendation"},
    {"!why", AT(why)},
};
static const struct lore_object lore_telling_object =
    LORE_KEYED_OBJECT("Telling", telling, technique);
#undef ROW

static const char *
kind_of(const struct lore_shown_lesson *l)
{
    return l->l.kind ? l->l.kind : "note";
}

static void
write_kind(struct lore_jsonw *w, const char *key, const void *row)
{
    lore_w_kstr(w, key, kind_of(row));
}

#define ROW struct lore_shown_lesson
static const struct lore_object_member lesson[] = {
    {"!id", AT(l.id), "ulid"},
    {"!kind", WRITTEN(write_kind), "text"},
    {"!title", AT(l.title)},
    {"!body", AT(words)},
};
static const struct lore_object lore_shown_lesson_object = LORE_OBJECT("AdvisedInsight", lesson);
#undef ROW

#define ROW struct lore_lessons
static const struct lore_object_member lessons[] = {
    {"!insights", ARRAY(v, n, lore_shown_lesson_object)},
};
static const struct lore_object answer_lessons = LORE_OBJECT("", lessons);
#undef ROW

#define ROW struct lore_answer
static const struct lore_object_member summary[] = {
    {"!summary", AT(summary)},
    {"!empty", AT(empty), NULL, "no stored experiment is relevant to the question"},
    {"stop", AT(stop), NULL, "nothing is worth a try: why, and what to do first"},
};
static const struct lore_object answer_summary = LORE_OBJECT("", summary);

static const struct lore_object_member known[] = {
    {"!considered", AT(considered), NULL, "stored experiments"},
    {"!matched", AT(matched), NULL, "with weight above 0.05"},
    {"!on_operator", AT(on_operator)},
    {"!on_chip", AT(on_chip)},
    {"!base_rate", AT(base_rate), NULL, "share of wins over all measured experiments"},
};
static const struct lore_object answer_known = LORE_OBJECT("", known);

static const struct lore_object_member answer_telling[] = {
    {"!telling", OBJECT(telling, lore_telling_object), NULL,
        "the experiment that would change the answer most"},
};
static const struct lore_object answer_telling_object = LORE_OBJECT("", answer_telling);
#undef ROW

struct answer {
    const char *advice_id;
    struct question question;
    const struct lore_answer *a;
    const struct lore_start_answer *start;
    struct shown *advice, *avoid, *untried;
    struct cited *similar;
    struct lore_transfer *transfer;
    const struct lore_lessons *lessons;
    size_t n_advice, n_avoid, n_untried, n_similar, n_transfer;
};
#define ROW struct answer
static const struct lore_object_member knowledge[] = {
    {"!", SPREAD(a, answer_known)},
    {"!", SPREAD(start, lore_start_level_object)},
};
static const struct lore_object lore_knowledge_object = LORE_OBJECT("Knowledge", knowledge);

static const struct lore_object_member recommendation[] = {
    {"advice_id", AT(advice_id), "ulid", "absent: the answer is not stored"},
    {"!question", OBJECT(question, lore_question_object), NULL, "as understood"},
    {"!", SPREAD(a, answer_summary)},
    {"!knowledge", PART(lore_knowledge_object)},
    {"!", SPREAD(start, lore_start_answer_object)},
    {"!advice", LIST(advice, n_advice, lore_advice_object), NULL, "worth trying, best first"},
    {"!avoid", LIST(avoid, n_avoid, lore_advice_object)},
    {"!untried", LIST(untried, n_untried, lore_untried_object)},
    {"!", SPREAD(a, answer_telling_object)},
    {"!similar", LIST(similar, n_similar, lore_cited_object)},
    {"!transfer", LIST(transfer, n_transfer, lore_transfer_object), NULL,
        "differences between the evidence's chips and the requested one"},
    {"!", SPREAD(lessons, answer_lessons)},
    {"!model", WRITTEN_ONE(lore_present_model, lore_model_object)},
};
const struct lore_object lore_recommendation_object = LORE_OBJECT("Recommendation", recommendation);
#undef ROW

/* Cite the experiments in V; *titles advances by N. */
static struct cited *
cite(struct lore_arena *arena, const struct lore_cited *v, size_t n,
    const struct lore_title **titles)
{
    struct cited *out = lore_alloc_array(arena, n + 1, sizeof *out);

    for (size_t i = 0; i < n; i++)
        out[i] = (struct cited){.c = v[i],
            .title = *(*titles)++,
            .process = v[i].process_broken ? "broken" : "clean",
            .share = v[i].share == LORE_SHARE_OPEN    ? NULL
                     : v[i].share == LORE_SHARE_INERT ? "inert"
                                                      : "absent",
            .derived_labels = v[i].labels_derived ? v[i].labels : 0};
    return out;
}

/* Advice with its experiments; TITLES NULL: without. */
static struct shown *
show(struct lore_arena *arena, const struct lore_advice *v, size_t n,
    const struct lore_repeat *const *repeats, const struct lore_title **titles)
{
    struct shown *out = lore_alloc_array(arena, n + 1, sizeof *out);

    for (size_t i = 0; i < n; i++) {
        const struct lore_technique *t = v[i].known;

        out[i] = (struct shown){.a = v[i],
            .gain = {exp(v[i].gain.value), exp(v[i].gain.low), exp(v[i].gain.high)},
            .title = t != NULL ? t->title : v[i].technique,
            .axis = t != NULL ? t->axis : NULL,
            .layer = t != NULL ? t->layer : NULL,
            .summary = t != NULL ? t->summary : NULL,
            .triggers = t != NULL ? t->triggers : 0,
            .repeats = repeats != NULL ? repeats[i] : NULL};
        if (titles)
            out[i].cited = cite(arena, v[i].cited, v[i].n_cited, titles);
    }
    return out;
}

enum lore_status
lore_recommended_reply(struct lore_req *req, struct lore_resp *resp,
    const struct lore_recommended *x, struct lore_err *err)
{
    const struct lore_answer *a = &x->answer;
    const struct lore_title *titles = x->titles;
    struct answer out = {.advice_id = x->advice_id,
        .question = {x->question, x->workload},
        .a = a,
        .start = &x->start,
        .lessons = &x->lessons,
        .n_advice = a->n_advice,
        .n_avoid = a->n_avoid,
        .n_untried = a->n_untried,
        .n_similar = a->n_similar};

    out.advice = show(req->arena, a->advice, a->n_advice, x->start.repeats, &titles);
    for (size_t i = 0; i < a->n_advice; i++)
        out.advice[i].rank = x->start.ranks[i];
    out.avoid = show(req->arena, a->avoid, a->n_avoid, NULL, &titles);
    out.untried = show(req->arena, a->untried, a->n_untried, NULL, NULL);
    out.similar = cite(req->arena, a->similar, a->n_similar, &titles);
    out.transfer = lore_transfers_rows(x->transfers, &out.n_transfer);
    return lore_reply_object(resp, &lore_recommendation_object, &out, err);
}
