/* Lists of records: which rows, and the page of them (list.c). */
#ifndef LORE_DB_LIST_H
#define LORE_DB_LIST_H

#include <stddef.h>
#include <stdint.h>

/* Lists go newest first by seq. `before` is the cursor: rows with seq < before (0: from the
 * newest), at most `limit` rows. */
struct lore_page {
    int64_t before;
    size_t limit;
};
/* What to list; NULL: any. Each list names the members that it obeys, beside the page; the others
 * must be NULL, which an assertion checks. */
struct lore_list_filter {
    const char *op, *language, *project, *name, *kind, *kernel, *version, *workload, *technique;
    const char *chip;       /* one chip, or the name of an ISA for all its products */
    const char *error_type; /* of failed runs */
    const char *path, *metric, *subject, *action, *author, *verdict;
    const char *state; /* "open" or "closed" */
    struct lore_page page;
};

/* For the files of this folder: bind the parameters of Q, each named as the member of F that it
 * takes: $op, $before. */
struct lore_stmt;
void lore_list_bind(struct lore_stmt *q, const struct lore_list_filter *f);

#endif
