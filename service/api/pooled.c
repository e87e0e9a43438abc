/* What is answered from memory alone, or nearly, takes milliseconds: threads of the pool answer it.
 */
#include "service/ingest/memory.h"

#include "service/api/api.h"
#include "service/base/text.h"
#include "service/http/app.h"

/* The seed's formula reads everything there is. */
bool
lore_api_asks_advice(struct lore_req *req)
{
    return !lore_streq(lore_arg_text(req, "method", NULL), "seed-score");
}

bool
lore_api_asks_board(struct lore_req *req)
{
    lore_memory_board_wait(req->app->memory);
    return true;
}
