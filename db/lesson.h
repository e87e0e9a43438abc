/* The lessons that may apply to a question: scope and title, without the text. */
#ifndef LORE_DB_LESSON_H
#define LORE_DB_LESSON_H

#include "db/rows.h"

struct lore_db;
/* List the insights on OF, at most LORE_LESSONS_MAX (lesson_cache.h): by operator (that of OF
 * first), then by technique (listed, another, none), then newest first. Retracted ones are left
 * out. Unknown members are NULL. In the arena. */
enum lore_status lore_db_list_lessons(struct lore_db *db, const struct lore_lesson_scope *of,
    struct lore_arena *a, struct lore_lesson **out, size_t *n, struct lore_err *err) LORE_MUST;
/* The text of lesson ID. */
enum lore_status lore_db_get_lesson_words(struct lore_db *db, const char *id, struct lore_arena *a,
    const char **out, struct lore_err *err) LORE_MUST;

/* Hypotheses on operator OP that name no version, as notes have them: newest first, at most
 * LORE_NOTED_MAX. Retracted ones are left out. technique and chip may be NULL. */
enum { LORE_NOTED_MAX = 20 };
struct lore_noted_idea {
    const char *id, *claim, *technique, *chip;
};
enum lore_status lore_db_list_noted(struct lore_db *db, const char *op, struct lore_arena *a,
    struct lore_noted_idea **out, size_t *n, struct lore_err *err) LORE_MUST;

#endif
