/* Records of any kind: where one is read, and what people decided about it. */
#ifndef LORE_API_RECORDS_H
#define LORE_API_RECORDS_H

#include "db/standing.h"
#include "service/base/arena.h"
#include "service/base/jsonw.h"

/* "/api/v1/experiments/01J…"; of a kind without an address of its own: "/api/v1/records/01J…". In
 * the arena. */
const char *lore_record_address(struct lore_arena *arena, const char *kind, const char *id);
/* Members `review` (null: never), `retracted`, `retraction`. */
void lore_present_review(struct lore_jsonw *w, const struct lore_standing *s);

#endif
