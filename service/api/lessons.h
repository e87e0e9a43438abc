/* Choice of the lessons in an answer. */
#ifndef LORE_API_LESSONS_H
#define LORE_API_LESSONS_H

#include "db/lesson.h"
#include "service/recommend/recommend.h"

enum { LORE_LESSONS_SHOWN = 8 };
struct lore_lessons {
    struct lore_shown_lesson {
        struct lore_lesson l;
        const char *words;   /* its text */
    } v[LORE_LESSONS_SHOWN]; /* best first */
    size_t n;
};
/* Relevance of lesson L to question Q. 0 or less: do not show it, because it is about another
 * operator or another vendor's chips, or is only a section heading. */
double lore_lesson_relevance(const struct lore_lesson *l, const struct lore_question *q);
struct lore_ranked_lesson {
    double relevance;
    const struct lore_lesson *l; /* of one array */
    const char *technique;       /* the caller's */
};
/* Best first; of equals the one that came first. */
void lore_lessons_sort(struct lore_ranked_lesson *v, size_t n);
/* The lessons most relevant to Q, or to techniques that A recommends or warns of. */
enum lore_status
lore_lessons_find(struct lore_db *db, const struct lore_question *q, const struct lore_answer *a,
    struct lore_arena *arena, struct lore_lessons *out, struct lore_err *err) LORE_MUST;
#endif
