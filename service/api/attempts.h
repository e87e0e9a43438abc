/* The attempts that a plan is compared with, in the form that repeats.h takes. */
#ifndef LORE_API_ATTEMPTS_H
#define LORE_API_ATTEMPTS_H

#include "service/derive/repeats.h"
#include "service/http/http.h"
#include "service/wire/record.h"

struct lore_attempts {
    const struct lore_repeats_attempt *v; /* oldest first; first those on other kernels */
    size_t n;
    const struct lore_repeats_past
        *past; /* the same, read; NULL: of more than one kernel, or all */
};
enum { LORE_ATTEMPTS_READ = 100 /* of a kernel, for an answer about one of its versions */ };
/* Which attempts: the newest MAX on KERNEL (0: all); without a kernel, all on OP. With both, also
 * the newest on other kernels of OP. NEWEST: the newest MAX on any kernel, kernel by kernel,
 * without parameters. */
struct lore_attempts_scope {
    const char *kernel, *op;
    size_t max;
    bool newest;
};
/* Load those that are not hidden into the request's arena. */
enum lore_status lore_attempts_load(struct lore_req *req, const struct lore_attempts_scope *scope,
    struct lore_attempts *out, struct lore_err *err) LORE_MUST;
/* Set the uses of IDEA from JSON, as lore_db_get_uses returns it; those that were not applied are
 * left out. */
enum lore_status lore_attempts_read_uses(
    struct lore_req *req, const char *json, struct lore_idea *idea, struct lore_err *err) LORE_MUST;
/* Give the parameters of IDEA their canonical names, and their old values from the version that it
 * starts from; these stay unset when it is not stored. */
enum lore_status lore_attempts_fill_parameters(
    struct lore_req *req, const struct lore_idea *idea, struct lore_err *err) LORE_MUST;
/* The value of the parameter NAME (canonical) among PARAMS, whatever they call it: "block" is
 * "block_size". NULL: it is not there. */
const char *
lore_attempts_value(struct lore_arena *arena, const struct lore_kvs *params, const char *name);

#endif
