/* Texts as small numbers: equal texts get the same id, ids count up from 0. For long-lived indexes
 * that hold many rows about few names. A zeroed table is valid; ids and texts stay valid until
 * lore_intern_free. Not locked. */
#ifndef LORE_BASE_INTERN_H
#define LORE_BASE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#define LORE_INTERN_NONE UINT32_MAX

struct lore_intern_slot;
struct lore_intern_chunk;
struct lore_intern {
    const char **names; /* by id */
    uint32_t n, cap;
    struct lore_intern_slot *slots; /* open addressing */
    uint32_t n_slots;
    struct lore_intern_chunk *chunk;
    size_t bytes;  /* of heap memory held */
    uint32_t seed; /* differs between tables, so that clients cannot force hash collisions */
};

/* The id of a copy of S; LORE_INTERN_NONE for NULL. */
uint32_t lore_intern(struct lore_intern *t, const char *s);
/* The id of S when it was interned before, else LORE_INTERN_NONE. */
uint32_t lore_intern_find(const struct lore_intern *t, const char *s);
/* The text of an id; NULL for LORE_INTERN_NONE. */
const char *lore_intern_text(const struct lore_intern *t, uint32_t id);
void lore_intern_free(struct lore_intern *t);

#endif
