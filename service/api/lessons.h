/* Which lessons an answer shows. */
#ifndef LORE_API_LESSONS_H
#define LORE_API_LESSONS_H

#include "db/lesson.h"
#include "service/recommend/recommend.h"

enum { LORE_LESSONS_SHOWN = 8 };
struct lore_lessons {
    struct lore_told_lesson {
        struct lore_lesson l;
        const char *words;   /* what it says */
    } v[LORE_LESSONS_SHOWN]; /* best first */
    size_t n;
};
/* How much lesson L tells somebody who asks Q, whatever it says; 0 or less: not to be shown,
 * because it is of another operator or another maker's chips, or is a heading with nothing to learn
 * below. */
double lore_lesson_bears(const struct lore_lesson *l, const struct lore_question *q);
/* The lessons that bear most on Q, or on what A advises or advises against. */
enum lore_status
lore_lessons_find(struct lore_db *db, const struct lore_question *q, const struct lore_answer *a,
    struct lore_arena *arena, struct lore_lessons *out, struct lore_err *err) LORE_MUST;
#endif
