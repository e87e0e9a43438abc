/* Names in a stored document that nobody used before (new_names.c), for its receipt. */
#ifndef LORE_API_NEW_NAMES_H
#define LORE_API_NEW_NAMES_H

#include "service/api/object.h"
#include "service/base/arena.h"
#include "service/wire/record.h"

struct lore_receipt;
struct lore_new_name_row {
    const char *kind, *name;
    struct lore_texts near; /* known names */
};
struct lore_new_names {
    struct lore_new_name_row *v; /* NULL: none */
    size_t n;
};
extern const struct lore_object lore_new_name_object;
/* The new names of R with the known names that may be meant, in ARENA; at most 50. */
struct lore_new_names lore_new_names_of(const struct lore_receipt *r, struct lore_arena *arena);

#endif
