/* Lookup of catalogue rows by any of their names. Other folders use only lore_names_equal. Names
 * are compared by their letters and digits alone ("MI300X" = "mi-300x"; '+' counts as a letter, so
 * that C++ is not C). An index is a static table, filled once, thread-safe, never freed. */
#ifndef LORE_CATALOGUE_NAMES_H
#define LORE_CATALOGUE_NAMES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lore_name_slot {
    uint64_t hash;
    const char *name; /* not terminated; NULL: free */
    uint32_t len, row;
};

struct lore_names {
    struct lore_name_slot *slots;
    size_t n_slots; /* a power of two, at least twice the names: checked by tests */
    size_t used;
    bool full, clash; /* a name did not fit; a name meant two rows. Checked by tests */
};

bool lore_names_equal(const char *a, const char *b);
void lore_names_add(struct lore_names *t, const char *name, size_t len, size_t row);
/* Every name of a comma-separated list; NULL adds none. */
void lore_names_add_list(struct lore_names *t, const char *list, size_t row);
/* The row of NAME (LEN bytes), or -1. */
int lore_names_find(const struct lore_names *t, const char *name, size_t len);

const struct lore_names *lore_chip_names(void);
const struct lore_names *lore_operator_names(void);
const struct lore_names *lore_label_names(void);
const struct lore_names *lore_technique_names(void);
const struct lore_names *lore_metric_names(void);

#endif
