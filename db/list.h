/* Lists of records: which rows, and the page of them (list.c). */
#ifndef LORE_DB_LIST_H
#define LORE_DB_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The member of a row by which a list is sorted. */
struct lore_sort {
    bool given, down;
    size_t at;         /* its offset in the row */
    const char *field; /* its name in a record that is stored as JSON only; NULL: none */
};
/* Lists go newest first by seq, or by `sort`, rows without a value last. `before` is the cursor:
 * the rows after the one with this seq (0: from the first), at most `limit` rows. */
struct lore_page {
    int64_t before;
    size_t limit;
    const char *author;         /* of the record, else of its submission; NULL: any */
    int64_t since_us, until_us; /* when it happened, else when it was received; 0: any */
    struct lore_sort sort;
};
/* What to list; NULL: any. Each list names the members that it obeys, beside the page; the others
 * must be NULL, which an assertion checks. */
struct lore_list_filter {
    const char *op, *language, *project, *name, *kind, *kernel, *version, *workload, *technique;
    const char *chip;       /* one chip, or the name of an ISA for all its products */
    const char *error_type; /* of failed runs */
    const char *path, *metric, *subject, *action, *verdict;
    const char *state; /* of a direction "open" or "closed"; of an insight its review */
    struct lore_page page;
};

/* For the files of this folder: bind the parameters of Q, each named as the member of F that it
 * takes: $op, $before. lore_list_bind_page binds only those of the page. */
struct lore_stmt;
void lore_list_bind(struct lore_stmt *q, const struct lore_list_filter *f);
void lore_list_bind_page(struct lore_stmt *q, const struct lore_page *page);

#endif
