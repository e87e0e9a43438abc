/* Insights that bear on a plan: about one of its techniques, on its operator or family or on any,
 * and not about another vendor's chips. */
#ifndef LORE_API_IDEA_LESSONS_H
#define LORE_API_IDEA_LESSONS_H

#include "service/api/object.h"
#include "service/base/arena.h"
#include "service/derive/repeats.h"
#include "service/http/http.h"

enum { LORE_IDEA_LESSONS = 5 };
struct lore_idea_lesson {
    const char *id, *kind, *title, *technique;
    const char *state; /* draft | reviewed */
};
struct lore_idea_lessons {
    struct lore_idea_lesson v[LORE_IDEA_LESSONS]; /* best first; rejected ones are left out */
    size_t n;
};
extern const struct lore_object lore_idea_lesson_object;
/* OP: the operator of the plan; chip: of IDEA. */
enum lore_status lore_idea_lessons_find(struct lore_req *req, const struct lore_idea *idea,
    const char *op, struct lore_idea_lessons *out, struct lore_err *err) LORE_MUST;

#endif
