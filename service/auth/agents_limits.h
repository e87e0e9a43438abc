/* Rate limits and counters of agents: wrong codes, batches in flight, reported refusals. Only for
 * agents.c; agents.h says what each function is for. Thread-safe. */
#ifndef LORE_AUTH_AGENTS_LIMITS_H
#define LORE_AUTH_AGENTS_LIMITS_H

#include "service/auth/agents.h"

struct lore_agents_limits;
struct lore_agents_limits *lore_agents_limits_new(void);
void lore_agents_limits_free(struct lore_agents_limits *l);
/* Before a one-time code is tried. Codes are tried one at a time: after LORE_OK the caller must
 * call lore_agents_guessed, with whether the code was wrong. */
enum lore_status
lore_agents_may_guess(struct lore_agents_limits *l, int *wait_s, struct lore_err *err) LORE_MUST;
void lore_agents_guessed(struct lore_agents_limits *l, bool wrong);
enum lore_status lore_agents_limits_enter(
    struct lore_agents_limits *l, const char *agent, struct lore_err *err) LORE_MUST;
void lore_agents_limits_leave(struct lore_agents_limits *l, const char *agent);
void lore_agents_limits_refusals(struct lore_agents_limits *l, lore_agents_refusal *fn, void *ctx);
void lore_agents_limits_refused(struct lore_agents_limits *l, const char *agent, const char *code);
void lore_agents_limits_took(struct lore_agents_limits *l, const struct lore_agents_stats *batch);
void lore_agents_limits_stats(struct lore_agents_limits *l, struct lore_agents_stats *out);

#endif
