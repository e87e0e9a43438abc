/* Rate limits and counters of agents: wrong codes, batches in flight, reported refusals.
 * Thread-safe. */
#ifndef LORE_AUTH_AGENTS_LIMITS_H
#define LORE_AUTH_AGENTS_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/status.h"

struct lore_agents_limits;
struct lore_agents_limits *lore_agents_limits_new(void);
void lore_agents_limits_free(struct lore_agents_limits *l);
/* Call this before ADDRESS tries a one-time code, and lore_agents_guessed when the code was right.
 * LORE_LIMITED code too_many_codes after ten wrong ones; each further one must wait until one of
 * ten parts of a minute has passed. */
enum lore_status lore_agents_may_guess(
    struct lore_agents_limits *l, const char *address, int *wait_s, struct lore_err *err) LORE_MUST;
void lore_agents_guessed(struct lore_agents_limits *l, const char *address);

/* Begin to store a batch of AGENT; lore_agents_limits_leave ends it. Each agent may have one batch
 * in flight, so that the checks before storing stay valid; the number of all batches in flight is
 * limited. LORE_BUSY code batch_in_flight or too_many_batches. */
enum lore_status lore_agents_limits_enter(
    struct lore_agents_limits *l, const char *agent, struct lore_err *err) LORE_MUST;
void lore_agents_limits_leave(struct lore_agents_limits *l, const char *agent);

/* Call FN for refused requests, so that they get into the event log: at most once a minute for the
 * same agent and code, and ten times a minute in all. AGENT is NULL when the signature does not
 * identify the agent. */
typedef void lore_agents_refusal(void *ctx, const char *agent, const char *code);
void lore_agents_limits_refusals(struct lore_agents_limits *l, lore_agents_refusal *fn, void *ctx);
/* Count a refused request of AGENT (may be NULL), and report it to FN within those limits. */
void lore_agents_limits_refused(struct lore_agents_limits *l, const char *agent, const char *code);

/* Counts since the start: batches with a receipt, their records by state, and refused requests. And
 * the number of batches in flight now. */
struct lore_agents_stats {
    uint64_t batches, stored, duplicates, refused, requests_refused, in_flight;
};
/* Add a batch with a receipt. Of BATCH only the counts of its records are read. */
void
lore_agents_limits_add_batch(struct lore_agents_limits *l, const struct lore_agents_stats *batch);
void lore_agents_limits_stats(struct lore_agents_limits *l, struct lore_agents_stats *out);

#endif
