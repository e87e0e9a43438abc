/* Addresses of records of any kind. */
#ifndef LORE_API_RECORDS_H
#define LORE_API_RECORDS_H

#include "service/base/arena.h"

/* "/api/v1/experiments/01J…"; of a kind without an address of its own: "/api/v1/records/01J…". In
 * the arena. */
const char *lore_record_address(struct lore_arena *arena, const char *kind, const char *id);
#endif
