/* Inside the search for an attempt's place: what attempt_place.c (times, versions) and
 * attempt_where.c (session, kernel, chip, workload) share. */
#ifndef LORE_API_ATTEMPT_FIND_H
#define LORE_API_ATTEMPT_FIND_H

#include "service/api/attempt.h"
#include "service/api/naming.h"

struct lore_attempt_finding {
    struct lore_req *req;
    const struct lore_attempt *a;
    struct lore_attempt_place *p;
    struct lore_errs *errs;
    struct lore_resp *resp;
    struct lore_err *err;
};
/* Whether an error at PATH is reported. */
bool lore_attempt_reported(const struct lore_attempt_finding *f, const char *path);
struct lore_naming lore_attempt_naming(
    const struct lore_attempt_finding *f, const char *kind, const char *text, const char *path);
/* A name that means no record, or several, is an error of the body. */
enum lore_status lore_attempt_note_name(
    struct lore_attempt_finding *f, enum lore_status status, const char *path) LORE_MUST;

/* In this order. What the session does not know and the body does not say, a stored kernel's last
 * session does. */
enum lore_status lore_attempt_take_session(struct lore_attempt_finding *f) LORE_MUST;
enum lore_status lore_attempt_find_kernel(struct lore_attempt_finding *f) LORE_MUST;
enum lore_status lore_attempt_take_conditions(struct lore_attempt_finding *f) LORE_MUST;

#endif
