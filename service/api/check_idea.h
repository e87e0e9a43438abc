/* Whether a plan has failed before (check_idea.c). */
#ifndef LORE_API_CHECK_IDEA_H
#define LORE_API_CHECK_IDEA_H

#include "service/derive/repeats.h"
#include "service/http/http.h"

/* Borrowed text; NULL: not known. Text or techniques are needed, and a kernel, an operator or a
 * version. */
struct lore_plan {
    const char *text;         /* in words */
    const char *techniques;   /* "name{param=value},name" */
    const char *params;       /* "tile=64,stages=3" of the first technique or the text */
    const char *kernel;       /* id */
    const char *op, *chip;    /* canonical names */
    const char *workload;     /* id */
    const char *dims, *dtype; /* in place of the id: "M=4096,N=4096" */
    const char *from_version; /* id */
};
/* Compare PLAN with every attempt on its kernel, and the newest on other kernels of the operator.
 * Without a kernel, all attempts on the operator count as made here. LORE_NOTFOUND: no such
 * kernel. */
enum lore_status lore_plan_check(struct lore_req *req, const struct lore_plan *plan,
    struct lore_repeats *out, struct lore_err *err) LORE_MUST;

#endif
