/* Requests answered almost entirely from the index take milliseconds and run on the thread pool. */
#include "service/ingest/indexes.h"

#include "service/api/api.h"
#include "service/base/text.h"
#include "service/http/app.h"

/* method=seed-score reads all experiments and must not block a thread of the pool. */
bool
lore_api_pool_recommend(struct lore_req *req)
{
    return !lore_streq(lore_arg_text(req, "method", NULL), "seed-score");
}

bool
lore_api_pool_board(struct lore_req *req)
{
    lore_indexes_board_wait(req->app->indexes);
    return true;
}
