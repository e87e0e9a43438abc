/* The attempts of one kernel's lineage, in the form that repeats.h takes. */
#ifndef LORE_API_ATTEMPTS_H
#define LORE_API_ATTEMPTS_H

#include "service/derive/repeats.h"
#include "service/http/http.h"

struct lore_attempts {
    struct lore_repeats_attempt *v; /* oldest first */
    size_t n;
};
/* The newest MAX of KERNEL that are not hidden, in the request's arena. */
enum lore_status lore_attempts_load(struct lore_req *req, const char *kernel, size_t max,
    struct lore_attempts *out, struct lore_err *err) LORE_MUST;
/* Set the old parameter values of IDEA from the version that it starts from. */
enum lore_status lore_attempts_fill_parameters(
    struct lore_req *req, const struct lore_idea *idea, struct lore_err *err) LORE_MUST;

#endif
