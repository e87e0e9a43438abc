/* Handlers for agents (agents.c, batches.c), and functions that main.c calls or registers. */
#ifndef LORE_API_API_AGENTS_H
#define LORE_API_API_AGENTS_H

#include "service/api/api.h"
#include "service/base/jsonw.h"

LORE_HANDLER(lore_api_enroll);
LORE_HANDLER(lore_api_agents);
LORE_HANDLER(lore_api_agent_self);
LORE_HANDLER(lore_api_receipts);
LORE_HANDLER(lore_api_batch);

/* batches.c: writes the state of a struct lore_receipt_record. */
#define LORE_RECEIPT_STATES "stored|duplicate|refused"
void lore_receipt_write_state(struct lore_jsonw *w, const char *key, const void *record);

/* Store every enrolment and revocation that is missing in the facts. Call it at the start, because
 * both can happen outside this process. */
enum lore_status lore_api_store_agents(struct lore_app *app, struct lore_err *err) LORE_MUST;
/* The same, for a loop: does nothing while the number of enrolments and revocations is *KNOWN,
 * which starts at 0. The next call retries after a failure. */
void lore_api_sync_agents(struct lore_app *app, size_t *known);
/* A lore_agents_refusal (service/auth/agents.h) that makes an event; APP: struct lore_app. */
void lore_api_store_refusal(void *app, const char *agent, const char *code);

#endif
