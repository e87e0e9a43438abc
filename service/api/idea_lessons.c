/* The insights beside the answer to a plan (idea_lessons.h). */
#include "service/api/idea_lessons.h"

#include "db/query.h"
#include "service/api/lessons.h"
#include "service/api/objects.h"
#include "service/base/text.h"
#include "service/catalogue/words.h"

#define ROW struct lore_idea_lesson
static const struct lore_object_member members[] = {
    {"!insight", AT(id), "ulid"},
    {"!kind", AT(kind)},
    {"!title", AT(title)},
    {"technique", AT(technique), NULL, "the technique of the plan that it is about"},
    {"!state", AT(state), "draft|reviewed", "a draft until somebody reviews it"},
};
const struct lore_object lore_idea_lesson_object = LORE_OBJECT("IdeaLesson", members);
#undef ROW

static const char *
use_of(const struct lore_idea *idea, const char *technique)
{
    for (size_t i = 0; technique && i < idea->n_uses; i++)
        if (lore_streq(idea->uses[i].technique, technique))
            return technique;
    return NULL;
}

/* The technique of IDEA that L is about: its own, else one that its title names. */
static const char *
shared_technique(
    const struct lore_idea *idea, const struct lore_lesson *l, struct lore_arena *arena)
{
    const char *found = use_of(idea, l->technique);
    struct lore_words w = {0};

    if (found)
        return found;
    lore_words_resolve(l->title, arena, &w);
    for (size_t i = 0; i < w.n && !found; i++)
        found = use_of(idea, w.v[i].slug);
    return found;
}

/* The lessons that share a technique with IDEA, best first. */
static enum lore_status
find_ranked(struct lore_req *req, const struct lore_idea *idea, const char *op,
    struct lore_ranked_lesson **out, size_t *n, struct lore_err *err)
{
    const struct lore_operator *known = op ? lore_operator_find(op) : NULL;
    const struct lore_question q = {.op = op,
        .family = known ? known->family : NULL,
        .chip = idea->chip ? lore_chip_find(idea->chip) : NULL};
    const char **uses = lore_alloc_array(req->arena, idea->n_uses + 1, sizeof *uses);
    struct lore_lesson *rows = NULL;
    size_t n_rows = 0;

    for (size_t i = 0; i < idea->n_uses; i++)
        uses[i] = idea->uses[i].technique;
    enum lore_status status =
        lore_db_list_lessons(req->db, &(struct lore_lesson_scope){op, q.family, uses, idea->n_uses},
            req->arena, &rows, &n_rows, err);
    struct lore_ranked_lesson *v = lore_alloc_array(req->arena, n_rows + 1, sizeof *v);
    for (size_t i = 0; status == LORE_OK && i < n_rows; i++) {
        LORE_SCRATCH scratch = {0};
        double relevance = lore_lesson_relevance(&rows[i], &q);
        const char *technique = relevance > 0 ? shared_technique(idea, &rows[i], &scratch) : NULL;
        if (technique)
            v[(*n)++] = (struct lore_ranked_lesson){
                relevance, &rows[i], lore_strdup(req->arena, technique)};
    }
    lore_lessons_sort(v, *n);
    *out = v;
    return status;
}

enum lore_status
lore_idea_lessons_find(struct lore_req *req, const struct lore_idea *idea, const char *op,
    struct lore_idea_lessons *out, struct lore_err *err)
{
    struct lore_ranked_lesson *v = NULL;
    size_t n = 0;
    enum lore_status status = idea->n_uses > 0 ? find_ranked(req, idea, op, &v, &n, err) : LORE_OK;

    for (size_t i = 0; status == LORE_OK && i < n && out->n < LORE_IDEA_LESSONS; i++) {
        struct lore_standing s = {0};
        status = lore_db_get_standing(req->db, v[i].l->id, req->arena, &s, err);
        if (status != LORE_OK || lore_streq(s.review, "rejected"))
            continue;
        out->v[out->n++] = (struct lore_idea_lesson){
            v[i].l->id, v[i].l->kind, v[i].l->title, v[i].technique, s.review ? s.review : "draft"};
    }
    return status;
}
