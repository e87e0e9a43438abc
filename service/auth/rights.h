/* What a credential may do: a role in the whole memory ("curator"), or a role in each of some
 * projects ("contributor@team/attention,reader@team/moe"). A program that does not know the second
 * form finds no role in it and refuses the credential. */
#ifndef LORE_AUTH_RIGHTS_H
#define LORE_AUTH_RIGHTS_H

#include <stdbool.h>

#include "service/base/arena.h"

#define LORE_RIGHTS_MAX 1000 /* bytes */

struct lore_right {
    const char *role, *project; /* by name; project NULL: the whole memory */
};
/* Rights with ROLE in each of PROJECTS, a list "team/attention,team/moe=reader" in which a project
 * may name another role. LORE_INVALID at "role" or "projects": a role other than reader and
 * contributor; at "projects": a name that cannot be one, or too many. */
enum lore_status lore_rights_write(const char *role, const char *projects, struct lore_arena *arena,
    const char **out, struct lore_err *err) LORE_MUST;
/* LORE_INVALID unless RIGHTS, which names projects, has that form. */
enum lore_status lore_rights_check(const char *rights, struct lore_err *err) LORE_MUST;
bool lore_rights_bound(const char *rights); /* to projects */
/* The right to act in the project WANTED, the higher one of several; NULL: in the first one.
 * Rights in the whole memory are the same whatever is wanted. LORE_FORBIDDEN code other_project. */
enum lore_status lore_rights_in(const char *rights, const char *wanted, struct lore_arena *arena,
    struct lore_right *out, struct lore_err *err) LORE_MUST;

#endif
