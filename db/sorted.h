/* Lists that are sorted by a member of their rows, or restricted by author or time (sorted.c). */
#ifndef LORE_DB_SORTED_H
#define LORE_DB_SORTED_H

#include "db/list.h"
#include "service/wire/wire.h"

struct lore_db;
/* Whether the list of KIND (LORE_K_COUNT: of submissions) can be sorted by S. */
bool lore_sorted_by(enum lore_kind kind, const struct lore_sort *s);

/* For the files of this folder. */
struct lore_stmt;
struct lore_row_shape;
/* Open LIST, a literal that ends in LORE_PAGE, for the page of F, and bind its parameters. */
struct lore_stmt lore_sorted_open(struct lore_db *db, const char *list,
    const struct lore_row_shape *shape, const struct lore_list_filter *f);
/* The same without binding, for a list with numbered parameters, which come first. COUNT: the
 * number of all rows instead of a page. */
struct lore_stmt lore_sorted_prepare(struct lore_db *db, const char *list,
    const struct lore_row_shape *shape, const struct lore_page *page, bool count);

#endif
