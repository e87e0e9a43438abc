/* What tuners searched of the kernel that advice is about, at its place (searched.c). */
#ifndef LORE_API_SEARCHED_H
#define LORE_API_SEARCHED_H

#include "service/api/recommend_start.h"

struct lore_searched {
    const char *sweep; /* id of the search with most times; NULL: there is none */
    size_t timed, failed;
    const char *beyond; /* where to search on, in sentences; NULL: nowhere */
};
/* Texts live in the request's arena. *OUT is zeroed where the start has no place or no version. */
enum lore_status lore_searched_read(struct lore_req *req, const struct lore_start_answer *start,
    struct lore_searched *out, struct lore_err *err) LORE_MUST;
/* The next step after the search; NULL: there was none, or it cannot be read. */
const char *lore_searched_next(struct lore_req *req, const struct lore_start_answer *start);

#endif
