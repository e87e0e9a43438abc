// uses: ingest
/* Any bytes as the body of a receipt, an event or a credential in the journal: an error, or a value
 * whose members are all set. */
#include <stdlib.h>
#include <string.h>

#include "db/auth_copy.h"
#include "db/put.h"
#include "service/ingest/projected.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    const struct lore_journal_entry e = {.actor = "ann", .body = data, .len = size, .at_us = 1};
    LORE_SCRATCH arena = {0};
    struct lore_batch_receipt receipt;
    struct lore_agent_row agent;
    struct lore_event event;

    if (lore_journal_entry_receipt(&e, &arena, &receipt, NULL) == LORE_OK) {
        if (!receipt.agent || !receipt.batch || receipt.n > LORE_BATCH_RECORDS)
            abort();
        for (size_t i = 0; i < receipt.n; i++)
            if (!strchr("sdr", receipt.records[i].line.state))
                abort();
    }
    if (lore_journal_entry_event(&e, &arena, &event, NULL) == LORE_OK &&
        (!event.kind || !event.subject || !event.detail))
        abort();
    if (lore_credential_agent((const char *)data, size, &arena, &agent, NULL) == LORE_OK &&
        (!agent.id || !agent.label))
        abort();
    return 0;
}
