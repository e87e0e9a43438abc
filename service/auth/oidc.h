/* People of an identity provider (OpenID Connect): checks their ID tokens and maps their groups to
 * roles. The provider's keys come from its discovery address. A thread reads them: at the start,
 * every hour, and when a token names an unknown key, at most once a minute. Thread-safe. */
#ifndef LORE_AUTH_OIDC_H
#define LORE_AUTH_OIDC_H

#include "service/auth/tokens.h"

/* Texts live as long as the process. */
struct lore_oidc_config {
    const char *issuer;   /* "https://login.example/realm": as in the tokens */
    const char *audience; /* as in the tokens */
    const char *groups;   /* "kernel-team=contributor,leads=curator" */
    const char *claim;    /* that lists the groups */
};
struct lore_oidc;
/* LORE_INVALID names the option: the issuer is not https (http only on this machine), there is no
 * audience, or a group has no role. Does not wait for the provider. ROLE_RANK gives the rank of a
 * role by name; 0: there is no such role. */
#define LORE_OIDC_BOUND 1 /* the rank of rights in projects, which add up; a role ranks higher */
enum lore_status lore_oidc_start(const struct lore_oidc_config *c, int (*role_rank)(const char *),
    struct lore_oidc **out, struct lore_err *err) LORE_MUST;
void lore_oidc_stop(struct lore_oidc *o);
/* Is AUTHORIZATION such a token, not one of our own? */
bool lore_oidc_looks(const char *authorization);
/* Find out who sent AUTHORIZATION: the id is `issuer|sub`, the label the preferred username or the
 * email address where it is fit for a label, the role the highest of the groups.
 * LORE_UNAUTHENTICATED code bad_token; LORE_FORBIDDEN: no group has a role; LORE_BUSY: the keys are
 * not here yet. */
enum lore_status lore_oidc_check(struct lore_oidc *o, const char *authorization,
    struct lore_arena *arena, struct lore_identity *out, struct lore_err *err) LORE_MUST;

#endif
